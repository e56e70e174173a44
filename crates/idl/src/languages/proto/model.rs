//! From declarations to the schema model.

use std::collections::{HashMap, HashSet};

use serde_json::Value as Json;
use wirewise_core::{
    Branch, Enum, Field, Float, Int, Kind, Notes, Oneof, Presence, Record, SchemaBuilder, Symbol, Type, TypeId, Union,
};
use wirewise_formats::protobuf::notes;

use crate::module::rebuilt;
use crate::{Element, Error, Module, Place, Places, Result, docs, keys};

use super::ast::{self, At, Message, Opt, Scalar, Value};
use super::check::is_options;
use super::fields::{Around, FieldType, Info, MapValue};
use super::interpret::Options;
use super::symbols::{Node, Symbols};
use super::{features, names, options, text};

/// What is made of the declarations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// A schema for people: custom options are notes.
    Module,
    /// The schema of descriptors, in which custom options are fields.
    Options,
}

/// Makes a module of all declarations.
///
/// `options` interpret the options that become notes; the schema of options has none.
pub(super) fn build<'a>(symbols: &Symbols<'a>, options: Option<&Options<'_, 'a>>) -> Result<Module> {
    let purpose = if options.is_some() { Purpose::Module } else { Purpose::Options };
    let mut builder = Builder::new(symbols, options, purpose)?;
    for place in 0..symbols.types.len() {
        let decl = &symbols.types[place];
        let standard = symbols.file(decl.file).path.starts_with("google/protobuf/");
        // Of the standard files only what is used.
        if decl.file == 0 || !standard || purpose == Purpose::Options {
            builder.wanted(place);
        }
    }
    builder.run()?;
    builder.finish()
}

struct Builder<'s, 'a> {
    symbols: &'s Symbols<'a>,
    options: Option<&'s Options<'s, 'a>>,
    purpose: Purpose,
    types: SchemaBuilder,
    /// Ids by declaration.
    ids: Vec<Option<TypeId>>,
    /// Names in the model and documentation, by declaration.
    heads: Vec<Head>,
    /// Declarations by their names in the model.
    named: HashMap<String, usize>,
    extensions: HashMap<usize, Vec<usize>>,
    /// Messages that no message can be, because they must contain themselves.
    endless: Vec<bool>,
    todo: Vec<usize>,
    places: Places,
    notices: Vec<String>,
}

/// What the comment of a type says.
struct Head {
    name: String,
    doc: Option<String>,
    notes: Notes,
    /// Whether the type is not of the model: what a list or null is put into, where Protobuf needs that.
    wrapper: bool,
}

impl<'s, 'a> Builder<'s, 'a> {
    fn new(symbols: &'s Symbols<'a>, options: Option<&'s Options<'s, 'a>>, purpose: Purpose) -> Result<Self> {
        let mut named = HashMap::new();
        let mut heads = Vec::with_capacity(symbols.types.len());
        for (place, decl) in symbols.types.iter().enumerate() {
            let (comment, at) = match decl.node {
                Node::Message(message) => (&message.comment, message.name.at),
                Node::Enum(e) => (&e.comment, e.name.at),
            };
            let (doc, mut notes) = split(purpose, comment);
            let wrapper = notes.take(keys::WRAPPER).is_some();
            notes.take(keys::NAME);
            let name = if purpose == Purpose::Module { decl.model_name.clone() } else { decl.full_name.clone() };
            if !wrapper && let Some(first) = named.insert(name.clone(), place) {
                let first: &super::symbols::Decl<'_> = &symbols.types[first];
                let first_at = match first.node {
                    Node::Message(message) => message.name.at,
                    Node::Enum(e) => e.name.at,
                };
                let error = symbols.error(decl.file, at, format!("two types are called {name:?}"));
                return Err(error.related(symbols.place(first.file, first_at), "the other one"));
            }
            heads.push(Head { name, doc, notes, wrapper });
        }
        let mut extensions: HashMap<usize, Vec<usize>> = HashMap::new();
        for (place, extension) in symbols.extensions.iter().enumerate() {
            let options = is_options(&symbols.types[extension.extendee].full_name);
            if !options || purpose == Purpose::Options {
                extensions.entry(extension.extendee).or_default().push(place);
            }
        }
        extensions.values_mut().for_each(|list| list.sort_by_key(|&place| symbols.extensions[place].field.number));
        let (ids, types) = (vec![None; heads.len()], SchemaBuilder::new());
        let (todo, places, notices, endless) = (Vec::new(), Places::default(), Vec::new(), endless(symbols));
        Ok(Builder { symbols, options, purpose, types, ids, heads, named, extensions, endless, todo, places, notices })
    }

