//! What HTTP says about representations, held against a gateway on a port.

mod common;

use std::sync::Arc;

use base64::Engine as _;
use common::{Response, Running, wait};
use wirewise_compress::Dictionary;
use wirewise_core::{Arena, Limits, Losses, Schema};

struct Places {
    running: Running,
    path: std::path::PathBuf,
    _folder: tempfile::TempDir,
}

/// Some places; `moved` changes one of them.
fn places(moved: u32) -> String {
    let place = |i: u32| {
        let north = f64::from(i * 7 % 900) / 10.0 + if i == moved { 0.05 } else { 0.0 };
        format!(
            r#"{{"id":"{:08x}-25bd-523d-97b4-38ea44c09698","name":"place {i}","north":{north:?}}}"#,
            i.wrapping_mul(2_654_435_761)
        )
    };
    format!("[{}]", (0..2000).map(place).collect::<Vec<_>>().join(","))
}

impl Places {
    fn start(more: &str) -> Places {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("places.json");
        std::fs::write(&path, places(0)).unwrap();
        let config = format!("[resources.places]\nsource.file = {{ path = {path:?} }}\nrefresh = \"50ms\"\n{more}\n");
        Places { running: Running::ready(&config), path, _folder: folder }
    }

    fn get(&self, headers: &[(&str, &str)]) -> Response {
        self.running.get("/places", headers)
    }
}

/// What a body says, as JSON of the base schema.
fn decoded(places: &Places, response: &Response) -> Vec<u8> {
    let mut bytes = Vec::new();
    match response.header("content-encoding") {
        None => bytes.clone_from(&response.body),
        Some(coding) => {
            let compressor = wirewise_compress::by_content_encoding(coding).unwrap();
            compressor.decompress(&response.body, 10 << 20, &mut bytes).unwrap();
        }
    }
    let media = response.header("content-type").unwrap();
    let plain = media.strip_suffix(";shaped=1");
    let variants = wirewise_formats::FORMATS.iter().flat_map(|format| format.info().variants);
    let variant = variants.into_iter().find(|variant| variant.media_type == plain.unwrap_or(media)).unwrap();
    let file = places.running.get("/places/schema", &[]);
    let schema = Arc::new(Schema::parse(file.text()).unwrap());
    let codec = match plain {
        Some(_) => {
            wirewise_shapes::plan(variant.id, &Arc::new(wirewise_shapes::Shaping::noted(&schema).unwrap().unwrap()))
        }
        None => wirewise_formats::plan(variant.id, &schema),
    };
    let codec = codec.unwrap();
    let mut arena = Arena::new(Limits::default());
    let document = codec.decode(&bytes, &mut arena, &mut Losses::none()).unwrap();
    let mut out = Vec::new();
    wirewise_formats::plan("json", &schema).unwrap().encode(&document, &mut out, &mut Losses::none()).unwrap();
    out
}

#[test]
fn every_representation_says_the_same() {
    let places_ = Places::start("");
    let known = places_.get(&[("Accept", "text/html")]);
    assert_eq!(known.status, 406);
    let known = known.json()["available"].as_array().unwrap().clone();
    assert_eq!(known.len(), wirewise_formats::FORMATS.len() + 3);
    for media in known {
        for coding in ["identity", "gzip", "br", "zstd"] {
            let media = media.as_str().unwrap();
            let response = places_.get(&[("Accept", media), ("Accept-Encoding", coding)]);
            assert_eq!(response.status, 200, "{media} {coding}");
            assert_eq!(response.header("content-type"), Some(media));
            assert_eq!(response.header("content-encoding").unwrap_or("identity"), coding);
            assert_eq!(response.header("vary"), Some("Accept, Accept-Encoding, Available-Dictionary"));
            assert!(decoded(&places_, &response) == places(0).as_bytes(), "{media} {coding}");
        }
    }
}

