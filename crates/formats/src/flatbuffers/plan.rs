//! The schema as FlatBuffers tables.
//!
//! Every record is a table. Where FlatBuffers cannot hold a value directly (a list in a list, a null in a vector, a
//! union outside a table, a root that is no table), the value lies in a *box*: a table with the value as its only
//! field. A map is a vector of *entries*: tables of a key and a value, sorted by key.

use wirewise_core::{
    Arena, Cell, Error, ErrorKind, Field, Float, Int, Kind, Limits, Record, Result, Schema, TypeId, Union,
};

/// A schema compiled.
pub(super) struct Plan {
    pub(super) tables: Vec<Table>,
    pub(super) unions: Vec<UnionPlan>,
    pub(super) root: Root,
}

/// What a buffer is.
pub(super) enum Root {
    /// One message.
    One(Target),
    /// A message for each element of the list that is the schema's root.
    Stream(Target),
}

/// A value that is a table.
#[derive(Debug, Clone, Copy)]
pub(super) enum Target {
    /// A record's, at this index of [`Plan::tables`].
    Record(usize),
    /// A box, at this index.
    Box(usize),
}

/// A table: a record's, a box, or a map's entry.
pub(super) struct Table {
    /// The record, the map, or what is boxed.
    pub(super) ty: TypeId,
    /// Its fields by id. Fields that hold nothing have none.
    pub(super) slots: Vec<Slot>,
    /// The same as they are written: from large to small, then from the last id to the first. A union counts twice.
    pub(super) layout: Vec<Inline>,
}

/// What a slot puts into the table itself: a scalar or an offset.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inline {
    pub(super) id: u16,
    pub(super) size: u8,
}

/// A field of a table.
pub(super) struct Slot {
    /// Its place in the vtable. The value of a union has the next one.
    pub(super) id: u16,
    /// Its position in the record; in an entry 0 for the key and 1 for the value.
    pub(super) position: usize,
    /// The type of its value, never nullable.
    pub(super) ty: TypeId,
    pub(super) presence: Presence,
    /// What a scalar is when the table does not have it.
    pub(super) default: Cell,
    pub(super) store: Store,
}

/// What it means that a table does not have a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// That it has its default.
    Required,
    /// That it is absent. Null has no place of its own.
    Optional,
    /// That it is null.
    Nullable,
}

/// How a field holds its value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Store {
    /// A byte that is there or not: an optional `Null`.
    Flag,
    Scalar(Scalar),
    /// An offset to a string.
    String,
    /// An offset to a string of JSON text.
    Json,
    /// An offset to a vector of bytes.
    Bytes,
    /// An offset to a vector of exactly this many bytes.
    Fixed(u32),
    /// An offset to a record's table, with its index.
    Table(usize),
    /// An offset to a box, with the index of its table.
    Boxed(usize),
    /// An offset to a vector.
    List(Item),
    /// An offset to a vector of entries, with the index of their table.
    Map(usize),
    /// A byte that chooses a table, and an offset to it; with the index in [`Plan::unions`].
    Union(usize),
}

/// An element of a vector.
#[derive(Debug, Clone, Copy)]
pub(super) enum Item {
    /// A byte that only counts.
    Null,
    Scalar(Scalar, TypeId),
    String,
    Json,
    Table(Target),
}

/// The scalars of FlatBuffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    Bool,
    Int(Int),
    F32,
    F64,
    /// An enum over `int`, or over `long` where its numbers need it.
    Enum(Int),
}

impl Scalar {
    pub(super) fn size(self) -> usize {
        match self {
            Scalar::Bool => 1,
            Scalar::Int(int) | Scalar::Enum(int) => int.bits() as usize / 8,
            Scalar::F32 => 4,
            Scalar::F64 => 8,
        }
    }
}

/// A union: the byte that stands for a branch is its rank by number, from 1 (0 is `NONE`).
pub(super) struct UnionPlan {
    /// By position of the branch: its byte, and its table.
    pub(super) branches: Vec<(u8, Target)>,
    /// Positions, by byte minus 1.
    pub(super) by_tag: Vec<usize>,
}

/// Sizes of tables and vtables are 16 bits wide.
const MOST: usize = u16::MAX as usize;

impl Plan {
    pub(super) fn new(schema: &Schema, list_is_stream: bool) -> Result<Plan> {
        let count = schema.types().len();
        let mut planner = Planner {
            schema,
            tables: Vec::new(),
            records: vec![None; count],
            boxes: vec![None; count],
            entries: vec![None; count],
            unions: Vec::new(),
            by_union: vec![None; count],
            pending: Vec::new(),
        };
        let root = match schema.kind(schema.root()) {
            Kind::List(item) if list_is_stream => Root::Stream(planner.target(*item)),
            _ => Root::One(planner.target(schema.root())),
        };
        planner.finish()?;
        let Planner { tables, unions, .. } = planner;
        Ok(Plan { tables, unions, root })
    }
}

