//! Reading with one schema what was written with another.

use super::*;

/// What a value, given as our JSON, becomes when it is read with another schema.
fn evolve(writer: &str, reader: &str, json: &str) -> Result<String> {
    let writer = Arc::new(parse_schema(writer).unwrap());
    let reader = Arc::new(parse_schema(reader).unwrap());
    let (_, variant) = crate::find("avro").unwrap();
    let codec = crate::avro::resolve(&writer, &reader, variant)?;
    let bytes = encode("avro", &writer, json).unwrap();
    decode_with(&*codec, &reader, &bytes, Limits::default())
}

#[test]
fn schema_resolution() {
    let r = |fields: &str| format!(r#"{{"type":"record","name":"R","fields":[{fields}]}}"#);
    let f = |ty: &str| r(&format!(r#"{{"name":"f","type":{ty}}}"#));
    let e = |symbols: &str, more: &str| format!(r#"{{"type":"enum","name":"E","symbols":[{symbols}]{more}}}"#);
    for (writer, reader, json, expected) in [
        // Promotions.
        (f("\"int\""), f("\"long\""), r#"{"f":-7}"#, r#"{"f":-7}"#),
        (f("\"int\""), f("\"float\""), r#"{"f":-7}"#, r#"{"f":-7.0}"#),
        (f("\"long\""), f("\"double\""), r#"{"f":-7}"#, r#"{"f":-7.0}"#),
        (f("\"float\""), f("\"double\""), r#"{"f":0.5}"#, r#"{"f":0.5}"#),
        (f("\"string\""), f("\"bytes\""), r#"{"f":"ab"}"#, r#"{"f":"YWI="}"#),
        (f("\"bytes\""), f("\"string\""), r#"{"f":"YWI="}"#, r#"{"f":"ab"}"#),
        (
            f(r#"{"type":"array","items":"int"}"#),
            f(r#"{"type":"array","items":"double"}"#),
            r#"{"f":[1]}"#,
            r#"{"f":[1.0]}"#,
        ),
        (
            f(r#"{"type":"map","values":"int"}"#),
            f(r#"{"type":"map","values":"long"}"#),
            r#"{"f":{"a":1}}"#,
            r#"{"f":{"a":1}}"#,
        ),
        // Fields: in another order, gone, new with defaults of every kind, renamed.
        (
            r(
                r#"{"name":"a","type":"int"},{"name":"gone","type":{"type":"array","items":["null",{"type":"map","values":"R"}]}},{"name":"b","type":"string"}"#,
            ),
            r(r#"{"name":"b","type":"string"},{"name":"a","type":"int"}"#),
            r#"{"a":1,"gone":[null,{"x":{"a":2,"gone":[],"b":"y"}}],"b":"z"}"#,
            r#"{"b":"z","a":1}"#,
        ),
        (
            r(r#"{"name":"a","type":"int"}"#),
            r(
                r#"{"name":"a","type":"int"},{"name":"n","type":["null","int"],"default":null},{"name":"s","type":["string","null"],"default":"d"},
                {"name":"l","type":{"type":"array","items":"long"},"default":[1,2]},{"name":"m","type":{"type":"map","values":"bytes"},"default":{"k":"\u00ff"}},
                {"name":"x","type":{"type":"record","name":"X","fields":[{"name":"y","type":["int","string","null"]},{"name":"z","type":"float","default":2}]},"default":{"y":"u"}},
                {"name":"e","type":{"type":"enum","name":"E","symbols":["A","B"]},"default":"B"},{"name":"h","type":{"type":"fixed","name":"H","size":2},"default":"\u0001\u0002"}"#,
            ),
            r#"{"a":1}"#,
            r#"{"a":1,"n":null,"s":"d","l":[1,2],"m":{"k":"/w=="},"x":{"y":"u","z":2.0},"e":"B","h":"AQI="}"#,
        ),
        (
            r(r#"{"name":"old","type":"int"}"#),
            r(r#"{"name":"new","type":"long","aliases":["older","old"]}"#),
            r#"{"old":5}"#,
            r#"{"new":5}"#,
        ),
        // Names of types.
        (
            r#"{"type":"record","name":"a.b.R","fields":[]}"#.to_owned(),
            r#"{"type":"record","name":"c.R","fields":[]}"#.to_owned(),
            "{}",
            "{}",
        ),
        (
            r#"{"type":"record","name":"a.Old","fields":[]}"#.to_owned(),
            r#"{"type":"record","name":"a.New","aliases":["Old"],"fields":[]}"#.to_owned(),
            "{}",
            "{}",
        ),
        // Unions.
        (f(r#""int""#), f(r#"["string","double","long"]"#), r#"{"f":1}"#, r#"{"f":1.0}"#),
        (f(r#""long""#), f(r#"["double","long"]"#), r#"{"f":1}"#, r#"{"f":1}"#),
        (f(r#"["null","int"]"#), f(r#""long""#), r#"{"f":1}"#, r#"{"f":1}"#),
        (f(r#"["null","int"]"#), f(r#"["string","int","null"]"#), r#"{"f":1}"#, r#"{"f":1}"#),
        (f(r#"["null","int"]"#), f(r#"["string","int","null"]"#), r#"{"f":null}"#, r#"{"f":null}"#),
        (f(r#""string""#), f(r#"["null","string"]"#), r#"{"f":"a"}"#, r#"{"f":"a"}"#),
        (
            f(r#"{"type":"array","items":"int"}"#),
            f(r#"{"type":"array","items":["null","int"]}"#),
            r#"{"f":[1]}"#,
            r#"{"f":[1]}"#,
        ),
        // Enums.
        (e(r#""A","B","C""#, ""), e(r#""C","A""#, ""), r#""C""#, r#""C""#),
        (e(r#""A","B","C""#, ""), e(r#""C","A""#, r#","default":"A""#), r#""B""#, r#""A""#),
        // Recursion.
        (
            r(r#"{"name":"v","type":"int"},{"name":"next","type":["null","R"]}"#),
            r(r#"{"name":"next","type":["null","R"]},{"name":"v","type":"double"}"#),
            r#"{"v":1,"next":{"v":2,"next":null}}"#,
            r#"{"next":{"next":null,"v":2.0},"v":1.0}"#,
        ),
    ] {
        let found = evolve(&writer, &reader, json).unwrap_or_else(|error| panic!("{writer} {reader}: {error}"));
        assert_eq!(found, expected, "{writer} {reader}");
    }
    for (writer, reader, json, kind, expected) in [
        (
            f("\"long\""),
            f("\"int\""),
            r#"{"f":1}"#,
            ErrorKind::Unsupported,
            "the writer's long cannot be read as int32, in $.f",
        ),
        (
            f(r#"{"type":"array","items":"string"}"#),
            f(r#"{"type":"array","items":"int"}"#),
            r#"{"f":[]}"#,
            ErrorKind::Unsupported,
            "the writer's string cannot be read as int32, in $.f[0]",
        ),
        (
            f("\"int\""),
            f(r#"["string","null"]"#),
            r#"{"f":1}"#,
            ErrorKind::Unsupported,
            "the writer's int cannot be read as string, in $.f",
        ),
        (
            r(""),
            f("\"int\""),
            "{}",
            ErrorKind::Unsupported,
            "the writer's record R has no field \"f\", and the reader's has no default for it, in $.f",
        ),
        (
            r(""),
            r#"{"type":"record","name":"S","fields":[]}"#.to_owned(),
            "{}",
            ErrorKind::Unsupported,
            "the writer's R cannot be read as S; an alias",
        ),
        (
            f(r#"{"type":"fixed","name":"F","size":1}"#),
            f(r#"{"type":"fixed","name":"F","size":2}"#),
            r#"{"f":"AA=="}"#,
            ErrorKind::Unsupported,
            "the writer's F has 1 bytes, the reader's 2, in $.f",
        ),
        (
            r(""),
            r(r#"{"name":"f","type":"int","default":"x"}"#),
            "{}",
            ErrorKind::Schema,
            "the default \"x\" is no int32, in $.f",
        ),
        (
            f(r#"{"type":"bytes","logicalType":"decimal","precision":4,"scale":2}"#),
            f(r#"{"type":"bytes","logicalType":"decimal","precision":4,"scale":1}"#),
            r#"{"f":""}"#,
            ErrorKind::Unsupported,
            "the writer's bytes is a decimal of precision 4 and scale 2, the reader's bytes one of precision 4 and scale 1, in $.f",
        ),
        // What depends on the value.
        (
            f(r#"["null","int"]"#),
            f(r#""long""#),
            r#"{"f":null}"#,
            ErrorKind::Data,
            "the writer's null cannot be read as int64, at byte 0, in $.f",
        ),
        (e(r#""A","B""#, ""), e(r#""A""#, ""), r#""B""#, ErrorKind::Data, "enum E has no symbol \"B\", at byte 0"),
        (
            f("\"bytes\""),
            f("\"string\""),
            r#"{"f":"/w=="}"#,
            ErrorKind::Syntax,
            "the text is not valid UTF-8, at byte 1, in $.f",
        ),
    ] {
        let error = evolve(&writer, &reader, json).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{writer} {reader}: {error}");
        assert_eq!(error.kind(), kind, "{error}");
    }
    // A number of values without bytes is passed over at once.
    let writer = r#"{"type":"record","name":"R","fields":[{"name":"n","type":{"type":"array","items":"null"}}]}"#;
    let (_, variant) = crate::find("avro").unwrap();
    let reader = Arc::new(parse_schema(r#"{"type":"record","name":"R","fields":[]}"#).unwrap());
    let codec = crate::avro::resolve_avsc(writer, &reader, variant).unwrap();
    let count = b"\x80\x80\x80\x80\x80\x80\x80\x80\x20\0";
    assert_eq!(decode_with(&*codec, &reader, count, Limits::default()).unwrap(), "{}");
    // Defaults that contain each other.
    let many = |i: usize| {
        format!(
            r#"{{"type":"record","name":"R{i}","fields":[{{"name":"a","type":"R{0}","default":{{}}}},{{"name":"b","type":"R{0}","default":{{}}}}]}}"#,
            i - 1
        )
    };
    let mut types = r#"{"type":"record","name":"R0","fields":[]}"#.to_owned();
    for i in 1..60 {
        types = many(i).replacen(&format!("\"R{}\"", i - 1), &types, 1);
    }
    let reader = Arc::new(
        parse_schema(&format!(
            r#"{{"type":"record","name":"R","fields":[{{"name":"x","type":{types},"default":{{}}}}]}}"#
        ))
        .unwrap(),
    );
    let error = crate::avro::resolve_avsc(r#"{"type":"record","name":"R","fields":[]}"#, &reader, variant)
        .map(drop)
        .unwrap_err();
    assert!(error.message().contains("contain each other too often"), "{error}");
}

/// The record around a second branch of the same Avro type is named after the place where its union comes first, which a
/// change of the order of fields changes.
#[test]
fn wrapped_branches_are_found_by_their_names() {
    let schema = |first: &str, second: &str, branch: &str| {
        let text = format!(
            r#"{{"wirewise": "schema/1", "root": "R", "types": [
                {{"record": "R", "fields": [{{"number": 1, "name": "{first}", "type": "U"}}, {{"number": 2, "name": "{second}", "type": "U"}}]}},
                {{"union": "U", "branches": [
                    {{"number": 1, "name": "small", "type": "int8"}}, {{"number": 2, "name": "{branch}", "type": "int32"}}]}}]}}"#
        );
        Arc::new(Schema::parse(&text).unwrap())
    };
    let (_, variant) = crate::find("avro").unwrap();
    let (writer, reader) = (schema("a", "b", "large"), schema("b", "a", "large"));
    let bytes = encode("avro", &writer, r#"{"a":{"large":70000},"b":{"small":1}}"#).unwrap();
    let codec = crate::avro::resolve(&writer, &reader, variant).unwrap();
    let read = decode_with(&*codec, &reader, &bytes, Limits::default()).unwrap();
    assert_eq!(read, r#"{"b":{"small":1},"a":{"large":70000}}"#);
    let other = schema("b", "a", "huge");
    let codec = crate::avro::resolve(&writer, &other, variant).unwrap();
    let error = decode_with(&*codec, &other, &bytes, Limits::default()).unwrap_err();
    assert!(error.to_string().contains("cannot be read as U"), "{error}");
}
