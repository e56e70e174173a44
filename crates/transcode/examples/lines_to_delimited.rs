//! JSON lines on standard input to delimited Protobuf on standard output, in bounded memory:
//!
//! ```sh
//! printf '{"x":1,"y":2}\n{"x":3,"y":4}\n' | cargo run -p wirewise-transcode --example lines_to_delimited | xxd
//! ```

use std::io;
use std::sync::Arc;

use wirewise_core::{Limits, Losses, Schema};
use wirewise_formats::{Framing, plan};
use wirewise_transcode::{Error, Sink, Source, convert};

const SCHEMA: &str = r#"{
  "wirewise": "schema/1",
  "root": "Point",
  "types": [{"record": "Point", "fields": [
    {"number": 1, "name": "x", "type": "int32"},
    {"number": 2, "name": "y", "type": "int32"}]}]
}"#;

fn main() -> Result<(), Error> {
    let schema = Arc::new(Schema::parse(SCHEMA)?);
    let (json, protobuf) = (plan("json", &schema)?, plan("protobuf", &schema)?);
    let mut source = Source::new(io::stdin().lock(), Framing::Lines, Limits::default());
    let mut sink = Sink::new(io::stdout().lock(), Framing::Varint);
    let count = convert(&mut source, &*json, &mut sink, &*protobuf, &mut Losses::none())?;
    drop(sink.finish()?);
    eprintln!("{count} messages");
    Ok(())
}
