//! What is wrong is said with its place, and what was expected.

use wirewise_idl::{MemoryFiles, Source};

use super::proto;

fn error(text: &str) -> String {
    error_with(text, &MemoryFiles::none())
}

fn error_with(text: &str, files: &MemoryFiles) -> String {
    match proto().read(&Source::new("a.proto", text), files) {
        Ok(_) => panic!("this is valid:\n{text}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn syntax_errors_say_what_was_expected() {
    let cases = [
        (
            "syntax = \"proto4\";",
            "a.proto:1:10: the syntax \"proto4\" is not known; known are syntax \"proto2\" and \"proto3\", and edition \"2023\"",
        ),
        (
            "edition = \"2024\";",
            "a.proto:1:11: the edition \"2024\" is not known; known are syntax \"proto2\" and \"proto3\", and edition \"2023\"",
        ),
        ("message M {}\nsyntax = \"proto3\";", "a.proto:2:1: syntax must be the first statement of the file"),
        (
            "mesage M {}",
            "a.proto:1:1: found \"mesage\", expected import, package, option, message, enum, extend or service",
        ),
        ("message {}", "a.proto:1:9: found \"{\", expected the name of a message"),
        ("message M {\n  optional int32 a 1;\n}", "a.proto:2:20: found 1, expected \"=\""),
        ("message M {\n  optional int32 a = x;\n}", "a.proto:2:22: found \"x\", expected the number of the field"),
        (
            "message M {\n  int32 a = 1;\n}",
            "a.proto:2:3: the field \"a\" has no label; in proto2, fields are optional, required or repeated",
        ),
        ("message M {", "a.proto:1:12: found the end of the file, expected a field, another declaration, or \"}\""),
        ("message M { /* ", "a.proto:1:13: the comment has no end, expected \"*/\""),
        ("option a = \"x", "a.proto:1:12: the string has no end, expected '\"' on the same line"),
        ("option a = \"\\q\";", "a.proto:1:13: the escape is not valid; write a backslash as \\\\"),
        ("option a = 08;", "a.proto:1:12: \"08\" is not a number"),
        ("message ä {}", "a.proto:1:9: the character 'ä' has no meaning here"),
        ("enum E { A = 0 }", "a.proto:1:16: found \"}\", expected \";\""),
        ("package a;\npackage b;", "a.proto:2:1: a second package statement: a file has one package"),
    ];
    for (text, message) in cases {
        assert_eq!(error(text), message, "{text}");
    }
}

#[test]
fn rules_of_the_language_are_checked() {
    let proto2 = |body: &str| error(&format!("syntax = \"proto2\"; {body}"));
    let proto3 = |body: &str| error(&format!("syntax = \"proto3\"; {body}"));
    let edition = |body: &str| error(&format!("edition = \"2023\"; {body}"));
    let start = |text: String| text.trim_start_matches("a.proto:1:").to_owned();
    for (found, expected) in [
        (proto3("message M { required int32 a = 1; }"), "32: there are no required fields in proto3"),
        (proto3("message M { optional group G = 1 {} }"), "32: there are no groups in proto3"),
        (proto3("message M { int32 a = 1 [default = 5]; }"), "55: there are no defaults in proto3"),
        (proto3("message M { extensions 4; }"), "43: there are no extension ranges in proto3"),
        (proto3("enum E { A = 1; }"), "33: the first value of the open enum \"E\" has number 1, expected 0"),
        (
            proto3("message M { int32 foo_bar = 1; int32 fooBar = 2; }"),
            "57: the field \"fooBar\" has the JSON name \"fooBar\", which is taken (first used at a.proto:1:38); choose another one with the option json_name",
        ),
        (proto3("message M { int32 a = 0; }"), "42: the number 0 is out of range: fields have 1 to 536870911"),
        (
            proto3("message M { int32 a = 536870912; }"),
            "42: the number 536870912 is out of range: fields have 1 to 536870911",
        ),
        (
            proto3("message M { int32 a = 19500; }"),
            "42: 19500 is one of the numbers 19000 to 19999, which Protobuf itself uses",
        ),
        (
            proto3("message M { int32 a = 1; string b = 1; }"),
            "56: the number 1 is taken by the field \"a\" (first used at a.proto:1:42)",
        ),
        (
            proto3("message M { int32 a = 1; string a = 2; }"),
            "52: \"a\" is declared twice in M (first declared at a.proto:1:38)",
        ),
        (proto3("message M {} enum M { A = 0; }"), "38: \"M\" is declared twice (first declared at a.proto:1:28)"),
        (
            proto3("enum A { X = 0; } enum B { X = 0; }"),
            "47: \"X\" is declared twice (first declared at a.proto:1:29); the values of an enum have the scope of the enum itself, as in C++",
        ),
        (
            proto3("message M { reserved 5 to 7; int32 a = 6; }"),
            "59: the number 6 is reserved (the range at a.proto:1:41)",
        ),
        (
            proto3("message M { reserved \"a\"; int32 a = 6; }"),
            "52: the name \"a\" is reserved (reserved at a.proto:1:41)",
        ),
        (
            proto3("message M { reserved 5 to 7, 7; }"),
            "49: the reserved range 7 to 7 overlaps another one (the other one at a.proto:1:41)",
        ),
        (proto3("message M { reserved 7 to 5; }"), "41: the reserved range 7 to 5 ends before it begins"),
        (proto3("message M { Missing a = 1; }"), "32: there is no type \"Missing\""),
        (proto3("message M { integer a = 1; }"), "32: there is no type \"integer\"; did you mean int32?"),
        (proto3("message M { oneof o {} }"), "38: oneof \"o\" has no fields"),
        (
            proto3("message M { oneof o { repeated int32 a = 1; } }"),
            "42: found \"repeated\": fields of a oneof have no label, and are not repeated",
        ),
        (
            proto3("message M { oneof o { map<int32, int32> a = 1; } }"),
            "42: a map can be neither in a oneof nor an extension",
        ),
        (
            proto3("message M { map<float, int32> a = 1; }"),
            "36: \"float\" cannot be the key of a map; keys are integers, bool or string",
        ),
        (proto3("message M { map<int32, map<int32, int32>> a = 1; }"), "43: the value of a map cannot be a map"),
        (proto3("message M { repeated map<int32, int32> a = 1; }"), "32: a map has no label"),
        (
            proto3("message M { map<int32, int32> a = 1; message AEntry {} }"),
            "50: the map \"a\" needs the name \"AEntry\" for its entries (also declared at a.proto:1:65)",
        ),
        (
            proto3("enum E { A = 0; B = 0; }"),
            "40: the number 0 is taken by \"A\" (first used at a.proto:1:33); option allow_alias = true lets several names have one number",
        ),
        (proto3("enum E { option allow_alias = true; A = 0; }"), "25: the enum \"E\" allows aliases and has none"),
        (proto3("enum E { A = 0; B = 2147483648; }"), "40: the number 2147483648 does not fit 32 bits"),
        (proto3("enum E { }"), "25: the enum \"E\" has no values"),
        (
            proto3("message M { string a = 1 [packed = true]; }"),
            "55: only repeated numbers, booleans and enums can be packed",
        ),
        (proto3("message M { string a = 1 [depracated = true]; }"), "46: there is no option \"depracated\" for fields"),
        (proto3("message M { string a = 1 [deprecated = 1]; }"), "59: found 1, expected true or false"),
        (proto3("option (mine) = 1;"), "27: there is no custom option \"mine\""),
        (proto3("option features.enum_type = CLOSED;"), "27: there are no features in proto3; use an edition"),
        (proto3("message M {} message N { M.Inner a = 1; }"), "45: there is no type \"M.Inner\""),
        (
            proto2(
                "message M { optional int32 a = 1; optional int32 b = 2 [json_name = \"a\"]; optional int32 c = 3 [json_name = \"a\"]; }",
            ),
            "109: the field \"c\" has the JSON name \"a\", which is taken (first used at a.proto:1:69); choose another one with the option json_name",
        ),
        (
            proto2("message M { optional int32 a = 1 [default = 3000000000]; }"),
            "64: found the default 3000000000, expected a int32",
        ),
        (
            proto2("message M { optional E e = 1 [default = C]; } enum E { A = 1; }"),
            "60: found the default C, expected a value of E",
        ),
        (proto2("message M { repeated int32 a = 1 [default = 3]; }"), "64: a list has no default"),
        (
            proto2("message M { extensions 4 to 9; optional int32 a = 5; }"),
            "70: the number 5 is in an extension range (the range at a.proto:1:43)",
        ),
        (
            proto2("message M { extensions 4 to 9; } extend M { optional int32 a = 10; }"),
            "83: M has no extension range with the number 10 (the message at a.proto:1:28)",
        ),
        (
            proto2("message M { extensions 4 to 9; } extend M { optional int32 a = 4; optional int32 b = 4; }"),
            "105: the number 4 is taken by the extension a (first used at a.proto:1:83)",
        ),
        (
            proto2("message M { extensions 4 to 9; reserved 9; }"),
            "60: the reserved range overlaps an extension range (the extension range at a.proto:1:43)",
        ),
        (
            proto2("message M { extensions 4; } extend M { required int32 a = 4; }"),
            "59: an extension cannot be required",
        ),
        (
            edition("message M { optional int32 a = 1; }"),
            "31: there is no label \"optional\" in editions; leave it out, or use the option features.field_presence = EXPLICIT",
        ),
        (
            edition("message M { int32 a = 1 [features.field_presence = MAYBE]; }"),
            "70: the feature field_presence has no value \"MAYBE\", expected EXPLICIT or IMPLICIT or LEGACY_REQUIRED",
        ),
        (
            edition(
                "message M { E e = 1 [features.field_presence = IMPLICIT]; } enum E { option features.enum_type = CLOSED; A = 0; }",
            ),
            "31: E is a closed enum, which a field without presence cannot have",
        ),
        (
            edition("message M { reserved \"a\"; }"),
            "40: found a string, expected a name without quotes: editions have reserved names without them",
        ),
        (
            edition("message M { repeated int32 a = 1 [packed = true]; }"),
            "62: there is no option packed in editions; use features.repeated_field_encoding",
        ),
    ] {
        assert_eq!(start(found), expected);
    }
}

#[test]
fn imports_are_checked() {
    let mut files = MemoryFiles::none();
    files.add("b.proto", "syntax = \"proto2\"; import \"c.proto\"; message B { required C c = 1; }");
    files.add("c.proto", "syntax = \"proto2\"; enum E { A = 0; } message C {}");
    files.add("d.proto", "import \"a.proto\";");
    files.add("e.proto", "import \"f.proto\";\nimport \"b.proto\"; message E { what }");
    files.add("f.proto", "import public \"c.proto\";");
    files.add("a.proto", "import \"d.proto\";");
    let error = |text: &str| error_with(text, &files);
    assert_eq!(
        error("import \"x/missing.proto\";"),
        "a.proto:1:8: there is no file \"x/missing.proto\"; looked among the given files; -I adds a folder"
    );
    assert_eq!(error("import \"d.proto\";"), "d.proto:1:8: the files import each other: a.proto, d.proto, a.proto");
    assert_eq!(error("import \"c.proto\";\nimport \"c.proto\";"), "a.proto:2:8: \"c.proto\" is imported twice");
    assert_eq!(error("import \"e.proto\";"), "e.proto:2:36: found \"}\", expected the name of a field");
    assert_eq!(
        error("import \"b.proto\";\nmessage M { optional C c = 1; }"),
        "a.proto:2:22: there is no type \"C\"; it is declared in \"c.proto\", which this file does not import"
    );
    assert_eq!(
        error("syntax = \"proto3\"; import \"c.proto\"; message M { E e = 1; }"),
        "a.proto:1:50: E is a proto2 enum, which proto3 cannot use"
    );
    assert_eq!(
        error(
            "package p.q;\nimport \"f.proto\"; message C {} message p { message q {} optional .C c = 1; optional p.q.C d = 2; }"
        ),
        "a.proto:2:85: there is no type \"p.q.C\"; a nearer \"p\" hides it: write .p.q.C"
    );
    let valid = "import \"f.proto\"; message M { optional C c = 1; }";
    assert!(proto().read(&Source::new("x.proto", valid), &files).is_ok());
}

#[test]
fn a_message_that_must_contain_itself_is_of_no_use_and_no_error() {
    for (text, place) in [
        ("message M { required M m = 1; }", "a.proto:1:43: the label of m"),
        (
            "message A { required B b = 1; optional A c = 2; } message B { required A a = 1; required C c = 2; } message C {}",
            "a.proto:1:43: the label of b",
        ),
    ] {
        let module = proto()
            .read(&Source::new("a.proto", format!("syntax = \"proto2\"; {text}")), &MemoryFiles::none())
            .unwrap();
        assert_eq!(module.notices[0], format!("{place} is passed over: no message could end"));
        let again = proto().write(&module).unwrap();
        let again = proto().read(&Source::new("b.proto", again.bytes), &MemoryFiles::none()).unwrap();
        assert_eq!((again.schema, again.notices), (module.schema, Vec::new()));
    }
}

/// Whatever a file is, it takes no longer than reading it does.
///
/// That it ends is enough, and no time is asserted: comparing all pairs of what is so many here would take from many
/// minutes to hours, and exponential work would have no end.
#[test]
fn hostile_files_are_refused() {
    let nested = |open: &str, close: &str| open.repeat(1_000_000) + &close.repeat(1_000_000);
    let fields: String = (0..1_000_000).map(|i| format!("optional int32 f{i}={};", i % 18000 + 1)).collect();
    let values: String = (0..1_000_000).map(|i| format!("V{i}={i};")).collect();
    let mut chain = MemoryFiles::none();
    for i in 0..100_000 {
        chain.add(&format!("{i}.proto"), format!("import public \"{}.proto\";", i + 1));
    }
    let required: String = (0..300_000).map(|i| format!("message M{i}{{required M{} m=1;}}", i + 1)).collect();
    let cases = [
        ("nested groups", format!("message M{{{}", nested("optional group G=1{", "}"))),
        ("nested values", format!("option a = {}", nested("{a:", "}"))),
        ("nested lists", format!("option a = {{a:{}", nested("[", "]"))),
        ("a long line", format!("message M{{{fields}}}")),
        ("a long line in other letters", format!("/*{}*/ message M{{{fields}}}", "ä".repeat(3_000_000))),
        ("a long word", "a".repeat(10_000_000)),
        ("a long string", format!("option a = \"{}", "\\n".repeat(5_000_000))),
        ("a long comment", format!("/*{}", "*".repeat(10_000_000))),
        ("many comments", "/**/\n\n".repeat(1_000_000) + "x"),
        ("many lines", "//\n".repeat(3_000_000) + "x"),
        ("a long package", format!("package {}a;", "a.".repeat(1_000_000))),
        ("a long type", format!("message M {{ optional {}a b = 1; }}", "a.".repeat(1_000_000))),
        ("an enum", format!("enum E{{{values} X}}")),
        ("many semicolons", ";".repeat(10_000_000) + "x"),
        ("many strings", format!("option a = {};", "\"a\"".repeat(2_000_000))),
        ("many services", format!("service S {{{}", "{".repeat(5_000_000))),
        (
            "many ranges",
            format!(
                "message M {{ reserved {}1; }}",
                (0..1_000_000).map(|i| format!("{},", 2 * i + 3)).collect::<String>() + "3,"
            ),
        ),
        ("a chain of required messages", format!("{required} message M300000 {{ required M0 m = 1; }} X")),
        ("a chain of files", "import \"0.proto\";".to_owned()),
    ];
    for (what, text) in cases {
        let read = proto().read(&Source::new("a.proto", text), &chain);
        let error = read.map(|_| ()).expect_err(what).to_string();
        assert!(error.len() < 1000, "{what}: {error}");
    }
}
