//! Whether bytes look like Thrift.

use wirewise_core::{ErrorKind, Limits};

use super::protocol::{Input, Protocol, WireType};
use super::raw::envelope;
use super::skip::skip;

/// How much of the input is looked at.
const WINDOW: usize = 1 << 20;

/// What was seen of structs that follow each other.
#[derive(Default)]
struct Seen {
    structs: usize,
    empty: usize,
    /// Fields with ids as people give them: small, and rising.
    fields: usize,
    odd: usize,
    /// Strings that are text.
    texts: usize,
    /// Whether the input ended inside a struct.
    cut: bool,
}

/// How sure it is that these bytes are of this protocol, and why; `None` when they are not.
pub(super) fn guess<P: Protocol>(bytes: &[u8]) -> Option<(u8, String)> {
    if envelope::<P>(bytes).is_some() {
        return Some((if P::VARIABLE { 60 } else { 85 }, "begins with the head of a remote call".to_owned()));
    }
    let seen = look::<P>(&bytes[..bytes.len().min(WINDOW)], bytes.len() > WINDOW)?;
    if seen.odd * 4 > seen.fields || seen.empty * 2 > seen.structs || seen.fields == 0 {
        return (seen.fields > 0 && !seen.cut).then(|| (10, "could be structs with unusual fields".to_owned()));
    }
    let (structs, fields) = (seen.structs, seen.fields.min(8) as u8);
    // Compact headers are one byte, which means something in most cases; those of the binary protocol are three, two of
    // which are nearly always small.
    let certainty = match (P::VARIABLE, seen.cut) {
        (false, false) => 60 + 4 * fields,
        (false, true) if structs > 0 => 60,
        (false, true) if fields > 2 => 40,
        (true, false) if bytes.len() < 6 => 30,
        (true, false) => 36 + 4 * fields + 10 * u8::from(seen.texts > 0) + 8 * u8::from(bytes.len() > 50),
        (true, true) if structs > 1 && fields > 4 => 30,
        (true, true) if fields > 3 && seen.texts > 0 => 20,
        _ => return None,
    };
    let why = match seen.cut {
        true => format!("{} fields of structs, then the input ends", seen.fields),
        false => format!("structs with {} fields, to the last byte", seen.fields),
    };
    Some((certainty, why))
}

/// `None` when the bytes are no structs. `more`: the input goes on after them.
fn look<P: Protocol>(bytes: &[u8], more: bool) -> Option<Seen> {
    let deepest = Limits::default().depth;
    let mut input = Input { bytes, pos: 0 };
    let mut seen = Seen::default();
    while input.remaining() > 0 {
        let before = seen.fields + seen.odd;
        match structure::<P>(&mut input, &mut seen, deepest) {
            Ok(()) => seen.structs += 1,
            Err(error) if error.kind() == ErrorKind::End => {
                seen.cut = true;
                return Some(seen);
            }
            Err(_) => return None,
        }
        seen.empty += usize::from(before == seen.fields + seen.odd);
    }
    seen.cut = more;
    Some(seen)
}

fn structure<P: Protocol>(input: &mut Input<'_>, seen: &mut Seen, deepest: usize) -> wirewise_core::Result<()> {
    let mut last = 0;
    while let Some(header) = P::read_field(input, last)? {
        if header.id > last && header.id <= 4096 {
            seen.fields += 1
        } else {
            seen.odd += 1
        }
        last = header.id;
        let start = input.pos;
        skip::<P>(input, header.value, deepest, 1)?;
        if header.value.wire == WireType::Binary {
            let mut again = Input { bytes: input.bytes, pos: start };
            let len = P::read_len(&mut again)?;
            let text = std::str::from_utf8(again.take(len, "a string")?);
            seen.texts += usize::from(text.is_ok_and(|text| text.len() > 2 && !text.chars().any(char::is_control)));
        }
    }
    Ok(())
}
