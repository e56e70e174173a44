//! The schema file: Wirewise's own JSON form of a schema, documented in `docs/schema-file.md`.

use std::collections::HashMap;
use std::fmt::Write;
use std::ops::RangeInclusive;

use serde_json::{Map, Value as Json};

use super::{
    Branch, Enum, Field, Float, Int, Kind, Logical, Notes, Oneof, Presence, Record, Schema, SchemaBuilder, Symbol,
    Type, TypeId, Union, Unit,
};
use crate::{Error, ErrorKind, Result};

/// Value of the `wirewise` member of every schema file this version writes and reads.
pub const FILE_VERSION: &str = "schema/1";

const SCALARS: [(&str, Kind); 15] = [
    ("null", Kind::Null),
    ("bool", Kind::Bool),
    ("int8", Kind::Int(Int::I8)),
    ("int16", Kind::Int(Int::I16)),
    ("int32", Kind::Int(Int::I32)),
    ("int64", Kind::Int(Int::I64)),
    ("uint8", Kind::Int(Int::U8)),
    ("uint16", Kind::Int(Int::U16)),
    ("uint32", Kind::Int(Int::U32)),
    ("uint64", Kind::Int(Int::U64)),
    ("float32", Kind::Float(Float::F32)),
    ("float64", Kind::Float(Float::F64)),
    ("string", Kind::String),
    ("bytes", Kind::Bytes),
    ("any", Kind::Any),
];

const LOGICALS: [(&str, Logical); 8] = [
    ("uuid", Logical::Uuid),
    ("timestamp-seconds", Logical::Timestamp(Unit::Seconds)),
    ("timestamp-millis", Logical::Timestamp(Unit::Millis)),
    ("timestamp-micros", Logical::Timestamp(Unit::Micros)),
    ("timestamp-nanos", Logical::Timestamp(Unit::Nanos)),
    ("date", Logical::Date),
    ("number", Logical::Number),
    ("base64", Logical::Base64),
];

/// Name of a scalar in schema files and messages; `None` for what has parts or a name of its own.
pub(super) fn scalar_name(kind: &Kind) -> Option<&'static str> {
    if let Kind::Fixed(_) = kind {
        return Some("fixed");
    }
    SCALARS.iter().find(|(_, scalar)| scalar == kind).map(|(name, _)| *name)
}

pub(super) fn logical_name(logical: Logical) -> &'static str {
    LOGICALS.iter().find(|(_, known)| *known == logical).map_or("?", |(name, _)| name)
}

impl Schema {
    /// Reads a schema file.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] with the byte offset where it is not JSON, [`ErrorKind::Schema`] with the JSON path
    /// where it is not a schema.
    pub fn parse(text: &str) -> Result<Schema> {
        let json: Json = serde_json::from_str(text).map_err(|error| {
            let offset = offset_of(text, error.line(), error.column());
            let what = error.to_string();
            let what = what.split(" at line ").next().unwrap_or_default().to_owned();
            Error::syntax(offset, format!("the schema file is not valid JSON: {what}"))
        })?;
        Reader::default().schema(&json)
    }

    /// Writes the schema file: the same schema always gives the same text, and reading it gives an equal schema.
    pub fn to_text(&self) -> String {
        let mut out = format!("{{\n  \"wirewise\": \"{FILE_VERSION}\",\n  \"root\": {}", self.type_json(self.root));
        if !self.notes.is_empty() {
            let _ = write!(out, ",\n  \"notes\": {}", notes_json(&self.notes));
        }
        out.push_str(",\n  \"types\": [");
        for (i, id) in self.named_types().enumerate() {
            out.push_str(if i == 0 { "\n" } else { ",\n" });
            self.write_named(id, &mut out);
        }
        out.push_str("\n  ]\n}\n");
        out
    }

