//! The schema at hand: every type of it becomes a place that may have held any of its values.

use std::collections::HashMap;

use wirewise_core::{Enum, Float, Kind, Logical, Notes, Record, Schema, Symbol, TypeId, Union};

use super::Options;
use super::graph::{Body, BodyId, Entry, Graph, Keys, KnownBranch, KnownUnion, ObjectId, Position, Slot};
use super::texts::Known;

/// The enums of the schema at hand, and the symbols that samples add to them.
#[derive(Debug, Clone, Default)]
pub(super) struct Enums {
    known: HashMap<TypeId, KnownEnum>,
}

#[derive(Debug, Clone)]
struct KnownEnum {
    /// With the new symbols.
    symbols: Enum,
    /// How many symbols it had.
    old: usize,
}

/// Longest text that may become a symbol.
const SYMBOL_BYTES: usize = 64;

impl Enums {
    /// Whether the text is a symbol, or has become one now.
    pub(super) fn add(&mut self, id: TypeId, text: &[u8], options: &Options) -> bool {
        let Some(KnownEnum { symbols, old }) = self.known.get_mut(&id) else { return false };
        if symbols.position_of(text).is_some() {
            return true;
        }
        let largest = symbols.symbols.iter().map(|symbol| symbol.number).max().unwrap_or(-1);
        let name = std::str::from_utf8(text).ok().filter(|name| is_symbol(name));
        match (name, largest.checked_add(1)) {
            (Some(name), Some(number)) if symbols.symbols.len() - *old < options.max_new_symbols => {
                symbols.symbols.push(Symbol::new(name, number));
                true
            }
            _ => false,
        }
    }

    /// The enum with this id in the schema at hand, with its new symbols.
    pub(super) fn get(&self, id: TypeId) -> &Enum {
        &self.known[&id].symbols
    }
}

/// Whether every format takes the text as a symbol.
fn is_symbol(text: &str) -> bool {
    text.len() <= SYMBOL_BYTES
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The named types of the schema at hand, in its order.
#[derive(Debug, Clone, Copy)]
pub(super) enum Named {
    Record(ObjectId),
    Enum(TypeId),
    Union(BodyId),
}

/// What a schema at hand leaves in the graph.
#[derive(Debug, Clone, Default)]
pub(super) struct Imported {
    pub(super) schema: Option<Schema>,
    pub(super) enums: Enums,
    pub(super) named: Vec<Named>,
}

impl Imported {
    /// The record of the schema at hand that an object is.
    pub(super) fn record(&self, id: TypeId) -> &Record {
        match self.schema.as_ref().map(|schema| schema.kind(id)) {
            Some(Kind::Record(record)) => record,
            _ => unreachable!("objects refer to records of the schema at hand"),
        }
    }

    /// The notes on a type of the schema at hand.
    pub(super) fn notes(&self, id: TypeId) -> Notes {
        self.schema.as_ref().map(|schema| schema.type_notes(id).clone()).unwrap_or_default()
    }

    /// The union of the schema at hand that a body is.
    pub(super) fn union(&self, id: TypeId) -> &Union {
        match self.schema.as_ref().map(|schema| schema.kind(id)) {
            Some(Kind::Union(union)) => union,
            _ => unreachable!("bodies refer to unions of the schema at hand"),
        }
    }
}

/// Puts a schema into the graph; gives the position of its root.
pub(super) fn import(schema: &Schema, graph: &mut Graph) -> (Imported, Position) {
    let mut importer = Importer {
        schema,
        graph,
        records: HashMap::new(),
        unions: HashMap::new(),
        open: Vec::new(),
        pending: Vec::new(),
    };
    let mut imported = Imported { schema: Some(schema.clone()), ..Imported::default() };
    for index in 0..schema.types().len() {
        let id = TypeId::from_index(index);
        match schema.kind(id) {
            Kind::Record(_) => imported.named.push(Named::Record(importer.record(id))),
            Kind::Union(_) => imported.named.push(Named::Union(importer.union(id))),
            Kind::Enum(e) => {
                imported.enums.known.insert(id, KnownEnum { symbols: e.clone(), old: e.symbols.len() });
                imported.named.push(Named::Enum(id));
            }
            _ => {}
        }
    }
    let root = importer.position(schema.root());
    importer.finish();
    (imported, root)
}

struct Importer<'a> {
    schema: &'a Schema,
    graph: &'a mut Graph,
    records: HashMap<TypeId, ObjectId>,
    unions: HashMap<TypeId, BodyId>,
    /// Lists and maps that are being imported: one that contains itself has no end.
    open: Vec<TypeId>,
    /// Named types that are still empty, so that a long chain of them does not become deep recursion.
    pending: Vec<TypeId>,
}

