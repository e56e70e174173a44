//! The values of options, by the types that the descriptors give them: whether they fit, and as fields of messages.

use std::collections::HashMap;
use std::sync::OnceLock;

use wirewise_core::{Float, Kind, Schema, TypeId};

use crate::{Error, MemoryFiles, Result};

use super::ast::{Enum, Field, Key, Message, Name, Opt, Value};
use super::load;
use super::model;
use super::symbols::{Decl, Extension, Node, ScopeId, Symbols};
use super::tree::{self, Record, Tree};
use super::wkt;

/// A value, or why it does not fit.
type Fits<T> = std::result::Result<T, String>;

/// The types of options, custom ones included.
pub(super) struct Options<'s, 'a> {
    symbols: &'s Symbols<'a>,
    schema: std::borrow::Cow<'static, Schema>,
    /// Names in the model of the extensions that have others there.
    renamed: HashMap<&'s str, &'s str>,
}

/// The schema of descriptors as everybody has them.
pub(super) fn standard() -> &'static Schema {
    static STANDARD: OnceLock<Schema> = OnceLock::new();
    STANDARD.get_or_init(|| {
        let source = wkt::find(wkt::DESCRIPTOR).expect("the file is built in");
        let loaded = load::load(&source, &MemoryFiles::none()).expect("the file is valid");
        let symbols = Symbols::new(&loaded).expect("the file is valid");
        model::build(&symbols, None).expect("the file is valid").schema
    })
}

impl<'s, 'a> Options<'s, 'a> {
    /// Those of some files.
    pub(super) fn new(symbols: &'s Symbols<'a>) -> Result<Self> {
        // Only files that import the descriptors can declare options.
        let own = symbols.loaded.files.iter().any(|file| file.path == wkt::DESCRIPTOR || is_descriptor(symbols, file));
        let schema = if own {
            std::borrow::Cow::Owned(model::build(symbols, None)?.schema)
        } else {
            std::borrow::Cow::Borrowed(standard())
        };
        let renamed = symbols.extensions.iter().filter(|extension| extension.full_name != extension.model_name);
        let names = |extension: &'s Extension<'a>| (extension.full_name.as_str(), extension.model_name.as_str());
        Ok(Options { symbols, schema, renamed: renamed.map(names).collect() })
    }

    /// The name in the model of an extension, if it has another one there.
    pub(super) fn model_name(&self, full_name: &str) -> Option<&str> {
        self.renamed.get(full_name).copied()
    }

    pub(super) fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Checks all options of all files.
    pub(super) fn check(&self) -> Result<()> {
        for (place, file) in self.symbols.loaded.files.iter().enumerate() {
            if file.path.starts_with("google/protobuf/") && place > 0 {
                continue;
            }
            let scope = self.symbols.package_scope(place);
            self.interpret(place, scope, "FileOptions", &file.options)?;
        }
        for decl in &self.symbols.types {
            if decl.file > 0 && self.symbols.file(decl.file).path.starts_with("google/protobuf/") {
                continue;
            }
            match decl.node {
                Node::Message(message) => self.check_message(decl, message)?,
                Node::Enum(e) => self.check_enum(decl, e)?,
            }
        }
        for Extension { file, scope, field, .. } in &self.symbols.extensions {
            self.field(*file, *scope, field)?;
        }
        Ok(())
    }

    fn check_message(&self, decl: &Decl<'_>, message: &Message) -> Result<()> {
        let (file, scope) = (decl.file, decl.scope);
        self.interpret(file, scope, "MessageOptions", &message.options)?;
        for field in &message.fields {
            self.field(file, scope, field)?;
        }
        for oneof in &message.oneofs {
            self.interpret(file, scope, "OneofOptions", &oneof.options)?;
        }
        for ranges in &message.extension_ranges {
            self.interpret(file, scope, "ExtensionRangeOptions", &ranges.options)?;
        }
        Ok(())
    }

    fn check_enum(&self, decl: &Decl<'_>, e: &Enum) -> Result<()> {
        self.interpret(decl.file, decl.scope, "EnumOptions", &e.options)?;
        for value in &e.values {
            self.interpret(decl.file, decl.scope, "EnumValueOptions", &value.options)?;
        }
        Ok(())
    }

    /// The options of a field, without those that are parts of the field itself.
    pub(super) fn field(&self, file: usize, scope: ScopeId, field: &Field) -> Result<Record> {
        let own = |option: &&Opt| !option.is("default") && !option.is("json_name");
        let options: Vec<Opt> = field.options.iter().filter(own).cloned().collect();
        self.interpret(file, scope, "FieldOptions", &options)
    }

