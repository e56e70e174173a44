//! A message as the JSON that `flatc` reads: bytes are arrays of numbers, maps are arrays of entries, a union is two
//! members, and what is boxed has braces of its own.

use serde_json::Value as Json;
use wirewise_core::{AnyValue, Cell, Document, Float, Int, Kind, Record, State, TypeId};
use wirewise_formats::flatbuffers::notes;

/// A message for `flatc`.
pub(crate) struct Printed {
    pub(crate) json: String,
    /// Whether a field without presence is -0.0, which flatc takes for its default.
    pub(crate) negative_zero: bool,
}

pub(crate) fn print(document: &Document<'_>) -> Printed {
    let mut printer = Printer { document, negative_zero: false };
    let json = printer.table(document.schema().root(), document.root());
    Printed { json, negative_zero: printer.negative_zero }
}

struct Printer<'a> {
    document: &'a Document<'a>,
    negative_zero: bool,
}

impl<'a> Printer<'a> {
    fn kind(&self, ty: TypeId) -> &'a Kind {
        self.document.schema().kind(ty)
    }

    /// A value that must be a table.
    fn table(&mut self, ty: TypeId, cell: Cell) -> String {
        if let Kind::Record(record) = self.kind(ty) {
            return self.record(record, cell);
        }
        let mut members = Vec::new();
        match self.kind(ty) {
            Kind::Nullable(inner) => {
                if let Some(cell) = self.document.boxed(cell) {
                    self.field("value", *inner, cell, true, &mut members);
                }
            }
            _ => self.field("value", ty, cell, false, &mut members),
        }
        format!("{{{}}}", members.join(","))
    }

    fn record(&mut self, record: &'a Record, cell: Cell) -> String {
        let view = self.document.record(record, cell);
        let mut members = Vec::new();
        for position in record.by_number() {
            let field = &record.fields[position];
            if view.state(position) == State::Present {
                self.field(&field.name, field.value_type(), view.cell(position), field.is_stateful(), &mut members);
            }
        }
        format!("{{{}}}", members.join(","))
    }

    fn field(&mut self, name: &str, ty: TypeId, cell: Cell, stateful: bool, members: &mut Vec<String>) {
        match self.kind(ty) {
            Kind::Null if stateful => members.push(format!("\"{name}\":true")),
            Kind::Null => {}
            Kind::Union(_) => {
                let (tag, value) = self.union(ty, cell);
                members.push(format!("\"{name}_type\":{tag}"));
                members.push(format!("\"{name}\":{value}"));
            }
            Kind::List(item) if self.document.schema().type_notes(ty).has(notes::UNION_VECTOR) => {
                let unions: Vec<_> = self.document.list(cell).iter().map(|&cell| self.union(*item, cell)).collect();
                let (tags, values): (Vec<_>, Vec<_>) = unions.into_iter().unzip();
                members.push(format!("\"{name}_type\":[{}]", tags.join(",")));
                members.push(format!("\"{name}\":[{}]", values.join(",")));
            }
            kind => {
                self.negative_zero |= match kind {
                    Kind::Float(Float::F32) => !stateful && cell == Cell::f32(-0.0),
                    Kind::Float(Float::F64) => !stateful && cell == Cell::f64(-0.0),
                    _ => false,
                };
                members.push(format!("\"{name}\":{}", self.value(ty, cell)));
            }
        }
    }

    /// The type and the value of a union.
    fn union(&mut self, ty: TypeId, cell: Cell) -> (String, String) {
        let Kind::Union(union) = self.kind(ty) else { unreachable!("asked for as a union") };
        let (position, value) = self.document.union(cell);
        let branch = &union.branches[position];
        let is_text = branch.notes.has(notes::DIRECT) && *self.kind(branch.ty) == Kind::String;
        let text = if is_text { self.value(branch.ty, value) } else { self.table(branch.ty, value) };
        (format!("\"{}\"", branch.name), text)
    }

    fn value(&mut self, ty: TypeId, cell: Cell) -> String {
        match self.kind(ty) {
            Kind::Bool => cell.as_bool().to_string(),
            Kind::Int(int) => integer(*int, cell),
            Kind::Enum(_) if self.document.schema().type_notes(ty).get(notes::TYPE) == Some("ulong") => {
                cell.as_u64().to_string()
            }
            Kind::Enum(_) => cell.as_i64().to_string(),
            Kind::Float(Float::F32) => format!("{:?}", cell.as_f32()),
            Kind::Float(Float::F64) => format!("{:?}", cell.as_f64()),
            Kind::String => Json::from(self.document.str(cell)).to_string(),
            Kind::Any => Json::from(any(self.document, cell)).to_string(),
            Kind::Bytes | Kind::Fixed(_) => Json::from(self.document.bytes(cell).to_vec()).to_string(),
            Kind::List(item) => {
                let items: Vec<_> = self.document.list(cell).iter().map(|&cell| self.element(*item, cell)).collect();
                format!("[{}]", items.join(","))
            }
            Kind::Map(key, value) => {
                let mut entries = Vec::new();
                for pair in self.document.map(cell).chunks_exact(2) {
                    let key = self.value(*key, pair[0]);
                    entries.push(match self.kind(*value) {
                        Kind::Null => format!("{{\"key\":{key}}}"),
                        kind => {
                            self.negative_zero |= match kind {
                                Kind::Float(Float::F32) => pair[1] == Cell::f32(-0.0),
                                Kind::Float(Float::F64) => pair[1] == Cell::f64(-0.0),
                                _ => false,
                            };
                            format!("{{\"key\":{key},\"value\":{}}}", self.element(*value, pair[1]))
                        }
                    });
                }
                format!("[{}]", entries.join(","))
            }
            _ => self.table(ty, cell),
        }
    }

    /// An element of a vector, or the value of an entry: whatever is no scalar, string or table is boxed.
    fn element(&mut self, ty: TypeId, cell: Cell) -> String {
        match self.kind(ty) {
            Kind::Null => "0".to_owned(),
            Kind::Bool | Kind::Int(_) | Kind::Enum(_) | Kind::Float(_) | Kind::String | Kind::Any => {
                self.value(ty, cell)
            }
            _ => self.table(ty, cell),
        }
    }
}

