//! Random schemas, messages and steps as files, for tests in other languages: seeds `FIRST` to `FIRST + COUNT`.
//!
//! `cargo run -p wirewise-shapes --example random_messages -- FOLDER FIRST COUNT`
//!
//! For each seed: `SEED.schema.json`, `SEED.msgpack` (the message, with what JSON has no word for), and `SEED.steps`
//! (recipes that the schema can have, a line each). Seeds whose enums leave open which of two names is written are left out.

#[path = "../tests/common/mod.rs"]
mod common;

use std::path::PathBuf;
use std::sync::Arc;

use common::{limits, steps, texts};
use wirewise_core::{Arena, Document, Kind, Losses, Schema};
use wirewise_testkit::random::{self, Rng};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, first, count] = args.as_slice() else { return Err("usage: FOLDER FIRST COUNT".into()) };
    let (folder, first) = (PathBuf::from(folder), first.parse::<u64>()?);
    for seed in first..first + count.parse::<u64>()? {
        let mut rng = Rng::new(seed);
        // Objects and columns are of lists, mostly.
        let schema = random::wild_schema(seed);
        if !names_are_clear(&schema) {
            continue;
        }
        let schema = Arc::new(if rng.one_in(3) { schema } else { schema.list_of() });
        let mut arena = Arena::new(limits());
        let (mut message, mut attempt) = (Vec::new(), 0);
        // Another message where this one is beyond MessagePack, and sometimes where it is a list of few.
        loop {
            let make = if attempt == 0 { random::wild_message } else { random::message };
            make(&schema, seed ^ attempt << 32, &mut arena);
            let document = Document::new(&schema, b"", &arena);
            let few = matches!(schema.kind(schema.root()), Kind::List(_)) && document.list(document.root()).len() < 10;
            let msgpack = wirewise_formats::plan("msgpack", &schema)?;
            message.clear();
            if msgpack.encode(&document, &mut message, &mut Losses::none()).is_ok() && !(few && rng.one_in(2)) {
                break;
            }
            attempt += 1;
        }
        let document = Document::new(&schema, b"", &arena);
        // What is proposed for the data, and any step that holds.
        let mut recipes = vec!["auto".to_owned()];
        let mut all = steps(&schema, &texts(&document), &mut rng);
        all.retain(|step| !step.shape.info().lossy);
        if !all.is_empty() {
            recipes.push(rng.pick(&all).to_string());
        }
        std::fs::write(folder.join(format!("{seed}.schema.json")), schema.to_text())?;
        std::fs::write(folder.join(format!("{seed}.msgpack")), message)?;
        std::fs::write(folder.join(format!("{seed}.steps")), recipes.join("\n") + "\n")?;
    }
    Ok(())
}

/// Whether numbers of enums have one name, or come in order: the first name is found in these only (`Enum::position`).
fn names_are_clear(schema: &Schema) -> bool {
    schema.types().iter().all(|ty| match &ty.kind {
        Kind::Enum(e) => {
            let first = |number| e.symbols.iter().position(|symbol| symbol.number == number);
            e.symbols.iter().all(|symbol| e.position(symbol.number) == first(symbol.number))
        }
        _ => true,
    })
}
