//! A schema compiled for a binary format.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;

use wirewise_core::{
    Arena, Document, Float, Kind, Losses, Out, Record, Recorder, Result, Schema, Silent, State, TypeId,
};

use super::{Wire, decode, encode, flat};
use crate::Codec;
use crate::dynamic::{Style, UnionPlan};

/// A codec that writes records as maps, or as arrays when `positional`.
pub(crate) fn plan<W: Wire>(schema: &Arc<Schema>, positional: bool) -> Box<dyn Codec> {
    let style = Style { positional, textual: false };
    let ops: Vec<Op> = (0..schema.types().len()).map(|index| Op::new(schema, TypeId::from_index(index))).collect();
    let types: Vec<_> = schema.types().iter().map(|ty| TypePlan::new::<W>(schema, &ops, &ty.kind, style)).collect();
    let tree = flat::Tree::new::<W>(&types, schema.root());
    Box::new(BinaryCodec::<W> { schema: schema.clone(), positional, ops, types, tree, wire: PhantomData })
}

pub(super) struct BinaryCodec<W> {
    pub(super) schema: Arc<Schema>,
    pub(super) positional: bool,
    /// Beside the schema's table, indexed alike.
    pub(super) ops: Vec<Op>,
    /// What more there is to know about a type, indexed alike.
    pub(super) types: Vec<TypePlan>,
    /// How the first fields of the root are written, if it is a record.
    pub(super) tree: flat::Tree,
    wire: PhantomData<W>,
}

/// What a value is, in a few bytes: the schema's own types take several hundred each.
#[derive(Debug, Clone, Copy)]
pub(super) struct Op {
    pub(super) code: Code,
    /// Of an integer: whether it has a sign.
    pub(super) signed: bool,
    /// Of an integer: its largest value is `u64::MAX >> shift`.
    pub(super) shift: u8,
    /// The type.
    pub(super) ty: TypeId,
    /// Of a list: the type of the elements.
    pub(super) item: TypeId,
}

/// What kind of value it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    Bool,
    Int,
    F32,
    F64,
    String,
    List,
    Record,
    /// `Null` and `Any`: where a record is an array, they may look like a field that is not there.
    Null,
    Any,
    Other,
}

impl Op {
    fn new(schema: &Schema, ty: TypeId) -> Op {
        let mut op = Op { code: Code::Other, signed: false, shift: 0, ty, item: ty };
        op.code = match schema.kind(ty) {
            Kind::Bool => Code::Bool,
            Kind::Int(int) => {
                op.signed = int.signed();
                op.shift = (64 - int.bits()) as u8 + u8::from(int.signed());
                Code::Int
            }
            Kind::Float(Float::F32) => Code::F32,
            Kind::Float(Float::F64) => Code::F64,
            Kind::String => Code::String,
            Kind::List(item) => {
                op.item = *item;
                Code::List
            }
            Kind::Record(_) => Code::Record,
            Kind::Null => Code::Null,
            Kind::Any => Code::Any,
            _ => Code::Other,
        };
        op
    }

    /// The largest integer of the type.
    #[inline(always)]
    pub(super) fn most(&self) -> u64 {
        u64::MAX >> self.shift
    }
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
    /// The fields in the order in which they are written.
    pub(super) fields: Vec<FieldPlan>,
    /// Cells in the record's run, and how many of these are states.
    pub(super) cells: usize,
    pub(super) state_words: usize,
    /// Whether a `u64` has a bit for each field.
    pub(super) few: bool,
    /// If so: the fields that a message must have, or that have a default.
    pub(super) needed: u64,
    /// For each state word, the low bit of each field that may be absent.
    pub(super) optional: Vec<u64>,
    pub(super) has_oneofs: bool,
    /// What a record with all of its fields begins with.
    pub(super) head: [u8; 8],
    pub(super) head_len: usize,
    /// How to write the first fields, or all of it when it is flat.
    pub(super) steps: Vec<flat::Step>,
    /// Whether any of these writes a text.
    pub(super) texts: bool,
    /// By position: the place in `fields` after the field's.
    pub(super) next: Vec<usize>,
    /// By position: the field's name as it is written.
    pub(super) keys: Vec<Vec<u8>>,
    /// For names that do not come in the expected order.
    pub(super) names: HashMap<Vec<u8>, usize>,
}

/// A field, for reading and writing records in their usual order.
pub(super) struct FieldPlan {
    /// The first bytes of its key as written, zeros behind; none in an array.
    pub(super) key: [u8; 2 * KEY],
    /// Which bits of the first half of `key` count.
    mask: u128,
    /// How long the key is.
    pub(super) key_len: u32,
    /// Where its cell is in the record's run.
    pub(super) slot: u32,
    pub(super) position: u32,
    pub(super) value: Op,
    /// That it is present, in the record's first two state words.
    pub(super) present: u128,
    /// What null stands for; `None` when it is not allowed, or a value.
    pub(super) null: Option<State>,
    pub(super) stateful: bool,
    pub(super) optional: bool,
}

