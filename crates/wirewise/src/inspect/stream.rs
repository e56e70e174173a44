//! The input, without what is compressed around it.

use std::io::{Cursor, Read};
use std::path::Path;

use wirewise_core::Limits;
use wirewise_inspect::layers::{self, Layer};

use super::LOOK;
use crate::cli;
use crate::convert::Input;
use crate::failure::Failure;

/// The input without what is compressed around it.
pub(super) struct Stream {
    pub(super) input: Input,
    /// What was peeled off; after one that is broken there is nothing.
    pub(super) layers: Vec<Layer>,
}

impl Stream {
    pub(super) fn open(options: &cli::Inspect, limits: Limits) -> Result<Stream, Failure> {
        let mut stream = Stream { input: Input::open(&options.input)?, layers: Vec::new() };
        let path = &options.input;
        let told: Vec<_> = options.unwrap.iter().filter_map(|wrapper| wrapper.compressor()).collect();
        if !options.unwrap.is_empty() {
            for compressor in told {
                let choice = wirewise_compress::by_name(compressor);
                let choice = choice.map_err(|error| Failure::bad(error.to_string()))?;
                stream.peel(choice.compressor, path, limits)?;
            }
            return Ok(stream);
        }
        while stream.layers.len() < layers::MOST && stream.layers.last().is_none_or(|layer| layer.error.is_none()) {
            let Some(compressor) = layers::detect(stream.input.peek(LOOK, path)?) else { break };
            stream.peel(compressor, path, limits)?;
        }
        // Nothing in brotli tells what it is: the name of the file may.
        if stream.layers.is_empty() && path.extension().is_some_and(|extension| extension == "br") {
            let brotli = wirewise_compress::by_name("brotli").map_err(|error| Failure::bad(error.to_string()))?;
            stream.peel(brotli.compressor, path, limits)?;
        }
        Ok(stream)
    }

    /// Decompresses all of it, as far as a message may be long.
    pub(super) fn peel(
        &mut self,
        compressor: &dyn wirewise_compress::Compressor,
        path: &Path,
        limits: Limits,
    ) -> Result<(), Failure> {
        let mut packed = Vec::new();
        let most = limits.message_bytes as u64;
        let read = (&mut self.input).take(most + 1).read_to_end(&mut packed);
        read.map_err(|error| Failure::io("read", path, &error))?;
        let name = compressor.info().name;
        if packed.len() as u64 > most {
            return Err(Failure::bad(format!("the {name} data has more than the limit of {most} bytes"))
                .hint("--max-message sets how much is decompressed")
                .in_file(path));
        }
        let layer = Layer::peel(compressor, packed, limits.message_bytes);
        self.input = Input::of(Box::new(Cursor::new(layer.unpacked.clone())));
        self.layers.push(layer);
        Ok(())
    }

    /// What is wrong with the innermost layer.
    pub(super) fn broken(&self, path: &Path) -> Option<Failure> {
        let error = self.layers.last()?.error.as_ref()?;
        let failure = Failure::bad(error.message()).in_file(path);
        let limit = error.kind() == wirewise_core::ErrorKind::Limit;
        Some(if limit { failure.hint("--max-message sets how much is decompressed") } else { failure })
    }
}
