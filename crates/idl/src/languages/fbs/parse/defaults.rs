//! Defaults of fields.

use wirewise_core::Float;

use super::{Parser, Reading};
use crate::languages::fbs::constants;
use crate::languages::fbs::ir::{Default, Type};
use crate::languages::fbs::lexer::{Token, shortened};
use crate::{Error, Place, Result};

/// How deep functions may nest in a constant.
const DEEPEST: usize = 16;

impl Parser<'_, '_> {
    /// What follows the `=` of a field of this type.
    pub(super) fn default(&mut self, ty: &Type) -> Result<Default> {
        match ty {
            Type::String => Ok(Default::Text(self.text("a string in quotes")?)),
            Type::Vector(_) => {
                self.expect('[')?;
                if !self.is(']') {
                    return Err(self.wrong("`]`: the only default of a vector is the empty one"));
                }
                self.next()?;
                Ok(Default::EmptyVector)
            }
            _ if !ty.is_scalar() => Err(self.wrong("`;`").hint("tables, structs and unions have no defaults")),
            _ if self.token == Token::Identifier("null") => {
                self.next()?;
                Ok(Default::Null)
            }
            Type::Float(float) => {
                let place = self.place.clone();
                let value = self.float(0)?;
                if *float == Float::F32 && value.is_finite() && !(value as f32).is_finite() {
                    return Err(Error::at(place, format!("found {value}, which is no float")));
                }
                Ok(Default::Float(value))
            }
            _ => self.integer(ty),
        }
    }

    fn float(&mut self, depth: usize) -> Result<f64> {
        const EXPECTED: &str = "a number";
        let place = self.place.clone();
        let token = self.token.clone();
        let text = match &token {
            Token::Number(text) | Token::Identifier(text) => *text,
            Token::Text(text) => text,
            _ => return Err(self.wrong(EXPECTED)),
        };
        if let (Token::Identifier(_), Some(function)) = (&token, constants::function(text)) {
            if depth == DEEPEST {
                return Err(Error::at(place, format!("functions nest deeper than {DEEPEST}")));
            }
            self.next()?;
            self.expect('(')?;
            let argument = self.float(depth + 1)?;
            self.expect(')')?;
            return Ok(function(argument));
        }
        let value = match text {
            "true" => Some(1.0),
            "false" => Some(0.0),
            _ => constants::float(text).or_else(|| constants::integer(text).map(|n| n as f64)),
        };
        let value = value.ok_or_else(|| self.wrong(EXPECTED))?;
        self.next()?;
        Ok(value)
    }

    /// A default of an integer, a boolean or an enum.
    fn integer(&mut self, ty: &Type) -> Result<Default> {
        let place = self.place.clone();
        let token = self.token.clone();
        let value = match &token {
            Token::Number(text) => constants::integer(text).ok_or_else(|| self.wrong("an integer"))?,
            Token::Identifier("true") => 1,
            Token::Identifier("false") => 0,
            Token::Identifier(_) => {
                let name = self.dotted("a constant")?;
                let value = self.symbols(ty, &name, &place)?;
                return self.fitting(ty, value, place);
            }
            Token::Text(text) => match constants::integer(text) {
                Some(value) => value,
                None => self.symbols(ty, text, &place)?,
            },
            _ => return Err(self.wrong("a number or the name of a value")),
        };
        self.next()?;
        self.fitting(ty, value, place)
    }

    /// The values with these names, which are separated by spaces, put together.
    fn symbols(&mut self, ty: &Type, names: &str, place: &Place) -> Result<i128> {
        let Reading { names: known, schema, values, .. } = &mut *self.reading;
        let mut sum = 0i64;
        for name in names.split(' ').filter(|name| !name.is_empty()) {
            let (of, symbol) = match (name.rsplit_once('.'), ty) {
                (Some((of, symbol)), _) => (known.find_enum(&self.namespace, of), symbol),
                (None, Type::Enum(index)) => (Some(*index), name),
                (None, _) => (None, name),
            };
            let value = of.and_then(|index| {
                let all = schema.enums[index].values.iter();
                let values = values.entry(index).or_insert_with(|| all.map(|v| (v.name.clone(), v.number)).collect());
                values.get(symbol).copied()
            });
            let expected = match ty {
                Type::Enum(index) => format!("a value of {}", schema.enums[*index].name),
                _ => "a number, or a value of an enum with its name (`Color.Red`)".to_owned(),
            };
            let wrong = || Error::at(place.clone(), format!("found `{}`, expected {expected}", shortened(name)));
            sum |= value.ok_or_else(wrong)?;
        }
        let unsigned = matches!(ty, Type::Enum(index) if !schema.enums[*index].underlying.signed());
        Ok(if unsigned { i128::from(sum as u64) } else { sum.into() })
    }

    fn fitting(&self, ty: &Type, value: i128, place: Place) -> Result<Default> {
        let enums = &self.reading.schema.enums;
        let int = match ty {
            Type::Int(int) => *int,
            Type::Enum(index) => enums[*index].underlying,
            _ => return Ok(Default::Int(i128::from(value != 0))),
        };
        if int.holds(value) {
            return Ok(Default::Int(value));
        }
        let (min, max) = int.range();
        Err(Error::at(place, format!("found {value}, expected a number from {min} to {max}")))
    }
}
