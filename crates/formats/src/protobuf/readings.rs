//! What values of Protobuf may mean when no schema says it: every reading that is plausible, the likeliest first, with
//! ` | ` between them.

use std::fmt::{self, Display, Formatter};

use wirewise_core::{Unit, text};

use super::raw::Survey;
use super::wire::Cursor;

/// A number of variable length.
pub(super) struct Varint(pub(super) u64);

impl Display for Varint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let bits = self.0;
        integer(f, bits, bits as i64)?;
        if bits > 0 {
            write!(f, " | sint {}", (bits >> 1) as i64 ^ -((bits & 1) as i64))?;
        }
        match bits {
            0 | 1 => write!(f, " | bool {}", bits == 1),
            _ => time(f, bits),
        }
    }
}

/// Four bytes.
pub(super) struct Fixed32(pub(super) u32);

impl Display for Fixed32 {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let float = f32::from_bits(self.0);
        let is_float = is_plausible(float.into()) && self.0 != 0;
        if is_float {
            write!(f, "float {float} | ")?;
        }
        integer(f, self.0.into(), (self.0 as i32).into())?;
        match self.0 {
            0 => f.write_str(" | float 0"),
            _ if is_float => Ok(()),
            bits => time(f, bits.into()),
        }
    }
}

/// Eight bytes.
pub(super) struct Fixed64(pub(super) u64);

impl Display for Fixed64 {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let double = f64::from_bits(self.0);
        let is_double = is_plausible(double) && self.0 != 0;
        if is_double {
            write!(f, "double {double} | ")?;
        }
        integer(f, self.0, self.0 as i64)?;
        match self.0 {
            0 => f.write_str(" | double 0"),
            _ if is_double => Ok(()),
            bits => time(f, bits),
        }
    }
}

/// Numbers above the half of those that there are were negative ones more likely than not.
fn integer(f: &mut Formatter<'_>, unsigned: u64, signed: i64) -> fmt::Result {
    if signed < 0 {
        write!(f, "int {signed} | ")?;
    }
    write!(f, "uint {unsigned}")
}

/// Whether anybody has numbers like this: those that are made of other bytes are mostly very large or very small.
fn is_plausible(float: f64) -> bool {
    match float.abs() {
        size if size == 0.0 || size.is_infinite() => true,
        size => (1e-9..1e12).contains(&size),
    }
}

/// The time that a number is when it counts from 1970 on, if that is one between 2000 and 2050.
fn time(f: &mut Formatter<'_>, ticks: u64) -> fmt::Result {
    const FROM: u64 = 946_684_800;
    const TO: u64 = 2_524_608_000;
    let units = [
        (1, Unit::Seconds, "seconds"),
        (1_000, Unit::Millis, "milliseconds"),
        (1_000_000, Unit::Micros, "microseconds"),
        (1_000_000_000, Unit::Nanos, "nanoseconds"),
    ];
    for (factor, unit, name) in units {
        if (FROM * factor..TO * factor).contains(&ticks) {
            let mut time = Vec::new();
            text::time::write_timestamp(ticks as i64, unit, &mut time);
            write!(f, " | time {} in {name}", String::from_utf8_lossy(&time))?;
        }
    }
    Ok(())
}

/// What lies behind a length.
pub(super) struct Content<'a> {
    pub(super) bytes: &'a [u8],
    /// What it is if it is a message.
    pub(super) message: Option<&'a Survey>,
}

/// What speaks for a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Text {
    /// Every character can be seen: a message is hardly ever like this.
    Visible,
    /// There are ends of lines and tabs, with which messages begin: they are the tags of field 1.
    Lines,
    None,
}

impl Content<'_> {
    /// Whether it is a message more likely than something else.
    pub(super) fn is_message(&self) -> bool {
        self.message.is_some() && self.text() != Text::Visible
    }

    /// What it is, if it is no message.
    pub(super) fn name(&self) -> &'static str {
        if self.text() == Text::None { "bytes" } else { "string" }
    }

    fn text(&self) -> Text {
        let Ok(text) = std::str::from_utf8(self.bytes) else { return Text::None };
        let mut kind = Text::Visible;
        for character in text.chars().filter(|character| character.is_control()) {
            match character {
                '\n' | '\r' | '\t' => kind = Text::Lines,
                _ => return Text::None,
            }
        }
        kind
    }
}

/// The readings of what is no message, or is shown as if it were none.
impl Display for Content<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.text() == Text::None {
            let bytes = self.bytes;
            f.write_str("0x")?;
            bytes.iter().take(SHOWN_BYTES).try_for_each(|byte| write!(f, "{byte:02x}"))?;
            f.write_str(if bytes.len() > SHOWN_BYTES { "..." } else { "" })?;
            return packed(f, bytes);
        }
        quoted(f, self.bytes)?;
        match self.message {
            Some(message) if message.fields == 1 => f.write_str(" | message of 1 field"),
            Some(message) => write!(f, " | message of {} fields", message.fields),
            None => Ok(()),
        }
    }
}

/// What a message may be instead.
pub(super) struct Instead<'a>(pub(super) &'a Content<'a>);

impl Display for Instead<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.text() != Text::None {
            f.write_str(" | string ")?;
            quoted(f, self.0.bytes)?;
        }
        // Few numbers may be a message by chance; many, or with texts between them, are hardly ever.
        match self.0.message {
            Some(message) if !message.is_mixed && message.fields < 5 => packed(f, self.0.bytes),
            _ => Ok(()),
        }
    }
}

