//! A schema compiled for Cap'n Proto: which struct each type becomes, and where its fields lie.
//!
//! Ordinals count the fields in the order of their numbers, from 0. What a field needs beyond itself comes at its place:
//! the `none` of an optional scalar, the branches of a union.

use wirewise_core::{Arena, Error, ErrorKind, Float, Kind, Limits, Record, Result, Schema, TypeId, Union};

use super::layout::{self, Layout, Size};

/// A schema's structs.
pub(super) struct Plan {
    /// Beside the schema's table, indexed alike: the struct of a record, of a union where it is no field, of a map's
    /// entry, and of a nullable where it is no field.
    structs: Vec<Option<Struct>>,
    /// The struct of a root that has none of these.
    root: Option<Struct>,
}

/// A struct.
pub(super) struct Struct {
    /// The type that it is for.
    pub(super) ty: TypeId,
    pub(super) data_words: usize,
    pub(super) pointers: usize,
    /// The bits of each data word that fields and discriminants take.
    pub(super) used: Vec<u64>,
    /// In the order of their ordinals.
    pub(super) members: Vec<Member>,
}

/// A field of a record, a key, a value, or all of a union.
pub(super) struct Member {
    /// The field's position in its record.
    pub(super) position: usize,
    /// The type of its value when it has one.
    pub(super) ty: TypeId,
    pub(super) home: Home,
}

/// How a member is kept.
pub(super) enum Home {
    /// A field. A null pointer stands for no value, where there may be none.
    Slot(Slot),
    /// A union of nothing and a field: a data field that may have no value. The number is the discriminant's bit.
    Maybe(usize, Slot),
    /// A union, whose first member is nothing when there may be no value.
    Union {
        /// The bit where its discriminant lies; a union of one has none.
        discriminant: Option<usize>,
        /// By discriminant: the branch's position, or nothing.
        positions: Vec<Option<usize>>,
        /// By position: discriminant, and field.
        branches: Vec<(u16, Slot)>,
    },
}

/// A place in a struct.
#[derive(Debug, Clone, Copy)]
pub(super) enum Slot {
    Void,
    /// 2^`lg` bits at `bit`, kept with the bits of the default inverted.
    Data {
        bit: usize,
        lg: u32,
        default: u64,
    },
    Pointer(usize),
}

/// What an element of a list is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Void,
    Data(u32),
    Pointer,
    Struct,
}

impl Plan {
    pub(super) fn new(schema: &Schema) -> Result<Plan> {
        let structs = (0..schema.types().len())
            .map(TypeId::from_index)
            .map(|id| {
                let named = |error: Error| match schema.name(id) {
                    Some(name) => error.in_field(name),
                    None => error,
                };
                own_struct(schema, id).map_err(named)
            })
            .collect::<Result<_>>()?;
        let root = schema.root();
        let wrapped = !matches!(schema.kind(root), Kind::Record(_) | Kind::Union(_) | Kind::Nullable(_));
        let root = wrapped.then(|| Builder::new(schema, root).finish(|b| b.value(root, false))).transpose()?;
        Ok(Plan { structs, root })
    }

    /// The struct of a whole message.
    pub(super) fn root(&self, schema: &Schema) -> &Struct {
        self.root.as_ref().unwrap_or_else(|| self.of(schema.root()))
    }

    /// The struct of this type, which must have one.
    #[inline]
    pub(super) fn of(&self, ty: TypeId) -> &Struct {
        self.structs[ty.index()].as_ref().expect("structs were planned for all types that are ones")
    }
}

/// What values of this type take in a struct.
pub(super) fn size(schema: &Schema, ty: TypeId) -> Size {
    match schema.kind(ty) {
        Kind::Null => Size::Void,
        Kind::Bool => Size::Data(0),
        Kind::Int(int) => Size::Data(int.bits().ilog2()),
        Kind::Float(Float::F32) => Size::Data(5),
        Kind::Float(Float::F64) => Size::Data(6),
        Kind::Enum(_) => Size::Data(4),
        _ => Size::Pointer,
    }
}

