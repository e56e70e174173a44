//! The gateway in front of an API: what passes, what is seen on the way, and what is converted.

mod common;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};

use common::{Running, wait};
use serde_json::json;
use wirewise_core::Schema;

/// The head and the body of a request.
type Asked = (String, Vec<u8>);

/// An API that says what it was asked, and knows people.
struct Api {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
}

const PEOPLE: &str = r#"[{"id":1,"name":"Ada"},{"id":2,"name":"Grace"}]"#;

const LINES: &str = "{\"id\":1,\"name\":\"Ada\"}\n{\"id\":2,\"name\":\"Grace\"}\n";

impl Api {
    fn start() -> Api {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::<Mutex<Vec<Asked>>>::default();
        let heard = asked.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let heard = heard.clone();
                std::thread::spawn(move || {
                    let mut reader = BufReader::new(stream.try_clone().unwrap());
                    let mut stream = stream;
                    loop {
                        let (mut head, mut line) = (String::new(), String::new());
                        while reader.read_line(&mut line).is_ok_and(|len| len > 0) && line != "\r\n" {
                            head += &std::mem::take(&mut line).to_ascii_lowercase();
                        }
                        if head.is_empty() {
                            return;
                        }
                        let len = head.lines().find_map(|line| line.strip_prefix("content-length: "));
                        let mut body = vec![0; len.map_or(0, |len| len.parse().unwrap())];
                        reader.read_exact(&mut body).unwrap();
                        let mut words = head.split(' ').map(str::to_owned);
                        let (method, path) = (words.next().unwrap(), words.next().unwrap());
                        heard.lock().unwrap().push((head, body));
                        let (status, media, body) = match &path[..] {
                            "/api/people" => ("200 OK", "application/json; charset=utf-8", PEOPLE),
                            "/api/people/1" => ("200 OK", "application/json", r#"{"id":1,"name":"Ada"}"#),
                            "/api/people/9" => ("200 OK", "application/json", r#"{"id":"nine"}"#),
                            "/api/people/lines" => ("200 OK", "application/x-ndjson", LINES),
                            "/api/people/8" => ("404 Not Found", "application/json", r#"{"error":"nobody"}"#),
                            _ => ("200 OK", "text/plain", "hello"),
                        };
                        let len = body.len();
                        let body = if method == "head" { "" } else { body };
                        let head = "Set-Cookie: a=1\r\nSet-Cookie: b=2\r\nConnection: X-Hop\r\nX-Hop: 1\r\nETag: \"e\"";
                        let _ = write!(
                            stream,
                            "HTTP/1.1 {status}\r\nContent-Type: {media}\r\nContent-Length: {len}\r\n{head}\r\n\r\n{body}"
                        );
                    }
                });
            }
        });
        Api { address, asked }
    }

    fn last(&self) -> Asked {
        self.asked.lock().unwrap().last().unwrap().clone()
    }
}

fn start(api: &Api, more: &str) -> Running {
    let address = api.address;
    Running::ready(&format!("[proxy]\nurl = \"http://{address}/api\"\nheaders.X-Key = \"k\"\n{more}"))
}

#[test]
fn everything_passes() {
    let api = Api::start();
    let running = start(&api, "");
    let sent = running.send("PUT", "/x/y?z=%20", &[("X-Mine", "1"), ("Connection", "X-Mine")], b"body");
    assert_eq!((sent.status, sent.text()), (200, "hello"));
    assert_eq!(sent.head.matches("set-cookie").count(), 2);
    assert!(sent.header("x-hop").is_none() && sent.header("etag") == Some("\"e\""));
    let (head, body) = api.last();
    assert!(head.starts_with("put /api/x/y?z=%20 http/1.1") && body == b"body", "{head}");
    assert!(
        head.contains("x-key: k") && head.contains("x-forwarded-host: localhost") && !head.contains("x-mine"),
        "{head}"
    );
    // Whatever it is, it is as it was.
    let people = running.get("/people", &[("Accept", "application/protobuf")]);
    assert_eq!((people.text(), people.header("content-type")), (PEOPLE, Some("application/json; charset=utf-8")));
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let running = Running::ready(&format!("[proxy]\nurl = \"http://{gone}\""));
    let failed = running.get("/x", &[]);
    assert_eq!((failed.status, failed.header("content-type")), (502, Some("application/problem+json")));
    assert!(!failed.text().contains(&gone.port().to_string()), "it does not tell where the API is");
}

