//! Rules about the JSON form of messages, which has names where the bytes have numbers.

use wirewise_core::{Float, Int, Kind, Schema, TypeId};
use wirewise_idl::Element;

use crate::mode::Level;
use crate::rule::{At, Check, FieldAt, Rule};

pub(super) const FIELD_NAME: Rule = Rule {
    name: "json-field-name",
    title: "A field keeps its name in JSON",
    level: Level::Json,
    why: "JSON has the name of a field (in camel case, or as `json_name` says) where the bytes have its number. A renamed field is \
          an unknown one to old readers.",
    check: Check::Fields(field_name),
};

pub(super) const SYMBOL_NAME: Rule = Rule {
    name: "json-symbol-name",
    title: "A symbol of an enum keeps its name",
    level: Level::Json,
    why: "JSON has the name of a symbol. Its number may have several names (`allow_alias`), and then readers know all of them.",
    check: Check::Enums(symbol_name),
};

pub(super) const JSON_TYPE: Rule = Rule {
    name: "json-type",
    title: "A value keeps its form in JSON",
    level: Level::Json,
    why: "Types with the same bytes may look different in JSON: `bytes` are base64 and `string` is text; an enum is a name and \
          an `int32` a number; a `bool` is neither.",
    check: Check::Types(json_type),
};

fn json_name(field: &FieldAt<'_>) -> String {
    let explicit = field.field().notes.get("protobuf.json_name").map(str::to_owned);
    explicit.unwrap_or_else(|| camel(&field.field().name))
}

/// The name that Protobuf gives a field in JSON: underscores go, and what follows them is upper case.
fn camel(name: &str) -> String {
    let mut out = String::new();
    let mut up = false;
    for c in name.chars() {
        match c {
            '_' => up = true,
            c if up => {
                out.extend(c.to_uppercase());
                up = false;
            }
            c => out.push(c),
        }
    }
    out
}

fn field_name(at: &mut At<'_>, writer: FieldAt<'_>, reader: FieldAt<'_>) {
    let (old, new) = (json_name(&writer), json_name(&reader));
    if old != new {
        let fix = format!("keep the name, or write [json_name = {old:?}]");
        at.broken(format!("field {} is called {old:?} in JSON, and then {new:?}", writer.field().number), fix)
            .fields(writer, reader);
    }
}

fn symbol_name(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (Kind::Enum(written), Kind::Enum(read)) = (writer.kind(from), reader.kind(to)) else { return };
    for (position, symbol) in written.symbols.iter().enumerate() {
        let renamed = read.symbols.iter().position(|other| other.number == symbol.number);
        if let (Some(other), None) = (renamed, read.position_of(symbol.name.as_bytes())) {
            let what = format!("{} = {} is renamed to {}", symbol.name, symbol.number, read.symbols[other].name);
            at.broken(what, "keep the old name as an alias (allow_alias)")
                .writer(Element::Symbol(from, position))
                .reader(Element::Symbol(to, other));
        }
    }
}

/// How values of a type look in JSON.
fn form(schema: &Schema, ty: TypeId) -> &'static str {
    match schema.kind(ty) {
        Kind::Null => "null",
        Kind::Bool => "true or false",
        // Parsers take 64-bit numbers as strings and as numbers.
        Kind::Int(Int::I64 | Int::U64) | Kind::Int(_) | Kind::Float(Float::F32 | Float::F64) => "a number",
        Kind::String | Kind::Any => "text",
        Kind::Bytes | Kind::Fixed(_) => "base64",
        Kind::Enum(_) => "the name of a symbol",
        Kind::List(_) => "an array",
        Kind::Map(..) | Kind::Record(_) | Kind::Union(_) => "an object",
        Kind::Nullable(inner) => form(schema, *inner),
    }
}

fn json_type(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (old, new) = (form(writer, from), form(reader, to));
    if old != new {
        let (from, to) = (writer.describe(from), reader.describe(to));
        let fix = format!("keep the type {from}, and add a field with a new number for the new type");
        at.broken(format!("{from} is {old} in JSON, and {to} is {new}"), fix);
    }
}
