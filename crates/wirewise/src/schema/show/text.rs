//! A schema for people.

use std::fmt::{Display, Write};
use std::ops::RangeInclusive;

use wirewise_core::{Enum, Kind, Notes, Record, Schema, TypeId, Union};

use super::Shown;

/// Characters of documentation that are shown.
const MOST_DOC: usize = 72;

/// The types, each with a table of its parts.
pub(super) fn write(shown: &Shown<'_>) -> String {
    let schema = shown.schema;
    let count = match schema.named_types().count() {
        1 => "1 type".to_owned(),
        count => format!("{count} types"),
    };
    let root = shown.root.map_or(String::new(), |root| format!(", a message is {}", type_text(schema, root)));
    // Writing to a String cannot fail, so the results of `write!` are dropped.
    let mut out = format!("{}: {}, {count}{root}\n", plain(&shown.file), shown.language.title);
    for notice in shown.notices {
        let _ = writeln!(out, "note: {}", plain(notice));
    }
    for (i, step) in shown.shapes.iter().enumerate() {
        let _ =
            writeln!(out, "{}{}", if i == 0 { "shaped on the wire: " } else { "                    " }, plain(step));
    }
    for id in schema.named_types() {
        out.push('\n');
        match schema.kind(id) {
            Kind::Record(record) => write_record(schema, record, &mut out),
            Kind::Enum(e) => write_enum(e, &mut out),
            Kind::Union(union) => write_union(schema, union, &mut out),
            _ => {}
        }
    }
    out
}

fn write_record(schema: &Schema, record: &Record, out: &mut String) {
    head("record", &record.name, "", &record.doc, out);
    let rows = record.fields.iter().map(|field| {
        let oneof = field.oneof.map(|oneof| format!("one of {}", plain(&record.oneofs[oneof].name)));
        let presence = oneof.unwrap_or_else(|| if field.is_optional() { "optional" } else { "required" }.to_owned());
        let default = field.default.as_ref().map_or(String::new(), |default| format!("= {default}"));
        let aliases = field.aliases.iter().map(|alias| plain(alias)).collect::<Vec<_>>().join(", ");
        let doc = doc_text(&field.doc);
        let was = if aliases.is_empty() { doc } else { format!("was {aliases}. {doc}") };
        [field.number.to_string(), plain(&field.name), type_text(schema, field.ty), presence, default, was]
    });
    table(rows.collect(), out);
    for oneof in record.oneofs.iter().filter(|oneof| oneof.required) {
        let _ = writeln!(out, "  always one of {}", plain(&oneof.name));
    }
    write_reserved(&record.reserved_numbers, &record.reserved_names, out);
}

fn write_enum(e: &Enum, out: &mut String) {
    head("enum", &e.name, if e.closed { " (closed)" } else { "" }, &e.doc, out);
    let rows = e.symbols.iter().map(|s| [s.number.to_string(), plain(&s.name), doc_text(&s.doc)]);
    table(rows.collect(), out);
    write_reserved(&e.reserved_numbers, &e.reserved_names, out);
}

fn write_union(schema: &Schema, union: &Union, out: &mut String) {
    head("union", &union.name, "", &union.doc, out);
    let rows = union.branches.iter().map(|branch| {
        [branch.number.to_string(), plain(&branch.name), type_text(schema, branch.ty), doc_text(&branch.doc)]
    });
    table(rows.collect(), out);
}

fn head(what: &str, name: &str, more: &str, doc: &Option<String>, out: &mut String) {
    let _ = writeln!(out, "{what} {}{more}", plain(name));
    if doc.is_some() {
        let _ = writeln!(out, "  {}", doc_text(doc));
    }
}

/// Rows whose first column are numbers.
fn table<const N: usize>(rows: Vec<[String; N]>, out: &mut String) {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    for row in &rows {
        let mut line = format!("  {:>width$}", row[0], width = widths[0].max(3));
        for (cell, width) in row.iter().zip(widths).skip(1).filter(|(_, width)| *width > 0) {
            let _ = write!(line, "  {cell:<width$}");
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

fn write_reserved<T: Display + PartialEq>(numbers: &[RangeInclusive<T>], names: &[String], out: &mut String) {
    let range = |range: &RangeInclusive<T>| match range.start() == range.end() {
        true => range.start().to_string(),
        false => format!("{} to {}", range.start(), range.end()),
    };
    let names = names.iter().map(|name| format!("{name:?}"));
    let all: Vec<String> = numbers.iter().map(range).chain(names).collect();
    if !all.is_empty() {
        let _ = writeln!(out, "  reserved: {}", all.join(", "));
    }
}

/// `list of map of int32 to Person`, `int64 (timestamp-millis)`, `list of (string or null)`.
fn type_text(schema: &Schema, id: TypeId) -> String {
    let inner = |id: TypeId| match schema.kind(id) {
        Kind::Nullable(_) => format!("({})", type_text(schema, id)),
        _ => type_text(schema, id),
    };
    let base = match schema.kind(id) {
        Kind::List(item) => return format!("list of {}", inner(*item)),
        Kind::Nullable(inner) => return format!("{} or null", type_text(schema, *inner)),
        Kind::Map(key, value) if *schema.kind(*key) == Kind::String => return format!("map to {}", inner(*value)),
        Kind::Map(key, value) => return format!("map of {} to {}", inner(*key), inner(*value)),
        _ => plain(&schema.describe(id)),
    };
    if schema.name(id).is_some() {
        return base;
    }
    // What the type means, and how formats write it, such as `sint32`.
    let json = schema.type_json(id);
    let logical = json.get("logical").and_then(|logical| logical.as_str()).map(str::to_owned);
    let more: Vec<String> = logical.into_iter().chain(encodings(schema.type_notes(id))).collect();
    if more.is_empty() { base } else { format!("{base} ({})", more.join(", ")) }
}

fn encodings(notes: &Notes) -> impl Iterator<Item = String> {
    notes
        .iter()
        .map(|(key, text)| plain(&if key.ends_with(".type") { text.to_owned() } else { format!("{key}={text}") }))
}

/// The first line, shortened.
fn doc_text(doc: &Option<String>) -> String {
    let line = doc.as_deref().unwrap_or_default().lines().next().unwrap_or_default();
    let cut = line.char_indices().nth(MOST_DOC).map(|(at, _)| at);
    plain(&match cut {
        Some(at) => format!("{}...", line[..at].trim_end()),
        None => line.to_owned(),
    })
}

/// Text that does nothing to a terminal: names may be any text.
fn plain(text: &str) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_debug().to_string() } else { c.to_string() };
    if text.contains(char::is_control) { text.chars().map(escaped).collect() } else { text.to_owned() }
}
