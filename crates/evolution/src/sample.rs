//! Small messages on demand: as little as the schema allows, and at one place exactly what is asked for.

use wirewise_core::{AnyTag, Arena, Cell, Kind, Logical, Record, Result, Schema, State, TypeId};

use crate::rule::Hop;

/// What a message has at the place in question.
#[derive(Debug, Clone, PartialEq)]
pub enum Provoke {
    /// Something that is neither zero nor empty.
    Something,
    /// Zero, false, or empty.
    Zero,
    /// Nothing: the field is not there, or has the default that is left out.
    Absent,
    /// Null.
    Null,
    /// This integer, where the type holds it.
    Int(i128),
    /// This number, where the type is a float.
    Float(f64),
    /// This text.
    Text(&'static str),
    /// These bytes.
    Bytes(&'static [u8]),
    /// The symbol with this number, or this number without a symbol where the enum is open.
    Symbol(i64),
    /// This many elements, all different.
    Items(usize),
    /// The branch at this position.
    Branch(usize),
    /// Of the record at the place: these optional fields, and no other optional ones.
    Fields(Vec<usize>),
}

impl Provoke {
    /// What is tried where a rule does not say: small, large and odd values of every kind.
    pub(crate) fn usual() -> Vec<Provoke> {
        use Provoke::*;
        let mut all = vec![Something, Zero, Absent, Items(2), Int(-1), Int(1), Int(2), Int(200), Int(40_000)];
        all.extend([31, 32, 53, 62, 63].map(|bits| Int((1 << bits) + 1)));
        all.extend([-(1 << 31) - 1, i128::from(i64::MIN), i128::from(u64::MAX)].map(Int));
        all.extend([Float(0.1), Float(1e300), Float(f64::NAN), Text("text"), Text(""), Text("-1"), Text("ä")]);
        all.extend([Bytes(b"\xff\xfe"), Bytes(b"\x08"), Bytes(b"abc"), Null, Items(0), Items(3)]);
        all.extend((0..8).map(Branch));
        all
    }
}

/// What a message has where nothing is asked for, and something must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Values that a reader of the message can tell apart.
    Something,
    /// Zeros, where another field would break as well and hide what is asked for.
    Zero,
}

/// Puts a message of `schema` into `arena` that has, at the end of `trail`, what `provoke` says. `None` when the place
/// cannot have that.
pub(crate) fn message(schema: &Schema, trail: &[Hop], provoke: &Provoke, rest: Rest, arena: &mut Arena) -> Option<()> {
    arena.begin(b"").ok()?;
    let mut maker = Maker { schema, provoke, rest, arena, budget: MOST_VALUES, nth: 0 };
    let root = maker.along(schema.root(), trail)?;
    arena.set_root(root);
    Some(())
}

struct Maker<'a> {
    schema: &'a Schema,
    provoke: &'a Provoke,
    rest: Rest,
    arena: &'a mut Arena,
    /// Values that may still be made: a union's branch may lead back to the union.
    budget: usize,
    /// The number of the list's element that is being made: numbers in it differ from those in the others.
    nth: usize,
}

const MOST_VALUES: usize = 2_000;

