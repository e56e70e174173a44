//! Options and their values.

use crate::Result;

use super::super::ast::{Key, Name, NamePart, Opt, Value};
use super::super::lexer::Kind;
use super::Parser;

impl Parser<'_> {
    /// `option name = value;`
    pub(super) fn option_statement(&mut self) -> Result<Opt> {
        self.bump()?;
        self.option_after_word()
    }

    /// The rest of it, when the word `option` was read already.
    pub(super) fn option_after_word(&mut self) -> Result<Opt> {
        let option = self.option()?;
        self.sign(';')?;
        Ok(option)
    }

    /// `[name = value, ...]`, if there is one.
    pub(super) fn bracketed(&mut self) -> Result<Vec<Opt>> {
        if self.take('[')? { self.option_list(Kind::Sign(']')) } else { Ok(Vec::new()) }
    }

    /// Options up to `end`, which is taken.
    pub(super) fn option_list(&mut self, end: Kind<'_>) -> Result<Vec<Opt>> {
        let mut options = Vec::new();
        loop {
            options.push(self.option()?);
            if self.token.kind == end {
                self.bump()?;
                return Ok(options);
            }
            if !self.take(',')? {
                return Err(self.expected("\",\" or the end of the options"));
            }
        }
    }

    fn option(&mut self) -> Result<Opt> {
        let mut name = Vec::new();
        loop {
            let at = self.at();
            if self.take('(')? {
                let inner = self.type_name("the name of an option")?;
                self.sign(')')?;
                name.push(NamePart { name: Name { text: inner.text, at }, custom: true });
            } else {
                name.push(NamePart { name: self.word("the name of an option")?, custom: false });
            }
            if name.len() > 100 {
                return Err(self.lexer.error(at, "the name of the option has too many parts"));
            }
            if !self.take('.')? {
                break;
            }
        }
        self.sign('=')?;
        let at = self.at();
        let value =
            if self.take('{')? { self.deeper(|parser| parser.message_value('}'))? } else { self.scalar_value()? };
        Ok(Opt { name, value, at })
    }

    fn scalar_value(&mut self) -> Result<Value> {
        let negative = self.take('-')?;
        let value = match self.token.kind {
            Kind::Int(value) => Value::Int(value, negative),
            Kind::Float(value) => Value::Float(if negative { -value } else { value }),
            Kind::Word(word) if !negative => Value::Word(word.to_owned()),
            Kind::Word(word @ ("inf" | "infinity" | "nan")) => Value::Word(format!("-{word}")),
            Kind::Text(_) if !negative => return Ok(Value::Text(self.bytes("a value")?)),
            _ => return Err(self.expected("a value")),
        };
        self.bump()?;
        Ok(value)
    }

    /// The fields of a message in text format, up to `end`, which is taken.
    fn message_value(&mut self, end: char) -> Result<Value> {
        let mut fields = Vec::new();
        while !self.take(end)? {
            let key = if self.take('[')? {
                let mut name = self.dotted("the name of an extension")?.text;
                if self.take('/')? {
                    name = format!("{name}/{}", self.dotted("the name of a message")?.text);
                }
                self.sign(']')?;
                Key::Extension(name)
            } else {
                Key::Field(self.word(&format!("the name of a field, or {:?}", end.to_string()))?.text)
            };
            let colon = self.take(':')?;
            if !colon && !self.is_sign('{') && !self.is_sign('<') && !self.is_sign('[') {
                return Err(self.expected("\":\""));
            }
            fields.push((key, self.deeper(Self::value)?));
            if !self.take(',')? {
                self.take(';')?;
            }
        }
        Ok(Value::Message(fields))
    }

    fn value(&mut self) -> Result<Value> {
        if self.take('{')? {
            return self.deeper(|parser| parser.message_value('}'));
        }
        if self.take('<')? {
            return self.deeper(|parser| parser.message_value('>'));
        }
        if !self.take('[')? {
            return self.scalar_value();
        }
        let mut items = Vec::new();
        while !self.take(']')? {
            if !items.is_empty() && !self.take(',')? {
                return Err(self.expected("\",\" or \"]\""));
            }
            items.push(self.deeper(Self::value)?);
        }
        Ok(Value::List(items))
    }
}
