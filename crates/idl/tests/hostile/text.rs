//! Languages that have a syntax of their own.

use super::{Error, Read, Table, many, nested};

pub(super) fn proto() -> Table {
    let values = many(100_000, |i| format!("V{i} = {i};\n"));
    let message = "syntax = \"proto2\";\nmessage M {\n  optional string é = 1;\n}\n".replace('é', "e");
    Table::new("proto", "a.proto")
        .with(
            "files that import each other",
            "import \"b.proto\";",
            &[("b.proto", "\nimport \"a.proto\";")],
            Error("b.proto:2:8: the files import each other: a.proto, b.proto, a.proto"),
        )
        .case("a file that imports itself", "import \"a.proto\";", Error("a.proto:1:8: "))
        .case("a missing import", "import \"b.proto\";", Error("a.proto:1:8: there is no file \"b.proto\"; "))
        .case(
            "a line of 10 MB",
            format!("message M {{ {} }} x", many(250_000, |i| format!("optional int32 f{i} = {}; ", i % 9000 + 1))),
            Error("a.proto:1:"),
        )
        .case(
            "50,000 types on one line",
            many(50_000, |i| format!("message T{i} {{ optional T{} t = 1; }} ", i * 7 % 50_000)),
            Read,
        )
        .case("100,000 values", format!("enum E {{\n{values}}}"), Read)
        .case(
            "100,000 values, two with one name",
            format!("enum E {{\n{values} V7 = 100000;\n}}"),
            Error("a.proto:100002:2: \"V7\" is declared twice (first declared at a.proto:9:1)"),
        )
        .case("a type that must contain itself", "message M {\n  required M m = 1;\n}", Read)
        .case("a type that may contain itself", "message M { optional M m = 1; repeated M n = 2; }", Read)
        .case(
            "two types with one name",
            "message M {}\nmessage M {}",
            Error("a.proto:2:9: \"M\" is declared twice (first declared at a.proto:1:9)"),
        )
        .case("10,000 levels", nested("", "message M {\n", "}", ""), Error("a.proto:"))
        .case("an empty file", "", Read)
        .case("invalid UTF-8", b"message M {\n \xff}", Error("a.proto:2:2: the file is not valid UTF-8"))
        .case("a NUL", "message M\0 {}", Error("a.proto:1:10: "))
        .case("a byte order mark", format!("\u{feff}{message}"), Read)
        .case("lines that end in CRLF", message.replace('\n', "\r\n"), Read)
}

pub(super) fn fbs() -> Table {
    let values = many(100_000, |i| format!("V{i},\n"));
    let table = "namespace a;\ntable T {\n  /// Doc.\n  t: string;\n}\n";
    Table::new("fbs", "a.fbs")
        // As in flatc, which takes each file once.
        .with(
            "files that import each other",
            "include \"b.fbs\"; table A { b: B; }",
            &[("b.fbs", "include \"a.fbs\"; table B { a: A; }")],
            Read,
        )
        .case("a file that imports itself", "include \"a.fbs\"; table A { a: A; }", Read)
        .case("a missing import", "\ninclude \"b.fbs\";", Error("a.fbs:2:9: there is no file "))
        .case(
            "a line of 10 MB",
            format!("table T {{ {} }} x", many(500_000, |i| format!("f{i}: [string]; "))),
            Error("a.fbs:1:"),
        )
        .case("50,000 types on one line", many(50_000, |i| format!("table T{i} {{ t: T{}; }} ", i * 7 % 50_000)), Read)
        .case("100,000 values", format!("enum E : int {{\n{values}}}"), Read)
        .case(
            "100,000 values, two with one name",
            format!("enum E : int {{\n{values} V7}}"),
            Error("a.fbs:100002:2: the name `V7` is taken, expected a new one (first declared at a.fbs:9:1)"),
        )
        .case("a type that must contain itself", "table T {\n  t: T (required);\n}", Error("a.fbs:2:3: "))
        .case("a type that may contain itself", "table T { t: T; u: [T]; }", Read)
        .case(
            "two types with one name",
            "table T {}\ntable T {}",
            Error("a.fbs:2:7: the name `T` is taken, expected a new one (first declared at a.fbs:1:7)"),
        )
        .case("10,000 levels", nested("table T { t: ", "[", "]", ";}"), Error("a.fbs:1:15: "))
        .case("an empty file", "", Error("a.fbs:1:1: "))
        .case("invalid UTF-8", b"table T {\n \xff}", Error("a.fbs:2:2: the file is not valid UTF-8"))
        .case("a NUL", "table T\0 {}", Error("a.fbs:1:8: "))
        .case("a byte order mark", format!("\u{feff}{table}"), Read)
        .case("lines that end in CRLF", table.replace('\n', "\r\n"), Read)
}

