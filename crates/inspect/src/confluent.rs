//! The header that Confluent's serializers put before a Kafka message: a zero, the id of its schema in the registry, and
//! for Protobuf the path of indices that leads to its message type.

use wirewise_core::{Error, Result, Role, Span};

use crate::item::span;

/// Longest list of indices: types do not nest deeper.
const MOST_INDEXES: i64 = 64;

/// Reads the header, and says how many bytes it takes and what they are. What was read before an error is in `spans`.
pub(crate) fn header(input: &[u8], protobuf: bool, spans: &mut Vec<Span>) -> Result<usize> {
    match input.first() {
        None => return Err(Error::end(0, "the Confluent header")),
        Some(0) => spans.push(span(0..1, Role::Header, "magic byte", "0")),
        Some(byte) => {
            return Err(Error::syntax(0, format!("a Confluent header begins with the byte 0, not with 0x{byte:02x}")));
        }
    }
    let Some(id) = input.get(1..5).and_then(|id| id.first_chunk()) else {
        return Err(Error::end(input.len(), "4 bytes of a schema id"));
    };
    spans.push(span(1..5, Role::Header, "schema id", u32::from_be_bytes(*id).to_string()));
    if !protobuf {
        return Ok(5);
    }
    let (count, mut pos) = zigzag(input, 5)?;
    if !(0..=MOST_INDEXES).contains(&count) {
        return Err(Error::syntax(5, format!("a list of {count} message indexes")));
    }
    // The usual case, the first message of the file, is written as an empty list.
    let value = if count == 0 { "0: the first message type" } else { "" };
    let value = if count == 0 { value.to_owned() } else { count.to_string() };
    spans.push(span(5..pos, Role::Header, "count of message indexes", value));
    for _ in 0..count {
        let (index, end) = zigzag(input, pos)?;
        spans.push(span(pos..end, Role::Header, "message index", index.to_string()));
        pos = end;
    }
    Ok(pos)
}

/// A zigzag varint at `pos`, and where it ends.
pub(crate) fn zigzag(input: &[u8], pos: usize) -> Result<(i64, usize)> {
    let (bits, end) = varint(input, pos)?;
    Ok(((bits >> 1) as i64 ^ -((bits & 1) as i64), end))
}

/// A varint at `pos`, and where it ends.
pub(crate) fn varint(input: &[u8], pos: usize) -> Result<(u64, usize)> {
    let mut bits = 0;
    for (i, &byte) in input.get(pos..).unwrap_or_default().iter().enumerate() {
        if i == 9 && byte > 1 {
            return Err(Error::syntax(pos, "a number of more than 64 bits"));
        }
        bits |= u64::from(byte & 0x7f) << (7 * i);
        if byte < 0x80 {
            return Ok((bits, pos + i + 1));
        }
    }
    Err(Error::end(input.len(), "the rest of a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_all_kinds() {
        let read = |input: &[u8], protobuf| {
            let mut spans = Vec::new();
            let len = header(input, protobuf, &mut spans);
            (len.ok(), spans.into_iter().map(|span| span.value).collect::<Vec<_>>())
        };
        assert_eq!(read(b"\0\0\0\x01\x02{", false), (Some(5), vec!["0".into(), "258".into()]));
        let first = vec!["0".to_owned(), "7".into(), "0: the first message type".into()];
        assert_eq!(read(b"\0\0\0\0\x07\0\x08\x01", true), (Some(6), first));
        let nested = ["0", "7", "2", "1", "0"].map(str::to_owned).to_vec();
        assert_eq!(read(b"\0\0\0\0\x07\x04\x02\x00\x08", true), (Some(8), nested));
        assert_eq!(read(b"\0\0\0", false), (None, vec!["0".into()]));
        assert_eq!(read(b"\x01\0\0\0\0", false), (None, vec![]));
        assert_eq!(read(b"\0\0\0\0\x07\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", true).0, None);
    }
}
