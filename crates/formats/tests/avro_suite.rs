//! The Apache Avro project's own test files, and containers that others have published.

use std::path::PathBuf;
use std::sync::Arc;

use wirewise_core::{Arena, ErrorKind, Limits, Losses, Result, Schema};
use wirewise_formats::avro::{self, container::Header};
use wirewise_formats::plan;

fn suite(file: &str) -> Vec<u8> {
    let path: PathBuf = wirewise_testkit::root().join("conformance/avro/suite").join(file);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The values of a container, read with its own schema, as a line of JSON each.
fn lines(container: &[u8]) -> Result<Vec<String>> {
    let schema = Arc::new(avro::container_schema(container)?.list_of());
    let (codec, json) = (plan("avro-container", &schema)?, plan("json", &schema)?);
    let (mut arena, mut losses) = (Arena::new(Limits::default()), Losses::none());
    let document = codec.decode(container, &mut arena, &mut losses)?;
    let mut out = Vec::new();
    json.encode(&document, &mut out, &mut losses)?;
    let values: Vec<serde_json::Value> = serde_json::from_slice(&out).unwrap();

    // What we write again, by our own schema and by the file's, has the same values.
    let avsc = Header::parse(container)?.0.schema;
    for variant in ["avro-container", "avro-container-deflate", "avro-container-xz"] {
        for codec in [plan(variant, &schema)?, avro::plan_with(variant, &schema, &avsc)?] {
            let mut again = Vec::new();
            codec.encode(&document, &mut again, &mut losses)?;
            let mut second = Arena::new(Limits::default());
            let reread = codec.decode(&again, &mut second, &mut losses)?;
            assert_eq!(wirewise_core::diff(&document, &reread), None);
        }
    }
    Ok(values.iter().map(|value| value.to_string()).collect())
}

/// One test of `schema-tests.txt`: a schema, its canonical form, and its fingerprint where one is given.
#[derive(Default)]
struct SchemaTest {
    input: String,
    canonical: String,
    fingerprint: Option<i64>,
}

fn schema_tests() -> Vec<SchemaTest> {
    let text = String::from_utf8(suite("schema-tests.txt")).unwrap();
    let mut tests: Vec<SchemaTest> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some((field, rest)) = line.strip_prefix("<<").map(|line| line.split_once(' ').unwrap_or((line, ""))) else {
            continue;
        };
        let mut value = rest.to_owned();
        if value.is_empty() {
            // A here-document: up to a line that has the field's name alone.
            value = lines.by_ref().take_while(|line| *line != field).collect::<Vec<_>>().join("\n");
        }
        match field {
            "INPUT" => tests.push(SchemaTest { input: value, ..SchemaTest::default() }),
            "canonical" => tests.last_mut().unwrap().canonical = value,
            "fingerprint" => tests.last_mut().unwrap().fingerprint = Some(value.trim().parse().unwrap()),
            _ => panic!("unknown field {field}"),
        }
    }
    tests
}

#[test]
fn canonical_forms_and_fingerprints() {
    let tests = schema_tests();
    assert_eq!(tests.len(), 34);
    assert_eq!(tests.iter().filter(|test| test.fingerprint.is_some()).count(), 26);
    for test in tests {
        let canonical = avro::canonical_form(&test.input).unwrap_or_else(|error| panic!("{}: {error}", test.input));
        assert_eq!(canonical, test.canonical, "{}", test.input);
        if let Some(fingerprint) = test.fingerprint {
            assert_eq!(avro::fingerprint(&canonical) as i64, fingerprint, "{}", test.input);
        }
        // The canonical form is a schema too, and its own canonical form.
        assert_eq!(avro::canonical_form(&canonical).unwrap(), canonical);
    }
}

#[test]
fn schemas_come_back_from_ours() {
    let mut schemas: Vec<String> = schema_tests().into_iter().map(|test| test.input).collect();
    for file in ["schemas/simple/schema.json", "schemas/withUnion/schema.json", "messageV1/test_schema.avsc"] {
        schemas.push(String::from_utf8(suite(file)).unwrap());
    }
    for file in ["weather.avro", "syncInMeta.avro"] {
        schemas.push(Header::parse(&suite(file)).unwrap().0.schema);
    }
    let mut refused = 0;
    for avsc in schemas {
        let schema = match avro::parse_schema(&avsc) {
            Ok(schema) => schema,
            // Empty unions, and records that must contain themselves.
            Err(_) => {
                refused += 1;
                continue;
            }
        };
        let back = avro::schema_json(&schema).unwrap();
        assert_eq!(avro::canonical_form(&back).unwrap(), avro::canonical_form(&avsc).unwrap());
        assert_eq!(avro::parse_schema(&back).unwrap(), schema, "{avsc}");
        assert!(!back.contains("wirewise."), "{back}");
    }
    assert!(refused <= 3, "{refused}");
}

