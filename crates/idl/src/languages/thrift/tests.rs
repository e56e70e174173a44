use wirewise_core::{Kind, Schema};

use super::Thrift;
use crate::{Element, Language, MemoryFiles, Module, Source};

fn read(text: &str) -> crate::Result<Module> {
    Thrift.read(&Source::new("a.thrift", text), &MemoryFiles::none())
}

fn schema(text: &str) -> Schema {
    read(text).unwrap_or_else(|error| panic!("{error}")).schema
}

/// What is wrong with a file.
#[track_caller]
fn refused(text: &str, error: &str) {
    assert_eq!(read(text).map(|module| module.schema.to_text()).unwrap_err().to_string(), error);
}

/// The schema file's line for the type or field that has `part` in it.
fn line(schema: &Schema, part: &str) -> String {
    let text = schema.to_text();
    let line = text.lines().find(|line| line.contains(part)).unwrap_or_else(|| panic!("no {part} in {text}"));
    line.trim().trim_end_matches([',', ']', '}']).to_owned() + "}}"
}

const USER: &str = r#"
// A licence that documents nothing.

include "shared.thrift"
namespace py a.b (uri = "x")
namespace * c
cpp_include "<vector>"
/**
 * A user.
 *   Indented.
 */
struct User {
  1: required i64 id, // who it is
  // what it
  // is called
  2: optional string name = 'x "y"';
  3: list<Color> colors = [Color.RED, 16]
  4: map<Color, shared.Address> by_color
  5: map<binary, i32> cells
  6: set<string> names
  7: uuid uuid
  8: Ids ids
  9: User & other
  10: shared.E e = shared.E.X
  11: string (cpp.type = "x") text (deprecated)
  12: double ratio = 1
  13: i32 max = MAX xsd_optional
  0x0E: Point point = {"x": 1, "y": shared.ONE}
  15: map cpp_type "m" <string, list<i32>> lists = {"a": [1 2; 3]}
  16: bool on = true
  17: binary data = "abc"
}
struct Point { 1: i32 x = -1; 2: i32 y; }
union U { 1: i32 a; 2: string b } (final)
exception E { 1: string value }
enum Color { RED, GREEN = 0x10 (x = "y"), BLUE }
typedef list<i64> Ids (a = "b")
const i32 MAX = 5
const map<Color, shared.E> NAMES = {Color.RED: shared.E.X}
service S extends shared.T { void x(1: i32 a) throws (1: E e), oneway void y() }
"#;
const SHARED: &str = "struct Address { 1: string street } enum E { X } const i32 ONE = 1";

fn user() -> Module {
    let mut files = MemoryFiles::none();
    files.add("shared.thrift", SHARED);
    Thrift.read(&Source::new("user.thrift", USER), &files).unwrap_or_else(|error| panic!("{error}"))
}

/// A text that is kept in a file; `WIREWISE_REWRITE=1` rewrites that.
#[track_caller]
fn golden(name: &str, text: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/languages/thrift").join(name);
    if std::env::var_os("WIREWISE_REWRITE").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(&path).unwrap());
}

#[test]
fn everything_is_read() {
    let module = user();
    golden("user.schema.json", &module.schema.to_text());
    assert_eq!(module.notices, ["user.thrift:40:9: service S is passed over: only types are read"]);
    assert_eq!(module.root, None);
    let id = module.schema.named("User").unwrap();
    assert_eq!(module.places.get(Element::Type(id)).unwrap().to_string(), "user.thrift:12:8");
    assert_eq!(module.places.get(Element::Field(id, 1)).unwrap().to_string(), "user.thrift:16:22");
    let color = module.schema.named("Color").unwrap();
    assert_eq!(module.places.get(Element::Symbol(color, 2)).unwrap().to_string(), "user.thrift:36:43");
}

