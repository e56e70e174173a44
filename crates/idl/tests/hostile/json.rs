//! Languages that are JSON.

use super::{Error, Read, Table, many, nested};

pub(super) fn schema_file() -> Table {
    let file = |types: &str| format!("{{\"wirewise\": \"schema/1\", \"root\": \"T\", \"types\": [\n{types}]}}");
    let symbols = many(100_000, |i| format!("{{\"number\": {i}, \"name\": \"V{i}\"}},\n"));
    let symbols = |last: &str| file(&format!("{{\"enum\": \"T\", \"symbols\": [\n{symbols}{last}]}}"));
    let record = |fields: &str| file(&format!("{{\"record\": \"T\", \"fields\": [\n{fields}]}}"));
    let fields = many(200_000, |i| format!("{{\"number\": {}, \"name\": \"f{i}\", \"type\": \"string\"}}, ", i + 1));
    let valid = record(r#"{"number": 1, "name": "t", "type": "string"}"#);
    let field = |ty: &str, presence: &str| {
        record(&format!(r#"{{"number": 1, "name": "t", "type": {ty}, "presence": "{presence}"}}"#))
    };
    const NO_IMPORTS: &str = "a schema file imports none";
    Table::new("wirewise", "a.wirewise.json")
        .absent("files that import each other", NO_IMPORTS)
        .absent("a file that imports itself", NO_IMPORTS)
        .absent("a missing import", NO_IMPORTS)
        .case("a line of 10 MB", record(&format!("{fields}{{}}")), Error("a.wirewise.json:3:"))
        .case(
            "50,000 types on one line",
            file(
                &(many(50_000, |i| format!(r#"{{"record": "T{i}", "fields": []}}, "#))
                    + r#"{"record": "T", "fields": []}"#),
            ),
            Read,
        )
        .case("100,000 values", symbols(r#"{"number": 100000, "name": "Z"}"#), Read)
        .case(
            "100,000 values, two with one name",
            symbols(r#"{"number": 100000, "name": "V7"}"#),
            Error("a.wirewise.json:100003:1: enum T has two symbols \"V7\""),
        )
        .case("a type that must contain itself", field("\"T\"", "required"), Error("a.wirewise.json:"))
        .case("a type that may contain itself", field("\"T\"", "optional"), Read)
        .case(
            "two types with one name",
            file("{\"record\": \"T\", \"fields\": []},\n{\"record\": \"T\", \"fields\": []}"),
            Error("a.wirewise.json:3:12: two types are called \"T\""),
        )
        .case("10,000 levels", field(&nested("", "{\"list\": ", "}", ""), "required"), Error("a.wirewise.json:3:"))
        .case("an empty file", "", Error("a.wirewise.json:1:1: "))
        .case("invalid UTF-8", b"{\n \xff}", Error("a.wirewise.json:2:2: the file is not valid UTF-8"))
        .case("a NUL", "{\"\0\": 1}", Error("a.wirewise.json:1:3: "))
        .case("a byte order mark", format!("\u{feff}{valid}"), Read)
        .case("lines that end in CRLF", valid.replace('\n', "\r\n"), Read)
}

pub(super) fn avsc() -> Table {
    let symbols = many(100_000, |i| format!("\"V{i}\",\n"));
    let symbols = |last: &str| format!("{{\"type\": \"enum\", \"name\": \"E\", \"symbols\": [\n{symbols}{last}]}}");
    let record = |ty: &str| {
        format!("{{\"type\": \"record\", \"name\": \"R\", \"fields\": [\n{{\"name\": \"r\", \"type\": {ty}}}]}}")
    };
    let fields = many(250_000, |i| format!("{{\"name\": \"f{i}\", \"type\": \"string\"}}, "));
    let valid = record("\"string\"");
    const NO_IMPORTS: &str = "an Avro schema imports none";
    Table::new("avsc", "a.avsc")
        .absent("files that import each other", NO_IMPORTS)
        .absent("a file that imports itself", NO_IMPORTS)
        .absent("a missing import", NO_IMPORTS)
        .case(
            "a line of 10 MB",
            format!("{{\"type\": \"record\", \"name\": \"R\", \"fields\": [{fields} {{}}]}}"),
            Error("a.avsc:1:"),
        )
        .case(
            "50,000 types on one line",
            format!(
                "[{} \"null\"]",
                many(50_000, |i| format!(r#"{{"type": "record", "name": "T{i}", "fields": []}}, "#))
            ),
            Read,
        )
        .case("100,000 values", symbols("\"Z\""), Read)
        .case("100,000 values, two with one name", symbols("\"V7\""), Error("a.avsc:100002:1: "))
        .case("a type that must contain itself", record("\"R\""), Error("a.avsc:"))
        .case("a type that may contain itself", record("[\"null\", \"R\"]"), Read)
        .case(
            "two types with one name",
            record("{\"type\": \"record\", \"name\": \"R\", \"fields\": []}"),
            Error("a.avsc:2:"),
        )
        .case("10,000 levels", nested("", "{\"type\": \"array\", \"items\": ", "}", ""), Error("a.avsc:1:"))
        .case("an empty file", "", Error("a.avsc:1:1: "))
        .case("invalid UTF-8", b"{\n \xff}", Error("a.avsc:2:2: the file is not valid UTF-8"))
        .case("a NUL", "{\"\0\": 1}", Error("a.avsc:1:3: "))
        .case("a byte order mark", format!("\u{feff}{valid}"), Read)
        .case("lines that end in CRLF", valid.replace('\n', "\r\n"), Read)
}

pub(super) fn json_schema() -> Table {
    let symbols = many(100_000, |i| format!("\"V{i}\",\n"));
    let symbols = |last: &str| format!("{{\"title\": \"E\", \"enum\": [\n{symbols}{last}]}}");
    let fields = many(250_000, |i| format!("\"f{i}\": {{\"type\": \"string\"}}, "));
    let valid = "{\n\"properties\": {\"a\": {\"type\": \"string\"}}\n}";
    Table::new("json-schema", "a.json")
        // References may go anywhere, as long as each leads to something.
        .with(
            "files that import each other",
            r#"{"properties": {"b": {"$ref": "b.json"}}}"#,
            &[("b.json", r#"{"properties": {"a": {"$ref": "a.json"}}}"#)],
            Read,
        )
        .with(
            "files that import each other",
            "{\n\"$ref\": \"b.json\"}",
            &[("b.json", r#"{"$ref": "a.json"}"#)],
            Error("b.json:1:1: this schema refers only to itself"),
        )
        .case("a file that imports itself", r#"{"properties": {"a": {"$ref": "a.json"}}}"#, Read)
        .case(
            "a file that imports itself",
            r##"{"$ref": "#"}"##,
            Error("a.json:1:1: this schema refers only to itself"),
        )
        .case("a missing import", "{\n\"$ref\": \"b.json\"}", Error("a.json:2:9: there is no schema \"b.json\"; "))
        .case("a line of 10 MB", format!("{{\"properties\": {{{fields} \"x\": {{\"type\": 1}}}}}}"), Error("a.json:1:"))
        .case(
            "50,000 types on one line",
            format!(
                "{{\"$defs\": {{{} \"T\": {{}}}}}}",
                many(50_000, |i| {
                    format!(r##""T{i}": {{"properties": {{"t": {{"$ref": "#/$defs/T{}"}}}}}}, "##, i * 7 % 50_000)
                })
            ),
            Read,
        )
        .case("100,000 values", symbols("\"Z\""), Read)
        .case("100,000 values, two with one name", symbols("\"V7\""), Error("a.json:100002:1: "))
        .case(
            "a type that must contain itself",
            "{\"properties\": {\n\"a\": {\"$ref\": \"#\"}}, \"required\": [\"a\"]}",
            Error("a.json:2:"),
        )
        .case("a type that may contain itself", r##"{"properties": {"a": {"$ref": "#"}}}"##, Read)
        // Names of definitions are members, which differ.
        .case(
            "two types with one name",
            "{\"$defs\": {\"A\": {},\n\"A\": {}}}",
            Error("a.json:2:1: the object has two members \"A\" (first at a.json:1:12)"),
        )
        .case("10,000 levels", nested("", "{\"items\": ", "}", ""), Error("a.json:1:"))
        .case("an empty file", "", Error("a.json:1:1: "))
        .case("invalid UTF-8", b"{\n \xff}", Error("a.json:2:2: the file is not valid UTF-8"))
        .case("a NUL", "{\"\0\": 1}", Error("a.json:1:3: "))
        .case("a byte order mark", format!("\u{feff}{valid}"), Read)
        .case("lines that end in CRLF", valid.replace('\n', "\r\n"), Read)
}