#[test]
fn weather_in_every_codec() {
    let json = String::from_utf8(suite("weather.json")).unwrap();
    let expected: Vec<String> =
        json.lines().map(|line| line.parse::<serde_json::Value>().unwrap().to_string()).collect();
    assert_eq!(expected.len(), 5);
    for file in ["weather.avro", "weather-deflate.avro", "weather-snappy.avro", "weather-zstd.avro"] {
        assert_eq!(lines(&suite(file)).unwrap(), expected, "{file}");
    }
    let (mut sorted, mut expected) = (lines(&suite("weather-sorted.avro")).unwrap(), expected);
    sorted.sort();
    expected.sort();
    assert_eq!(sorted, expected);
}

#[test]
fn containers_with_their_schemas() {
    assert_eq!(lines(&suite("schemas/simple/data.avro")).unwrap()[0], r#"{"text":"hello"}"#);
    let unions = lines(&suite("schemas/withUnion/data.avro")).unwrap();
    assert_eq!(unions, UNIONS);
    for name in ["simple", "withUnion"] {
        let header = Header::parse(&suite(&format!("schemas/{name}/data.avro"))).unwrap().0;
        let file = String::from_utf8(suite(&format!("schemas/{name}/schema.json"))).unwrap();
        assert_eq!(avro::canonical_form(&header.schema).unwrap(), avro::canonical_form(&file).unwrap());
    }
}

const UNIONS: [&str; 3] = [
    r#"{"data1":"textValue","data2":null}"#,
    r#"{"data1":123,"data2":{"d1":false}}"#,
    r#"{"data1":3,"data2":{"d1":"text value"}}"#,
];

#[test]
fn metadata_may_be_any_bytes() {
    let file = suite("syncInMeta.avro");
    let header = Header::parse(&file).unwrap().0;
    assert_eq!(header.metadata.len(), 1, "{:?}", header.metadata);
    assert!(lines(&file).unwrap().len() > 100);
}

#[test]
fn the_form_of_avro_1_2_is_refused() {
    let error = avro::container_schema(&suite("test.avro12")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Syntax);
    assert!(error.advice().unwrap().contains("Avro 1.2"));
}

#[test]
fn single_object_of_the_java_library() {
    let avsc = String::from_utf8(suite("messageV1/test_schema.avsc")).unwrap();
    let message = suite("messageV1/test_message.bin");
    let schema = Arc::new(avro::parse_schema(&avsc).unwrap());
    let codec = plan("avro-single-object", &schema).unwrap();
    let (mut arena, mut losses) = (Arena::new(Limits::default()), Losses::none());
    let document = codec.decode(&message, &mut arena, &mut losses).unwrap();
    let mut json = Vec::new();
    plan("json", &schema).unwrap().encode(&document, &mut json, &mut losses).unwrap();
    assert_eq!(String::from_utf8(json).unwrap(), r#"{"id":42,"name":"Bill","tags":["dog_lover","cat_hater"]}"#);
    let mut again = Vec::new();
    codec.encode(&document, &mut again, &mut losses).unwrap();
    assert_eq!(again, message);
}

#[test]
fn quickstop_files_of_goavro() {
    let files = ["quickstop-null.avro", "quickstop-deflate.avro"]
        .map(|file| std::fs::read(wirewise_testkit::root().join("corpus/real").join(file)).unwrap());
    let values = files.each_ref().map(|file| lines(file).unwrap());
    assert_eq!(values[0].len(), 6001);
    assert_eq!(values[0], values[1]);
}

/// A schema of ours for weather, with a field of this type for the time.
fn weather(fields: &str) -> Arc<Schema> {
    let types = format!(r#"{{"record": "Weather", "fields": [{fields}]}}"#);
    let schema = format!(r#"{{"wirewise": "schema/1", "root": {{"list": "Weather"}}, "types": [{types}]}}"#);
    Arc::new(Schema::parse(&schema).unwrap())
}

#[test]
fn a_file_is_read_with_another_schema() {
    let schema = weather(
        r#"{"number": 1, "name": "celsius", "type": "float64", "aliases": ["temp"]},
        {"number": 2, "name": "station", "type": {"nullable": "string"}},
        {"number": 3, "name": "source", "type": "string", "default": "suite"}"#,
    );
    let codec = plan("avro-container", &schema).unwrap();
    let (mut arena, mut losses) = (Arena::new(Limits::default()), Losses::none());
    let file = suite("weather-snappy.avro");
    let document = codec.decode(&file, &mut arena, &mut losses).unwrap();
    let mut json = Vec::new();
    plan("json", &schema).unwrap().encode(&document, &mut json, &mut losses).unwrap();
    let json = String::from_utf8(json).unwrap();
    assert!(json.starts_with(r#"[{"celsius":0.0,"station":"011990-99999","source":"suite"},"#), "{json}");
}

#[test]
fn a_file_with_another_schema_says_what_to_do() {
    let schema = weather(
        r#"{"number": 1, "name": "station", "type": "string"}, {"number": 2, "name": "time", "type": "string"},
        {"number": 3, "name": "temp", "type": "int32"}"#,
    );
    let codec = plan("avro-container", &schema).unwrap();
    let mut arena = Arena::new(Limits::default());
    let error = codec.decode(&suite("weather.avro"), &mut arena, &mut Losses::none()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert_eq!(
        error.to_string(),
        "the file was written with another schema: the writer's long cannot be read as string, in $.time; \
         leave --schema out to use the file's own"
    );
}
