//! Messages, fields, enums and extensions.

use crate::Result;

use super::super::ast::{
    At, Enum, EnumValue, ExtensionRanges, Field, Item, Label, Message, Name, Oneof, Range, Scalar, Syntax, TypeRef,
};
use super::super::lexer::Kind;
use super::Parser;

/// The largest number of a field.
pub(in super::super) const MOST_NUMBER: i64 = 0x1FFF_FFFF;

/// What a field stands in.
enum Within<'a> {
    Message,
    Oneof(usize),
    Extend(&'a Name),
}

impl Parser<'_> {
    pub(super) fn message(&mut self) -> Result<Item> {
        let mut comment = self.leading();
        self.bump()?;
        let name = self.word("the name of a message")?;
        let mut message = Message { name, ..Message::default() };
        self.opening()?;
        self.trailing(&mut comment);
        message.comment = comment;
        self.deeper(|parser| parser.message_body(&mut message))?;
        Ok(Item::Message(message))
    }

    fn opening(&mut self) -> Result<()> {
        self.sign('{')
    }

    fn message_body(&mut self, message: &mut Message) -> Result<()> {
        while !self.take('}')? {
            if self.take(';')? {
                continue;
            }
            if self.is_sign('.') {
                self.field(Within::Message, &mut message.fields, &mut message.items)?;
                continue;
            }
            let Kind::Word(word) = self.token.kind else {
                return Err(self.expected("a field, another declaration, or \"}\""));
            };
            match word {
                "message" => {
                    let inner = self.message()?;
                    message.items.push(inner);
                }
                "enum" => {
                    let e = self.enumeration()?;
                    message.items.push(e);
                }
                "extend" => self.extend(&mut message.items)?,
                "oneof" => self.oneof(message)?,
                "option" => {
                    let option = self.option_statement()?;
                    message.options.push(option);
                }
                "extensions" => {
                    self.bump()?;
                    let ranges = self.ranges(MOST_NUMBER)?;
                    let options = self.bracketed()?;
                    self.sign(';')?;
                    message.extension_ranges.push(ExtensionRanges { ranges, options });
                }
                "reserved" => {
                    self.bump()?;
                    self.reserved(&mut message.reserved_ranges, &mut message.reserved_names, MOST_NUMBER)?;
                }
                _ => self.field(Within::Message, &mut message.fields, &mut message.items)?,
            }
        }
        Ok(())
    }

    fn oneof(&mut self, message: &mut Message) -> Result<()> {
        let mut comment = self.leading();
        self.bump()?;
        let name = self.word("the name of a oneof")?;
        self.opening()?;
        self.trailing(&mut comment);
        let mut oneof = Oneof { name, comment, options: Vec::new() };
        let place = message.oneofs.len();
        let before = message.fields.len();
        while !self.take('}')? {
            if self.take(';')? {
                continue;
            }
            if self.is_word("option") {
                let option = self.option_statement()?;
                oneof.options.push(option);
                continue;
            }
            self.field(Within::Oneof(place), &mut message.fields, &mut message.items)?;
        }
        if message.fields.len() == before {
            return Err(self.lexer.error(oneof.name.at, format!("oneof {:?} has no fields", oneof.name.text)));
        }
        message.oneofs.push(oneof);
        Ok(())
    }

    pub(super) fn extend(&mut self, items: &mut Vec<Item>) -> Result<()> {
        self.bump()?;
        let extendee = self.type_name("the message to extend")?;
        self.opening()?;
        let (mut fields, mut empty) = (Vec::new(), true);
        while !self.take('}')? {
            if self.take(';')? {
                continue;
            }
            empty = false;
            self.field(Within::Extend(&extendee), &mut fields, items)?;
            items.extend(fields.drain(..).map(Item::Extension));
        }
        if empty {
            return Err(self.lexer.error(extendee.at, "an extend statement without extensions"));
        }
        Ok(())
    }

    fn field(&mut self, within: Within<'_>, fields: &mut Vec<Field>, items: &mut Vec<Item>) -> Result<()> {
        let mut comment = self.leading();
        let at = self.at();
        let label = self.label(&within)?;
        let group = self.is_word("group");
        let ty = if group { self.group_type(at)? } else { self.field_type(label.map(|_| at), &within)? };
        let mut name = if group { self.word("the name of a group")? } else { self.field_name()? };
        if self.syntax == Syntax::Proto2
            && label.is_none()
            && !matches!(within, Within::Oneof(_))
            && !matches!(ty, TypeRef::Map(..))
        {
            let what = format!("the field {:?} has no label", name.text);
            return Err(self.lexer.error(at, what).hint("in proto2, fields are optional, required or repeated"));
        }
        self.sign('=')?;
        let (number, number_at) = self.integer("the number of the field")?;
        let options = self.bracketed()?;
        let mut ty = ty;
        if group {
            if !name.text.starts_with(|c: char| c.is_ascii_uppercase()) {
                return Err(self.lexer.error(name.at, "the name of a group must begin with a capital letter"));
            }
            self.opening()?;
            // What stands behind the brace is about the message, what stands before all of it about the field.
            let mut message = Message { name: name.clone(), group: true, ..Message::default() };
            self.trailing(&mut message.comment);
            self.deeper(|parser| parser.message_body(&mut message))?;
            items.push(Item::Message(message));
            ty = TypeRef::Named(name.clone());
            name.text = name.text.to_ascii_lowercase();
        } else {
            self.sign(';')?;
            self.trailing(&mut comment);
        }
        let oneof = if let Within::Oneof(place) = within { Some(place) } else { None };
        let extendee = if let Within::Extend(name) = within { Some(name.clone()) } else { None };
        fields.push(Field { name, comment, label, at, ty, number, number_at, options, oneof, group, extendee });
        Ok(())
    }

    fn field_name(&mut self) -> Result<Name> {
        if self.full_names { self.dotted("the name of a field") } else { self.word("the name of a field") }
    }

    fn label(&mut self, within: &Within<'_>) -> Result<Option<Label>> {
        let (label, word) = match self.token.kind {
            Kind::Word("optional") => (Label::Optional, "optional"),
            Kind::Word("required") => (Label::Required, "required"),
            Kind::Word("repeated") => (Label::Repeated, "repeated"),
            _ => return Ok(None),
        };
        let error = |what: String| Err(self.lexer.error(self.at(), what));
        match (label, self.syntax) {
            _ if matches!(within, Within::Oneof(_)) => {
                return error(format!("found {word:?}: fields of a oneof have no label, and are not repeated"));
            }
            (Label::Required, _) if matches!(within, Within::Extend(_)) => {
                return error("an extension cannot be required".to_owned());
            }
            (Label::Required, Syntax::Proto3) => return error("there are no required fields in proto3".to_owned()),
            (Label::Optional | Label::Required, Syntax::Edition2023) => {
                let feature = if label == Label::Required { "LEGACY_REQUIRED" } else { "EXPLICIT" };
                let what = format!("there is no label {word:?} in editions");
                let hint = format!("leave it out, or use the option features.field_presence = {feature}");
                return Err(self.lexer.error(self.at(), what).hint(hint));
            }
            _ => {}
        }
        self.bump()?;
        Ok(Some(label))
    }

    fn group_type(&mut self, at: At) -> Result<TypeRef> {
        if self.syntax != Syntax::Proto2 {
            let what = format!("there are no groups in {}", self.syntax.name());
            return Err(self.lexer.error(at, what));
        }
        self.bump()?;
        Ok(TypeRef::Scalar(Scalar::Bool))
    }

    /// The type of a field; `label` is where its label is.
    fn field_type(&mut self, label: Option<At>, within: &Within<'_>) -> Result<TypeRef> {
        let at = self.at();
        let mut name = self.type_start()?;
        if name.text == "map" && self.is_sign('<') {
            if let Some(label) = label {
                return Err(self.lexer.error(label, "a map has no label"));
            }
            if !matches!(within, Within::Message) {
                return Err(self.lexer.error(at, "a map can be neither in a oneof nor an extension"));
            }
            self.bump()?;
            let key = self.word("the type of the map's keys")?;
            let scalar = Scalar::by_name(&key.text).filter(|scalar| scalar.is_key()).ok_or_else(|| {
                let what = format!("{:?} cannot be the key of a map", key.text);
                self.lexer.error(key.at, what).hint("keys are integers, bool or string")
            })?;
            self.sign(',')?;
            let value_at = self.at();
            let value = self.type_start()?;
            if value.text == "map" && self.is_sign('<') {
                return Err(self.lexer.error(value_at, "the value of a map cannot be a map"));
            }
            let value = self.rest_of_type(value)?;
            self.sign('>')?;
            return Ok(TypeRef::Map(scalar, key.at, Box::new(value)));
        }
        name.at = at;
        self.rest_of_type(name)
    }

    /// A dot and a word, or a word.
    fn type_start(&mut self) -> Result<Name> {
        let at = self.at();
        let full = self.take('.')?;
        let word = self.word("a type")?;
        Ok(Name { text: if full { format!(".{}", word.text) } else { word.text }, at })
    }

    fn rest_of_type(&mut self, mut name: Name) -> Result<TypeRef> {
        if !self.is_sign('.')
            && let Some(scalar) = Scalar::by_name(&name.text)
        {
            return Ok(TypeRef::Scalar(scalar));
        }
        while self.take('.')? {
            name.text.push('.');
            name.text.push_str(&self.word("a name after the dot")?.text);
            self.check_length(&name)?;
        }
        Ok(TypeRef::Named(name))
    }

    pub(super) fn enumeration(&mut self) -> Result<Item> {
        let mut comment = self.leading();
        self.bump()?;
        let name = self.word("the name of an enum")?;
        self.opening()?;
        self.trailing(&mut comment);
        let mut e = Enum { name, comment, ..Enum::default() };
        while !self.take('}')? {
            if self.take(';')? {
                continue;
            }
            let mut comment = self.leading();
            let name = self.word("an enum value, or \"}\"")?;
            match name.text.as_str() {
                "option" if !self.is_sign('=') => {
                    // The word is read already.
                    let option = self.option_after_word()?;
                    e.options.push(option);
                    continue;
                }
                "reserved" if !self.is_sign('=') => {
                    self.reserved(&mut e.reserved_ranges, &mut e.reserved_names, i32::MAX.into())?;
                    continue;
                }
                _ => {}
            }
            self.sign('=')?;
            let (number, number_at) = self.integer("the number of the enum value")?;
            let options = self.bracketed()?;
            self.sign(';')?;
            self.trailing(&mut comment);
            e.values.push(EnumValue { name, comment, number, number_at, options });
        }
        Ok(Item::Enum(e))
    }

    /// Numbers and ranges, separated by commas.
    fn ranges(&mut self, most: i64) -> Result<Vec<Range>> {
        let mut ranges = Vec::new();
        loop {
            let (from, at) = self.integer("a number, or a range such as 2 to 5")?;
            let mut to = from;
            if self.is_word("to") {
                self.bump()?;
                if self.is_word("max") {
                    self.bump()?;
                    to = most;
                } else {
                    to = self.integer("the last number of the range, or max")?.0;
                }
            }
            ranges.push(Range { numbers: from..=to, at });
            if !self.take(',')? {
                return Ok(ranges);
            }
        }
    }

    fn reserved(&mut self, ranges: &mut Vec<Range>, names: &mut Vec<Name>, most: i64) -> Result<()> {
        match self.token.kind {
            Kind::Text(_) | Kind::Word(_) => {
                if self.syntax == Syntax::Edition2023 && matches!(self.token.kind, Kind::Text(_)) {
                    return Err(self.expected("a name without quotes: editions have reserved names without them"));
                }
                if self.syntax != Syntax::Edition2023 && matches!(self.token.kind, Kind::Word(_)) {
                    return Err(self.expected("a number, or a name in quotes"));
                }
                loop {
                    let name = if let Kind::Word(_) = self.token.kind {
                        self.word("a reserved name")?
                    } else {
                        self.text("a reserved name")?
                    };
                    names.push(name);
                    if !self.take(',')? {
                        break;
                    }
                }
            }
            _ => ranges.extend(self.ranges(most)?),
        }
        self.sign(';')
    }
}
