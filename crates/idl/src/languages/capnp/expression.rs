//! Types, values and annotations.

use super::ast::{Applied, Base, Expr, ExprForm, Name, Part, Path};
use super::lexer::Token;
use super::parser::Parser;
use crate::Result;

/// Parts of a name, such as `a.b.c`.
const MOST_PARTS: usize = 128;

impl Parser<'_> {
    pub(super) fn annotations(&mut self) -> Result<Vec<Applied>> {
        let mut all = Vec::new();
        while self.is('$') {
            let at = self.at;
            self.advance()?;
            let mut name = self.path("the annotation's name")?;
            let value = match name.parts.last() {
                Some(Part::Apply(..)) => match name.parts.pop() {
                    Some(Part::Apply(mut arguments, at)) => match &arguments[..] {
                        [(None, _)] => arguments.pop().map(|(_, value)| value),
                        _ => Some(Expr { at, form: ExprForm::Tuple(arguments) }),
                    },
                    _ => None,
                },
                _ => None,
            };
            all.push(Applied { name, value, at });
        }
        Ok(all)
    }

    pub(super) fn expr(&mut self) -> Result<Expr> {
        let at = self.at;
        let form = match &self.token {
            Token::Name(name) if name == "embed" => {
                self.advance()?;
                match self.advance()? {
                    Token::Text(_) => ExprForm::Embed,
                    _ => return Err(self.lexer.error(at, "expected the name of a file after embed")),
                }
            }
            Token::Name(_) | Token::Mark('.') => ExprForm::Path(self.path("a type or value")?),
            Token::Mark('-') => {
                self.advance()?;
                match self.token {
                    Token::Int(value) => {
                        self.advance()?;
                        ExprForm::Int { is_negative: true, value }
                    }
                    Token::Float(value) => {
                        self.advance()?;
                        ExprForm::Float(-value)
                    }
                    _ if self.is_word("inf") => {
                        self.advance()?;
                        ExprForm::Float(f64::NEG_INFINITY)
                    }
                    _ => return Err(self.expected("a number after \"-\"")),
                }
            }
            Token::Mark('[') => {
                self.advance()?;
                let mut items = Vec::new();
                while !self.is(']') {
                    items.push(self.deeper(Parser::expr)?);
                    if !self.take(',')? {
                        break;
                    }
                }
                self.expect(']', "\",\" or \"]\"")?;
                ExprForm::List(items)
            }
            Token::Mark('(') => ExprForm::Tuple(self.arguments()?),
            Token::Int(_) | Token::Float(_) | Token::Text(_) | Token::Data(_) => match self.advance()? {
                Token::Int(value) => ExprForm::Int { is_negative: false, value },
                Token::Float(value) => ExprForm::Float(value),
                Token::Text(bytes) => ExprForm::Text(bytes),
                Token::Data(bytes) => ExprForm::Data(bytes),
                _ => unreachable!("matched above"),
            },
            _ => return Err(self.expected("a type or value")),
        };
        Ok(Expr { at, form })
    }

    fn arguments(&mut self) -> Result<Vec<(Option<Name>, Expr)>> {
        self.expect('(', "\"(\"")?;
        let mut arguments = Vec::new();
        while !self.is(')') {
            let is_named =
                matches!(self.token, Token::Name(_)) && matches!(self.lexer.clone().next(), Ok((Token::Mark('='), ..)));
            let name = if is_named { Some(self.name("a field")?) } else { None };
            if is_named {
                self.expect('=', "\"=\"")?;
            }
            arguments.push((name, self.deeper(Parser::expr)?));
            if !self.take(',')? {
                break;
            }
        }
        self.expect(')', "\",\" or \")\"")?;
        Ok(arguments)
    }

    fn path(&mut self, what: &str) -> Result<Path> {
        let start = self.at;
        let base = if self.take('.')? {
            Base::Absolute(self.name("a name after \".\"")?.text)
        } else {
            let name = self.name(what)?;
            match (&name.text[..], &self.token) {
                ("import", Token::Text(_)) => match self.advance()? {
                    Token::Text(path) => match String::from_utf8(path) {
                        Ok(path) => Base::Import(path),
                        Err(_) => return Err(self.lexer.error(start, "the name of the file is not valid UTF-8")),
                    },
                    _ => unreachable!("matched above"),
                },
                _ => Base::Name(name.text),
            }
        };
        let mut parts = Vec::new();
        loop {
            let at = self.at;
            if parts.len() > MOST_PARTS {
                return Err(self.lexer.error(start, format!("the name has more than {MOST_PARTS} parts")));
            }
            if self.take('.')? {
                parts.push(Part::Member(self.name("a name after \".\"")?));
            } else if self.is('(') {
                parts.push(Part::Apply(self.arguments()?, at));
            } else {
                return Ok(Path { base, parts });
            }
        }
    }
}