    fn write_named(&self, id: TypeId, out: &mut String) {
        // Writing to a String cannot fail, so the results of `write!` are dropped.
        match self.kind(id) {
            Kind::Record(record) => {
                let _ = write!(out, "    {{\"record\": {}", quoted(&record.name));
                write_doc(&record.doc, out);
                write_reserved(&record.reserved_numbers, &record.reserved_names, out);
                write_notes(self.type_notes(id), out);
                if !record.oneofs.is_empty() {
                    let rows = record.oneofs.iter().map(|oneof| {
                        let mut row = format!("{{\"name\": {}", quoted(&oneof.name));
                        if oneof.required {
                            row.push_str(", \"required\": true");
                        }
                        write_doc(&oneof.doc, &mut row);
                        write_notes(&oneof.notes, &mut row);
                        row.push('}');
                        row
                    });
                    write_rows("oneofs", rows, out);
                }
                let rows = record.fields.iter().map(|field| {
                    let (ty, logical) = self.field_type(field.ty);
                    let mut row = format!("{{\"number\": {}, \"name\": {}", field.number, quoted(&field.name));
                    let _ = write!(row, ", \"type\": {ty}");
                    if let Some(logical) = logical {
                        let _ = write!(row, ", \"logical\": {}", quoted(logical_name(logical)));
                    }
                    if field.presence == Presence::Optional {
                        row.push_str(", \"presence\": \"optional\"");
                    }
                    if let Some(default) = &field.default {
                        let _ = write!(row, ", \"default\": {default}");
                    }
                    if !field.aliases.is_empty() {
                        let _ = write!(row, ", \"aliases\": {}", Json::from(field.aliases.clone()));
                    }
                    if let Some(oneof) = field.oneof {
                        let _ = write!(row, ", \"oneof\": {}", quoted(&record.oneofs[oneof].name));
                    }
                    write_doc(&field.doc, &mut row);
                    write_notes(&field.notes, &mut row);
                    row.push('}');
                    row
                });
                write_rows("fields", rows, out);
                out.push('}');
            }
            Kind::Enum(e) => {
                let _ = write!(out, "    {{\"enum\": {}", quoted(&e.name));
                if e.closed {
                    out.push_str(", \"closed\": true");
                }
                write_doc(&e.doc, out);
                write_reserved(&e.reserved_numbers, &e.reserved_names, out);
                write_notes(self.type_notes(id), out);
                let rows = e.symbols.iter().map(|symbol| {
                    let mut row = format!("{{\"number\": {}, \"name\": {}", symbol.number, quoted(&symbol.name));
                    write_doc(&symbol.doc, &mut row);
                    write_notes(&symbol.notes, &mut row);
                    row.push('}');
                    row
                });
                write_rows("symbols", rows, out);
                out.push('}');
            }
            Kind::Union(union) => {
                let _ = write!(out, "    {{\"union\": {}", quoted(&union.name));
                write_doc(&union.doc, out);
                write_notes(self.type_notes(id), out);
                let rows = union.branches.iter().map(|branch| {
                    let (number, name, ty) = (branch.number, quoted(&branch.name), self.type_json(branch.ty));
                    let mut row = format!("{{\"number\": {number}, \"name\": {name}, \"type\": {ty}");
                    write_doc(&branch.doc, &mut row);
                    write_notes(&branch.notes, &mut row);
                    row.push('}');
                    row
                });
                write_rows("branches", rows, out);
                out.push('}');
            }
            _ => unreachable!("only named types are written at the top level"),
        }
    }

    /// The type of a field, with the meaning of a plain scalar taken out: it reads better beside the type.
    fn field_type(&self, id: TypeId) -> (Json, Option<Logical>) {
        match (self.logical(id), scalar_name(self.kind(id))) {
            (Some(logical), Some(name)) if name != "fixed" && self.type_notes(id).is_empty() => {
                (Json::from(name), Some(logical))
            }
            _ => (self.type_json(id), None),
        }
    }

