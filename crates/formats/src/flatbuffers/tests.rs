use std::sync::Arc;

use wirewise_core::{Arena, Limits, Losses, Result, Schema};

use crate::plan;

const PROFILE: &str = r#"{"user_id":123456789,"username":"alice_smith","email":"alice@example.com","created_at":1678886400,"last_login":1710422400,"preferences":{"theme":"dark","notifications":true},"subscription":{"tier":"premium","expires_at":1741958400}}"#;

fn schema(root: &str, types: &str) -> Arc<Schema> {
    let text = format!(r#"{{"wirewise": "schema/1", "root": {root}, "types": [{types}]}}"#);
    Arc::new(Schema::parse(&text).unwrap())
}

fn record(name: &str, fields: &str) -> String {
    let fields: Vec<_> = fields
        .split_terminator("; ")
        .enumerate()
        .map(|(i, field)| {
            let (name, rest) = field.split_once(' ').unwrap();
            format!(r#"{{"number": {}, "name": "{name}", "type": {rest}}}"#, i + 1)
        })
        .collect();
    format!(r#"{{"record": "{name}", "fields": [{}]}}"#, fields.join(", "))
}

fn profile() -> Arc<Schema> {
    let types = [
        record("Preferences", r#"theme "string"; notifications "bool""#),
        record("Subscription", r#"tier "string"; expires_at "int64""#),
        record(
            "User",
            r#"user_id "uint64"; username "string"; email "string"; created_at "int64"; last_login "int64"; preferences "Preferences"; subscription "Subscription""#,
        ),
    ];
    schema("\"User\"", &types.join(", "))
}

fn convert(schema: &Arc<Schema>, from: &str, to: &str, input: &[u8], losses: &mut Losses) -> Result<Vec<u8>> {
    let (from, to) = (plan(from, schema)?, plan(to, schema)?);
    let mut arena = Arena::new(Limits::default());
    let document = from.decode(input, &mut arena, losses)?;
    let mut out = Vec::new();
    to.encode(&document, &mut out, losses)?;
    Ok(out)
}

fn encode(schema: &Arc<Schema>, json: &str) -> Vec<u8> {
    convert(schema, "json", "flatbuffers", json.as_bytes(), &mut Losses::none()).unwrap()
}

fn decode(schema: &Arc<Schema>, bytes: &[u8]) -> Result<String> {
    let json = convert(schema, "flatbuffers", "json", bytes, &mut Losses::none())?;
    Ok(String::from_utf8(json).unwrap())
}

#[test]
fn the_profile_takes_184_bytes() {
    let bytes = encode(&profile(), PROFILE);
    assert_eq!(bytes.len(), 184);
    assert_eq!(decode(&profile(), &bytes).unwrap(), PROFILE);
    let prefixed = convert(&profile(), "json", "flatbuffers-size-prefixed", PROFILE.as_bytes(), &mut Losses::none());
    let prefixed = prefixed.unwrap();
    assert_eq!(prefixed[..4], (prefixed.len() as u32 - 4).to_le_bytes());
}
