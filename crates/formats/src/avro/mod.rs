//! Avro (specification 1.12.0): datum, single object, and object containers.

mod attributes;
mod avsc;
mod decode;
mod encode;
mod model;
mod names;
mod plan;
mod wire;

use std::sync::Arc;

use wirewise_core::{Arena, Document, Losses, Result, Schema};

use crate::{Codec, Format, Framing, Info, Variant};
use decode::Decoder;
use encode::Encoder;
use plan::Plan;
use wire::{Place, Reader};

/// The Avro format.
pub(crate) struct Avro;

static INFO: Info = Info {
    name: "avro",
    title: "Avro",
    specification: "Apache Avro 1.12.0, https://avro.apache.org/docs/1.12.0/specification/",
    media_types: &["avro/binary", "application/avro"],
    extensions: &["avro"],
    help: include_str!("help.md"),
    variants: &[Variant {
        id: "avro",
        about: "datum: the values alone",
        text: false,
        schemaless: false,
        framing: Framing::Concatenated,
        list_is_stream: false,
    }],
};

impl Format for Avro {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, schema: &Arc<Schema>, _variant: &'static Variant) -> Result<Box<dyn Codec>> {
        let avro = avsc::lower(schema, schema.root())?;
        let plan = Plan::new(schema, schema.root(), &avro)?;
        Ok(Box::new(Datum { schema: schema.clone(), plan }))
    }
}

/// The values alone: readers need the schema they were written with.
struct Datum {
    schema: Arc<Schema>,
    plan: Plan,
}

impl Codec for Datum {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn read(&self, input: &[u8], arena: &mut Arena, _losses: &mut Losses) -> Result<usize> {
        arena.begin(input)?;
        let wire = Reader { input, pos: 0, place: Place::Message };
        let mut decoder = Decoder { plan: &self.plan, schema: &self.schema, wire, whole: input, arena };
        let root = decoder.value(self.plan.root, 0)?;
        let used = decoder.wire.pos;
        arena.set_root(root);
        Ok(used)
    }

    fn encode(&self, document: &Document<'_>, out: &mut Vec<u8>, losses: &mut Losses) -> Result<()> {
        Encoder { plan: &self.plan, document, losses }.value(self.plan.root, document.root(), out)
    }
}
