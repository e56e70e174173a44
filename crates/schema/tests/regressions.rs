//! What once went wrong.

mod common;

use common::{assert_exact, infer};
use wirewise_core::Schema;
use wirewise_schema::{Inference, Options};

#[test]
fn lists_nested_deeper_than_a_schema_file_says_are_any() {
    for (open, value, close) in
        [("[", "1", "]"), ("[null,", "1", "]"), (r#"{"2026-11-21":"#, "1", "}"), ("[{\"1\":", "1", "}]")]
    {
        for depth in [20, 31, 32, 33, 62, 63] {
            let sample = format!("{}{value}{}", open.repeat(depth), close.repeat(depth));
            let sample = format!("{{\"a\":{sample}}}");
            let schema = infer(&[&sample], Options::default());
            let read = Schema::parse(&schema.to_text()).unwrap();
            assert_eq!(read.to_text(), schema.to_text());
            assert_exact(&read, &[&sample], &format!("{open} {depth} times"));
        }
    }
    let deep = format!("{}{}", "[".repeat(128), "]".repeat(128));
    Schema::parse(&infer(&[&deep], Options::default()).to_text()).unwrap();
}

#[test]
fn a_field_that_loses_its_default_may_be_absent() {
    let old = r#"{"wirewise": "schema/1", "root": "R", "types": [{"record": "R", "fields": [
        {"number": 1, "name": "same", "type": "int8", "default": 3},
        {"number": 2, "name": "wider", "type": "int64", "default": 0},
        {"number": 3, "name": "null", "type": {"nullable": "string"}, "default": null},
        {"number": 4, "name": "symbol", "type": "E", "default": "X"},
        {"number": 5, "name": "other", "type": "bool", "default": true}]},
        {"enum": "E", "closed": true, "symbols": [{"number": 0, "name": "X"}]}]}"#;
    let mut inference = Inference::with_schema(&Schema::parse(old).unwrap(), Options::default());
    inference.add(br#"{"same":300,"wider":1.5,"null":[1],"symbol":"no symbol","other":"text"}"#).unwrap();
    let new = inference.finish("Other").unwrap();
    let codec = wirewise_formats::plan("json", &std::sync::Arc::new(new.clone())).unwrap();
    let mut arena = wirewise_core::Arena::new(wirewise_core::Limits::default());
    for message in ["{}", r#"{"other":false}"#] {
        let read = codec.decode(message.as_bytes(), &mut arena, &mut wirewise_core::Losses::none()).map(drop);
        assert_eq!(read.map_err(|error| error.to_string()), Ok(()), "{}", new.to_text());
    }
}
