//! One message in every variant of every format: `cargo run -p wirewise-formats --example every_variant`.

use std::sync::Arc;

use wirewise_core::{Arena, Limits, Losses, Result, Schema};
use wirewise_formats::{FORMATS, plan};

const SCHEMA: &str = r#"{
  "wirewise": "schema/1",
  "root": "User",
  "types": [{"record": "User", "fields": [
    {"number": 1, "name": "id", "type": "uint64"},
    {"number": 2, "name": "name", "type": "string"},
    {"number": 3, "name": "tags", "type": {"list": "string"}},
    {"number": 4, "name": "score", "type": "float64", "presence": "optional"}]}]
}"#;

fn main() -> Result<()> {
    let schema = Arc::new(Schema::parse(SCHEMA)?);
    let mut arena = Arena::new(Limits::default());
    let mut losses = Losses::none();

    let json = plan("json", &schema)?;
    let text = br#"{"id": 42, "name": "Ada", "tags": ["x", "y"]}"#;
    let user = json.decode(text, &mut arena, &mut losses)?;

    for variant in FORMATS.iter().flat_map(|format| format.info().variants) {
        let codec = plan(variant.id, &schema)?;
        let mut bytes = Vec::new();
        codec.encode(&user, &mut bytes, &mut losses)?;
        println!("{:<26} {:>4} bytes", variant.id, bytes.len());
    }
    Ok(())
}
