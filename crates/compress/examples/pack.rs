//! Compresses or decompresses standard input: `cargo run --example pack -- zstd:19 < data > data.zst`.
//!
//! With `-d` before the name it decompresses, up to 1 GiB.

use std::error::Error;
use std::io::{Read, Write, stdin, stdout};
use std::process::ExitCode;

use wirewise_compress::by_name;

const MAX_OUTPUT_BYTES: usize = 1 << 30;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pack: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let unpack = arguments.first().is_some_and(|first| first == "-d");
    let spec = arguments.pop().ok_or("usage: pack [-d] name[:level[:window]] < input > output")?;
    let choice = by_name(&spec)?;

    let (mut input, mut output) = (Vec::new(), Vec::new());
    stdin().read_to_end(&mut input)?;
    if unpack {
        choice.decompress(&input, MAX_OUTPUT_BYTES, &mut output)?;
    } else {
        choice.compress(&input, &mut output)?;
    }
    stdout().write_all(&output)?;
    Ok(())
}