    /// Options as a message of the type `kind`.
    pub(super) fn interpret(&self, file: usize, scope: ScopeId, kind: &str, options: &[Opt]) -> Result<Record> {
        let mut record = Record::default();
        if options.is_empty() {
            return Ok(record);
        }
        let full = format!("google.protobuf.{kind}");
        let Some(ty) = self.schema.named(&full) else {
            return Err(Error::new(format!("the descriptors have no message {full}")));
        };
        for option in options {
            self.set(&mut record, ty, file, scope, option)?;
        }
        Ok(record)
    }

    fn set(&self, record: &mut Record, mut ty: TypeId, file: usize, scope: ScopeId, option: &Opt) -> Result<()> {
        let mut at = record;
        for (i, part) in option.name.iter().enumerate() {
            let error = |what: String| self.symbols.error(file, part.name.at, what);
            let name = if part.custom {
                let place = self.symbols.extension(file, scope, &part.name)?;
                format!("[{}]", self.symbols.extensions[place].full_name)
            } else {
                part.name.text.clone()
            };
            let Kind::Record(message) = self.schema.kind(ty) else {
                return Err(error(format!("the option before {name:?} is no message")));
            };
            let Some(position) = message.position(&name) else {
                let what = match i {
                    0 => format!("there is no option {name:?} for {}", what_for(&message.name)),
                    _ => format!("{} has no field {name:?}", message.name),
                };
                return Err(error(what));
            };
            let field = &message.fields[position];
            if i + 1 < option.name.len() {
                let Kind::Record(_) = self.schema.kind(field.ty) else {
                    return Err(error(format!("{name:?} is no message, so that nothing in it can be set")));
                };
                let inner = at.0.entry(name).or_insert_with(|| Tree::Record(Record::default()));
                let Tree::Record(inner) = inner else {
                    return Err(error("the option is set twice".to_owned()));
                };
                (at, ty) = (inner, field.ty);
                continue;
            }
            let wrong = |what: String| self.symbols.error(file, option.at, what);
            if let Kind::List(item) = self.schema.kind(field.ty) {
                let value = self.value(*item, file, scope, &option.value).map_err(wrong)?;
                match at.0.entry(name).or_insert_with(|| Tree::List(Vec::new())) {
                    Tree::List(items) => items.push(value),
                    _ => return Err(error("the option is set twice".to_owned())),
                }
                return Ok(());
            }
            let value = self.value(field.ty, file, scope, &option.value).map_err(wrong)?;
            if at.0.insert(name, value).is_some() {
                return Err(error("the option is set twice".to_owned()));
            }
            return Ok(());
        }
        Ok(())
    }

    /// A value of a type.
    fn value(&self, ty: TypeId, file: usize, scope: ScopeId, value: &Value) -> Fits<Tree> {
        let expected = |what: &str| Err(format!("found {}, expected {what}", super::text::value(value)));
        Ok(match (self.schema.kind(ty), value) {
            (Kind::Bool, Value::Word(word)) if word == "true" || word == "false" => Tree::Bool(word == "true"),
            (Kind::Bool, _) => return expected("true or false"),
            (Kind::Int(int), Value::Int(number, negative)) => {
                let number = i128::from(*number) * if *negative { -1 } else { 1 };
                if !int.holds(number) {
                    let (min, max) = int.range();
                    return expected(&format!("a number from {min} to {max}"));
                }
                Tree::Int(number)
            }
            (Kind::Int(_), _) => return expected("an integer"),
            (Kind::Float(float), Value::Int(..) | Value::Float(_) | Value::Word(_)) => {
                let number = match value {
                    Value::Int(number, negative) => *number as f64 * if *negative { -1.0 } else { 1.0 },
                    Value::Float(number) => *number,
                    Value::Word(word) => match word.as_str() {
                        "inf" | "infinity" => f64::INFINITY,
                        "-inf" | "-infinity" => f64::NEG_INFINITY,
                        "nan" | "-nan" => f64::NAN,
                        _ => return expected("a number"),
                    },
                    _ => unreachable!("numbers only"),
                };
                Tree::Float(if *float == Float::F32 { f64::from(number as f32) } else { number })
            }
            (Kind::Float(_), _) => return expected("a number"),
            (Kind::String, Value::Text(text)) if std::str::from_utf8(text).is_ok() => Tree::Text(text.clone()),
            (Kind::Bytes, Value::Text(text)) => Tree::Text(text.clone()),
            (Kind::String | Kind::Bytes, _) => return expected("a string"),
            (Kind::Enum(e), Value::Word(word)) if e.position_of(word.as_bytes()).is_some() => Tree::Word(word.clone()),
            (Kind::Enum(e), _) => return expected(&format!("a value of {}", e.name)),
            (Kind::Record(_), Value::Message(fields)) => Tree::Record(self.message(ty, file, scope, fields)?),
            (Kind::Record(record), _) => return expected(&format!("a {} in braces", record.name)),
            _ => return expected(&self.schema.describe(ty)),
        })
    }

