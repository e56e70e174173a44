//! A schema compiled for JSON: small tables instead of the schema's own structures, which hold all that is known of a type.

use std::collections::HashMap;

use wirewise_core::{Float, Int, Kind, Logical, Out, Record, Schema, TypeId};

use crate::dynamic::{Style, UnionPlan};

/// How values of a type are read and written, where that takes no more than this. What is `Other` is looked up in the
/// schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Node {
    /// An integer written as one.
    Int(Int),
    /// A double written as one; `true` when integral values look like integers.
    Double(bool),
    Bool,
    /// A string that is text to us.
    String,
    List(TypeId),
    /// A record, by its place in [`Types::records`].
    Record(u32),
    Other,
}

/// The tables.
#[derive(Debug)]
pub(super) struct Types {
    /// Beside the schema's table, indexed alike.
    pub(super) nodes: Vec<Node>,
    pub(super) records: Vec<RecordPlan>,
    /// Beside the schema's table: what the others need.
    pub(super) others: Vec<Other>,
}

#[derive(Debug)]
pub(super) enum Other {
    Union(UnionPlan),
    Enum {
        /// Positions of the symbols by name.
        names: HashMap<Vec<u8>, usize>,
    },
    None,
}

#[derive(Debug)]
pub(super) struct RecordPlan {
    pub(super) ty: TypeId,
    /// Cells of its run, and how many of them are states.
    pub(super) cells: usize,
    pub(super) state_words: usize,
    /// By position.
    pub(super) fields: Vec<FieldPlan>,
    /// Positions of the fields by number: their order in an array.
    pub(super) order: Vec<usize>,
    pub(super) has_oneofs: bool,
    /// For names that do not come in the expected order.
    pub(super) names: HashMap<Vec<u8>, usize>,
}

#[derive(Debug)]
pub(super) struct FieldPlan {
    /// The first bytes of `,"name":`, and which of the first sixteen count.
    key: [u8; 32],
    mask: u128,
    /// All of it, if it is longer than sixteen bytes.
    long: Vec<u8>,
    /// Length of `"name":`.
    pub(super) len: usize,
    pub(super) node: Node,
    pub(super) nullable: bool,
    pub(super) optional: bool,
    /// Whether it is one of both.
    pub(super) stateful: bool,
    /// Whether its value can be null, also as one of a type that has null.
    pub(super) maybe_null: bool,
    /// Whether nothing has to be done when it does not come.
    pub(super) may_miss: bool,
    /// Type of the value when it has one.
    pub(super) ty: TypeId,
}

impl FieldPlan {
    /// Whether `input` has its `"name":` at `at`, where something comes before.
    #[inline(always)]
    pub(super) fn is_next(&self, input: &[u8], at: usize) -> bool {
        // Whatever comes before it, be it a comma or not.
        at > 0 && self.is_at(input, at - 1, self.mask & !0xff)
    }

    /// Whether `input` has its `,"name":` at `at`.
    #[inline(always)]
    pub(super) fn follows(&self, input: &[u8], at: usize) -> bool {
        self.is_at(input, at, self.mask)
    }

    #[inline(always)]
    fn is_at(&self, input: &[u8], at: usize, mask: u128) -> bool {
        let Some(rest) = input.get(at..) else { return false };
        let Some(start) = rest.first_chunk() else { return false };
        let key = self.key.first_chunk().expect("it is longer");
        (u128::from_le_bytes(*start) ^ u128::from_le_bytes(*key)) & mask == 0
            && (self.long.is_empty() || rest[16..].starts_with(&self.long[16..]))
    }

    /// Writes `,"name":`.
    #[inline(always)]
    pub(super) fn write(&self, out: &mut Out<'_>) {
        let len = self.len + 1;
        if len <= self.key.len() { out.part(&self.key, 0, len) } else { out.bytes(&self.long) }
    }

    /// `"name":`.
    pub(super) fn name(&self) -> &[u8] {
        if self.long.is_empty() { &self.key[1..=self.len] } else { &self.long[1..] }
    }
}

impl Types {
    pub(super) fn new(schema: &Schema, style: Style) -> Types {
        let mut types = Types { nodes: Vec::new(), records: Vec::new(), others: Vec::new() };
        let mut records = 0;
        for ty in schema.types() {
            types.nodes.push(match (&ty.kind, ty.logical) {
                (Kind::Record(_), _) => {
                    records += 1;
                    Node::Record(records - 1)
                }
                (Kind::List(item), _) => Node::List(*item),
                (Kind::Int(int), None) => Node::Int(*int),
                (Kind::Float(Float::F64), logical) => Node::Double(logical == Some(Logical::Number)),
                (Kind::Bool, _) => Node::Bool,
                (Kind::String, logical) if logical != Some(Logical::Number) => Node::String,
                _ => Node::Other,
            });
            types.others.push(match &ty.kind {
                Kind::Union(union) => Other::Union(UnionPlan::new(schema, union, style)),
                Kind::Enum(e) => {
                    let names = e.symbols.iter().enumerate().map(|(i, s)| (s.name.as_bytes().to_vec(), i));
                    Other::Enum { names: names.collect() }
                }
                _ => Other::None,
            });
        }
        for (index, ty) in schema.types().iter().enumerate() {
            if let Kind::Record(record) = &ty.kind {
                let plan = types.record(schema, TypeId::from_index(index), record);
                types.records.push(plan);
            }
        }
        types
    }

    fn record(&self, schema: &Schema, ty: TypeId, record: &Record) -> RecordPlan {
        let fields = record.fields.iter().map(|field| {
            let name = super::encode::key(field.name.as_bytes());
            let mut key = [0; 32];
            let count = name.len().min(32);
            key[..count].copy_from_slice(&name[..count]);
            FieldPlan {
                key,
                mask: if count >= 16 { u128::MAX } else { (1 << (8 * count)) - 1 },
                len: name.len() - 1,
                long: if name.len() > 16 { name } else { Vec::new() },
                node: self.nodes[field.value_type().index()],
                nullable: field.is_nullable(),
                optional: field.is_optional(),
                stateful: field.is_stateful(),
                maybe_null: field.is_stateful() || matches!(schema.kind(field.value_type()), Kind::Null | Kind::Any),
                may_miss: field.is_optional() && field.default.is_none(),
                ty: field.value_type(),
            }
        });
        RecordPlan {
            ty,
            cells: record.cells(),
            state_words: record.state_words(),
            fields: fields.collect(),
            order: record.by_number(),
            has_oneofs: !record.oneofs.is_empty(),
            names: record.fields.iter().enumerate().map(|(i, f)| (f.name.as_bytes().to_vec(), i)).collect(),
        }
    }
}
