//! JSON of no particular type, and the JSON text that stands for it in formats that are not self-describing.

use wirewise_core::{AnyTag, AnyValue, Arena, Cell, Document, Error, ErrorKind, Out, Result, Role, Tracer};

use super::encode::{close, colon, separate, write_string};
use super::number;
use super::scan::{self, Literal, Scanner};
use crate::dynamic::{duplicate, too_deep};

/// Reads any value.
pub(super) fn read<T: Tracer>(scan: &mut Scanner<'_, T>, arena: &mut Arena, depth: usize) -> Result<Cell> {
    if depth > arena.limits().depth {
        return Err(too_deep(scan.pos, arena));
    }
    let first = scan.peek_value()?;
    let start = scan.pos;
    let cell = match first {
        b'"' => {
            let text = scan.string(arena)?;
            arena.any(AnyTag::String, text)
        }
        b'{' => {
            scan.pos += 1;
            let mark = arena.mark();
            let mut more = !scan.closes(b'}');
            while more {
                scan.peek();
                let name_at = scan.pos;
                let name = scan.string(arena)?;
                let key = arena.any(AnyTag::String, name)?;
                arena.push(key)?;
                scan.expect(b':', "':'")?;
                scan.enter_named(name_at, arena.bytes(scan.whole, name));
                let value = read(scan, arena, depth + 1).map_err(|e| e.in_key(arena.bytes(scan.whole, name)))?;
                scan.leave();
                arena.push(value)?;
                more = scan.more(b'}')?;
            }
            let key = |pair: &[Cell]| arena.bytes(scan.whole, arena.get(pair[0].as_index() + 1));
            let mut pairs = arena.pushed(mark).chunks_exact(2);
            if let Some(name) = duplicate(pairs.clone().map(key)) {
                let second = pairs.rfind(|pair| key(pair) == name).map(|pair| arena.get(pair[0].as_index() + 1));
                return Err(named_twice(scan, name, second, start));
            }
            let map = arena.map(mark)?;
            return arena.any(AnyTag::Map, map);
        }
        b'[' => {
            scan.pos += 1;
            let mark = arena.mark();
            let mut more = !scan.closes(b']');
            let mut index = 0;
            while more {
                scan.enter_index(index);
                let value = read(scan, arena, depth + 1).map_err(|error| error.in_index(index))?;
                scan.leave();
                arena.push(value)?;
                index += 1;
                more = scan.more(b']')?;
            }
            let list = arena.list(mark)?;
            return arena.any(AnyTag::List, list);
        }
        b't' => scan.word("true").and_then(|()| arena.any(AnyTag::Bool, Cell::bool(true))),
        b'f' => scan.word("false").and_then(|()| arena.any(AnyTag::Bool, Cell::bool(false))),
        b'n' => scan.word("null").and_then(|()| arena.any(AnyTag::Null, Cell::EMPTY)),
        b'-' | b'0'..=b'9' => {
            let literal = scan.number()?;
            number(literal, arena)
        }
        _ => Err(scan.unexpected("a value")),
    }?;
    scan.trace_token(start, Role::Payload);
    Ok(cell)
}

#[inline]
fn number(literal: Literal<'_>, arena: &mut Arena) -> Result<Cell> {
    if literal.integer && literal.text != "-0" {
        if let Ok(value) = literal.text.parse() {
            return arena.any(AnyTag::Int, Cell::int(value));
        }
        if let Ok(value) = literal.text.parse() {
            return arena.any(AnyTag::Uint, Cell::uint(value));
        }
    } else if !literal.integer {
        let value: f64 = literal.text.parse().map_err(|_| Error::syntax(literal.at, "not a number"))?;
        if number::is_exact(literal, value) {
            return arena.any(AnyTag::Float, Cell::f64(value));
        }
    }
    let text = arena.text(literal.text.as_bytes())?;
    arena.any(AnyTag::Number, text)
}