    /// The type as schema files write it: a name, or an object such as `{"list": "int32"}`.
    pub fn type_json(&self, id: TypeId) -> Json {
        let mut bare = match self.kind(id) {
            Kind::Fixed(size) => object("fixed", Json::from(*size)),
            Kind::List(item) => object("list", self.type_json(*item)),
            Kind::Nullable(inner) => object("nullable", self.type_json(*inner)),
            Kind::Map(key, value) => {
                let mut map = object("map", self.type_json(*value));
                if *self.kind(*key) != Kind::String {
                    map["key"] = self.type_json(*key);
                }
                map
            }
            kind => Json::from(scalar_name(kind).or(self.name(id)).unwrap_or_default()),
        };
        // The notes of a named type stand where it is defined.
        let notes = Some(self.type_notes(id)).filter(|notes| !notes.is_empty() && self.name(id).is_none());
        let logical = self.logical(id);
        if !bare.is_object() && (logical.is_some() || notes.is_some()) {
            bare = object("scalar", bare);
        }
        if let Some(logical) = logical {
            bare["logical"] = Json::from(logical_name(logical));
        }
        if let Some(notes) = notes {
            bare["notes"] = notes_json(notes);
        }
        bare
    }
}

fn object(name: &str, value: Json) -> Json {
    Json::Object(Map::from_iter([(name.to_owned(), value)]))
}

fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}

fn write_doc(doc: &Option<String>, out: &mut String) {
    if let Some(doc) = doc {
        let _ = write!(out, ", \"doc\": {}", quoted(doc));
    }
}

fn write_rows(name: &str, rows: impl Iterator<Item = String>, out: &mut String) {
    let rows: Vec<String> = rows.map(|row| format!("\n      {row}")).collect();
    let _ = write!(out, ", \"{name}\": [{}]", rows.join(","));
}

fn write_notes(notes: &Notes, out: &mut String) {
    if !notes.is_empty() {
        let _ = write!(out, ", \"notes\": {}", notes_json(notes));
    }
}

fn notes_json(notes: &Notes) -> Json {
    Json::Object(notes.iter().map(|(key, text)| (key.to_owned(), Json::from(text))).collect())
}

/// Numbers as they are, ranges as `[from, to]`.
fn write_reserved<T: Copy + PartialEq + Into<Json>>(numbers: &[RangeInclusive<T>], names: &[String], out: &mut String) {
    if !numbers.is_empty() {
        let range = |range: &RangeInclusive<T>| match (*range.start(), *range.end()) {
            (from, to) if from == to => from.into(),
            (from, to) => Json::Array(vec![from.into(), to.into()]),
        };
        let _ = write!(out, ", \"reserved_numbers\": {}", Json::Array(numbers.iter().map(range).collect()));
    }
    if !names.is_empty() {
        let _ = write!(out, ", \"reserved_names\": {}", serde_json::json!(names));
    }
}

fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (before + column.saturating_sub(1)).min(text.len())
}

#[derive(Default)]
struct Reader {
    types: SchemaBuilder,
    named: HashMap<String, TypeId>,
}

/// How deep lists, maps and nullables may nest in a schema file, from one named type to the next.
pub const MOST_NESTING: usize = 64;

/// The members that go together in a type expression, by the one that says what it is.
const FORMS: [&[&str]; 5] = [
    &["scalar", "logical", "notes"],
    &["fixed", "logical", "notes"],
    &["list", "notes"],
    &["nullable", "notes"],
    &["map", "key", "notes"],
];

