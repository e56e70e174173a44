//! A schema and an Avro schema side by side, compiled to one table of operations.

use std::collections::HashMap;

use wirewise_core::{Cell, Enum, Error, ErrorKind, Float, Int, Kind, Record, Result, Schema, TypeId};

use super::attributes as attribute;
use super::model::{AvroField, AvroSchema, NodeId, NodeKind, Primitive};
use super::names;
use super::skip::Skips;
use super::usual::{self, FieldPlan, RecordPlan};

/// The place of an operation in its [`Plan`].
pub(super) type OpId = u32;

/// How values of one type are read and written as one Avro schema says.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) ops: Vec<Op>,
    pub(super) root: OpId,
    /// What of the writer's values is passed over.
    pub(super) skips: Skips,
}

#[derive(Debug)]
pub(super) enum Op {
    Null,
    /// Null as the only branch of a union.
    OnlyNull,
    Bool,
    Int(Int),
    Float(Float),
    String,
    Bytes,
    Fixed(u32),
    /// A string of JSON text.
    Any,
    Enum(EnumPlan),
    List(OpId),
    Map {
        key_type: TypeId,
        value: OpId,
    },
    /// A map as an array of records with a key and a value.
    Pairs {
        key_type: TypeId,
        key: OpId,
        value: OpId,
    },
    Nullable {
        /// Index of null in the Avro union.
        null: i64,
        /// Index of the other branch.
        some: i64,
        value: OpId,
    },
    Union(UnionPlan),
    Record(RecordPlan),
    // What follows is for reading only: values that were written with another schema.
    /// An integer for a floating point number.
    IntToFloat(Float),
    /// A float for a double.
    FloatToDouble,
    /// Our number for each symbol of the writer's enum, or why there is none.
    Symbols(Vec<Result<i64, String>>),
    /// A union of the writer's.
    Choice {
        /// Whether our type is a nullable outside a field.
        boxed: bool,
        branches: Vec<Chosen>,
    },
    /// A value without a branch of the writer's, for a union of ours.
    Chosen {
        boxed: bool,
        chosen: Chosen,
    },
    /// What cannot be read, and why.
    Never(String),
}

/// What a value of the writer becomes in our type.
#[derive(Debug)]
pub(super) enum Chosen {
    Null,
    /// A value of our type, or of what is beside its null.
    Value(OpId),
    /// A value of this branch of our union.
    Branch(usize, OpId),
    /// What cannot be read, and why.
    Never(String),
}

#[derive(Debug)]
pub(super) struct EnumPlan {
    pub(super) ty: TypeId,
    /// By position of our symbol.
    pub(super) index: Vec<Option<i64>>,
    /// Numbers, by position of the Avro symbol.
    pub(super) numbers: Vec<i64>,
}

#[derive(Debug)]
pub(super) struct UnionPlan {
    pub(super) ty: TypeId,
    /// Whether null is one of the Avro branches.
    pub(super) nullable: bool,
    /// Index of null, if it is.
    pub(super) null: i64,
    /// Index and operation of each of our branches.
    pub(super) branches: Vec<(i64, OpId)>,
    /// Our branch for each Avro branch; `None` for null.
    pub(super) wire: Vec<Option<usize>>,
}

/// What null in a field says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nothing {
    /// The field is neither optional nor nullable.
    Never,
    /// It is absent.
    Absent,
    /// It is null.
    Null,
    /// An optional field whose type is `Null`: nothing is written for it.
    Always,
}

impl Plan {
    /// Compiles values of type `ty` as `avro` says they are written.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] with the path of the type that the Avro schema has otherwise.
    pub(super) fn new(schema: &Schema, ty: TypeId, avro: &AvroSchema) -> Result<Plan> {
        let mut binder = Binder { schema, avro, ops: Vec::new(), done: HashMap::new() };
        let root = binder.value(ty, avro.root)?;
        Ok(Plan::finished(schema, binder.ops, root, Skips::default()))
    }

    /// A plan of these operations.
    pub(super) fn finished(schema: &Schema, mut ops: Vec<Op>, root: OpId, skips: Skips) -> Plan {
        usual::finish(schema, &mut ops);
        Plan { ops, root, skips }
    }

    #[inline(always)]
    pub(super) fn op(&self, op: OpId) -> &Op {
        &self.ops[op as usize]
    }
}

/// A map's key as text, for paths and messages. `bytes` is what a string's cell stands for.
pub(super) fn key_text<'a>(schema: &Schema, key_type: TypeId, cell: Cell, bytes: impl Fn(Cell) -> &'a [u8]) -> String {
    match schema.kind(key_type) {
        Kind::String => String::from_utf8_lossy(bytes(cell)).into_owned(),
        Kind::Bool => cell.as_bool().to_string(),
        Kind::Int(int) if int.signed() => cell.as_i64().to_string(),
        _ => cell.as_u64().to_string(),
    }
}

