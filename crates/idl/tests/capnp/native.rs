//! Random files in Cap'n Proto's own language, as people write them, held against the compiler: it must accept the same
//! files, lay out every struct alike, and read from our messages what we put into them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value as Json, json};
use wirewise_core::text::base64;
use wirewise_core::{Arena, Document, ErrorKind, Float, Int, Kind, Limits, Losses, Schema, TypeId, diff};
use wirewise_formats::capnp::places;
use wirewise_idl::Module;
use wirewise_testkit::foreign;
use wirewise_testkit::random::{self, Rng};

use crate::common::{assert_same, capnp, cases, must_read};
use crate::request::{Request, request};
use crate::tool::{run, try_run};

/// A member of a random struct.
enum Member {
    Field { ordinal: u32, ty: String },
    Group(Vec<Member>),
    Union(Vec<Member>),
    Unnamed(Vec<Member>),
}

const STRUCTS: usize = 5;

fn ty(rng: &mut Rng, depth: usize) -> String {
    let scalars = [
        "Void",
        "Bool",
        "Int8",
        "Int16",
        "Int32",
        "Int64",
        "UInt8",
        "UInt16",
        "UInt32",
        "UInt64",
        "Float32",
        "Float64",
        "Text",
        "Data",
        "E",
        "Bool",
        "S0.Inner.Kind",
    ];
    match rng.below(24) {
        0..=13 => (*rng.pick(&scalars)).to_owned(),
        14 | 15 if depth < 3 => format!("List({})", ty(rng, depth + 1)),
        16 if depth == 0 => "AnyPointer".to_owned(),
        17 => "List(Server)".to_owned(),
        18 => (*rng.pick(&["Box(Text)", "Box(List(Int16))", "Pair(Data, S1)", "Pair(Text, Box(E2)).Side", "Box"]))
            .to_owned(),
        19 => "S0.Inner".to_owned(),
        _ => format!("S{}", rng.below(STRUCTS)),
    }
}

fn members(rng: &mut Rng, depth: usize, least: usize, count: &mut u32) -> Vec<Member> {
    let mut has_unnamed = depth > 20;
    (0..least + rng.below(5))
        .map(|_| match rng.below(if depth < 3 { 12 } else { 9 }) {
            9 => Member::Group(members(rng, depth + 1, 1, count)),
            10 => Member::Union(members(rng, depth + 20, 2, count)),
            11 if !has_unnamed => {
                has_unnamed = true;
                Member::Unnamed(members(rng, depth + 20, 2, count))
            }
            _ => {
                *count += 1;
                Member::Field { ordinal: 0, ty: ty(rng, 0) }
            }
        })
        .collect()
}

fn ordinals(members: &mut [Member], next: &mut impl Iterator<Item = u32>) {
    for member in members {
        match member {
            Member::Field { ordinal, .. } => *ordinal = next.next().unwrap(),
            Member::Group(members) | Member::Union(members) | Member::Unnamed(members) => ordinals(members, next),
        }
    }
}

fn text(members: &[Member], rng: &mut Rng, names: &mut u32, out: &mut String) {
    for member in members {
        *names += 1;
        match member {
            Member::Field { ordinal, ty } => {
                let default = if rng.one_in(3) { default(ty, rng) } else { None };
                let default = default.map(|default| format!(" = {default}")).unwrap_or_default();
                writeln!(out, "f{ordinal} @{ordinal} :{ty}{default};").unwrap();
                if rng.one_in(4) {
                    writeln!(out, "# About f{ordinal}.\n#  And more.").unwrap();
                }
            }
            Member::Group(members) | Member::Union(members) => {
                let what = if matches!(member, Member::Group(_)) { "group" } else { "union" };
                writeln!(out, "g{names} :{what} {{").unwrap();
                text(members, rng, names, out);
                out.push_str("}\n");
            }
            Member::Unnamed(members) => {
                out.push_str("union {\n");
                text(members, rng, names, out);
                out.push_str("}\n");
            }
        }
    }
}

