use std::sync::Arc;

use wirewise_core::{Arena, Limits, Losses, Schema};

use crate::plan;

#[test]
fn any_value_comes_back() {
    let schema = Arc::new(Schema::parse(r#"{"wirewise": "schema/1", "root": "any"}"#).unwrap());
    let (json, msgpack) = (plan("json", &schema).unwrap(), plan("msgpack", &schema).unwrap());
    let text = br#"{"a":[1,-1,255,1.5,null,true,18446744073709551615],"b":{"c":"text"}}"#;
    let (mut arena, mut losses) = (Arena::new(Limits::default()), Losses::none());
    let mut out = Vec::new();
    msgpack.encode(&json.decode(text, &mut arena, &mut losses).unwrap(), &mut out, &mut losses).unwrap();
    let mut back = Vec::new();
    json.encode(&msgpack.decode(&out, &mut arena, &mut losses).unwrap(), &mut back, &mut losses).unwrap();
    assert_eq!(back, text);
}
