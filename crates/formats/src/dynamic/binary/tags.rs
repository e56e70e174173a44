//! Tags and extensions where the schema says what a value is.

use wirewise_core::{Error, Kind, Logical, LossKind, LossName, Result, Tracer, TypeId, Unit, text};

use super::decode::{Reader, integer_value};
use super::{Head, TagMeaning, Wire};

impl<W: Wire, T: Tracer> Reader<'_, W, T> {
    /// The head behind a tag, where the tag says nothing that the schema does not say too.
    #[cold]
    pub(super) fn untag(&mut self, tag: u64, ty: TypeId, depth: usize) -> Result<Head> {
        let at = self.at;
        let schema = &self.codec.schema;
        let (mut inner, mut logical) = (ty, schema.logical(ty));
        if let Kind::Nullable(value) = schema.kind(ty) {
            (inner, logical) = (*value, schema.logical(*value));
        }
        let meaning = W::tag_meaning(tag, schema.kind(inner), logical);
        if meaning == TagMeaning::Other {
            let name = format!("tag {tag}");
            self.losses
                .note(LossKind::UnknownField, ty, LossName::Name(&name))
                .map_err(|error| error.at(at).hint("the type any keeps tags"))?;
        }
        let head = self.typed_head(ty, depth + 1)?;
        self.at = at;
        match (meaning, head) {
            (TagMeaning::BigInteger { negative }, Head::Bytes(len)) => {
                let cell = self.bytes(len)?;
                let bytes = self.arena.bytes(self.input.bytes, cell);
                let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
                if bytes.len() - zeros > 8 {
                    return Err(Error::data(at, format!("a large integer does not fit {}", schema.describe(ty)))
                        .hint("the type any keeps it"));
                }
                let value = bytes[zeros..].iter().fold(0, |value, &byte| value << 8 | u64::from(byte));
                Ok(if negative { Head::Negative(value) } else { Head::Uint(value) })
            }
            (TagMeaning::BigInteger { .. }, _) => {
                Err(Error::syntax(at, format!("a large integer (tag {tag}) has to be bytes, not {}", head.describe())))
            }
            (TagMeaning::Seconds, Head::Uint(_) | Head::Negative(_)) => match logical {
                Some(Logical::Timestamp(unit)) => {
                    let ticks = integer_value(head) * i128::from(ticks_per_second(unit));
                    integer_head(ticks).ok_or_else(|| beyond(at, unit))
                }
                _ => Ok(head),
            },
            _ => Ok(head),
        }
    }

    /// An extension where the schema wants a timestamp, as the integer that the schema keeps.
    #[cold]
    pub(super) fn timestamp(&mut self, kind: i8, len: usize, ty: TypeId) -> Result<Head> {
        let schema = &self.codec.schema;
        let inner = if let Kind::Nullable(value) = schema.kind(ty) { *value } else { ty };
        let head = Head::Extension(kind, len);
        let (Kind::Int(_), Some(Logical::Timestamp(unit))) = (schema.kind(inner), schema.logical(inner)) else {
            return Ok(head);
        };
        let data = self.input.take(len)?;
        let Some((seconds, nanos)) = W::timestamp(kind, data) else { return Err(self.mismatch(ty, head)) };
        let per_second = ticks_per_second(unit);
        let per_tick = 1_000_000_000 / per_second;
        if i64::from(nanos) % per_tick != 0 {
            self.losses.note(LossKind::Precision, ty, LossName::Name("")).map_err(|error| error.at(self.at))?;
        }
        let ticks = i128::from(seconds) * i128::from(per_second) + i128::from(i64::from(nanos) / per_tick);
        if T::ON {
            self.trace_timestamp(len, ty, ticks);
        }
        integer_head(ticks).ok_or_else(|| beyond(self.at, unit))
    }
}

fn ticks_per_second(unit: Unit) -> i64 {
    10i64.pow(text::time::fraction_digits(unit) as u32)
}

#[cold]
fn beyond(at: usize, unit: Unit) -> Error {
    Error::data(at, format!("the timestamp is beyond those that 64 bits of {unit:?} can hold").to_lowercase())
}

/// The head of an integer of 64 bits.
fn integer_head(value: i128) -> Option<Head> {
    let value = i64::try_from(value).ok()?;
    Some(if value < 0 { Head::Negative(!value as u64) } else { Head::Uint(value as u64) })
}