fn default(ty: &str, rng: &mut Rng) -> Option<String> {
    let any: &[&str] = match ty {
        "Bool" => &["true", "false"],
        "Int8" | "Int16" | "Int32" | "Int64" => &["-5", "0", "0x7f", "-128", ".small"],
        "UInt8" | "UInt16" | "UInt32" | "UInt64" => &["5", "0", "0xff", "017"],
        "Float32" | "Float64" => &["1.5", "-inf", "nan", "3", "-2.5e-3", ".Limits.most"],
        "Text" => &["\"\"", "\"a \\\"b\\\" \\x41\\n\"", ".greeting"],
        "Data" => &["\"\"", "0x\"00 ff\"", "\"text\""],
        "E" => &["one", "three"],
        "List(Int32)" | "List(Int8)" => &["[]", "[1, -2, .small]"],
        "List(Text)" => &["[]", "[\"a\", .greeting]"],
        "S0.Inner" => &["()", "(x = 5)", "(x = 5, names = [\"a\", \"b\"], side = (b = 3))", "(u = 3)"],
        "Box(Text)" => &["(value = \"boxed\")"],
        _ => return None,
    };
    Some((*rng.pick(any)).to_owned())
}

/// A file; S0 is its first struct.
fn file(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut out = String::from("@0xbf5147cbbecf40c1;\n# A random file.\n\n");
    for i in 0..STRUCTS {
        let mut count = 0;
        let mut all = members(&mut rng, 0, 0, &mut count);
        let mut deal: Vec<u32> = (0..count).collect();
        for _ in 0..if rng.one_in(2) { 0 } else { rng.below(1 + 2 * count as usize) } {
            deal.swap(rng.below(count as usize), rng.below(count as usize));
        }
        ordinals(&mut all, &mut deal.into_iter());
        writeln!(out, "struct S{i} {{\n# The struct S{i}.\n").unwrap();
        text(&all, &mut rng, &mut 0, &mut out);
        if i == 0 {
            out.push_str(
                "struct Inner { x @0 :Int16 = 7; names @1 :List(Text); side :group { a @2 :Bool = true; b @3 :Float32; }
                union { t @4 :Text; u @5 :UInt8 = 9; v @6 :Void; s @7 :S1; } enum Kind { k @0; l @1; } }\n",
            );
        }
        out.push_str("}\n");
    }
    out.push_str(
        "enum E { two @1; one @0; three @2; }
        struct E2 { e @0 :E = three; }
        struct Box(T) { value @0 :T; list @1 :List(Box(T)); }
        struct Pair(A, B) { left @0 :A; right @1 :B; struct Side { a @0 :A; both @1 :Pair(B, A); } }
        interface Server { call @0 (x :Int32) -> (y :Text); }
        const small :Int8 = -7;
        const greeting :Text = \"hello\";
        struct Limits { const most :Float64 = 1e9; const shape :S0.Inner = (x = .small); }
        annotation note (struct, field) :Text;\n",
    );
    out
}

struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, text: &str) -> Temporary {
        let path = std::env::temp_dir().join(format!("wirewise-{}-{name}.capnp", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Temporary(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// What the compiler says about a file; `None` when it refuses it.
fn compile(path: &Path, context: &str) -> Option<Request> {
    let mut tool = foreign::tool("capnp")?;
    let output = tool.args(["compile", "-o-"]).arg(path).output().unwrap();
    if output.status.success() {
        return request(&output.stdout);
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    // The one thing that the compiler refuses in these files.
    assert!(errors.contains("capnproto/issues/344"), "{errors}\n{context}");
    None
}

/// The layouts of all structs are those of the compiler.
fn check_layouts(schema: &Schema, theirs: &Request, context: &str) -> usize {
    let mut checked = 0;
    for id in schema.named_types() {
        let Some(known) = theirs.structs.get(schema.name(id).unwrap()) else { continue };
        let ours = places(schema, id).unwrap_or_else(|error| panic!("{error}\n{context}")).unwrap();
        // The compiler does not say where fields without size lie.
        let known_ordinals = |ours: &BTreeMap<u32, u32>| -> BTreeMap<u32, u32> {
            ours.iter().filter(|(ordinal, _)| known.offsets.contains_key(ordinal)).map(|(&a, &b)| (a, b)).collect()
        };
        assert_eq!(known.offsets, known_ordinals(&ours.offsets), "{:?}\n{context}", schema.name(id));
        assert_eq!(known.discriminants, ours.discriminants, "{:?}\n{context}", schema.name(id));
        assert_eq!((known.data_words, known.pointers), (ours.data_words, ours.pointers), "{context}");
        checked += 1;
    }
    checked
}

/// A value of our JSON in the form that the tool gives it.
fn theirs(schema: &Schema, ty: TypeId, value: &Json) -> Json {
    match schema.kind(ty) {
        Kind::Int(Int::I64 | Int::U64) => Json::from(value.to_string()),
        Kind::Bytes => {
            let mut bytes = Vec::new();
            base64::decode(value.as_str().unwrap().as_bytes(), &mut bytes);
            json!(bytes)
        }
        Kind::List(item) => value.as_array().unwrap().iter().map(|value| theirs(schema, *item, value)).collect(),
        Kind::Record(record) => {
            let field = |(name, value): (&String, &Json)| {
                let field = &record.fields[record.position(name).unwrap()];
                (name.clone(), theirs(schema, field.ty, value))
            };
            Json::Object(value.as_object().unwrap().iter().map(field).collect())
        }
        Kind::Float(Float::F32) => Json::from(value.as_f64().map(|value| f64::from(value as f32))),
        // Numbers of all widths are alike.
        Kind::Float(_) | Kind::Int(_) => Json::from(value.as_f64()),
        _ => value.clone(),
    }
}

/// The tool's JSON, with numbers that compare.
fn plain(value: &Json) -> Json {
    match value {
        Json::Number(number) => Json::from(number.as_f64()),
        Json::Array(items) => items.iter().map(plain).collect(),
        Json::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), plain(value))).collect(),
        other => other.clone(),
    }
}

/// Takes out what the tool shows of a union of which the model has no member: one that the model cannot say, or the default
/// of a first member that has no end. Returns whether there was any.
fn prune(schema: &Schema, ty: TypeId, ours: &Json, theirs: &mut Json) -> bool {
    match (schema.kind(ty), ours, theirs) {
        (Kind::List(item), Json::Array(ours), Json::Array(theirs)) => {
            let pairs = ours.iter().zip(theirs);
            pairs.map(|(ours, theirs)| prune(schema, *item, ours, theirs)).fold(false, |a, b| a | b)
        }
        (Kind::Record(record), Json::Object(ours), Json::Object(theirs)) => {
            let count = theirs.len();
            theirs.retain(|name, _| {
                let field = record.position(name).map(|position| &record.fields[position]);
                let may_miss = field.is_none_or(|f| f.oneof.is_some_and(|oneof| !record.oneofs[oneof].required));
                ours.contains_key(name) || !may_miss
            });
            let mut is_pruned = theirs.len() < count;
            for field in &record.fields {
                if let (Some(ours), Some(theirs)) = (ours.get(&field.name), theirs.get_mut(&field.name)) {
                    is_pruned |= prune(schema, field.ty, ours, theirs);
                }
            }
            is_pruned
        }
        _ => false,
    }
}

#[test]
fn files_mean_what_the_compiler_says() {
    let (mut layouts, mut messages, mut refused) = (0, 0, 0);
    for seed in 0..cases() / 4 {
        let text = file(seed);
        let context = format!("seed {seed}\n{text}");
        let module = must_read(&text);
        let temporary = Temporary::new(&format!("native-{seed}"), &text);
        if foreign::tool("capnp").is_none() {
            return;
        }
        let schema = &module.schema;
        let Some(known) = compile(&temporary.0, &context) else {
            let refuses = |id| places(schema, id).is_err_and(|error| error.kind() == ErrorKind::Unsupported);
            assert!(schema.named_types().any(refuses), "the compiler refuses what we do not: {context}");
            refused += 1;
            continue;
        };
        layouts += check_layouts(schema, &known, &context);

        // What we write of it means the same.
        let again = String::from_utf8(capnp().write(&module).unwrap().bytes).unwrap();
        let context = format!("{context}\nbecame\n{again}");
        let back = must_read(&again);
        assert_same(schema, &back.schema, &context);
        let written = Temporary::new(&format!("written-{seed}"), &again);
        let known = compile(&written.0, &context).unwrap();
        check_layouts(&back.schema, &known, &context);

        for root in ["S0", "S2"] {
            let root = Arc::new(module.schema_of(Some(root)).unwrap());
            messages += check_messages(seed, &root, &[&temporary.0, &written.0], &context);
        }
    }
    assert!(layouts > 5 * refused && messages > 0, "{layouts} layouts, {messages} messages, {refused} refused");
}

/// Messages of a struct mean to the tool what they mean to us.
fn check_messages(seed: u64, schema: &Arc<Schema>, files: &[&Path], context: &str) -> usize {
    let name = schema.name(schema.root()).unwrap();
    let codec = wirewise_formats::plan("capnp", schema).unwrap_or_else(|error| panic!("{error}\n{context}"));
    let text = wirewise_formats::plan("json", schema).unwrap();
    let mut count = 0;
    for i in 0..3 {
        let mut arena = Arena::new(Limits::default());
        random::message(schema, seed ^ i << 32, &mut arena);
        let document = Document::new(schema, b"", &arena);
        let mut message = Vec::new();
        codec.encode(&document, &mut message, &mut Losses::none()).unwrap_or_else(|error| panic!("{error}\n{context}"));
        let mut second = Arena::new(Limits::default());
        let read = codec.decode(&message, &mut second, &mut Losses::none());
        let read = read.unwrap_or_else(|error| panic!("{error}\n{context}"));
        // Null pointers of fields with a default that only notes know become that default.
        if let (false, Some(difference)) = (context.contains(" = "), diff(&document, &read)) {
            panic!("{difference}\n{context}");
        }
        let mut ours = Vec::new();
        text.encode(&document, &mut ours, &mut Losses::none()).unwrap();
        let ours: Json = serde_json::from_slice(&ours).unwrap();
        for file in files {
            let Some(tool) = foreign::tool("capnp") else { return 0 };
            let Some(json) = try_run(tool, &["convert", "--quiet", "binary:json"], file, name, &message) else {
                continue;
            };
            let mut json: Json = serde_json::from_slice(&json).unwrap_or_else(|error| panic!("{error}\n{context}"));
            let is_pruned = prune(schema, schema.root(), &ours, &mut json);
            assert_eq!(plain(&theirs(schema, schema.root(), &ours)), plain(&json), "{context}");
            if is_pruned {
                continue;
            }
            let Some(tool) = foreign::tool("capnp") else { return 0 };
            let segments = run(tool, &["convert", "--quiet", "json:binary"], file, name, json.to_string().as_bytes());
            let Some(tool) = foreign::tool("capnp") else { return 0 };
            const JOIN: &str = "--segment-size=1000000";
            let again = run(tool, &["convert", "--quiet", JOIN, "binary:binary"], file, name, &segments);
            assert_eq!(message, again, "{ours}\n{context}");
            count += 1;
        }
    }
    count
}

/// Every schema that we write is laid out by the compiler as by us.
#[test]
fn written_schemas_are_laid_out_alike() {
    let mut layouts = 0;
    for seed in 0..cases() / 4 {
        let schema = if seed % 2 == 0 { random::schema(seed) } else { random::wild_schema(seed) };
        let is_plain = seed % 3 != 0;
        let schema = if is_plain { schema } else { crate::round_trip::decorated(&schema, seed) };
        let module = Module::of(schema);
        let text = String::from_utf8(capnp().write(&module).unwrap().bytes).unwrap();
        let temporary = Temporary::new(&format!("layout-{seed}"), &text);
        if foreign::tool("capnp").is_none() {
            return;
        }
        let known = compile(&temporary.0, &text).unwrap_or_else(|| panic!("refused: {text}"));
        if is_plain {
            layouts += check_layouts(&module.schema, &known, &text);
        }
    }
    assert!(layouts > 0);
}
