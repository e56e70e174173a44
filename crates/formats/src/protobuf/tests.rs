use std::sync::Arc;

use wirewise_core::{Arena, Limits, Losses, Result, Schema};

use crate::plan;

const PROFILE: &str = r#"{"user_id":123456789,"username":"alice_smith","email":"alice@example.com","created_at":1678886400,"last_login":1710422400,"preferences":{"theme":"dark","notifications":true},"subscription":{"tier":"premium","expires_at":1741958400}}"#;

fn profile() -> Arc<Schema> {
    let text = r#"{"wirewise": "schema/1", "root": "UserProfile", "types": [
        {"record": "UserProfile", "fields": [
            {"number": 1, "name": "user_id", "type": "uint64"},
            {"number": 2, "name": "username", "type": "string"},
            {"number": 3, "name": "email", "type": "string"},
            {"number": 4, "name": "created_at", "type": "int64"},
            {"number": 5, "name": "last_login", "type": "int64"},
            {"number": 6, "name": "preferences", "type": "Preferences"},
            {"number": 7, "name": "subscription", "type": "Subscription"}]},
        {"record": "Preferences", "fields": [
            {"number": 1, "name": "theme", "type": "string"},
            {"number": 2, "name": "notifications", "type": "bool"}]},
        {"record": "Subscription", "fields": [
            {"number": 1, "name": "tier", "type": "string"},
            {"number": 2, "name": "expires_at", "type": "int64"}]}]}"#;
    Arc::new(Schema::parse(text).unwrap())
}

fn convert(schema: &Arc<Schema>, from: &str, to: &str, input: &[u8]) -> Result<Vec<u8>> {
    let (from, to) = (plan(from, schema)?, plan(to, schema)?);
    let mut arena = Arena::new(Limits::default());
    let mut losses = Losses::none();
    let document = from.decode(input, &mut arena, &mut losses)?;
    let mut out = Vec::new();
    to.encode(&document, &mut out, &mut losses)?;
    Ok(out)
}

#[test]
fn the_profile_takes_76_bytes() {
    let schema = profile();
    let payload = convert(&schema, "json", "protobuf", PROFILE.as_bytes()).unwrap();
    assert_eq!(payload.len(), 76);
    assert_eq!(convert(&schema, "protobuf", "json", &payload).unwrap(), PROFILE.as_bytes());
    let delimited = convert(&schema, "protobuf", "protobuf-delimited", &payload).unwrap();
    assert_eq!(delimited, [&[76], &payload[..]].concat());
}