/// Positions by name, and by the name that Avro has instead.
fn positions<'a>(names: impl Iterator<Item = &'a str> + Clone) -> HashMap<String, usize> {
    let legal = names::legal_names(names.clone()).into_iter().enumerate();
    let mut positions: HashMap<String, usize> = legal.map(|(position, name)| (name, position)).collect();
    // Legal names stay what they are, so that the other names take none of theirs.
    positions.extend(names.enumerate().map(|(position, name)| (name.to_owned(), position)));
    positions
}

struct Binder<'a> {
    schema: &'a Schema,
    avro: &'a AvroSchema,
    ops: Vec<Op>,
    /// Operations by type and node, and whether null is a branch beside the type's own.
    done: HashMap<(TypeId, NodeId, bool), OpId>,
}

impl Binder<'_> {
    fn value(&mut self, ty: TypeId, node: NodeId) -> Result<OpId> {
        self.memoized(ty, node, false)
    }

    fn memoized(&mut self, ty: TypeId, node: NodeId, or_null: bool) -> Result<OpId> {
        if let Some(&op) = self.done.get(&(ty, node, or_null)) {
            return Ok(op);
        }
        // The place is taken first, because a record may refer to itself.
        let place = self.ops.len();
        self.ops.push(Op::Null);
        self.done.insert((ty, node, or_null), place as OpId);
        self.ops[place] = if or_null { self.or_null(ty, node)? } else { self.fresh(ty, node)? };
        Ok(place as OpId)
    }

    #[cold]
    fn mismatch(&self, ty: TypeId, node: NodeId) -> Error {
        let (ours, theirs) = (self.schema.describe(ty), self.avro.branch_key(node));
        Error::new(ErrorKind::Unsupported, format!("the schema has {ours} where the Avro schema has {theirs}"))
    }

    fn fresh(&mut self, ty: TypeId, node: NodeId) -> Result<Op> {
        let (schema, avro) = (self.schema, self.avro);
        Ok(match (schema.kind(ty), avro.kind(node)) {
            (Kind::Null, NodeKind::Primitive(Primitive::Null)) => Op::Null,
            (Kind::Null, NodeKind::Union(branches)) if branches.len() == 1 && avro.is_null(branches[0]) => Op::OnlyNull,
            (Kind::Bool, NodeKind::Primitive(Primitive::Boolean)) => Op::Bool,
            // Both are written alike; values are checked one by one.
            (Kind::Int(int), NodeKind::Primitive(Primitive::Int | Primitive::Long)) => Op::Int(*int),
            (Kind::Float(Float::F32), NodeKind::Primitive(Primitive::Float)) => Op::Float(Float::F32),
            (Kind::Float(Float::F64), NodeKind::Primitive(Primitive::Double)) => Op::Float(Float::F64),
            (Kind::String, NodeKind::Primitive(Primitive::String)) => Op::String,
            (Kind::Bytes, NodeKind::Primitive(Primitive::Bytes)) => Op::Bytes,
            (Kind::Any, NodeKind::Primitive(Primitive::String)) => Op::Any,
            (Kind::Fixed(ours), NodeKind::Fixed { size, .. }) if ours == size => Op::Fixed(*size),
            (Kind::Enum(e), NodeKind::Enum { symbols, .. }) => Op::Enum(self.enumeration(ty, node, e, symbols)?),
            (Kind::List(item), NodeKind::Array(theirs)) => {
                Op::List(self.value(*item, *theirs).map_err(|error| error.in_index(0))?)
            }
            (Kind::Map(key, value), NodeKind::Map(theirs)) if *schema.kind(*key) == Kind::String => {
                let value = self.value(*value, *theirs).map_err(|error| error.in_key(b"*"))?;
                Op::Map { key_type: *key, value }
            }
            (Kind::Map(key, value), NodeKind::Array(entry)) => {
                let NodeKind::Record { fields, .. } = avro.kind(*entry) else { return Err(self.mismatch(ty, node)) };
                let [first, second] = &fields[..] else { return Err(self.mismatch(ty, node)) };
                if first.name != "key" || second.name != "value" {
                    return Err(self.mismatch(ty, node));
                }
                let key_op = self.value(*key, first.ty)?;
                let value = self.value(*value, second.ty).map_err(|error| error.in_key(b"*"))?;
                Op::Pairs { key_type: *key, key: key_op, value }
            }
            (Kind::Nullable(inner), NodeKind::Union(_)) => return self.or_null(*inner, node),
            (Kind::Union(_), NodeKind::Union(_)) => self.union(ty, node)?,
            (Kind::Record(record), NodeKind::Record { fields, .. }) => self.record(ty, record, fields)?,
            _ => return Err(self.mismatch(ty, node)),
        })
    }

    fn enumeration(&self, ty: TypeId, node: NodeId, e: &Enum, symbols: &[String]) -> Result<EnumPlan> {
        let positions = positions(e.symbols.iter().map(|symbol| symbol.name.as_str()));
        let originals = self.avro.nodes[node].attributes.get(attribute::SYMBOLS);
        let mut plan = EnumPlan { ty, index: vec![None; e.symbols.len()], numbers: Vec::with_capacity(symbols.len()) };
        for (i, symbol) in symbols.iter().enumerate() {
            let original = originals.and_then(|originals| originals.get(i)?.as_str()).unwrap_or(symbol);
            let Some(&position) = positions.get(original) else {
                return Err(Error::new(
                    ErrorKind::Unsupported,
                    format!("enum {} has no symbol {original:?}, which the Avro schema has", e.name),
                ));
            };
            plan.index[position] = Some(i as i64);
            plan.numbers.push(e.symbols[position].number);
        }
        Ok(plan)
    }

    /// A value of type `ty`, or null, as a union.
    fn or_null(&mut self, ty: TypeId, node: NodeId) -> Result<Op> {
        let NodeKind::Union(branches) = self.avro.kind(node) else { return Err(self.mismatch(ty, node)) };
        if let Kind::Union(_) = self.schema.kind(ty) {
            let op = self.union(ty, node)?;
            let nullable = matches!(&op, Op::Union(plan) if plan.nullable);
            return if nullable { Ok(op) } else { Err(self.mismatch(ty, node)) };
        }
        match branches[..] {
            [a, b] if self.avro.is_null(a) => Ok(Op::Nullable { null: 0, some: 1, value: self.value(ty, b)? }),
            [a, b] if self.avro.is_null(b) => Ok(Op::Nullable { null: 1, some: 0, value: self.value(ty, a)? }),
            _ => Err(self.mismatch(ty, node)),
        }
    }

    /// A union, with the null that the Avro union may have besides.
    fn union(&mut self, ty: TypeId, node: NodeId) -> Result<Op> {
        let (schema, avro) = (self.schema, self.avro);
        let (Kind::Union(union), NodeKind::Union(nodes)) = (schema.kind(ty), avro.kind(node)) else {
            return Err(self.mismatch(ty, node));
        };
        let mut plan = UnionPlan { ty, nullable: false, null: 0, branches: Vec::new(), wire: Vec::new() };
        for (index, &node) in nodes.iter().enumerate() {
            if avro.is_null(node) {
                (plan.nullable, plan.null) = (true, index as i64);
                plan.wire.push(None);
                continue;
            }
            let position = plan.branches.len();
            let Some(branch) = union.branches.get(position) else { return Err(self.mismatch(ty, node)) };
            // A wrapper adds no byte: its record is its field.
            let inner = match avro.kind(node) {
                NodeKind::Record { fields, .. } if self.is_wrapper(node) && fields.len() == 1 => fields[0].ty,
                _ => node,
            };
            let op = self.value(branch.ty, inner).map_err(|error| error.in_field(&branch.name))?;
            plan.wire.push(Some(position));
            plan.branches.push((index as i64, op));
        }
        if plan.branches.len() < union.branches.len() {
            return Err(self.mismatch(ty, node));
        }
        Ok(Op::Union(plan))
    }

    fn is_wrapper(&self, node: NodeId) -> bool {
        self.avro.nodes[node].attributes.contains_key(attribute::WRAPPER)
    }

    fn record(&mut self, ty: TypeId, record: &Record, fields: &[AvroField]) -> Result<Op> {
        let positions = positions(record.fields.iter().map(|field| field.name.as_str()));
        let mut seen = vec![false; record.fields.len()];
        let mut plans = Vec::with_capacity(fields.len());
        for theirs in fields {
            let name = theirs.attributes.get(attribute::NAME).and_then(|name| name.as_str()).unwrap_or(&theirs.name);
            let position = positions.get(name).copied().filter(|&position| !seen[position]);
            let Some(position) = position else {
                let what = format!("record {} has no field {name:?}, which the Avro schema has", record.name);
                return Err(Error::new(ErrorKind::Unsupported, what));
            };
            seen[position] = true;
            let field = &record.fields[position];
            let plan = self.field(record, position, theirs.ty);
            plans.push(plan.map_err(|error| error.in_field(&field.name))?);
        }
        if let Some(position) = seen.iter().position(|seen| !seen) {
            let what = format!(
                "record {} has a field {:?}, which the Avro schema does not have",
                record.name, record.fields[position].name
            );
            return Err(Error::new(ErrorKind::Unsupported, what));
        }
        Ok(Op::Record(RecordPlan::new(self.schema, ty, plans)))
    }

    fn field(&mut self, record: &Record, position: usize, node: NodeId) -> Result<FieldPlan> {
        let field = &record.fields[position];
        let ty = field.value_type();
        let is_null = *self.schema.kind(ty) == Kind::Null;
        let (op, nothing) = match (field.is_optional(), field.is_nullable()) {
            (true, _) if is_null => (self.value(ty, node)?, Nothing::Always),
            (false, false) => (self.value(ty, node)?, Nothing::Never),
            (true, _) => (self.memoized(ty, node, true)?, Nothing::Absent),
            (false, true) => (self.memoized(ty, node, true)?, Nothing::Null),
        };
        Ok(FieldPlan::new(position, op, nothing))
    }
}
