//! A query of a real SQLite database.

use crate::support::{as_json, json, resource};
use proptest::prelude::*;
use rusqlite::Connection;
use rusqlite::types::Value;

const CONFIG: &str = r#"
[resources.places]
source.sqlite = { database = "places.db", query = "select * from places order by rowid" }
refresh = "1h"
"#;

fn database(folder: &std::path::Path, sql: &str) -> Connection {
    let connection = Connection::open(folder.join("places.db")).unwrap();
    connection.execute_batch(sql).unwrap();
    connection
}

#[tokio::test]
async fn every_kind_of_value_is_exact() {
    let folder = tempfile::tempdir().unwrap();
    database(
        folder.path(),
        "create table places (id integer primary key, name text, height real, photo blob, note);
         insert into places values (9223372036854775807, 'Zürich \"1\"', 5.0, x'00ff', null),
                                   (1, '', -0.1, x'', null);",
    );
    let places = resource(CONFIG, folder.path());
    assert!(places.refresh().await.unwrap());
    let expected = r#"[{"id":1,"name":"","height":-0.1,"photo":"","note":null},{"id":9223372036854775807,"name":"Zürich \"1\"","height":5.0,"photo":"AP8=","note":null}]"#;
    let version = places.current().unwrap();
    for at in 0..version.representations.len() {
        assert_eq!(as_json(&version, at), expected, "{}", version.representations[at].label());
    }
}

#[tokio::test]
async fn columns_that_are_declared_as_json_are_what_they_say() {
    let folder = tempfile::tempdir().unwrap();
    let connection = database(
        folder.path(),
        "create table places (tags JSON, note text); insert into places values ('[\"a\", \"b\"]', '[]'), ('[]', '{}')",
    );
    let places = resource(CONFIG, folder.path());
    assert!(places.refresh().await.unwrap());
    assert_eq!(json(&places), r#"[{"tags":["a","b"],"note":"[]"},{"tags":[],"note":"{}"}]"#);
    connection.execute("insert into places values ('[1], {', '')", []).unwrap();
    let error = places.refresh().await.unwrap_err().to_string();
    assert!(error.contains("row 3, column \"tags\": it is declared as JSON, which its text is not"), "{error}");
}

#[tokio::test]
async fn unchanged_data_is_not_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let connection = database(folder.path(), "create table places (id integer); insert into places values (1)");
    let places = resource(CONFIG, folder.path());
    assert!(places.refresh().await.unwrap());
    let parts = places.parts();
    let fetch = async |known: Option<_>| parts.source.fetch(known.as_ref()).await.unwrap();
    let wirewise_gateway::source::Fetched::Data(data) = fetch(None).await else { panic!("it was never read") };
    let known = data.validator;
    assert!(known.is_some());
    assert!(matches!(fetch(known.clone()).await, wirewise_gateway::source::Fetched::Unchanged));
    connection.execute("insert into places values (2)", []).unwrap();
    assert!(matches!(fetch(known).await, wirewise_gateway::source::Fetched::Data(_)));
    assert!(places.refresh().await.unwrap());
    assert_eq!(json(&places), r#"[{"id":1},{"id":2}]"#);

    // Another file in its place.
    drop(connection);
    let other = tempfile::tempdir_in(folder.path()).unwrap();
    drop(database(other.path(), "create table places (id integer); insert into places values (7)"));
    std::fs::rename(other.path().join("places.db"), folder.path().join("places.db")).unwrap();
    assert!(places.refresh().await.unwrap());
    assert_eq!(json(&places), r#"[{"id":7}]"#);
}

#[tokio::test]
async fn queries_of_the_clock_are_always_asked() {
    let folder = tempfile::tempdir().unwrap();
    database(folder.path(), "create table places (id integer); insert into places values (1)");
    let config = CONFIG.replace("select * from places order by rowid", "select random() as id from places");
    let places = resource(&config, folder.path());
    assert!(places.refresh().await.unwrap());
    assert!(places.refresh().await.unwrap());
}

#[tokio::test]
async fn what_is_wrong_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let refused = async |query: &str| {
        let places = resource(&CONFIG.replace("select * from places order by rowid", query), folder.path());
        places.refresh().await.unwrap_err().to_string()
    };
    let error = refused("select 1").await;
    assert!(error.contains("cannot read") && error.contains("places.db"), "{error}");
    database(folder.path(), "create table places (x real); insert into places values (1.5), (9e999)");
    for (query, expected) in [
        ("select x from places", "row 2, column \"x\": the value is inf"),
        ("selec", "syntax error, at \"selec\""),
        ("select y from places", "no such column: y, at \"y from places\""),
        ("select 1; select 2", "more than one statement"),
        ("select 1 as a, 2 as a", "two columns \"a\""),
        ("delete from places", "the query"),
        ("select cast(x'ff' as text) as t", "column \"t\": the text is not valid UTF-8"),
    ] {
        let error = refused(query).await;
        assert!(error.contains(expected), "{query}: {error}");
    }
}

#[tokio::test]
async fn slow_queries_are_stopped() {
    let folder = tempfile::tempdir().unwrap();
    database(folder.path(), "create table places (id integer)");
    let endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) as i from n";
    let config =
        CONFIG.replace("select * from places order by rowid", endless).replace("\" }", "\", timeout = \"200ms\" }");
    let places = resource(&config, folder.path());
    let error = places.refresh().await.unwrap_err().to_string();
    assert!(error.contains("longer than 200ms"), "{error}");
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::Integer),
        any::<f64>().prop_filter("JSON has it", |x| x.is_finite()).prop_map(Value::Real),
        ".{0,12}".prop_filter("SQLite ends text at NUL", |text| !text.contains('\0')).prop_map(Value::Text),
        proptest::collection::vec(any::<u8>(), 0..12).prop_map(Value::Blob),
    ]
}