#[test]
fn negotiation_follows_the_client() {
    let places = Places::start("formats = [\"json\", \"msgpack\", \"thrift-binary\"]\nshaped = [\"protobuf\"]\n");
    for (accept, expected) in [
        ("", "application/json"),
        ("*/*", "application/json"),
        ("application/*;q=0.1, application/json;q=0", "application/vnd.msgpack"),
        ("application/x-msgpack, application/json;q=0.9", "application/x-msgpack"),
        ("application/protobuf;shaped=1, */*;q=0.1", "application/protobuf;shaped=1"),
        ("application/protobuf, */*;q=0.1", "application/json"),
        ("application/vnd.apache.thrift.binary", "application/vnd.apache.thrift.binary"),
    ] {
        let response = places.get(&[("Accept", accept)]);
        assert_eq!(response.header("content-type"), Some(expected), "{accept}");
    }
    assert_eq!(places.get(&[("Accept", "application/protobuf")]).status, 406);
    // Smaller ones win among codings that are wanted alike.
    let best = places.get(&[("Accept-Encoding", "gzip, br, zstd")]);
    let least = ["gzip", "br", "zstd"].map(|coding| places.get(&[("Accept-Encoding", coding)]).body.len());
    assert_eq!(Some(&best.body.len()), least.iter().min());
    let refused = places.get(&[("Accept-Encoding", "identity;q=0")]);
    assert_eq!((refused.status, refused.header("content-type")), (406, Some("application/problem+json")));
    assert!(places.get(&[("Accept-Encoding", "deflate")]).header("content-encoding").is_none());
    // Not asked for by people who look at it, unless the configuration says so.
    assert_eq!(places.running.get("/places?format=msgpack", &[]).header("content-type"), Some("application/json"));
}

#[test]
fn conditions_and_parts() {
    let places = Places::start("");
    let whole = places.get(&[]);
    let (etag, modified) = (whole.header("etag").unwrap(), whole.header("last-modified").unwrap());
    assert!(etag.starts_with('"'), "{etag} is strong");
    let gzip = places.get(&[("Accept-Encoding", "gzip")]);
    assert_ne!(gzip.header("etag"), Some(etag));
    for (name, value, expected) in [
        ("If-None-Match", etag, 304),
        ("If-None-Match", &format!("\"x\", W/{etag}"), 304),
        ("If-None-Match", "*", 304),
        ("If-None-Match", gzip.header("etag").unwrap(), 200),
        ("If-Modified-Since", modified, 304),
        ("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT", 200),
        ("If-Modified-Since", "yesterday", 200),
        ("If-Match", "\"x\"", 412),
        ("If-Match", etag, 200),
        ("If-Match", &format!("W/{etag}"), 412),
        ("If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:37 GMT", 412),
    ] {
        let response = places.get(&[(name, value)]);
        assert_eq!(response.status, expected, "{name}: {value}");
        if expected == 304 {
            assert!(response.body.is_empty());
            assert_eq!(response.header("etag"), Some(etag));
            assert!(response.header("vary").is_some() && response.header("cache-control").is_some());
        }
    }
    let len = whole.body.len();
    for (range, expected) in [
        ("bytes=0-0", Some(0..1)),
        ("bytes=10-19", Some(10..20)),
        ("bytes=10-", Some(10..len)),
        ("bytes=-5", Some(len - 5..len)),
        ("bytes=0-99999999999999999999999", Some(0..len)),
        ("bytes=-99999999999", Some(0..len)),
        ("bytes=5-4", None),
        ("bytes=5-x", None),
        ("bytes=-", None),
        ("bytes=a-b", None),
        ("bytes=--5", None),
        ("bytes=0-1,3-4", None),
        ("lines=0-1", None),
    ] {
        let response = places.get(&[("Range", range)]);
        match expected {
            Some(part) => {
                assert_eq!(response.status, 206, "{range}");
                assert!(response.body == whole.body[part.clone()], "{range}");
                let said = format!("bytes {}-{}/{len}", part.start, part.end - 1);
                assert_eq!(response.header("content-range"), Some(&said[..]));
            }
            None => assert_eq!((response.status, response.body.len()), (200, len), "{range}"),
        }
    }
    let beyond = places.get(&[("Range", &format!("bytes={len}-"))]);
    assert_eq!((beyond.status, beyond.header("content-range")), (416, Some(&format!("bytes */{len}")[..])));
    assert_eq!(places.get(&[("Range", "bytes=-0")]).status, 416);
    assert_eq!(places.get(&[("Range", "bytes=0-3"), ("If-Range", etag)]).status, 206);
    assert_eq!(places.get(&[("Range", "bytes=0-3"), ("If-Range", "\"old\"")]).status, 200);
    let head = places.running.send("HEAD", "/places", &[("Accept-Encoding", "gzip")], b"");
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), Some(&gzip.body.len().to_string()[..]));
    assert_eq!(head.header("etag"), gzip.header("etag"));
    let wrong = places.running.send("DELETE", "/places", &[], b"");
    assert_eq!((wrong.status, wrong.header("allow")), (405, Some("GET, HEAD")));
    assert_eq!(places.running.get("/nothing", &[]).status, 404);
}