    /// A message in text format.
    fn message(&self, ty: TypeId, file: usize, scope: ScopeId, fields: &[(Key, Value)]) -> Fits<Record> {
        let Kind::Record(message) = self.schema.kind(ty) else { return Ok(Record::default()) };
        let mut record = Record::default();
        for (key, value) in fields {
            let field = match key {
                Key::Field(name) => message.fields.iter().find(|field| {
                    // A group goes by the name of its message.
                    field.name == *name
                        || field.notes.get("protobuf.encoding").is_some() && self.is_group(field.ty, name)
                }),
                Key::Extension(name) if name.contains('/') => {
                    return self.any(file, scope, name, value, fields.len());
                }
                Key::Extension(name) => {
                    let place = self.symbols.extension(file, scope, &Name::new(name.as_str()));
                    let place = place.map_err(|_| format!("there is no extension {name:?}"))?;
                    let name = format!("[{}]", self.symbols.extensions[place].full_name);
                    message.fields.iter().find(|field| field.name == name)
                }
            };
            let Some(field) = field else {
                let (Key::Field(name) | Key::Extension(name)) = key;
                return Err(format!("{} has no field {name:?}", message.name));
            };
            match (self.schema.kind(field.ty), value) {
                (Kind::List(item), Value::List(values)) => {
                    let values: Fits<Vec<Tree>> =
                        values.iter().map(|value| self.value(*item, file, scope, value)).collect();
                    append(&mut record, &field.name, values?);
                }
                (Kind::List(item), value) => {
                    let value = self.value(*item, file, scope, value)?;
                    append(&mut record, &field.name, vec![value]);
                }
                (Kind::Map(key_type, value_type), value) => {
                    let entries =
                        if let Value::List(entries) = value { &entries[..] } else { std::slice::from_ref(value) };
                    for entry in entries {
                        let entry = self.entry(*key_type, *value_type, file, scope, entry)?;
                        match record.0.entry(field.name.clone()).or_insert_with(|| Tree::Map(Vec::new())) {
                            Tree::Map(all) => {
                                all.retain(|(key, _)| *key != entry.0);
                                all.push(entry);
                            }
                            _ => unreachable!("only maps are put there"),
                        }
                    }
                }
                (_, value) => {
                    let value = self.value(field.ty, file, scope, value)?;
                    if record.0.insert(field.name.clone(), value).is_some() {
                        return Err(format!("the field {:?} is set twice", field.name));
                    }
                }
            }
        }
        Ok(record)
    }

    fn is_group(&self, ty: TypeId, name: &str) -> bool {
        let inner = if let Kind::List(item) = self.schema.kind(ty) { *item } else { ty };
        self.schema.name(inner).is_some_and(|full| full.rsplit('.').next() == Some(name))
    }

    fn entry(&self, key: TypeId, value: TypeId, file: usize, scope: ScopeId, entry: &Value) -> Fits<(Tree, Tree)> {
        let Value::Message(fields) = entry else { return Err("expected an entry of a map in braces".to_owned()) };
        let get = |name: &str, ty: TypeId| {
            let found = fields.iter().find(|(key, _)| *key == Key::Field(name.to_owned()));
            match found {
                Some((_, value)) => self.value(ty, file, scope, value),
                None => Ok(zero(&self.schema, ty)),
            }
        };
        Ok((get("key", key)?, get("value", value)?))
    }

    /// `[type.googleapis.com/full.name] { ... }`: an `Any` with its message written out.
    fn any(&self, file: usize, scope: ScopeId, url: &str, value: &Value, count: usize) -> Fits<Record> {
        let name = url.rsplit('/').next().unwrap_or_default();
        let ty =
            self.schema.named(name).filter(|_| count == 1).ok_or_else(|| format!("there is no message {name:?}"))?;
        let Tree::Record(inner) = self.value(ty, file, scope, value)? else {
            return Err(format!("{name:?} is no message"));
        };
        let mut record = Record::default();
        record.set_text("type_url", url);
        record.set("value", Tree::Text(tree::encode(&self.schema, ty, &inner)?));
        Ok(record)
    }
}

