//! Schema resolution: reading with one schema what was written with another, as the specification's section of that
//! name has it.

use std::collections::HashMap;

use serde_json::Value as Json;
use wirewise_core::{Enum, Error, ErrorKind, Float, Kind, Record, Result, Schema, TypeId};

use super::attributes as attribute;
use super::literal::Compiler;
use super::model::{AvroField, AvroSchema, NodeId, NodeKind, Primitive, namespace_of, simple_name};
use super::plan::{Chosen, Nothing, Op, OpId, Plan};
use super::skip::Skips;
use super::usual::{FieldPlan, RecordPlan};

/// A plan that reads what `writer` wrote as values of type `ty`, whose Avro schema is `reader`.
///
/// # Errors
/// [`ErrorKind::Unsupported`] with the path and both types, where no value of the one can be read as the other;
/// `Schema` where a default that is needed is no value of its type.
pub(super) fn resolve(schema: &Schema, ty: TypeId, reader: &AvroSchema, writer: &AvroSchema) -> Result<Plan> {
    let mut resolver = Resolver {
        schema,
        reader,
        writer,
        ops: Vec::new(),
        skips: Skips::default(),
        defaults: Compiler::new(schema, reader),
        done: HashMap::new(),
    };
    let root = resolver.value(ty, reader.root, writer.root)?;
    Ok(Plan::finished(schema, resolver.ops, root, resolver.skips))
}

struct Resolver<'a> {
    schema: &'a Schema,
    reader: &'a AvroSchema,
    writer: &'a AvroSchema,
    ops: Vec<Op>,
    skips: Skips,
    defaults: Compiler<'a>,
    /// Operations by our type and both nodes, and whether null is a branch beside the type's own.
    done: HashMap<(TypeId, NodeId, NodeId, bool), Result<OpId>>,
}

/// How well a type of the writer fits one of the reader's; the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// The same type; named types have the same full name.
    Same,
    /// Named types with the same name, but for namespaces and aliases.
    Named,
    /// A number that the reader's type can hold, or text for bytes.
    Promoted,
}

impl<'a> Resolver<'a> {
    fn value(&mut self, ty: TypeId, r: NodeId, w: NodeId) -> Result<OpId> {
        self.memoized(ty, r, w, false)
    }

    fn memoized(&mut self, ty: TypeId, r: NodeId, w: NodeId, or_null: bool) -> Result<OpId> {
        let key = (ty, r, w, or_null);
        if let Some(done) = self.done.get(&key) {
            return done.clone();
        }
        // The place is taken first, because a record may refer to itself.
        let place = self.ops.len();
        self.ops.push(Op::Null);
        self.done.insert(key, Ok(place as OpId));
        match self.fresh(ty, r, w, or_null) {
            Ok(op) => {
                self.ops[place] = op;
                Ok(place as OpId)
            }
            Err(error) => {
                // A branch that refers to it, and was taken while it seemed to fit, does not fit either.
                self.ops[place] = Op::Never(error.message().to_owned());
                self.done.insert(key, Err(error.clone()));
                Err(error)
            }
        }
    }

    #[cold]
    fn mismatch(&self, ty: TypeId, w: NodeId) -> Error {
        let (ours, theirs) = (self.schema.describe(ty), self.writer.branch_key(w));
        Error::new(ErrorKind::Unsupported, format!("the writer's {theirs} cannot be read as {ours}"))
    }

    fn fresh(&mut self, ty: TypeId, r: NodeId, w: NodeId, or_null: bool) -> Result<Op> {
        let boxed = !or_null && matches!(self.schema.kind(ty), Kind::Nullable(_));
        let NodeKind::Union(branches) = self.writer.kind(w) else {
            if let NodeKind::Union(_) = self.reader.kind(r) {
                let chosen = self.chosen(ty, r, w, or_null)?;
                return Ok(Op::Chosen { boxed, chosen });
            }
            return self.plain(ty, r, w);
        };
        // Which branch was written shows when a value is read.
        let (mut chosen, mut first) = (Vec::with_capacity(branches.len()), None);
        let mut fits = false;
        for &branch in branches {
            chosen.push(match self.chosen(ty, r, branch, or_null) {
                Ok(chosen) => {
                    fits = true;
                    chosen
                }
                Err(error) => {
                    let path = error.path().map(|path| format!(", in {path} of it")).unwrap_or_default();
                    let what = format!("{}{path}", error.message());
                    first.get_or_insert(error);
                    Chosen::Never(what)
                }
            });
        }
        match first {
            Some(error) if !fits => Err(error),
            _ if branches.is_empty() => Err(self.mismatch(ty, w)),
            _ => Ok(Op::Choice { boxed, branches: chosen }),
        }
    }

