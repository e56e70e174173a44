//! The messages of `hostile.rs`.

mod offsets;

use wirewise_core::{Arena, Limits, Losses};
use wirewise_formats::{FORMATS, plan};

/// A message that is made to do harm.
pub(crate) struct Attack {
    pub(crate) what: &'static str,
    pub(crate) variant: &'static str,
    /// Members of a schema file.
    pub(crate) schema: String,
    pub(crate) bytes: Vec<u8>,
}

pub(crate) fn attack(what: &'static str, variant: &'static str, schema: &str, bytes: impl Into<Vec<u8>>) -> Attack {
    Attack { what, variant, schema: schema.to_owned(), bytes: bytes.into() }
}

const ANY: &str = r#""root": "any""#;

/// A record with one field of this type.
pub(crate) fn field(ty: &str) -> String {
    format!(
        r#""root": "R", "types": [{{"record": "R", "fields": [{{"number": 1, "name": "a", "type": {ty}}}]}},
            {{"record": "Empty", "fields": []}}]"#
    )
}

/// A record that holds another one like it, or two.
pub(crate) const TREE: &str = r#""root": "R", "types": [{"record": "R", "fields": [
    {"number": 1, "name": "a", "type": "R", "presence": "optional"},
    {"number": 2, "name": "b", "type": "R", "presence": "optional"}]}]"#;

/// Lists in lists, without end.
const LISTS: &str = r#""root": "R", "types": [{"record": "R", "fields": [
    {"number": 1, "name": "a", "type": {"list": "R"}}]}]"#;

/// How deep the deep ones are.
const DEEP: usize = 100_000;

/// Every attack.
pub(crate) fn all() -> Vec<Attack> {
    let mut all = nested();
    all.extend(long());
    all.extend(empty());
    all.extend(overlong());
    all.extend(offsets::all());
    all.extend(packed());
    all.extend(numbers());
    all
}

fn nested() -> Vec<Attack> {
    let deep = |bytes: &[u8]| bytes.repeat(DEEP);
    let mut protobuf = Vec::new();
    for _ in 0..1000 {
        let mut outer = vec![0x0a];
        varint(protobuf.len() as u64, &mut outer);
        outer.append(&mut protobuf);
        protobuf = outer;
    }
    vec![
        attack("lists in lists", "json", ANY, deep(b"[")),
        attack("objects in objects", "json", ANY, deep(b"{\"a\":")),
        attack("records in records", "json", TREE, deep(b"{\"a\":")),
        attack("records in records", "json-compact", TREE, deep(b"[")),
        attack("records in records", "protojson", TREE, deep(b"{\"a\":")),
        attack("lists in an unknown field", "json", TREE, [&b"{\"x\":"[..], &deep(b"[")].concat()),
        attack("lists in lists", "msgpack-named", ANY, deep(b"\x91")),
        attack("maps in maps", "msgpack-named", ANY, deep(b"\x81\x01")),
        attack("maps in keys", "msgpack-named", ANY, deep(b"\x81")),
        attack("records in records", "msgpack-named", TREE, deep(b"\x81\xa1a")),
        attack("records in records", "msgpack-positional", TREE, deep(b"\x92")),
        attack("lists in an unknown field", "msgpack-named", TREE, [&b"\x81\xa1x"[..], &deep(b"\x91")].concat()),
        attack("lists in lists", "cbor-named", ANY, deep(b"\x81")),
        attack("lists of unknown length", "cbor-named", ANY, deep(b"\x9f")),
        attack("tags on tags", "cbor-named", ANY, deep(b"\xc1")),
        attack("records in records", "cbor-named", TREE, deep(b"\xa1\x61a")),
        attack("tags on a record", "cbor-named", TREE, deep(b"\xd9\xd9\xf7")),
        attack("lists in an unknown field", "cbor-named", TREE, [&b"\xa1\x61x"[..], &deep(b"\x81")].concat()),
        attack("messages in messages", "protobuf", TREE, protobuf),
        attack("groups in unknown groups", "protobuf", TREE, deep(b"\x1b")),
        attack("records in records", "avro", TREE, deep(b"\x02")),
        attack("structs in structs", "thrift-compact", TREE, deep(b"\x1c")),
        attack("structs in structs", "thrift-binary", TREE, deep(b"\x0c\0\x01")),
        attack("lists in an unknown field", "thrift-compact", TREE, [&b"\x39"[..], &deep(b"\x19")].concat()),
        attack(
            "lists in an unknown field",
            "thrift-binary",
            TREE,
            [&b"\x0f\0\x03"[..], &deep(b"\x0f\0\0\0\x01")].concat(),
        ),
        attack("lists of structs in structs", "thrift-compact", LISTS, deep(b"\x19\x1c")),
    ]
}