#[test]
fn a_new_version_is_sent_as_a_difference() {
    let source = Places::start("");
    let headers = [("Accept", "application/protobuf"), ("Accept-Encoding", "gzip, dcz, dcb")];
    let first = source.get(&headers);
    assert_eq!(first.header("use-as-dictionary"), Some("match=\"/places\""));
    let identity = source.get(&[headers[0]]);
    std::fs::write(&source.path, places(77)).unwrap();
    wait("new version", || source.get(&[headers[0]]).header("etag") != identity.header("etag"));
    let now = source.get(&[headers[0]]);
    let hash = wirewise_gateway::version::hash(&identity.body);
    let available = format!(":{}:", base64::engine::general_purpose::STANDARD.encode(hash));
    let dictionary = Dictionary::raw(identity.body);
    for coding in ["dcz", "dcb"] {
        let accept = format!("gzip, {coding}");
        let headers = [
            ("Accept", "application/protobuf"),
            ("Accept-Encoding", &accept[..]),
            ("Available-Dictionary", &available),
        ];
        wait("difference", || source.get(&headers).header("content-encoding") == Some(coding));
        let delta = source.get(&headers);
        assert!(delta.body.len() < 300, "{} bytes", delta.body.len());
        let mut out = Vec::new();
        // RFC 9842, 4 and 5.
        match coding {
            "dcz" => {
                assert_eq!(delta.body[..8], [0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0]);
                assert_eq!(delta.body[8..40], hash);
                dictionary.at(9).unwrap().decompress(&delta.body[40..], 1 << 20, &mut out).unwrap();
            }
            _ => {
                assert_eq!(delta.body[..4], [0xff, 0x44, 0x43, 0x42]);
                assert_eq!(delta.body[4..36], hash);
                dictionary.decompress_brotli(&delta.body[36..], 1 << 20, &mut out).unwrap();
            }
        }
        assert!(out == now.body);
        // Who has got it has what is served, though there is no difference against that.
        let hash = wirewise_gateway::version::hash(&now.body);
        let current = format!(":{}:", base64::engine::general_purpose::STANDARD.encode(hash));
        let etag = delta.header("etag").unwrap();
        let known = [headers[0], headers[1], ("Available-Dictionary", &current[..]), ("If-None-Match", etag)];
        let known = source.get(&known);
        assert_eq!((known.status, known.header("etag")), (304, Some(etag)));
        assert_eq!(source.get(&[headers[0], ("If-None-Match", etag)]).status, 200, "without the coding");
    }
    for (encoding, dictionary) in
        [("gzip, dcz", ":AAAA:"), ("gzip, dcz", "x"), ("gzip", &available[..]), ("*", &available)]
    {
        let response = source.get(&[headers[0], ("Accept-Encoding", encoding), ("Available-Dictionary", dictionary)]);
        assert!(!response.header("content-encoding").unwrap().starts_with("dc"), "{encoding} {dictionary}");
    }
}

#[test]
fn a_broken_source_leaves_the_last_good_version() {
    let source = Places::start("stale = \"1h\"");
    let before = source.get(&[]);
    assert!(before.header("age").is_none());
    std::fs::write(&source.path, "[{\"id\": 5}, ").unwrap();
    wait("failure", || source.running.resources[0].health().failure.is_some());
    wait("age", || source.get(&[]).header("age").is_some());
    assert!(source.get(&[]).body == before.body);
    std::fs::write(&source.path, places(5)).unwrap();
    wait("recovery", || source.running.resources[0].health().failure.is_none());
    let after = source.get(&[]);
    assert!(after.header("age").is_none() && after.body != before.body);

    let source = Places::start("stale = \"100ms\"");
    std::fs::remove_file(&source.path).unwrap();
    wait("refusal", || source.get(&[]).status == 503);
    assert_eq!(source.get(&[]).header("retry-after"), Some("1"));
}

