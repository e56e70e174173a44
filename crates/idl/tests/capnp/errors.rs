//! What is wrong is said with its place, and hostile files end in errors soon.

use std::time::{Duration, Instant};

use wirewise_idl::{MemoryFiles, Source};
use wirewise_testkit::random::Rng;

use crate::common::{capnp, read};

fn error(text: &str) -> String {
    match read(text) {
        Ok(_) => panic!("this was read:\n{text}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn errors_say_what_and_where() {
    for (text, expected) in [
        ("struct S {", "test.capnp:1:11: found the end of the file, expected a field, a declaration or \"}\""),
        ("@5;", "test.capnp:1:1: this is no id: ids have 64 bits, the highest of them set; `capnp id` makes one"),
        ("struct s {}", "test.capnp:1:8: found \"s\": names of types begin with a capital letter"),
        (
            "struct S { a_b @0 :Int8; }",
            "test.capnp:1:12: found \"a_b\": names with underscores are reserved in Cap'n Proto",
        ),
        ("struct S {\n  a @0 Int8;\n}", "test.capnp:2:8: found \"Int8\", expected \":\" and a type"),
        ("struct S { a @0 :Int7; }", "test.capnp:1:18: found \"Int7\", which is not declared here"),
        ("struct S { ü @0 :Int8; }", "test.capnp:1:12: found 'ü', which begins nothing in this language"),
        (
            "# ü\nstruct S { a @0 :Int8; } struct S {}",
            "test.capnp:2:33: \"S\" is declared twice in this scope (first declared at test.capnp:2:8)",
        ),
        (
            "struct S { a @0 :Int8; union { a @1 :Int8; b @2 :Int8; } }",
            "test.capnp:1:32: \"a\" is declared twice in this scope (first declared at test.capnp:1:12)",
        ),
        (
            "struct S { a @0 :Int8; b @0 :Int8; }",
            "test.capnp:1:26: found @0, which is taken (first used at test.capnp:1:14)",
        ),
        ("struct S { a @0 :Int8; b @2 :Int8; }", "test.capnp:1:26: found @2, expected @1: numbers have no gaps"),
        ("struct S { a @0 :Int8 = 128; }", "test.capnp:1:25: found 128, which is no value of type Int8"),
        ("struct S { a @0 :Text = 1; }", "test.capnp:1:25: found a number, expected a value of type Text"),
        ("struct S { a @0 :S = (b = 1); }", "test.capnp:1:23: found \"b\", which is no field here"),
        ("struct S { u :union { a @0 :Int8; } }", "test.capnp:1:12: a union must have at least two members"),
        ("struct S { g :group {} }", "test.capnp:1:12: a group must have at least one member"),
        (
            "struct S { u @1 :union { a @0 :Int8; b @2 :Int8; } }",
            "test.capnp:1:14: found a number before a union, expected \"!\" after it; unions need no number: take it out if \
             the schema is new",
        ),
        (
            "struct S { a @0 :Box(Int8); } struct Box(T) {}",
            "test.capnp:1:22: found Int8, but only types behind pointers can be arguments",
        ),
        ("struct S { a @0 :List; }", "test.capnp:1:18: found List alone, expected List(T)"),
        ("struct S { a @0 :S(Text); }", "test.capnp:1:19: found 1 arguments, expected 0"),
        (
            "const a :Int8 = .b; const b :Int8 = .a;",
            "test.capnp:1:17: constants lead to each other more than 64 times; a constant must not lead to itself",
        ),
        (
            "using A = B; using B = A; struct S { a @0 :A; }",
            "test.capnp:1:11: aliases lead to each other more than 64 times; an alias must not lead to itself",
        ),
        (
            "struct S { a @0 :Data = embed \"x\"; }",
            "test.capnp:1:25: embed is not supported; write the value as a literal, such as 0x\"00 ff\"",
        ),
        ("const a :Int8 = 1;", "test.capnp:1:1: the file declares no type"),
        ("struct S { a @0 :Text = \"x; }\n", "test.capnp:1:25: the text has no end on its line: expected '\"'"),
        ("struct S { a @0 :Int8 = 08; }", "test.capnp:1:25: found \"08\", which is no number"),
        ("struct S $foo {}", "test.capnp:1:10: found \"foo\", which is not declared here"),
        (
            "using X = import \"missing.capnp\";",
            "test.capnp:1:11: there is no file \"missing.capnp\" to import; looked among the given files",
        ),
        (
            "struct S(T) { a @0 :S(List(T)); } struct U { a @0 :S(Text); }",
            "test.capnp:1:21: this type is too large, with all its arguments; a generic type must not use itself with ever \
             more arguments",
        ),
        (
            "struct S { a @0 :Int64;\n# @wirewise type=\"\\\"int32\\\"\"\n}",
            "test.capnp:1:12: the comments say that @0 is something else than a Int64; correct the line that begins with \
             @wirewise, or take it out",
        ),
        (
            "struct S { a @0 :List(Int8);\n# @wirewise type=\"{\\\"list\\\":\\\"int32\\\"}\"\n}",
            "test.capnp:1:12: the comments say that @0 is something else than a List(Int8); correct the line that begins with \
             @wirewise, or take it out",
        ),
        (
            "struct S { a @0 :Int8;\n# @wirewise type=int8; number=x\n}",
            "test.capnp:1:12: the note type in the comment cannot be read",
        ),
        (
            "struct S { a @0 :Int8;\n# @wirewise type=\"\\\"Missing\\\"\"\n}",
            "test.capnp:1:12: there is no type \"Missing\": the built-in ones are null, bool, int8, \
             int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, string, bytes, any",
        ),
    ] {
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn errors_in_imported_files_have_their_places() {
    let mut files = MemoryFiles::none();
    files.add("lib/a.capnp", "using B = import \"b.capnp\";\nstruct A { b @0 :B.Missing; }");
    files.add("lib/b.capnp", "struct B {}");
    let source = Source::new("main.capnp", "using A = import \"lib/a.capnp\";\nstruct S { a @0 :A.A; }");
    let error = capnp().read(&source, &files).unwrap_err();
    assert_eq!(error.to_string(), "lib/a.capnp:2:20: found \"Missing\", which is not declared here");
}

/// Reads it, whatever comes of it, in time.
fn quick(name: &str, text: &str) -> Option<String> {
    let start = Instant::now();
    let error = read(text).err().map(|error| error.to_string());
    let took = start.elapsed();
    if std::env::var_os("WIREWISE_TIMES").is_some() {
        eprintln!("{name}: {took:?}");
    }
    // What takes this long hangs, also on a busy machine.
    assert!(took < Duration::from_secs(120), "{name} took {took:?}");
    error
}

#[test]
fn hostile_files_end_soon() {
    let enumerants: String = (0..60_000).map(|i| format!("e{i} @{i};")).collect();
    assert_eq!(quick("enum", &format!("enum E {{ {enumerants} }}")), None);
    let fields: String = (0..60_000).map(|i| format!("f{i} @{i} :Int8 = {};", i % 100)).collect();
    let values: String = (0..60_000).map(|i| format!("f{i} = 1,")).collect();
    assert_eq!(quick("struct", &format!("struct S {{ {fields} }} const c :S = ({values});")), None);
    let structs: String = (0..50_000).map(|i| format!("struct S{i} {{ a @0 :S{}; }}\n", (i + 1) % 50_000)).collect();
    assert_eq!(quick("structs", &structs), None);
    let long = "x".repeat(10_000_000);
    assert!(quick("long name", &format!("struct S {{ {long} @0 :Int8; }}")).is_none());
    assert!(quick("long line", &format!("struct S {{ a @0 :Text = \"{long}\"; }}")).is_none());
    assert!(quick("long comment", &format!("# {long}\nstruct S {{}} # {long}")).is_none());
    assert!(quick("semicolons", &";".repeat(1_000_000)).is_some());
    for (name, open, close) in [
        ("structs", "struct S {", "}"),
        ("groups", "g :group {", "}"),
        ("lists", "List(", ")"),
        ("literals", "[", "]"),
        ("tuples", "(a = ", ")"),
        ("minus", "-", ""),
        ("dots", "a.", ""),
        ("dollars", "$a(", ")"),
    ] {
        for before in ["", "struct S { a @0 :", "struct S { a @0 :S = ", "struct S { ", "struct S $"] {
            let text = format!("{before}{}{}", open.repeat(100_000), close.repeat(100_000));
            assert!(quick(name, &text).is_some(), "{name}");
        }
    }
    // Each type has the one before it twice.
    let pairs: String = (1..64).map(|i| format!("using P{i} = Pair(P{}, P{});\n", i - 1, i - 1)).collect();
    let text = format!("struct Pair(A, B) {{ a @0 :A; b @1 :B; }} using P0 = Text; {pairs} struct S {{ p @0 :P63; }}");
    assert!(quick("pairs", &text).unwrap().contains("too large"));
    // And each constant.
    let lists: String = (1..40).map(|i| format!("const c{i} :List(Int8) = [.c0, .c0];")).collect();
    assert!(
        quick("constants", &format!("struct S {{ a @0 :List(Int8) = .c1; }} const c0 :Int8 = 1; {lists}")).is_none()
    );
    let doubled: String = (1..40).map(|i| format!("const c{i} :S = (a = .c{}, b = .c{});\n", i - 1, i - 1)).collect();
    let text = format!("struct S {{ a @0 :S; b @1 :S; }} const c0 :S = (); {doubled}");
    assert!(quick("doubled constants", &text).unwrap().contains("more than 1000000 values"));
    let aliases: String = (0..50_000).map(|i| format!("using A{i} = A{};\n", (i + 1) % 50_000)).collect();
    assert!(quick("aliases", &format!("{aliases} struct S {{ a @0 :A0; }}")).is_some());
}

#[test]
fn mutated_files_are_errors_or_valid() {
    let seeds = [crate::native::file(1), crate::native::file(2), crate::files::EVERYTHING.to_owned()];
    let mut rng = Rng::new(42);
    let pieces: [&str; 21] = [
        "{", "}", "(", ")", "@0", ":", ";", "\"", "0x\"", "#", "$", "union", "group", "=", ".", "[", "]", ",", "-",
        "\\", "é",
    ];
    for i in 0..crate::common::cases() * 4 {
        let mut text = seeds[i as usize % seeds.len()].clone();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(text.len().max(1));
            let at = (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            match rng.below(4) {
                0 => text.truncate(at),
                1 => text.insert_str(at, pieces[rng.below(pieces.len())]),
                2 => {
                    let end = (at + rng.below(30)).min(text.len());
                    let end = (end..=text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len());
                    text.replace_range(at..end, "");
                }
                _ => {
                    let end = (at + rng.below(60)).min(text.len());
                    let end = (end..=text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len());
                    let piece = text[at..end].to_owned();
                    text.insert_str(at, &piece);
                }
            }
        }
        if let Ok(module) = read(&text) {
            // What can be read can be written, unless the compiler would refuse its layout.
            if let Ok(written) = capnp().write(&module) {
                let again = String::from_utf8(written.bytes).unwrap();
                let back = read(&again).unwrap_or_else(|error| panic!("{error}\n{text}\nbecame\n{again}"));
                crate::common::assert_same(&module.schema, &back.schema, &again);
            }
        }
    }
}
