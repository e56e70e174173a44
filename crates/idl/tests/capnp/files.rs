//! What files become: every construct of the language.

use std::sync::Arc;

use serde_json::json;
use wirewise_core::{Arena, Limits, LossKind, Losses};
use wirewise_idl::{Element, MemoryFiles, Module};

use crate::common::{capnp, must_read};

/// A file with everything in it.
pub(crate) const EVERYTHING: &str = r#"@0xbf5147cbbecf40c1;
# About the file.

using Cxx = import "/capnp/c++.capnp";
using Json = import "/capnp/compat/json.capnp";
$Cxx.namespace("acme::everything");

const pi :Float64 = 3.14;
const origin :Point = (x = 1, y = -2);
const names :List(Text) = ["a", "b\n\x41\101"];
const blob :Data = 0x"00 ff a0";

annotation unit @0xf1234567890abcde (field) :Text;
annotation range (field, struct) :Range;
struct Range { from @0 :Int32; to @1 :Int32; }

struct Point $range(from = 1, to = 2) {
  # A point
  # of the plane.

  x @0 :Int32 $unit("px");  # How far right.
  y @1 :Int32 = 7;
  # How far up.
}

struct Shape @0x9fd69ebc87b9719c {
  name @0 :Text = "shape" $Json.name("label");
  colour :group {
    # What it looks like.
    red @1 :UInt8 = 255;
    alpha :union {
      none @2 :Void;
      some @3 :Float32 = 1;
    }
  }
  union {
    # What it is.
    circle @4 :Float64;
    square :group { side @5 :Float64; corner @6 :Point; }
    path @7 :List(Point);
    label @8 :Text;
    nothing @9 :Void;
    custom @10 :AnyPointer;
  }
  old @13! :union { a @11 :Int8; b @14 :Point; }
  parts @12 :List(List(Shape));
  start @15 :Point = .origin;
  tags @16 :List(Text) = .names;
  kind @17 :Kind = round;
  server @18 :Server;
  handler @19 :Server.Options;
  people @20 :Map(Text, Point);
  count @21 :UInt64 = 0xffffffffffffffff;
  bytes @22 :Data = 0x"01 02";
  big @23 :Float32 = inf;
  more @24 :List(Int8) = [];

  enum Kind { square @1; round @0 $Json.name("ROUND"); }
}

struct Map(Key, Value) {
  entries @0 :List(Entry);
  struct Entry { key @0 :Key; value @1 :Value; }
}

interface Server extends(Base) {
  struct Options { retries @0 :UInt8; }
  call @0 (x :Int32, y :Text = "a;b") -> (z :Shape) $unit("none");
}
interface Base {}

struct Chain { union { next @0 :Chain; end @1 :Void; } }
"#;

fn field<'a>(module: &'a serde_json::Value, record: &str, name: &str) -> &'a serde_json::Value {
    let types = module["types"].as_array().unwrap();
    let record = types.iter().find(|ty| ty["record"] == record).unwrap_or_else(|| panic!("no {record}"));
    let fields = record["fields"].as_array().unwrap();
    fields.iter().find(|field| field["name"] == name).unwrap_or_else(|| panic!("no {name}"))
}

fn json(module: &Module) -> serde_json::Value {
    serde_json::from_str(&module.schema.to_text()).unwrap()
}