#[test]
fn traffic_is_looked_at() {
    let api = Api::start();
    let telemetry = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let running = start(&api, &format!("observe = {{ sample = 1.0 }}\n[telemetry]\nlisten = \"{telemetry}\"\n"));
    for _ in 0..3 {
        assert_eq!(running.get("/people", &[]).text(), PEOPLE);
    }
    assert_eq!(running.get("/people/1", &[]).status, 200);
    assert_eq!(running.get("/people/8", &[]).status, 404);
    assert_eq!(running.get("/text", &[]).status, 200);
    let seen = || common::fetch(telemetry, "/observe").json();
    wait("look", || seen()["routes"]["/people"]["sampled"] == 3 && seen()["routes"]["/people/*"]["sampled"] == 1);
    let seen = seen();
    assert_eq!(seen["routes"].as_object().unwrap().len(), 2, "{seen}");
    let people = &seen["routes"]["/people"];
    assert_eq!((&people["responses"], &people["failed"]), (&json!(3), &json!(0)));
    assert_eq!(people["found"]["json"]["identity"]["bytes"], 3 * PEOPLE.len());
    assert!(people["found"]["protobuf"]["identity"]["bytes"].as_u64() < Some(3 * 30), "{people}");
    assert!(people["found"]["msgpack-named"]["gzip"]["bytes"].as_u64().is_some());
}