/// Tables refer to each other by index, in circles too: indices are given out first, tables filled in later.
struct Planner<'a> {
    schema: &'a Schema,
    tables: Vec<Table>,
    records: Vec<Option<usize>>,
    boxes: Vec<Option<usize>>,
    entries: Vec<Option<usize>>,
    unions: Vec<UnionPlan>,
    by_union: Vec<Option<usize>>,
    pending: Vec<Pending>,
}

enum Pending {
    Record(usize, TypeId),
    Box(usize, TypeId),
    Entry(usize, TypeId),
    Union(usize, TypeId),
}

impl Planner<'_> {
    fn finish(&mut self) -> Result<()> {
        while let Some(pending) = self.pending.pop() {
            match pending {
                Pending::Record(index, ty) => {
                    let schema = self.schema;
                    let Kind::Record(record) = schema.kind(ty) else { unreachable!("asked for as a record") };
                    self.tables[index] = self.record_table(ty, record)?;
                }
                Pending::Box(index, ty) => {
                    let slots = self.slot(ty, 0, 0)?.into_iter().collect();
                    self.tables[index] = table(ty, slots)?;
                }
                Pending::Entry(index, ty) => {
                    let schema = self.schema;
                    let Kind::Map(key, value) = *schema.kind(ty) else { unreachable!("asked for as a map") };
                    let mut slots: Vec<Slot> = self.slot(key, 0, 0)?.into_iter().collect();
                    slots.extend(self.entry_value(value)?);
                    self.tables[index] = table(ty, slots)?;
                }
                Pending::Union(index, ty) => {
                    let schema = self.schema;
                    let Kind::Union(union) = schema.kind(ty) else { unreachable!("asked for as a union") };
                    self.unions[index] = self.union_plan(union)?;
                }
            }
        }
        Ok(())
    }

    fn reserve(&mut self, ty: TypeId) -> usize {
        self.tables.push(Table { ty, slots: Vec::new(), layout: Vec::new() });
        self.tables.len() - 1
    }

    /// The table of a value that must be one.
    fn target(&mut self, ty: TypeId) -> Target {
        let i = ty.index();
        if let Kind::Record(_) = self.schema.kind(ty) {
            if self.records[i].is_none() {
                let index = self.reserve(ty);
                self.records[i] = Some(index);
                self.pending.push(Pending::Record(index, ty));
            }
            return Target::Record(self.records[i].expect("just set"));
        }
        if self.boxes[i].is_none() {
            let index = self.reserve(ty);
            self.boxes[i] = Some(index);
            self.pending.push(Pending::Box(index, ty));
        }
        Target::Box(self.boxes[i].expect("just set"))
    }

    fn record_table(&mut self, ty: TypeId, record: &Record) -> Result<Table> {
        let mut slots = Vec::new();
        let mut id = 0;
        for position in record.by_number() {
            let field = &record.fields[position];
            if let Some(mut slot) = self.slot(field.ty, id, position)? {
                id += if let Store::Union(_) = slot.store { 2 } else { 1 };
                if field.is_optional() {
                    slot.presence = Presence::Optional;
                }
                if let Store::Scalar(_) = slot.store
                    && let Some(default) = self.default(record, position, field)?
                {
                    slot.default = default;
                }
                slots.push(slot);
            } else if field.is_optional() {
                let (presence, store) = (Presence::Optional, Store::Flag);
                slots.push(Slot { id: slot_id(id)?, position, ty: field.ty, presence, default: Cell::EMPTY, store });
                id += 1;
            }
        }
        table(ty, slots).map_err(|error| error.in_field(&record.name))
    }

    /// A scalar's default in a schema that says one.
    fn default(&self, record: &Record, position: usize, field: &Field) -> Result<Option<Cell>> {
        // What a nullable scalar is when it is not there is null.
        if field.default.is_none() || field.is_nullable() {
            return Ok(None);
        }
        let mut arena = Arena::new(Limits::default());
        arena.begin(b"")?;
        let at = arena.record(record)?;
        arena.set_default(self.schema, record, at, position)?;
        Ok(Some(arena.field(record, at, position)))
    }

    /// A field for values of this type; `None` when there is nothing to write.
    fn slot(&mut self, ty: TypeId, id: usize, position: usize) -> Result<Option<Slot>> {
        let schema = self.schema;
        let (ty, presence) = match schema.kind(ty) {
            Kind::Nullable(inner) => (*inner, Presence::Nullable),
            _ => (ty, Presence::Required),
        };
        let mut default = Cell::EMPTY;
        let store = match schema.kind(ty) {
            Kind::Null => return Ok(None),
            Kind::String => Store::String,
            Kind::Any => Store::Json,
            Kind::Bytes => Store::Bytes,
            Kind::Fixed(size) => Store::Fixed(*size),
            Kind::List(item) => Store::List(self.item(*item)),
            Kind::Map(..) => {
                let i = ty.index();
                if self.entries[i].is_none() {
                    let index = self.reserve(ty);
                    self.entries[i] = Some(index);
                    self.pending.push(Pending::Entry(index, ty));
                }
                Store::Map(self.entries[i].expect("just set"))
            }
            Kind::Record(_) => match self.target(ty) {
                Target::Record(index) => Store::Table(index),
                Target::Box(_) => unreachable!("records are not boxed"),
            },
            Kind::Union(_) => {
                let i = ty.index();
                if self.by_union[i].is_none() {
                    self.unions.push(UnionPlan { branches: Vec::new(), by_tag: Vec::new() });
                    let index = self.unions.len() - 1;
                    self.by_union[i] = Some(index);
                    self.pending.push(Pending::Union(index, ty));
                }
                Store::Union(self.by_union[i].expect("just set"))
            }
            kind => {
                // FlatBuffers wants an enum's default to be one of its symbols.
                if let Kind::Enum(e) = kind
                    && e.position(0).is_none()
                {
                    default = Cell::int(e.symbols[0].number);
                }
                Store::Scalar(scalar(kind).expect("all other kinds are scalars"))
            }
        };
        Ok(Some(Slot { id: slot_id(id)?, position, ty, presence, default, store }))
    }

    /// An element of a list.
    fn item(&mut self, ty: TypeId) -> Item {
        match self.schema.kind(ty) {
            Kind::Null => Item::Null,
            Kind::String => Item::String,
            Kind::Any => Item::Json,
            kind => match scalar(kind) {
                Some(scalar) => Item::Scalar(scalar, ty),
                None => Item::Table(self.target(ty)),
            },
        }
    }

    /// The value of a map's entry lies in it as it would in a vector: what a vector cannot hold is boxed.
    fn entry_value(&mut self, ty: TypeId) -> Result<Option<Slot>> {
        if let Kind::Record(_) | Kind::Null = self.schema.kind(ty) {
            return self.slot(ty, 1, 1);
        }
        match self.item(ty) {
            Item::Table(Target::Box(index)) => {
                let (presence, store) = (Presence::Required, Store::Boxed(index));
                Ok(Some(Slot { id: 1, position: 1, ty, presence, default: Cell::EMPTY, store }))
            }
            _ => self.slot(ty, 1, 1),
        }
    }

    fn union_plan(&mut self, union: &Union) -> Result<UnionPlan> {
        if union.branches.len() > u8::MAX as usize {
            return Err(unsupported(format!("union {} has more than 255 branches", union.name)));
        }
        let mut by_tag: Vec<usize> = (0..union.branches.len()).collect();
        by_tag.sort_by_key(|&position| union.branches[position].number);
        let mut branches: Vec<_> = union.branches.iter().map(|branch| (0, self.target(branch.ty))).collect();
        for (rank, &position) in by_tag.iter().enumerate() {
            branches[position].0 = rank as u8 + 1;
        }
        Ok(UnionPlan { branches, by_tag })
    }
}