/// What values of this type are in a list.
pub(super) fn element(schema: &Schema, ty: TypeId) -> Element {
    match (schema.kind(ty), size(schema, ty)) {
        (Kind::Record(_) | Kind::Union(_) | Kind::Nullable(_), _) => Element::Struct,
        (_, Size::Void) => Element::Void,
        (_, Size::Data(lg)) => Element::Data(lg),
        (_, Size::Pointer) => Element::Pointer,
    }
}

fn own_struct(schema: &Schema, ty: TypeId) -> Result<Option<Struct>> {
    let builder = Builder::new(schema, ty);
    match schema.kind(ty) {
        Kind::Record(record) => builder.finish(|b| b.record(record)),
        Kind::Union(union) => builder.finish(|b| b.union(0, ty, union, false)),
        Kind::Nullable(inner) => builder.finish(|b| match schema.kind(*inner) {
            Kind::Union(union) => b.union(0, *inner, union, true),
            _ => b.value(*inner, true),
        }),
        Kind::Map(key, value) => builder.finish(|b| {
            b.value(*key, false)?;
            match schema.kind(*value) {
                Kind::Nullable(inner) => b.value(*inner, true),
                _ => b.value(*value, false),
            }
        }),
        Kind::Enum(e) if e.symbols.len() > usize::from(u16::MAX) => {
            return Err(Error::new(ErrorKind::Unsupported, "Cap'n Proto enums have at most 65535 enumerants"));
        }
        _ => return Ok(None),
    }
    .map(Some)
}

/// Collects members, then lays them out.
struct Builder<'a> {
    schema: &'a Schema,
    ty: TypeId,
    next_ordinal: u32,
    tree: Vec<layout::Member>,
    members: Vec<Member>,
}

impl<'a> Builder<'a> {
    fn new(schema: &'a Schema, ty: TypeId) -> Self {
        Builder { schema, ty, next_ordinal: 0, tree: Vec::new(), members: Vec::new() }
    }

    fn slot(&mut self, size: Size, default: u64) -> (layout::Member, Slot) {
        let ordinal = self.next_ordinal;
        self.next_ordinal += 1;
        let slot = match size {
            Size::Void => Slot::Void,
            // Ordinals stand for the places, until these are known.
            Size::Data(lg) => Slot::Data { bit: ordinal as usize, lg, default },
            Size::Pointer => Slot::Pointer(ordinal as usize),
        };
        (layout::Member::Slot { ordinal, size }, slot)
    }

    fn record(&mut self, record: &Record) -> Result<()> {
        for position in record.by_number() {
            let field = &record.fields[position];
            let ty = field.value_type();
            if let Kind::Union(union) = self.schema.kind(ty) {
                self.union(position, ty, union, field.is_stateful())?;
            } else {
                let default = if field.is_stateful() { 0 } else { default_bits(self.schema, record, position)? };
                self.field(position, ty, field.is_stateful(), default);
            }
        }
        Ok(())
    }

    /// A member that is no union in place.
    fn value(&mut self, ty: TypeId, maybe: bool) -> Result<()> {
        self.field(0, ty, maybe, 0);
        Ok(())
    }

    fn field(&mut self, position: usize, ty: TypeId, maybe: bool, default: u64) {
        let size = size(self.schema, ty);
        let home = if maybe && size != Size::Pointer {
            let (none, _) = self.slot(Size::Void, 0);
            let (value, slot) = self.slot(size, 0);
            self.tree.push(layout::Member::Union { ordinal: None, members: vec![none, value] });
            Home::Maybe(0, slot)
        } else {
            let (member, slot) = self.slot(size, default);
            self.tree.push(member);
            Home::Slot(slot)
        };
        self.members.push(Member { position, ty, home });
    }