impl Reader {
    fn schema(mut self, json: &Json) -> Result<Schema> {
        let file = members(json, "$", &["wirewise", "root", "notes", "types"])?;
        match file.get("wirewise").and_then(Json::as_str) {
            Some(FILE_VERSION) => {}
            Some(other) => {
                return Err(wrong("$.wirewise", format!("version {other:?} is not supported, only {FILE_VERSION:?}")));
            }
            None => {
                return Err(wrong(
                    "$",
                    format!("not a schema file: it must begin with \"wirewise\": \"{FILE_VERSION}\""),
                ));
            }
        }
        let types = match file.get("types") {
            None => &[][..],
            Some(types) => types.as_array().ok_or_else(|| wrong("$.types", "expected an array of types"))?,
        };
        for (i, ty) in types.iter().enumerate() {
            let place = format!("$.types[{i}]");
            let name = ["record", "enum", "union"].iter().find_map(|what| ty.get(what)).and_then(Json::as_str);
            let name = name.ok_or_else(|| {
                wrong(&place, "expected a member \"record\", \"enum\" or \"union\" with the type's name")
            })?;
            if SCALARS.iter().any(|(scalar, _)| *scalar == name) {
                return Err(wrong(&place, format!("{name:?} is the name of a built-in type")));
            }
            let id = self.types.declare();
            if self.named.insert(name.to_owned(), id).is_some() {
                return Err(wrong(&place, format!("two types are called {name:?}")));
            }
        }
        for (i, ty) in types.iter().enumerate() {
            self.named_type(ty, &format!("$.types[{i}]"))?;
        }
        let root = file.get("root").ok_or_else(|| wrong("$", "\"root\" is missing: the type of a message"))?;
        let root = self.expression(root, "$.root")?;
        self.types.set_notes(notes(file, "$")?);
        self.types.finish(root)
    }

    fn named_type(&mut self, json: &Json, place: &str) -> Result<()> {
        let (name, kind, notes) = if json.get("record").is_some() {
            let allowed = ["record", "doc", "fields", "oneofs", "reserved_numbers", "reserved_names", "notes"];
            let ty = members(json, place, &allowed)?;
            let mut record = Record::new(string(ty, "record", place)?, Vec::new());
            record.doc = optional_string(ty, "doc", place)?;
            let mut oneofs = HashMap::new();
            for (i, (oneof, at)) in optional_rows(ty, "oneofs", place)?.into_iter().enumerate() {
                let oneof = members(oneof, &at, &["name", "required", "doc", "notes"])?;
                let name = string(oneof, "name", &at)?;
                oneofs.insert(name.clone(), i);
                record.oneofs.push(Oneof {
                    name,
                    required: flag(oneof, "required", &at)?,
                    doc: optional_string(oneof, "doc", &at)?,
                    notes: notes(oneof, &at)?,
                });
            }
            for (field, at) in rows(ty, "fields", place)? {
                record.fields.push(self.field(field, &at, &oneofs)?);
            }
            let number = |json: &Json| json.as_u64().and_then(|n| u32::try_from(n).ok());
            record.reserved_numbers = reserved(ty, place, number)?;
            record.reserved_names = strings(ty, "reserved_names", place)?;
            (record.name.clone(), Kind::Record(record), notes(ty, place)?)
        } else if json.get("enum").is_some() {
            let allowed = ["enum", "doc", "closed", "symbols", "reserved_numbers", "reserved_names", "notes"];
            let ty = members(json, place, &allowed)?;
            let mut symbols = Vec::new();
            for (symbol, at) in rows(ty, "symbols", place)? {
                let symbol = members(symbol, &at, &["number", "name", "doc", "notes"])?;
                symbols.push(Symbol {
                    name: string(symbol, "name", &at)?,
                    number: symbol
                        .get("number")
                        .and_then(Json::as_i64)
                        .ok_or_else(|| wrong(&at, "\"number\" is missing"))?,
                    doc: optional_string(symbol, "doc", &at)?,
                    notes: notes(symbol, &at)?,
                });
            }
            let name = string(ty, "enum", place)?;
            let e = Enum {
                name: name.clone(),
                doc: optional_string(ty, "doc", place)?,
                symbols,
                closed: flag(ty, "closed", place)?,
                reserved_numbers: reserved(ty, place, Json::as_i64)?,
                reserved_names: strings(ty, "reserved_names", place)?,
            };
            (name, Kind::Enum(e), notes(ty, place)?)
        } else {
            let ty = members(json, place, &["union", "doc", "branches", "notes"])?;
            let mut branches = Vec::new();
            for (branch, at) in rows(ty, "branches", place)? {
                let branch = members(branch, &at, &["number", "name", "type", "doc", "notes"])?;
                let expression = branch.get("type").ok_or_else(|| wrong(&at, "\"type\" is missing"))?;
                branches.push(Branch {
                    number: number(branch, &at)?,
                    name: string(branch, "name", &at)?,
                    ty: self.expression(expression, &format!("{at}.type"))?,
                    doc: optional_string(branch, "doc", &at)?,
                    notes: notes(branch, &at)?,
                });
            }
            let name = string(ty, "union", place)?;
            let doc = optional_string(ty, "doc", place)?;
            (name.clone(), Kind::Union(Union { name, doc, branches }), notes(ty, place)?)
        };
        self.types.define(self.named[&name], Type { kind, logical: None, notes });
        Ok(())
    }

