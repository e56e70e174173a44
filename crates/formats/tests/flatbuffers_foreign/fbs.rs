//! A schema as `.fbs`, written from the mapping that the format's help page states.

use std::collections::HashSet;
use std::fmt::Write;

use wirewise_core::{Float, Int, Kind, Record, Schema, TypeId};

/// The schema that describes the same bytes to `flatc`.
pub(crate) fn print(schema: &Schema) -> String {
    let mut printer = Printer { schema, done: HashSet::new(), open: Vec::new() };
    let root = printer.table(schema.root());
    let mut definitions = Vec::new();
    while let Some((name, ty)) = printer.open.pop() {
        if printer.done.insert(name.clone()) {
            let mut text = String::new();
            printer.definition(&name, ty, &mut text);
            definitions.push(text);
        }
    }
    // flatc must know enums and unions before they are used.
    definitions.sort_by_key(|text| text.starts_with("table"));
    format!("{}root_type {root};\n", definitions.concat())
}

/// The name of the box of a type.
fn box_name(ty: TypeId) -> String {
    format!("Box{}", ty.index())
}

struct Printer<'a> {
    schema: &'a Schema,
    done: HashSet<String>,
    /// What is still to be defined. Boxes and entries have the prefixes of their names.
    open: Vec<(String, TypeId)>,
}

impl Printer<'_> {
    fn refer(&mut self, name: String, ty: TypeId) -> String {
        self.open.push((name.clone(), ty));
        name
    }

    /// The table of a value that must be one.
    fn table(&mut self, ty: TypeId) -> String {
        match self.schema.kind(ty) {
            Kind::Record(record) => self.refer(record.name.clone(), ty),
            _ => self.refer(box_name(ty), ty),
        }
    }

    fn definition(&mut self, name: &str, ty: TypeId, out: &mut String) {
        let kind = self.schema.kind(ty);
        if name.starts_with("Box") {
            let field = self.field("value", ty, false);
            let _ = writeln!(out, "table {name} {{ {field}}}");
            return;
        }
        match kind {
            Kind::Record(record) => self.record(record, out),
            Kind::Map(key, value) => {
                let (key, _) = self.inline(*key).expect("keys are scalars or strings");
                let value = match self.element(*value) {
                    Some(value) => format!("value:{value}; "),
                    None => String::new(),
                };
                let _ = writeln!(out, "table {name} {{ key:{key} (key); {value}}}");
            }
            Kind::Enum(e) => {
                let wide = e.symbols.iter().any(|symbol| i32::try_from(symbol.number).is_err());
                let mut symbols: Vec<_> = e.symbols.iter().collect();
                symbols.sort_by_key(|symbol| symbol.number);
                let symbols: Vec<_> = symbols.iter().map(|s| format!("{} = {}", s.name, s.number)).collect();
                let width = if wide { "long" } else { "int" };
                let _ = writeln!(out, "enum {name}:{width} {{ {} }}", symbols.join(", "));
            }
            Kind::Union(union) => {
                let mut branches: Vec<_> = union.branches.iter().collect();
                branches.sort_by_key(|branch| branch.number);
                let branches: Vec<_> = branches
                    .iter()
                    .map(|branch| format!("{}:{} = {}", branch.name, self.table(branch.ty), branch.number))
                    .collect();
                let _ = writeln!(out, "union {name} {{ {} }}", branches.join(", "));
            }
            _ => unreachable!("nothing else is defined by name"),
        }
    }

    fn record(&mut self, record: &Record, out: &mut String) {
        let _ = write!(out, "table {} {{ ", record.name);
        for position in record.by_number() {
            let field = &record.fields[position];
            out.push_str(&self.field(&field.name, field.ty, field.is_optional()));
        }
        out.push_str("}\n");
    }

    fn field(&mut self, name: &str, ty: TypeId, optional: bool) -> String {
        let (ty, absent) = match self.schema.kind(ty) {
            Kind::Nullable(inner) => (*inner, true),
            _ => (ty, optional),
        };
        match self.schema.kind(ty) {
            Kind::Null if absent => return format!("{name}:bool = null; "),
            Kind::Null => return String::new(),
            _ => {}
        }
        if let Some((text, scalar)) = self.inline(ty) {
            return if scalar && absent { format!("{name}:{text} = null; ") } else { format!("{name}:{text}; ") };
        }
        let text = match self.schema.kind(ty) {
            Kind::Bytes | Kind::Fixed(_) => "[ubyte]".to_owned(),
            Kind::List(item) => match self.element(*item) {
                Some(item) => format!("[{item}]"),
                None => "[ubyte]".to_owned(),
            },
            Kind::Map(..) => format!("[{}]", self.refer(format!("Entry{}", ty.index()), ty)),
            Kind::Union(union) => self.refer(union.name.clone(), ty),
            _ => self.table(ty),
        };
        format!("{name}:{text}; ")
    }

    /// An element of a vector; `None` where it is nothing.
    fn element(&mut self, ty: TypeId) -> Option<String> {
        if *self.schema.kind(ty) == Kind::Null {
            return None;
        }
        Some(match self.inline(ty) {
            Some((text, _)) => text,
            None => self.table(ty),
        })
    }

    /// Scalars and strings; and whether it is a scalar.
    fn inline(&mut self, ty: TypeId) -> Option<(String, bool)> {
        let text = match self.schema.kind(ty) {
            Kind::Bool => "bool",
            Kind::Int(int) => match int {
                Int::I8 => "byte",
                Int::I16 => "short",
                Int::I32 => "int",
                Int::I64 => "long",
                Int::U8 => "ubyte",
                Int::U16 => "ushort",
                Int::U32 => "uint",
                Int::U64 => "ulong",
            },
            Kind::Float(Float::F32) => "float",
            Kind::Float(Float::F64) => "double",
            Kind::Enum(e) => return Some((self.refer(e.name.clone(), ty), true)),
            Kind::String | Kind::Any => return Some(("string".to_owned(), false)),
            _ => return None,
        };
        Some((text.to_owned(), true))
    }
}
