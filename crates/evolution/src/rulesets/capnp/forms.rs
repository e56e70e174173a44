//! What lies at a place: whether a reader that expects one thing finds it where a writer put another.

use wirewise_core::{Float, Int, Kind, Schema, TypeId};

use crate::sample::Provoke;

/// Why a value of the writer's type is not what the reader's type makes of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Misfit {
    /// It is something else.
    Form,
    /// It is the same thing, but not for every value; with one that is not.
    Range(Provoke),
}

/// What a value is, for people.
pub(super) fn form(schema: &Schema, ty: TypeId) -> String {
    match schema.kind(ty) {
        Kind::Null => "Void, which takes no place".to_owned(),
        Kind::Bool => "one bit".to_owned(),
        Kind::Int(int) if int.signed() => format!("a signed integer of {} bits", int.bits()),
        Kind::Int(int) => format!("an unsigned integer of {} bits", int.bits()),
        Kind::Enum(_) => "an enumerant's number of 16 bits".to_owned(),
        Kind::Float(Float::F32) => "a float of 32 bits".to_owned(),
        Kind::Float(Float::F64) => "a float of 64 bits".to_owned(),
        Kind::String => "a pointer to a text".to_owned(),
        Kind::Any => "a pointer to a text with JSON".to_owned(),
        Kind::Bytes => "a pointer to data".to_owned(),
        Kind::Fixed(size) => format!("a pointer to {size} bytes of data"),
        Kind::List(_) => "a pointer to a list".to_owned(),
        Kind::Map(..) => "a pointer to a list of entries".to_owned(),
        Kind::Record(_) => "a struct".to_owned(),
        Kind::Union(_) => "a union".to_owned(),
        Kind::Nullable(_) => "a struct around a value".to_owned(),
    }
}

/// Whether enumerants have their own positions as numbers, as those of `.capnp` files do.
fn is_plain(e: &wirewise_core::Enum) -> Option<i64> {
    let odd = e
        .symbols
        .iter()
        .find(|symbol| e.position(symbol.number).is_some_and(|position| position as i64 != symbol.number));
    odd.map(|symbol| symbol.number)
}

/// Whether a value that is read as another type is the same. Structs, unions, lists and maps count as wholes.
pub(super) fn misfit(writer: &Schema, from: TypeId, reader: &Schema, to: TypeId) -> Option<Misfit> {
    use Misfit::{Form, Range};
    match (writer.kind(from), reader.kind(to)) {
        (Kind::Nullable(from), Kind::Nullable(to)) => misfit(writer, *from, reader, *to),
        // Nothing is read as zero, or empty.
        (Kind::Null, Kind::Nullable(_)) => Some(Form),
        (Kind::Null, _) => None,
        (Kind::Enum(_), Kind::Enum(_)) => None,
        (Kind::Enum(e), Kind::Int(int)) => match is_plain(e) {
            Some(number) => Some(Range(Provoke::Symbol(number))),
            None => integers(Int::U16, *int),
        },
        (Kind::Int(int), Kind::Enum(e)) => {
            let count = e.symbols.len() as i64;
            let beyond = e.symbols.iter().map(|symbol| symbol.number).find(|&number| number >= count);
            let odd = e.symbols.iter().position(|symbol| Some(symbol.number) == is_plain(e));
            match (odd, beyond) {
                (Some(odd), _) => Some(Range(Provoke::Int(odd as i128))),
                (None, Some(number)) => Some(Range(Provoke::Int(number.into()))),
                _ if e.closed => Some(Range(Provoke::Int(count.into()))),
                _ => integers(*int, Int::U16),
            }
        }
        (Kind::Bool, Kind::Bool) => None,
        (Kind::Bool, Kind::Int(_)) => None,
        (Kind::Int(from), Kind::Int(to)) => integers(*from, *to),
        (Kind::Float(from), Kind::Float(to)) => (from != to).then_some(Form),
        (Kind::String, Kind::String) | (Kind::Any, Kind::Any) | (Kind::Bytes, Kind::Bytes) => None,
        (Kind::Fixed(from), Kind::Fixed(to)) => (from != to).then_some(Range(Provoke::Something)),
        (Kind::Fixed(_), Kind::Bytes) => None,
        (Kind::Bytes, Kind::Fixed(_)) => Some(Range(Provoke::Something)),
        (Kind::List(_), Kind::List(_)) | (Kind::Map(..), Kind::Map(..)) => None,
        (Kind::Record(_), Kind::Record(_)) | (Kind::Union(_), Kind::Union(_)) => None,
        _ => Some(Form),
    }
}

/// Integers at the same place. A wider one finds the bits of a narrower one and zeros, if there is nothing else.
fn integers(from: Int, to: Int) -> Option<Misfit> {
    let ((least, most), (min, max)) = (from.range(), to.range());
    if from.bits() < to.bits() && from.signed() {
        return Some(Misfit::Range(Provoke::Int(-1)));
    }
    if most > max {
        return Some(Misfit::Range(Provoke::Int(max + 1)));
    }
    (least < min).then_some(Misfit::Range(Provoke::Int(-1)))
}