/// Bytes of a key that are compared at once.
const KEY: usize = 16;

impl FieldPlan {
    /// What follows the field's key, when it comes next.
    #[inline(always)]
    pub(super) fn behind_key<'a>(&self, keys: &[Vec<u8>], rest: &'a [u8]) -> Option<&'a [u8]> {
        let len = self.key_len as usize;
        let block = |bytes: &[u8], at: usize| bytes.get(at..)?.first_chunk().copied().map(u128::from_le_bytes);
        match block(rest, 0) {
            Some(first) if len <= 2 * KEY => {
                let mut differ = (first ^ block(&self.key, 0)?) & self.mask;
                if len > KEY {
                    differ |= block(rest, len - KEY)? ^ block(&self.key, len - KEY)?;
                }
                if differ == 0 { Some(&rest[len..]) } else { None }
            }
            _ if len == 0 => Some(rest),
            _ => rest.strip_prefix(&keys[self.position as usize][..]),
        }
    }
}

impl TypePlan {
    fn new<W: Wire>(schema: &Schema, ops: &[Op], kind: &Kind, style: Style) -> Self {
        match kind {
            Kind::Record(record) => TypePlan::Record(RecordPlan::new::<W>(ops, record, style)),
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
    fn new<W: Wire>(ops: &[Op], record: &Record, style: Style) -> Self {
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
        let mut optional = vec![0; record.state_words()];
        let mut needed = 0;
        for (position, field) in record.fields.iter().enumerate() {
            if field.is_optional() {
                optional[position / 32] |= 1 << (position % 32 * 2);
            }
            if position < 64 && (field.default.is_some() || !field.is_optional()) {
                needed |= 1 << position;
            }
        }
        let fields: Vec<FieldPlan> = order
            .iter()
            .map(|&position| {
                FieldPlan::new(ops, record, position, if style.positional { b"" } else { &keys[position] })
            })
            .collect();
        let mut begin = Vec::new();
        let start = if style.positional { W::list(order.len()) } else { W::map(order.len()) };
        start.write(&mut Out::new(&mut begin));
        let mut head = [0; 8];
        head[..begin.len()].copy_from_slice(&begin);
        let steps = flat::steps::<W>(record, &fields, &keys, &begin);
        let names = record.fields.iter().enumerate().map(|(i, field)| (field.name.as_bytes().to_vec(), i)).collect();
        RecordPlan {
            fields,
            cells: record.cells(),
            state_words: record.state_words(),
            few: record.fields.len() <= 64,
            needed,
            optional,
            has_oneofs: !record.oneofs.is_empty(),
            head,
            head_len: begin.len(),
            texts: steps.iter().any(|step| step.text),
            steps,
            next,
            keys,
            names,
        }
    }
}

impl RecordPlan {
    /// Whether no field may be absent.
    pub(super) fn all_there(&self) -> bool {
        !self.has_oneofs && self.optional.iter().all(|&bits| bits == 0)
    }

    /// Whether all fields have steps, of which the first one writes the head.
    pub(super) fn flat(&self) -> bool {
        !self.steps.is_empty() && self.steps.len() == self.fields.len()
    }
}

impl FieldPlan {
    fn new(ops: &[Op], record: &Record, position: usize, written: &[u8]) -> Self {
        let field = &record.fields[position];
        let mut key = [0; 2 * KEY];
        let len = written.len().min(key.len());
        key[..len].copy_from_slice(&written[..len]);
        let positional = written.is_empty();
        FieldPlan {
            key,
            mask: u128::MAX.checked_shr(8 * KEY.saturating_sub(len) as u32).unwrap_or(0),
            key_len: written.len() as u32,
            slot: (record.state_words() + position) as u32,
            position: position as u32,
            value: ops[field.value_type().index()],
            present: if record.state_words() > 0 && position < 64 { 2 << (position * 2) } else { 0 },
            // Null is how an array says that an optional field is absent.
            null: match (positional && field.is_optional(), field.is_nullable()) {
                (true, _) => Some(State::Absent),
                (_, true) => Some(State::Null),
                _ => None,
            },
            stateful: field.is_stateful(),
            optional: field.is_optional(),
        }
    }
}

/// A string as it is written.
fn string<W: Wire>(text: &str) -> Vec<u8> {
    let mut vec = Vec::new();
    let mut out = Out::new(&mut vec);
    W::string(text.len()).write(&mut out);
    out.bytes(text.as_bytes());
    drop(out);
    vec
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
        encode::write(self, document, &mut Out::new(out), losses)
    }
}