/// Bytes of what is not text that are shown.
const SHOWN_BYTES: usize = 24;

/// Numbers of a packed list that are shown.
const SHOWN_NUMBERS: usize = 8;

/// Bytes as the packed lists that they may be.
fn packed(f: &mut Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    let (fours, rest_of_fours) = bytes.as_chunks::<4>();
    let (eights, rest_of_eights) = bytes.as_chunks::<8>();
    if rest_of_fours.is_empty() {
        list(f, "floats", fours, |&bytes| f32::from_le_bytes(bytes), |float| is_plausible(float.into()))?;
    }
    if rest_of_eights.is_empty() {
        list(f, "doubles", eights, |&bytes| f64::from_le_bytes(bytes), is_plausible)?;
    }
    let mut cursor = Cursor { input: bytes, pos: 0, end: bytes.len(), bounded: true, group: 0 };
    let mut first = Vec::new();
    let mut count = 0;
    while cursor.pos < cursor.end {
        let start = cursor.pos;
        let Ok(value) = cursor.varint() else { return Ok(()) };
        // Nobody writes zeros behind the number.
        if cursor.pos - start > 1 && bytes[cursor.pos - 1] == 0 {
            return Ok(());
        }
        count += 1;
        if first.len() < SHOWN_NUMBERS {
            first.push(value);
        }
    }
    numbers(f, "varints", &first, count)
}

fn list<B, V: Copy + Display>(
    f: &mut Formatter<'_>,
    name: &str,
    chunks: &[B],
    value: impl Fn(&B) -> V,
    is_plausible: impl Fn(V) -> bool,
) -> fmt::Result {
    if !chunks.iter().all(|chunk| is_plausible(value(chunk))) {
        return Ok(());
    }
    let first: Vec<V> = chunks.iter().take(SHOWN_NUMBERS).map(value).collect();
    numbers(f, name, &first, chunks.len())
}

fn numbers<V: Display>(f: &mut Formatter<'_>, name: &str, first: &[V], count: usize) -> fmt::Result {
    for (i, value) in first.iter().enumerate() {
        match i {
            0 => write!(f, " | {name} {value}")?,
            _ => write!(f, ", {value}")?,
        }
    }
    if count > first.len() { write!(f, ", ... ({count})") } else { Ok(()) }
}

/// Longest part of a text that is shown, in bytes, so that the other readings have room.
const SHOWN_TEXT: usize = 150;

fn quoted(f: &mut Formatter<'_>, text: &[u8]) -> fmt::Result {
    let shown = String::from_utf8_lossy(&text[..text.len().min(SHOWN_TEXT)]);
    // Characters that were cut in two are none of the text's.
    let short = if text.len() > SHOWN_TEXT { shown.trim_end_matches('\u{FFFD}') } else { &shown };
    let more = if text.len() > SHOWN_TEXT { "..." } else { "" };
    write!(f, "{}{more}", serde_json::Value::from(short))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_all_readings_that_are_plausible() {
        let cases: &[(&dyn Display, &str)] = &[
            (&Varint(0), "uint 0 | bool false"),
            (&Varint(1), "uint 1 | sint -1 | bool true"),
            (&Varint(150), "uint 150 | sint 75"),
            (&Varint(u64::MAX), "int -1 | uint 18446744073709551615 | sint -9223372036854775808"),
            (&Varint(1_700_000_000), "uint 1700000000 | sint 850000000 | time 2023-11-14T22:13:20Z in seconds"),
            (&Fixed32(0), "uint 0 | float 0"),
            (&Fixed32(7), "uint 7"),
            (&Fixed32(1.5f32.to_bits()), "float 1.5 | uint 1069547520"),
            (&Fixed32(-2i32 as u32), "int -2 | uint 4294967294"),
            (&Fixed32(1_700_000_000), "uint 1700000000 | time 2023-11-14T22:13:20Z in seconds"),
            (&Fixed64((-0.25f64).to_bits()), "double -0.25 | int -4625196817309499392 | uint 13821547256400052224"),
            (&Fixed64(1_700_000_000_000), "uint 1700000000000 | time 2023-11-14T22:13:20.000Z in milliseconds"),
        ];
        for (reading, expected) in cases {
            assert_eq!(reading.to_string(), *expected);
        }
    }

    #[test]
    fn what_has_a_length_has_all_readings_that_are_plausible() {
        let floats: Vec<u8> = [1.0f32, 2.5].into_iter().flat_map(f32::to_le_bytes).collect();
        let cases: [(&[u8], bool, &str); 8] = [
            (b"Ada", false, "\"Ada\""),
            // A field 6 with the number 65.
            (b"0A", false, "\"0A\" | message of 1 field"),
            (b"\x08\x01", true, "0x0801 | varints 8, 1"),
            (b"\n\x03Ada", true, "0x0a03416461 | varints 10, 3, 65, 100, 97"),
            (b"two\nlines", false, "\"two\\nlines\""),
            (b"\x01\x8e\x02\x9e\xa7\x05", false, "0x018e029ea705 | varints 1, 270, 86942"),
            (
                &floats,
                false,
                "0x0000803f00002040 | floats 1, 2.5 | doubles 8.000001892447472 | varints 0, 0, 8064, 0, 0, 32, 64",
            ),
            (b"\xff\xfe", false, "0xfffe"),
        ];
        for (bytes, is_message, expected) in cases {
            let survey = Survey::of(bytes, 10);
            let content = Content { bytes, message: survey.as_ref() };
            assert_eq!((content.is_message(), content.to_string().as_str()), (is_message, expected));
        }
    }
}
