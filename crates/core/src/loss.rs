//! What may be dropped, and what was.

use std::collections::BTreeMap;
use std::fmt;

use crate::schema::{Kind, Schema, TypeId};
use crate::{Error, ErrorKind, Result};

/// A way in which a value can be lost. Each is an error unless it was allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LossKind {
    /// A `null` written to a format that cannot tell it from an absent field.
    NullAsAbsent,
    /// An unknown field of the input, which the schema has no place for.
    UnknownField,
    /// A decimal number with more digits than its type can give back.
    Precision,
    /// NaN or an infinity written to a format that has neither.
    NotFinite,
}

impl LossKind {
    /// Every kind, in the order of their command-line names.
    pub const ALL: [LossKind; 4] =
        [LossKind::NullAsAbsent, LossKind::UnknownField, LossKind::Precision, LossKind::NotFinite];

    /// Its name on the command line and in JSON output.
    pub fn name(self) -> &'static str {
        match self {
            LossKind::NullAsAbsent => "null-as-absent",
            LossKind::UnknownField => "unknown-field",
            LossKind::Precision => "precision",
            LossKind::NotFinite => "not-finite",
        }
    }

    /// The kind with this command-line name.
    pub fn by_name(name: &str) -> Option<LossKind> {
        LossKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    fn message(self) -> &'static str {
        match self {
            LossKind::NullAsAbsent => "null cannot be told from an absent field in this format",
            LossKind::UnknownField => "the schema has no such field",
            LossKind::Precision => "the number has more digits than its type can hold",
            LossKind::NotFinite => "this format has no NaN and no infinities",
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl fmt::Display for LossKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a lost thing is called in its input: by name (JSON, MessagePack) or by number (Protobuf, Thrift).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossName<'a> {
    /// A field's name or map key.
    Name(&'a str),
    /// A field's number.
    Number(u64),
}

/// What may be lost, and a count of what was lost, by kind and place.
///
/// The place is the record type and the field, not the full path of every single value: it is what a reader of the
/// summary needs, and it costs nothing until something is lost. The error of a loss that is not allowed does have
/// the full path.
#[derive(Debug, Clone, Default)]
pub struct Losses {
    allowed: u8,
    counts: BTreeMap<(LossKind, TypeId), Vec<(OwnedName, u64)>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum OwnedName {
    Name(String),
    Number(u64),
}

/// Distinct names counted for one record type; what comes after is counted as "others", so that hostile input cannot
/// grow the summary.
const MOST_NAMES: usize = 256;

impl Losses {
    /// Nothing may be lost: every loss is an error.
    pub fn none() -> Self {
        Losses::default()
    }

    /// The given kinds are dropped and counted; all others are errors.
    pub fn allowing(kinds: impl IntoIterator<Item = LossKind>) -> Self {
        Losses { allowed: kinds.into_iter().fold(0, |bits, kind| bits | kind.bit()), counts: BTreeMap::new() }
    }

    /// Whether this kind is dropped silently (and counted).
    pub fn allows(&self, kind: LossKind) -> bool {
        self.allowed & kind.bit() != 0
    }

    /// Something of kind `kind` is about to be dropped in a value of type `within` (the record it is a field of).
    ///
    /// # Errors
    /// [`ErrorKind::Loss`] when this kind is not allowed; the caller adds offset and path.
    #[cold]
    pub fn note(&mut self, kind: LossKind, within: TypeId, name: LossName<'_>) -> Result<()> {
        if !self.allows(kind) {
            let what = match (kind, name) {
                (LossKind::UnknownField, LossName::Name(name)) => format!(": {name:?}"),
                (LossKind::UnknownField, LossName::Number(number)) => format!(": number {number}"),
                _ => String::new(),
            };
            return Err(Error::new(ErrorKind::Loss(kind), format!("{}{what}", kind.message()))
                .hint(format!("--lossy {kind} drops it and counts what was dropped")));
        }
        let names = self.counts.entry((kind, within)).or_default();
        let known = names.iter_mut().find(|(known, _)| match (known, name) {
            (OwnedName::Name(a), LossName::Name(b)) => a == b,
            (OwnedName::Number(a), LossName::Number(b)) => *a == b,
            _ => false,
        });
        if let Some((_, count)) = known {
            *count += 1;
        } else if names.len() < MOST_NAMES {
            let name = match name {
                LossName::Name(name) => OwnedName::Name(name.to_owned()),
                LossName::Number(number) => OwnedName::Number(number),
            };
            names.push((name, 1));
        } else {
            names[MOST_NAMES - 1].0 = OwnedName::Name("(others)".to_owned());
            names[MOST_NAMES - 1].1 += 1;
        }
        Ok(())
    }

    /// Nothing lost so far, and the same allowed.
    #[must_use]
    pub fn fresh(&self) -> Losses {
        Losses { allowed: self.allowed, counts: BTreeMap::new() }
    }

    /// Adds what was lost in messages of another schema; `place` says which type of this schema stands for one of that.
    pub fn absorb(&mut self, other: Losses, place: impl Fn(TypeId) -> TypeId) {
        for ((kind, within), names) in other.counts {
            let all = self.counts.entry((kind, place(within))).or_default();
            for (name, count) in names {
                match all.iter().position(|(known, _)| *known == name) {
                    Some(known) => all[known].1 += count,
                    None if all.len() < MOST_NAMES => all.push((name, count)),
                    None => all[MOST_NAMES - 1].1 += count,
                }
            }
        }
    }

    /// How many values were lost.
    pub fn total(&self) -> u64 {
        self.counts.values().flatten().map(|(_, count)| count).sum()
    }

    /// What was lost: `(kind, place such as "Person.nickname", count)`.
    pub fn summary(&self, schema: &Schema) -> Vec<(LossKind, String, u64)> {
        let mut rows = Vec::new();
        for ((kind, within), names) in &self.counts {
            let record = match schema.kind(*within) {
                Kind::Record(record) => record.name.as_str(),
                _ => "$",
            };
            for (name, count) in names {
                let place = match name {
                    OwnedName::Name(name) if name.is_empty() => record.to_owned(),
                    OwnedName::Name(name) => format!("{record}.{name}"),
                    OwnedName::Number(number) => format!("{record}.{number}"),
                };
                rows.push((*kind, place, *count));
            }
        }
        rows
    }

    /// Forgets the counts, keeps what is allowed.
    pub fn reset(&mut self) {
        self.counts.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_or_counts() {
        let at = TypeId::from_index(0);
        let error = Losses::none().note(LossKind::UnknownField, at, LossName::Name("x")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Loss(LossKind::UnknownField));
        assert!(error.to_string().contains("--lossy unknown-field"), "{error}");

        let mut losses = Losses::allowing([LossKind::UnknownField]);
        for i in 0..2000u64 {
            losses.note(LossKind::UnknownField, at, LossName::Number(i)).unwrap();
        }
        assert_eq!(losses.total(), 2000);
        let mut all = losses.fresh();
        all.absorb(losses.clone(), |id| id);
        all.absorb(losses.clone(), |id| id);
        assert_eq!(all.total(), 4000);
        assert!(losses.note(LossKind::Precision, at, LossName::Name("x")).is_err());
    }
}