    /// Includes a type, unless it only wraps something.
    fn wanted(&mut self, place: usize) {
        if !self.heads[place].wrapper {
            self.id(place);
        }
    }

    fn id(&mut self, place: usize) -> TypeId {
        if let Some(id) = self.ids[place] {
            return id;
        }
        let id = self.types.declare();
        self.ids[place] = Some(id);
        self.todo.push(place);
        id
    }

    fn run(&mut self) -> Result<()> {
        let mut next = 0;
        while next < self.todo.len() {
            let place = self.todo[next];
            next += 1;
            let id = self.id(place);
            let decl = &self.symbols.types[place];
            let (name, doc) = (self.heads[place].name.clone(), self.heads[place].doc.clone());
            let notes = self.heads[place].notes.clone();
            let (at, ty) = match decl.node {
                Node::Message(message) => (message.name.at, self.message(place, message, name, doc, notes, id)?),
                Node::Enum(e) => (e.name.at, self.enumeration(place, e, name, doc, notes, id)?),
            };
            self.places.set(Element::Type(id), self.symbols.place(decl.file, at));
            self.types.define(id, ty);
        }
        Ok(())
    }

    fn message(
        &mut self,
        place: usize,
        message: &'a Message,
        name: String,
        doc: Option<String>,
        mut notes: Notes,
        id: TypeId,
    ) -> Result<Type> {
        let symbols = self.symbols;
        let decl = &symbols.types[place];
        let around = Around::message(decl);
        let mut fields: Vec<(Field, Place)> = Vec::new();
        for field in &message.fields {
            let mut made = self.field(&around, field, None)?;
            let at = symbols.place(decl.file, field.name.at);
            if made.presence == Presence::Required && self.endless[place] && self.is_endless(&around, field) {
                // Such messages are of no use, but a file that declares one may be.
                made.presence = Presence::Optional;
                let name = &field.name.text;
                self.notices.push(format!("{at}: the label of {name} is passed over: no message could end"));
            }
            fields.push((made, at));
        }
        let taken: HashSet<String> = fields.iter().map(|(field, _)| field.name.clone()).collect();
        let mut taken = taken;
        for extension in self.extensions.get(&place).cloned().unwrap_or_default() {
            let extension = &symbols.extensions[extension];
            let mut made = self.field(&Around::extension(extension), extension.field, Some(&extension.full_name))?;
            if self.purpose == Purpose::Options || !taken.insert(made.name.clone()) {
                made.name = format!("[{}]", extension.full_name);
            }
            fields.push((made, symbols.place(extension.file, extension.field.name.at)));
        }
        self.options(decl.file, decl.scope, "MessageOptions", &message.options, &mut notes)?;
        let ranges = self.extension_ranges(decl.file, decl.scope, message)?;
        if !ranges.is_empty() {
            notes.set(notes::EXTENSIONS, ranges);
        }
        if ast::flag(&message.options, "message_set_wire_format") {
            notes.set(notes::MESSAGE_SET, "true");
        }
        reorder(&mut fields, notes.take(keys::ORDER));
        for (i, (_, place)) in fields.iter().enumerate() {
            self.places.set(Element::Field(id, i), place.clone());
        }
        if notes.get(keys::KIND) == Some("union") {
            notes.take(keys::KIND);
            let branches = fields.into_iter().enumerate().map(|(i, (field, place))| {
                self.places.set(Element::Branch(id, i), place);
                Branch { doc: field.doc, notes: field.notes, ..Branch::new(field.number, field.name, field.ty) }
            });
            let kind = Kind::Union(Union { name, doc, branches: branches.collect() });
            return Ok(Type { kind, logical: None, notes });
        }
        let mut record = Record::new(name, fields.into_iter().map(|(field, _)| field).collect());
        record.doc = doc;
        for (i, oneof) in message.oneofs.iter().enumerate() {
            let (doc, mut notes) = split(self.purpose, &oneof.comment);
            let name = notes.take(keys::NAME).unwrap_or_else(|| oneof.name.text.clone());
            let required = notes.take(keys::REQUIRED).is_some();
            self.options(decl.file, decl.scope, "OneofOptions", &oneof.options, &mut notes)?;
            record.oneofs.push(Oneof { name, doc, required, notes });
            self.places.set(Element::Oneof(id, i), symbols.place(decl.file, oneof.name.at));
        }
        let number = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
        let ranges =
            message.reserved_ranges.iter().map(|range| number(*range.numbers.start())..=number(*range.numbers.end()));
        record.reserved_numbers = ranges.collect();
        record.reserved_names = message.reserved_names.iter().map(|name| name.text.clone()).collect();
        if let Some(reserved) = notes.take(keys::RESERVED) {
            keys::reserved(&reserved, &mut record.reserved_numbers, &mut record.reserved_names);
        }
        record.reserved_numbers.sort_by_key(|range| *range.start());
        Ok(Type { kind: Kind::Record(record), logical: None, notes })
    }

