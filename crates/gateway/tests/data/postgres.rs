//! A query of a real PostgreSQL server, and writes into its tables.

use std::time::Duration;

use crate::server::{PASSWORD, Server};
use crate::support::{as_json, body, encoded, json, post, resource, running};
use http::StatusCode;

fn config(url: &str, query: &str, more: &str) -> String {
    format!(
        "[resources.people]\nsource.postgres = {{ url = \"{url}\", query = '''{query}'''{more} }}\nrefresh = \"1h\"\n"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_value_is_exact() {
    let Some(server) = Server::start() else { return };
    server
        .client()
        .await
        .batch_execute(
            "create type mood as enum ('happy', 'sad');
             create type pair as (x int, y text);
             create domain small as int check (value < 10);
             create table kinds (b bool, i2 int2, i4 int4, i8 int8, f4 float4, f8 float8, n numeric, t text, v varchar(5), c char(3),
                 bytes bytea, u uuid, j json, jb jsonb, at timestamptz, dt timestamp, d date, ti time, span interval,
                 ints int[], grid int[][], moods mood[], m mood, p pair, s small);
             insert into kinds values (true, -32768, 2147483647, -9223372036854775808, 0.1, 5, 12345678901234567890.0010, 'ü\"', 'ab', 'x',
                 '\\x00ff', '00112233-4455-6677-8899-aabbccddeeff', '{\"a\": 1.0}', '{\"b\":[1e2,null]}',
                 '2024-02-29 12:00:00.000001+02', '1969-12-31 23:59:59.5', '0001-01-01', '24:00', '1 year 2 mons -3 days 04:05:06.7',
                 '{1,null,3}', '{{1,2},{3,4}}', '{happy,sad}', 'sad', row(1, 'z'), 7);
             insert into kinds (b, n, span) values (null, -0.5, '0')",
        )
        .await
        .unwrap();
    let people =
        resource(&config(&server.url(), "select * from kinds order by b", ""), tempfile::tempdir().unwrap().path());
    people.refresh().await.unwrap();
    let found: serde_json::Value = serde_json::from_str(&json(&people)).unwrap();
    let expected = serde_json::json!({
        "b": true, "i2": -32768, "i4": 2147483647, "i8": i64::MIN, "f4": 0.1, "f8": 5.0, "n": "12345678901234567890.0010",
        "t": "ü\"", "v": "ab", "c": "x  ", "bytes": "AP8=", "u": "00112233-4455-6677-8899-aabbccddeeff",
        "j": {"a": 1.0}, "jb": {"b": [100, null]}, "at": "2024-02-29T10:00:00.000001Z", "dt": "1969-12-31T23:59:59.5",
        "d": "0001-01-01", "ti": "24:00:00", "span": "P1Y2M-3DT4H5M6.7S", "ints": [1, null, 3], "grid": [[1, 2], [3, 4]],
        "moods": ["happy", "sad"], "m": "sad", "p": {"x": 1, "y": "z"}, "s": 7,
    });
    assert_eq!(found[0], expected);
    assert_eq!(
        (&found[1]["b"], &found[1]["n"], &found[1]["span"]),
        (&serde_json::Value::Null, &"-0.5".into(), &"PT0S".into())
    );
    let version = people.current().unwrap();
    for at in 0..version.representations.len() {
        let same: serde_json::Value = serde_json::from_str(&as_json(&version, at)).unwrap();
        assert_eq!(same, found, "{}", version.representations[at].label());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_said_without_the_password() {
    let Some(server) = Server::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    for (url, query, expected) in [
        (server.url(), "select 'NaN'::float8 as x", "row 1, column \"x\": the value is NaN"),
        (server.url(), "select 'NaN'::numeric as x", "the value is NaN"),
        (server.url(), "select 'infinity'::timestamptz as x", "the value is infinity"),
        (server.url(), "select '300000-01-01'::date as x", "out of range"),
        (
            server.url(),
            "select '1.2.3.4'::inet as x",
            "the type inet are not supported; have the query make text of it",
        ),
        (server.url(), "select nothing", "column \"nothing\" does not exist"),
        (server.url(), "select 1; select 2", "multiple commands"),
        (server.url(), "select pg_sleep(60)::text as x", "statement timeout"),
        (server.url(), "with w as (delete from pg_class returning 1) select * from w", "read-only transaction"),
        (server.url().replace(PASSWORD, "hunter3"), "select 1 as x", "password authentication failed"),
        (format!("{}?sslmode=require", server.url()), "select 1 as x", "server does not support TLS"),
        (server.url().replace(&server.port.to_string(), "1"), "select 1 as x", "cannot connect"),
    ] {
        let people = resource(&config(&url, query, ", timeout = \"500ms\""), folder.path());
        let error = people.refresh().await.unwrap_err().to_string();
        assert!(error.contains(expected) && !error.contains("hunter"), "{query}: {error}");
        assert!(!people.parts().source.describe().contains("hunter"));
    }
    let bad = crate::support::config(&config("postgres://x:hunter2@[", "select 1", ""), folder.path());
    let error = wirewise_gateway::Gateway::new(&bad, &crate::support::Here).err().unwrap().to_string();
    assert!(error.contains("cannot be read") && !error.contains("hunter"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_comes_back_is_used_again() {
    let Some(server) = Server::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let people = resource(&config(&server.url(), "select pg_backend_pid() as pid", ""), folder.path());
    people.refresh().await.unwrap();
    let before = json(&people);
    assert!(!people.refresh().await.unwrap(), "the connection stays");
    server.down();
    assert!(people.refresh().await.is_err());
    assert!(people.refresh().await.is_err());
    assert_eq!(json(&people), before);
    assert!(people.stale().is_some());
    server.up();
    people.refresh().await.unwrap();
    assert!(people.stale().is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_are_inserted_in_every_format() {
    let Some(server) = Server::start() else { return };
    let client = server.client().await;
    client
        .batch_execute(
            "create schema \"odd \"\"schema\";
             create table \"odd \"\"schema\".people (id bigint generated by default as identity primary key, \"full name\" text not null unique,
                 height float8 not null check (height > 0), born timestamptz not null, photo bytea not null default '\\x', price numeric(9,2) not null,
                 tags text[] not null default '{}', data jsonb not null default '{}', made timestamptz not null default now());
             insert into \"odd \"\"schema\".people (\"full name\", height, born, photo, price, tags, data)
                 values ('Ada', 1.65, '1815-12-10 00:00+00', '\\x01', 1.50, '{a}', '{\"k\":1}')",
        )
        .await
        .unwrap();
    let columns = "id, \"full name\", height, born, photo, price, tags, data";
    let query = format!("select {columns} from \"odd \"\"schema\".people order by id");
    let text = format!("{}write.insert = 'odd \"schema.people'\n", config(&server.url(), &query, ""));
    let folder = tempfile::tempdir().unwrap();
    let running = running(&text, folder.path()).await;
    let url = format!("http://{}/people", running.address);
    let base = running.resource.current().unwrap().schemas.base.clone();
    let mut id = 1;
    let row = |id: u32| {
        format!(
            r#"{{"id":{id},"full name":"p{id}","height":{id}.5,"born":"2000-01-01T00:00:00Z","photo":"AP8=","price":"{id}.10","tags":["x","y"],"data":{{"k":{id}}}}}"#
        )
    };
    for format in wirewise_formats::FORMATS {
        for variant in format.info().variants {
            let rows = format!("[{},{}]", row(id + 1), row(id + 2));
            id += 2;
            let sent = encoded(variant.id, &base, &rows);
            let response = post(&url, &[("content-type", variant.media_type)], sent).await;
            assert_eq!(response.status(), StatusCode::CREATED, "{}: {:?}", variant.id, response.body());
            assert_eq!(body(&response), serde_json::json!({ "inserted": 2 }));
        }
    }
    let expected = (2..=id).map(row).collect::<Vec<_>>().join(",");
    let ada = r#"{"id":1,"full name":"Ada","height":1.65,"born":"1815-12-10T00:00:00Z","photo":"AQ==","price":"1.50","tags":["a"],"data":{"k":1}}"#;
    let expected = format!("[{ada},{expected}]");
    for _ in 0..500 {
        if json(&running.resource) == expected {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(json(&running.resource), expected);

    // What the table fills may be left out; rows with and without it are one transaction.
    client
        .batch_execute("select setval(pg_get_serial_sequence('\"odd \"\"schema\".people', 'id'), 1000)")
        .await
        .unwrap();
    let some = r#"{"full name":"q","height":1.5,"born":"2000-01-01T00:00:00Z","price":"1"}"#;
    let same = r#"{"id":5000,"full name":"q","height":1.5,"born":"2000-01-01T00:00:00Z","price":"1"}"#;
    let json = [("content-type", "application/json")];
    let response = post(&url, &json, format!("[{some},{same}]")).await;
    assert_eq!(response.status(), StatusCode::CONFLICT, "{:?}", response.body());
    let response = post(&url, &json, some).await;
    assert_eq!(response.status(), StatusCode::CREATED, "{:?}", response.body());
    for bad in [some.replace("1.5", "-1.5"), some.replace("\"1\"", "\"x\""), some.replace("2000-01-01T", "2000-13-01T")]
    {
        let response = post(&url, &json, bad).await;
        assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY, "{:?}", response.body());
    }
    let count: i64 =
        client.query_one("select count(*) from \"odd \"\"schema\".people where id > 1000", &[]).await.unwrap().get(0);
    assert_eq!(count, 1);

    server.down();
    let response = post(&url, &json, some).await;
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(!String::from_utf8_lossy(response.body()).contains("127.0.0.1"));
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_is_used_and_the_certificate_is_checked() {
    let Some(server) = Server::start() else { return };
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    server.secure(&made.cert.pem(), &made.signing_key.serialize_pem());
    let folder = tempfile::tempdir().unwrap();
    let refused = async |url: &str| {
        resource(&config(url, "select 1 as x", ""), folder.path()).refresh().await.unwrap_err().to_string()
    };
    let error = refused(&server.url()).await;
    assert!(error.contains("no encryption") && error.contains("add ?sslmode=require"), "{error}");
    let secure = format!("{}?sslmode=require", server.url());
    let error = refused(&secure).await;
    assert!(error.contains("certificate"), "{error}");

    // Whom a process trusts it learns when it starts.
    let roots = folder.path().join("roots.pem");
    std::fs::write(&roots, made.cert.pem()).unwrap();
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "postgres::a_trusted_server_is_asked", "--ignored"]);
    let output = child.env("SSL_CERT_FILE", roots).env("TRUSTED_SERVER", &secure).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[tokio::test]
#[ignore = "another test runs it, with what it needs"]
async fn a_trusted_server_is_asked() {
    let url = std::env::var("TRUSTED_SERVER").unwrap();
    let query = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";
    let people = resource(&config(&url, query, ""), tempfile::tempdir().unwrap().path());
    people.refresh().await.unwrap();
    assert_eq!(json(&people), r#"[{"ssl":true}]"#);
}