    fn union(&mut self, position: usize, ty: TypeId, union: &Union, maybe: bool) -> Result<()> {
        let mut order: Vec<usize> = (0..union.branches.len()).collect();
        order.sort_by_key(|&i| union.branches[i].number);
        let mut members = Vec::new();
        let mut positions = Vec::new();
        if maybe {
            members.push(self.slot(Size::Void, 0).0);
            positions.push(None);
        }
        let mut branches = vec![(0, Slot::Void); order.len()];
        for branch in order {
            let (member, slot) = self.slot(size(self.schema, union.branches[branch].ty), 0);
            members.push(member);
            // The place stands for the discriminant, until the layout says it.
            branches[branch] = (positions.len() as u16, slot);
            positions.push(Some(branch));
        }
        // A union of one is no union to the compiler: it is a group.
        let discriminant = if members.len() == 1 {
            self.tree.append(&mut members);
            None
        } else {
            self.tree.push(layout::Member::Union { ordinal: None, members });
            Some(0)
        };
        self.members.push(Member { position, ty, home: Home::Union { discriminant, positions, branches } });
        Ok(())
    }

    fn finish(mut self, collect: impl FnOnce(&mut Self) -> Result<()>) -> Result<Struct> {
        collect(&mut self)?;
        let layout = layout::layout(&self.tree)?;
        let most = usize::from(u16::MAX);
        let (data_words, pointers) = (layout.data_words as usize, layout.pointers as usize);
        if data_words > most || pointers > most || self.next_ordinal as usize > most {
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!("{} has more fields than a Cap'n Proto struct can have", self.schema.describe(self.ty)),
            ));
        }
        let mut placer = Placer { layout: &layout, used: vec![0; data_words], unions: 0 };
        for member in &mut self.members {
            placer.place(member);
        }
        Ok(Struct { ty: self.ty, data_words, pointers, used: placer.used, members: self.members })
    }
}

/// Replaces ordinals by the places that the layout gave them.
struct Placer<'a> {
    layout: &'a Layout,
    used: Vec<u64>,
    unions: usize,
}

impl Placer<'_> {
    fn place(&mut self, member: &mut Member) {
        match &mut member.home {
            Home::Slot(slot) => self.slot(slot),
            Home::Maybe(discriminant, slot) => {
                *discriminant = self.discriminant();
                self.slot(slot);
            }
            Home::Union { discriminant, positions, branches } => {
                if discriminant.is_some() {
                    let values = &self.layout.unions[self.unions].values;
                    let declared = positions.clone();
                    for (place, position) in declared.into_iter().enumerate() {
                        positions[usize::from(values[place])] = position;
                    }
                    for (value, _) in branches.iter_mut() {
                        *value = values[usize::from(*value)];
                    }
                    *discriminant = Some(self.discriminant());
                }
                for (_, slot) in branches {
                    self.slot(slot);
                }
            }
        }
    }

    fn slot(&mut self, slot: &mut Slot) {
        match slot {
            Slot::Void => {}
            Slot::Data { bit, lg, .. } => {
                *bit = (self.layout.offsets[&(*bit as u32)] as usize) << *lg;
                self.mark(*bit, *lg);
            }
            Slot::Pointer(index) => *index = self.layout.offsets[&(*index as u32)] as usize,
        }
    }

    fn discriminant(&mut self) -> usize {
        let bit = self.layout.unions[self.unions].discriminant as usize * 16;
        self.unions += 1;
        self.mark(bit, 4);
        bit
    }

    fn mark(&mut self, bit: usize, lg: u32) {
        self.used[bit / 64] |= u64::MAX >> (64 - (1 << lg)) << (bit % 64);
    }
}

/// The bits of a field's default: what is written is inverted where they are set, so that the default is all zeros.
fn default_bits(schema: &Schema, record: &Record, position: usize) -> Result<u64> {
    let field = &record.fields[position];
    if field.default.is_none() || matches!(size(schema, field.value_type()), Size::Pointer) {
        return Ok(0);
    }
    let mut arena = Arena::new(Limits::default());
    let at = arena.record(record)?;
    arena.set_default(schema, record, at, position)?;
    let cell = arena.field(record, at, position);
    Ok(match schema.kind(field.value_type()) {
        Kind::Enum(e) => e.position(cell.as_i64()).unwrap_or_default() as u64,
        Kind::Int(int) => cell.as_u64() & u64::MAX >> (64 - int.bits()),
        _ => cell.as_u64(),
    })
}