/// A few bytes that announce 4 GiB.
fn long() -> Vec<Attack> {
    let (ints, texts, records) =
        (field(r#"{"list": "int32"}"#), field(r#"{"list": "string"}"#), field(r#"{"list": "Empty"}"#));
    let (text, bytes, map) = (field(r#""string""#), field(r#""bytes""#), field(r#"{"map": "int32"}"#));
    let huge = |before: &[u8]| [before, b"\xff\xff\xff\xff\x0f"].concat();
    // Zigzag: 2^32.
    let avro = |before: &[u8]| [before, b"\x80\x80\x80\x80\x20"].concat();
    vec![
        attack("a long list", "msgpack-named", ANY, b"\xdd\xff\xff\xff\xff\x01"),
        attack("a long map", "msgpack-named", ANY, b"\xdf\xff\xff\xff\xff\x01"),
        attack("a long text", "msgpack-named", ANY, b"\xdb\xff\xff\xff\xff\x01"),
        attack("a long extension", "msgpack-named", ANY, b"\xc9\xff\xff\xff\xff\x01"),
        attack("a long list of integers", "msgpack-named", &ints, b"\x81\xa1a\xdd\xff\xff\xff\xff\x01"),
        attack("a long list of texts", "msgpack-named", &texts, b"\x81\xa1a\xdd\xff\xff\xff\xff\xa0"),
        attack("a long list of records", "msgpack-positional", &records, b"\x91\xdd\xff\xff\xff\xff\x90"),
        attack("a long map", "msgpack-named", &map, b"\x81\xa1a\xdf\xff\xff\xff\xff\xa0\x01"),
        attack("a long list", "cbor-named", ANY, b"\x9b\0\0\0\x01\0\0\0\0\x01"),
        attack("a list longer than any memory", "cbor-named", ANY, b"\x9b\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
        attack("a long map", "cbor-named", ANY, b"\xbb\0\0\0\x01\0\0\0\0\x01"),
        attack("a long text", "cbor-named", ANY, b"\x7b\0\0\0\x01\0\0\0\0a"),
        attack("a text longer than any memory", "cbor-named", ANY, b"\x7b\xff\xff\xff\xff\xff\xff\xff\xffa"),
        attack("a long list of integers", "cbor-named", &ints, b"\xa1\x61a\x9b\0\0\0\x01\0\0\0\0\x01"),
        attack("a long list of texts", "cbor-named", &texts, b"\xa1\x61a\x9b\0\0\0\x01\0\0\0\0\x60"),
        attack("a long text", "protobuf", &text, huge(b"\x0a")),
        attack("a long packed list", "protobuf", &ints, huge(b"\x0a")),
        attack("a long unknown field", "protobuf", &text, huge(b"\x1a")),
        attack("a long message", "protobuf-delimited", &text, huge(b"")),
        attack("a long list of integers", "avro", &ints, avro(b"")),
        attack("a long list of texts", "avro", &texts, avro(b"")),
        attack("a long block", "avro", &ints, avro(b"\x01")),
        attack("a long map", "avro", &map, avro(b"")),
        attack("a long text", "avro", &text, avro(b"")),
        attack("long bytes", "avro", &bytes, b"\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
        attack("a text of negative length", "avro", &text, b"\x01"),
        attack("a long list of integers", "thrift-compact", &ints, huge(b"\x19\xf5")),
        attack("a long list of texts", "thrift-compact", &texts, huge(b"\x19\xf8")),
        attack("a long list of empty structs", "thrift-compact", &records, [&huge(b"\x19\xfc")[..], &[0]].concat()),
        attack("a long map", "thrift-compact", &map, huge(b"\x1b")),
        attack("a long text", "thrift-compact", &text, huge(b"\x18")),
        attack("a long list of integers", "thrift-binary", &ints, b"\x0f\0\x01\x08\x7f\xff\xff\xff"),
        attack("a long list of empty structs", "thrift-binary", &records, b"\x0f\0\x01\x0c\x7f\xff\xff\xff\0"),
        attack("a long map", "thrift-binary", &map, b"\x0d\0\x01\x0b\x08\x7f\xff\xff\xff"),
        attack("a long text", "thrift-binary", &text, b"\x0b\0\x01\x7f\xff\xff\xff"),
        attack("a long unknown list", "thrift-compact", &text, huge(b"\x39\xf5")),
        attack("a long unknown list of booleans", "thrift-binary", &text, b"\x0f\0\x03\x02\x7f\xff\xff\xff"),
    ]
}

/// Elements that take no bytes.
fn empty() -> Vec<Attack> {
    // Zigzag: 2^40.
    let count = b"\x80\x80\x80\x80\x80\x40";
    let pairs = field(r#"{"list": {"list": "null"}}"#);
    vec![
        attack("a list of nulls", "avro", &field(r#"{"list": "null"}"#), count),
        attack("a list of empty records", "avro", &field(r#"{"list": "Empty"}"#), count),
        attack("a list of nothing, of 0 bytes", "avro", &field(r#"{"list": {"fixed": 0}}"#), count),
        attack("lists of nulls in a list", "avro", &pairs, [&count[..], &[0x80, 0x80, 0x01, 0].repeat(1000)].concat()),
        attack("blocks of nulls", "avro", &field(r#"{"list": "null"}"#), [0x80, 0x80, 0x01].repeat(100_000)),
    ]
}

fn overlong() -> Vec<Attack> {
    let (int, text) = (field(r#""int64""#), field(r#""string""#));
    let long = |before: &[u8]| [before, &[0x80; 1000], &[0x01]].concat();
    vec![
        attack("a long varint for a tag", "protobuf", &int, long(b"")),
        attack("a long varint", "protobuf", &int, long(b"\x08")),
        attack("a long varint for a length", "protobuf", &text, long(b"\x0a")),
        attack("a long varint in an unknown field", "protobuf", &text, long(b"\x18")),
        attack("a long varint", "protobuf-delimited", &text, long(b"")),
        attack("a long varint", "avro", &int, long(b"")),
        attack("a varint of 70 bits", "avro", &int, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"),
        attack("a long varint for a length", "avro", &text, long(b"")),
        attack("a long varint", "thrift-compact", &int, long(b"\x16")),
        attack("a long varint for a length", "thrift-compact", &text, long(b"\x18")),
        attack("a long varint for a field's number", "thrift-compact", &text, long(b"\x08")),
    ]
}

/// Compressed blocks of containers.
fn packed() -> Vec<Attack> {
    let schema = r#""root": "bytes""#;
    let zeros = [b"\"", &b"AAAA".repeat(16 << 20 >> 2)[..], b"\""].concat();
    let parsed = std::sync::Arc::new(super::schema(schema).as_ref().clone());
    let mut arena = Arena::new(Limits::default());
    let json = plan("json", &parsed).unwrap();
    let document = json.decode(&zeros, &mut arena, &mut Losses::none()).unwrap();
    let containers = FORMATS.iter().flat_map(|format| format.info().variants);
    let containers = containers.filter(|variant| variant.id.starts_with("avro-container-"));
    let pack = |variant: &'static str| {
        let mut out = Vec::new();
        plan(variant, &parsed).unwrap().encode(&document, &mut out, &mut Losses::none()).unwrap();
        attack("12 MiB of zeros in a block", variant, schema, out)
    };
    containers.map(|variant| pack(variant.id)).collect()
}

fn numbers() -> Vec<Attack> {
    let digits = "9".repeat(1 << 20);
    let root = |ty: &str| format!(r#""root": "{ty}""#);
    vec![
        attack("a million digits", "json", &root("int64"), digits.as_str()),
        attack("a million digits", "json", &root("float64"), format!("{digits}.5")),
        attack("a large exponent", "json", &root("int64"), "1e999999999999"),
        attack("a large exponent", "json", &root("float64"), "1e999999999999"),
        attack("a large exponent", "protojson", &root("int64"), "1e999999999999"),
        attack("a large exponent in a string", "protojson", &root("uint64"), "\"1e999999999999\""),
        attack("a million digits", "protojson", &root("float64"), digits.as_str()),
    ]
}

pub(crate) fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// A text without the middle of what repeats in it.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 200;
    let count = text.chars().count();
    if count <= MOST {
        return text.to_owned();
    }
    let (start, end): (String, String) =
        (text.chars().take(MOST / 2).collect(), text.chars().skip(count - MOST / 3).collect());
    format!("{start}...{end}")
}
