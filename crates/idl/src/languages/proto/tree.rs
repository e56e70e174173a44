//! Messages without a fixed type, and their bytes: descriptors and the values of options.

use std::collections::BTreeMap;
use std::sync::Arc;

use wirewise_core::{Arena, Cell, Document, Float, Int, Kind, Limits, LossKind, Losses, Presence, Schema, TypeId};
use wirewise_formats::protobuf::notes;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tree {
    Bool(bool),
    /// An integer, or an enum's number that has no name.
    Int(i128),
    Float(f64),
    Text(Vec<u8>),
    /// An enum's value, by name.
    Word(String),
    Record(Record),
    List(Vec<Tree>),
    Map(Vec<(Tree, Tree)>),
}

/// The fields that a message has, by name.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Record(pub(super) BTreeMap<String, Tree>);

impl Record {
    pub(super) fn set(&mut self, name: &str, value: Tree) {
        self.0.insert(name.to_owned(), value);
    }

    pub(super) fn set_text(&mut self, name: &str, text: &str) {
        self.set(name, Tree::Text(text.as_bytes().to_vec()));
    }

    pub(super) fn set_int(&mut self, name: &str, value: impl Into<i128>) {
        self.set(name, Tree::Int(value.into()));
    }

    /// Sets a list, unless it is empty.
    pub(super) fn set_list(&mut self, name: &str, items: Vec<Tree>) {
        if !items.is_empty() {
            self.set(name, Tree::List(items));
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Tree> {
        self.0.get(name)
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Tree::Text(text) => std::str::from_utf8(text).ok(),
            _ => None,
        }
    }

    pub(super) fn int(&self, name: &str) -> Option<i64> {
        match self.get(name)? {
            Tree::Int(value) => i64::try_from(*value).ok(),
            _ => None,
        }
    }

    pub(super) fn word(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Tree::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.get(name) == Some(&Tree::Bool(true))
    }

    pub(super) fn record(&self, name: &str) -> Option<&Record> {
        match self.get(name)? {
            Tree::Record(record) => Some(record),
            _ => None,
        }
    }

    pub(super) fn list(&self, name: &str) -> &[Tree] {
        match self.get(name) {
            Some(Tree::List(items)) => items,
            _ => &[],
        }
    }

    pub(super) fn records(&self, name: &str) -> impl Iterator<Item = &Record> {
        self.list(name).iter().filter_map(|item| if let Tree::Record(record) = item { Some(record) } else { None })
    }
}

/// The bytes of a message of a type.
pub(super) fn encode(schema: &Schema, ty: TypeId, record: &Record) -> Result<Vec<u8>, String> {
    let schema = Arc::new(schema.with_root(ty));
    let codec = wirewise_formats::plan("protobuf", &schema).map_err(|error| error.to_string())?;
    let mut arena = Arena::new(Limits::default());
    arena.begin(b"").map_err(|error| error.to_string())?;
    let root = fill(&schema, ty, &Tree::Record(record.clone()), &mut arena)?;
    arena.set_root(root);
    let mut out = Vec::new();
    let document = Document::new(&schema, b"", &arena);
    codec.encode(&document, &mut out, &mut Losses::none()).map_err(|error| error.to_string())?;
    Ok(out)
}

fn fill(schema: &Schema, ty: TypeId, tree: &Tree, arena: &mut Arena) -> Result<Cell, String> {
    let text = |error: wirewise_core::Error| error.to_string();
    Ok(match (schema.kind(ty), tree) {
        (Kind::Bool, Tree::Bool(value)) => Cell::bool(*value),
        (Kind::Int(_), Tree::Int(value)) => Cell::uint(*value as u64),
        (Kind::Enum(e), Tree::Word(word)) => {
            let position = e.position_of(word.as_bytes()).ok_or_else(|| format!("{} has no value {word:?}", e.name))?;
            Cell::int(e.symbols[position].number)
        }
        (Kind::Enum(_), Tree::Int(value)) => Cell::int(*value as i64),
        (Kind::Float(Float::F32), Tree::Float(value)) => Cell::f32(*value as f32),
        (Kind::Float(Float::F64), Tree::Float(value)) => Cell::f64(*value),
        (Kind::String | Kind::Bytes, Tree::Text(bytes)) => {
            let write = |out: &mut Vec<u8>| {
                out.extend_from_slice(bytes);
                Ok(())
            };
            arena.text_with(write).map_err(text)?
        }
        (Kind::List(item), Tree::List(items)) => {
            let mark = arena.mark();
            for tree in items {
                let cell = fill(schema, *item, tree, arena)?;
                arena.push(cell).map_err(text)?;
            }
            arena.list(mark).map_err(text)?
        }
        (Kind::Map(key, value), Tree::Map(entries)) => {
            let mark = arena.mark();
            for (k, v) in entries {
                let cell = fill(schema, *key, k, arena)?;
                arena.push(cell).map_err(text)?;
                let cell = fill(schema, *value, v, arena)?;
                arena.push(cell).map_err(text)?;
            }
            arena.map(mark).map_err(text)?
        }
        (Kind::Record(record), Tree::Record(fields)) => {
            let at = arena.record(record).map_err(text)?;
            for (position, field) in record.fields.iter().enumerate() {
                match fields.get(&field.name) {
                    Some(tree) => {
                        let cell = fill(schema, field.value_type(), tree, arena)?;
                        arena.set_field(record, at, position, cell);
                    }
                    None if field.presence == Presence::Required && field.notes.has(notes::LABEL) => {
                        return Err(format!("the required field {:?} of {} is missing", field.name, record.name));
                    }
                    None => {}
                }
            }
            Cell::index(at)
        }
        (_, tree) => return Err(format!("found {tree:?}, expected {}", schema.describe(ty))),
    })
}

/// A message of a type, and how many fields of it the schema does not know.
pub(super) fn decode(schema: &Schema, ty: TypeId, bytes: &[u8]) -> wirewise_core::Result<(Record, u64)> {
    let schema = Arc::new(schema.with_root(ty));
    let codec = wirewise_formats::plan("protobuf", &schema)?;
    // Descriptors of any size are read, but not what only claims to be one.
    let limits = Limits { memory_bytes: 1 << 30, message_bytes: 1 << 28, ..Limits::default() };
    let mut arena = Arena::new(limits);
    let mut losses = Losses::allowing([LossKind::UnknownField]);
    let document = codec.decode(bytes, &mut arena, &mut losses)?;
    let tree = view(&document, ty, document.root());
    let record = if let Tree::Record(record) = tree { record } else { Record::default() };
    Ok((record, losses.total()))
}

fn view(document: &Document<'_>, ty: TypeId, cell: Cell) -> Tree {
    let schema = document.schema();
    match schema.kind(ty) {
        Kind::Bool => Tree::Bool(cell.as_bool()),
        Kind::Int(int) if int.signed() => Tree::Int(cell.as_i64().into()),
        Kind::Int(Int::U64) => Tree::Int(cell.as_u64().into()),
        Kind::Int(_) => Tree::Int(cell.as_u64().into()),
        Kind::Float(Float::F32) => Tree::Float(cell.as_f32().into()),
        Kind::Float(Float::F64) => Tree::Float(cell.as_f64()),
        Kind::Enum(e) => match e.position(cell.as_i64()) {
            Some(position) => Tree::Word(e.symbols[position].name.clone()),
            None => Tree::Int(cell.as_i64().into()),
        },
        Kind::List(item) => Tree::List(document.list(cell).iter().map(|&cell| view(document, *item, cell)).collect()),
        Kind::Map(key, value) => {
            let pairs = document.map(cell).chunks_exact(2);
            Tree::Map(pairs.map(|pair| (view(document, *key, pair[0]), view(document, *value, pair[1]))).collect())
        }
        Kind::Record(record) => {
            let (view_of, mut fields) = (document.record(record, cell), Record::default());
            for (position, field) in record.fields.iter().enumerate() {
                let Some(cell) = view_of.get(position) else { continue };
                let value = view(document, field.value_type(), cell);
                let labelled = field.notes.has(notes::LABEL);
                if field.is_optional() || labelled || !is_zero(&value) {
                    fields.set(&field.name, value);
                }
            }
            Tree::Record(fields)
        }
        _ => Tree::Text(document.bytes(cell).to_vec()),
    }
}

/// Whether a value is what is not written.
fn is_zero(value: &Tree) -> bool {
    match value {
        Tree::Bool(value) => !value,
        Tree::Int(value) => *value == 0,
        Tree::Float(value) => value.to_bits() == 0,
        Tree::Text(text) => text.is_empty(),
        Tree::List(items) => items.is_empty(),
        Tree::Map(entries) => entries.is_empty(),
        Tree::Word(_) | Tree::Record(_) => false,
    }
}
