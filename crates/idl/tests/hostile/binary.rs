//! Languages whose files are bytes: they have no lines, so that errors name the file, or the one that it was made of.

use wirewise_idl::{MemoryFiles, Source};

use super::{Error, Read, Table, language, many};

/// A field of a message that is a length and bytes.
fn field(number: u32, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    varint(u64::from(number << 3 | 2), &mut out);
    varint(bytes.len() as u64, &mut out);
    [&out, bytes].concat()
}

fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// A file with a name, and what else it says.
fn file(name: &str, rest: &[Vec<u8>]) -> Vec<u8> {
    field(1, &[field(1, name.as_bytes()), rest.concat()].concat())
}

/// What a text is in binary.
fn made(text: &str, from: &str, to: &str) -> Vec<u8> {
    let module = language(from).read(&Source::new("a", text), &MemoryFiles::none());
    language(to).write(&module.unwrap_or_else(|error| panic!("{error}"))).unwrap().bytes
}

fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let at = bytes.windows(from.len()).position(|window| window == from).unwrap();
    [&bytes[..at], to, &bytes[at + from.len()..]].concat()
}

pub(super) fn descriptor_set() -> Table {
    let values = |last: &str| {
        let value = |name: &str, number: usize| {
            let mut numbered = vec![0x10];
            varint(number as u64, &mut numbered);
            field(2, &[field(1, name.as_bytes()), numbered].concat())
        };
        let mut values = field(1, b"E");
        (0..100_000).for_each(|i| values.extend(value(&format!("V{i}"), i)));
        values.extend(value(last, 100_000));
        file("a.proto", &[field(5, &values)])
    };
    // A message `M` with a field `m` of its own type, which is optional (1) or required (2).
    let itself = |label: u8| {
        let m = [field(1, b"m"), vec![0x18, 1, 0x20, label, 0x28, 11], field(6, b".M")].concat();
        file("a.proto", &[field(4, &[field(1, b"M"), field(2, &m)].concat())])
    };
    let mut levels = Vec::new();
    for _ in 0..10_000 {
        levels = field(3, &[field(1, b"M"), levels].concat());
    }
    let message = |name: &str| field(4, &field(1, name.as_bytes()));
    Table::new("descriptor-set", "a.binpb")
        .case(
            "files that import each other",
            [file("a.proto", &[field(3, b"b.proto")]), file("b.proto", &[field(3, b"a.proto")])].concat(),
            Error("a.binpb: "),
        )
        .case("a file that imports itself", file("a.proto", &[field(3, b"a.proto")]), Error("a.binpb: "))
        .case("a missing import", file("a.proto", &[field(3, b"b.proto")]), Error("a.binpb: "))
        .case("a line of 10 MB", file("a.proto", &[message(&"x".repeat(10_000_000)), message("é")]), Error("a.binpb: "))
        .case(
            "50,000 types on one line",
            file("a.proto", &(0..50_000).map(|i| message(&format!("T{i}"))).collect::<Vec<_>>()),
            Read,
        )
        .case("100,000 values", values("Z"), Read)
        .case("100,000 values, two with one name", values("V7"), Error("a.proto: \"V7\" is declared twice"))
        // Protobuf has such messages, and nobody can write one.
        .case("a type that must contain itself", itself(2), Read)
        .case("a type that may contain itself", itself(1), Read)
        .case(
            "two types with one name",
            file("a.proto", &[message("M"), message("M")]),
            Error("a.proto: \"M\" is declared twice"),
        )
        .case("10,000 levels", file("a.proto", &[field(4, &[field(1, b"M"), levels].concat())]), Error("a.binpb: "))
        .case("an empty file", "", Error("a.binpb: "))
        .case("invalid UTF-8", file("a.proto", &[field(4, &field(1, b"\xff"))]), Error("a.binpb: "))
        .case("a NUL", file("a.proto", &[message("a\0b")]), Error("a.binpb: "))
        .case("a byte order mark", [b"\xef\xbb\xbf", &*itself(1)].concat(), Error("a.binpb: "))
        .absent("lines that end in CRLF", "the file has no lines")
}

pub(super) fn bfbs() -> Table {
    let fbs = |text: &str| made(text, "fbs", "bfbs");
    let values = fbs(&format!("enum E : int {{ {} }}", many(100_000, |i| format!("Value{i:07}, "))));
    let two = fbs("table Aaa { x: int; }\ntable Bbb { x: int; }");
    const NO_IMPORTS: &str = "a binary schema has all that it needs";
    Table::new("bfbs", "a.bfbs")
        .absent("files that import each other", NO_IMPORTS)
        .absent("a file that imports itself", NO_IMPORTS)
        .absent("a missing import", NO_IMPORTS)
        .case("a line of 10 MB", fbs(&format!("table {} {{}}", "x".repeat(10_000_000))), Read)
        .case("50,000 types on one line", fbs(&many(50_000, |i| format!("table T{i} {{ }} "))), Read)
        .case("100,000 values", values.clone(), Read)
        .case(
            "100,000 values, two with one name",
            replaced(&values, b"Value0099999", b"Value0000007"),
            Error("a.bfbs: "),
        )
        // Such a text is an error, so that there is no binary form of it to begin with.
        .absent("a type that must contain itself", "found by the reader that both forms share: see fbs")
        .case("a type that may contain itself", fbs("table T { t: T; u: [T]; }"), Read)
        .case("two types with one name", replaced(&two, b"Bbb", b"Aaa"), Error("a.bfbs: "))
        .absent("10,000 levels", "types are in a list, and name each other by their place in it")
        .case("an empty file", "", Error("a.bfbs: "))
        .case("invalid UTF-8", replaced(&two, b"Bbb", b"B\xffb"), Error("a.bfbs: "))
        .case("a NUL", replaced(&two, b"Bbb", b"B\0b"), Error("a.bfbs: the name \"B\\0b\" is no identifier"))
        .case("a byte order mark", [b"\xef\xbb\xbf", &*two].concat(), Error("a.bfbs: "))
        .absent("lines that end in CRLF", "the file has no lines")
}
