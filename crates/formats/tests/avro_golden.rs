//! Files that fastavro made (`conformance/avro/make.py`), byte for byte.

use std::path::PathBuf;
use std::sync::Arc;

use wirewise_core::{Arena, Limits, Losses, Schema};
use wirewise_formats::avro::{
    self,
    container::{BlockCodec, Header, Writer},
};
use wirewise_formats::plan;

const CASES: [&str; 3] = ["user-profile", "everything", "tree"];

fn path(file: &str) -> PathBuf {
    wirewise_testkit::root().join("conformance/avro").join(file)
}

fn bytes(file: &str) -> Vec<u8> {
    std::fs::read(path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn text(file: &str) -> String {
    String::from_utf8(bytes(file)).unwrap()
}

fn schema(case: &str) -> Arc<Schema> {
    Arc::new(Schema::parse(&text(&format!("{case}.schema.json"))).unwrap())
}

fn convert(schema: &Arc<Schema>, from: &str, to: &str, input: &[u8]) -> Vec<u8> {
    let mut arena = Arena::new(Limits::default());
    let mut losses = Losses::none();
    let codec = plan(from, schema).unwrap();
    let document = codec.decode(input, &mut arena, &mut losses).unwrap_or_else(|error| panic!("{from}: {error}"));
    let mut out = Vec::new();
    plan(to, schema).unwrap().encode(&document, &mut out, &mut losses).unwrap();
    out
}

#[test]
fn schemas() {
    let rewrite = std::env::var_os("WIREWISE_REWRITE").is_some_and(|value| !value.is_empty());
    for case in CASES {
        let avsc = avro::schema_json(&schema(case)).unwrap() + "\n";
        let file = format!("{case}.avsc");
        if rewrite {
            std::fs::write(path(&file), &avsc).unwrap();
        }
        assert_eq!(text(&file), avsc, "WIREWISE_REWRITE=1 accepts it; then make.py must run again");
    }
}

#[test]
fn datums_and_single_objects() {
    for case in CASES {
        let (schema, json) = (schema(case), bytes(&format!("{case}.json")));
        for (variant, file) in [("avro", "datum"), ("avro-single-object", "single")] {
            let golden = bytes(&format!("{case}.{file}"));
            let decoded = convert(&schema, variant, "json", &golden);
            assert_eq!(String::from_utf8(decoded).unwrap(), text(&format!("{case}.json")));
            assert!(convert(&schema, "json", variant, &json) == golden, "{case}, {variant}");
        }
    }
    assert_eq!(bytes("user-profile.datum").len(), 63);
}

#[test]
fn containers() {
    for case in CASES {
        let schema = schema(case);
        let list = Arc::new(schema.list_of());
        let json = text(&format!("{case}.json"));
        let batch = format!("[{json},{json},{json}]");
        let golden = bytes(&format!("{case}.avro"));
        let decoded = convert(&list, "avro-container", "json", &golden);
        assert_eq!(String::from_utf8(decoded).unwrap(), batch);

        // With their text of the schema and their sync marker, ours is the same to the byte.
        let header = Header::parse(&golden).unwrap().0;
        assert_eq!(header.codec, BlockCodec::Null);
        let datum = convert(&schema, "json", "avro", json.as_bytes());
        let mut ours = Vec::new();
        let mut writer = Writer::begin(&header, &mut ours);
        (0..3).for_each(|_| writer.append(&datum, &mut ours).unwrap());
        writer.finish(&mut ours).unwrap();
        assert!(ours == golden, "{case}");

        // Their file has our schema in it, to the members of our own.
        let own = avro::container_schema(&golden).unwrap();
        assert_eq!(avro::schema_json(&own).unwrap(), avro::schema_json(&schema).unwrap());
    }
}

/// Compressed blocks may differ from library to library: what is compared is what they hold. That others read ours is
/// in `avro_foreign.rs`.
#[test]
fn containers_of_every_codec() {
    let list = Arc::new(schema("user-profile").list_of());
    let json = text("user-profile.json");
    for codec in &BlockCodec::ALL[1..] {
        let golden = bytes(&format!("user-profile-{}.avro", codec.name()));
        assert_eq!(Header::parse(&golden).unwrap().0.codec, *codec);
        let decoded = convert(&list, "avro-container", "json", &golden);
        assert_eq!(String::from_utf8(decoded).unwrap(), format!("[{json},{json},{json}]"));
    }
}
