//! `convert --stdio` as another program sees it.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

use serde_json::{Value as Json, json};
use wirewise_core::text::base64;

struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start(folder: &Path, arguments: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_wirewise"))
            .args(["convert", "--stdio"])
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it runs");
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().expect("piped")));
        Server { child, input, output }
    }

    fn send(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(line).and_then(|()| input.write_all(b"\n")).and_then(|()| input.flush()).expect("it reads");
    }

    /// Every answer comes at once, and is one line.
    fn answer(&mut self) -> Json {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it answers");
        assert!(line.ends_with('\n'), "{line:?}");
        serde_json::from_str(&line).expect("the answer is JSON")
    }

    fn ask(&mut self, request: &Json) -> Json {
        self.send(request.to_string().as_bytes());
        self.answer()
    }

    /// At the end of its input it ends well, and has nothing more to say.
    fn end(mut self) {
        self.input = None;
        let mut rest = String::new();
        assert_eq!((self.output.read_line(&mut rest).expect("it ends"), rest.as_str()), (0, ""));
        assert!(self.child.wait().expect("it ends").success());
    }
}

fn encoded(bytes: &[u8]) -> String {
    let mut out = Vec::new();
    base64::encode(bytes, &mut out);
    String::from_utf8(out).expect("base64 is text")
}

fn out(answer: &Json) -> Vec<u8> {
    let mut bytes = Vec::new();
    assert_eq!(answer["ok"], true, "{answer}");
    assert!(base64::decode(answer["out"].as_str().expect("a string").as_bytes(), &mut bytes), "{answer}");
    bytes
}

fn message(answer: &Json) -> &str {
    assert_eq!((&answer["ok"], answer.get("out")), (&json!(false), None), "{answer}");
    answer["error"]["message"].as_str().expect("an error has a message")
}

fn schema(field: &str) -> String {
    format!(
        r#"{{"wirewise": "schema/1", "root": "M", "types": [
            {{"record": "M", "fields": [{{"number": 1, "name": "id", "type": "uint32"}},
                {{"number": 2, "name": "{field}", "type": "string", "presence": "optional"}}]}},
            {{"record": "N", "fields": [{{"number": 1, "name": "x", "type": {{"nullable": "int32"}}, "presence": "optional"}}]}}]}}"#
    )
}

#[test]
fn thousands_of_requests_and_bad_ones_between_them() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("m.schema.json"), schema("name")).expect("it is written");
    let mut server = Server::start(folder.path(), &[]);
    for i in 0..3000u32 {
        let text = format!(r#"{{"id":{i},"name":"n{i}"}}"#);
        let request = json!({
            "id": i, "from": "json", "to": "protobuf", "schema": "m.schema.json", "type": "M",
            "in": encoded(text.as_bytes()),
        });
        let there = server.ask(&request);
        assert_eq!(there["id"], i);
        let back = server.ask(&json!({
            "id": format!("back {i}"), "from": "protobuf", "to": "json", "schema": "m.schema.json", "type": null,
            "include": [], "in": there["out"],
        }));
        assert_eq!((back["id"].as_str(), out(&back)), (Some(format!("back {i}").as_str()), text.into_bytes()));
        if i % 100 == 0 {
            let cut = encoded(&[0x12, 0x7F, b'x']);
            let wrong = server.ask(&json!({
                "id": {"any": "JSON"}, "from": "protobuf", "to": "json", "schema": "m.schema.json", "in": cut,
            }));
            assert_eq!((&wrong["id"]["any"], &wrong["refused"]), (&json!("JSON"), &json!(false)));
            assert!(wrong["error"]["offset"].is_u64() && !message(&wrong).is_empty(), "{wrong}");
        }
    }
    server.end();
}

#[test]
fn requests_can_be_sent_ahead() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::start(folder.path(), &[]);
    let mut input = server.input.take().expect("it is open");
    let writer = thread::spawn(move || {
        for i in 0..20_000 {
            writeln!(input, r#"{{"id":{i},"from":"json","to":"msgpack","in":"WzEsMl0="}}"#).expect("it reads");
        }
    });
    for i in 0..20_000 {
        let answer = server.answer();
        assert_eq!((&answer["id"], out(&answer)), (&json!(i), vec![0x92, 1, 2]));
    }
    writer.join().expect("no panic");
    server.end();
}

