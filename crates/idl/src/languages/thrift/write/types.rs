//! Types as Thrift says them.

use serde_json::{Map, Value as Json};
use wirewise_core::{Int, Kind, Logical, Notes, Type, TypeId};
use wirewise_formats::thrift::{self, notes};

use super::super::keys;
use super::super::parser::{annotations_text, escape};
use super::{Rendered, Writer};
use crate::names::{Case, identifier, is_identifier};

impl Writer<'_> {
    /// The type outside fields, where what can be null needs a struct.
    pub(super) fn render(&mut self, id: TypeId) -> Rendered {
        let ty = self.schema.ty(id);
        match ty.notes.get(notes::TYPEDEF) {
            Some(name) if self.schema.name(id).is_none() => self.by_typedef(name, ty),
            _ => self.bare(id, ty),
        }
    }

    /// The type that a typedef declares: by the typedef, where that says all of it.
    fn by_typedef(&mut self, name: &str, ty: &Type) -> Rendered {
        let (mut bare, mut annotations) = (ty.clone(), Vec::new());
        bare.notes = Notes::default();
        for (key, text) in ty.notes.iter() {
            match key.strip_prefix(notes::TYPEDEF_ANNOTATION) {
                Some(key) => annotations.push((key.to_owned(), text.to_owned())),
                None if [notes::TYPEDEF, notes::TYPEDEF_DOC].contains(&key) => {}
                None => bare.notes.set(key, text),
            }
        }
        let rendered = self.bare(TypeId::from_index(0), &bare);
        let whole = self.expression(&bare);
        if rendered.reading != whole || !annotations.iter().all(is_annotation) {
            return rendered;
        }
        let doc = ty.notes.get(notes::TYPEDEF_DOC);
        match self.typedef(name, &rendered.text, &annotations, doc) {
            Some(text) => Rendered { text, reading: self.expression(ty) },
            None => rendered,
        }
    }

    /// Declares a typedef; `None` when it has this name with another meaning.
    pub(super) fn typedef(
        &mut self,
        full: &str,
        target: &str,
        annotations: &[(String, String)],
        doc: Option<&str>,
    ) -> Option<String> {
        let mut tail = String::new();
        annotations_text(annotations, &mut tail);
        let meaning = format!("{target}{tail}{}", doc.unwrap_or_default());
        if let Some((known, ident)) = self.typedefs.get(full) {
            return (*known == meaning).then(|| ident.clone());
        }
        // A type of the model keeps its name.
        if self.idents.named(full).is_some() {
            return None;
        }
        let ident = self.idents.take_full(full);
        let mut facts = Notes::default();
        if self.idents.full(&ident) != full {
            facts.set(keys::NAME, full);
        }
        let mut text = String::new();
        self.comment(doc, &Notes::default(), facts, "", &mut text);
        text.push_str(&format!("typedef {target} {ident}{tail}\n\n"));
        self.typedef_items.push_str(&text);
        self.typedefs.insert(full.to_owned(), (meaning, ident.clone()));
        Some(ident)
    }

    fn bare(&mut self, id: TypeId, ty: &Type) -> Rendered {
        let (text, scalar) = match &ty.kind {
            Kind::Null => {
                let name = self.wrapper("null", "Null", None);
                return Rendered { text: name, reading: Json::from("null") };
            }
            Kind::Bool => ("bool", "bool"),
            Kind::Int(Int::I8) => ("i8", "int8"),
            Kind::Int(Int::I16 | Int::U8) => ("i16", "int16"),
            Kind::Int(Int::I32 | Int::U16) => ("i32", "int32"),
            Kind::Int(_) => ("i64", "int64"),
            Kind::Float(_) => ("double", "float64"),
            Kind::Fixed(_) if thrift::is_uuid(ty) => ("uuid", "uuid"),
            Kind::String | Kind::Any => ("string", "string"),
            Kind::Bytes | Kind::Fixed(_) => ("binary", "bytes"),
            Kind::Enum(e) if thrift::is_wide(e) => ("i64", "int64"),
            Kind::Enum(_) | Kind::Record(_) | Kind::Union(_) => {
                let name = self.schema.name(id).unwrap_or_default();
                return Rendered { text: self.idents.of(id).to_owned(), reading: Json::from(name) };
            }
            Kind::Nullable(inner) => return self.nullable(*inner),
            Kind::List(item) => return self.list(*item, ty),
            Kind::Map(key, value) => {
                let key_json = (*self.schema.kind(*key) != Kind::String).then_some(());
                let (key, value) = (self.map_key(*key), self.render(*value));
                let (cpp, tail, read) = native(&ty.notes, Cpp::Yes);
                let text = format!("map{cpp}<{}, {}>{tail}", key.text, value.text);
                let mut reading = object("map", value.reading);
                if key_json.is_some() {
                    reading["key"] = key.reading;
                }
                return Rendered { text, reading: noted(reading, &read) };
            }
        };
        let (_, tail, mut read) = native(&ty.notes, Cpp::No);
        let reading = match scalar {
            "uuid" => {
                read.set(notes::TYPE, "uuid");
                let mut json = object("fixed", Json::from(16));
                json["logical"] = Json::from("uuid");
                noted(json, &read)
            }
            _ if read.is_empty() => Json::from(scalar),
            _ => noted(object("scalar", Json::from(scalar)), &read),
        };
        Rendered { text: format!("{text}{tail}"), reading }
    }

    fn list(&mut self, item: TypeId, ty: &Type) -> Rendered {
        if let Some((key, value)) = thrift::entry(self.schema, ty) {
            let (key, value) = (self.render(key), self.render(value));
            // The name of the entry's record is not said, so that a note is needed anyway.
            return Rendered { text: format!("map<{}, {}>", key.text, value.text), reading: Json::Null };
        }
        let item = self.render(item);
        let (cpp, tail, mut read) = native(&ty.notes, Cpp::Yes);
        let name = match ty.notes.get(notes::SET) {
            Some(text) => {
                read.set(notes::SET, if text == "true" { text } else { "true" });
                "set"
            }
            None => "list",
        };
        let text = format!("{name}{cpp}<{}>{tail}", item.text);
        Rendered { text, reading: noted(object("list", item.reading), &read) }
    }

    /// A map's key, which may be the number of an enum.
    fn map_key(&mut self, id: TypeId) -> Rendered {
        let ty = self.schema.ty(id);
        let named = ty.notes.get(notes::TYPE).filter(|_| ty.kind == Kind::Int(Int::I32));
        let e = named.and_then(|name| Some((name, self.idents.named(name)?)));
        match e.map(|(name, e)| (name, e, self.schema.kind(e))) {
            Some((name, e, Kind::Enum(kind))) if !thrift::is_wide(kind) => {
                let reading = object("scalar", Json::from("int32"));
                let reading = noted(reading, &Notes::default().with(notes::TYPE, name));
                Rendered { text: self.idents.of(e).to_owned(), reading }
            }
            _ => self.render(id),
        }
    }

    fn nullable(&mut self, inner: TypeId) -> Rendered {
        let reading = object("nullable", self.schema.type_json(inner));
        let word = match self.schema.kind(inner) {
            Kind::List(_) => "List".to_owned(),
            Kind::Map(..) => "Map".to_owned(),
            Kind::Fixed(_) => "Fixed".to_owned(),
            _ => {
                let name = self.schema.describe(inner);
                identifier(name.rsplit('.').next().unwrap_or(&name), Case::Pascal)
            }
        };
        let name = self.wrapper(&reading.to_string(), &format!("Nullable{word}"), Some(inner));
        Rendered { text: name, reading }
    }

    /// The struct for a null, or for something that may be null, in a list or map.
    fn wrapper(&mut self, key: &str, wanted: &str, inner: Option<TypeId>) -> String {
        if let Some(name) = self.wrappers.get(key) {
            return name.clone();
        }
        let name = self.idents.take(wanted);
        // It may contain itself.
        self.wrappers.insert(key.to_owned(), name.clone());
        let form = if inner.is_some() { "nullable" } else { "null" };
        let mut text = String::new();
        self.comment(None, &Notes::default(), Notes::default().with(keys::WRAPPER, form), "", &mut text);
        text.push_str(&format!("struct {name} {{\n"));
        if let Some(inner) = inner {
            let rendered = self.render(inner);
            let json = self.schema.type_json(inner);
            let mut facts = Notes::default();
            if json != rendered.reading {
                facts.set(keys::TYPE, keys::expression_text(&json));
            }
            self.comment(None, &Notes::default(), facts, "  ", &mut text);
            text.push_str(&format!("  1: optional {} value\n", rendered.text));
        }
        text.push_str("}\n\n");
        self.wrapper_items.push_str(&text);
        name
    }

    /// A type without a name as [`wirewise_core::Schema::type_json`] writes it.
    fn expression(&self, ty: &Type) -> Json {
        let json = match &ty.kind {
            Kind::List(item) => object("list", self.schema.type_json(*item)),
            Kind::Nullable(inner) => object("nullable", self.schema.type_json(*inner)),
            Kind::Map(key, value) => {
                let mut map = object("map", self.schema.type_json(*value));
                if *self.schema.kind(*key) != Kind::String {
                    map["key"] = self.schema.type_json(*key);
                }
                map
            }
            Kind::Fixed(size) => {
                let mut json = object("fixed", Json::from(*size));
                if ty.logical == Some(Logical::Uuid) {
                    json["logical"] = Json::from("uuid");
                }
                json
            }
            // Types of Thrift have no other meanings, so that this is none of them.
            _ if ty.logical.is_some() => return Json::Null,
            kind => {
                let name = match kind {
                    Kind::Bool => "bool",
                    Kind::Int(Int::I8) => "int8",
                    Kind::Int(Int::I16) => "int16",
                    Kind::Int(Int::I32) => "int32",
                    Kind::Int(Int::I64) => "int64",
                    Kind::Float(wirewise_core::Float::F64) => "float64",
                    Kind::String => "string",
                    Kind::Bytes => "bytes",
                    _ => return Json::Null,
                };
                match ty.notes.is_empty() {
                    true => return Json::from(name),
                    false => object("scalar", Json::from(name)),
                }
            }
        };
        noted(json, &ty.notes)
    }
}