#[test]
fn everything_is_read() {
    let module = must_read(EVERYTHING);
    let all = json(&module);
    for (record, name, expected) in [
        (
            "Point",
            "x",
            json!({"number": 1, "name": "x", "type": "int32", "doc": "How far right.",
            "notes": {"capnp.annotations": "$unit(\"px\")"}}),
        ),
        (
            "Shape",
            "name",
            json!({"number": 1, "name": "name", "type": "string", "presence": "optional",
            "default": "shape", "notes": {"capnp.annotations": "$Json.name(\"label\")"}}),
        ),
        (
            "Shape",
            "colour",
            json!({"number": 2, "name": "colour", "type": "Shape.Colour", "doc": "What it looks like.",
            "notes": {"capnp.group": "true"}}),
        ),
        (
            "Shape.Colour",
            "alpha",
            json!({"number": 3, "name": "alpha", "type": "Shape.Colour.Alpha",
            "notes": {"capnp.group": "true"}}),
        ),
        (
            "Shape.Colour.Alpha",
            "some",
            json!({"number": 4, "name": "some", "type": "float32", "presence": "optional",
            "oneof": "which", "notes": {"capnp.default": "1.0"}}),
        ),
        (
            "Shape",
            "square",
            json!({"number": 6, "name": "square", "type": "Shape.Square", "presence": "optional",
            "oneof": "which", "notes": {"capnp.group": "true"}}),
        ),
        ("Shape", "old", json!({"number": 12, "name": "old", "type": "Shape.Old", "notes": {"capnp.group": "true"}})),
        (
            "Shape",
            "parts",
            json!({"number": 13, "name": "parts", "type": {"list": {"list": "Shape"}},
            "presence": "optional"}),
        ),
        (
            "Shape",
            "start",
            json!({"number": 16, "name": "start", "type": "Point", "presence": "optional",
            "notes": {"capnp.default": "{\"x\":1,\"y\":-2}"}}),
        ),
        (
            "Shape",
            "tags",
            json!({"number": 17, "name": "tags", "type": {"list": "string"}, "presence": "optional",
            "notes": {"capnp.default": "[\"a\",\"b\\nAA\"]"}}),
        ),
        ("Shape", "kind", json!({"number": 18, "name": "kind", "type": "Shape.Kind", "default": "round"})),
        (
            "Shape",
            "handler",
            json!({"number": 20, "name": "handler", "type": "Server.Options", "presence": "optional"}),
        ),
        (
            "Shape",
            "people",
            json!({"number": 21, "name": "people", "type": "MapOfTextAndPoint", "presence": "optional"}),
        ),
        ("Shape", "count", json!({"number": 22, "name": "count", "type": "uint64", "default": u64::MAX})),
        (
            "Shape",
            "bytes",
            json!({"number": 23, "name": "bytes", "type": "bytes", "presence": "optional",
            "default": "AQI="}),
        ),
        ("Shape", "big", json!({"number": 24, "name": "big", "type": "float32", "default": "Infinity"})),
        (
            "Shape",
            "more",
            json!({"number": 25, "name": "more", "type": {"list": "int8"}, "presence": "optional",
            "default": []}),
        ),
        (
            "MapOfTextAndPoint.Entry",
            "value",
            json!({"number": 2, "name": "value", "type": "Point",
            "presence": "optional"}),
        ),
    ] {
        assert_eq!(*field(&all, record, name), expected, "{record}.{name}");
    }
    let types = all["types"].as_array().unwrap();
    let named = |name: &str| types.iter().find(|ty| ty["record"] == name || ty["enum"] == name).unwrap();
    assert_eq!(named("Point")["doc"], "A point\nof the plane.");
    assert_eq!(named("Point")["notes"]["capnp.annotations"], "$range(from = 1, to = 2)");
    let shape = named("Shape");
    assert_eq!(shape["notes"]["capnp.id"], "0x9fd69ebc87b9719c");
    assert_eq!(shape["notes"]["capnp.skipped"], "11 custom AnyPointer union; 19 server Server");
    assert_eq!(shape["reserved_numbers"], json!([11, 19]));
    assert_eq!(shape["oneofs"], json!([{"name": "which", "doc": "What it is.", "notes": {"capnp.unnamed": "true"}}]));
    assert_eq!(
        named("Shape.Old")["oneofs"][0],
        json!({"name": "which", "required": true,
        "notes": {"capnp.number": "14", "capnp.unnamed": "true"}})
    );
    // A chain without an end cannot be the default: so there may be nothing.
    assert_eq!(named("Chain")["oneofs"][0].get("required"), None);
    assert_eq!(named("MapOfTextAndPoint")["notes"]["capnp.generic"], "Map(Text,Point)");
    assert_eq!(
        named("Shape.Kind")["symbols"],
        json!([
        {"number": 0, "name": "round", "notes": {"capnp.annotations": "$Json.name(\"ROUND\")"}},
        {"number": 1, "name": "square"}])
    );
    assert_eq!(
        all["notes"],
        json!({
            "capnp.annotation.range": "(field, struct) :Range",
            "capnp.annotation.unit": "@0xf1234567890abcde (field) :Text",
            "capnp.annotations": "$Cxx.namespace(\"acme::everything\")",
            "capnp.const.blob": ":Data = 0x\"00 ff a0\"",
            "capnp.const.names": ":List(Text) = [\"a\", \"b\\nAA\"]",
            "capnp.const.origin": ":Point = (x = 1, y = -2)",
            "capnp.const.pi": ":Float64 = 3.14",
            "capnp.id": "0xbf5147cbbecf40c1",
        })
    );
    assert_eq!(
        module.notices,
        ["interface Server was passed over: it has no data", "interface Base was passed over: it has no data"]
    );
    let shape = module.schema.named("Shape").unwrap();
    let place = |element| module.places.get(element).unwrap().to_string();
    assert_eq!(place(Element::Type(shape)), "test.capnp:26:8");
    assert_eq!(place(Element::Field(shape, 1)), "test.capnp:28:3");
}