impl Maker<'_> {
    /// A value of type `ty` with the thing asked for at the end of `trail`.
    fn along(&mut self, ty: TypeId, trail: &[Hop]) -> Option<Cell> {
        let schema = self.schema;
        let Some((&hop, rest)) = trail.split_first() else { return self.provoked(ty) };
        match (schema.kind(ty), hop) {
            (_, Hop::AsItem) => self.along(ty, rest),
            // A field of the rule's record may be reached through a nullable that the walk took off.
            (Kind::Nullable(inner), hop) => {
                let rest = if hop == Hop::Inner { rest } else { trail };
                let cell = self.along(*inner, rest)?;
                self.arena.boxed(cell).ok()
            }
            (Kind::List(item), Hop::Item) => {
                let mark = self.arena.mark();
                let cell = self.along(*item, rest)?;
                self.arena.push(cell).ok()?;
                self.arena.list(mark).ok()
            }
            (Kind::Map(key, value), Hop::Value) => {
                let mark = self.arena.mark();
                let cell = self.some(*key)?;
                self.arena.push(cell).ok()?;
                let cell = self.along(*value, rest)?;
                self.arena.push(cell).ok()?;
                self.arena.map(mark).ok()
            }
            (Kind::Union(union), Hop::Branch(position)) => {
                let cell = self.along(union.branches.get(position)?.ty, rest)?;
                self.arena.union(position, cell).ok()
            }
            (Kind::Record(record), Hop::Field(position)) => self.record(record, Some((position, rest)), None),
            _ => None,
        }
    }

    /// A record with its required fields, and the field on the way, or the optional fields that are asked for.
    fn record(&mut self, record: &Record, way: Option<(usize, &[Hop])>, also: Option<&[usize]>) -> Option<Cell> {
        let at = self.arena.record(record).ok()?;
        let wanted = |position: usize| {
            way.is_some_and(|(on_way, _)| on_way == position) || also.is_some_and(|also| also.contains(&position))
        };
        let mut chosen: Vec<bool> = vec![false; record.oneofs.len()];
        for (position, field) in record.fields.iter().enumerate() {
            if let (Some(oneof), true) = (field.oneof, wanted(position)) {
                chosen[oneof] = true;
            }
        }
        for (position, field) in record.fields.iter().enumerate() {
            let must = match field.oneof {
                Some(oneof) => record.oneofs[oneof].required && !std::mem::replace(&mut chosen[oneof], true),
                None => !field.is_optional(),
            };
            let cell = match way {
                Some((on_way, rest)) if on_way == position => match (rest, self.provoke) {
                    ([], Provoke::Absent) if field.is_optional() => continue,
                    ([], Provoke::Absent) => {
                        field.default.as_ref()?;
                        self.arena.set_default(self.schema, record, at, position).ok()?;
                        continue;
                    }
                    ([], Provoke::Null) if field.is_nullable() => {
                        self.arena.set_state(record, at, position, State::Null);
                        continue;
                    }
                    (rest, _) => self.along(field.value_type(), rest)?,
                },
                _ if wanted(position) => self.some(field.value_type())?,
                // It may lead back to this record.
                _ if must && field.is_nullable() && self.has_parts(field.value_type()) => {
                    self.arena.set_state(record, at, position, State::Null);
                    continue;
                }
                _ if must => self.other(field.value_type())?,
                _ => continue,
            };
            self.arena.set_field(record, at, position, cell);
        }
        Some(Cell::index(at))
    }

    fn has_parts(&self, ty: TypeId) -> bool {
        matches!(self.schema.kind(ty), Kind::Record(_) | Kind::Union(_))
    }

    /// A value that must be there, but is not what is asked for.
    fn other(&mut self, ty: TypeId) -> Option<Cell> {
        let parts = self.has_parts(ty) || *self.schema.kind(ty) == Kind::Any;
        if self.rest == Rest::Something || parts { self.some(ty) } else { self.arena.zero(self.schema, ty, 0).ok() }
    }

    /// A value that is neither zero nor empty, without anything optional.
    fn some(&mut self, ty: TypeId) -> Option<Cell> {
        let schema = self.schema;
        self.budget = self.budget.checked_sub(1)?;
        Some(match schema.kind(ty) {
            Kind::Null => Cell::EMPTY,
            Kind::Bool => Cell::bool(true),
            Kind::Int(_) => Cell::int(7 + self.nth as i64),
            Kind::Float(wirewise_core::Float::F32) => Cell::f32(1.5 + self.nth as f32),
            Kind::Float(wirewise_core::Float::F64) => Cell::f64(1.5 + self.nth as f64),
            Kind::String => match schema.logical(ty) {
                Some(Logical::Number) => self.text(b"7").ok()?,
                _ => self.text(b"text").ok()?,
            },
            Kind::Bytes => self.text(b"abc").ok()?,
            Kind::Fixed(size) => self.text(&vec![b'x'; *size as usize]).ok()?,
            Kind::Enum(e) => {
                Cell::int(e.symbols.iter().find(|symbol| symbol.number != 0).unwrap_or(&e.symbols[0]).number)
            }
            // Nothing in them: what they would hold is not asked for.
            Kind::List(_) | Kind::Map(..) => Cell::EMPTY,
            Kind::Nullable(_) => Cell::NULL,
            Kind::Record(record) => return self.record(record, None, None),
            Kind::Union(union) => {
                // A branch that is no record, where there is one, ends at once.
                let plain = |branch: &wirewise_core::Branch| !matches!(schema.kind(branch.ty), Kind::Record(_));
                let position = union.branches.iter().position(plain).unwrap_or(0);
                let cell = self.some(union.branches[position].ty)?;
                self.arena.union(position, cell).ok()?
            }
            Kind::Any => {
                let text = self.text(b"text").ok()?;
                self.arena.any(AnyTag::String, text).ok()?
            }
        })
    }

    /// What is asked for, if the type can have it.
    fn provoked(&mut self, ty: TypeId) -> Option<Cell> {
        let schema = self.schema;
        match (schema.kind(ty), self.provoke) {
            (Kind::Nullable(_), Provoke::Null) => Some(Cell::NULL),
            (Kind::Nullable(inner), _) => {
                let cell = self.provoked(*inner)?;
                self.arena.boxed(cell).ok()
            }
            (Kind::List(item), Provoke::Something) => self.items(*item, 1),
            (Kind::List(item), Provoke::Items(count)) => self.items(*item, *count),
            (Kind::Map(key, value), Provoke::Something) => self.entries(*key, *value, 1),
            (Kind::Map(key, value), Provoke::Items(count)) => self.entries(*key, *value, *count),
            (Kind::Record(record), Provoke::Fields(fields)) => self.record(record, None, Some(fields)),
            (Kind::Record(record), Provoke::Something) => {
                // A record that is not empty: with its first optional field that is no record.
                let simple = |ty: TypeId| !matches!(schema.kind(ty), Kind::Record(_) | Kind::Union(_));
                let first = record.fields.iter().position(|field| field.is_optional() && simple(field.value_type()));
                self.record(record, None, Some(first.as_slice()))
            }
            (Kind::Union(union), Provoke::Branch(position)) => {
                let cell = self.some(union.branches.get(*position)?.ty)?;
                self.arena.union(*position, cell).ok()
            }
            (_, Provoke::Something) => self.some(ty),
            (Kind::Union(_) | Kind::Null, _) => None,
            (Kind::Record(record), Provoke::Zero) => self.record(record, None, None),
            (_, Provoke::Zero) => self.arena.zero(schema, ty, 0).ok(),
            (Kind::Int(int), Provoke::Int(value)) => int.holds(*value).then_some(Cell::uint(*value as u64)),
            (Kind::Float(wirewise_core::Float::F32), Provoke::Float(value)) => Some(Cell::f32(*value as f32)),
            (Kind::Float(wirewise_core::Float::F64), Provoke::Float(value)) => Some(Cell::f64(*value)),
            (Kind::Enum(e), Provoke::Symbol(number)) => {
                (e.position(*number).is_some() || !e.closed).then_some(Cell::int(*number))
            }
            (Kind::Enum(e), Provoke::Branch(position)) => Some(Cell::int(e.symbols.get(*position)?.number)),
            (Kind::String, Provoke::Text(text)) if schema.logical(ty).is_none() => self.text(text.as_bytes()).ok(),
            (Kind::Bytes, Provoke::Bytes(bytes)) => self.text(bytes).ok(),
            (Kind::Fixed(size), Provoke::Bytes(bytes)) => {
                (bytes.len() == *size as usize).then(|| self.text(bytes).ok())?
            }
            _ => None,
        }
    }

    fn items(&mut self, item: TypeId, count: usize) -> Option<Cell> {
        let mark = self.arena.mark();
        for i in 0..count {
            let cell = self.nth(item, i)?;
            self.arena.push(cell).ok()?;
        }
        self.arena.list(mark).ok()
    }

    fn entries(&mut self, key: TypeId, value: TypeId, count: usize) -> Option<Cell> {
        let mark = self.arena.mark();
        for i in 0..count {
            for ty in [key, value] {
                let cell = self.nth(ty, i)?;
                self.arena.push(cell).ok()?;
            }
        }
        self.arena.map(mark).ok()
    }

    /// A value that differs from those with other numbers, where the type has so many.
    fn nth(&mut self, ty: TypeId, i: usize) -> Option<Cell> {
        let outer = std::mem::replace(&mut self.nth, i);
        let cell = match self.schema.kind(ty) {
            Kind::Bool => Some(Cell::bool(i.is_multiple_of(2))),
            Kind::String if self.schema.logical(ty).is_none() => self.text(format!("text{i}").as_bytes()).ok(),
            _ => self.some(ty),
        };
        self.nth = outer;
        cell
    }

    fn text(&mut self, bytes: &[u8]) -> Result<Cell> {
        self.arena.text_with(|out| {
            out.extend_from_slice(bytes);
            Ok(())
        })
    }
}