    /// Whether a field holds a message that no message can be.
    fn is_endless(&self, around: &Around, field: &'a ast::Field) -> bool {
        match self.symbols.field(around, field) {
            Ok(Info { ty: FieldType::Message(place), .. }) => self.endless[place],
            _ => false,
        }
    }

    /// The extension ranges, those with the same options in one statement.
    fn extension_ranges(&self, file: usize, scope: u32, message: &Message) -> Result<String> {
        let Some(options) = self.options else { return Ok(String::new()) };
        let mut statements: Vec<(ast::ExtensionRanges, String)> = Vec::new();
        for list in &message.extension_ranges {
            let kept = options::kept(options, file, scope, "ExtensionRangeOptions", &list.options)?;
            let shown = text::options(&kept);
            match statements.last_mut() {
                Some((last, same)) if *same == shown => last.ranges.extend(list.ranges.iter().cloned()),
                _ => statements.push((ast::ExtensionRanges { ranges: list.ranges.clone(), options: kept }, shown)),
            }
        }
        let statements: Vec<String> = statements.iter().map(|(ranges, _)| text::extension_ranges(ranges)).collect();
        Ok(statements.join("; "))
    }

    fn enumeration(
        &mut self,
        place: usize,
        e: &'a ast::Enum,
        name: String,
        doc: Option<String>,
        mut notes: Notes,
        id: TypeId,
    ) -> Result<Type> {
        let decl = &self.symbols.types[place];
        let (file, scope) = (decl.file, decl.scope);
        let mut symbols: Vec<(Symbol, Place)> = Vec::with_capacity(e.values.len());
        for value in &e.values {
            let (doc, mut notes) = split(self.purpose, &value.comment);
            if notes.take(keys::WRAPPER).is_some() {
                continue;
            }
            let name = notes.take(keys::NAME).unwrap_or_else(|| value.name.text.clone());
            self.options(file, scope, "EnumValueOptions", &value.options, &mut notes)?;
            symbols.push((Symbol { name, number: value.number, doc, notes }, self.symbols.place(file, value.name.at)));
        }
        self.options(file, scope, "EnumOptions", &e.options, &mut notes)?;
        reorder(&mut symbols, notes.take(keys::ORDER));
        for (i, (_, place)) in symbols.iter().enumerate() {
            self.places.set(Element::Symbol(id, i), place.clone());
        }
        let closed = notes.take(keys::CLOSED).map_or(decl.features.closed_enums, |closed| closed == "true");
        let mut e = Enum {
            name,
            doc,
            symbols: symbols.into_iter().map(|(symbol, _)| symbol).collect(),
            closed,
            reserved_numbers: e.reserved_ranges.iter().map(|range| range.numbers.clone()).collect(),
            reserved_names: e.reserved_names.iter().map(|name| name.text.clone()).collect(),
        };
        if let Some(reserved) = notes.take(keys::RESERVED) {
            keys::reserved(&reserved, &mut e.reserved_numbers, &mut e.reserved_names);
        }
        e.reserved_numbers.sort_by_key(|range| *range.start());
        Ok(Type { kind: Kind::Enum(e), logical: None, notes })
    }