/// The error of a name that an object has twice: at the second one, unless that has escapes and so no place of its own.
#[cold]
pub(super) fn named_twice<T>(scan: &Scanner<'_, T>, name: &[u8], second: Option<Cell>, object: usize) -> Error {
    let whole = scan.input.len() == scan.whole.len();
    let place = second.map(|cell| cell.start()).filter(|&start| whole && (1..scan.input.len()).contains(&start));
    let name = String::from_utf8_lossy(name);
    Error::data(place.map_or(object, |start| start - 1), format!("the object has the name {name:?} twice"))
}

/// Checks and passes over any value.
pub(super) fn skip<T: Tracer>(scan: &mut Scanner<'_, T>, arena: &mut Arena, depth: usize) -> Result<()> {
    // What is skipped must be valid too; that it is built first only costs memory of this message.
    scan.unknown(|scan| read(scan, arena, depth)).map(drop)
}

/// Writes any value. `indent` is the current depth when pretty; `not_finite` says whether NaN and the infinities may be
/// written as null.
pub(super) fn write(
    document: &Document<'_>,
    cell: Cell,
    indent: Option<usize>,
    not_finite: &mut dyn FnMut() -> Result<()>,
    out: &mut Out<'_>,
) -> Result<()> {
    let cannot = |what: &str| {
        Err(Error::new(ErrorKind::Unsupported, format!("JSON has no {what}"))
            .hint("a schema can say how to write it, or keep the data in a binary format"))
    };
    let inner = indent.map(|depth| depth + 1);
    match document.any(cell) {
        AnyValue::Null => out.bytes(b"null"),
        AnyValue::Bool(value) => out.bytes(if value { b"true" } else { b"false" }),
        AnyValue::Int(value) => number::write_i64(value, out),
        AnyValue::Uint(value) => number::write_u64(value, out),
        AnyValue::Float(value) if value.is_finite() => number::write_f64(value, out),
        AnyValue::Float(_) => {
            not_finite()?;
            out.bytes(b"null");
        }
        AnyValue::Number(text) => out.bytes(text),
        AnyValue::String(text) => write_string(text, out),
        AnyValue::Bytes(_) => return cannot("bytes"),
        AnyValue::Tagged(tag, _) => return cannot(&format!("tags or extension types (this one is {})", tag as i64)),
        AnyValue::List(items) => {
            out.byte(b'[');
            for (i, &item) in items.iter().enumerate() {
                separate(i == 0, inner, out);
                write(document, item, inner, not_finite, out).map_err(|error| error.in_index(i))?;
            }
            close(b']', items.is_empty(), indent, out);
        }
        AnyValue::Map(pairs) => {
            out.byte(b'{');
            for (i, pair) in pairs.chunks_exact(2).enumerate() {
                let AnyValue::String(key) = document.any(pair[0]) else { return cannot("keys but strings") };
                separate(i == 0, inner, out);
                write_string(key, out);
                colon(inner, out);
                write(document, pair[1], inner, not_finite, out).map_err(|error| error.in_key(key))?;
            }
            close(b'}', pairs.is_empty(), indent, out);
        }
    }
    Ok(())
}

/// Appends the JSON text of an `Any`: what formats that are not self-describing carry in a string.
pub(crate) fn any_to_text(document: &Document<'_>, cell: Cell, out: &mut Vec<u8>) -> Result<()> {
    let mut refuse = || Err(Error::new(ErrorKind::Unsupported, "JSON text has no NaN and no infinities"));
    write(document, cell, None, &mut refuse, &mut Out::new(out))
}

/// The `Any` that a JSON text stands for. `whole` is the message that the arena was begun with; `at` is where the text
/// lies in it, for errors.
pub(crate) fn any_from_text(text: &[u8], whole: &[u8], at: usize, arena: &mut Arena, depth: usize) -> Result<Cell> {
    let mut scan = scan::untraced(text, whole);
    let cell = read(&mut scan, arena, depth).map_err(|error| error.shifted(at))?;
    match scan.peek() {
        None => Ok(cell),
        Some(_) => Err(Error::syntax(at + scan.pos, "bytes follow the end of a JSON value")),
    }
}
