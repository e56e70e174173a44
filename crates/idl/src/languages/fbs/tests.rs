use serde_json::{Value as Json, json};
use wirewise_core::{Kind, Schema};
use wirewise_testkit::random;

use super::{Bfbs, Fbs};
use crate::{Element, Language, MemoryFiles, Module, Source};

fn read(text: &str) -> Module {
    read_with(text, &MemoryFiles::none()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn read_with(text: &str, files: &MemoryFiles) -> crate::Result<Module> {
    Fbs.read(&Source::new("a.fbs", text), files)
}

fn write(module: &Module) -> String {
    let written = Fbs.write(module).unwrap_or_else(|error| panic!("{error}\n{}", module.schema.to_text()));
    String::from_utf8(written.bytes).unwrap()
}

fn wrong(text: &str) -> String {
    match read_with(text, &MemoryFiles::none()) {
        Ok(module) => panic!("{text} was read as {}", module.schema.to_text()),
        Err(error) => error.to_string(),
    }
}

/// A schema without the order of its types, which no file keeps.
fn canonical(schema: &Schema) -> Json {
    let mut json: Json = serde_json::from_str(&schema.to_text()).unwrap();
    let name = |ty: &Json| ["record", "enum", "union"].iter().find_map(|kind| ty[kind].as_str().map(str::to_owned));
    json["types"].as_array_mut().unwrap().sort_by_key(name);
    json
}

fn assert_same(before: &Schema, after: &Schema, context: &str) {
    let (before, after) = (canonical(before), canonical(after));
    if let Some(found) = difference(&before, &after, "$") {
        panic!("{found}\n{context}");
    }
}

/// Where two JSON values differ.
fn difference(a: &Json, b: &Json, path: &str) -> Option<String> {
    match (a, b) {
        (Json::Object(x), Json::Object(y)) if x.keys().eq(y.keys()) => {
            x.iter().find_map(|(key, value)| difference(value, &y[key], &format!("{path}.{key}")))
        }
        (Json::Array(x), Json::Array(y)) if x.len() == y.len() => {
            x.iter().zip(y).enumerate().find_map(|(i, (x, y))| difference(x, y, &format!("{path}[{i}]")))
        }
        _ => (a != b).then(|| format!("{path}:\n{a}\n{b}")),
    }
}

#[test]
fn random_schemas_come_back() {
    for seed in 0..400 {
        let schema = if seed % 2 == 0 { random::schema(seed) } else { random::wild_schema(seed) };
        let schema = if seed % 5 == 0 { schema.list_of() } else { schema };
        let module = Module::of(schema);
        let text = write(&module);
        let again = read(&text);
        assert_same(&module.schema, &again.schema, &format!("seed {seed}\n{text}"));
        assert_eq!(write(&again), text, "seed {seed}");
    }
}

#[test]
fn random_schemas_come_back_from_bytes() {
    for seed in 0..400 {
        let schema = if seed % 2 == 0 { random::schema(seed) } else { random::wild_schema(seed) };
        let schema = if seed % 5 == 0 { schema.list_of() } else { schema };
        let module = Module::of(schema);
        let bytes = Bfbs.write(&module).unwrap_or_else(|error| panic!("seed {seed}: {error}")).bytes;
        let again = Bfbs.read(&Source::new("a.bfbs", bytes), &MemoryFiles::none());
        let again = again.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", module.schema.to_text()));
        assert_same(&module.schema, &again.schema, &format!("seed {seed}\n{}", write(&module)));
    }
}

#[test]
fn errors_have_places() {
    let cases = [
        (
            "tabel T { }",
            "a.fbs:1:1: found `tabel`, expected a declaration (`table`, `struct`, `enum`, `union`, `namespace`, `root_type`, ...)",
        ),
        ("table T {\n  a int;\n}", "a.fbs:2:5: found `int`, expected `:`"),
        ("table T {\n  /* é */ a: int\n}", "a.fbs:3:1: found `}`, expected `;`"),
        (
            "table T { a: [[int]]; }",
            "a.fbs:1:15: found `[`, expected the type of an element; wrap the inner vector in a table",
        ),
        (
            "table T { a: [int:3]; }",
            "a.fbs:1:14: found an array, expected the type of a field in a table; wrap the array in a struct",
        ),
        ("struct S { a: [int:0]; }", "a.fbs:1:20: found the number 0, expected the length of the array, 1 to 65535"),
        (
            "struct S { a: string; }",
            "a.fbs:1:15: structs hold scalars, other structs that are declared above, and arrays of them",
        ),
        ("struct S { a: S; }", "a.fbs:1:8: the struct `S` contains itself"),
        ("struct S { }", "a.fbs:1:8: the struct `S` is empty, expected fields"),
        (
            "table T { a: int; a: int; }",
            "a.fbs:1:19: the name `a` is taken, expected a new one (first declared at a.fbs:1:11)",
        ),
        (
            "table T { }\ntable T { }",
            "a.fbs:2:7: the name `T` is taken, expected a new one (first declared at a.fbs:1:7)",
        ),
        (
            "table T { }\nenum T : int { A }",
            "a.fbs:2:6: the name `T` is taken, expected a new one (first declared at a.fbs:1:7)",
        ),
        (
            "table T { a: Missing; }",
            "a.fbs:1:14: there is no type `Missing`; check its spelling, its namespace and the includes",
        ),
        (
            "table T { a: E; } enum E : int { A }",
            "a.fbs:1:14: there is no type `E` (an enum or union of that name is declared at a.fbs:1:24); declare enums and unions before they are used",
        ),
        (
            "table T { T: int; }",
            "a.fbs:1:11: found `T`, which is the name of a table or struct, expected another name for the field",
        ),
        ("table T { a: ubyte = 300; }", "a.fbs:1:22: found 300, expected a number from 0 to 255"),
        ("table T { a: int = 1.5; }", "a.fbs:1:20: found the number 1.5, expected an integer"),
        ("enum E : int { A } table T { e: E = B; }", "a.fbs:1:37: found `B`, expected a value of E"),
        (
            "enum E : int { A = 1 } table T { e: E; }",
            "a.fbs:1:34: the default of `e` is 0, which is no value of E; give it one of the values as its default",
        ),
        (
            "enum E : int { A, A }",
            "a.fbs:1:19: the name `A` is taken, expected a new one (first declared at a.fbs:1:16)",
        ),
        (
            "enum E : int { A = 1, B = 1 }",
            "a.fbs:1:23: the number 1 is taken, expected a new one (first declared at a.fbs:1:16)",
        ),
        ("enum E : byte { A = 127, B }", "a.fbs:1:26: the number of `B` is 128, expected one from -128 to 127"),
        ("enum E : ubyte (bit_flags) { A = 8 }", "a.fbs:1:30: found bit 8, expected one from 0 to 7"),
        ("enum E { A }", "a.fbs:1:8: found `{`, expected `:` and the underlying type of the enum"),
        ("enum E : float { A }", "a.fbs:1:10: found `float`, expected an integer type such as `ubyte` or `int`"),
        ("union U { A: int }", "a.fbs:1:14: a union holds tables, structs and strings"),
        (
            "table T { a: int (nope); }",
            "a.fbs:1:19: found the attribute \"nope\", which is not declared; declare it: attribute \"nope\";",
        ),
        (
            "table T { a: int (required); }",
            "a.fbs:1:11: field `a` is required, but only fields of tables that are no scalars can be",
        ),
        (
            "table T { a: int (id: 1); b: int (id: 2); }",
            "a.fbs:1:11: found the id 1, but no field has the id 0; ids are all numbers from 0; mark fields that are no more as deprecated",
        ),
        ("table T { a: int (id: 0); b: int; }", "a.fbs:1:27: field `b` has no id, but other fields of the table have"),
        ("table T { a: int (id: 0); b: int (id: 0); }", "a.fbs:1:27: the id 0 is taken (first used at a.fbs:1:11)"),
        (
            "table T { a: int (key); b: int (key); }",
            "a.fbs:1:25: field `b` is a second key (the first key is at a.fbs:1:11)",
        ),
        (
            "table T { a: [int] (flexbuffer); }",
            "a.fbs:1:11: field `a` has the attribute flexbuffer, expected the type `[ubyte]`",
        ),
        ("root_type T;", "a.fbs:1:11: found `T`, expected the name of a table that is declared above"),
        ("struct S { a: int; } root_type S;", "a.fbs:1:32: found the struct `S`, expected a table"),
        (
            "file_identifier \"ABC\";",
            "a.fbs:1:17: found \"ABC\", expected a file identifier of exactly four characters",
        ),
        ("table T { a: string = \"x; }", "a.fbs:1:23: the string that begins here has no end, expected `\"`"),
        ("table T { a: string = \"\\q\"; }", "a.fbs:1:24: found `\\q`, expected an escape such as `\\n` or `\\u00e9`"),
        (
            "table T { } /// late\n",
            "a.fbs:1:13: found documentation behind other things, expected it on a line of its own",
        ),
        ("/* open", "a.fbs:1:1: the comment that begins here has no end, expected `*/`"),
        ("include \"none.fbs\";", "a.fbs:1:9: there is no file \"none.fbs\"; looked among the given files"),
        (
            "table T { } include \"b.fbs\";",
            "a.fbs:1:13: found `include`, expected a declaration; includes come before all declarations",
        ),
        (
            "table T { } { }",
            "a.fbs:1:13: found `{`, expected a declaration (`table`, `struct`, `enum`, `union`, `namespace`, `root_type`, ...); data does not belong into a schema",
        ),
        ("table T { a: int = 1", "a.fbs:1:21: found the end of the file, expected `;`"),
        ("table T { a: ", "a.fbs:1:14: found the end of the file, expected a type"),
        ("\u{1}", "a.fbs:1:1: found the character '\\u{1}', which has no meaning here"),
        ("", "a.fbs:1:1: the file declares no types, expected at least one"),
        (
            "table T {\n  /// @wirewise type=\"\\\"int64\\\"\"\n  a: int;\n}",
            "a.fbs:3:3: the note says int64, which is written as long, but found int: correct or remove the note",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(wrong(text), expected, "{text}");
    }
}

#[test]
fn names_are_found_as_flatc_finds_them() {
    let module = read(
        "namespace a; table X { } enum E : int { One }
         namespace a.b; table Y { outer: X; later: Later; full: c.Z; e: E; pending: Elsewhere; }
         table Later { } namespace c; table Z { } table Elsewhere { back: a.b.Y; } root_type a.b.Y;",
    );
    let Kind::Record(record) = module.schema.kind(module.root.unwrap()) else { unreachable!() };
    let types: Vec<_> = record.fields.iter().map(|field| module.schema.describe(field.ty)).collect();
    assert_eq!(types, ["a.X", "a.b.Later", "c.Z", "a.E", "c.Elsewhere"]);
    let place = module.places.get(Element::Field(module.root.unwrap(), 1)).unwrap();
    assert_eq!(place.to_string(), "a.fbs:2:45");
}

#[test]
fn includes_are_read_once_and_may_be_circular() {
    let mut files = MemoryFiles::none();
    files.add("a.fbs", "include \"inc/b.fbs\"; include \"inc/b.fbs\"; table A { b: B; } root_type A;");
    files.add("inc/b.fbs", "include \"../a.fbs\"; table B { a: A; } root_type B; file_identifier \"BBBB\";");
    let module = Fbs.read(files.get("a.fbs").unwrap(), &files).unwrap();
    assert_eq!(module.schema.name(module.root.unwrap()), Some("A"));
    assert!(module.schema.notes().is_empty());
    for i in 0..100 {
        files.add(&format!("{i}.fbs"), format!("include \"{}.fbs\"; table T{i} {{ }}", i + 1));
    }
    let error = Fbs.read(files.get("0.fbs").unwrap(), &files).unwrap_err();
    assert_eq!(error.to_string(), "64.fbs:1:9: includes nest deeper than 64");
}

#[test]
fn what_the_model_gets() {
    let text = "enum F : ushort (bit_flags) { X, Y = 4 }\nunion U { T, name: string, Q: T = 9 }\n\
         /// Doc.\n/// @wirewise acme.x=1\ntable T { a: int; b: int = 7; c: int = null; d: string; e: string (required);\n\
         f: F = \"X Y\"; g: [ubyte]; h: ubyte (deprecated); camelCase: bool = true; u: U; v: [U]; n: float = -inf; }\n\
         rpc_service S { M(T): T; }\nroot_type T;\nfile_identifier \"ABCD\";";
    let module = read(text);
    assert_eq!(module.notices, ["a.fbs:7:13: service S is passed over: services say nothing about data"]);
    let json: Json = serde_json::from_str(&module.schema.to_text()).unwrap();
    assert_eq!(json["notes"], json!({"flatbuffers.file_identifier": "ABCD"}));
    let types = json["types"].as_array().unwrap();
    let notes = json!({"flatbuffers.bit_flags": "true", "flatbuffers.type": "ushort"});
    let symbols = json!([{"number": 1, "name": "X"}, {"number": 16, "name": "Y"}]);
    assert_eq!(types[0], json!({"enum": "F", "notes": notes, "symbols": symbols}));
    let branches = json!([
        {"number": 1, "name": "T", "type": "T"},
        {"number": 2, "name": "name", "type": "string", "notes": {"flatbuffers.direct": "true"}},
        {"number": 9, "name": "Q", "type": "T"},
    ]);
    assert_eq!(types[1], json!({"union": "U", "branches": branches}));
    let fields = json!([
        {"number": 1, "name": "a", "type": "int32", "default": 0},
        {"number": 2, "name": "b", "type": "int32", "default": 7},
        {"number": 3, "name": "c", "type": "int32", "presence": "optional"},
        {"number": 4, "name": "d", "type": "string", "presence": "optional"},
        {"number": 5, "name": "e", "type": "string"},
        {"number": 6, "name": "f", "type": "F", "default": 17},
        {"number": 7, "name": "g", "type": "bytes", "presence": "optional"},
        {"number": 9, "name": "camelCase", "type": "bool", "default": true,
            "notes": {"flatbuffers.name": "camelCase", "flatbuffers.id": "8"}},
        {"number": 11, "name": "u", "type": "U", "presence": "optional"},
        {"number": 13, "name": "v", "type": {"list": "U", "notes": {"flatbuffers.union_vector": "true"}}, "presence": "optional"},
        {"number": 14, "name": "n", "type": "float32", "default": "-Infinity"},
    ]);
    assert_eq!(types[2]["fields"], fields);
    assert_eq!((&types[2]["doc"], &types[2]["reserved_numbers"]), (&json!("Doc."), &json!([8])));
    let again = read(&write(&module));
    assert_same(&module.schema, &again.schema, &write(&module));
}

/// Hostile files end in an error or a module.
///
/// That it ends is enough, and no time is asserted: comparing all pairs of what is so many here would take from many
/// minutes to hours, and exponential work would have no end.
#[test]
fn hostile_files_end() {
    let all = |text: &str| drop(read_with(text, &MemoryFiles::none()));
    all(&"[".repeat(1_000_000));
    all(&format!("table T {{ a: {}; }}", "[".repeat(1_000_000)));
    all(&format!("table T {{ a: float = {}1; }}", "sin(".repeat(1_000_000)));
    all(&format!("namespace {};", "a.".repeat(1_000_000)));
    all(&"x".repeat(10_000_000));
    all(&format!("table {} {{ }}", "x".repeat(10_000_000)));
    all(&format!("table T {{ a: {}; }}", "1".repeat(10_000_000)));
    all(&format!("table T {{ {} }}", "a: int; ".repeat(1_000_000)));
    let values: String = (0..1_000_000).map(|i| format!("V{i},")).collect();
    let enumeration = format!("enum E : int {{ {values} }}");
    // Tables have up to 32,765 fields.
    let fields: String = (0..30_000).map(|i| format!("f{i}: E = V{};", 999_999 - i)).collect();
    let tables: String = (0..10).map(|i| format!("table T{i} {{ {fields} }}")).collect();
    assert!(read_with(&format!("{enumeration} {tables}"), &MemoryFiles::none()).is_ok());
    let structs: String = (1..300_000).map(|i| format!("struct S{i} {{ a: S{}; b: S{}; }}", i - 1, i - 1)).collect();
    let error = wrong(&format!("struct S0 {{ a: int; }} {structs}"));
    assert!(error.contains("has 2147483648 bytes") || error.contains("structs nest deeper than 64"), "{error}");
    let tables: String = (0..200_000).map(|i| format!("table T{i} {{ a: T{}; }} ", (i + 1) % 200_000)).collect();
    let module = read(&tables);
    let text = write(&module);
    assert_same(&module.schema, &read(&text).schema, "many tables");
}

/// Files that were changed at random do not panic.
#[test]
fn broken_files_do_not_panic() {
    let valid = include_str!("../../../tests/fbs/schemas/creatures.fbs").replace("include", "//");
    let mut rng = random::Rng::new(7);
    let binary = Bfbs.write(&Module::of(random::wild_schema(3))).unwrap().bytes;
    let cases = std::env::var("WIREWISE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    for _ in 0..cases * 20 {
        let mut bytes = if rng.one_in(3) { binary.clone() } else { valid.clone().into_bytes() };
        let is_text = bytes.len() == valid.len();
        for _ in 0..1 + rng.below(4) {
            let (at, to) = (rng.below(bytes.len()), rng.below(bytes.len()));
            match rng.below(4) {
                0 => bytes.truncate(at.max(1)),
                1 => bytes[at] = *rng.pick(b"{}()[];:,.=\"/*0-9azAZ\0\xff"),
                2 => bytes[at] ^= 1 << rng.below(8),
                _ => bytes.swap(at, to),
            }
        }
        let source = Source::new("a.fbs", bytes);
        let module =
            if is_text { Fbs.read(&source, &MemoryFiles::none()) } else { Bfbs.read(&source, &MemoryFiles::none()) };
        // What was read can be written, and what was written can be read.
        if let Ok(module) = module {
            if let Ok(written) = Fbs.write(&module) {
                read(&String::from_utf8(written.bytes).unwrap());
            }
            if let Ok(written) = Bfbs.write(&module) {
                let again = Bfbs.read(&Source::new("a.bfbs", written.bytes), &MemoryFiles::none());
                again.unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
}
