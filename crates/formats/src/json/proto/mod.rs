//! ProtoJSON, Protobuf's own mapping to JSON: <https://protobuf.dev/programming-guides/json/>.
//!
//! What a schema has and Protobuf has not (lists of lists, nulls among elements, dates) is as in plain JSON. A union is
//! what it is in Protobuf, a message with one of its fields.

mod base64;
mod names;
mod number;
mod plan;
mod read;
#[cfg(test)]
mod tests;
mod well_known;
mod write;

use std::sync::{Arc, OnceLock};

use wirewise_core::{Arena, Document, Error, ErrorKind, Kind, Losses, Recorder, Result, Schema, Silent, TypeId};

use crate::{Codec, protobuf};
use plan::TypePlan;

/// A schema compiled for ProtoJSON.
pub(super) struct ProtoJsonCodec {
    schema: Arc<Schema>,
    /// Beside the schema's table, indexed alike.
    types: Vec<TypePlan>,
    /// The Protobuf codecs of the messages that an `Any` may hold; each is made when one is met.
    embedded: Vec<OnceLock<Result<Box<dyn Codec>>>>,
}

impl ProtoJsonCodec {
    pub(super) fn new(schema: &Arc<Schema>) -> Self {
        let ids = (0..schema.types().len()).map(TypeId::from_index);
        let types = ids.map(|id| TypePlan::new(schema, id)).collect();
        let embedded = schema.types().iter().map(|_| OnceLock::new()).collect();
        ProtoJsonCodec { schema: schema.clone(), types, embedded }
    }

    /// The message type that the URL of an `Any` names, and its Protobuf codec.
    fn embedded(&self, url: &str) -> Result<(TypeId, &dyn Codec)> {
        let name = match url.rsplit_once('/') {
            Some((_, name)) if !name.is_empty() => name,
            _ => return Err(Error::new(ErrorKind::Data, format!("{url:?} is no type URL: no name follows a slash"))),
        };
        let id = self.schema.named(name).filter(|&id| matches!(self.schema.kind(id), Kind::Record(_)));
        let Some(id) = id else {
            return Err(Error::new(ErrorKind::Unsupported, format!("the schema has no message type {name:?}"))
                .hint("what an Any holds must be declared in the schema, or in what it imports"));
        };
        let codec = self.embedded[id.index()].get_or_init(|| protobuf::message_codec(&self.schema, id));
        codec.as_ref().map(|codec| (id, &**codec)).map_err(Clone::clone)
    }
}

impl Codec for ProtoJsonCodec {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn read(&self, input: &[u8], arena: &mut Arena, losses: &mut Losses) -> Result<usize> {
        read::read(self, input, arena, losses, &mut Silent)
    }

    fn trace(&self, input: &[u8], arena: &mut Arena, losses: &mut Losses, recorder: &mut Recorder) -> Result<usize> {
        read::read(self, input, arena, losses, recorder)
    }

    fn encode(&self, document: &Document<'_>, out: &mut Vec<u8>, losses: &mut Losses) -> Result<()> {
        write::write(self, document, out, losses)
    }
}
