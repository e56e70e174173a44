//! A schema compiled for a binary format.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;

use wirewise_core::{Arena, Document, Kind, Losses, Record, Recorder, Result, Schema, Silent};

use super::{Wire, decode, encode};
use crate::Codec;
use crate::dynamic::{Style, UnionPlan};

/// A codec that writes records as maps, or as arrays when `positional`.
pub(crate) fn plan<W: Wire>(schema: &Arc<Schema>, positional: bool) -> Box<dyn Codec> {
    let style = Style { positional, textual: false };
    let types = schema.types().iter().map(|ty| TypePlan::new::<W>(schema, &ty.kind, style)).collect();
    Box::new(BinaryCodec::<W> { schema: schema.clone(), positional, types, wire: PhantomData })
}

pub(super) struct BinaryCodec<W> {
    pub(super) schema: Arc<Schema>,
    pub(super) positional: bool,
    /// Beside the schema's table, indexed alike.
    pub(super) types: Vec<TypePlan>,
    wire: PhantomData<W>,
}

pub(super) enum TypePlan {
    Record(RecordPlan),
    Union {
        plan: UnionPlan,
        /// The name of each branch as it is written.
        names: Vec<Vec<u8>>,
    },
    Enum {
        /// The name of each symbol as it is written.
        names: Vec<Vec<u8>>,
        /// Positions of the symbols by name.
        positions: HashMap<Vec<u8>, usize>,
    },
    Other,
}

pub(super) struct RecordPlan {
    /// Positions of the fields in the order in which they are written.
    pub(super) order: Vec<usize>,
    /// By position: the place in `order` after the field's.
    pub(super) next: Vec<usize>,
    /// By position: the field's name as it is written.
    pub(super) keys: Vec<Vec<u8>>,
    /// For names that do not come in the expected order.
    pub(super) names: HashMap<Vec<u8>, usize>,
}

impl TypePlan {
    fn new<W: Wire>(schema: &Schema, kind: &Kind, style: Style) -> Self {
        match kind {
            Kind::Record(record) => TypePlan::Record(RecordPlan::new::<W>(record, style)),
            Kind::Union(union) => TypePlan::Union {
                plan: UnionPlan::new(schema, union, style),
                names: union.branches.iter().map(|branch| string::<W>(&branch.name)).collect(),
            },
            Kind::Enum(e) => TypePlan::Enum {
                names: e.symbols.iter().map(|symbol| string::<W>(&symbol.name)).collect(),
                positions: e.symbols.iter().enumerate().map(|(i, s)| (s.name.as_bytes().to_vec(), i)).collect(),
            },
            _ => TypePlan::Other,
        }
    }
}

impl RecordPlan {
    fn new<W: Wire>(record: &Record, style: Style) -> Self {
        let keys: Vec<_> = record.fields.iter().map(|field| string::<W>(&field.name)).collect();
        let mut order: Vec<usize> = (0..keys.len()).collect();
        if style.positional {
            order = record.by_number();
        } else if W::SORTED {
            order.sort_by(|&a, &b| keys[a].cmp(&keys[b]));
        }
        let mut next = vec![0; keys.len()];
        for (place, &position) in order.iter().enumerate() {
            next[position] = place + 1;
        }
        let names = record.fields.iter().enumerate().map(|(i, field)| (field.name.as_bytes().to_vec(), i)).collect();
        RecordPlan { order, next, keys, names }
    }
}

/// A string as it is written.
fn string<W: Wire>(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    W::string(text.len(), &mut out);
    out.extend_from_slice(text.as_bytes());
    out
}

impl<W: Wire> Codec for BinaryCodec<W> {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn read(&self, input: &[u8], arena: &mut Arena, losses: &mut Losses) -> Result<usize> {
        decode::read(self, input, arena, losses, &mut Silent)
    }

    fn trace(&self, input: &[u8], arena: &mut Arena, losses: &mut Losses, recorder: &mut Recorder) -> Result<usize> {
        decode::read(self, input, arena, losses, recorder)
    }

    fn encode(&self, document: &Document<'_>, out: &mut Vec<u8>, losses: &mut Losses) -> Result<()> {
        encode::write(self, document, out, losses)
    }
}
