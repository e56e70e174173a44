//! What the tests need of the `capnp` tool: a printer of schemas in its language, one of messages in its text form, and
//! running it. The printers follow the help page's mapping on their own, so that they can find mistakes in the codec.

use std::fmt::Write;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use wirewise_core::{Arena, Cell, Document, Float, Kind, Losses, Schema, State, TypeId, Union};

/// A schema in Cap'n Proto's language. The struct of the whole message is called `Root`, the others by their place in
/// the table; fields and branches by their positions.
pub(crate) fn schema_text(schema: &Schema) -> String {
    let mut out = String::from("@0xbf5147cbbecf40c1;\n");
    for index in 0..schema.types().len() {
        let id = TypeId::from_index(index);
        match schema.kind(id) {
            Kind::Enum(e) => {
                let symbols: String = (0..e.symbols.len()).map(|i| format!(" s{i} @{i};")).collect();
                writeln!(out, "enum T{index} {{{symbols} }}").unwrap();
            }
            Kind::Record(_) | Kind::Union(_) | Kind::Map(..) | Kind::Nullable(_) => {
                writeln!(out, "struct T{index} {{{} }}", members(schema, id)).unwrap();
            }
            _ => {}
        }
    }
    let root = schema.root();
    let members = match schema.kind(root) {
        Kind::Record(_) | Kind::Union(_) | Kind::Nullable(_) => members(schema, root),
        _ => format!(" value @0 :{};", type_text(schema, root)),
    };
    writeln!(out, "struct Root {{{members} }}").unwrap();
    out
}

fn members(schema: &Schema, id: TypeId) -> String {
    let mut out = String::new();
    let mut ordinal = 0;
    match schema.kind(id) {
        Kind::Record(record) => {
            for position in record.by_number() {
                let field = &record.fields[position];
                let name = format!("f{position}");
                member(schema, &name, field.value_type(), field.is_stateful(), &mut ordinal, &mut out);
            }
        }
        Kind::Union(union) => branches(schema, "", union, false, &mut ordinal, &mut out),
        Kind::Map(key, value) => {
            member(schema, "key", *key, false, &mut ordinal, &mut out);
            let (inner, maybe) = match schema.kind(*value) {
                Kind::Nullable(inner) => (*inner, true),
                _ => (*value, false),
            };
            match schema.kind(inner) {
                Kind::Union(_) => write!(out, " value @{ordinal} :T{};", inner.index()).unwrap(),
                _ => member(schema, "value", inner, maybe, &mut ordinal, &mut out),
            }
        }
        Kind::Nullable(inner) => match schema.kind(*inner) {
            Kind::Union(union) => branches(schema, "", union, true, &mut ordinal, &mut out),
            _ => member(schema, "value", *inner, true, &mut ordinal, &mut out),
        },
        _ => unreachable!("no struct"),
    }
    out
}

fn member(schema: &Schema, name: &str, ty: TypeId, maybe: bool, ordinal: &mut u32, out: &mut String) {
    let mut next = || {
        *ordinal += 1;
        *ordinal - 1
    };
    match schema.kind(ty) {
        Kind::Union(union) => branches(schema, name, union, maybe, ordinal, out),
        _ if maybe && is_data(schema, ty) => {
            let (none, value, ty) = (next(), next(), type_text(schema, ty));
            write!(out, " {name} :union {{ none @{none} :Void; value @{value} :{ty}; }}").unwrap();
        }
        _ => write!(out, " {name} @{} :{};", next(), type_text(schema, ty)).unwrap(),
    }
}

fn branches(schema: &Schema, name: &str, union: &Union, none: bool, ordinal: &mut u32, out: &mut String) {
    let mut next = || {
        *ordinal += 1;
        *ordinal - 1
    };
    let mut order: Vec<usize> = (0..union.branches.len()).collect();
    order.sort_by_key(|&i| union.branches[i].number);
    let mut inside = String::new();
    if none {
        write!(inside, " none @{} :Void;", next()).unwrap();
    }
    for &i in &order {
        write!(inside, " b{i} @{} :{};", next(), type_text(schema, union.branches[i].ty)).unwrap();
    }
    match (name, order.len() + usize::from(none)) {
        ("", 1) => out.push_str(&inside),
        ("", _) => write!(out, " union {{{inside} }}").unwrap(),
        (_, 1) => write!(out, " {name} :group {{{inside} }}").unwrap(),
        _ => write!(out, " {name} :union {{{inside} }}").unwrap(),
    }
}