    fn field(&mut self, around: &Around, field: &'a ast::Field, extension: Option<&str>) -> Result<Field> {
        let symbols = self.symbols;
        let info = symbols.field(around, field)?;
        let (doc, mut said) = split(self.purpose, &field.comment);
        let ty = match said.take(keys::TYPE) {
            Some(expression) => self.expression(&expression, around.file, field.name.at)?,
            None => self.natural(&info),
        };
        let mut made = Field::new(field.number as u32, field.name.text.clone(), ty);
        made.doc = doc;
        made.oneof = field.oneof;
        let is_list = info.repeated || matches!(info.ty, FieldType::Map(..));
        let natural = match info.presence {
            _ if is_list => Presence::Required,
            features::Presence::Explicit => Presence::Optional,
            features::Presence::Implicit => Presence::Required,
            features::Presence::Required => {
                made.notes.set(notes::LABEL, "required");
                Presence::Required
            }
        };
        made.presence = match said.take(keys::PRESENCE).as_deref() {
            Some("required") => Presence::Required,
            Some("optional") => Presence::Optional,
            _ => natural,
        };
        let proto3 = symbols.file(around.file).syntax == ast::Syntax::Proto3;
        if proto3 && field.label == Some(ast::Label::Optional) && matches!(info.ty, FieldType::Message(_)) {
            // It says nothing that a message does not say anyway, but it was said.
            made.notes.set(notes::LABEL, "optional");
        }
        let packable = match info.ty {
            FieldType::Scalar(scalar) => scalar.is_packable(),
            FieldType::Enum(_) => true,
            _ => false,
        };
        if info.repeated && packable && !info.packed {
            made.notes.set(notes::PACKED, "false");
        }
        if info.delimited {
            made.notes.set(notes::ENCODING, "delimited");
        }
        if let Some(default) = info.default {
            if field.oneof.is_some() {
                made.notes.set(notes::DEFAULT, text::value(&default.value));
            } else {
                made.default = Some(self.default(&info, &default.value));
            }
        }
        if let Some(name) = symbols.json_name(around.file, field)?
            && name != names::json(&field.name.text)
            && said.get(keys::NAME) != Some(&name)
        {
            made.notes.set(notes::JSON_NAME, name);
        }
        if let Some(full_name) = extension {
            made.notes.set(notes::EXTENSION, full_name);
        }
        self.options(around.file, around.scope, "FieldOptions", &field.options, &mut made.notes)?;
        if let Some(name) = said.take(keys::NAME) {
            made.name = name;
        }
        if let Some(default) = said.take(keys::DEFAULT) {
            made.default = serde_json::from_str(&default).ok();
        }
        if let Some(aliases) = said.take(keys::ALIASES) {
            made.aliases = serde_json::from_str(&aliases).unwrap_or_default();
        }
        made.notes.extend(&said);
        Ok(made)
    }

    /// The type that a note gives.
    fn expression(&mut self, expression: &str, file: usize, at: At) -> Result<TypeId> {
        let error = |what: String| self.symbols.error(file, at, format!("the note {:?} {what}", keys::TYPE));
        let json: Json = serde_json::from_str(expression)
            .or_else(|_| Ok::<_, serde_json::Error>(Json::from(expression)))
            .map_err(|_| error("is no type".to_owned()))?;
        let mut used = Vec::new();
        strings(&json, &mut used);
        let used: Vec<(String, usize)> =
            used.into_iter().filter_map(|name| Some((name.to_owned(), *self.named.get(name)?))).collect();
        let ids: HashMap<String, TypeId> = used.into_iter().map(|(name, place)| (name, self.id(place))).collect();
        let made = self.types.type_expression(&json, &|name| ids.get(name).copied());
        made.map_err(|wrong| self.symbols.error(file, at, format!("the note {:?} is wrong: {wrong}", keys::TYPE)))
    }

    fn default(&self, info: &Info<'_>, value: &Value) -> Json {
        if let (FieldType::Enum(place), Value::Word(word)) = (info.ty, value)
            && let Node::Enum(e) = self.symbols.types[place].node
            && let Some(value) = e.values.iter().find(|value| value.name.text == *word)
        {
            let mut notes = split(self.purpose, &value.comment).1;
            return Json::from(notes.take(keys::NAME).unwrap_or_else(|| word.clone()));
        }
        default_json(info, value)
    }

    fn natural(&mut self, info: &Info<'_>) -> TypeId {
        let ty = match info.ty {
            FieldType::Scalar(scalar) => self.scalar(scalar),
            FieldType::Message(place) | FieldType::Enum(place) => self.id(place),
            FieldType::Map(key, value) => {
                let key = self.scalar(key);
                let value = match value {
                    MapValue::Scalar(scalar) => self.scalar(scalar),
                    MapValue::Message(place) | MapValue::Enum(place) => self.id(place),
                };
                self.types.add(Kind::Map(key, value))
            }
        };
        if info.repeated { self.types.add(Kind::List(ty)) } else { ty }
    }