#[test]
fn schemas_in_every_language() {
    let places = Places::start("");
    for language in wirewise_idl::LANGUAGES.iter().filter(|language| language.info().writes) {
        let response = places.running.get(&format!("/places/schema?language={}", language.info().name), &[]);
        assert_eq!(response.status, 200, "{}: {}", language.info().name, response.head);
    }
    assert_eq!(places.running.get("/places/schema?language=cobol", &[]).status, 400);
    let link = places.get(&[]).header("link").unwrap().to_owned();
    let url = link.split(['<', '>']).nth(1).unwrap();
    let client = places.running.get(url, &[]);
    assert_eq!(client.header("cache-control"), Some("public, max-age=31536000, immutable"));
    let client = client.json();
    assert!(client["steps"].as_array().unwrap().contains(&"uuid@Place.id".into()), "{client}");
    Schema::parse(&client["shaped"].to_string()).unwrap();
    let again = places.running.get("/places/schema", &[]);
    let etag = again.header("etag").unwrap();
    for (name, value, expected) in [
        ("If-None-Match", etag, 304),
        ("If-None-Match", &format!("\"old\", W/{etag}"), 304),
        ("If-None-Match", "\"old\"", 200),
        ("If-Match", "\"old\"", 412),
        ("If-Modified-Since", "Fri, 31 Dec 9999 23:59:59 GMT", 200),
    ] {
        assert_eq!(places.running.get("/places/schema", &[(name, value)]).status, expected, "{name}: {value}");
    }
}

#[test]
fn openapi_describes_everything() {
    let places = Places::start("write.forward = { url = \"http://127.0.0.1:9/x\" }\n");
    let response = places.running.get("/openapi.json", &[]);
    assert_eq!((response.status, response.header("content-type")), (200, Some("application/json")));
    let api = response.json();
    let content = api["paths"]["/places"]["get"]["responses"]["200"]["content"].as_object().unwrap();
    for media in content.keys() {
        assert_eq!(places.get(&[("Accept", media)]).status, 200, "{media}");
    }
    let reference = content["application/json"]["schema"]["$ref"].as_str().unwrap();
    let schema = api.pointer(reference.strip_prefix('#').unwrap()).unwrap();
    assert_eq!(schema["type"], "array", "{schema}");
    assert!(api["paths"]["/places"]["post"]["requestBody"]["content"]["application/protobuf"].is_object());
    assert!(api["paths"]["/places/schema"]["get"].is_object());
    let known = places.running.get("/openapi.json", &[("If-None-Match", response.header("etag").unwrap())]);
    assert_eq!((known.status, known.body.len()), (304, 0));
    assert_eq!(places.running.send("POST", "/openapi.json", &[], b"x").status, 405);
}

#[test]
fn people_get_json_that_they_can_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("places.json");
    std::fs::write(&path, places(0)).unwrap();
    let running =
        Running::ready(&format!("development = true\n[resources.places]\nsource.file = {{ path = {path:?} }}\n"));
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    let pretty = running.get("/places", &[("Accept", browser)]);
    assert_eq!(pretty.header("content-type"), Some("application/json;variant=pretty"));
    assert!(pretty.text().starts_with("[\n  {\n"), "{}", &pretty.text()[..40]);
    assert_eq!(running.get("/places", &[]).text(), places(0));
    let chosen = running.get("/places?format=cbor", &[("Accept", browser)]);
    assert_eq!(chosen.header("content-type"), Some("application/cbor"));
    let shaped = running.get("/places?format=protobuf%20shaped", &[]);
    assert_eq!(shaped.header("content-type"), Some("application/protobuf;shaped=1"));
    assert_eq!(running.get("/places?format=xml", &[]).status, 406);
}
