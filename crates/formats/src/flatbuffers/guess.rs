//! Whether bytes look like FlatBuffers: nothing marks them but offsets that fit together.

use crate::contract::{Format, Framing, Guess};

use super::FlatBuffers;

/// What speaks for bytes being a buffer, or several behind their sizes.
pub(super) fn guess(input: &[u8]) -> Vec<Guess> {
    let [plain, prefixed] = [0, 1].map(|i| &FlatBuffers.info().variants[i]);
    let mut guesses = Vec::new();
    if let Some(buffers) = prefixed_buffers(input) {
        let why = match buffers {
            1 => "a size, and a buffer of that size whose root table and vtable fit together".to_owned(),
            n => format!("{n} buffers behind their sizes, each with a root table that fits its vtable"),
        };
        guesses.push(Guess { variant: prefixed, framing: Framing::Concatenated, certainty: 80, why });
    }
    if let Some(root) = root(input) {
        let (certainty, why) = match root.identifier {
            Some(text) => (70, format!("the root table fits its vtable, and the file identifier is {text:?}")),
            None => (40, "the root table fits its vtable".to_owned()),
        };
        guesses.push(Guess { variant: plain, framing: Framing::U32Le, certainty, why });
    }
    guesses
}

/// How many buffers behind their sizes the whole input is.
fn prefixed_buffers(input: &[u8]) -> Option<usize> {
    const MOST_CHECKED: usize = 1000;
    let (mut at, mut count) = (0, 0);
    while at < input.len() {
        let size = u32_at(input, at)? as usize;
        let end = at.checked_add(4)?.checked_add(size)?;
        let buffer = input.get(at + 4..end)?;
        if count < MOST_CHECKED {
            root(buffer)?;
        }
        (at, count) = (end, count + 1);
    }
    (count > 0).then_some(count)
}

struct Root {
    identifier: Option<String>,
}

/// The root of a buffer, when all that can be checked without a schema holds.
fn root(input: &[u8]) -> Option<Root> {
    let table = u32_at(input, 0)? as usize;
    // Tables are aligned for the offset at their start.
    if table < 4 || !table.is_multiple_of(4) {
        return None;
    }
    let distance = u32_at(input, table)? as i32;
    let vtable = usize::try_from(i64::try_from(table).ok()? - i64::from(distance)).ok()?;
    let (len, size) = (usize::from(u16_at(input, vtable)?), usize::from(u16_at(input, vtable + 2)?));
    if vtable < 4 || vtable % 2 != 0 || len < 4 || len % 2 != 0 || size < 4 {
        return None;
    }
    input.get(vtable..vtable + len)?;
    input.get(table..table + size)?;
    let fits = (4..len).step_by(2).all(|entry| {
        u16_at(input, vtable + entry).is_some_and(|offset| offset == 0 || (4..size).contains(&usize::from(offset)))
    });
    let head = table.min(vtable);
    let text = input.get(4..8).filter(|text| head >= 8 && text.iter().all(|&byte| byte.is_ascii_alphanumeric()));
    let identifier = text.map(|text| String::from_utf8_lossy(text).into_owned());
    fits.then_some(Root { identifier })
}

fn u16_at(input: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(input.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(input: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(input.get(at..at.checked_add(4)?)?.try_into().ok()?))
}