#[test]
fn everything_is_written_as_people_write_it() {
    let module = must_read(EVERYTHING);
    let written = capnp().write(&module).unwrap();
    let text = String::from_utf8(written.bytes).unwrap();
    for piece in [
        "@0xbf5147cbbecf40c1;\n\nusing Cxx = import \"/capnp/c++.capnp\";\n\nusing Json = import \"/capnp/compat/json.capnp\";\n",
        "\n$Cxx.namespace(\"acme::everything\");\n",
        "\nannotation unit @0xf1234567890abcde (field) :Text;\n",
        "\nconst origin :Point = (x = 1, y = -2);\n",
        "\nstruct Point $range(from = 1, to = 2) {\n  # A point\n  # of the plane.\n  x @0 :Int32 $unit(\"px\");\n  # How far right.\n",
        "\nstruct Shape @0x9fd69ebc87b9719c {\n  name @0 :Text = \"shape\" $Json.name(\"label\");\n  colour :group {\n    # What it looks like.\n    red @1 :UInt8 = 255;\n    alpha :union {\n      none @2 :Void;\n      some @3 :Float32 = 1.0;\n    }\n  }\n  union {\n    # What it is.\n",
        "\n  old @13! :union {\n    a @11 :Int8;\n    b @14 :Point;\n  }\n",
        "\n  start @15 :Point = (x = 1, y = -2);\n  tags @16 :List(Text) = [\"a\", \"b\\nAA\"];\n  kind @17 :Kind = round;\n",
        "\n  count @21 :UInt64 = 18446744073709551615;\n  bytes @22 :Data = 0x\"01 02\";\n  big @23 :Float32 = inf;\n  more @24 :List(Int8) = [];\n",
    ] {
        assert!(text.contains(piece), "{piece}\nis not in\n{text}");
    }
    assert!(written.lost.is_empty(), "{:?}", written.lost);
}

#[test]
fn imports_are_followed() {
    let mut files = MemoryFiles::none();
    files.add(
        "schemas/people.capnp",
        "@0x9fd69ebc87b9719c;
        using Main = import \"main.capnp\";
        struct Person { name @0 :Text; boss @1 :Main.Team; kind @2 :import \"/common.capnp\".Kind; }
        const team :Text = \"people\";",
    );
    files.add("common.capnp", "@0x9fd69ebc87b9719d; enum Kind { a @0; } struct Team { x @0 :Bool; }");
    let main = "@0x9fd69ebc87b9719e;
        using People = import \"people.capnp\";
        using import \"people.capnp\".Person;
        using Common = import \"/common.capnp\";
        struct Team { people @0 :List(Person); other @1 :Common.Team; name @2 :Text = People.team; }";
    files.add("schemas/main.capnp", main);
    let module = capnp().read(files.get("schemas/main.capnp").unwrap(), &files).unwrap();
    let names: Vec<&str> = module.schema.named_types().filter_map(|id| module.schema.name(id)).collect();
    assert_eq!(names, ["Team", "Person", "Kind", "common.Team"]);
    assert_eq!(field(&json(&module), "Team", "name")["default"], "people");
    let place = module.places.get(Element::Type(module.schema.named("Kind").unwrap())).unwrap();
    assert_eq!(place.to_string(), "common.capnp:1:27");
}

#[test]
fn unset_pointers_and_unions_read_as_the_language_says() {
    let read = |message: &[u64], root: &str, losses: &mut Losses| {
        let schema = Arc::new(must_read(EVERYTHING).schema_of(Some(root)).unwrap());
        let mut bytes = vec![0; 4];
        bytes.extend((message.len() as u32).to_le_bytes());
        bytes.extend(message.iter().flat_map(|word| word.to_le_bytes()));
        let codec = wirewise_formats::plan("capnp", &schema).unwrap();
        let json = wirewise_formats::plan("json", &schema).unwrap();
        let mut arena = Arena::new(Limits::default());
        let document = codec.decode(&bytes, &mut arena, losses)?;
        let mut out = Vec::new();
        json.encode(&document, &mut out, losses)?;
        let back = String::from_utf8(out).unwrap();
        Ok::<_, wirewise_core::Error>(back)
    };
    // An empty struct: every field is its default.
    let mut losses = Losses::allowing([LossKind::NotFinite]);
    let found = read(&[0], "Shape", &mut losses).unwrap();
    let found: serde_json::Value = serde_json::from_str(&found).unwrap();
    assert_eq!(
        found,
        json!({"colour": {"red": 255, "alpha": {"none": null}}, "circle": 0.0, "old": {"a": 0},
        "start": {"x": 1, "y": -2}, "tags": ["a", "b\nAA"], "kind": "round", "count": u64::MAX, "big": null})
    );
    // The first member of a union is a struct that is not there, and whose default has no end.
    assert_eq!(read(&[0], "Chain", &mut Losses::none()).unwrap(), "{}");
    assert_eq!(read(&[(1 << 32) | (1 << 48), 1, 0], "Chain", &mut Losses::none()).unwrap(), r#"{"end":null}"#);
    // A discriminant that a newer schema knows.
    let error = read(&[1 << 32, 7 << 16], "Shape.Old", &mut Losses::none()).unwrap_err();
    assert!(error.to_string().contains("has no member") || error.to_string().contains("no such field"), "{error}");
}
