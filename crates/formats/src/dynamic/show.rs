//! Values as traces show them: the way JSON would write them.
//!
//! A recorder keeps only the start of long values, and stops the writing there; so nothing here walks over more than
//! it has to.

use std::fmt::{self, Display, Formatter, Write};

use wirewise_core::{Float, Kind, Logical, Schema, TypeId, text};

/// Text in quotes, with the escapes of JSON.
pub(crate) struct Text<'a>(pub(crate) &'a [u8]);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for chunk in self.0.utf8_chunks() {
            for character in chunk.valid().chars() {
                match character {
                    '"' | '\\' => write!(f, "\\{character}")?,
                    '\n' => f.write_str("\\n")?,
                    '\r' => f.write_str("\\r")?,
                    '\t' => f.write_str("\\t")?,
                    // The controls above ASCII would do as much to a terminal as those of ASCII.
                    character if character.is_control() => write!(f, "\\u{:04x}", character as u32)?,
                    character => f.write_char(character)?,
                }
            }
            if !chunk.invalid().is_empty() {
                f.write_char(char::REPLACEMENT_CHARACTER)?;
            }
        }
        f.write_char('"')
    }
}

/// Bytes as base64 in quotes; 16 that are a UUID as that.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8], pub(crate) Option<Logical>);

/// More than a recorder keeps of a value.
const MOST_BYTES: usize = 300;

impl Display for Bytes<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut out = Vec::new();
        match (self.1, <&[u8; 16]>::try_from(self.0)) {
            (Some(Logical::Uuid), Ok(uuid)) => text::uuid::write(uuid, &mut out),
            _ => text::base64::encode(&self.0[..self.0.len().min(MOST_BYTES)], &mut out),
        }
        write!(f, "\"{}\"", String::from_utf8_lossy(&out))
    }
}

/// A number of a type that says what it means: an enum's as its symbol, an instant as its text.
pub(crate) struct Integer<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) ty: TypeId,
    pub(crate) value: i128,
}

impl Display for Integer<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Integer { schema, value, .. } = *self;
        let ty = value_type(schema, self.ty);
        let mut out = Vec::new();
        let known = match (schema.kind(ty), i64::try_from(value)) {
            (Kind::Enum(e), Ok(number)) => match e.position(number) {
                Some(position) => return Display::fmt(&Text(e.symbols[position].name.as_bytes()), f),
                None => false,
            },
            (Kind::Int(_), Ok(ticks)) => match schema.logical(ty) {
                Some(Logical::Timestamp(unit)) => text::time::write_timestamp(ticks, unit, &mut out),
                Some(Logical::Date) => i32::try_from(ticks).is_ok_and(|days| text::time::write_date(days, &mut out)),
                _ => false,
            },
            _ => false,
        };
        if known { write!(f, "\"{}\"", String::from_utf8_lossy(&out)) } else { write!(f, "{value}") }
    }
}

/// A float of the given width, as short as it can be told from all others.
pub(crate) struct Real(pub(crate) f64, pub(crate) Float);

impl Display for Real {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut buffer = zmij::Buffer::new();
        let printed = match self.1 {
            Float::F32 => buffer.format(self.0 as f32),
            Float::F64 => buffer.format(self.0),
        };
        f.write_str(&printed.replace('+', ""))
    }
}

/// The type without the null that it may be instead.
pub(crate) fn value_type(schema: &Schema, ty: TypeId) -> TypeId {
    match schema.kind(ty) {
        Kind::Nullable(inner) => *inner,
        _ => ty,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_look_as_in_json() {
        assert_eq!(Text("a\"\\\n\u{1}é\u{9b}".as_bytes()).to_string(), r#""a\"\\\n\u0001é\u009b""#);
        assert_eq!(Text(b"\xff").to_string(), "\"\u{fffd}\"");
        assert_eq!(Bytes(b"abc", None).to_string(), "\"YWJj\"");
        assert_eq!(Bytes(&[0; 16], Some(Logical::Uuid)).to_string(), "\"00000000-0000-0000-0000-000000000000\"");
        assert_eq!(
            (Real(0.1f32.into(), Float::F32).to_string(), Real(1e300, Float::F64).to_string()),
            ("0.1".into(), "1e300".into())
        );
        let schema = Schema::parse(
            r#"{"wirewise": "schema/1", "root": {"nullable": "E"}, "types": [
                {"enum": "E", "symbols": [{"name": "A", "number": 3}]}]}"#,
        )
        .unwrap();
        let show = |value| Integer { schema: &schema, ty: schema.root(), value }.to_string();
        assert_eq!((show(3), show(4)), ("\"A\"".to_owned(), "4".to_owned()));
    }
}
