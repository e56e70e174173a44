//! The engine that is measured: its public interface, used as the binary uses it.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use wirewise_core::{Arena, Cell, Document, Limits, Losses, Schema};
use wirewise_formats::Codec;

use crate::format::Format;
use crate::workloads::Workload;

/// Codecs for one schema.
pub struct Engine {
    codecs: Vec<Box<dyn Codec>>,
}

impl Engine {
    /// Those of a workload.
    pub fn of<W: Workload>() -> Result<Engine> {
        let schema = Arc::new(Schema::parse(W::SCHEMA)?);
        let codecs = Format::ALL.iter().map(|format| wirewise_formats::plan(format.variant(), &schema));
        Ok(Engine { codecs: codecs.collect::<wirewise_core::Result<_>>()? })
    }

    /// The codec of a format.
    pub fn codec(&self, format: Format) -> &dyn Codec {
        let place = Format::ALL.iter().position(|&other| other == format).expect("all are there");
        &*self.codecs[place]
    }

    /// The message in every format, made from JSON; in the order of [`Format::ALL`].
    pub fn payloads(&self, json: &[u8]) -> Result<Vec<Vec<u8>>> {
        Format::ALL.iter().map(|&to| self.convert(json, Format::Json, to)).collect()
    }

    /// One message from format to format, in new memory.
    pub fn convert(&self, input: &[u8], from: Format, to: Format) -> Result<Vec<u8>> {
        let (mut arena, mut out) = (Arena::new(Limits::default()), Vec::new());
        let document = self.codec(from).decode(input, &mut arena, &mut Losses::none())?;
        self.codec(to).encode(&document, &mut out, &mut Losses::none())?;
        Ok(out)
    }

    /// Messages of another format with so many elements each of the list that a JSON message is.
    pub fn parts(&self, json: &[u8], to: Format, elements: usize) -> Result<Vec<Vec<u8>>> {
        let codec = self.codec(Format::Json);
        let mut arena = Arena::new(Limits::default());
        let all = codec.decode(json, &mut arena, &mut Losses::none())?.root();
        let starts = (all.start()..all.start() + all.len()).step_by(elements);
        let part = |start: usize| {
            arena.set_root(Cell::run(start as u32, elements.min(all.start() + all.len() - start) as u32));
            let mut out = Vec::new();
            let document = Document::new(codec.schema(), json, &arena);
            self.codec(to).encode(&document, &mut out, &mut Losses::none())?;
            Ok(out)
        };
        starts.map(part).collect()
    }

    /// Checks that `bytes` say the same as `expected`, which is of the same format: equal bytes, or equal messages.
    pub fn check(&self, format: Format, bytes: &[u8], expected: &[u8]) -> Result<()> {
        if bytes == expected {
            return Ok(());
        }
        let (mut left, mut right) = (Arena::new(Limits::default()), Arena::new(Limits::default()));
        let mut losses = Losses::none();
        let codec = self.codec(format);
        let found = codec.decode(bytes, &mut left, &mut losses).context("what was written cannot be read")?;
        let wanted = codec.decode(expected, &mut right, &mut losses)?;
        match wirewise_core::diff(&wanted, &found) {
            Some(difference) => bail!("{difference}"),
            None => Ok(()),
        }
    }
}