#[test]
fn and_written_back() {
    let written = Thrift.write(&user()).unwrap();
    golden("user.written.thrift", &String::from_utf8_lossy(&written.bytes));
    let again = read(include_str!("user.written.thrift")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.schema.to_text(), user().schema.to_text());
    let lost: Vec<String> = written.lost.iter().map(|lost| format!("{}: {}", lost.path, lost.what)).collect();
    assert_eq!(lost, [r#"User.point: the default {"x":1,"y":1} cannot be said in Thrift: readers do not know it"#]);
}

#[test]
fn what_is_missing_is_what_the_field_says() {
    let schema = schema("struct A { 1: i32 a, 2: A b, 3: required i32 c, 4: optional i32 d } ");
    let Kind::Record(record) = schema.kind(schema.root()) else { unreachable!() };
    assert_eq!(record.fields.iter().map(|field| field.is_optional()).collect::<Vec<_>>(), [false, true, false, true]);
    assert_eq!(
        line(&schema, "\"a\""),
        r#"{"number": 1, "name": "a", "type": "int32", "notes": {"thrift.requiredness":"default"}}"#
    );
}

#[test]
fn errors_say_where_and_what_was_expected() {
    refused(
        "struct A { 1: i32 a",
        "a.thrift:1:20: found the end of the file, expected a field, which begins with its number, or \"}\" after the last",
    );
    refused("struct A {\n  1: i32\n}", "a.thrift:3:1: found \"}\", expected the name of the field");
    refused("struct A { 1 i32 a }", "a.thrift:1:14: found \"i32\", expected \":\" after the field's number");
    refused("struct { }", "a.thrift:1:8: found \"{\", expected the name of the struct");
    refused(
        "strukt A { }",
        "a.thrift:1:1: found \"strukt\", expected a definition: typedef, enum, struct, union, exception, const or service",
    );
    refused(
        "struct A { 1: foo a }",
        "a.thrift:1:15: there is no type \"foo\"; types are those of this file, and those of included files as `file.Type`",
    );
    refused(
        "struct A { 1: foo.B a }",
        "a.thrift:1:15: there is no type \"foo.B\"; no file called \"foo.thrift\" is included",
    );
    refused("struct é {}", "a.thrift:1:8: unexpected character 'é'");
    refused("/* é */ $", "a.thrift:1:9: unexpected character '$'");
    refused(
        "struct A { 1: i32 class }",
        "a.thrift:1:19: \"class\" is a reserved word of Thrift, expected the name of the field",
    );
    refused("struct A.b { }", "a.thrift:1:8: \"A.b\" has a dot in it, expected the name of the struct without");
    refused(
        "struct A { -1: i32 a }",
        "a.thrift:1:12: the field's number is -1; numbers below 1 are not supported; give it a number from 1 to 32767 that no other field has",
    );
    refused(
        "struct A { 32768: i32 a }",
        "a.thrift:1:12: the field's number is 32768; numbers go up to 32767; give it a number from 1 to 32767 that no other field has",
    );
    refused(
        "struct A { i32 a }",
        "a.thrift:1:12: the field has no number; the negative ones that Thrift then gives are not supported; give it a number from 1 to 32767: `1: i32 name`",
    );
    refused(
        "struct A { 1: i32 a, 1: i32 b }",
        "a.thrift:1:29: A has a second field with number 1, expected another (first defined at a.thrift:1:19)",
    );
    refused(
        "struct A { 1: i32 a, 2: i32 a }",
        "a.thrift:1:29: A has a second field \"a\", expected another name (first defined at a.thrift:1:19)",
    );
    refused(
        "struct A {}\nenum A { X }",
        "a.thrift:2:6: there is a second definition of \"A\", expected another name (first defined at a.thrift:1:8)",
    );
    refused(
        "enum A { X, X }",
        "a.thrift:1:13: enum A has a second value \"X\", expected another name (first defined at a.thrift:1:10)",
    );
    refused("enum A { }", "a.thrift:1:6: enum A has no values, expected at least one");
    refused("enum A { X = 2147483648 }", "a.thrift:1:14: 2147483648 is beyond the range of i32, which enums have");
    refused(
        "enum A { X = 2147483647, Y }",
        "a.thrift:1:26: the number after the last is beyond the range of i32: give \"Y\" one",
    );
    refused(
        "struct A { 1: required A a }",
        "a.thrift:1:26: A must contain itself (through field \"a\"), so that no message can be finite; make the field optional",
    );
    refused(
        "struct A { 1: required B b } struct B { 1: required A a }",
        "a.thrift:1:55: B must contain itself (through field \"a\"), so that no message can be finite; make the field optional",
    );
    refused(
        "typedef B A typedef list<A> B",
        "a.thrift:1:26: typedef A is itself: found a cycle, expected a type (defined at a.thrift:1:11)",
    );
    refused("struct A { 1: i32 a = \"x\" }", "a.thrift:1:23: found a literal, expected an i32");
    refused("struct A { 1: i8 a = 128 }", "a.thrift:1:22: found 128, expected -128 to 127");
    refused("struct A { 1: i32 a = B }", "a.thrift:1:23: there is no constant and no value of an enum called \"B\"");
    refused("enum E { X } struct A { 1: E a = 1 }", "a.thrift:1:34: found 1, which no value of the enum has");
    refused("struct A { 1: A a = {\"b\": 1} }", "a.thrift:1:22: there is no field \"b\" in the struct");
    refused(
        "const i32 A = B const i32 B = A struct C {}",
        "a.thrift:1:31: constants name each other too often, expected a value",
    );
    refused("struct A { 1: string a = \"x\ny\" }", "a.thrift:1:26: the literal ends with its line: expected \"");
    refused("struct A { 1: string a = 'x\\q' }", "a.thrift:1:28: expected one of \\r, \\n, \\t, \\\", \\' and \\\\");
    refused("/* never", "a.thrift:1:1: the comment never ends: expected */");
    refused(
        "struct A { 1: i32 a = 9223372036854775808 }",
        "a.thrift:1:23: 9223372036854775808 is beyond the range of numbers",
    );
    refused("struct A { 1: double a = 1e999 }", "a.thrift:1:26: 1e999 is beyond the range of numbers");
    refused("struct A { 1: i64 a = 0x }", "a.thrift:1:23: 0x is no 64-bit hexadecimal number");
    refused(
        "include \"b.thrift\"",
        "a.thrift:1:9: there is no file \"b.thrift\" to include; looked among the given files",
    );
    refused(
        "service S { void x(1: i32 a }",
        "a.thrift:1:29: found \"}\", expected a field, which begins with its number, or \")\" after the last",
    );
    refused("", "a.thrift:1:1: the file defines no type, expected a struct, union, exception or enum");
    refused(
        "struct A {\n /** @wirewise type=int8 */ 1: i32 a }",
        "a.thrift:2:36: the note \"type\" is of type i8, expected i32 as the field is; change the note, or take it out",
    );
}

#[test]
fn files_include_each_other() {
    let mut files = MemoryFiles::none();
    files.add("b.thrift", "include \"c.thrift\" struct B { 1: c.C c }");
    files.add("c.thrift", "include \"a.thrift\" struct C { }");
    files.add("a.thrift", "include \"b.thrift\" struct A { 1: b.B b }");
    let error = Thrift.read(files.get("a.thrift").unwrap(), &files).unwrap_err();
    let message = "c.thrift:1:9: \"a.thrift\" includes itself: found a cycle of files, expected none";
    assert_eq!(error.to_string(), message);
    files.add("c.thrift", "struct C { } typedef i32 T");
    let text = "include \"b.thrift\" include \"c.thrift\" struct A { 1: b.B b; 2: c.T t }";
    let module = Thrift.read(&Source::new("a.thrift", text), &files).unwrap();
    let names: Vec<&str> = module.schema.named_types().filter_map(|id| module.schema.name(id)).collect();
    assert_eq!(names, ["A", "b.B", "c.C"]);
    // What is not included is not seen.
    let text = "include \"b.thrift\" struct A { 1: c.C c }";
    assert!(Thrift.read(&Source::new("a.thrift", text), &files).is_err());
}

#[test]
fn every_kind_of_value_is_a_default() {
    let text = "enum E { X, Y } const list<i32> L = [1] const map<string, list<i32>> M = {'a': L, 'b': []}
        struct A { 1: map<string, list<i32>> m = M; 2: list<E> e = [E.X, 1]; 3: map<E, bool> f = {E.Y: true};
        4: uuid u = '00000000-0000-0000-0000-00000000000A'; 5: map<double, i32> d = {1.5: 2}; 6: set<i32> s = [];
        7: i32 n = E.Y; 8: list<A> l = [{'n': 3}]; 9: map<i32, i32> o = {} }";
    let schema = schema(text);
    let default = |name: &str| {
        let line = line(&schema, &format!("\"name\": \"{name}\""));
        line[line.find("\"default\":").or(line.find("{\"thrift.default\"")).unwrap()..].to_owned()
    };
    assert!(default("m").starts_with(r#"{"thrift.default":"{\"a\":[1],\"b\":[]}""#), "{}", default("m"));
    assert!(default("e").starts_with(r#"{"thrift.default":"[\"X\",\"Y\"]""#), "{}", default("e"));
    assert!(default("f").starts_with(r#"{"thrift.default":"{\"1\":true}""#), "{}", default("f"));
    assert!(default("u").starts_with(r#"{"thrift.default":"\"00000000-0000-0000-0000-00000000000a\""#));
    assert!(default("d").starts_with(r#"{"thrift.default":"[{\"key\":1.5,\"value\":2}]""#), "{}", default("d"));
    assert!(default("s").starts_with(r#""default": []"#), "{}", default("s"));
    assert!(default("n").starts_with(r#""default": 1"#), "{}", default("n"));
    assert!(default("l").starts_with(r#"{"thrift.default":"[{\"n\":3}]""#), "{}", default("l"));
    assert!(default("o").starts_with(r#""default": {}"#), "{}", default("o"));
}

/// Two required fields of one enum are no cycle.
#[test]
fn required_enums_are_finite() {
    let module = read("enum E { A } struct S { 1: required E a 2: required E b }").unwrap();
    assert_eq!(module.schema.named_types().count(), 2);
}

/// The compiler refuses them for most languages, but not for Python: there are files with such names.
#[test]
fn words_of_other_languages_are_names_in_files_for_python() {
    let module = read("struct begin { 1: optional begin next 2: i32 end = 5 }").unwrap();
    let again = read(&String::from_utf8(Thrift.write(&module).unwrap().bytes).unwrap()).unwrap();
    assert_eq!(again.schema.to_text(), module.schema.to_text());
}

/// A map that the model has a list of entries for, with a default.
#[test]
fn defaults_of_maps_come_back() {
    let module = read("struct S { 1: map<double, i32> m = {0.5: 1} 2: map<double, i32> n = {} }").unwrap();
    let text = String::from_utf8(Thrift.write(&module).unwrap().bytes).unwrap();
    assert!(text.contains("{0.5: 1}"), "{text}");
    let again = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(again.schema.to_text(), module.schema.to_text());
}

/// That it ends is enough, and no time is asserted: comparing all pairs of what is so many here would take from many
/// minutes to hours, and exponential work would have no end.
#[test]
fn hostile_files_end() {
    let many = |count: usize, each: &dyn Fn(usize) -> String| (0..count).map(each).collect::<String>();
    let deep = |open: &str, close: &str| format!("{}i32{}", open.repeat(1_000_000), close.repeat(1_000_000));
    for text in [
        format!("struct A {{ 1: {} a }}", deep("list<", ">")),
        format!("struct A {{ 1: {} a }}", deep("map<", ">")),
        format!("const i32 A = {}", "[".repeat(1_000_000)),
        format!("const i32 A = {}", "{".repeat(1_000_000)),
        format!("struct A {{ {}", "1: i32 a xsd_attrs { ".repeat(1_000_000)),
        many(300_000, &|i| format!("typedef T{} T{i} ", i + 1)),
        format!("typedef i32 T0 {} struct A {{}}", many(300_000, &|i| format!("typedef list<T{i}> T{} ", i + 1))),
        format!("const list<i32> C0 = [1] {}", many(60, &|i| format!("const list<i32> C{} = [C{i}, C{i}] ", i + 1))),
        format!("struct A {{ {} }}", many(40_000, &|i| format!("{}: i32 f{i} ", i + 1))),
        "(".repeat(1_000_000),
        "x".repeat(10_000_000),
        "/**".repeat(1_000_000),
        "#\n".repeat(1_000_000),
        many(300_000, &|i| format!("struct A{} {{ 1: required A{i} a }} ", i + 1)),
    ] {
        let error = read(&text).map(drop).unwrap_err();
        assert!(error.place().is_some(), "{error}");
        assert!(error.to_string().len() < 400, "{error}");
    }
    let names = "const list<list<i32>> B = [[1]] ".to_owned();
    let growing = many(30, &|i| format!("const list<string> C{} = [C{i}, C{i}] ", i + 1));
    assert!(read(&format!("{names} const string C0 = 'x' {growing}")).is_err());
    // Much is no error.
    let enums = format!("enum E {{ {} }}", many(1_000_000, &|i| format!("V{i}, ")));
    // Fields have numbers of 16 bits.
    let users = many(30_000, &|i| format!("{}: E e{i} = E.V{} ", i + 1, 999_999 - i));
    let users = many(10, &|i| format!("struct A{i} {{ {users} }} "));
    read(&format!("{enums} {users}")).unwrap();
    read(&format!("struct A {{ 1: optional string a = \"{}\" }}", "x".repeat(10_000_000))).unwrap();
    let chain = many(300_000, &|i| format!("struct A{i} {{ 1: required A{} a }} ", i + 1));
    read(&format!("{chain} struct A300000 {{}}")).unwrap();
    let maps = many(20_000, &|i| format!("{}: map<double, i32> a{}b ", i + 1, "_".repeat(i % 100)));
    drop(read(&format!("struct A {{ {maps} }}")));
}

#[test]
fn cut_and_changed_files_are_refused_or_read() {
    let mut rng = wirewise_testkit::random::Rng::new(1);
    let written = include_str!("user.written.thrift");
    for text in [USER, written] {
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            drop(read(&text[..end]));
        }
        for _ in 0..3000 {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..1 + rng.below(4) {
                let at = rng.below(bytes.len());
                match rng.below(3) {
                    0 => drop(bytes.remove(at)),
                    1 => bytes.insert(at, *rng.pick(b"{}()[]<>,;:=*&#\"'\\/\n\0\xff19x.")),
                    _ => bytes[at] = rng.bits() as u8,
                }
            }
            if let Ok(module) = Thrift.read(&Source::new("a.thrift", bytes), &MemoryFiles::none()) {
                Thrift.write(&module).unwrap();
            }
        }
    }
}