impl Importer<'_> {
    fn finish(&mut self) {
        while let Some(id) = self.pending.pop() {
            match self.schema.kind(id) {
                Kind::Record(record) => self.fill_record(self.records[&id], record),
                Kind::Union(union) => self.fill_union(self.unions[&id], id, union),
                _ => unreachable!("only records and unions wait"),
            }
        }
    }

    fn record(&mut self, id: TypeId) -> ObjectId {
        if let Some(&object) = self.records.get(&id) {
            return object;
        }
        let object = self.graph.new_object();
        self.graph.object_mut(object).known = Some(id);
        self.records.insert(id, object);
        self.pending.push(id);
        object
    }

    fn fill_record(&mut self, object: ObjectId, record: &Record) {
        for (at, field) in record.fields.iter().enumerate() {
            let entry = Entry {
                name: field.name.as_str().into(),
                position: self.position(field.ty),
                count: 0,
                known: Some(at as u32),
            };
            self.graph.object_mut(object).push(entry);
        }
    }

    fn union(&mut self, id: TypeId) -> BodyId {
        if let Some(&body) = self.unions.get(&id) {
            return body;
        }
        let body = self.graph.new_body();
        self.unions.insert(id, body);
        self.pending.push(id);
        body
    }

    fn fill_union(&mut self, body: BodyId, id: TypeId, union: &Union) {
        let tagged =
            is_tagged(union.branches.iter().map(|b| shapes(self.schema.kind(b.ty), self.schema.logical(b.ty))));
        let mut branches = Vec::new();
        for branch in &union.branches {
            let of = if tagged { self.graph.new_body() } else { body };
            self.fill(of, branch.ty);
            let slot = slot(self.schema.kind(branch.ty), self.schema.logical(branch.ty));
            branches.push(KnownBranch { number: branch.number, name: branch.name.clone(), slot, body: of });
        }
        self.graph.body_mut(body).known = Some(Box::new(KnownUnion { ty: id, branches, tagged }));
    }

    fn position(&mut self, ty: TypeId) -> Position {
        match self.schema.kind(ty) {
            Kind::Nullable(inner) => Position { null: true, ..self.position(*inner) },
            Kind::Null => Position { null: true, body: self.graph.new_body() },
            Kind::Union(_) => Position { null: false, body: self.union(ty) },
            _ => {
                let body = self.graph.new_body();
                self.fill(body, ty);
                Position { null: false, body }
            }
        }
    }

    /// Gives a body the values of a type that is neither nullable nor a union.
    fn fill(&mut self, body: BodyId, ty: TypeId) {
        let (kind, logical) = (self.schema.kind(ty), self.schema.logical(ty));
        if matches!(kind, Kind::Any) || self.open.contains(&ty) {
            self.graph.body_mut(body).any = true;
            return;
        }
        let seen: &mut Body = self.graph.body_mut(body);
        let slot = slot(kind, logical);
        seen.see(slot);
        match kind {
            Kind::Enum(_) => seen.texts.know(Known::Enum(ty)),
            Kind::List(item) => {
                self.open.push(ty);
                let mut position = self.position(*item);
                // The elements of a list that was always empty: they were never null either.
                position.null &= *self.schema.kind(*item) != Kind::Null;
                self.graph.body_mut(body).list = Some(position);
                self.open.pop();
            }
            Kind::Map(key, value) => {
                self.open.push(ty);
                let position = self.position(*value);
                let object = self.graph.new_object();
                let keys = match self.schema.kind(*key) {
                    Kind::Int(int) => Keys::Int(*int),
                    Kind::Bool => Keys::Bool,
                    _ => Keys::String,
                };
                let map = self.graph.object_mut(object);
                (map.map, map.keys) = (Some(position), keys);
                self.graph.body_mut(body).object = Some(object);
                self.open.pop();
            }
            Kind::Record(_) => {
                let object = self.record(ty);
                self.graph.body_mut(body).object = Some(object);
            }
            _ => match slot {
                Slot::Int | Slot::Float => seen.numbers.know(kind, logical),
                Slot::Text => seen.texts.know(Known::Type(kind.clone(), logical)),
                _ => {}
            },
        }
    }
}

/// The slot that values of a type have in JSON.
fn slot(kind: &Kind, logical: Option<Logical>) -> Slot {
    match (kind, logical) {
        (Kind::String | Kind::Float(_), Some(Logical::Number)) | (Kind::Float(_), _) => Slot::Float,
        (Kind::Int(_), None) => Slot::Int,
        (Kind::Bool, _) => Slot::Bool,
        (Kind::List(_), _) => Slot::List,
        (Kind::Map(..) | Kind::Record(_), _) => Slot::Object,
        _ => Slot::Text,
    }
}

/// How values of a type look in JSON, as bits: the JSON codec tells a union's branches apart by that.
pub(super) fn shapes(kind: &Kind, logical: Option<Logical>) -> u8 {
    let bit = |slot: Slot| 1u8 << slot as u8;
    match (kind, logical) {
        (Kind::String | Kind::Float(Float::F64), Some(Logical::Number)) => bit(Slot::Int) | bit(Slot::Float),
        (Kind::Enum(_), _) => bit(Slot::Text) | bit(Slot::Int),
        (Kind::Any, _) => 0,
        _ => bit(slot(kind, logical)),
    }
}

/// Whether JSON has to show which branch a value belongs to, because two look alike.
pub(super) fn is_tagged(branches: impl Iterator<Item = u8>) -> bool {
    let mut all = 0;
    branches.into_iter().any(|shapes| {
        let clash = shapes == 0 || all & shapes != 0;
        all |= shapes;
        clash
    })
}