    fn scalar(&mut self, scalar: Scalar) -> TypeId {
        let (kind, note) = scalar_kind(scalar);
        let mut notes = Notes::default();
        if let Some(note) = note {
            notes.set(notes::TYPE, note);
        }
        self.types.add_type(Type { kind, logical: None, notes })
    }

    /// Notes the options that are not said otherwise.
    fn options(&self, file: usize, scope: u32, kind: &str, list: &[Opt], notes: &mut Notes) -> Result<()> {
        let Some(options) = self.options else { return Ok(()) };
        let kept = options::kept(options, file, scope, kind, list)?;
        if !kept.is_empty() {
            notes.set(notes::OPTIONS, text::options(&kept));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Module> {
        let symbols = self.symbols;
        let main = symbols.file(0);
        let mut notes = Notes::default();
        notes.set(notes::SYNTAX, main.syntax.name());
        self.options(0, symbols.package_scope(0), "FileOptions", &main.options, &mut notes)?;
        if let Some(options) = self.options {
            let custom = options::declarations(symbols, options)?;
            if !custom.is_empty() {
                notes.set(notes::CUSTOM_OPTIONS, text::extensions(&custom));
            }
        }
        let mut said = split(self.purpose, &main.comment).1;
        let root = match said.take(keys::ROOT) {
            Some(expression) => {
                let root = self.expression(&expression, 0, 0)?;
                self.run()?;
                Some(root)
            }
            None => None,
        };
        notes.extend(&said);
        if notes.get(notes::SYNTAX) == Some("none") {
            notes.take(notes::SYNTAX);
        }
        // Only what the package statement cannot say is left to a note.
        let package = main.package.as_ref().map_or("", |package| package.text.as_str());
        if !package.is_empty() || notes.get(notes::PACKAGE).is_some_and(super::lower::is_package) {
            notes.take(notes::PACKAGE);
        }
        self.types.set_notes(notes.clone());
        let first = self.todo.iter().find(|&&place| matches!(symbols.types[place].node, Node::Message(_)));
        let any = first.or(self.todo.first()).and_then(|&place| self.ids[place]);
        let start = match root.or(any) {
            Some(id) => id,
            None => self.types.add(Kind::Null),
        };
        let wrong = |error: wirewise_core::Error| Error::from(error).or_at(symbols.place(0, 0));
        let mut schema = self.types.finish(start).map_err(wrong)?;
        if notes.get(notes::PACKAGE).is_none() && super::lower::package(&schema) != package {
            notes.set(notes::PACKAGE, package);
            schema = rebuilt(&schema, notes, |_| ()).map_err(wrong)?;
        }
        let mut notices = self.notices;
        for file in &symbols.loaded.files {
            for service in &file.services {
                let place = file.origin.place(service.at);
                notices.push(format!("{place}: the service {} is passed over", service.text));
            }
        }
        Ok(Module { schema, root, places: self.places, notices, documents: None })
    }
}

/// Which messages must contain themselves, by their places: those that a chain of required fields leads back to.
fn endless(symbols: &Symbols<'_>) -> Vec<bool> {
    let count = symbols.types.len();
    // What each message must contain, as a count, and in turn by whom it must be contained.
    let (mut open, mut users) = (vec![0usize; count], vec![Vec::new(); count]);
    for (place, decl) in symbols.types.iter().enumerate() {
        let Node::Message(message) = decl.node else { continue };
        let around = Around::message(decl);
        for field in &message.fields {
            // What is wrong with a field is said elsewhere.
            let Ok(info) = symbols.field(&around, field) else { continue };
            if let (features::Presence::Required, FieldType::Message(inner)) = (info.presence, info.ty) {
                open[place] += 1;
                users[inner].push(place);
            }
        }
    }
    let mut todo: Vec<usize> = (0..count).filter(|&place| open[place] == 0).collect();
    while let Some(place) = todo.pop() {
        for &user in &users[place] {
            open[user] -= 1;
            if open[user] == 0 {
                todo.push(user);
            }
        }
    }
    open.into_iter().map(|open| open > 0).collect()
}

/// All strings of a type expression, among which the names are.
fn strings<'j>(json: &'j Json, out: &mut Vec<&'j str>) {
    match json {
        Json::String(text) => out.push(text),
        Json::Object(members) => {
            members.iter().filter(|(key, _)| *key != "notes").for_each(|(_, value)| strings(value, out))
        }
        _ => {}
    }
}

/// Documentation and notes of a comment; there are none when the schema is one of options.
fn split(purpose: Purpose, comment: &Option<String>) -> (Option<String>, Notes) {
    match (purpose, comment) {
        (Purpose::Module, Some(comment)) => {
            let (doc, mut notes) = docs::split(comment);
            (notes.take(super::DOC).or(doc), notes)
        }
        _ => (None, Notes::default()),
    }
}

/// Puts what was read into the places that a note gives; a note that does not fit (somebody added something) is dropped.
fn reorder<T>(items: &mut Vec<T>, note: Option<String>) {
    let Some(note) = note else { return };
    let places: Option<Vec<usize>> = note.split(',').map(|place| place.parse().ok()).collect();
    let Some(places) = places.filter(|places| places.len() == items.len()) else { return };
    let mut seen = vec![false; items.len()];
    let fits = places.iter().all(|&place| seen.get_mut(place).is_some_and(|seen| !std::mem::replace(seen, true)));
    if fits {
        let mut sorted: Vec<(usize, T)> = places.into_iter().zip(items.drain(..)).collect();
        sorted.sort_by_key(|(place, _)| *place);
        items.extend(sorted.into_iter().map(|(_, item)| item));
    }
}

/// The model's type of a scalar, and the note that keeps how it is written.
pub(super) fn scalar_kind(scalar: Scalar) -> (Kind, Option<&'static str>) {
    let note = Some(scalar.name());
    match scalar {
        Scalar::Double => (Kind::Float(Float::F64), None),
        Scalar::Float => (Kind::Float(Float::F32), None),
        Scalar::Int32 => (Kind::Int(Int::I32), None),
        Scalar::Int64 => (Kind::Int(Int::I64), None),
        Scalar::Uint32 => (Kind::Int(Int::U32), None),
        Scalar::Uint64 => (Kind::Int(Int::U64), None),
        Scalar::Sint32 | Scalar::Sfixed32 => (Kind::Int(Int::I32), note),
        Scalar::Sint64 | Scalar::Sfixed64 => (Kind::Int(Int::I64), note),
        Scalar::Fixed32 => (Kind::Int(Int::U32), note),
        Scalar::Fixed64 => (Kind::Int(Int::U64), note),
        Scalar::Bool => (Kind::Bool, None),
        Scalar::String => (Kind::String, None),
        Scalar::Bytes => (Kind::Bytes, None),
    }
}

/// A default as the model has it; that it fits was checked.
fn default_json(info: &Info<'_>, value: &Value) -> Json {
    let float = matches!(info.ty, FieldType::Scalar(Scalar::Float | Scalar::Double));
    match value {
        Value::Word(word) if float => Json::from(match word.as_str() {
            "inf" | "infinity" => "Infinity",
            "-inf" | "-infinity" => "-Infinity",
            _ => "NaN",
        }),
        Value::Word(word) if matches!(info.ty, FieldType::Scalar(_)) => Json::from(word == "true"),
        Value::Word(word) => Json::from(word.as_str()),
        Value::Int(value, negative) if float => {
            float_json(&info.ty, if *negative { -(*value as f64) } else { *value as f64 })
        }
        Value::Int(value, true) => Json::from((*value as i64).wrapping_neg()),
        Value::Int(value, false) => Json::from(*value),
        Value::Float(value) => float_json(&info.ty, *value),
        Value::Text(text) if info.ty == FieldType::Scalar(Scalar::Bytes) => {
            let mut out = Vec::new();
            wirewise_core::text::base64::encode(text, &mut out);
            Json::from(String::from_utf8_lossy(&out).into_owned())
        }
        Value::Text(text) => Json::from(String::from_utf8_lossy(text).into_owned()),
        Value::Message(_) | Value::List(_) => Json::Null,
    }
}

/// A float as JSON has it: what is too large for its type is infinite, as protoc has it.
fn float_json(ty: &FieldType, value: f64) -> Json {
    let wide = *ty != FieldType::Scalar(Scalar::Float);
    let infinite = if wide { value.is_infinite() } else { (value as f32).is_infinite() };
    if infinite { Json::from(if value > 0.0 { "Infinity" } else { "-Infinity" }) } else { Json::from(value) }
}