pub(super) fn capnp() -> Table {
    let values = many(60_000, |i| format!("v{i} @{i};\n"));
    let large = many(100_000, |i| format!("v{i} @{i};\n"));
    let file = "@0xdbb9ad1f14bf0b36;\nstruct S {\n  s @0 :Text;\n  # Doc.\n}\n";
    Table::new("capnp", "a.capnp")
        .with(
            "files that import each other",
            "struct A { b @0 :import \"b.capnp\".B; }",
            &[("b.capnp", "using A = import \"a.capnp\"; struct B { a @0 :A.A; }")],
            Read,
        )
        .case("a file that imports itself", "using A = import \"a.capnp\"; struct S { a @0 :A.S; }", Read)
        .case(
            "a missing import",
            "\nusing B = import \"b.capnp\";",
            Error("a.capnp:2:11: there is no file \"b.capnp\" to import; "),
        )
        .case(
            "a line of 10 MB",
            format!("struct S {{ {} }} x", many(500_000, |i| format!("f{i} @{i} :Data; "))),
            Error("a.capnp:1:"),
        )
        .case(
            "50,000 types on one line",
            many(50_000, |i| format!("struct T{i} {{ t @0 :T{}; }} ", i * 7 % 50_000)),
            Read,
        )
        // Ordinals have 16 bits.
        .case("100,000 values", format!("enum E {{\n{values}}}"), Read)
        .case("100,000 values", format!("enum E {{\n{large}}}"), Error("a.capnp:65537:8: "))
        .case(
            "100,000 values, two with one name",
            format!("enum E {{\n{values} v7 @60000;\n}}"),
            Error("a.capnp:60002:2: \"v7\" is declared twice in this scope (first declared at a.capnp:9:1)"),
        )
        // All fields are optional.
        .case("a type that must contain itself", "struct S { s @0 :S; }", Read)
        .case("a type that may contain itself", "struct S { s @0 :S; t @1 :List(S); }", Read)
        .case(
            "two types with one name",
            "struct S {}\nstruct S {}",
            Error("a.capnp:2:8: \"S\" is declared twice in this scope (first declared at a.capnp:1:8)"),
        )
        .case("10,000 levels", nested("", "struct S {\n", "}", ""), Error("a.capnp:"))
        .case("10,000 levels", nested("struct S { a @0 :", "List(", ")", ";}"), Error("a.capnp:1:"))
        .case("an empty file", "", Error("a.capnp:1:1: the file declares no type"))
        .case("invalid UTF-8", b"struct S {\n \xff}", Error("a.capnp:2:2: the file is not valid UTF-8"))
        .case("a NUL", "struct S\0 {}", Error("a.capnp:1:9: "))
        .case("a byte order mark", format!("\u{feff}{file}"), Read)
        .case("lines that end in CRLF", file.replace('\n', "\r\n"), Read)
}

pub(super) fn thrift() -> Table {
    let values = many(100_000, |i| format!("V{i},\n"));
    let file = "namespace py a\n/** Doc. */\nstruct S {\n  1: optional string s\n}\n";
    Table::new("thrift", "a.thrift")
        .with(
            "files that import each other",
            "include \"b.thrift\"\nstruct A { 1: optional b.B b }",
            &[("b.thrift", "\ninclude \"a.thrift\"\nstruct B {}")],
            Error("b.thrift:2:9: "),
        )
        .case("a file that imports itself", "include \"a.thrift\"\nstruct A {}", Error("a.thrift:1:9: "))
        .case("a missing import", "\ninclude \"b.thrift\"", Error("a.thrift:2:9: there is no file "))
        .case(
            "a line of 10 MB",
            format!("struct S {{ {} }} x", many(400_000, |i| format!("{}: string f{i}; ", i % 30_000 + 1))),
            Error("a.thrift:1:"),
        )
        .case(
            "50,000 types on one line",
            many(50_000, |i| format!("struct T{i} {{ 1: optional T{} t }} ", i * 7 % 50_000)),
            Read,
        )
        .case("100,000 values", format!("enum E {{\n{values}}}"), Read)
        .case("100,000 values, two with one name", format!("enum E {{\n{values} V7}}"), Error("a.thrift:100002:2: "))
        .case("a type that must contain itself", "struct S {\n  1: required S s\n}", Error("a.thrift:2:"))
        .case("a type that may contain itself", "struct S { 1: optional S s, 2: list<S> t }", Read)
        .case("two types with one name", "struct S {}\nstruct S {}", Error("a.thrift:2:8: "))
        .case("10,000 levels", nested("struct S { 1: ", "list<", ">", " s }"), Error("a.thrift:1:"))
        .case("an empty file", "", Error("a.thrift:1:1: "))
        .case("invalid UTF-8", b"struct S {\n \xff}", Error("a.thrift:2:2: the file is not valid UTF-8"))
        .case("a NUL", "struct S\0 {}", Error("a.thrift:1:9: "))
        .case("a byte order mark", format!("\u{feff}{file}"), Read)
        .case("lines that end in CRLF", file.replace('\n', "\r\n"), Read)
}
