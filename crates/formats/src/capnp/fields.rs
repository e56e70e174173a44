//! Where each field of a struct lies, for whoever holds two layouts against each other.
//!
//! The codec's own plan, laid flat: groups are gone, as their fields lie in the struct around them, and what is in a
//! union says at which discriminant.

use wirewise_core::{Kind, Result, Schema, TypeId};

use super::plan::{Arm, Home, Member, Oneof, Scope, Slot, Struct, compile};
use super::shape::shape;

/// A struct, laid flat.
#[derive(Debug, Clone, Default)]
pub struct Fields {
    /// Its fields.
    pub fields: Vec<FieldPlace>,
    /// Its unions, those of optional values among them.
    pub unions: Vec<UnionPlace>,
    /// The bits of each data word that fields and discriminants take.
    pub used: Vec<u64>,
}

/// A field, and where it lies.
#[derive(Debug, Clone)]
pub struct FieldPlace {
    /// The positions of the fields that lead to it: those of the groups that it is in, then its own. Nothing in a struct
    /// that is no record's.
    pub way: Vec<usize>,
    /// Its number, or which part it is of a struct that is no record's, from 1.
    pub number: u32,
    /// The position of the branch that this is the place of, when the field is a union.
    pub branch: Option<usize>,
    /// The type of what lies there. A nullable is a struct around a value.
    pub ty: TypeId,
    /// Its place.
    pub place: Place,
    /// The bits that are inverted there.
    pub default: u64,
    /// What a null pointer is read as, where that is not empty.
    pub null: Option<serde_json::Value>,
    /// The bits of the discriminants, from the outermost, and what they are when the field is there.
    pub arms: Vec<(usize, u16)>,
}

/// Where a field lies in its struct.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Nowhere.
    Nowhere,
    /// 2^`lg` bits of the data, from `bit`.
    Data {
        /// The first bit.
        bit: usize,
        /// How many.
        lg: u32,
    },
    /// The pointer with this number.
    Pointer(usize),
}

/// A union with a discriminant.
#[derive(Debug, Clone)]
pub struct UnionPlace {
    /// The first of the 16 bits of its discriminant.
    pub bit: usize,
    /// How many members it has.
    pub members: u16,
    /// Whether discriminant 0 says that there is nothing.
    pub has_none: bool,
    /// Whether a message with another member is refused; otherwise it is read as having none.
    pub refuses: bool,
    /// Those of the unions around it.
    pub arms: Vec<(usize, u16)>,
}

/// The struct of a type, as the codec lays it out; `None`: it is no struct.
///
/// # Errors
/// Those of [`super::places`].
pub fn fields(schema: &Schema, ty: TypeId) -> Result<Option<Fields>> {
    let Some(shape) = shape(schema, ty)? else { return Ok(None) };
    let mut defaults = Vec::new();
    let Struct { scope, used, .. } = compile(schema, ty, &shape, &mut defaults)?;
    let mut flat = Flat { schema, defaults, out: Fields { used, ..Fields::default() } };
    match schema.kind(ty) {
        Kind::Record(_) => flat.scope(ty, &scope, &[], &[]),
        _ => {
            for (i, member) in scope.members.iter().enumerate() {
                flat.member(member, i as u32 + 1, &[], &[]);
            }
        }
    }
    Ok(Some(flat.out))
}

struct Flat<'a> {
    schema: &'a Schema,
    defaults: Vec<super::plan::Default>,
    out: Fields,
}

type Arms = [(usize, u16)];

impl Flat<'_> {
    fn scope(&mut self, ty: TypeId, scope: &Scope, way: &[usize], arms: &Arms) {
        for member in &scope.members {
            self.field(ty, member, way, arms);
        }
        for oneof in &scope.oneofs {
            self.oneof(ty, oneof, way, arms);
        }
    }

    fn field(&mut self, ty: TypeId, member: &Member, way: &[usize], arms: &Arms) {
        let Kind::Record(record) = self.schema.kind(ty) else { return };
        let way = [way, &[member.position]].concat();
        self.member(member, record.fields[member.position].number, &way, arms);
    }

    fn oneof(&mut self, ty: TypeId, oneof: &Oneof, way: &[usize], arms: &Arms) {
        let Kind::Record(record) = self.schema.kind(ty) else { return };
        if let Some(bit) = oneof.discriminant {
            self.out.unions.push(UnionPlace {
                bit,
                members: oneof.arms.len() as u16,
                has_none: matches!(oneof.arms.first(), Some(Arm::Nothing)),
                refuses: oneof.oneof.is_some_and(|oneof| record.oneofs[oneof].required),
                arms: arms.to_vec(),
            });
        }
        for (value, arm) in oneof.arms.iter().enumerate() {
            if let Arm::Member(member) = arm {
                let own = oneof.discriminant.map(|bit| (bit, value as u16));
                self.field(ty, member, way, &[arms, own.as_slice()].concat());
            }
        }
    }

    fn member(&mut self, member: &Member, number: u32, way: &[usize], arms: &Arms) {
        let null = member.default.map(|default| self.defaults[default].json.clone());
        match &member.home {
            Home::Slot(slot) => self.slot(*slot, member.ty, number, None, null, way, arms),
            Home::Maybe(bit, slot) => {
                self.union(*bit, 2, true, arms);
                self.slot(*slot, member.ty, number, None, null, way, &[arms, &[(*bit, 1)]].concat());
            }
            Home::Group(scope) => self.scope(member.ty, scope, way, arms),
            Home::Union { discriminant, positions, branches } => {
                let Kind::Union(union) = self.schema.kind(member.ty) else { return };
                if let Some(bit) = discriminant {
                    self.union(*bit, positions.len() as u16, positions.first() == Some(&None), arms);
                }
                for (branch, (value, slot)) in branches.iter().enumerate().take(union.branches.len()) {
                    let own = discriminant.map(|bit| (bit, *value));
                    let arms = [arms, own.as_slice()].concat();
                    self.slot(*slot, union.branches[branch].ty, number, Some(branch), None, way, &arms);
                }
            }
        }
    }

    /// A union that is one value, or an optional one.
    fn union(&mut self, bit: usize, members: u16, has_none: bool, arms: &Arms) {
        self.out.unions.push(UnionPlace { bit, members, has_none, refuses: true, arms: arms.to_vec() });
    }

    #[allow(clippy::too_many_arguments)]
    fn slot(
        &mut self,
        slot: Slot,
        ty: TypeId,
        number: u32,
        branch: Option<usize>,
        null: Option<serde_json::Value>,
        way: &[usize],
        arms: &Arms,
    ) {
        let (place, default) = match slot {
            Slot::Void => (Place::Nowhere, 0),
            Slot::Data { bit, lg, default } => (Place::Data { bit, lg }, default),
            Slot::Pointer(index) => (Place::Pointer(index), 0),
        };
        let (way, arms) = (way.to_vec(), arms.to_vec());
        self.out.fields.push(FieldPlace { way, number, branch, ty, place, default, null, arms });
    }
}
