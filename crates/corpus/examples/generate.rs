//! Writes a set to standard output: `cargo run --example generate -- people 100 > people.json`.
//!
//! Without a number it writes the full size; without a name it lists the sets.

use std::io;
use std::process::ExitCode;

use wirewise_corpus::{CORPORA, by_name};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(corpus) = arguments.next().and_then(|name| by_name(&name)) else {
        for corpus in CORPORA {
            eprintln!("{:14}{:>7} records  {}", corpus.name, corpus.full_records, corpus.about);
        }
        return ExitCode::from(2);
    };
    let records = match arguments.next().map(|number| number.parse()) {
        None => corpus.full_records,
        Some(Ok(number)) => number,
        Some(Err(error)) => {
            eprintln!("the number of records: {error}");
            return ExitCode::from(2);
        }
    };
    match corpus.generate(records, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