    fn expression(&mut self, json: &Json, place: &str) -> Result<TypeId> {
        let named = &self.named;
        self.types.expression(json, &|name| named.get(name).copied(), place, 0)
    }

    fn field(&mut self, json: &Json, place: &str, oneofs: &HashMap<String, usize>) -> Result<Field> {
        let allowed = ["number", "name", "type", "logical", "presence", "default", "doc", "aliases", "oneof", "notes"];
        let members = members(json, place, &allowed)?;
        let expression = members.get("type").ok_or_else(|| wrong(place, "\"type\" is missing"))?;
        let ty = match members.get("logical") {
            None => self.expression(expression, &format!("{place}.type"))?,
            Some(logical) => self.types.scalar(expression, Some(logical), Notes::default(), place)?,
        };
        let mut field = Field::new(number(members, place)?, string(members, "name", place)?, ty);
        field.presence = match members.get("presence").map(|p| p.as_str().unwrap_or_default()) {
            None | Some("required") => Presence::Required,
            Some("optional") => Presence::Optional,
            Some(other) => {
                return Err(wrong(place, format!("presence {other:?}: expected \"required\" or \"optional\"")));
            }
        };
        field.default = members.get("default").cloned();
        field.doc = optional_string(members, "doc", place)?;
        field.aliases = strings(members, "aliases", place)?;
        if let Some(name) = optional_string(members, "oneof", place)? {
            let oneof = oneofs.get(&name).copied();
            field.oneof = Some(oneof.ok_or_else(|| wrong(place, format!("the record has no oneof {name:?}")))?);
        }
        field.notes = notes(members, place)?;
        Ok(field)
    }
}

impl SchemaBuilder {
    /// Reads a type as [`Schema::type_json`] writes it; `named` finds the named types.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`] with the JSON path where it is no type.
    pub fn type_expression(&mut self, json: &Json, named: &dyn Fn(&str) -> Option<TypeId>) -> Result<TypeId> {
        self.expression(json, named, "$", 0)
    }

    fn scalar(&mut self, name: &Json, logical: Option<&Json>, notes: Notes, place: &str) -> Result<TypeId> {
        Expressions { types: &mut self.types, named: &self.named }.scalar(name, logical, notes, place)
    }

    fn type_expression(&mut self, json: &Json, place: &str, depth: usize) -> Result<TypeId> {
        Expressions { types: &mut self.types, named: &self.named }.type_expression(json, place, depth)
    }
}

impl SchemaBuilder {
    /// Adds the type that [`Schema::type_json`] describes; `named` has the types that it may name.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`] with the place inside `json` when it is no type expression.
    pub fn add_expression(&mut self, json: &Json, named: &HashMap<String, TypeId>) -> Result<TypeId> {
        Expressions { types: self, named }.type_expression(json, "$", 0)
    }
}

