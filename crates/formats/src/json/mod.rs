//! JSON (RFC 8259): objects, compact (records as arrays) and pretty.

mod any;
mod decimal;
mod decode;
mod encode;
mod guess;
mod number;
mod plan;
mod proto;
mod records;
mod scan;
mod simd;
mod trace;
mod usual;

use std::sync::Arc;

use wirewise_core::{Arena, Document, Losses, Recorder, Result, Schema, Silent, Union};

pub(crate) use any::{any_from_text, any_to_text};

use self::plan::Types;
use crate::dynamic::{Style, UnionPlan};
use crate::{Codec, Format, Framing, Guess, Info, Variant};

/// Whether values of this union are objects that name their branch: they are where two branches look alike. Otherwise the
/// value stands alone. (Not in compact arrays.)
pub fn is_tagged(schema: &Schema, union: &Union) -> bool {
    let style = Style { positional: false, textual: true };
    matches!(UnionPlan::new(schema, union, style), UnionPlan::Tagged)
}

/// The JSON format.
pub(crate) struct Json;

static INFO: Info = Info {
    name: "json",
    title: "JSON",
    specification: "RFC 8259, https://www.rfc-editor.org/rfc/rfc8259",
    media_types: &["application/json", "text/json"],
    extensions: &["json", "ndjson", "jsonl"],
    help: include_str!("help.md"),
    libraries: &[
        ("rust", "serde_json"),
        ("javascript", "JSON"),
        ("browser", "JSON"),
        ("java", "Jackson"),
        ("ruby", "json"),
        ("erlang", "json of OTP"),
        ("python", "json"),
        ("go", "encoding/json"),
    ],
    variants: &[
        Variant {
            id: "json",
            media_type: "application/json",
            about: "records as objects",
            text: true,
            schemaless: true,
            framing: Framing::Lines,
            list_is_stream: false,
            evolves: true,
            partial_read: false,
            compact: false,
        },
        Variant {
            id: "json-compact",
            media_type: "application/json;variant=compact",
            about: "records as arrays of their fields",
            text: true,
            schemaless: false,
            framing: Framing::Lines,
            list_is_stream: false,
            evolves: false,
            partial_read: false,
            compact: true,
        },
        Variant {
            id: "json-pretty",
            media_type: "application/json;variant=pretty",
            about: "records as objects, indented",
            text: true,
            schemaless: true,
            framing: Framing::JsonArray,
            list_is_stream: false,
            evolves: true,
            partial_read: false,
            compact: false,
        },
        Variant {
            id: "protojson",
            media_type: "application/json;variant=protojson",
            about: "Protobuf's JSON mapping",
            text: true,
            schemaless: false,
            framing: Framing::Lines,
            list_is_stream: false,
            evolves: true,
            partial_read: false,
            compact: false,
        },
    ],
};

impl Format for Json {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, schema: &Arc<Schema>, variant: &'static Variant) -> Result<Box<dyn Codec>> {
        if variant.id == "protojson" {
            return Ok(Box::new(proto::ProtoJsonCodec::new(schema)));
        }
        let style = Style { positional: variant.id == "json-compact", textual: true };
        let types = Types::new(schema, style);
        Ok(Box::new(JsonCodec { schema: schema.clone(), style, pretty: variant.id == "json-pretty", types }))
    }

    /// What is in an `Any` is written out.
    fn needs_all_types(&self, variant: &Variant) -> bool {
        variant.id == "protojson"
    }

    fn guess(&self, input: &[u8]) -> Vec<Guess> {
        guess::guess(input, INFO.variants)
    }
}

/// A schema compiled for JSON.
struct JsonCodec {
    schema: Arc<Schema>,
    style: Style,
    pretty: bool,
    types: Types,
}

impl Codec for JsonCodec {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn read(&self, input: &[u8], arena: &mut Arena, losses: &mut Losses) -> Result<usize> {
        decode::read(self, input, arena, losses, &mut Silent)
    }

    fn trace(&self, input: &[u8], arena: &mut Arena, losses: &mut Losses, recorder: &mut Recorder) -> Result<usize> {
        decode::read(self, input, arena, losses, recorder)
    }

    fn encode(&self, document: &Document<'_>, out: &mut Vec<u8>, losses: &mut Losses) -> Result<()> {
        encode::write(self, document, out, losses)
    }
}

#[cfg(test)]
mod tests;
