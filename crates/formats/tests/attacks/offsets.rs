//! Attacks on the formats that point from one place to another: what is pointed to often is read often.

use super::{Attack, TREE, attack, field};

pub(super) fn all() -> Vec<Attack> {
    let mut all = capnp();
    all.extend(flatbuffers());
    all
}

/// One segment of these words.
fn message(words: &[u64]) -> Vec<u8> {
    let mut bytes = vec![0, 0, 0, 0];
    bytes.extend_from_slice(&(words.len() as u32).to_le_bytes());
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    bytes
}

/// A pointer to a struct that lies `offset` words on.
fn to_struct(offset: i64, data: u64, pointers: u64) -> u64 {
    (offset as u64) << 2 & 0xffff_fffc | data << 32 | pointers << 48
}

fn to_list(offset: i64, code: u64, count: u64) -> u64 {
    1 | (offset as u64) << 2 & 0xffff_fffc | code << 32 | count << 35
}

fn capnp() -> Vec<Attack> {
    let huge = 0x1FFF_FFFF;
    let mut tree = vec![to_struct(0, 0, 2)];
    for _ in 0..60 {
        tree.extend([to_struct(1, 0, 2), to_struct(0, 0, 2)]);
    }
    tree.extend([0, 0]);

    // Many pointers to one text of as many bytes.
    let count = 20_000;
    let mut texts = vec![to_struct(0, 0, 1), to_list(0, 6, count)];
    let words = count / 8;
    texts.extend((0..count).map(|i| to_list((count - i - 1) as i64, 2, 8 * words)));
    texts.extend((0..words).map(|i| if i + 1 == words { 0x0061_6161_6161_6161 } else { 0x6161_6161_6161_6161 }));

    // Many pointers to one list.
    let mut lists = vec![to_struct(0, 0, 1), to_list(0, 6, count)];
    lists.extend((0..count).map(|i| to_list((count - i - 1) as i64, 5, count)));
    lists.extend(0..count);

    let (texts_type, lists_type) = (field(r#"{"list": "string"}"#), field(r#"{"list": {"list": "int64"}}"#));
    let (nulls, empty) = (field(r#"{"list": "null"}"#), field(r#"{"list": "Empty"}"#));
    // A segment of 2^24 words, of which 256 take two bytes.
    let packed = [&b"\x80\x01"[..], &b"\x00\xff".repeat(1 << 16)].concat();
    vec![
        attack("a struct in itself", "capnp", TREE, message(&[to_struct(0, 0, 2), to_struct(-1, 0, 2), 0])),
        attack("2^60 structs by shared pointers", "capnp", TREE, message(&tree)),
        attack("many pointers to one text", "capnp", &texts_type, message(&texts)),
        attack("many pointers to one list", "capnp", &lists_type, message(&lists)),
        attack("a list of nulls", "capnp", &nulls, message(&[to_struct(0, 0, 1), to_list(0, 0, huge)])),
        attack("a list of empty structs", "capnp", &empty, message(&[to_struct(0, 0, 1), to_list(0, 7, 0), huge << 2])),
        attack("a long list", "capnp", &lists_type, message(&[to_struct(0, 0, 1), to_list(0, 6, huge)])),
        attack("many segments", "capnp", TREE, b"\xff\xff\xff\xff\0\0\0\0"),
        attack("a long segment", "capnp", TREE, b"\0\0\0\0\xff\xff\xff\xff"),
        attack("a long packed segment of zeros", "capnp-packed", TREE, packed),
    ]
}

/// A buffer whose tables have `fields` offsets each, all with one vtable at byte 4; returns where its first table is.
fn tables(fields: u16) -> (Vec<u8>, usize) {
    let mut bytes = vec![0; 4];
    bytes.extend((4 + 2 * fields).to_le_bytes());
    bytes.extend((4 + 4 * fields).to_le_bytes());
    (0..fields).for_each(|field| bytes.extend((4 + 4 * field).to_le_bytes()));
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let root = bytes.len();
    bytes[..4].copy_from_slice(&(root as u32).to_le_bytes());
    (bytes, root)
}

/// Appends a table whose fields point to these places.
fn table(bytes: &mut Vec<u8>, fields: &[usize]) {
    let at = bytes.len();
    bytes.extend((at as i32 - 4).to_le_bytes());
    for field in fields {
        let here = bytes.len();
        bytes.extend(((field - here) as u32).to_le_bytes());
    }
}

fn flatbuffers() -> Vec<Attack> {
    let (mut chain, root) = tables(2);
    for i in 0..1000 {
        table(&mut chain, &[root + 12 * (i + 1), root + 12 * (i + 1)]);
    }
    // Sixty levels, each of which has the next one twice; the last table has nothing.
    let (mut tree, root) = tables(2);
    for i in 0..60 {
        table(&mut tree, &[root + 12 * (i + 1), root + 12 * (i + 1)]);
    }
    let (last, bare) = (tree.len(), tree.len() + 4);
    tree.extend((last as i32 - bare as i32).to_le_bytes());
    tree.extend([4, 0, 4, 0]);

    let count = 20_000;
    let vector_of = |item: &dyn Fn(&mut Vec<u8>)| {
        let (mut bytes, root) = tables(1);
        table(&mut bytes, &[root + 8]);
        bytes.extend((count as u32).to_le_bytes());
        let target = bytes.len() + 4 * count;
        for _ in 0..count {
            let here = bytes.len();
            bytes.extend(((target - here) as u32).to_le_bytes());
        }
        item(&mut bytes);
        bytes
    };
    let texts = vector_of(&|bytes| {
        bytes.extend((count as u32).to_le_bytes());
        bytes.extend(b"a".repeat(count));
        bytes.push(0);
    });
    let (mut long, root) = tables(1);
    table(&mut long, &[root + 8]);
    long.extend(u32::MAX.to_le_bytes());
    let (texts_type, text) = (field(r#"{"list": "string"}"#), field(r#""string""#));
    vec![
        attack("tables in tables", "flatbuffers", TREE, chain),
        attack("2^60 tables by shared offsets", "flatbuffers", TREE, tree),
        attack("many offsets to one text", "flatbuffers", &texts_type, texts),
        attack("a long vector", "flatbuffers", &texts_type, long.clone()),
        attack("a long vector of integers", "flatbuffers", &field(r#"{"list": "int32"}"#), long.clone()),
        attack("a long text", "flatbuffers", &text, long),
        attack("a long buffer", "flatbuffers-size-prefixed", &text, b"\xff\xff\xff\xff\x04\0\0\0"),
    ]
}
