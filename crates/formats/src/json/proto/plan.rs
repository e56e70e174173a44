//! What reading and writing look up for each type.

use std::collections::HashMap;

use wirewise_core::{Field, Kind, Schema, TypeId};

use super::names::Names;
use super::well_known::{self, WellKnown};
use crate::protobuf::{is_labelled, is_zero_when_missing};

pub(super) enum TypePlan {
    Record(RecordPlan),
    /// A message with a form of its own.
    WellKnown(WellKnown),
    Union(Names),
    Enum {
        /// Positions of the symbols by name.
        names: HashMap<Vec<u8>, usize>,
        /// Whether it is `google.protobuf.NullValue`, whose only value is null.
        null: bool,
    },
    Other,
}

pub(super) struct RecordPlan {
    pub(super) names: Names,
    /// By position.
    pub(super) fields: Vec<FieldPlan>,
}

pub(super) struct FieldPlan {
    pub(super) null: Null,
    pub(super) missing: Missing,
    /// Whether it is left out when it is zero or empty.
    pub(super) implicit: bool,
}

/// What null says of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Null {
    /// That it is absent.
    Absent,
    /// That its value is null, where a field of the model may be that.
    State,
    /// That its value is the null of its type.
    Value,
}

/// What a field is that did not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    Absent,
    Null,
    /// Its default, or zero.
    Default,
    Error,
}

impl TypePlan {
    pub(super) fn new(schema: &Schema, id: TypeId) -> Self {
        match schema.kind(id) {
            Kind::Record(record) => match WellKnown::of(schema, record) {
                Some(known) => TypePlan::WellKnown(known),
                None => TypePlan::Record(RecordPlan {
                    names: Names::of_fields(&record.fields),
                    fields: record.fields.iter().map(|field| FieldPlan::new(schema, field)).collect(),
                }),
            },
            Kind::Union(union) => {
                TypePlan::Union(Names::of_names(union.branches.iter().map(|branch| (&*branch.name, &branch.notes))))
            }
            Kind::Enum(e) => TypePlan::Enum {
                names: e.symbols.iter().enumerate().map(|(i, symbol)| (symbol.name.as_bytes().to_vec(), i)).collect(),
                null: well_known::is_null_value(e),
            },
            _ => TypePlan::Other,
        }
    }
}

impl FieldPlan {
    fn new(schema: &Schema, field: &Field) -> Self {
        let ty = field.value_type();
        let kind = schema.kind(ty);
        let required = !field.is_stateful();
        let labelled = is_labelled(field);
        let null = match kind {
            _ if field.is_nullable() => Null::State,
            _ if takes_null(schema, ty) => Null::Value,
            _ => Null::Absent,
        };
        let missing = match kind {
            _ if labelled => Missing::Error,
            _ if field.default.is_some() => Missing::Default,
            _ if field.is_optional() => Missing::Absent,
            _ if field.is_nullable() => Missing::Null,
            Kind::Record(_) | Kind::Union(_) => Missing::Error,
            Kind::Fixed(size) if *size > 0 => Missing::Error,
            _ => Missing::Default,
        };
        let implicit = match kind {
            _ if !required || labelled => false,
            Kind::List(_) | Kind::Map(..) => true,
            Kind::Record(_) | Kind::Union(_) | Kind::Any | Kind::Nullable(_) => false,
            Kind::Fixed(size) if *size > 0 => false,
            _ => is_zero_when_missing(schema, ty, Some(field)),
        };
        FieldPlan { null, missing, implicit }
    }
}

/// Whether null is a value of this type.
pub(super) fn takes_null(schema: &Schema, ty: TypeId) -> bool {
    match schema.kind(ty) {
        Kind::Null | Kind::Any | Kind::Nullable(_) => true,
        Kind::Enum(e) => well_known::is_null_value(e),
        Kind::Record(record) => matches!(WellKnown::of(schema, record), Some(WellKnown::Value(_))),
        _ => false,
    }
}
