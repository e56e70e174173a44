//! A schema compiled for Cap'n Proto: which struct each type becomes, and where its fields lie.

use std::collections::BTreeMap;

use wirewise_core::{Error, ErrorKind, Kind, Record, Result, Schema, TypeId};

use super::flat::Flat;
use super::layout::{self, Layout};
use super::notes;
use super::shape::{self, Form, Shape, Size, What, size};
use super::simple::Simple;
use super::value::{bits_of, default_bits};

/// A schema's structs.
pub(super) struct Plan {
    /// Beside the schema's table, indexed alike: the struct of a record, of a union where it is no field, of a map's
    /// entry, and of a nullable where it is no field.
    structs: Vec<Option<Struct>>,
    /// The struct of a root that has none of these.
    root: Option<Struct>,
    /// Defaults of pointers that only notes know.
    pub(super) defaults: Vec<Default>,
}

/// What a null pointer stands for, where it stands for something.
pub(super) struct Default {
    pub(super) ty: TypeId,
    pub(super) json: serde_json::Value,
    /// A message whose root pointer leads to the value; filled when everything else is planned.
    pub(super) message: Vec<u8>,
}

/// A struct.
pub(super) struct Struct {
    /// The type that it is for.
    pub(super) ty: TypeId,
    pub(super) data_words: usize,
    pub(super) pointers: usize,
    /// The bits of each data word that fields and discriminants take.
    pub(super) used: Vec<u64>,
    pub(super) scope: Scope,
    /// Whether going through the members meets the pointers in their order.
    pub(super) is_ordered: bool,
    /// Whether there are bits that no field takes.
    pub(super) has_holes: bool,
    /// If it is a record without unions and groups.
    pub(super) simple: Option<Simple>,
    /// If it has nothing but scalars and texts.
    pub(super) flat: Option<Flat>,
}

/// The members of a struct or group.
#[derive(Default)]
pub(super) struct Scope {
    /// Fields of a record that are in no oneof, or what else the struct is for.
    pub(super) members: Vec<Member>,
    pub(super) oneofs: Vec<Oneof>,
    /// Pointers that only notes know, with their names.
    pub(super) skipped: Vec<(usize, String)>,
}

/// A field of a record, a key, a value, or all of a union.
pub(super) struct Member {
    /// The field's position in its record.
    pub(super) position: usize,
    /// The type of its value when it has one.
    pub(super) ty: TypeId,
    pub(super) home: Home,
    /// What a null pointer stands for: a place in [`Plan::defaults`].
    pub(super) default: Option<usize>,
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
    /// A record whose fields lie in the same struct.
    Group(Scope),
}

/// A union whose members are fields of the record.
pub(super) struct Oneof {
    /// Its place in the record; `None`: the model can say none of its members.
    pub(super) oneof: Option<usize>,
    /// The bit where its discriminant lies; a union of one has none.
    pub(super) discriminant: Option<usize>,
    /// By discriminant.
    pub(super) arms: Vec<Arm>,
    /// The discriminant that stands for nothing; where that is the arm of a pointer, the pointer is null then.
    pub(super) nothing: Option<u16>,
}

/// A member of a [`Oneof`].
pub(super) enum Arm {
    Nothing,
    Member(Member),
    /// A pointer that only notes know, with its name.
    Skipped(usize, String),
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
        let mut defaults = Vec::new();
        let mut structs = Vec::with_capacity(schema.types().len());
        for id in (0..schema.types().len()).map(TypeId::from_index) {
            if let Kind::Enum(e) = schema.kind(id)
                && e.symbols.len() > usize::from(u16::MAX)
            {
                let what = "Cap'n Proto enums have at most 65535 enumerants";
                return Err(Error::new(ErrorKind::Unsupported, what).in_field(&e.name));
            }
            let named = |error: Error| match schema.name(id) {
                Some(name) => error.in_field(name),
                None => error,
            };
            let shape = shape::shape(schema, id).map_err(named)?;
            let struct_ = shape.map(|shape| compile(schema, id, &shape, &mut defaults)).transpose();
            structs.push(struct_.map_err(named)?);
        }
        let root = schema.root();
        let wrapped = structs[root.index()].is_none() || matches!(schema.kind(root), Kind::Map(..));
        let root = wrapped.then(|| compile(schema, root, &shape::root_shape(schema)?, &mut defaults)).transpose()?;
        Ok(Plan { structs, root, defaults })
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

/// What values of this type are in a list.
pub(super) fn element(schema: &Schema, ty: TypeId) -> Element {
    match (schema.kind(ty), size(schema, ty)) {
        (Kind::Record(_) | Kind::Union(_) | Kind::Nullable(_), _) => Element::Struct,
        (_, Size::Void) => Element::Void,
        (_, Size::Data(lg)) => Element::Data(lg),
        (_, Size::Pointer) => Element::Pointer,
    }
}

/// Where the fields of a struct lie.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// Words of its data section.
    pub data_words: u32,
    /// Pointers after that.
    pub pointers: u32,
    /// Of each field, by ordinal: its offset in multiples of its size, or the number of its pointer.
    pub offsets: BTreeMap<u32, u32>,
    /// Of each union, the offset of its discriminant in multiples of 16 bits, in ascending order.
    pub discriminants: Vec<u32>,
}

