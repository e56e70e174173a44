//! Writes, into a real SQLite database and to a real server.

use std::sync::Arc;
use std::time::Duration;

use crate::support::{Running, body, encoded, json, post, response, running, upstream};
use http::StatusCode;
use http::header::{ACCEPT_ENCODING, ALLOW};
use rusqlite::Connection;

const CONFIG: &str = r#"
limits = { body = 2000, decoded = 20000 }
[resources.people]
source.sqlite = { database = "people.db", query = "select id, name, height, photo from people order by id" }
write.insert = "people"
refresh = "1h"
"#;

/// A table with one person.
fn database(folder: &std::path::Path) -> Connection {
    let connection = Connection::open(folder.join("people.db")).unwrap();
    connection
        .execute_batch(
            "create table people (id integer primary key, name text not null unique, height real, photo blob not null default x'',
                                  made text default current_timestamp, check (height > 0));
             insert into people (name, height, photo) values ('Ada', 1.65, x'01')",
        )
        .unwrap();
    connection
}

async fn people(folder: &std::path::Path) -> (Running, String) {
    let running = running(CONFIG, folder).await;
    let url = format!("http://{}/people", running.address);
    (running, url)
}

/// Waits until what is served is this.
async fn served(running: &Running, expected: &str) {
    for _ in 0..500 {
        if json(&running.resource) == expected {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(json(&running.resource), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_format_and_coding_is_inserted() {
    let folder = tempfile::tempdir().unwrap();
    let connection = database(folder.path());
    let (running, url) = people(folder.path()).await;
    let version = running.resource.current().unwrap();
    let mut id = 1;
    let mut expected = vec![r#"{"id":1,"name":"Ada","height":1.65,"photo":"AQ=="}"#.to_owned()];
    for format in wirewise_formats::FORMATS {
        for variant in format.info().variants {
            for coding in ["", "gzip", "br", "zstd"] {
                let mut row = || {
                    id += 1;
                    let row = format!(r#"{{"id":{id},"name":"p{id}","height":{id}.5,"photo":"AP8="}}"#);
                    expected.push(row.clone());
                    row
                };
                let rows = format!("[{},{}]", row(), row());
                let plain = encoded(variant.id, &version.schemas.base, &rows);
                let mut sent = Vec::new();
                match wirewise_compress::by_content_encoding(coding) {
                    Some(compressor) => compressor.compress(None, None, &plain, &mut sent).unwrap(),
                    None => sent = plain,
                }
                let headers = [("content-type", variant.media_type), ("content-encoding", coding)];
                let response = post(&url, &headers, sent).await;
                assert_eq!(response.status(), StatusCode::CREATED, "{} {coding} {:?}", variant.id, response.body());
                assert_eq!(body(&response), serde_json::json!({ "inserted": 2 }));
            }
        }
    }
    served(&running, &format!("[{}]", expected.join(","))).await;
    let blobs: i64 = connection
        .query_row("select count(*) from people where typeof(photo) = 'blob' and made is not null", [], |row| {
            row.get(0)
        })
        .unwrap();
    assert_eq!(blobs, id);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_table_fills_may_be_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let _connection = database(folder.path());
    let (running, url) = people(folder.path()).await;
    let base = running.resource.current().unwrap().schemas.base.clone();
    // One record, without key and photo.
    let response = post(&url, &[("content-type", "application/json")], r#"{"name":"Bob","height":null}"#).await;
    // Height was never null, so that it must be there.
    assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let response = post(&url, &[("content-type", "application/json")], r#"{"name":"Bob","height":1.5}"#).await;
    assert_eq!(response.status(), StatusCode::CREATED, "{:?}", response.body());
    // In Protobuf zero is left out: the key is given out, the empty text stays one.
    let rows = r#"[{"id":0,"name":"","height":1.5,"photo":""}]"#;
    let sent = encoded("protobuf", &base, rows);
    let response = post(&url, &[("content-type", "application/protobuf")], sent).await;
    assert_eq!(response.status(), StatusCode::CREATED, "{:?}", response.body());
    // One record where that does not show.
    let wirewise_core::Kind::List(item) = base.kind(base.root()) else { panic!("it is a list") };
    let record = Arc::new(base.with_root(*item));
    let sent = encoded("protobuf", &record, r#"{"id":0,"name":"Eve","height":2.0,"photo":"AQ=="}"#);
    let response = post(&url, &[("content-type", "application/protobuf;record=1")], sent).await;
    assert_eq!(response.status(), StatusCode::CREATED, "{:?}", response.body());
    served(
        &running,
        r#"[{"id":1,"name":"Ada","height":1.65,"photo":"AQ=="},{"id":2,"name":"Bob","height":1.5,"photo":""},{"id":3,"name":"","height":1.5,"photo":""},{"id":4,"name":"Eve","height":2.0,"photo":"AQ=="}]"#,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_a_key_is_inserted_once() {
    let folder = tempfile::tempdir().unwrap();
    let connection = database(folder.path());
    let (_running, url) = people(folder.path()).await;
    let send = async |key: &str, text: &'static str| {
        post(&url, &[("content-type", "application/json"), ("idempotency-key", key)], text).await
    };
    let count = || -> i64 { connection.query_row("select count(*) from people", [], |row| row.get(0)).unwrap() };
    let bob = r#"[{"name":"Bob","height":1.5}]"#;
    for _ in 0..3 {
        let response = send("\"a\"", bob).await;
        assert_eq!((response.status(), body(&response)), (StatusCode::CREATED, serde_json::json!({ "inserted": 1 })));
    }
    assert_eq!(count(), 2);
    // The key of another body, and the same body without that key.
    assert_eq!(send("\"a\"", r#"[{"name":"Eve","height":1.5}]"#).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(send("\"b\"", bob).await.status(), StatusCode::CONFLICT);
    // What was refused is tried again.
    connection.execute("delete from people where name = 'Bob'", []).unwrap();
    assert_eq!(send("\"b\"", bob).await.status(), StatusCode::CREATED);
    assert_eq!(count(), 2);
    // Many at once: one of them inserts.
    let cid = r#"[{"name":"Cid","height":1.5}]"#;
    let sent = std::array::from_fn::<_, 8, _>(|_| send("\"c\"", cid));
    let statuses: Vec<_> =
        futures_util::future::join_all(sent).await.iter().map(|response| response.status()).collect();
    let expected = [StatusCode::CREATED, StatusCode::CONFLICT];
    assert!(statuses.contains(&expected[0]) && statuses.iter().all(|status| expected.contains(status)), "{statuses:?}");
    assert_eq!(count(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_may_mean_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let _connection = database(folder.path());
    let config = CONFIG.replace("body = 2000", "idempotency_keys = 0, body = 2000");
    let running = running(&config, folder.path()).await;
    let url = format!("http://{}/people", running.address);
    let headers = [("content-type", "application/json"), ("idempotency-key", "a")];
    let text = r#"{"name":"Bob","height":1.5}"#;
    assert_eq!(post(&url, &headers, text).await.status(), StatusCode::CREATED);
    assert_eq!(post(&url, &headers, text).await.status(), StatusCode::CONFLICT);
}

#[tokio::test(flavor = "multi_thread")]
async fn shaped_bodies_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let connection = database(folder.path());
    for i in 0..100 {
        connection.execute("insert into people (name, height) values (?, 1.5)", [format!("n{i}")]).unwrap();
    }
    let (running, url) = people(folder.path()).await;
    let schemas = running.resource.current().unwrap().schemas.clone();
    let shaping = schemas.shaping.as_ref().unwrap();
    let rows =
        r#"[{"id":1000,"name":"x","height":1.25,"photo":"AQ=="},{"id":1001,"name":"y","height":1.5,"photo":""}]"#;
    let mut arena = wirewise_core::Arena::new(wirewise_core::Limits::default());
    let codec = wirewise_formats::plan("json", &schemas.base).unwrap();
    let document = codec.decode(rows.as_bytes(), &mut arena, &mut wirewise_core::Losses::none()).unwrap();
    let mut sent = Vec::new();
    let shaped = wirewise_shapes::plan("protobuf", shaping).unwrap();
    shaped.encode(&document, &mut sent, &mut wirewise_core::Losses::none()).unwrap();
    let response = post(&url, &[("content-type", "application/protobuf;shaped=1")], sent).await;
    assert_eq!(response.status(), StatusCode::CREATED, "{:?}", response.body());
    let count: i64 =
        connection.query_row("select count(*) from people where id >= 1000", [], |row| row.get(0)).unwrap();
    assert_eq!(count, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_said_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let connection = database(folder.path());
    let (_running, url) = people(folder.path()).await;
    let json = ("content-type", "application/json");
    for (rows, status, path, offset) in [
        (r#"[{"name":"a","height":1.5},{"name":5,"height":1.5}]"#, 422, "$[1].name", Some(35)),
        (r#"[{"name":"a","height":1.5,"odd":1}]"#, 422, "$[0]", Some(26)),
        (r#"[{"name":"a","height":1.5},"#, 400, "$[1]", Some(27)),
        (r#"{"name":"a","height":1.5"#, 400, "$", Some(24)),
        (r#"[{"name":"b","height":1.5},{"name":"c","height":-1.0}]"#, 422, "$[1]", None),
        (r#"[{"name":"b","height":1.5},{"name":"Ada","height":1.0}]"#, 409, "$[1]", None),
    ] {
        let response = post(&url, &[json], rows).await;
        let problem = body(&response);
        assert_eq!(response.status().as_u16(), status, "{rows} {problem}");
        assert_eq!(response.headers()["content-type"], "application/problem+json");
        assert_eq!(problem["errors"][0]["path"], path, "{rows} {problem}");
        if let Some(offset) = offset {
            assert_eq!(problem["errors"][0]["offset"], offset, "{rows} {problem}");
        }
    }
    // Not one of them was inserted, of any.
    let count: i64 = connection.query_row("select count(*) from people", [], |row| row.get(0)).unwrap();
    assert_eq!(count, 1);

    let response = post(&url, &[("content-type", "text/html")], "<p>").await;
    assert_eq!(response.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert!(response.headers()["accept-post"].to_str().unwrap().contains("application/protobuf"));
    let response = post(&url, &[], "[]").await;
    assert_eq!(response.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let response = post(&url, &[json, ("content-encoding", "lzma")], "[]").await;
    assert_eq!(response.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(response.headers()[ACCEPT_ENCODING], "zstd, br, gzip");
    let response = post(&url, &[json, ("content-encoding", "gzip")], "no").await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);

    let response = post(&url, &[json], vec![b' '; 2001]).await;
    assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
    let mut bomb = Vec::new();
    wirewise_compress::by_name("gzip").unwrap().compress(&vec![b' '; 20_001], &mut bomb).unwrap();
    let response = post(&url, &[json, ("content-encoding", "gzip")], bomb).await;
    assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_only_read_says_so() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("places.json"), r#"[{"id":1}]"#).unwrap();
    let running = running("[resources.places]\nsource.file = { path = \"places.json\" }\n", folder.path()).await;
    let response =
        post(&format!("http://{}/places", running.address), &[("content-type", "application/json")], "[]").await;
    assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(response.headers()[ALLOW], "GET, HEAD");
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_are_checked_before_they_are_written() {
    let folder = tempfile::tempdir().unwrap();
    database(folder.path())
        .execute_batch("create table other (id integer primary key, name text, height real, photo, must not null)")
        .unwrap();
    for (table, query) in
        [("none", "select 1 as id"), ("people", "select 1 as other"), ("other", "select id, name from people")]
    {
        let config = CONFIG
            .replace("write.insert = \"people\"", &format!("write.insert = \"{table}\""))
            .replace("select id, name, height, photo from people order by id", query);
        let running = running(&config, folder.path()).await;
        let response =
            post(&format!("http://{}/people", running.address), &[("content-type", "application/json")], "[]").await;
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR, "{table}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn writes_are_forwarded() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("people.json"), r#"[{"id":1,"name":"Ada"}]"#).unwrap();
    let (address, asked) = upstream(|(_, _, body)| match body.is_empty() {
        true => response(StatusCode::IM_A_TEAPOT, &[], "none"),
        false => response(
            StatusCode::ACCEPTED,
            &[("x-kind", "test"), ("connection", "x-hop"), ("x-hop", "1"), ("keep-alive", "timeout=5")],
            "taken",
        ),
    })
    .await;
    let config = format!(
        "[resources.people]\nsource.file = {{ path = \"people.json\" }}\n\
         write.forward = {{ url = \"http://{address}/in\", format = \"msgpack\", headers = {{ Authorization = \"Bearer x\" }} }}\n"
    );
    let running = running(&config, folder.path()).await;
    let base = running.resource.current().unwrap().schemas.base.clone();
    let url = format!("http://{}/people", running.address);
    let rows = r#"[{"id":2,"name":"Bob"},{"id":3,"name":"Eve"}]"#;
    let sent = encoded("protobuf", &base, rows);
    let response = post(&url, &[("content-type", "application/protobuf"), ("idempotency-key", "k1")], sent).await;
    assert_eq!((response.status(), &response.body()[..]), (StatusCode::ACCEPTED, &b"taken"[..]));
    assert_eq!(response.headers()["x-kind"], "test");
    assert!(!response.headers().contains_key("x-hop") && !response.headers().contains_key("keep-alive"));
    {
        let asked = asked.lock().unwrap();
        let (method, headers, body) = &asked[0];
        assert_eq!(*method, http::Method::POST);
        assert_eq!(headers["content-type"], "application/vnd.msgpack");
        assert_eq!(headers["authorization"], "Bearer x");
        assert_eq!(headers["idempotency-key"], "k1");
        assert_eq!(body[..], encoded("msgpack-named", &base, rows));
    }
    // What does not fit does not get there.
    let response = post(&url, &[("content-type", "application/json")], r#"{"id":"x","name":"y"}"#).await;
    assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(body(&response)["errors"][0]["path"], "$.id");
    assert_eq!(asked.lock().unwrap().len(), 1);
}

#[test]
fn inserting_needs_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let config = "[resources.x]\nsource.file = { path = \"x.json\" }\nwrite.insert = \"x\"\n";
    let error = wirewise_gateway::Gateway::new(&crate::support::config(config, folder.path()), &crate::support::Here)
        .err()
        .unwrap();
    assert!(error.to_string().contains("needs a source with tables"), "{error}");
}
