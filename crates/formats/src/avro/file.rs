//! A whole object container as one message: a list of values, or a single one.

use wirewise_core::{Arena, Cell, Document, Error, Kind, Losses, Result, Schema};

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
}

impl Codec for File {
    fn schema(&self) -> &Schema {
        &self.bound.schema
    }

    fn read(&self, input: &[u8], arena: &mut Arena, _losses: &mut Losses) -> Result<usize> {
        arena.begin(input)?;
        let (header, mut pos) = Header::parse(input)?;
        let theirs = self.bound.plan_for(&header)?;
        let plan = theirs.as_ref().unwrap_or(&self.bound.plan);
        let mut blocks = BlockReader::new(&header, *arena.limits());
        let list = self.is_list();
        let depth = usize::from(list);
        let mark = arena.mark();
        let mut only: Option<Cell> = None;
        let mut index = 0;
        while pos < input.len() {
            let block = blocks.next(&input[pos..]).map_err(|error| error.shifted(pos))?;
            let place = match block.offset {
                Some(offset) => Place::Block(pos + offset),
                None => Place::Compressed(pos),
            };
            let wire = Reader { input: block.data, pos: 0, place };
            let mut decoder = self.bound.decoder(plan, wire, input, arena);
            for _ in 0..block.count {
                if list {
                    let cell = decoder.value(plan.root, depth).map_err(|error| error.in_index(index))?;
                    decoder.arena.push(cell)?;
                    index += 1;
                } else if only.is_some() {
                    return Err(Error::data(pos, "the file has more than one value")
                        .hint("read it as a list, or with the framing avro-container"));
                } else {
                    only = Some(decoder.value(plan.root, depth)?);
                }
            }
            if decoder.wire.pos < block.data.len() {
                let left = block.data.len() - decoder.wire.pos;
                return Err(decoder
                    .wire
                    .syntax(decoder.wire.pos, format!("{left} bytes follow the values of a block")));
            }
            pos += block.used;
        }
        let root = match only {
            Some(cell) => cell,
            None if list => arena.list(mark)?,
            None => return Err(Error::end(input.len(), "a block with a value")),
        };
        arena.set_root(root);
        Ok(input.len())
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
