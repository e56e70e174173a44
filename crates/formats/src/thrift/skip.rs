//! Passing over values that the schema does not know.

use wirewise_core::{Error, ErrorKind, Result};

use super::protocol::{Announced, Input, Protocol, WireType};

/// Checks and passes over any value, which lies `depth` deep of at most `deepest`.
pub(super) fn skip<P: Protocol>(input: &mut Input<'_>, value: Announced, deepest: usize, depth: usize) -> Result<()> {
    if depth > deepest {
        return Err(too_deep(input.pos, deepest));
    }
    match value.wire {
        WireType::Bool if value.inline.is_some() => {}
        WireType::Bool => drop(P::read_bool(input)?),
        WireType::I8 | WireType::I16 | WireType::I32 | WireType::I64 => drop(P::read_int(input, value.wire)?),
        WireType::Double => drop(P::read_double(input)?),
        WireType::Uuid => drop(input.take(16, "a uuid")?),
        WireType::Binary => {
            let len = P::read_len(input)?;
            input.take(len, "the rest of a string")?;
        }
        WireType::List | WireType::Set => {
            let list = P::read_list(input)?;
            check_count(input, list.count, 1)?;
            if let Some(items) = list.items {
                for _ in 0..list.count {
                    skip::<P>(input, Announced::plain(items), deepest, depth + 1)?;
                }
            }
        }
        WireType::Map => {
            let map = P::read_map(input)?;
            check_count(input, map.count, 2)?;
            if let Some((key, value)) = map.entries {
                for _ in 0..map.count {
                    skip::<P>(input, Announced::plain(key), deepest, depth + 1)?;
                    skip::<P>(input, Announced::plain(value), deepest, depth + 1)?;
                }
            }
        }
        WireType::Struct => {
            let mut last = 0;
            while let Some(field) = P::read_field(input, last)? {
                last = field.id;
                skip::<P>(input, field.value, deepest, depth + 1)?;
            }
        }
    }
    Ok(())
}

/// The error of a value nested too deep.
#[cold]
pub(super) fn too_deep(pos: usize, deepest: usize) -> Error {
    Error::new(ErrorKind::Limit, format!("values nest deeper than the limit of {deepest}")).at(pos)
}

/// Refuses a count that the rest of the input cannot hold: every value takes at least one byte.
pub(super) fn check_count(input: &Input<'_>, count: usize, values_each: usize) -> Result<(), Error> {
    if count > input.remaining() / values_each {
        return Err(Error::end(input.bytes.len(), format!("the rest of {count} elements")));
    }
    Ok(())
}
