//! Random files in the language itself.

use std::fmt::Write;

use wirewise_testkit::random::Rng;

const SCALARS: [&str; 11] =
    ["bool", "byte", "ubyte", "short", "ushort", "int", "uint", "long", "ulong", "float", "double"];

/// A file whose root type is the table `Root`.
pub(crate) fn file(seed: u64) -> String {
    let mut generator = Generator { rng: Rng::new(seed), out: String::new(), enums: Vec::new(), structs: Vec::new() };
    generator.file();
    generator.out
}

struct Generator {
    rng: Rng,
    out: String,
    /// Names, and a value of each.
    enums: Vec<(String, String)>,
    structs: Vec<String>,
}

impl Generator {
    fn file(&mut self) {
        if self.rng.one_in(2) {
            self.out.push_str("namespace some.where;\n\n");
        }
        for i in 0..self.rng.below(4) {
            self.enumeration(i);
        }
        for i in 0..self.rng.below(4) {
            self.structure(i);
        }
        let mut members = vec!["Leaf".to_owned(), "Twig".to_owned()];
        if self.rng.one_in(2) {
            members.push("text: string".to_owned());
        }
        if let Some(name) = self.structs.first()
            && self.rng.one_in(2)
        {
            members.push(format!("S: {name} = {}", 10 + self.rng.below(200)));
        }
        let _ = writeln!(self.out, "union Any {{ {} }}\n", members.join(", "));
        for name in ["Leaf", "Twig", "Root"] {
            self.table(name);
        }
        self.out.push_str("root_type Root;\n");
        if self.rng.one_in(2) {
            self.out.push_str("file_identifier \"ABCD\";\n");
        }
    }

    fn enumeration(&mut self, i: usize) {
        let flags = self.rng.one_in(3);
        let ty = *self.rng.pick(if flags {
            &["ubyte", "ushort", "uint", "ulong"]
        } else {
            &["byte", "ubyte", "short", "ushort", "int", "uint", "long", "ulong"]
        });
        let mut next = if flags || ty.starts_with('u') { 0 } else { self.rng.below(20) as i64 - 10 };
        let mut values = Vec::new();
        for value in 0..1 + self.rng.below(5) {
            // A byte has eight flags only.
            next += if ty == "ubyte" { 0 } else { self.rng.below(2) as i64 };
            values.push(format!("Value{value} = {next}"));
            next += 1;
        }
        // Fields of structs have no defaults, so zero must be a value.
        if !flags && !values.iter().any(|value| value.ends_with(" = 0")) {
            values.push("Zero = 0".to_owned());
        }
        let attributes = if flags { " (bit_flags)" } else { "" };
        let _ = writeln!(self.out, "enum Enum{i} : {ty}{attributes} {{ {} }}\n", values.join(", "));
        self.enums.push((format!("Enum{i}"), "Value0".to_owned()));
    }

    fn structure(&mut self, i: usize) {
        let force = if self.rng.one_in(4) { " (force_align: 16)" } else { "" };
        let _ = writeln!(self.out, "struct Struct{i}{force} {{");
        for field in 0..1 + self.rng.below(6) {
            let mut ty = self.inline();
            if self.rng.one_in(4) {
                ty = format!("[{ty}:{}]", 1 + self.rng.below(5));
            }
            let _ = writeln!(self.out, "  f{field}: {ty};");
        }
        self.out.push_str("}\n\n");
        self.structs.push(format!("Struct{i}"));
    }

    /// A scalar, an enum or a struct.
    fn inline(&mut self) -> String {
        match self.rng.below(10) {
            0 | 1 if !self.enums.is_empty() => self.rng.pick(&self.enums).0.clone(),
            2 | 3 if !self.structs.is_empty() => self.rng.pick(&self.structs).clone(),
            _ => (*self.rng.pick(&SCALARS)).to_owned(),
        }
    }

    fn table(&mut self, name: &str) {
        let order = if self.rng.one_in(5) { " (original_order)" } else { "" };
        let mut fields = Vec::new();
        for i in 0..self.rng.below(12) {
            let (text, ids) = self.field(i);
            fields.push((text, ids));
        }
        let explicit = self.rng.one_in(3);
        let mut id = 0;
        let mut rows: Vec<String> = Vec::new();
        for (text, ids) in fields {
            id += ids;
            let text = if explicit {
                match text.strip_suffix(')') {
                    Some(open) => format!("{open}, id: {})", id - 1),
                    None => format!("{text} (id: {})", id - 1),
                }
            } else {
                text
            };
            rows.push(format!("  {text};\n"));
        }
        if explicit && self.rng.one_in(2) {
            rows.reverse();
        }
        let _ = writeln!(self.out, "table {name}{order} {{\n{}}}\n", rows.concat());
    }

    /// A field, and how many ids it takes.
    fn field(&mut self, i: usize) -> (String, usize) {
        let (ty, default, ids) = match self.rng.below(16) {
            0 if !self.enums.is_empty() => {
                let (name, value) = self.rng.pick(&self.enums).clone();
                (name, format!(" = {value}"), 1)
            }
            1 | 2 if !self.structs.is_empty() => (self.rng.pick(&self.structs).clone(), String::new(), 1),
            3 => (["Leaf", "Twig", "Root"][self.rng.below(3)].to_owned(), String::new(), 1),
            4 => ("Any".to_owned(), String::new(), 2),
            5 => ("[Any]".to_owned(), String::new(), 2),
            6 | 7 => (format!("[{}]", self.inline()), String::new(), 1),
            8 => ("string".to_owned(), ["", " (required)", " (shared)"][self.rng.below(3)].to_owned(), 1),
            9 => ("[string]".to_owned(), String::new(), 1),
            10 => ("[Leaf]".to_owned(), String::new(), 1),
            11 => ("[ubyte]".to_owned(), if self.rng.one_in(2) { " (force_align: 16)" } else { "" }.to_owned(), 1),
            n => {
                let ty = *self.rng.pick(&SCALARS);
                let default = match (n, ty) {
                    (12, _) => " = null".to_owned(),
                    (13, "bool") => " = true".to_owned(),
                    (13, "float" | "double") => " = -1.5e3".to_owned(),
                    (13, _) => " = 0x7".to_owned(),
                    (14, _) => " (deprecated)".to_owned(),
                    _ => String::new(),
                };
                (ty.to_owned(), default, 1)
            }
        };
        (format!("field{i}: {ty}{default}"), ids)
    }
}
