//! What shapes cost: nanoseconds a message, there and back, on `corpus/geo-points.json`.
//!
//! `cargo run --release -p wirewise-shapes --example speed`

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use wirewise_core::{Arena, Limits, Losses, Schema};
use wirewise_shapes::{Shaping, Step, Workspace};

const SCHEMA: &str = r#"{"wirewise": "schema/1", "root": {"list": "P"}, "types": [{"record": "P", "fields": [
    {"number": 1, "name": "uuid", "type": "string"}, {"number": 2, "name": "status", "type": "int64"},
    {"number": 3, "name": "longitude", "type": "float64"}, {"number": 4, "name": "latitude", "type": "float64"}]}]}"#;

const STEPS: &[&str] = &[
    "uuid@P.uuid",
    "decimal@P.longitude,scale=8 decimal@P.latitude,scale=8",
    "fixed-point@P.longitude,scale=7 fixed-point@P.latitude,scale=7",
    "columns@$",
    "columns@$ split@PColumns.longitude split@PColumns.latitude",
    "uuid@P.uuid decimal@P.longitude,scale=8 decimal@P.latitude,scale=8 columns@$",
];

fn main() -> wirewise_core::Result<()> {
    let path = wirewise_testkit::root().join("corpus/geo-points.json");
    let input = std::fs::read(&path).expect("the corpus is there");
    let schema = Arc::new(Schema::parse(SCHEMA)?);
    let mut arena = Arena::new(Limits::default());
    let json = wirewise_formats::plan("json", &schema)?;
    let document = json.decode(&input, &mut arena, &mut Losses::none())?;
    let count = document.list(document.root()).len() as f64;
    println!("{:>8} {:>8}  ns a message, there and back", "apply", "undo");
    for steps in STEPS {
        let shaping = Shaping::new(&schema, Step::parse_all(steps)?)?;
        let (mut there, mut back) = (Workspace::new(Limits::default()), Workspace::new(Limits::default()));
        let (mut apply, mut undo) = (f64::MAX, f64::MAX);
        // The fastest of many: others were disturbed.
        for _ in 0..500 {
            let start = Instant::now();
            let shaped = shaping.apply(black_box(&document), &mut there)?;
            apply = apply.min(start.elapsed().as_nanos() as f64);
            let start = Instant::now();
            black_box(shaping.undo(black_box(&shaped), &mut back)?);
            undo = undo.min(start.elapsed().as_nanos() as f64);
        }
        println!("{:>8.1} {:>8.1}  {steps}", apply / count, undo / count);
    }
    Ok(())
}