fn slot_id(id: usize) -> Result<u16> {
    // One more for the value of a union.
    u16::try_from(id)
        .ok()
        .filter(|&id| usize::from(id) * 2 + 8 <= MOST)
        .ok_or_else(|| unsupported("a record has more fields than a FlatBuffers table can have (32763)".to_owned()))
}

fn unsupported(message: String) -> Error {
    Error::new(ErrorKind::Unsupported, message)
}

fn scalar(kind: &Kind) -> Option<Scalar> {
    Some(match kind {
        Kind::Bool => Scalar::Bool,
        Kind::Int(int) => Scalar::Int(*int),
        Kind::Float(Float::F32) => Scalar::F32,
        Kind::Float(Float::F64) => Scalar::F64,
        Kind::Enum(e) => {
            let narrow = e.symbols.iter().all(|symbol| i32::try_from(symbol.number).is_ok());
            Scalar::Enum(if narrow { Int::I32 } else { Int::I64 })
        }
        _ => return None,
    })
}

fn table(ty: TypeId, slots: Vec<Slot>) -> Result<Table> {
    let mut layout = Vec::new();
    for slot in &slots {
        let id = slot.id;
        match slot.store {
            Store::Flag => layout.push(Inline { id, size: 1 }),
            Store::Scalar(scalar) => layout.push(Inline { id, size: scalar.size() as u8 }),
            Store::Union(_) => layout.extend([Inline { id, size: 1 }, Inline { id: id + 1, size: 4 }]),
            _ => layout.push(Inline { id, size: 4 }),
        }
    }
    layout.sort_by_key(|inline| std::cmp::Reverse((inline.size, inline.id)));
    // With its own offset, and the most that alignment may add.
    let size: usize = layout.iter().map(|inline| usize::from(inline.size)).sum::<usize>() + 4 + 8;
    if size > MOST {
        return Err(unsupported(format!("a table of {size} bytes is more than FlatBuffers allows (65535)")));
    }
    Ok(Table { ty, slots, layout })
}
