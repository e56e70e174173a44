//! Infers a schema from a file, prints it, and checks that every message comes back the same:
//! `cargo run --release -p wirewise-schema --example infer -- data.json`

use std::sync::Arc;
use std::time::Instant;

use wirewise_core::{Arena, Limits, Losses, Schema, diff};
use wirewise_schema::{Inference, LogicalStyle, Options, split_json};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("expected the path of a file with JSON")?;
    let logical = if arguments.next().as_deref() == Some("stored") { LogicalStyle::Stored } else { LogicalStyle::Text };
    let input = std::fs::read(&path)?;

    let start = Instant::now();
    let mut inference = Inference::new(Options { logical, ..Options::default() });
    let samples = inference.add_all(&input)?;
    let added = start.elapsed();
    let schema = Arc::new(inference.finish("Root")?);
    let finished = start.elapsed();
    print!("{}", schema.to_text());
    eprintln!("{samples} samples: {added:.1?} to add, {:.1?} to finish", finished - added);

    let messages = split_json(&input)?;
    for (index, range) in messages.ranges().iter().enumerate() {
        comes_back(&schema, &input[range.clone()]).map_err(|error| format!("message {index}: {error}"))?;
    }
    Ok(())
}

/// Decodes a message with the schema, writes it again, and compares the two.
fn comes_back(schema: &Arc<Schema>, json: &[u8]) -> Outcome {
    let any = Arc::new(Schema::parse(r#"{"wirewise": "schema/1", "root": "any"}"#)?);
    let (typed, any) = (wirewise_formats::plan("json", schema)?, wirewise_formats::plan("json", &any)?);
    let mut losses = Losses::none();
    let (mut first, mut second) = (Arena::new(Limits::default()), Arena::new(Limits::default()));
    let mut again = Vec::new();
    typed.encode(&typed.decode(json, &mut first, &mut losses)?, &mut again, &mut losses)?;
    let before = any.decode(json, &mut first, &mut losses)?;
    let after = any.decode(&again, &mut second, &mut losses)?;
    match diff(&before, &after) {
        None => Ok(()),
        Some(difference) => Err(difference.to_string().into()),
    }
}