/// Where the fields of the struct of a type lie, as the `capnp` compiler lays it out; `None`: it is no struct.
///
/// # Errors
/// As [`shape::shape`], and [`ErrorKind::Unsupported`] for the few unions in unions that the compiler refuses.
pub fn places(schema: &Schema, ty: TypeId) -> Result<Option<Places>> {
    let Some(shape) = shape::shape(schema, ty)? else { return Ok(None) };
    let Layout { data_words, pointers, offsets, unions } = layout::layout(&tree(schema, &shape.members))?;
    let mut discriminants: Vec<u32> = unions.iter().map(|union| union.discriminant).collect();
    discriminants.sort_unstable();
    Ok(Some(Places { data_words, pointers, offsets, discriminants }))
}

/// The tree that the layout algorithm works on.
fn tree(schema: &Schema, members: &[shape::Member]) -> Vec<layout::Member> {
    let member = |member: &shape::Member| match &member.form {
        Form::Slot { ordinal, .. } => {
            layout::Member::Slot { ordinal: *ordinal, size: member.size(schema).unwrap_or(Size::Void) }
        }
        Form::Group(members) => layout::Member::Group(tree(schema, members)),
        Form::Union { ordinal, members } => layout::Member::Union { ordinal: *ordinal, members: tree(schema, members) },
    };
    members.iter().map(member).collect()
}

pub(super) fn compile(schema: &Schema, ty: TypeId, shape: &Shape, defaults: &mut Vec<Default>) -> Result<Struct> {
    let layout = layout::layout(&tree(schema, &shape.members))?;
    let most = usize::from(u16::MAX);
    let (data_words, pointers) = (layout.data_words as usize, layout.pointers as usize);
    if data_words > most || pointers > most || shape.ordinals as usize > most {
        return Err(Error::new(
            ErrorKind::Unsupported,
            format!("{} has more fields than a Cap'n Proto struct can have", schema.describe(ty)),
        ));
    }
    let mut compiler = Compiler { schema, layout: &layout, used: vec![0; data_words], unions: 0, defaults };
    let scope = match schema.kind(ty) {
        Kind::Record(_) => compiler.scope(ty, &shape.members)?,
        _ => Scope { members: compiler.values(ty, &shape.members)?, ..Scope::default() },
    };
    let used = compiler.used;
    let is_ordered = ordered(&scope, &mut 0);
    let has_holes = used.iter().any(|&bits| bits != u64::MAX);
    let simple = match schema.kind(ty) {
        Kind::Record(record) => Simple::new(schema, record, &scope),
        _ => None,
    };
    let flat = match (schema.kind(ty), &simple) {
        (Kind::Record(record), Some(simple)) => Flat::new(record, simple, &scope, data_words, pointers, &used),
        _ => None,
    };
    Ok(Struct { ty, data_words, pointers, used, scope, is_ordered, has_holes, simple, flat })
}

/// Whether going through a scope meets its pointers in order, all of them at `next` or after it.
fn ordered(scope: &Scope, next: &mut usize) -> bool {
    let members = scope.members.iter().all(|member| member_ordered(member, next));
    members
        && scope.oneofs.iter().all(|oneof| {
            // Only one of the arms is there.
            let start = *next;
            oneof.arms.iter().all(|arm| {
                let mut end = start;
                let is_ordered = match arm {
                    Arm::Member(member) => member_ordered(member, &mut end),
                    _ => true,
                };
                *next = end.max(*next);
                is_ordered
            })
        })
}

