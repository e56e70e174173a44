use wirewise_core::{Kind, Schema};
use wirewise_testkit::random;

use super::*;
use crate::{Element, MemoryFiles};

const FILE: &str = r#"{
  "wirewise": "schema/1",
  "root": "Shape",
  "types": [
    {"record": "Shape", "oneofs": [
      {"name": "form", "required": true}], "fields": [
      {"number": 1, "name": "label", "type": "string"},
      {"number": 2, "name": "radius", "type": "float64", "presence": "optional", "oneof": "form"},
      {"number": 3, "name": "side", "type": "float64", "presence": "optional", "oneof": "form"}]},
    {"enum": "Colour", "symbols": [
      {"number": 0, "name": "RED"},
      {"number": 1, "name": "BLUE"}]},
    {"union": "Value", "branches": [
      {"number": 1, "name": "number", "type": "int64"},
      {"number": 2, "name": "text", "type": "string"}]}
  ]
}"#;

fn read(text: &str) -> Result<Module> {
    SchemaFile.read(&Source::new("a.wirewise.json", text), &MemoryFiles::none())
}

#[test]
fn everything_has_a_place() {
    let module = read(FILE).unwrap();
    let named = |name| module.schema.named(name).unwrap();
    let (shape, colour, value) = (named("Shape"), named("Colour"), named("Value"));
    for (element, line, column) in [
        (Element::Type(shape), 5, 5),
        (Element::Oneof(shape, 0), 6, 7),
        (Element::Field(shape, 2), 9, 7),
        (Element::Type(colour), 10, 5),
        (Element::Symbol(colour, 1), 12, 7),
        (Element::Branch(value, 0), 14, 7),
    ] {
        let place = module.places.get(element).unwrap();
        assert_eq!((place.line, place.column), (line, column), "{element:?}");
    }
}

#[test]
fn errors_say_where() {
    for (from, to, error) in [
        (
            r#""root": "Shape""#,
            r#""root": "Shap""#,
            "a.wirewise.json:3:11: there is no type \"Shap\": the built-in ones",
        ),
        (r#""name": "side""#, r#""name": "label""#, "a.wirewise.json:9:7: record Shape has two fields \"label\""),
        (
            r#""number": 3"#,
            r#""number": 2"#,
            "a.wirewise.json:9:7: field \"side\" of record Shape has number 2, which is",
        ),
        (r#""number": 3"#, r#""number": -3"#, "a.wirewise.json:9:18: number -3 is out of range"),
        (r#""name": "BLUE""#, r#""name": "RED""#, "a.wirewise.json:12:7: enum Colour has two symbols \"RED\""),
        (r#""name": "text""#, r#""name": "number""#, "a.wirewise.json:15:7: union Value has two branches \"number\""),
        (r#""union": "Value""#, r#""union": "Shape""#, "a.wirewise.json:13:15: two types are called \"Shape\""),
        (
            r#""name": "label""#,
            r#""name": "form""#,
            "a.wirewise.json:6:7: record Shape has a field and a oneof \"form\"",
        ),
        (r#""oneof": "form""#, r#""oneof": "from""#, "a.wirewise.json:8:91: the record has no oneof \"from\""),
        (r#""required": true"#, r#""requird": true"#, "a.wirewise.json:6:24: unknown member \"requird\"; there are"),
        (r#""wirewise": "schema/1""#, r#""wirewise": "schema/2""#, "a.wirewise.json:2:15: version \"schema/2\" is not"),
        (r#""type": "string"}]"#, r#""type": "Value"}]"#, "a.wirewise.json:15:7: branch text of union Value is Value"),
        (
            r#""root": "Shape","#,
            r#""root": "Shape""#,
            "a.wirewise.json:4:3: the schema file is not valid JSON: found '\"'",
        ),
    ] {
        assert!(FILE.contains(from), "{from}");
        let found = read(&FILE.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(found.starts_with(error), "{found}\n{error}");
    }
    assert!(read("[]").unwrap_err().to_string().contains("schema infer"));
}

#[test]
fn what_is_written_comes_back() {
    for seed in 0..300 {
        let schema = random::wild_schema(seed);
        let written = SchemaFile.write(&Module::of(schema.clone())).unwrap();
        assert_eq!(written.lost, []);
        let text = String::from_utf8(written.bytes).unwrap();
        let module = read(&text).unwrap();
        assert_eq!(module.schema.to_text(), schema.to_text());
        assert_eq!(module.root, Some(module.schema.root()));
    }
}

/// A module that does not know its root gets the one that its schema has.
#[test]
fn a_file_always_has_a_root() {
    let mut module = read(FILE).unwrap();
    module.root = None;
    let written = SchemaFile.write(&module).unwrap();
    assert_eq!(written.bytes, module.schema.to_text().into_bytes());
    module.root = module.schema.named("Value");
    let written = String::from_utf8(SchemaFile.write(&module).unwrap().bytes).unwrap();
    let schema = Schema::parse(&written).unwrap();
    assert!(matches!(schema.kind(schema.root()), Kind::Union(_)));
}

/// That they end is enough: no time is asserted.
#[test]
fn broken_files_end_in_an_error() {
    for length in 0..FILE.len() {
        assert!(read(&FILE[..length]).is_err());
    }
    let mut rng = random::Rng::new(7);
    for _ in 0..3000 {
        let mut bytes = FILE.as_bytes().to_vec();
        for _ in 0..1 + rng.below(3) {
            let place = rng.below(bytes.len());
            bytes[place] = *rng.pick(b"{}[]\",:0123456789aetrfnls");
        }
        let _ = read(&String::from_utf8(bytes).unwrap());
    }
    let long = format!("{{\"wirewise\": \"schema/1\", \"root\": \"{}\"}}", "x".repeat(10_000_000));
    assert!(read(&long).is_err());
}
