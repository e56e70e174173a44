//! Schemas that follow their data, or do not.

use crate::support::{json, resource};

const CONFIG: &str = "[resources.places]\nsource.file = { path = \"places.json\" }\nrefresh = \"1h\"\n";

fn write(folder: &std::path::Path, text: &str) {
    std::fs::write(folder.join("places.json"), text).unwrap();
}

#[tokio::test]
async fn a_new_field_is_taken_and_numbers_stay() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), r#"[{"id":1,"name":"a"}]"#);
    let places = resource(CONFIG, folder.path());
    places.refresh().await.unwrap();
    write(folder.path(), r#"[{"area":0.5,"name":"a","id":1}]"#);
    assert!(places.refresh().await.unwrap());
    assert_eq!(json(&places), r#"[{"id":1,"name":"a","area":0.5}]"#);
    let text = places.current().unwrap().schemas.base.to_text();
    for field in [r#""number": 1, "name": "id""#, r#""number": 2, "name": "name""#, r#""number": 3, "name": "area""#] {
        assert!(text.contains(field), "{text}");
    }
}

#[tokio::test]
async fn what_breaks_clients_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let good = r#"[{"id":1,"name":"a"}]"#;
    write(folder.path(), good);
    let places = resource(CONFIG, folder.path());
    places.refresh().await.unwrap();
    for (bad, path, offset) in [
        (r#"[{"id":"one","name":"a"}]"#, "$[0].id", "at byte 7"),
        (r#"[{"id":1,"name":"a"},{"id":2}]"#, "$[1]", "at byte 21"),
        (r#"[{"id":1,"name":null}]"#, "$[0].name", "at byte 16"),
        (r#"[{"id":1.5,"name":"a"}]"#, "$[0].id", "at byte 7"),
    ] {
        write(folder.path(), bad);
        let error = places.refresh().await.unwrap_err().to_string();
        assert!(error.contains(path) && error.contains(offset), "{error}");
        assert!(error.contains("clients that read"), "{error}");
        assert_eq!(json(&places), good);
        assert!(places.health().failure.is_some());
    }
    write(folder.path(), r#"[{"id":2,"name":"b"}]"#);
    assert!(places.refresh().await.unwrap());
    assert!(places.health().failure.is_none());
}

#[tokio::test]
async fn a_list_that_was_empty_may_become_anything() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "[]");
    let places = resource(CONFIG, folder.path());
    places.refresh().await.unwrap();
    assert_eq!(json(&places), "[]");
    write(folder.path(), r#"[{"id":1}]"#);
    places.refresh().await.unwrap();
    assert_eq!(json(&places), r#"[{"id":1}]"#);
    write(folder.path(), "[]");
    places.refresh().await.unwrap();
    assert_eq!(json(&places), "[]");
}

#[tokio::test]
async fn a_schema_file_is_written_and_then_stays() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("places.schema.json");
    write(folder.path(), r#"[{"id":1}]"#);
    let places = resource(&format!("{CONFIG}schema = \"places.schema.json\"\n"), folder.path());
    assert!(places.refresh().await.unwrap());
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!places.refresh().await.unwrap());

    // A field that any client could pass over is not taken either: the file says what there is.
    write(folder.path(), r#"[{"id":1,"name":"a"}]"#);
    let error = places.refresh().await.unwrap_err().to_string();
    assert!(
        error.contains("\"name\", at byte 9, in $[0]; the schema")
            && error.contains("places.schema.json: change it there"),
        "{error}"
    );
    assert_eq!(json(&places), r#"[{"id":1}]"#);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);

    // Once it says so, it is served, although the data has not changed since.
    let inference = wirewise_schema::Options::default();
    let schema = wirewise_core::Schema::parse(&text).unwrap();
    let mut wider = wirewise_schema::Inference::with_schema(&schema, inference);
    wider.add(br#"[{"id":1,"name":"a"}]"#).unwrap();
    std::fs::write(&file, wider.finish("Places").unwrap().to_text()).unwrap();
    assert!(places.refresh().await.unwrap());
    assert_eq!(json(&places), r#"[{"id":1,"name":"a"}]"#);

    std::fs::write(&file, "{").unwrap();
    let error = places.refresh().await.unwrap_err().to_string();
    assert!(error.contains("places.schema.json"), "{error}");
    assert_eq!(json(&places), r#"[{"id":1,"name":"a"}]"#);
}
