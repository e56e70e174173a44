//! The schema as FlatBuffers tables.
//!
//! Every record is a table. Where FlatBuffers cannot hold a value directly (a list in a list, a null in a vector, a
//! union outside a table, a root that is no table), the value lies in a *box*: a table with the value as its only
//! field. A map is a vector of *entries*: tables of a key and a value, sorted by key.
//!
//! What [`notes`](super::notes) say comes before these rules.

use wirewise_core::{Arena, Cell, Field, Float, Int, Kind, Limits, Notes, Record, Result, Schema, TypeId, Union};

use super::flat::Flat;
use super::notes;
use super::structs::{Part, Struct, Structs, alignment, unsupported};

/// A schema compiled.
pub(super) struct Plan {
    pub(super) tables: Vec<Table>,
    pub(super) unions: Vec<UnionPlan>,
    pub(super) structs: Vec<Struct>,
    pub(super) root: Root,
    /// What stands after the root's offset.
    pub(super) identifier: Option<[u8; 4]>,
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
    /// How many ids there are, and those that no field has.
    pub(super) ids: usize,
    pub(super) gaps: Vec<u16>,
    /// Whether it is a record's, and neither a box nor an entry.
    pub(super) is_record: bool,
    /// Whether a `u64` has a bit for each of its ids and fields, and all are scalars and offsets.
    pub(super) simple: bool,
    /// Cells in the record's run, and how many of these are states.
    pub(super) cells: usize,
    pub(super) state_words: usize,
    /// Position of the field that vectors are sorted by.
    pub(super) key: Option<usize>,
    /// Whether values that come again are written once.
    pub(super) shared: bool,
    /// If it is a record's with nothing but scalars and strings.
    pub(super) flat: Option<Flat>,
}

/// What a slot puts into the table itself: a scalar, an offset or a struct.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inline {
    pub(super) id: u16,
    /// Of a struct that of an offset, which it is sorted as.
    pub(super) size: u8,
    /// Whether it is an offset.
    pub(super) offset: bool,
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
    /// Whether a document says if it is there.
    pub(super) stateful: bool,
    /// That it is there, in the record's first two state words.
    pub(super) present: u128,
    /// Whether equal strings are written once.
    pub(super) shared: bool,
    /// The least alignment of a vector's elements.
    pub(super) align: usize,
    /// Whether the bytes are a buffer.
    pub(super) nested: bool,
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
    /// Offsets to a vector of such bytes and to one of such offsets.
    Unions(usize),
    /// A struct, with the index in [`Plan::structs`].
    Struct(usize),
}

impl Store {
    /// Bytes that a scalar or an offset takes in the table.
    #[inline(always)]
    pub(super) fn size(self) -> usize {
        if let Store::Scalar(scalar) = self { scalar.size() } else { 4 }
    }

    /// How many ids it takes.
    pub(super) fn ids(self) -> usize {
        if let Store::Union(_) | Store::Unions(_) = self { 2 } else { 1 }
    }
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
    Struct(usize),
}

/// The scalars of FlatBuffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    Bool,
    Int(Int),
    F32,
    F64,
    /// An enum over this type.
    Enum(Int),
}

impl Scalar {
    /// The cell of a scalar in the low bytes of `raw`, whatever is in the others; none for an enum, which may be closed.
    #[inline(always)]
    pub(super) fn cell(self, raw: u64) -> Option<Cell> {
        Some(match self {
            Scalar::Bool => Cell::bool(raw as u8 != 0),
            Scalar::Int(Int::I8) => Cell::int((raw as i8).into()),
            Scalar::Int(Int::I16) => Cell::int((raw as i16).into()),
            Scalar::Int(Int::I32) => Cell::int((raw as i32).into()),
            Scalar::Int(Int::U8) => Cell::uint((raw as u8).into()),
            Scalar::Int(Int::U16) => Cell::uint((raw as u16).into()),
            Scalar::Int(Int::U32) | Scalar::F32 => Cell::uint((raw as u32).into()),
            Scalar::Int(Int::I64 | Int::U64) | Scalar::F64 => Cell::uint(raw),
            Scalar::Enum(_) => return None,
        })
    }

    pub(super) fn size(self) -> usize {
        match self {
            Scalar::Bool => 1,
            Scalar::Int(int) | Scalar::Enum(int) => int.bits() as usize / 8,
            Scalar::F32 => 4,
            Scalar::F64 => 8,
        }
    }
}