/// Reads type expressions into `types`.
struct Expressions<'a> {
    types: &'a mut SchemaBuilder,
    named: &'a HashMap<String, TypeId>,
}

impl Expressions<'_> {
    fn scalar(&mut self, name: &Json, logical: Option<&Json>, notes: Notes, place: &str) -> Result<TypeId> {
        let logical = logical.map(|logical| logical_by_name(logical, place)).transpose()?;
        let text = name.as_str().unwrap_or_default();
        match SCALARS.iter().find(|(scalar, _)| *scalar == text) {
            Some((_, kind)) => Ok(self.add_type(Type { kind: kind.clone(), logical, notes })),
            None => Err(wrong(place, format!("{name} is no built-in type; they are {}", scalar_names()))),
        }
    }

    fn expression(
        &mut self,
        json: &Json,
        named: &dyn Fn(&str) -> Option<TypeId>,
        place: &str,
        depth: usize,
    ) -> Result<TypeId> {
        if depth > MOST_NESTING {
            return Err(wrong(place, format!("types nest deeper than {MOST_NESTING}")));
        }
        if let Some(name) = json.as_str() {
            if let Some(id) = named(name) {
                return Ok(id);
            }
            return self.scalar(json, None, Notes::default(), place).map_err(|_| {
                wrong(place, format!("there is no type {name:?}: the built-in ones are {}", scalar_names()))
            });
        }
        let ty = members(json, place, &["scalar", "fixed", "list", "map", "key", "nullable", "logical", "notes"])?;
        if let Some(form) = FORMS.iter().find(|form| ty.contains_key(form[0])) {
            // What would be passed over was meant to say something.
            members(json, place, form)?;
        }
        let (logical, notes) = (ty.get("logical"), notes(ty, place)?);
        if let Some(name) = ty.get("scalar") {
            self.scalar(name, logical, notes, place)
        } else if let Some(size) = ty.get("fixed") {
            let size = size.as_u64().and_then(|size| u32::try_from(size).ok());
            let size = size.ok_or_else(|| wrong(place, "\"fixed\" expects a number of bytes"))?;
            let logical = logical.map(|logical| logical_by_name(logical, place)).transpose()?;
            Ok(self.add_type(Type { kind: Kind::Fixed(size), logical, notes }))
        } else if let Some(item) = ty.get("list") {
            let item = self.expression(item, named, &format!("{place}.list"), depth + 1)?;
            Ok(self.add_type(Type { kind: Kind::List(item), logical: None, notes }))
        } else if let Some(inner) = ty.get("nullable") {
            let inner = self.expression(inner, named, &format!("{place}.nullable"), depth + 1)?;
            Ok(self.add_type(Type { kind: Kind::Nullable(inner), logical: None, notes }))
        } else if let Some(value) = ty.get("map") {
            let value = self.expression(value, named, &format!("{place}.map"), depth + 1)?;
            let key = match ty.get("key") {
                None => self.add(Kind::String),
                Some(key) => self.expression(key, named, &format!("{place}.key"), depth + 1)?,
            };
            Ok(self.add_type(Type { kind: Kind::Map(key, value), logical: None, notes }))
        } else {
            Err(wrong(
                place,
                "expected a type: a name, or an object with \"list\", \"map\", \"nullable\", \"fixed\" or \"scalar\"",
            ))
        }
    }
}

fn scalar_names() -> String {
    SCALARS.map(|(name, _)| name).join(", ")
}

fn logical_by_name(json: &Json, place: &str) -> Result<Logical> {
    let name = json.as_str().unwrap_or_default();
    let found = LOGICALS.iter().find(|(known, _)| *known == name).map(|(_, logical)| *logical);
    found.ok_or_else(|| {
        wrong(place, format!("there is no logical type {json}; they are {}", LOGICALS.map(|(name, _)| name).join(", ")))
    })
}

fn wrong(place: &str, message: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Schema, format!("{place}: {message}"))
}

