//! Whether bytes may be Protobuf: they say so little of themselves that nothing is certain.

use super::wire::{Cursor, WireType};
use crate::{Framing, Guess, Info};

/// What a walk over the fields of a message found.
struct Walk {
    fields: usize,
    highest: u32,
    /// Strings of bytes that are not empty, and how many of them are text.
    strings: usize,
    texts: usize,
    /// Whether the last field goes on behind the end of the input.
    cut: bool,
}

/// Bytes looked at: more of them would not make it surer.
const MOST: usize = 1 << 16;

pub(super) fn guess(info: &'static Info, input: &[u8]) -> Vec<Guess> {
    let shortened = input.len() > MOST;
    let input = &input[..input.len().min(MOST)];
    let mut guesses = Vec::new();
    if let Some((count, certainty)) = delimited(input, shortened) {
        let why = format!("{count} messages of valid fields, each after its length");
        guesses.push(Guess { variant: &info.variants[1], framing: Framing::Concatenated, certainty, why });
    }
    if let Some(walk) = walk(input)
        && walk.fields > 0
    {
        let mut certainty = certainty(&walk);
        if walk.cut {
            certainty = if shortened && walk.fields > 8 { certainty.min(50) } else { certainty.min(15) };
        }
        let why = format!("{} valid fields with numbers up to {}", walk.fields, walk.highest);
        guesses.push(Guess { variant: &info.variants[0], framing: Framing::None, certainty, why });
    }
    guesses.sort_by_key(|guess| std::cmp::Reverse(guess.certainty));
    guesses
}

/// Messages after their lengths that end where the input does: how many, and how sure that is.
fn delimited(input: &[u8], shortened: bool) -> Option<(usize, u8)> {
    let mut cursor = cursor(input);
    let (mut count, mut sum, mut fields) = (0usize, 0usize, 0);
    while cursor.pos < input.len() {
        let Ok(end) = cursor.length() else { if shortened && count > 0 { break } else { return None } };
        let walk = walk(&input[cursor.pos..end]).filter(|walk| !walk.cut)?;
        fields += walk.fields;
        sum += usize::from(certainty(&walk));
        count += 1;
        cursor.pos = end;
    }
    // Zeros are any number of empty messages.
    let average = if fields == 0 { return None } else { sum / count };
    Some((count, (average + if count > 1 { 10 } else { 0 }).min(80) as u8))
}

fn certainty(walk: &Walk) -> u8 {
    let mut certainty: u8 = match walk.fields {
        0..=1 => 30,
        2..=3 => 45,
        _ => 55,
    };
    match walk.highest {
        0..=100 => certainty += 5,
        101..=1000 => {}
        _ => certainty /= 3,
    }
    if walk.texts > 0 && walk.texts * 2 >= walk.strings {
        certainty += 10;
    }
    certainty
}

fn cursor(input: &[u8]) -> Cursor<'_> {
    Cursor { input, pos: 0, end: input.len(), bounded: false, group: 0 }
}

/// The fields of a message. `None`: it is none.
fn walk(input: &[u8]) -> Option<Walk> {
    let mut cursor = cursor(input);
    let mut walk = Walk { fields: 0, highest: 0, strings: 0, texts: 0, cut: false };
    while cursor.pos < input.len() {
        let at = cursor.pos;
        let read = cursor.tag().and_then(|(number, wire_type)| {
            let start = cursor.pos;
            cursor.skip(number, wire_type, 100)?;
            Ok((number, wire_type, start))
        });
        match read {
            Ok((number, wire_type, start)) => {
                walk.fields += 1;
                walk.highest = walk.highest.max(number);
                if wire_type == WireType::Len && cursor.pos - start > 2 {
                    let mut value = Cursor { pos: start, ..self::cursor(input) };
                    let bytes = value.bytes().unwrap_or_default();
                    walk.strings += 1;
                    let text = std::str::from_utf8(bytes).is_ok_and(|text| !text.chars().any(char::is_control));
                    walk.texts += usize::from(text);
                }
            }
            Err(error) if error.kind() == wirewise_core::ErrorKind::End && at > 0 => {
                walk.cut = true;
                break;
            }
            Err(_) => return None,
        }
    }
    Some(walk)
}