#[test]
fn messages_are_converted_on_their_way() {
    let api = Api::start();
    let folder = tempfile::tempdir().unwrap();
    let schema = r#"{"wirewise": "schema/1", "root": "Person", "types": [{"record": "Person", "fields": [
        {"number": 1, "name": "id", "type": "int64"}, {"number": 2, "name": "name", "type": "string"}]}]}"#;
    let path = folder.path().join("person.json");
    std::fs::write(&path, schema).unwrap();
    let route = |pattern: &str| format!("[[proxy.transcode]]\npath = {pattern:?}\nschema = {path:?}\n");
    let running = start(&api, &(route("/people") + &route("/people/*") + "[limits]\nbody = \"1KiB\"\n"));
    let schema = Arc::new(Schema::parse(schema).unwrap());
    let convert = |from: &str, to: &str, schema: &Arc<Schema>, bytes: &[u8]| {
        let mut arena = wirewise_core::Arena::new(wirewise_core::Limits::default());
        let mut losses = wirewise_core::Losses::none();
        let codec = wirewise_formats::plan(from, schema).unwrap();
        let document = codec.decode(bytes, &mut arena, &mut losses).unwrap();
        let mut out = Vec::new();
        wirewise_formats::plan(to, schema).unwrap().encode(&document, &mut out, &mut losses).unwrap();
        out
    };
    for (media, variant) in [("application/protobuf", "protobuf"), ("application/cbor", "cbor-named")] {
        let one = running.get("/people/1", &[("Accept", media)]);
        assert_eq!((one.status, one.header("content-type")), (200, Some(media)));
        assert_eq!(convert(variant, "json", &schema, &one.body), br#"{"id":1,"name":"Ada"}"#);
        assert!(one.header("etag").is_none() && one.header("vary") == Some("Accept, Accept-Encoding"));
        let all = running.get("/people", &[("Accept", media)]);
        assert_eq!(convert(variant, "json", &Arc::new(schema.list_of()), &all.body), PEOPLE.as_bytes());
    }
    // Lines of JSON are a list, and a sequence of CBOR values is not what is sent.
    let lines = running.get("/people/lines", &[("Accept", "application/protobuf")]);
    assert_eq!(convert("protobuf", "json", &Arc::new(schema.list_of()), &lines.body), PEOPLE.as_bytes());
    assert_eq!(running.get("/people/lines", &[]).text(), LINES);
    assert_eq!(running.get("/people", &[("Accept", "application/cbor-seq")]).status, 406);
    let next = running.get("/people", &[("Accept", "application/cbor-seq, application/cbor;q=0.5")]);
    assert_eq!((next.status, next.header("content-type")), (200, Some("application/cbor")));
    let head = running.send("HEAD", "/people/1", &[("Accept", "application/protobuf")], b"");
    assert_eq!((head.status, head.header("content-type")), (200, Some("application/protobuf")));
    assert!(head.header("content-length").is_none() && head.header("etag").is_none(), "{}", head.head);
    let tag = ("If-None-Match", "\"e\"");
    assert_eq!(running.get("/people/1", &[("Accept", "application/protobuf"), tag]).status, 200);
    assert!(!api.last().0.contains("if-none-match"), "the tag is of another representation");
    let plain = running.get("/people/1", &[tag]);
    assert_eq!((plain.text(), plain.header("etag")), (r#"{"id":1,"name":"Ada"}"#, Some("\"e\"")));
    assert!(api.last().0.contains("if-none-match") && plain.header("vary") == Some("Accept"));
    // An answer that is no such message, and one that is no success.
    assert_eq!(running.get("/people/9", &[("Accept", "application/protobuf")]).status, 502);
    let nobody = running.get("/people/8", &[("Accept", "application/protobuf")]);
    assert_eq!((nobody.status, nobody.text()), (404, r#"{"error":"nobody"}"#));
    assert_eq!(running.get("/people", &[("Accept", "text/html")]).status, 406);
    // And the other way.
    let person = convert("json", "protobuf", &schema, br#"{"id":3,"name":"Rear Admiral"}"#);
    let mut packed = Vec::new();
    wirewise_compress::by_name("zstd").unwrap().compress(&person, &mut packed).unwrap();
    let digest = ("Content-Digest", "sha-256=:x:");
    let headers = [("Content-Type", "application/protobuf"), ("Content-Encoding", "zstd"), digest];
    assert_eq!(running.send("POST", "/people", &headers, &packed).status, 200);
    let (head, body) = api.last();
    assert!(head.contains("content-type: application/json"), "{head}");
    assert!(!head.contains("content-encoding") && !head.contains("content-digest"), "{head}");
    assert_eq!(body, br#"{"id":3,"name":"Rear Admiral"}"#);
    let wrong = running.send("POST", "/people", &headers[..1], b"\xff\xff");
    assert_eq!((wrong.status, wrong.header("content-type")), (400, Some("application/problem+json")));
    assert_eq!(wrong.json()["errors"][0]["offset"], 2);
    let misfit =
        running.send("POST", "/people", &[("Content-Type", "application/cbor")], b"\xa2\x62id\x61x\x64name\x60");
    assert_eq!((misfit.status, &misfit.json()["errors"][0]["path"]), (422, &json!("$.id")));
    let long = running.send("POST", "/people", &headers, &[0; 2000]);
    assert_eq!((long.status, long.header("content-type")), (413, Some("application/problem+json")));
    let unknown = running.send("POST", "/people", &[headers[0], ("Content-Encoding", "lzma")], b"x");
    assert_eq!((unknown.status, unknown.header("accept-encoding")), (415, Some("zstd, br, gzip")));
}

#[test]
fn what_is_in_the_right_format_passes_while_it_comes_in() {
    // More than the gateway may hold, and nothing that can be decompressed.
    let half = vec![b'x'; 1 << 20];
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (arrived, has_arrived) = std::sync::mpsc::channel();
    let sent = half.clone();
    let api = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let lines = BufReader::new(stream.try_clone().unwrap()).lines().map(Result::unwrap);
        let head = lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n").to_ascii_lowercase();
        let fields = "Content-Type: application/json; charset=utf-8\r\nContent-Encoding: gzip\r\nETag: \"e\"";
        let len = 2 * sent.len();
        write!(stream, "HTTP/1.1 203 Some\r\n{fields}\r\nContent-Length: {len}\r\n\r\n").unwrap();
        stream.write_all(&sent).unwrap();
        has_arrived.recv_timeout(std::time::Duration::from_secs(20)).expect("the first half arrives before the second");
        stream.write_all(&sent).unwrap();
        head
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("any.json");
    std::fs::write(&path, r#"{"wirewise": "schema/1", "root": "any"}"#).unwrap();
    let running = Running::ready(&format!(
        "limits.decoded = \"1KiB\"\n[proxy]\nurl = \"http://{address}\"\n\
         [[proxy.transcode]]\npath = \"/slow\"\nschema = {path:?}\n"
    ));
    let mut stream = std::net::TcpStream::connect(running.address).unwrap();
    stream.set_read_timeout(Some(std::time::Duration::from_secs(20))).unwrap();
    let asked = "Host: x\r\nAccept: application/json, application/cbor;q=0.5\r\nAccept-Encoding: gzip";
    write!(stream, "GET /slow HTTP/1.1\r\n{asked}\r\n\r\n").unwrap();
    let mut reader = BufReader::new(stream);
    let head = reader.by_ref().lines().map(Result::unwrap).take_while(|line| !line.is_empty()).collect::<Vec<_>>();
    let mut body = vec![0; half.len()];
    reader.read_exact(&mut body).unwrap();
    assert!(body == half);
    arrived.send(()).unwrap();
    reader.read_exact(&mut body).unwrap();
    assert!(body == half);
    assert!(head[0].starts_with("HTTP/1.1 203"), "{head:?}");
    let fields = ["content-type: application/json; charset=utf-8", "content-encoding: gzip", "etag: \"e\""];
    for field in fields.into_iter().chain(["vary: Accept"]) {
        assert!(head.iter().any(|line| line == field), "{field}: {head:?}");
    }
    let asked = api.join().unwrap();
    assert!(asked.contains("accept: application/json\n") && asked.contains("accept-encoding: gzip"), "{asked}");
}