fn members<'a>(json: &'a Json, place: &str, allowed: &[&str]) -> Result<&'a Map<String, Json>> {
    let object = json.as_object().ok_or_else(|| wrong(place, "expected an object"))?;
    match object.keys().find(|key| !allowed.contains(&key.as_str())) {
        Some(key) => Err(wrong(place, format!("unknown member {key:?}; there are {}", allowed.join(", ")))),
        None => Ok(object),
    }
}

fn string(object: &Map<String, Json>, name: &str, place: &str) -> Result<String> {
    optional_string(object, name, place)?.ok_or_else(|| wrong(place, format!("{name:?} is missing")))
}

fn optional_string(object: &Map<String, Json>, name: &str, place: &str) -> Result<Option<String>> {
    match object.get(name) {
        None => Ok(None),
        Some(Json::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(wrong(place, format!("{name:?} must be a string"))),
    }
}

fn flag(object: &Map<String, Json>, name: &str, place: &str) -> Result<bool> {
    match object.get(name) {
        None => Ok(false),
        Some(flag) => flag.as_bool().ok_or_else(|| wrong(place, format!("{name:?} must be true or false"))),
    }
}

fn notes(object: &Map<String, Json>, place: &str) -> Result<Notes> {
    let mut notes = Notes::default();
    if let Some(json) = object.get("notes") {
        let place = format!("{place}.notes");
        let json = json.as_object().ok_or_else(|| wrong(&place, "expected an object"))?;
        for (key, text) in json {
            notes.set(key, text.as_str().ok_or_else(|| wrong(&place, format!("{key:?} must be a string")))?);
        }
    }
    Ok(notes)
}

/// Numbers and `[from, to]`, sorted.
fn reserved<T: Copy + Ord>(
    object: &Map<String, Json>,
    place: &str,
    number: impl Fn(&Json) -> Option<T>,
) -> Result<Vec<RangeInclusive<T>>> {
    let mut ranges = Vec::new();
    for (json, at) in optional_rows(object, "reserved_numbers", place)? {
        let range = match json.as_array().map(Vec::as_slice) {
            Some([from, to]) => number(from).zip(number(to)),
            Some(_) => None,
            None => number(json).map(|number| (number, number)),
        };
        let (from, to) = range.ok_or_else(|| wrong(&at, "expected a number, or [from, to]"))?;
        ranges.push(from..=to);
    }
    ranges.sort_unstable_by_key(|range| *range.start());
    Ok(ranges)
}

fn strings(object: &Map<String, Json>, name: &str, place: &str) -> Result<Vec<String>> {
    let rows = optional_rows(object, name, place)?.into_iter();
    rows.map(|(row, at)| row.as_str().map(str::to_owned).ok_or_else(|| wrong(&at, "expected a string"))).collect()
}

fn number(object: &Map<String, Json>, place: &str) -> Result<u32> {
    let number = object.get("number").ok_or_else(|| wrong(place, "\"number\" is missing"))?;
    number
        .as_u64()
        .and_then(|n| u32::try_from(n).ok())
        .ok_or_else(|| wrong(place, format!("number {number} is out of range")))
}

fn rows<'a>(object: &'a Map<String, Json>, name: &str, place: &str) -> Result<Vec<(&'a Json, String)>> {
    if object.contains_key(name) {
        optional_rows(object, name, place)
    } else {
        Err(wrong(place, format!("{name:?} is missing")))
    }
}

fn optional_rows<'a>(object: &'a Map<String, Json>, name: &str, place: &str) -> Result<Vec<(&'a Json, String)>> {
    match object.get(name) {
        None => Ok(Vec::new()),
        Some(Json::Array(rows)) => {
            Ok(rows.iter().enumerate().map(|(i, row)| (row, format!("{place}.{name}[{i}]"))).collect())
        }
        Some(_) => Err(wrong(place, format!("{name:?} must be an array"))),
    }
}
