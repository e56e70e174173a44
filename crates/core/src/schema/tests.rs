use super::*;
use crate::{Error, ErrorKind};

fn with_types(types: &str) -> Result<Schema, Error> {
    Schema::parse(&format!(r#"{{"wirewise": "schema/1", "root": "R", "types": [{types}]}}"#))
}

fn field(ty: &str, rest: &str) -> Result<Schema, Error> {
    with_types(&format!(
        r#"{{"record": "R", "fields": [{{"number": 1, "name": "a", "type": {ty}{rest}}}]}}, {{"enum": "E", "symbols": [{{"number": 0, "name": "X"}}]}}"#
    ))
}

fn many(row: impl Fn(usize) -> String, count: usize) -> String {
    (0..count).map(row).collect::<Vec<_>>().join(",")
}

#[test]
fn what_a_type_expression_would_pass_over_is_refused() {
    for ty in [
        r#"{"list": "string", "logical": "uuid"}"#,
        r#"{"nullable": "string", "logical": "uuid"}"#,
        r#"{"map": "string", "logical": "uuid"}"#,
        r#"{"list": "string", "key": "int32"}"#,
        r#"{"list": "string", "map": "string"}"#,
        r#"{"scalar": "string", "fixed": 4}"#,
    ] {
        let error = field(ty, "").unwrap_err();
        assert!(error.message().contains("unknown member"), "{ty}: {error}");
    }
    let error = with_types(r#"{"enum": "R", "closed": "yes", "symbols": [{"number": 0, "name": "X"}]}"#).unwrap_err();
    assert!(error.message().contains("true or false"), "{error}");
}

#[test]
fn a_default_is_a_value_of_its_type() {
    for (ty, default) in [
        (r#""float32""#, "1e300"),
        (r#""int8""#, "128"),
        (r#""int64""#, "1.5"),
        (r#""E""#, r#""Y""#),
        (r#""bytes""#, r#""a""#),
        (r#""string""#, "null"),
    ] {
        let error = field(ty, &format!(r#", "default": {default}"#)).unwrap_err();
        assert!(error.message().contains("the default of"), "{ty}: {error}");
    }
    for (ty, default) in [(r#""float32""#, "3.4e38"), (r#""E""#, r#""X""#), (r#"{"nullable": "E"}"#, "null")] {
        field(ty, &format!(r#", "default": {default}"#)).unwrap();
    }
}

#[test]
fn a_default_comes_back_to_the_last_bit() {
    for default in ["0.12345678901234568", "1.7976931348623157e308", "-65.613616999999977", "5e-324", "8.41e21"] {
        let schema = field(r#""float64""#, &format!(r#", "default": {default}"#)).unwrap();
        let Kind::Record(record) = schema.kind(schema.root()) else { unreachable!() };
        let read = record.fields[0].default.as_ref().and_then(Json::as_f64);
        assert_eq!(read, default.parse().ok(), "{default}");
        assert_eq!(Schema::parse(&schema.to_text()).unwrap(), schema);
    }
}

/// That it ends is enough, and no time is asserted: looking at all pairs would take hours.
#[test]
fn large_schemas_end() {
    let fields =
        many(|i| format!(r#"{{"number": {}, "name": "f{i}", "type": "E", "default": "s999999"}}"#, i + 1), 300_000);
    let symbols = many(|i| format!(r#"{{"number": {i}, "name": "s{i}"}}"#), 1_000_000);
    let names = many(|i| format!(r#""x{i}""#), 1_000_000);
    let numbers = many(|i| (i + 600_000).to_string(), 1_000_000);
    let schema = with_types(&format!(
        r#"{{"record": "R", "fields": [{fields}], "reserved_names": [{names}], "reserved_numbers": [{numbers}]}},
           {{"enum": "E", "symbols": [{symbols}]}}"#
    ));
    assert_eq!(schema.unwrap().types().len(), 2);
}

#[test]
fn a_list_of_itself_is_refused() {
    let mut types = SchemaBuilder::new();
    let (list, map) = (types.declare(), types.declare());
    let text = types.add(Kind::String);
    types.define(list, Kind::List(map));
    types.define(map, Kind::Map(text, list));
    assert_eq!(types.finish(list).unwrap_err().kind(), ErrorKind::Schema);

    let mut types = SchemaBuilder::new();
    let record = types.declare();
    let list = types.add(Kind::List(record));
    let lists = types.add(Kind::List(list));
    types.define(record, Kind::Record(Record::new("R", vec![Field::new(1, "a", list), Field::new(2, "b", lists)])));
    types.finish(lists).unwrap();
}

#[test]
fn types_nest_as_deep_in_a_file_as_it_says() {
    let nested = |depth: usize| format!("{}\"int8\"{}", r#"{"list": "#.repeat(depth), "}".repeat(depth));
    let schema = field(&nested(MOST_NESTING), "").unwrap();
    assert_eq!(Schema::parse(&schema.to_text()).unwrap(), schema);
    assert_eq!(field(&nested(MOST_NESTING + 1), "").unwrap_err().kind(), ErrorKind::Schema);
    assert_eq!(field(&nested(100_000), "").unwrap_err().kind(), ErrorKind::Syntax);
}

#[test]
fn a_number_with_two_names_has_the_first() {
    let e = |numbers: &[i64]| {
        let symbol = |(i, &number): (usize, &i64)| Symbol::new(format!("s{i}"), number);
        Enum { name: "E".into(), symbols: numbers.iter().enumerate().map(symbol).collect(), ..Enum::default() }
    };
    assert_eq!([0, 1, 2].map(|n| e(&[1, 1, 2]).position(n)), [None, Some(0), Some(2)]);
    assert_eq!([0, 1, 7].map(|n| e(&[0, 0, 1, 7]).position(n)), [Some(0), Some(2), Some(3)]);
    assert_eq!([5, -3, 9].map(|n| e(&[9, 5, -3]).position(n)), [Some(1), Some(2), Some(0)]);
}
