//! Enums and unions.

use std::collections::HashMap;

use wirewise_core::Int;
use wirewise_formats::flatbuffers::notes;

use super::{Parser, Reading};
use crate::languages::fbs::constants;
use crate::languages::fbs::ir::{Enum, EnumValue, Type};
use crate::languages::fbs::lexer::{Token, shortened};
use crate::{Error, Place, Result};

impl Parser<'_, '_> {
    pub(super) fn enumeration(&mut self, is_union: bool) -> Result<()> {
        let doc = std::mem::take(&mut self.doc);
        self.next()?;
        let place = self.place.clone();
        let name = self.identifier("a name")?.to_owned();
        let mut underlying = Int::U8;
        if !is_union {
            if !self.is(':') {
                return Err(self.wrong("`:` and the underlying type of the enum"));
            }
            self.next()?;
            let found = if let Token::Identifier(name) = self.token { notes::integer(name) } else { None };
            underlying = found.ok_or_else(|| self.wrong("an integer type such as `ubyte` or `int`"))?;
            self.next()?;
        }
        let attributes = self.attributes()?;
        let new = Enum { name, doc, is_union, underlying, attributes, values: Vec::new(), place };
        // Declared first: a union's types may be named like it in another namespace, but not the other way round.
        let (bits, namespace) = (new.is_bit_flags(), self.namespace.clone());
        let Reading { names, schema, .. } = &mut *self.reading;
        let index = names.declare_enum(schema, &namespace, new)?;
        self.expect('{')?;
        let mut values = Values {
            underlying: if bits { Int::U8 } else { underlying },
            last: is_union.then_some(0),
            ..Values::default()
        };
        let mut all = Vec::new();
        while !self.is('}') {
            let (doc, place) = (std::mem::take(&mut self.doc), self.place.clone());
            let (name, ty) = if is_union {
                self.union_type()?
            } else {
                (self.identifier("the name of a value or `}`")?.to_owned(), None)
            };
            let mut given = None;
            if self.take('=')? {
                let Token::Number(text) = self.token else { return Err(self.wrong("a number")) };
                given = Some(constants::integer(text).ok_or_else(|| self.wrong("an integer"))?);
                self.next()?;
            }
            let number = values.add(&name, given, &place)?;
            all.push(EnumValue { name, doc, number: number as i64, ty, place });
            if !self.take(',')? && !self.is('}') {
                return Err(self.wrong("`,` or `}`"));
            }
        }
        if all.is_empty() {
            return Err(self.wrong("at least one value"));
        }
        self.next()?;
        if bits {
            shift(&mut all, underlying)?;
        }
        self.reading.schema.enums[index].values = all;
        Ok(())
    }

    /// A type of a union, and the name that it has there.
    fn union_type(&mut self) -> Result<(String, Option<Type>)> {
        let place = self.place.clone();
        let written = self.dotted("a type of the union or `}`")?;
        let name = written.replace('.', "_");
        if self.take(':')? {
            let place = self.place.clone();
            return match self.simple()? {
                ty @ (Type::Object(_) | Type::String) => Ok((name, Some(ty))),
                _ => Err(Error::at(place, "a union holds tables, structs and strings")),
            };
        }
        let Reading { names, schema, .. } = &mut *self.reading;
        let index = names.object(schema, &self.namespace, &written, &place);
        Ok((name, Some(Type::Object(index))))
    }
}

/// The names and numbers of an enum so far.
struct Values {
    underlying: Int,
    last: Option<i128>,
    names: HashMap<String, Place>,
    numbers: HashMap<i128, Place>,
}

impl Default for Values {
    fn default() -> Self {
        Values { underlying: Int::U8, last: None, names: HashMap::new(), numbers: HashMap::new() }
    }
}

impl Values {
    /// The number of the next value.
    fn add(&mut self, name: &str, given: Option<i128>, place: &Place) -> Result<i128> {
        let number = given.unwrap_or(self.last.map_or(0, |last| last + 1));
        if !self.underlying.holds(number) {
            let (min, max) = self.underlying.range();
            let what = format!("the number of `{}` is {number}, expected one from {min} to {max}", shortened(name));
            return Err(Error::at(place.clone(), what));
        }
        let taken = self.names.insert(name.to_owned(), place.clone()).map(|first| ("name", first));
        let taken = taken.or_else(|| self.numbers.insert(number, place.clone()).map(|first| ("number", first)));
        if let Some((what, first)) = taken {
            let text = if what == "name" { format!("`{}`", shortened(name)) } else { number.to_string() };
            let error = Error::at(place.clone(), format!("the {what} {text} is taken, expected a new one"));
            return Err(error.related(first, "first declared"));
        }
        self.last = Some(number);
        Ok(number)
    }
}

/// Makes bits of the positions of bits.
fn shift(values: &mut [EnumValue], underlying: Int) -> Result<()> {
    // The highest bit of a signed type is its sign.
    let most = i64::from(underlying.bits()) - i64::from(underlying.signed());
    for value in values {
        if !(0..most).contains(&value.number) {
            let what = format!("found bit {}, expected one from 0 to {}", value.number, most - 1);
            return Err(Error::at(value.place.clone(), what));
        }
        value.number = 1i64 << value.number;
    }
    Ok(())
}