/// The value that is left out.
fn zero(schema: &Schema, ty: TypeId) -> Tree {
    match schema.kind(ty) {
        Kind::Bool => Tree::Bool(false),
        Kind::Int(_) => Tree::Int(0),
        Kind::Float(_) => Tree::Float(0.0),
        Kind::Enum(e) => Tree::Word(e.symbols[0].name.clone()),
        Kind::Record(_) => Tree::Record(Record::default()),
        _ => Tree::Text(Vec::new()),
    }
}

fn append(record: &mut Record, name: &str, values: Vec<Tree>) {
    match record.0.entry(name.to_owned()).or_insert_with(|| Tree::List(Vec::new())) {
        Tree::List(items) => items.extend(values),
        _ => unreachable!("only lists are put there"),
    }
}

fn is_descriptor(symbols: &Symbols<'_>, file: &super::ast::File) -> bool {
    let package = file.package.as_ref().is_some_and(|package| package.text == "google.protobuf");
    package && symbols.types.iter().any(|decl| decl.full_name == "google.protobuf.FileDescriptorSet")
}

/// What the options of a message type are for.
fn what_for(name: &str) -> String {
    let name = name.strip_prefix("google.protobuf.").unwrap_or(name);
    let what = name.strip_suffix("Options").unwrap_or(name);
    match what {
        "File" => "files",
        "Message" => "messages",
        "Field" => "fields",
        "Oneof" => "oneofs",
        "Enum" => "enums",
        "EnumValue" => "enum values",
        "ExtensionRange" => "extension ranges",
        other => other,
    }
    .to_owned()
}

/// Fields of a message as options: what [`Options::interpret`] does, the other way round.
pub(super) fn options(schema: &Schema, ty: TypeId, record: &Record) -> Vec<Opt> {
    let Kind::Record(message) = schema.kind(ty) else { return Vec::new() };
    let mut options = Vec::new();
    for field in &message.fields {
        let Some(value) = record.get(&field.name) else { continue };
        if field.name == "uninterpreted_option" {
            continue;
        }
        let mut add = |value: Value| {
            let custom = field.name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
            let mut option = Opt::new("", value);
            option.name[0].custom = custom.is_some();
            option.name[0].name.text = custom.map_or_else(|| field.name.clone(), |name| format!(".{name}"));
            options.push(option);
        };
        match (schema.kind(field.ty), value) {
            (Kind::List(item), Tree::List(values)) => {
                values.iter().for_each(|value| add(written(schema, *item, value)));
            }
            _ => add(written(schema, field.ty, value)),
        }
    }
    options
}

/// A value in text format.
fn written(schema: &Schema, ty: TypeId, value: &Tree) -> Value {
    match value {
        Tree::Bool(value) => Value::Word(value.to_string()),
        Tree::Int(value) => Value::Int(value.unsigned_abs() as u64, *value < 0),
        Tree::Float(value) if value.is_finite() => {
            // The shortest text that is the same float.
            let float = *schema.kind(ty) == Kind::Float(Float::F32);
            Value::Float(if float { (*value as f32).to_string().parse().unwrap_or(*value) } else { *value })
        }
        Tree::Float(value) => Value::Word(super::text::float(*value)),
        Tree::Text(text) => Value::Text(text.clone()),
        Tree::Word(word) => Value::Word(word.clone()),
        Tree::List(values) => match schema.kind(ty) {
            Kind::List(item) => Value::List(values.iter().map(|value| written(schema, *item, value)).collect()),
            _ => Value::List(Vec::new()),
        },
        Tree::Map(entries) => match schema.kind(ty) {
            Kind::Map(key_type, value_type) => Value::List(
                entries
                    .iter()
                    .map(|(key, value)| {
                        let key = (Key::Field("key".to_owned()), written(schema, *key_type, key));
                        Value::Message(vec![key, (Key::Field("value".to_owned()), written(schema, *value_type, value))])
                    })
                    .collect(),
            ),
            _ => Value::List(Vec::new()),
        },
        Tree::Record(record) => {
            let Kind::Record(message) = schema.kind(ty) else { return Value::Message(Vec::new()) };
            let fields = message.fields.iter().filter_map(|field| {
                let value = record.get(&field.name)?;
                let key = match field.name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
                    Some(name) => Key::Extension(name.to_owned()),
                    // A group goes by the name of its message.
                    None if field.notes.get("protobuf.encoding").is_some() => {
                        let inner = if let Kind::List(item) = schema.kind(field.ty) { *item } else { field.ty };
                        let full = schema.name(inner).unwrap_or_default();
                        Key::Field(full.rsplit('.').next().unwrap_or_default().to_owned())
                    }
                    None => Key::Field(field.name.clone()),
                };
                Some((key, written(schema, field.ty, value)))
            });
            Value::Message(fields.collect())
        }
    }
}
