//! What the tests need of the `capnp` tool: a printer of messages in its text form, and running it. The printer follows the
//! help page's mapping on its own, so that it can find mistakes in the codec.

use std::fmt::Write;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use wirewise_core::{Arena, Cell, Document, Float, Kind, Losses, Schema, State, TypeId};

fn is_data(schema: &Schema, ty: TypeId) -> bool {
    matches!(schema.kind(ty), Kind::Null | Kind::Bool | Kind::Int(_) | Kind::Float(_) | Kind::Enum(_))
}

/// The name that the writer gives to a field, branch, enumerant or union of a random schema.
fn ident(name: &str) -> String {
    name.to_lowercase().replace('_', "")
}

/// The message in `arena` in the tool's text form; `None` when that has no words for it.
pub(crate) fn message_text(schema: &Schema, arena: &mut Arena) -> Option<String> {
    let any = Arc::new(Schema::parse(r#"{"wirewise": "schema/1", "root": "any"}"#).unwrap());
    let root = Document::new(schema, b"", arena).root();
    let mut printer = Printer { schema, any, arena, out: String::new(), is_sayable: true };
    match schema.kind(schema.root()) {
        Kind::Record(_) | Kind::Union(_) | Kind::Nullable(_) => printer.value(schema.root(), root),
        _ => {
            printer.out.push_str("(value = ");
            printer.value(schema.root(), root);
            printer.out.push(')');
        }
    }
    printer.arena.set_root(root);
    printer.is_sayable.then_some(printer.out)
}

struct Printer<'a> {
    schema: &'a Schema,
    any: Arc<Schema>,
    arena: &'a mut Arena,
    out: String,
    is_sayable: bool,
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
            Kind::Enum(e) => self.out.push_str(&ident(&e.symbols[e.position(cell.as_i64()).unwrap()].name)),
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
                    // The union of a nullable in a list is one of its own, whose members have the names of positions.
                    (Some(cell), Kind::Union(union)) => {
                        let (position, cell) = self.document().union(cell);
                        write!(self.out, "(branch{position} = ").unwrap();
                        self.value(union.branches[position].ty, cell);
                        self.out.push(')');
                    }
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
                    let name = ident(&field.name);
                    // A null pointer in a union cannot be said.
                    self.is_sayable &= state != State::Null || field.oneof.is_none();
                    if state != State::Present {
                        continue;
                    }
                    if let Some(oneof) = field.oneof {
                        self.name(&ident(&record.oneofs[oneof].name));
                        self.out.push('(');
                        self.name(&name);
                        if field.is_nullable() && is_data(schema, field.value_type()) {
                            // A struct of its own, with the union in it.
                            self.out.push('(');
                            self.member("value", field.value_type(), cell);
                            self.out.push(')');
                        } else {
                            self.value(field.value_type(), cell);
                        }
                        self.out.push(')');
                    } else if field.is_stateful() {
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
                write!(self.out, "({} = ", self.branch(ty, position)).unwrap();
                self.value(union.branches[position].ty, cell);
                self.out.push(')');
            }
        }
    }

    fn branch(&self, ty: TypeId, position: usize) -> String {
        match self.schema.kind(ty) {
            Kind::Union(union) => ident(&union.branches[position].name),
            _ => unreachable!("asked of unions"),
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
pub(crate) fn run(tool: Command, args: &[&str], schema: &Path, root: &str, input: &[u8]) -> Vec<u8> {
    try_run(tool, args, schema, root, input).unwrap_or_else(|| panic!("capnp {args:?} cannot show this"))
}

/// The same; `None` when it cannot show the message: it crashes on structs whose default has no end, and refuses pointers to
/// anything.
#[track_caller]
pub(crate) fn try_run(mut tool: Command, args: &[&str], schema: &Path, root: &str, input: &[u8]) -> Option<Vec<u8>> {
    tool.args(args).arg(schema).arg(root);
    tool.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = tool.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    if errors.contains("Segmentation fault") || errors.contains("know how to JSON-encode AnyPointer") {
        return None;
    }
    assert!(output.status.success(), "capnp {args:?}: {errors}");
    Some(output.stdout)
}