    /// How a value of the writer, of a type that is no union, becomes one of ours, which may be a union.
    fn chosen(&mut self, ty: TypeId, r: NodeId, w: NodeId, or_null: bool) -> Result<Chosen> {
        let NodeKind::Union(nodes) = self.reader.kind(r) else { return self.value(ty, r, w).map(Chosen::Value) };
        let inner = match self.schema.kind(ty) {
            Kind::Nullable(inner) if !or_null => *inner,
            _ => ty,
        };
        let mut failed = None;
        for wanted in [Fit::Same, Fit::Named, Fit::Promoted] {
            let mut position = 0;
            for &node in nodes {
                let is_null = self.reader.is_null(node);
                if self.fit(node, w) == Some(wanted) {
                    if is_null {
                        return Ok(Chosen::Null);
                    }
                    match self.branch(inner, position, node, w) {
                        Ok(chosen) => return Ok(chosen),
                        Err(error) => drop(failed.get_or_insert(error)),
                    }
                }
                position += usize::from(!is_null);
            }
        }
        Err(failed.unwrap_or_else(|| self.mismatch(ty, w)))
    }

    /// The same for one branch of ours that is not null.
    fn branch(&mut self, inner: TypeId, position: usize, node: NodeId, w: NodeId) -> Result<Chosen> {
        let Kind::Union(union) = self.schema.kind(inner) else { return self.value(inner, node, w).map(Chosen::Value) };
        let branch = union.branches.get(position).ok_or_else(|| self.mismatch(inner, w))?;
        // A wrapper adds no byte: its record is its field.
        let wrapped = |avro: &'a AvroSchema, node: NodeId| match avro.kind(node) {
            NodeKind::Record { fields, .. } if fields.len() == 1 => Some(fields[0].ty),
            _ => None,
        };
        let (mut r, mut w) = (node, w);
        if self.reader.nodes[node].attributes.contains_key(attribute::WRAPPER)
            && let (Some(ours), Some(theirs)) = (wrapped(self.reader, node), wrapped(self.writer, w))
        {
            (r, w) = (ours, theirs);
        }
        let op = self.value(branch.ty, r, w).map_err(|error| error.in_field(&branch.name))?;
        Ok(Chosen::Branch(position, op))
    }

    /// How well types fit that are no unions, by what they are and how they are called.
    fn fit(&self, r: NodeId, w: NodeId) -> Option<Fit> {
        match (self.reader.kind(r), self.writer.kind(w)) {
            (NodeKind::Primitive(ours), NodeKind::Primitive(theirs)) => match ours == theirs {
                true => Some(Fit::Same),
                false => is_promoted(*theirs, *ours).then_some(Fit::Promoted),
            },
            (NodeKind::Array(_), NodeKind::Array(_)) | (NodeKind::Map(_), NodeKind::Map(_)) => Some(Fit::Same),
            (NodeKind::Fixed { .. }, NodeKind::Fixed { .. })
            | (NodeKind::Enum { .. }, NodeKind::Enum { .. })
            | (NodeKind::Record { .. }, NodeKind::Record { .. }) => self.names_fit(r, w),
            _ => None,
        }
    }

    fn names_fit(&self, r: NodeId, w: NodeId) -> Option<Fit> {
        let (ours, theirs) = (self.reader.branch_key(r), self.writer.branch_key(w));
        let attributes = [&self.reader.nodes[r].attributes, &self.writer.nodes[w].attributes];
        // A wrapper's name is made of the place where its union comes first; what it is called after is the branch.
        if let [Some(ours), Some(theirs)] = attributes.map(|attributes| attributes.get(attribute::WRAPPER)) {
            return (ours == theirs).then_some(Fit::Same);
        }
        if ours == theirs {
            return Some(Fit::Same);
        }
        // Names that are made up, because our model has none, mean nothing.
        let is_made = |name| attributes.iter().any(|attributes| attributes.contains_key(name));
        let aliases = attributes[0].get(attribute::TYPE_ALIASES).and_then(Json::as_array).into_iter().flatten();
        let is_alias = aliases.filter_map(Json::as_str).any(|alias| {
            let namespace = namespace_of(ours);
            let full =
                if alias.contains('.') || namespace.is_empty() { alias } else { &format!("{namespace}.{alias}") };
            full.trim_start_matches('.') == theirs || simple_name(alias) == simple_name(theirs)
        });
        let fits = simple_name(ours) == simple_name(theirs) || is_alias || is_made(attribute::GENERATED);
        fits.then_some(Fit::Named)
    }

    /// Both are no unions.
    fn plain(&mut self, ty: TypeId, r: NodeId, w: NodeId) -> Result<Op> {
        use Primitive::{Boolean, Bytes, Double, Int, Long, Null, String};
        let (reader, writer) = (self.reader, self.writer);
        let (ours, theirs) = (reader.kind(r), writer.kind(w));
        if self.fit(r, w).is_none() {
            let names_differ = std::mem::discriminant(ours) == std::mem::discriminant(theirs)
                && !matches!(ours, NodeKind::Primitive(_));
            let error = self.mismatch(ty, w);
            return Err(if names_differ {
                error.hint("an alias in the reader's schema would say that they are the same")
            } else {
                error
            });
        }
        self.check_decimal(ty, r, w)?;
        Ok(match (self.schema.kind(ty), ours, theirs) {
            (Kind::Null, NodeKind::Primitive(Null), _) => Op::Null,
            (Kind::Bool, NodeKind::Primitive(Boolean), _) => Op::Bool,
            (Kind::Int(int), NodeKind::Primitive(Int | Long), _) => Op::Int(*int),
            (Kind::Float(float), NodeKind::Primitive(_), NodeKind::Primitive(Int | Long)) => Op::IntToFloat(*float),
            (Kind::Float(Float::F64), NodeKind::Primitive(_), NodeKind::Primitive(Double)) => Op::Float(Float::F64),
            (Kind::Float(Float::F64), NodeKind::Primitive(_), _) => Op::FloatToDouble,
            (Kind::Float(Float::F32), NodeKind::Primitive(_), _) => Op::Float(Float::F32),
            (Kind::String, NodeKind::Primitive(String), _) => Op::String,
            (Kind::Bytes, NodeKind::Primitive(Bytes), _) => Op::Bytes,
            (Kind::Any, NodeKind::Primitive(String), _) => Op::Any,
            (Kind::Fixed(size), NodeKind::Fixed { .. }, NodeKind::Fixed { name, size: theirs }) => {
                if size != theirs {
                    let what = format!("the writer's {name} has {theirs} bytes, the reader's {size}");
                    return Err(Error::new(ErrorKind::Unsupported, what));
                }
                Op::Fixed(*size)
            }
            (Kind::Enum(e), NodeKind::Enum { symbols, .. }, NodeKind::Enum { symbols: theirs, .. }) => {
                Op::Symbols(self.enumeration(e, r, symbols, theirs))
            }
            (Kind::List(item), NodeKind::Array(ours), NodeKind::Array(theirs)) => {
                Op::List(self.value(*item, *ours, *theirs).map_err(|error| error.in_index(0))?)
            }
            (Kind::Map(key, value), NodeKind::Map(ours), NodeKind::Map(theirs)) => {
                let value = self.value(*value, *ours, *theirs).map_err(|error| error.in_key(b"*"))?;
                Op::Map { key_type: *key, value }
            }
            (Kind::Map(key, value), NodeKind::Array(ours), NodeKind::Array(theirs)) => {
                let parts = entry(reader, *ours).zip(entry(writer, *theirs));
                let ([our_key, ours], [their_key, theirs]) = parts.ok_or_else(|| self.mismatch(ty, w))?;
                let key_op = self.value(*key, our_key, their_key)?;
                let value = self.value(*value, ours, theirs).map_err(|error| error.in_key(b"*"))?;
                Op::Pairs { key_type: *key, key: key_op, value }
            }
            (Kind::Record(record), NodeKind::Record { fields, .. }, NodeKind::Record { fields: theirs, .. }) => {
                self.record(ty, record, fields, theirs)?
            }
            _ => return Err(self.mismatch(ty, w)),
        })
    }

    /// Decimals are the same only with the same precision and scale.
    fn check_decimal(&self, ty: TypeId, r: NodeId, w: NodeId) -> Result<()> {
        let decimal = |avro: &AvroSchema, node: NodeId| {
            let attributes = &avro.nodes[node].attributes;
            let is_decimal = attributes.get(attribute::LOGICAL_TYPE).and_then(Json::as_str) == Some("decimal");
            let number = |name: &str| attributes.get(name).and_then(Json::as_u64).unwrap_or(0);
            is_decimal.then(|| (number("precision"), number("scale")))
        };
        match (decimal(self.reader, r), decimal(self.writer, w)) {
            (Some(ours), Some(theirs)) if ours != theirs => {
                let what = format!(
                    "the writer's {} is a decimal of precision {} and scale {}, the reader's {} one of precision {} and scale {}",
                    self.writer.branch_key(w),
                    theirs.0,
                    theirs.1,
                    self.schema.describe(ty),
                    ours.0,
                    ours.1
                );
                Err(Error::new(ErrorKind::Unsupported, what))
            }
            _ => Ok(()),
        }
    }

    /// Our number for each symbol of the writer, or its name where we have none.
    fn enumeration(&self, e: &Enum, r: NodeId, ours: &[String], theirs: &[String]) -> Vec<Result<i64, String>> {
        let numbers: HashMap<&str, i64> =
            ours.iter().zip(&e.symbols).map(|(name, symbol)| (name.as_str(), symbol.number)).collect();
        let default = self.reader.nodes[r].attributes.get(attribute::ENUM_DEFAULT).and_then(Json::as_str);
        let default = default.and_then(|name| numbers.get(name));
        let number = |name: &String| numbers.get(name.as_str()).or(default).copied();
        theirs
            .iter()
            .map(|name| number(name).ok_or_else(|| format!("enum {} has no symbol {name:?}", e.name)))
            .collect()
    }

    fn record(&mut self, ty: TypeId, record: &Record, ours: &[AvroField], theirs: &[AvroField]) -> Result<Op> {
        // By name first, so that an alias takes no field that another of ours is called like.
        let mut source: Vec<Option<usize>> = vec![None; ours.len()];
        let positions: HashMap<&str, usize> =
            theirs.iter().enumerate().map(|(position, field)| (field.name.as_str(), position)).collect();
        let mut target: Vec<Option<usize>> = vec![None; theirs.len()];
        for (position, field) in ours.iter().enumerate() {
            if let Some(&place) = positions.get(field.name.as_str()) {
                (source[position], target[place]) = (Some(place), Some(position));
            }
        }
        for (position, field) in
            ours.iter().enumerate().filter(|&(position, _)| source[position].is_none()).collect::<Vec<_>>()
        {
            let free = |alias: &String| positions.get(alias.as_str()).copied().filter(|&place| target[place].is_none());
            if let Some(place) = field.aliases.iter().find_map(free) {
                (source[position], target[place]) = (Some(place), Some(position));
            }
        }
        let mut fields = Vec::with_capacity(theirs.len());
        let mut skipped = Vec::new();
        for (place, position) in target.iter().enumerate() {
            fields.push(match *position {
                Some(position) => {
                    let plan = self.field(record, position, ours[position].ty, theirs[place].ty);
                    plan.map_err(|error| error.in_field(&record.fields[position].name))?
                }
                None => {
                    skipped.push(theirs[place].name.clone());
                    FieldPlan::skip(skipped.len() - 1, self.skips.add(self.writer, theirs[place].ty))
                }
            });
        }
        let mut defaults = Vec::new();
        for (position, row) in ours.iter().enumerate().filter(|&(position, _)| source[position].is_none()) {
            let literal = self.defaults.field(ty, position, row)?.ok_or_else(|| {
                let what = format!(
                    "the writer's record {} has no field {:?}, and the reader's has no default for it",
                    record.name, row.name
                );
                Error::new(ErrorKind::Unsupported, what).in_field(&record.fields[position].name)
            })?;
            defaults.push((position, literal));
        }
        Ok(Op::Record(RecordPlan { skipped, defaults, ..RecordPlan::new(self.schema, ty, fields) }))
    }

    fn field(&mut self, record: &Record, position: usize, r: NodeId, w: NodeId) -> Result<FieldPlan> {
        let field = &record.fields[position];
        let ty = field.value_type();
        let is_null = *self.schema.kind(ty) == Kind::Null;
        let (op, nothing) = match (field.is_optional(), field.is_nullable()) {
            (true, _) if is_null => (self.value(ty, r, w)?, Nothing::Always),
            (false, false) => (self.value(ty, r, w)?, Nothing::Never),
            (true, _) => (self.memoized(ty, r, w, true)?, Nothing::Absent),
            (false, true) => (self.memoized(ty, r, w, true)?, Nothing::Null),
        };
        Ok(FieldPlan::new(position, op, nothing))
    }
}

/// Key and value of an array of entries.
fn entry(avro: &AvroSchema, node: NodeId) -> Option<[NodeId; 2]> {
    match avro.kind(node) {
        NodeKind::Record { fields, .. } => match &fields[..] {
            [key, value] if key.name == "key" && value.name == "value" => Some([key.ty, value.ty]),
            _ => None,
        },
        _ => None,
    }
}

/// Whether each value of the first is one of the second, as the specification has it.
fn is_promoted(from: Primitive, to: Primitive) -> bool {
    use Primitive::{Bytes, Double, Float, Int, Long, String};
    matches!(
        (from, to),
        (Int, Long | Float | Double) | (Long, Float | Double) | (Float, Double) | (String, Bytes) | (Bytes, String)
    )
}