#[test]
fn bad_lines_are_answered_and_forgotten() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("m.schema.json"), schema("name")).expect("it is written");
    fs::write(folder.path().join("broken.schema.json"), "{\n  \"wirewise\": 5").expect("it is written");
    let mut server = Server::start(folder.path(), &["--max-message", "1"]);
    let good = json!({"id": 0, "from": "json", "to": "json", "in": "MQ=="});
    let with = |changes: Json| {
        let mut request = good.clone();
        for (name, value) in changes.as_object().expect("changes") {
            request[name] = value.clone();
        }
        request.to_string().into_bytes()
    };
    let long = vec![b'x'; 3 << 20];
    let nested = [vec![b'['; 1 << 19], vec![b']'; 1 << 19]].concat();
    for (line, part) in [
        (b"".to_vec(), ""),
        (b"  \r".to_vec(), ""),
        (b"x".to_vec(), "the line is no request: expected value"),
        (b"\xff\xfe".to_vec(), "the line is no request"),
        (b"[]".to_vec(), "the line is no request"),
        (b"{}".to_vec(), "missing field `from`"),
        (b"{\"id\": 1".to_vec(), "the line is no request: EOF"),
        (nested, "the line is no request: recursion limit"),
        (long, "the line is longer than"),
        (with(json!({"more": 1})), "unknown field `more`"),
        (with(json!({"from": 5})), "invalid type: integer"),
        (with(json!({"from": "nothing"})), "there is no format \"nothing\""),
        (with(json!({"to": "avro"})), "avro needs a schema"),
        (with(json!({"from": "thrift-binary"})), "thrift-binary needs a schema"),
        (with(json!({"from": "avro-container"})), "this is no Avro object container"),
        (with(json!({"in": "MQ"})), "is not standard base64"),
        (with(json!({"in": "e30gMQ=="})), "1 bytes follow the end of the message"),
        (with(json!({"in": "eA=="})), "expected a value, found 'x'"),
        (with(json!({"lossy": "everything"})), "there is no kind of loss"),
        (with(json!({"include": [1]})), "expected a string or an array of strings"),
        (with(json!({"schema": "-"})), "the schema must be a file"),
        (with(json!({"schema": "none.schema.json"})), "cannot open"),
        (with(json!({"schema": "broken.schema.json"})), "not valid JSON"),
        (with(json!({"schema": "m.schema.json", "type": "Z"})), "no type \"Z\""),
        (with(json!({"schema": "m.schema.json", "in": "eyJ6IjoxfQ=="})), "the schema has no such field: \"z\""),
    ] {
        server.send(&line);
        if !part.is_empty() {
            let answer = server.answer();
            assert!(message(&answer).contains(part), "{answer}");
        }
        assert_eq!(out(&server.ask(&good)), b"1");
    }
    let broken = server.ask(&json!({"from": "json", "to": "json", "in": "MQ==", "schema": "broken.schema.json"}));
    assert_eq!((&broken["error"]["file"], &broken["error"]["line"]), (&json!("broken.schema.json"), &json!(2)));
    server.end();
}

#[test]
fn what_is_dropped_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("m.schema.json"), schema("name")).expect("it is written");
    let mut server = Server::start(folder.path(), &[]);
    let mut request = json!({
        "from": "json", "to": "protobuf", "schema": "m.schema.json", "type": "N", "in": encoded(br#"{"x":null,"y":1}"#),
        "ignore_unknown": true,
    });
    let refused = server.ask(&request);
    assert_eq!((&refused["refused"], &refused["id"]), (&json!(true), &Json::Null), "{refused}");
    assert!(message(&refused).contains("null cannot be told from an absent field"), "{refused}");
    assert_eq!(refused["error"]["path"], "$.x");

    request["lossy"] = json!(["null-as-absent"]);
    let answer = server.ask(&request);
    assert_eq!(out(&answer), b"");
    assert_eq!(
        answer["lost"],
        json!([{"kind": "null-as-absent", "place": "N.x", "count": 1}, {"kind": "unknown-field", "place": "N.y", "count": 1}])
    );
    server.end();
}

#[test]
fn schemas_are_read_again_when_they_change() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.schema.json");
    let mut server = Server::start(folder.path(), &[]);
    let ask = |server: &mut Server, to: &str| {
        server
            .ask(&json!({"from": "protobuf", "to": to, "schema": "m.schema.json", "in": encoded(b"\x08\x01\x12\x01a")}))
    };
    assert!(message(&ask(&mut server, "json")).contains("cannot open"));
    for name in ["one", "two", "six", "longer"] {
        fs::write(&path, schema(name)).expect("it is written");
        for _ in 0..3 {
            let text = format!(r#"{{"id":1,"{name}":"a"}}"#);
            assert_eq!(String::from_utf8(out(&ask(&mut server, "json"))), Ok(text));
        }
        assert_eq!(out(&ask(&mut server, "msgpack-positional")), [0x92, 1, 0xA1, b'a']);
    }
    fs::remove_file(&path).expect("it is there");
    assert!(message(&ask(&mut server, "json")).contains("cannot open"));
    server.end();
}

#[test]
fn imported_files_are_watched_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("it is written");
    let kind = |symbol: &str| format!("@0xbf5147cbbecf40c3;\nenum Kind {{ {symbol} @0; }}\n");
    write("main.capnp", "@0xbf5147cbbecf40c1;\nstruct S { kind @0 :import \"/kind.capnp\".Kind; }\n");
    fs::create_dir(folder.path().join("root")).expect("a folder");
    let mut server = Server::start(folder.path(), &[]);
    let mut ask = |symbol: &str| {
        let text = format!(r#"{{"kind":"{symbol}"}}"#);
        server.ask(&json!({
            "from": "json", "to": "cbor-positional", "schema": "main.capnp", "include": "root", "in": encoded(text.as_bytes()),
        }))
    };
    assert!(message(&ask("old")).contains("no file \"/kind.capnp\""));
    write("kind.capnp", &kind("old"));
    assert_eq!(out(&ask("old")), [0x81, 0]);
    write("kind.capnp", &kind("new"));
    assert_eq!(out(&ask("new")), [0x81, 0]);
    // Now there is one where it is looked for first.
    write("root/kind.capnp", &kind("first"));
    assert_eq!(out(&ask("first")), [0x81, 0]);
    assert!(message(&ask("new")).contains("new"));
    server.end();
}

#[test]
fn a_container_brings_its_schema() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("m.schema.json"), schema("name")).expect("it is written");
    let mut server = Server::start(folder.path(), &[]);
    let text = br#"{"id":7,"name":"x"}"#;
    let there = server.ask(&json!({
        "from": "json", "to": "avro-container-zstandard", "schema": "m.schema.json", "in": encoded(text),
    }));
    let back = server.ask(&json!({"from": "avro-container", "to": "json", "in": there["out"]}));
    assert_eq!(out(&back), text);
    server.end();
}
