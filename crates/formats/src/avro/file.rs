//! A whole object container as one message: a list of values, or a single one.

use wirewise_core::{Arena, Cell, Document, Error, Kind, Losses, Recorder, Result, Role, Schema, Silent, Tracer};

use super::bound::Bound;
use super::container::{BlockCodec, BlockReader, Header, Writer};
use super::wire::{Place, Reader};
use crate::Codec;

/// Containers of one codec. Any codec is read.
pub(super) struct File {
    /// Of the elements, when the root is a list.
    bound: Bound,
    header: Header,
}

impl File {
    pub(super) fn new(bound: Bound, codec: BlockCodec) -> Self {
        let header = bound.header(codec);
        File { bound, header }
    }

    fn is_list(&self) -> bool {
        matches!(self.bound.schema.kind(self.bound.schema.root()), Kind::List(_))
    }

    fn read_with<T: Tracer>(&self, input: &[u8], arena: &mut Arena, tracer: &mut T) -> Result<usize> {
        arena.begin(input)?;
        let (header, mut pos) = Header::parse_with(input, tracer)?;
        let theirs = self.bound.plan_for(&header)?;
        let plan = theirs.as_ref().unwrap_or(&self.bound.plan);
        let mut blocks = BlockReader::new(&header, *arena.limits());
        let list = self.is_list();
        let depth = usize::from(list);
        let mark = arena.mark();
        let mut only: Option<Cell> = None;
        let mut index = 0;
        while pos < input.len() {
            let block = blocks.next_with(&input[pos..], pos, tracer).map_err(|error| error.shifted(pos))?;
            let place = match block.offset {
                Some(offset) => Place::Block(pos + offset),
                None => Place::Compressed(pos),
            };
            let wire = Reader { input: block.data, pos: 0, place };
            let mut decoder = self.bound.decoder(plan, wire, input, arena, tracer);
            for _ in 0..block.count {
                if list {
                    decoder.tracer.index(index);
                    let cell = decoder.root(depth).map_err(|error| error.in_index(index))?;
                    decoder.tracer.leave();
                    decoder.arena.push(cell)?;
                    index += 1;
                } else if only.is_some() {
                    return Err(Error::data(pos, "the file has more than one value")
                        .hint("read it as a list, or with the framing avro-container"));
                } else {
                    only = Some(decoder.root(depth)?);
                }
            }
            if decoder.wire.pos < block.data.len() {
                let left = block.data.len() - decoder.wire.pos;
                return Err(decoder
                    .wire
                    .syntax(decoder.wire.pos, format!("{left} bytes follow the values of a block")));
            }
            pos += block.used;
            if T::ON {
                let what = format_args!("sync marker");
                tracer.span(pos - header.sync.len()..pos, Role::Check, what, format_args!(""));
            }
        }
        let root = match only {
            Some(cell) => cell,
            None if list => arena.list(mark)?,
            None => return Err(Error::end(input.len(), "a block with a value")),
        };
        arena.set_root(root);
        Ok(input.len())
    }
}

impl Codec for File {
    fn schema(&self) -> &Schema {
        &self.bound.schema
    }

    fn read(&self, input: &[u8], arena: &mut Arena, _losses: &mut Losses) -> Result<usize> {
        self.read_with(input, arena, &mut Silent)
    }

    fn trace(&self, input: &[u8], arena: &mut Arena, _losses: &mut Losses, recorder: &mut Recorder) -> Result<usize> {
        self.read_with(input, arena, recorder)
    }

    fn encode(&self, document: &Document<'_>, out: &mut Vec<u8>, losses: &mut Losses) -> Result<()> {
        let mut writer = Writer::begin(&self.header, out);
        if self.is_list() {
            for (i, &cell) in document.list(document.root()).iter().enumerate() {
                let encode = |block: &mut Vec<u8>| self.bound.encode(document, cell, block, losses);
                writer.append_with(out, encode).map_err(|error| error.in_index(i))?;
            }
        } else {
            writer.append_with(out, |block| self.bound.encode(document, document.root(), block, losses))?;
        }
        writer.finish(out)
    }
}