/// Whether a type can have a `cpp_type`.
#[derive(PartialEq)]
enum Cpp {
    Yes,
    No,
}

/// What of a type's notes Thrift says itself: a `cpp_type`, annotations, and the notes that these are.
fn native(notes: &Notes, cpp_type: Cpp) -> (String, String, Notes) {
    let mut read = Notes::default();
    let (mut cpp, mut tail) = (String::new(), String::new());
    let name = notes.get(notes::CPP_TYPE).filter(|name| cpp_type == Cpp::Yes && is_text(name));
    if let Some(name) = name {
        cpp = format!(" cpp_type \"{}\" ", escape(name));
        read.set(notes::CPP_TYPE, name);
    }
    let (annotations, _) = super::items::annotations(notes);
    for (key, value) in &annotations {
        read.set(format!("{}{key}", notes::ANNOTATION), value);
    }
    annotations_text(&annotations, &mut tail);
    (cpp, tail, read)
}

/// Whether a literal of Thrift can say this.
pub(super) fn is_text(text: &str) -> bool {
    !text.contains('\0')
}

/// Whether this can be an annotation: its name is an identifier with dots.
pub(super) fn is_annotation((key, value): &(String, String)) -> bool {
    let part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let word = key.split('.').next().unwrap_or_default();
    let free = !super::super::words::RESERVED.contains(&key.as_str());
    is_identifier(word) && key.split('.').all(part) && is_text(value) && free
}

fn object(name: &str, value: Json) -> Json {
    Json::Object(Map::from_iter([(name.to_owned(), value)]))
}

fn noted(mut json: Json, notes: &Notes) -> Json {
    if !notes.is_empty() {
        json["notes"] = Json::Object(notes.iter().map(|(key, text)| (key.to_owned(), Json::from(text))).collect());
    }
    json
}