fn integer(int: Int, cell: Cell) -> String {
    if int.signed() { cell.as_i64().to_string() } else { cell.as_u64().to_string() }
}

/// The JSON text of an `Any`.
fn any(document: &Document<'_>, cell: Cell) -> String {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    match document.any(cell) {
        AnyValue::Null => "null".to_owned(),
        AnyValue::Bool(value) => value.to_string(),
        AnyValue::Int(value) => value.to_string(),
        AnyValue::Uint(value) => value.to_string(),
        AnyValue::Float(value) => zmij::Buffer::new().format(value).replace("e+", "e"),
        AnyValue::Number(number) => text(number),
        AnyValue::String(string) => Json::from(text(string)).to_string(),
        AnyValue::List(items) => {
            let items: Vec<_> = items.iter().map(|&item| any(document, item)).collect();
            format!("[{}]", items.join(","))
        }
        AnyValue::Map(pairs) => {
            let members: Vec<_> = pairs
                .chunks_exact(2)
                .map(|pair| format!("{}:{}", any(document, pair[0]), any(document, pair[1])))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        AnyValue::Bytes(_) | AnyValue::Tagged(..) => unreachable!("JSON has neither, so they are refused"),
    }
}

/// Compares what flatc printed with what we gave it: it rounds floats, leaves out defaults, and prints enums by name.
pub(crate) fn assert_close(theirs: &Json, ours: &Json, path: &str) {
    match (theirs, ours) {
        (Json::Object(theirs), Json::Object(ours)) => {
            for (name, value) in theirs {
                let expected = ours.get(name).unwrap_or_else(|| panic!("{path}.{name} is unexpected"));
                assert_close(value, expected, &format!("{path}.{name}"));
            }
            for (name, value) in ours {
                let is_default = matches!(value, Json::Bool(false)) || value.as_f64() == Some(0.0);
                assert!(theirs.contains_key(name) || is_default, "{path}.{name} is missing");
            }
        }
        (Json::Array(theirs), Json::Array(ours)) => {
            assert_eq!(theirs.len(), ours.len(), "{path}");
            // Maps come back sorted by key.
            let key = |value: &Json| value.get("key").map(ToString::to_string);
            let mut theirs: Vec<_> = theirs.iter().collect();
            let mut ours: Vec<_> = ours.iter().collect();
            if theirs.first().is_some_and(|first| key(first).is_some()) {
                let default = |value: &Json| key(value).unwrap_or_else(|| "0".to_owned());
                theirs.sort_by_key(|value| default(value));
                ours.sort_by_key(|value| default(value));
            }
            theirs.iter().zip(ours).enumerate().for_each(|(i, (a, b))| assert_close(a, b, &format!("{path}[{i}]")));
        }
        (Json::Number(a), Json::Number(b)) if a != b => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            assert!((a - b).abs() <= b.abs() * 1e-5 + 1e-6, "{path}: {b} became {a}");
        }
        (Json::String(_), Json::Number(_)) => {} // an enum's name
        _ => assert_eq!(theirs, ours, "{path}"),
    }
}