/// A union: the byte that stands for a branch is its number, or, where numbers are larger than a byte, its rank by
/// number from 1. (0 is `NONE`.)
pub(super) struct UnionPlan {
    /// By position of the branch: its byte, and what the offset points to.
    pub(super) branches: Vec<(u8, Variant)>,
    /// Positions, by byte.
    pub(super) by_tag: Vec<Option<usize>>,
}

/// What the offset of a union points to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Variant {
    Table(Target),
    Struct(usize),
    String,
}

/// Sizes of tables and vtables are 16 bits wide.
const MOST: usize = u16::MAX as usize;

impl Plan {
    pub(super) fn new(schema: &Schema, list_is_stream: bool) -> Result<Plan> {
        let mut planner = Planner::new(schema);
        let root = match schema.kind(schema.root()) {
            Kind::List(item) if list_is_stream => Root::Stream(planner.target(*item)),
            _ => Root::One(planner.target(schema.root())),
        };
        planner.finish()?;
        let Planner { mut tables, unions, structs, .. } = planner;
        for table in &mut tables {
            table.flat = Flat::new(schema, table);
        }
        let identifier = schema.notes().get(notes::FILE_IDENTIFIER).map(|text| {
            let wrong = || unsupported(format!("the file identifier {text:?} does not have 4 bytes"));
            <[u8; 4]>::try_from(text.as_bytes()).map_err(|_| wrong())
        });
        Ok(Plan { tables, unions, structs: structs.all, root, identifier: identifier.transpose()? })
    }
}

impl Plan {
    /// Bytes that an element of a vector takes in it.
    pub(super) fn item_size(&self, item: Item) -> usize {
        match item {
            Item::Null => 1,
            Item::Scalar(scalar, _) => scalar.size(),
            Item::String | Item::Json | Item::Table(_) => 4,
            Item::Struct(index) => self.structs[index].size,
        }
    }

    /// Bytes that a field of a struct, or an element of its array, takes.
    pub(super) fn part_size(&self, part: Part) -> usize {
        match part {
            Part::Scalar(scalar, _) => scalar.size(),
            Part::Bytes(size) => size,
            Part::Struct(index) => self.structs[index].size,
        }
    }
}

/// The ids of a record's fields, by position: places in the vtable, of a union that of its value. A field that holds
/// nothing has none, and neither have those of a struct.
///
/// # Errors
/// As for a codec: ids that collide, structs that cannot be.
pub fn ids(schema: &Schema, ty: TypeId) -> Result<Vec<Option<u16>>> {
    let Kind::Record(record) = schema.kind(ty) else { return Ok(Vec::new()) };
    let mut ids = vec![None; record.fields.len()];
    if !schema.type_notes(ty).has(notes::STRUCT) {
        for slot in Planner::new(schema).record_table(ty, record)?.slots {
            ids[slot.position] = Some(slot.id + slot.store.ids() as u16 - 1);
        }
    }
    Ok(ids)
}