fn member_ordered(member: &Member, next: &mut usize) -> bool {
    let start = *next;
    let mut slot = |slot: &Slot| match slot {
        Slot::Pointer(index) => {
            *next = (*next).max(index + 1);
            *index >= start
        }
        _ => true,
    };
    match &member.home {
        Home::Slot(one) | Home::Maybe(_, one) => slot(one),
        Home::Union { branches, .. } => branches.iter().all(|(_, branch)| slot(branch)),
        Home::Group(scope) => ordered(scope, next),
    }
}

/// Puts members where the layout says.
struct Compiler<'a> {
    schema: &'a Schema,
    layout: &'a Layout,
    used: Vec<u64>,
    /// Unions so far: the layout has them in the same order.
    unions: usize,
    defaults: &'a mut Vec<Default>,
}

impl Compiler<'_> {
    /// The struct of a type that is no record.
    fn values(&mut self, ty: TypeId, members: &[shape::Member]) -> Result<Vec<Member>> {
        let schema = self.schema;
        let without_null = |ty: TypeId| if let Kind::Nullable(inner) = *schema.kind(ty) { inner } else { ty };
        let inner = |what: What| match (schema.kind(ty), what) {
            (Kind::Map(key, _), What::Key) => *key,
            (Kind::Map(_, value), What::Value) if members.len() == 2 => without_null(*value),
            (Kind::Nullable(inner), _) => *inner,
            _ => ty,
        };
        members.iter().map(|member| self.field(0, inner(member.what), member, 0)).collect()
    }

    fn scope(&mut self, ty: TypeId, members: &[shape::Member]) -> Result<Scope> {
        let Kind::Record(record) = self.schema.kind(ty) else { unreachable!("only records are groups") };
        let skipped = shape::skipped(self.schema, ty)?;
        let name = |i: usize| skipped[i].name.clone();
        let mut scope = Scope::default();
        for member in members {
            match member.what {
                What::Field(position) => scope.members.push(self.record_field(record, position, member)?),
                What::Skipped(i) => scope.skipped.push((self.pointer(member), name(i))),
                _ => {
                    let oneof = if let What::Oneof(oneof) = member.what { Some(oneof) } else { None };
                    scope.oneofs.push(self.oneof(record, oneof, member, &name)?);
                }
            }
        }
        // As the compiler's own tools write them.
        scope.members.sort_by_key(|member| record.fields[member.position].number);
        Ok(scope)
    }

    fn record_field(&mut self, record: &Record, position: usize, member: &shape::Member) -> Result<Member> {
        let field = &record.fields[position];
        let placed = |error: Error| error.in_field(&field.name);
        if let (Form::Group(members), true) = (&member.form, shape::is_group(self.schema, field)) {
            let home = Home::Group(self.scope(field.ty, members)?);
            return Ok(Member { position, ty: field.ty, home, default: None });
        }
        let note = field.notes.get(notes::DEFAULT).map(|text| {
            let json = serde_json::from_str(text).ok();
            json.ok_or_else(|| Error::new(ErrorKind::Schema, format!("the note {} is no JSON", notes::DEFAULT)))
        });
        let note: Option<serde_json::Value> = note.transpose().map_err(placed)?;
        // In a oneof, a nullable scalar is a struct behind a pointer.
        let ty = match &member.form {
            Form::Slot { ty: Some(ty), .. } => *ty,
            _ => field.value_type(),
        };
        let pointer = size(self.schema, ty) == Size::Pointer;
        let bits = match &note {
            _ if pointer => 0,
            Some(json) => bits_of(self.schema, ty, json).map_err(placed)?,
            None if field.is_stateful() => 0,
            None => default_bits(self.schema, field)?,
        };
        let mut member = self.field(position, ty, member, bits)?;
        if let (Some(json), true) = (note, pointer && matches!(member.home, Home::Slot(_))) {
            member.default = Some(self.defaults.len());
            self.defaults.push(Default { ty, json, message: Vec::new() });
        }
        Ok(member)
    }

    /// A member that is no group.
    fn field(&mut self, position: usize, ty: TypeId, member: &shape::Member, default: u64) -> Result<Member> {
        let home = match (&member.form, self.schema.kind(ty)) {
            (Form::Slot { .. }, _) => Home::Slot(self.slot(member, default)),
            (Form::Union { members, .. }, kind) if !matches!(kind, Kind::Union(_)) => {
                let (discriminant, _) = self.union();
                Home::Maybe(discriminant, self.slot(&members[1], 0))
            }
            (Form::Union { members, .. } | Form::Group(members), _) => {
                let union = matches!(member.form, Form::Union { .. }).then(|| self.union());
                let mut positions = vec![None; members.len()];
                let mut branches = vec![(0, Slot::Void); members.len()];
                for (i, member) in members.iter().enumerate() {
                    let value = union.as_ref().map_or(0, |(_, values)| values[i]);
                    if let What::Branch(branch) = member.what {
                        positions[usize::from(value)] = Some(branch);
                        branches[branch] = (value, self.slot(member, 0));
                    }
                }
                Home::Union { discriminant: union.map(|(bit, _)| bit), positions, branches }
            }
        };
        Ok(Member { position, ty, home, default: None })
    }

    fn oneof(
        &mut self,
        record: &Record,
        oneof: Option<usize>,
        member: &shape::Member,
        name: &dyn Fn(usize) -> String,
    ) -> Result<Oneof> {
        let (members, union) = match &member.form {
            Form::Union { members, .. } => (members, Some(self.union())),
            Form::Group(members) => (members, None),
            Form::Slot { .. } => unreachable!("a oneof is a union"),
        };
        let mut arms: Vec<Arm> = members.iter().map(|_| Arm::Nothing).collect();
        for (i, member) in members.iter().enumerate() {
            let value = union.as_ref().map_or(0, |(_, values)| values[i]);
            arms[usize::from(value)] = match member.what {
                What::Field(position) => Arm::Member(self.record_field(record, position, member)?),
                What::Skipped(i) => Arm::Skipped(self.pointer(member), name(i)),
                _ => Arm::Nothing,
            };
        }
        let required = oneof.is_some_and(|oneof| record.oneofs[oneof].required);
        let first = |is: fn(&Arm) -> bool| arms.iter().position(is).map(|value| value as u16);
        let nothing = if required {
            None
        } else {
            // The first member as a null pointer: a struct rather than what only notes know, and that rather than others.
            let pointer = match arms.first() {
                Some(Arm::Member(Member { home: Home::Slot(Slot::Pointer(_)), default: None, ty, .. })) => Some(*ty),
                _ => None,
            };
            let is_struct = pointer.is_some_and(|ty| matches!(self.schema.kind(ty), Kind::Record(_)));
            first(|arm| matches!(arm, Arm::Nothing))
                .or(is_struct.then_some(0))
                .or_else(|| first(|arm| matches!(arm, Arm::Skipped(..))))
                .or(pointer.map(|_| 0))
        };
        Ok(Oneof { oneof, discriminant: union.map(|(bit, _)| bit), arms, nothing })
    }

    fn slot(&mut self, member: &shape::Member, default: u64) -> Slot {
        let Form::Slot { ordinal, .. } = member.form else { return Slot::Void };
        let offset = self.layout.offsets.get(&ordinal).copied().unwrap_or_default() as usize;
        match member.size(self.schema) {
            Some(Size::Data(lg)) => {
                self.mark(offset << lg, lg);
                Slot::Data { bit: offset << lg, lg, default }
            }
            Some(Size::Pointer) => Slot::Pointer(offset),
            _ => Slot::Void,
        }
    }

    fn pointer(&mut self, member: &shape::Member) -> usize {
        if let Slot::Pointer(index) = self.slot(member, 0) { index } else { 0 }
    }

    /// The next union: the bit of its discriminant, and the values of its members.
    fn union(&mut self) -> (usize, Vec<u16>) {
        let placed = &self.layout.unions[self.unions];
        self.unions += 1;
        let bit = placed.discriminant as usize * 16;
        let values = placed.values.clone();
        self.mark(bit, 4);
        (bit, values)
    }

    fn mark(&mut self, bit: usize, lg: u32) {
        self.used[bit / 64] |= u64::MAX >> (64 - (1 << lg)) << (bit % 64);
    }
}