fn is_data(schema: &Schema, ty: TypeId) -> bool {
    matches!(schema.kind(ty), Kind::Null | Kind::Bool | Kind::Int(_) | Kind::Float(_) | Kind::Enum(_))
}

fn type_text(schema: &Schema, ty: TypeId) -> String {
    match schema.kind(ty) {
        Kind::Null => "Void".to_owned(),
        Kind::Bool => "Bool".to_owned(),
        Kind::Int(int) => format!("{}{}", if int.signed() { "Int" } else { "UInt" }, int.bits()),
        Kind::Float(Float::F32) => "Float32".to_owned(),
        Kind::Float(Float::F64) => "Float64".to_owned(),
        Kind::String | Kind::Any => "Text".to_owned(),
        Kind::Bytes | Kind::Fixed(_) => "Data".to_owned(),
        Kind::List(item) => format!("List({})", type_text(schema, *item)),
        Kind::Map(..) => format!("List(T{})", ty.index()),
        _ => format!("T{}", ty.index()),
    }
}

/// The message in `arena` in the tool's text form.
pub(crate) fn message_text(schema: &Schema, arena: &mut Arena) -> String {
    let any = Arc::new(Schema::parse(r#"{"wirewise": "schema/1", "root": "any"}"#).unwrap());
    let root = Document::new(schema, b"", arena).root();
    let mut printer = Printer { schema, any, arena, out: String::new() };
    match schema.kind(schema.root()) {
        Kind::Record(_) | Kind::Union(_) | Kind::Nullable(_) => printer.value(schema.root(), root),
        _ => {
            printer.out.push_str("(value = ");
            printer.value(schema.root(), root);
            printer.out.push(')');
        }
    }
    printer.arena.set_root(root);
    printer.out
}

struct Printer<'a> {
    schema: &'a Schema,
    any: Arc<Schema>,
    arena: &'a mut Arena,
    out: String,
}

impl<'a> Printer<'a> {
    fn document(&self) -> Document<'_> {
        Document::new(self.schema, b"", self.arena)
    }

    /// A value of its own: an element of a list, or the root.
    fn value(&mut self, ty: TypeId, cell: Cell) {
        let schema = self.schema;
        match schema.kind(ty) {
            Kind::Null => self.out.push_str("void"),
            Kind::Bool => write!(self.out, "{}", cell.as_bool()).unwrap(),
            Kind::Int(int) if int.signed() => write!(self.out, "{}", cell.as_i64()).unwrap(),
            Kind::Int(_) => write!(self.out, "{}", cell.as_u64()).unwrap(),
            Kind::Float(Float::F32) => self.float(cell.as_f32().into()),
            Kind::Float(Float::F64) => self.float(cell.as_f64()),
            Kind::Enum(e) => write!(self.out, "s{}", e.position(cell.as_i64()).unwrap()).unwrap(),
            Kind::String => {
                let text = self.document().bytes(cell).to_vec();
                self.text(&text);
            }
            Kind::Bytes | Kind::Fixed(_) => {
                let bytes: String = self.document().bytes(cell).iter().map(|byte| format!("{byte:02x} ")).collect();
                // The tool's grammar has no empty `0x""`.
                let prefix = if bytes.is_empty() { "" } else { "0x" };
                write!(self.out, "{prefix}\"{}\"", bytes.trim_end()).unwrap();
            }
            Kind::Any => {
                self.arena.set_root(cell);
                let json = wirewise_formats::plan("json", &self.any).unwrap();
                let mut text = Vec::new();
                let document = Document::new(&self.any, b"", self.arena);
                json.encode(&document, &mut text, &mut Losses::none()).unwrap();
                self.text(&text);
            }
            Kind::List(item) => {
                let items = self.document().list(cell).to_vec();
                self.items(&items, |printer, &cell| printer.value(*item, cell));
            }
            Kind::Map(key, value) => {
                let pairs = self.document().map(cell).to_vec();
                let pairs: Vec<_> = pairs.chunks_exact(2).collect();
                self.items(&pairs, |printer, pair| {
                    printer.out.push_str("(key = ");
                    printer.value(*key, pair[0]);
                    match schema.kind(*value) {
                        Kind::Nullable(inner) => {
                            if let Some(cell) = printer.document().boxed(pair[1]) {
                                if is_data(schema, *inner) {
                                    printer.member("value", *inner, cell);
                                } else {
                                    printer.out.push_str(", value = ");
                                    printer.value(*inner, cell);
                                }
                            }
                        }
                        _ => {
                            printer.out.push_str(", value = ");
                            printer.value(*value, pair[1]);
                        }
                    }
                    printer.out.push(')');
                });
            }
            Kind::Nullable(inner) => {
                let inner_cell = self.document().boxed(cell);
                match (inner_cell, schema.kind(*inner)) {
                    (None, _) => self.out.push_str("()"),
                    (Some(cell), Kind::Union(_)) => self.value(*inner, cell),
                    (Some(cell), _) => {
                        self.out.push('(');
                        self.member("value", *inner, cell);
                        self.out.push(')');
                    }
                }
            }
            Kind::Record(record) => {
                self.out.push('(');
                for (position, field) in record.fields.iter().enumerate() {
                    let view = self.document().record(record, cell);
                    let (state, cell) = (view.state(position), view.cell(position));
                    if state != State::Present {
                        continue;
                    }
                    let name = format!("f{position}");
                    if field.is_stateful() {
                        self.member(&name, field.value_type(), cell);
                    } else {
                        self.name(&name);
                        self.value(field.value_type(), cell);
                    }
                }
                self.out.push(')');
            }
            Kind::Union(union) => {
                let (position, cell) = self.document().union(cell);
                write!(self.out, "(b{position} = ").unwrap();
                self.value(union.branches[position].ty, cell);
                self.out.push(')');
            }
        }
    }

    fn name(&mut self, name: &str) {
        let comma = if self.out.ends_with('(') { "" } else { ", " };
        write!(self.out, "{comma}{name} = ").unwrap();
    }

    /// A member that might have had no value.
    fn member(&mut self, name: &str, ty: TypeId, cell: Cell) {
        self.name(name);
        if is_data(self.schema, ty) {
            self.out.push_str("(value = ");
            self.value(ty, cell);
            self.out.push(')');
        } else {
            self.value(ty, cell);
        }
    }

    fn items<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        self.out.push('[');
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            print(self, item);
        }
        self.out.push(']');
    }

    fn text(&mut self, text: &[u8]) {
        self.out.push('"');
        for &byte in text {
            match byte {
                b'"' | b'\\' => write!(self.out, "\\{}", byte as char).unwrap(),
                b' '..=b'~' => self.out.push(byte as char),
                _ => write!(self.out, "\\x{byte:02x}").unwrap(),
            }
        }
        self.out.push('"');
    }

    fn float(&mut self, value: f64) {
        match value {
            _ if value.is_nan() => self.out.push_str("nan"),
            f64::INFINITY => self.out.push_str("inf"),
            f64::NEG_INFINITY => self.out.push_str("-inf"),
            _ if value == 0.0 && value.is_sign_negative() => self.out.push_str("-0.0"),
            _ => write!(self.out, "{value:e}").unwrap(),
        }
    }
}

/// Runs the tool, and gives what it prints.
#[track_caller]
pub(crate) fn run(mut tool: Command, args: &[&str], schema: &Path, root: &str, input: &[u8]) -> Vec<u8> {
    tool.args(args).arg(schema).arg(root);
    tool.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = tool.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "capnp {args:?}: {errors}");
    output.stdout
}