/// The integer type that an enum is written as.
pub fn underlying(schema: &Schema, e: TypeId) -> Option<Int> {
    match scalar(schema, e) {
        Some(Scalar::Enum(int)) => Some(int),
        _ => None,
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
    structs: Structs<'a>,
    pending: Vec<Pending>,
}

enum Pending {
    Record(usize, TypeId),
    Box(usize, TypeId),
    Entry(usize, TypeId),
    Union(usize, TypeId),
}

impl<'a> Planner<'a> {
    fn new(schema: &'a Schema) -> Self {
        let count = schema.types().len();
        Planner {
            schema,
            tables: Vec::new(),
            records: vec![None; count],
            boxes: vec![None; count],
            entries: vec![None; count],
            unions: Vec::new(),
            by_union: vec![None; count],
            structs: Structs::new(schema),
            pending: Vec::new(),
        }
    }

    fn finish(&mut self) -> Result<()> {
        while let Some(pending) = self.pending.pop() {
            match pending {
                Pending::Record(index, ty) => {
                    let schema = self.schema;
                    let Kind::Record(record) = schema.kind(ty) else { unreachable!("asked for as a record") };
                    let made = self.record_table(ty, record)?;
                    self.set_table(index, made);
                }
                Pending::Box(index, ty) => {
                    let slots = self.slot(ty, 0, 0)?.into_iter().collect();
                    let made = self.table(ty, slots)?;
                    self.set_table(index, made);
                }
                Pending::Entry(index, ty) => {
                    let schema = self.schema;
                    let Kind::Map(key, value) = *schema.kind(ty) else { unreachable!("asked for as a map") };
                    let mut slots: Vec<Slot> = self.slot(key, 0, 0)?.into_iter().collect();
                    slots.extend(self.entry_value(value)?);
                    let made = self.table(ty, slots)?;
                    self.set_table(index, made);
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
        let (slots, layout, gaps) = (Vec::new(), Vec::new(), Vec::new());
        self.tables.push(Table::new(ty, slots, layout, 0, gaps));
        self.tables.len() - 1
    }

    /// Fills in a reserved table. That it is shared may have been found before.
    fn set_table(&mut self, index: usize, table: Table) {
        let shared = self.tables[index].shared;
        self.tables[index] = Table { shared, ..table };
    }

    /// The table of a value that must be one.
    fn target(&mut self, ty: TypeId) -> Target {
        let i = ty.index();
        if matches!(self.schema.kind(ty), Kind::Record(_)) && !self.structs.has(ty) {
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
        let (mut slots, mut next) = (Vec::new(), 0);
        for position in record.by_number() {
            let field = &record.fields[position];
            let slot = self.field_slot(record, field, position, next).map_err(|error| error.in_field(&field.name))?;
            if let Some(slot) = slot {
                next = usize::from(slot.id) + slot.store.ids();
                slots.push(slot);
            }
        }
        slots.sort_by_key(|slot| slot.id);
        if let Some(pair) =
            slots.windows(2).find(|pair| usize::from(pair[0].id) + pair[0].store.ids() > pair[1].id.into())
        {
            let [first, second] = [&pair[0], &pair[1]].map(|slot| &record.fields[slot.position].name);
            return Err(unsupported(format!("fields {first:?} and {second:?} of {} have the same id", record.name)));
        }
        let mut table = self.table(ty, slots).map_err(|error| error.in_field(&record.name))?;
        table.is_record = true;
        (table.cells, table.state_words) = (record.cells(), record.state_words());
        let simple = |slot: &Slot| !matches!(slot.store, Store::Struct(_) | Store::Union(_) | Store::Unions(_));
        let few = table.ids <= 64 && record.fields.len() <= 64;
        table.simple = few && table.slots.iter().all(simple) && record.oneofs.is_empty();
        for slot in &mut table.slots {
            slot.stateful = record.fields[slot.position].is_stateful();
            slot.present = if table.state_words > 0 && slot.position < 64 { 2 << (2 * slot.position) } else { 0 };
        }
        table.key = record.fields.iter().position(|field| {
            let kind = self.schema.kind(field.ty);
            field.notes.has(notes::KEY) && (*kind == Kind::String || scalar(self.schema, field.ty).is_some())
        });
        Ok(table)
    }

    /// The slot of a record's field; `next` is the id after those of the fields before it.
    fn field_slot(&mut self, record: &Record, field: &Field, position: usize, next: usize) -> Result<Option<Slot>> {
        let slot = match self.slot(field.ty, 0, position)? {
            Some(slot) => Some(slot),
            // An optional null: a byte that is there or not.
            None if field.is_optional() => Some(Slot::new(0, position, field.ty, Store::Flag)),
            None => None,
        };
        let Some(mut slot) = slot else { return Ok(None) };
        slot.id = match field.notes.get(notes::ID) {
            None => slot_id(next)?,
            Some(text) => {
                let wrong = || unsupported(format!("field {:?} of {} has the id {text:?}", field.name, record.name));
                let id: usize = text.parse().map_err(|_| wrong())?;
                slot_id(id.checked_sub(slot.store.ids() - 1).ok_or_else(wrong)?)?
            }
        };
        if field.is_optional() {
            slot.presence = Presence::Optional;
        }
        if let Store::Scalar(_) = slot.store
            && let Some(default) = self.default(record, position, field)?
        {
            slot.default = default;
        }
        self.heed(&field.notes, &field.name, &mut slot)?;
        Ok(Some(slot))
    }

    /// What the notes of a field say of how it is written.
    fn heed(&mut self, said: &Notes, name: &str, slot: &mut Slot) -> Result<()> {
        slot.shared = said.has(notes::SHARED);
        if let (true, Store::Table(index)) = (slot.shared, slot.store) {
            self.tables[index].shared = true;
        }
        if said.has(notes::FLEXBUFFER) {
            slot.align = 8;
        }
        slot.nested = said.has(notes::NESTED);
        if let Some(forced) = said.get(notes::FORCE_ALIGN) {
            slot.align = alignment(forced, name)?;
        }
        Ok(())
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
            Kind::List(item) => match schema.kind(*item) {
                Kind::Union(_) if schema.type_notes(ty).has(notes::UNION_VECTOR) => Store::Unions(self.union(*item)),
                _ => Store::List(self.item(*item)?),
            },
            Kind::Map(..) => {
                let i = ty.index();
                if self.entries[i].is_none() {
                    let index = self.reserve(ty);
                    self.entries[i] = Some(index);
                    self.pending.push(Pending::Entry(index, ty));
                }
                Store::Map(self.entries[i].expect("just set"))
            }
            Kind::Record(_) if self.structs.has(ty) => Store::Struct(self.structs.get(ty)?),
            Kind::Record(_) => match self.target(ty) {
                Target::Record(index) => Store::Table(index),
                Target::Box(_) => unreachable!("records are not boxed"),
            },
            Kind::Union(_) => Store::Union(self.union(ty)),
            kind => {
                // FlatBuffers wants an enum's default to be one of its symbols.
                if let Kind::Enum(e) = kind
                    && e.position(0).is_none()
                    && !schema.type_notes(ty).has(notes::BIT_FLAGS)
                {
                    default = Cell::int(e.symbols[0].number);
                }
                Store::Scalar(scalar(schema, ty).expect("all other kinds are scalars"))
            }
        };
        Ok(Some(Slot { presence, default, ..Slot::new(slot_id(id)?, position, ty, store) }))
    }

    fn union(&mut self, ty: TypeId) -> usize {
        let i = ty.index();
        if self.by_union[i].is_none() {
            self.unions.push(UnionPlan { branches: Vec::new(), by_tag: Vec::new() });
            let index = self.unions.len() - 1;
            self.by_union[i] = Some(index);
            self.pending.push(Pending::Union(index, ty));
        }
        self.by_union[i].expect("just set")
    }

    /// An element of a list.
    fn item(&mut self, ty: TypeId) -> Result<Item> {
        Ok(match self.schema.kind(ty) {
            Kind::Null => Item::Null,
            Kind::String => Item::String,
            Kind::Any => Item::Json,
            _ if self.structs.has(ty) => Item::Struct(self.structs.get(ty)?),
            _ => match scalar(self.schema, ty) {
                Some(scalar) => Item::Scalar(scalar, ty),
                None => Item::Table(self.target(ty)),
            },
        })
    }

    /// The value of a map's entry lies in it as it would in a vector: what a vector cannot hold is boxed.
    fn entry_value(&mut self, ty: TypeId) -> Result<Option<Slot>> {
        if let Kind::Record(_) | Kind::Null = self.schema.kind(ty) {
            return self.slot(ty, 1, 1);
        }
        match self.item(ty)? {
            Item::Table(Target::Box(index)) => Ok(Some(Slot::new(1, 1, ty, Store::Boxed(index)))),
            _ => self.slot(ty, 1, 1),
        }
    }

    fn union_plan(&mut self, union: &Union) -> Result<UnionPlan> {
        let mut order: Vec<usize> = (0..union.branches.len()).collect();
        order.sort_by_key(|&position| union.branches[position].number);
        let bytes = order.iter().all(|&position| union.branches[position].number <= u8::MAX.into());
        let mut branches = Vec::new();
        for branch in &union.branches {
            let direct = branch.notes.has(notes::DIRECT);
            let variant = match self.schema.kind(branch.ty) {
                Kind::String if direct => Variant::String,
                Kind::Record(_) if direct && self.structs.has(branch.ty) => {
                    Variant::Struct(self.structs.get(branch.ty)?)
                }
                _ => Variant::Table(self.target(branch.ty)),
            };
            branches.push((0, variant));
        }
        let mut by_tag = vec![None];
        for (rank, &position) in order.iter().enumerate() {
            let tag = if bytes { union.branches[position].number as usize } else { rank + 1 };
            let byte = u8::try_from(tag);
            branches[position].0 =
                byte.map_err(|_| unsupported(format!("union {} has more than 255 branches", union.name)))?;
            by_tag.resize(tag, None);
            by_tag.push(Some(position));
        }
        Ok(UnionPlan { branches, by_tag })
    }

    /// A table of these slots, which are in the order of their ids.
    fn table(&self, ty: TypeId, slots: Vec<Slot>) -> Result<Table> {
        let (mut layout, mut gaps, mut ids, mut size) = (Vec::new(), Vec::new(), 0, 0);
        for slot in &slots {
            let id = slot.id;
            gaps.extend(ids..id);
            ids = id + slot.store.ids() as u16;
            match slot.store {
                Store::Flag => layout.push(Inline { id, size: 1, offset: false }),
                Store::Scalar(scalar) => layout.push(Inline { id, size: scalar.size() as u8, offset: false }),
                Store::Union(_) => {
                    let tag = Inline { id, size: 1, offset: false };
                    layout.extend([tag, Inline { id: id + 1, size: 4, offset: true }]);
                }
                Store::Unions(_) => layout.extend([id, id + 1].map(|id| Inline { id, size: 4, offset: true })),
                Store::Struct(index) => {
                    let layout_of = &self.structs.all[index];
                    size += layout_of.size + layout_of.align;
                    layout.push(Inline { id, size: 4, offset: false });
                }
                _ => layout.push(Inline { id, size: 4, offset: true }),
            }
        }
        if self.schema.type_notes(ty).has(notes::ORIGINAL_ORDER) && matches!(self.schema.kind(ty), Kind::Record(_)) {
            layout.sort_by_key(|inline| std::cmp::Reverse(inline.id));
            // Anything may have to be aligned.
            size += 8 * layout.len();
        } else {
            layout.sort_by_key(|inline| std::cmp::Reverse((inline.size, inline.id)));
        }
        // With its own offset, and the most that alignment may add.
        size += layout.iter().map(|inline| usize::from(inline.size)).sum::<usize>() + 4 + 8;
        if size > MOST {
            return Err(unsupported(format!("a table of {size} bytes is more than FlatBuffers allows (65535)")));
        }
        Ok(Table::new(ty, slots, layout, ids.into(), gaps))
    }
}

impl Table {
    /// A table that is no record's.
    fn new(ty: TypeId, slots: Vec<Slot>, layout: Vec<Inline>, ids: usize, gaps: Vec<u16>) -> Table {
        Table {
            ty,
            slots,
            layout,
            ids,
            gaps,
            is_record: false,
            simple: false,
            cells: 0,
            state_words: 0,
            key: None,
            shared: false,
            flat: None,
        }
    }
}

impl Slot {
    /// A slot without anything special.
    fn new(id: u16, position: usize, ty: TypeId, store: Store) -> Slot {
        let (presence, default) = (Presence::Required, Cell::EMPTY);
        Slot {
            id,
            position,
            ty,
            presence,
            default,
            store,
            stateful: false,
            present: 0,
            shared: false,
            align: 1,
            nested: false,
        }
    }
}

fn slot_id(id: usize) -> Result<u16> {
    // One more for the value of a union.
    u16::try_from(id)
        .ok()
        .filter(|&id| usize::from(id) * 2 + 8 <= MOST)
        .ok_or_else(|| unsupported("a record has more fields than a FlatBuffers table can have (32763)".to_owned()))
}

/// The scalar that values of this type are.
pub(super) fn scalar(schema: &Schema, ty: TypeId) -> Option<Scalar> {
    Some(match schema.kind(ty) {
        Kind::Bool => Scalar::Bool,
        Kind::Int(int) => Scalar::Int(*int),
        Kind::Float(Float::F32) => Scalar::F32,
        Kind::Float(Float::F64) => Scalar::F64,
        Kind::Enum(e) => {
            let underlying = schema.type_notes(ty).get(notes::TYPE).and_then(notes::integer);
            Scalar::Enum(underlying.unwrap_or_else(|| {
                let narrow = e.symbols.iter().all(|symbol| i32::try_from(symbol.number).is_ok());
                if narrow { Int::I32 } else { Int::I64 }
            }))
        }
        _ => return None,
    })
}