/// Columns have one kind of value, and nulls: so it is in tables that people have.
fn column() -> impl Strategy<Value = Vec<Value>> {
    (value(), proptest::collection::vec((value(), any::<bool>()), 1..60)).prop_map(|(first, values)| {
        let kind = std::mem::discriminant(&first);
        let same = |(value, keep): (Value, bool)| {
            if keep && std::mem::discriminant(&value) == kind { value } else { first.clone() }
        };
        values.into_iter().map(same).collect()
    })
}

fn expected(value: &Value) -> serde_json::Value {
    use base64::Engine as _;
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Integer(value) => (*value).into(),
        Value::Real(value) => (*value).into(),
        Value::Text(text) => text.clone().into(),
        Value::Blob(bytes) => base64::engine::general_purpose::STANDARD.encode(bytes).into(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_format_says_what_the_query_says(a in column(), b in column(), nulls in proptest::collection::vec(any::<bool>(), 60)) {
        let folder = tempfile::tempdir().unwrap();
        let connection = database(folder.path(), "create table places (a, b, c)");
        let mut rows = Vec::new();
        for ((a, b), &is_null) in a.iter().zip(&b).zip(&nulls) {
            let c = if is_null { Value::Null } else { a.clone() };
            connection.execute("insert into places values (?, ?, ?)", [a, b, &c]).unwrap();
            rows.push(serde_json::json!({ "a": expected(a), "b": expected(b), "c": expected(&c) }));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let version = runtime.block_on(async {
            let places = resource(CONFIG, folder.path());
            places.refresh().await.unwrap();
            places.current().unwrap()
        });
        let expected = serde_json::Value::from(rows);
        for at in 0..version.representations.len() {
            let found: serde_json::Value = serde_json::from_str(&as_json(&version, at)).unwrap();
            prop_assert_eq!(&found, &expected, "{}", version.representations[at].label());
        }
    }
}
