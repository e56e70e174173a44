//! A schema and the Avro schema that its values are written with: what all variants are made of.

use std::sync::Arc;

use wirewise_core::{Arena, Cell, Document, ErrorKind, Losses, Out, Result, Schema, Tracer, TypeId};

use super::container::{Header, other_schema, sync_marker};
use super::decode::Decoder;
use super::encode::Encoder;
use super::fingerprint::fingerprint;
use super::model::AvroSchema;
use super::plan::Plan;
use super::resolve::resolve;
use super::wire::{Place, Reader};
use super::{lower, parse};
use crate::avro::container::BlockCodec;

/// Values of the type `ty` of `schema`, compiled.
pub(super) struct Bound {
    pub(super) schema: Arc<Schema>,
    pub(super) ty: TypeId,
    pub(super) plan: Plan,
    pub(super) fingerprint: u64,
    /// The schema file, as containers carry it.
    text: String,
    canonical_form: String,
}

impl Bound {
    /// With the Avro schema that we make for the type.
    pub(super) fn lowered(schema: &Arc<Schema>, ty: TypeId) -> Result<Bound> {
        let avro = lower::lower(schema, ty)?;
        Bound::new(schema, ty, &avro, avro.to_json())
    }

    /// With the Avro schema of somebody else.
    pub(super) fn with_avsc(schema: &Arc<Schema>, ty: TypeId, text: &str) -> Result<Bound> {
        Bound::new(schema, ty, &parse::parse(text)?, text.to_owned())
    }

    fn new(schema: &Arc<Schema>, ty: TypeId, avro: &AvroSchema, text: String) -> Result<Bound> {
        let plan = Plan::new(schema, ty, avro)?;
        let canonical_form = avro.canonical_form();
        let fingerprint = fingerprint(&canonical_form);
        Ok(Bound { schema: schema.clone(), ty, plan, fingerprint, text, canonical_form })
    }

    /// The plan for values that were written with the schema in `header`, if it is another one than ours but has the
    /// same values.
    pub(super) fn plan_for(&self, header: &Header) -> Result<Option<Plan>> {
        if header.schema == self.text {
            return Ok(None);
        }
        let theirs = parse::parse(&header.schema)?;
        if theirs.canonical_form() == self.canonical_form {
            return Ok(None);
        }
        // The same values in another order, or other names: this can be read as if it were ours.
        let same = Plan::new(&self.schema, self.ty, &theirs);
        let plan = same.or_else(|_| self.resolve(&theirs));
        plan.map(Some).map_err(|error| match error.kind() {
            ErrorKind::Unsupported => other_schema(&error),
            _ => error,
        })
    }

    /// The plan for values that were written with another schema.
    pub(super) fn resolve(&self, writer: &AvroSchema) -> Result<Plan> {
        // Our own schema as Avro sees it: what others wrote is matched with that.
        let reader = parse::parse(&self.text)?;
        resolve(&self.schema, self.ty, &reader, writer)
    }

    pub(super) fn header(&self, codec: BlockCodec) -> Header {
        let sync = sync_marker(self.fingerprint);
        Header { schema: self.text.clone(), codec, sync, metadata: Vec::new() }
    }

    pub(super) fn decoder<'a, T: Tracer>(
        &'a self,
        plan: &'a Plan,
        wire: Reader<'a>,
        whole: &'a [u8],
        arena: &'a mut Arena,
        tracer: &'a mut T,
    ) -> Decoder<'a, T> {
        let base = match wire.place {
            Place::Message => Some(0),
            Place::Block(start) => Some(start),
            Place::Compressed(_) => None,
        };
        Decoder { plan, schema: &self.schema, wire, whole, base, arena, tracer }
    }

    pub(super) fn encode(
        &self,
        document: &Document<'_>,
        cell: Cell,
        out: &mut Vec<u8>,
        losses: &mut Losses,
    ) -> Result<()> {
        Encoder { plan: &self.plan, document, losses }.value(self.plan.root, cell, &mut Out::new(out))
    }
}
