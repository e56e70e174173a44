//! Whether bytes are JSON.

use wirewise_core::{Arena, ErrorKind, Limits};

use super::scan::untraced;
use crate::{Framing, Guess, Variant};

/// How much is looked at: more says little more.
const MOST_BYTES: usize = 64 << 10;

/// What these bytes may be, of the variants for objects, for arrays of fields, and for what is indented.
pub(super) fn guess(input: &[u8], variants: &'static [Variant]) -> Vec<Guess> {
    let [plain, compact, pretty, ..] = variants else { return Vec::new() };
    let text = &input[..input.len().min(MOST_BYTES)];
    let mut scan = untraced(text, text);
    let first = scan.peek();
    let begin = scan.pos;
    let mut arena = Arena::new(Limits { memory_bytes: 16 << 20, ..Limits::default() });
    if arena.begin(text).is_err() {
        return Vec::new();
    }
    let (mut values, mut end, mut first_end) = (0, begin, text.len());
    let error = loop {
        if scan.peek().is_none() {
            break None;
        }
        match super::any::read(&mut scan, &mut arena, 0) {
            Ok(_) => {
                (values, end) = (values + 1, scan.pos);
                if values == 1 {
                    first_end = end;
                }
            }
            Err(error) => break Some(error),
        }
    };
    let read = error.as_ref().map_or(text.len(), |error| error.offset().unwrap_or(scan.pos).max(end));
    let cut = error.as_ref().is_some_and(|error| error.kind() == ErrorKind::End);
    let certainty = certainty(first, values, error.is_some(), cut, text.get(begin..read).unwrap_or_default());
    let why = match (&error, values) {
        (_, 0) if cut => format!("the first {read} bytes are the start of a JSON value"),
        (None, _) => format!("all {read} bytes are {}", counted(values)),
        (_, 0) => format!("it begins as a JSON value, up to byte {read}"),
        _ if cut => format!("the first {read} bytes are {} and the start of another", counted(values)),
        _ => format!("it begins with {}, and goes on up to byte {read}", counted(values)),
    };
    if certainty == 0 {
        return Vec::new();
    }
    let after = text[begin..].get(1..).unwrap_or_default().iter().find(|byte| !byte.is_ascii_whitespace());
    let objects = first == Some(b'[') && after == Some(&b'{');
    let first_end = if values > 0 { first_end } else { read };
    let indented = text[begin..first_end].contains(&b'\n');
    let framing = match values {
        _ if objects && values <= 1 => Framing::JsonArray,
        // A line that is broken ends at its end.
        _ if !indented && values == 0 && !cut && text[first_end..].contains(&b'\n') => Framing::Lines,
        1.. if !indented
            && text[first_end..].iter().find(|byte| !matches!(byte, b' ' | b'\r' | b'\t')) == Some(&b'\n') =>
        {
            Framing::Lines
        }
        _ => Framing::Concatenated,
    };
    let guess = |variant, certainty| Guess { variant, framing, certainty, why: why.clone() };
    let mut guesses = vec![guess(if indented { pretty } else { plain }, certainty)];
    if first == Some(b'[') && !objects && !indented {
        guesses.push(guess(compact, certainty.saturating_sub(10).max(1)));
    }
    guesses
}

fn certainty(first: Option<u8>, values: usize, failed: bool, cut: bool, read: &[u8]) -> u8 {
    let names = read.windows(2).filter(|pair| pair == b"\":").take(10).count() as u8;
    match first {
        _ if values == 0 && failed && !cut && names == 0 && read.len() < 4 => 0,
        Some(b'{') if !failed => 98,
        Some(b'[') if !failed => 95,
        Some(b'{' | b'[') if cut => 70 + 2 * names,
        Some(b'{' | b'[') if names > 0 => 60 + 3 * names,
        Some(b'{' | b'[') if values > 0 || read.len() > 8 => 55,
        Some(b'{' | b'[') => 20,
        Some(b'"') if !failed => 80,
        Some(b'"') if cut && std::str::from_utf8(read).is_ok() && read.len() > 8 => 50,
        Some(b't' | b'f' | b'n') if !failed => 70,
        Some(b'-' | b'0'..=b'9') if !failed => 55,
        _ => 0,
    }
}

fn counted(values: usize) -> String {
    if values == 1 { "one JSON value".to_owned() } else { format!("{values} JSON values") }
}
