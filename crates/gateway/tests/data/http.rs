//! Another server as a source.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::{encoded, json, resource, response, upstream};
use http::StatusCode;
use http::header::{ACCEPT_ENCODING, AUTHORIZATION, IF_NONE_MATCH};
use wirewise_core::Schema;

fn config(address: std::net::SocketAddr, more: &str) -> String {
    format!(
        "[resources.places]\nsource.http = {{ url = \"http://{address}/all?key=hunter2\"{more} }}\nrefresh = \"1h\"\n"
    )
}

#[tokio::test]
async fn responses_are_known_by_their_tag() {
    let count = AtomicUsize::new(0);
    let (address, asked) = upstream(move |(_, headers, _)| {
        let tag = format!("\"{}\"", count.fetch_add(1, Ordering::Relaxed) / 2);
        if headers.get(IF_NONE_MATCH).is_some_and(|known| known == tag.as_str()) {
            return response(StatusCode::NOT_MODIFIED, &[], "");
        }
        let body = format!("[{{\"id\": {}}}]", tag.trim_matches('"'));
        response(StatusCode::OK, &[("content-type", "application/json; charset=utf-8"), ("etag", &tag)], body)
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    let places = resource(&config(address, ", headers = { Authorization = \"Bearer x\" }"), folder.path());
    let mut changed = Vec::new();
    for _ in 0..4 {
        changed.push(places.refresh().await.unwrap());
    }
    assert_eq!(changed, [true, false, true, false]);
    assert_eq!(json(&places), r#"[{"id":1}]"#);
    let asked = asked.lock().unwrap();
    let known: Vec<_> = asked.iter().map(|(_, headers, _)| headers.get(IF_NONE_MATCH).cloned()).collect();
    assert_eq!(
        known,
        [None, Some("\"0\""), Some("\"0\""), Some("\"1\"")].map(|tag| tag.map(|tag| tag.parse().unwrap()))
    );
    assert_eq!(asked[0].1[AUTHORIZATION], "Bearer x");
    assert_eq!(asked[0].1[ACCEPT_ENCODING], "zstd, br, gzip");
    assert!(!places.parts().source.describe().contains("hunter2"));
}

#[tokio::test]
async fn every_format_and_coding_is_read() {
    let schema = Arc::new(Schema::parse(SCHEMA).unwrap());
    let rows = r#"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#;
    for format in wirewise_formats::FORMATS {
        for variant in format.info().variants {
            let plain = encoded(variant.id, &schema, rows);
            for coding in ["", "gzip", "br", "zstd"] {
                let mut sent = Vec::new();
                match wirewise_compress::by_content_encoding(coding) {
                    Some(compressor) => compressor.compress(None, None, &plain, &mut sent).unwrap(),
                    None => sent = plain.clone(),
                }
                let media = variant.media_type;
                let (address, _) = upstream(move |_| {
                    response(StatusCode::OK, &[("content-type", media), ("content-encoding", coding)], sent.clone())
                })
                .await;
                let folder = tempfile::tempdir().unwrap();
                std::fs::write(folder.path().join("schema.json"), SCHEMA).unwrap();
                let text = format!("{}schema = \"schema.json\"\nformats = [\"json\"]\n", config(address, ""));
                let places = resource(&text, folder.path());
                places.refresh().await.unwrap_or_else(|error| panic!("{} {coding}: {error}", variant.id));
                assert_eq!(json(&places), rows, "{} {coding}", variant.id);
            }
        }
    }
}

const SCHEMA: &str = r#"{"wirewise": "schema/1", "root": {"list": "Place"}, "types": [{"record": "Place", "fields": [
    {"number": 1, "name": "id", "type": "int64"}, {"number": 2, "name": "name", "type": "string"}]}]}"#;

#[tokio::test]
async fn what_is_wrong_is_said() {
    for (status, headers, body, more, expected) in [
        (500, vec![("content-type", "application/json")], "{}", "", "status 500"),
        (301, vec![("location", "https://elsewhere/x?key=hunter2")], "", "", "leads to https://elsewhere/x"),
        (200, vec![("content-type", "text/html")], "<p>", "", "\"text/html\", which is no format"),
        (200, vec![], "[]", "", "does not say which format"),
        (200, vec![("content-type", "application/json"), ("content-encoding", "gzip")], "no", "", "gzip"),
        (200, vec![("content-type", "application/json"), ("content-encoding", "lzma")], "no", "", "\"lzma\""),
        (200, vec![("content-type", "application/json")], "[{]", "", "at byte 2"),
    ] {
        let status = StatusCode::from_u16(status).unwrap();
        let (address, _) = upstream(move |_| response(status, &headers, body)).await;
        let folder = tempfile::tempdir().unwrap();
        let error = resource(&config(address, more), folder.path()).refresh().await.unwrap_err().to_string();
        assert!(error.contains(expected) && !error.contains("hunter2"), "{error}");
    }
    // Nobody listens there.
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let error = resource(&config(address, ""), folder.path()).refresh().await.unwrap_err().to_string();
    assert!(error.contains("refused") && !error.contains("hunter2"), "{error}");
}

#[tokio::test]
async fn large_and_slow_responses_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let bomb = || {
        let mut sent = Vec::new();
        let gzip = wirewise_compress::by_content_encoding("gzip").unwrap();
        gzip.compress(None, None, &vec![b' '; 1 << 20], &mut sent).unwrap();
        sent
    };
    let (address, _) = upstream(move |_| {
        response(StatusCode::OK, &[("content-type", "application/json"), ("content-encoding", "gzip")], bomb())
    })
    .await;
    let text = format!("limits.memory = \"1MiB\"\n{}", config(address, ""));
    let error = resource(&text, folder.path()).refresh().await.unwrap_err().to_string();
    assert!(error.contains("more than 262144 bytes"), "{error}");

    // It listens, and says nothing.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let text = config(silent.local_addr().unwrap(), ", timeout = \"200ms\"");
    let error = resource(&text, folder.path()).refresh().await.unwrap_err().to_string();
    assert!(error.contains("within 200ms"), "{error}");
}
