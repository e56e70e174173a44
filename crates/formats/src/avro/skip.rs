//! What a reader does not want: how to get past it.

use super::model::{AvroSchema, NodeId, NodeKind, Primitive};

/// The place of a skip in its [`Skips`].
pub(super) type SkipId = usize;

/// How to get past the values of one type.
#[derive(Debug)]
pub(super) enum Skip {
    /// This many bytes.
    Bytes(usize),
    /// An `int` or `long`.
    Long,
    /// Bytes after their length.
    Text,
    Array(SkipId),
    /// Values after their keys.
    Map(SkipId),
    Union(Vec<SkipId>),
    Record(Vec<SkipId>),
}

/// Skips of a writer's types, made as they are needed.
#[derive(Debug, Default)]
pub(super) struct Skips {
    skips: Vec<Skip>,
    /// Whether values take no bytes at all, so that any number of them may be claimed.
    empty: Vec<bool>,
    /// By node of the writer's schema.
    done: std::collections::HashMap<NodeId, SkipId>,
}

impl Skips {
    pub(super) fn get(&self, id: SkipId) -> &Skip {
        &self.skips[id]
    }

    pub(super) fn is_empty(&self, id: SkipId) -> bool {
        self.empty[id]
    }

    /// The skip for a type.
    pub(super) fn add(&mut self, avro: &AvroSchema, node: NodeId) -> SkipId {
        if let Some(&id) = self.done.get(&node) {
            return id;
        }
        // The place is taken first, because a record may refer to itself: then there is something between that takes
        // bytes.
        let id = self.skips.len();
        self.skips.push(Skip::Bytes(0));
        self.empty.push(false);
        self.done.insert(node, id);
        let (skip, empty) = match avro.kind(node) {
            NodeKind::Primitive(primitive) => match primitive {
                Primitive::Null => (Skip::Bytes(0), true),
                Primitive::Boolean => (Skip::Bytes(1), false),
                Primitive::Int | Primitive::Long => (Skip::Long, false),
                Primitive::Float => (Skip::Bytes(4), false),
                Primitive::Double => (Skip::Bytes(8), false),
                Primitive::Bytes | Primitive::String => (Skip::Text, false),
            },
            NodeKind::Fixed { size, .. } => (Skip::Bytes(*size as usize), *size == 0),
            NodeKind::Enum { .. } => (Skip::Long, false),
            NodeKind::Array(item) => (Skip::Array(self.add(avro, *item)), false),
            NodeKind::Map(value) => (Skip::Map(self.add(avro, *value)), false),
            NodeKind::Union(branches) => {
                (Skip::Union(branches.iter().map(|&branch| self.add(avro, branch)).collect()), false)
            }
            NodeKind::Record { fields, .. } => {
                let fields: Vec<SkipId> = fields.iter().map(|field| self.add(avro, field.ty)).collect();
                let empty = fields.iter().all(|&field| self.empty[field]);
                (Skip::Record(fields), empty)
            }
        };
        self.skips[id] = skip;
        self.empty[id] = empty;
        id
    }
}
