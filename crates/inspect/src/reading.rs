//! How a stream is read.

use std::sync::Arc;

use wirewise_core::{Arena, Document, Error, ErrorKind, Limits, Losses, Recorder, Result, Schema};
use wirewise_formats::{Codec, FORMATS, Format, Framing, Variant};

/// What tells one message from the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Frames {
    /// A framing of files.
    Framing(Framing),
    /// The frames of gRPC: a flag, a length, a message that may be compressed.
    Grpc,
}

impl Frames {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Frames::Framing(framing) => framing.name(),
            Frames::Grpc => "grpc",
        }
    }
}

/// A variant and what is around its messages, compiled.
pub struct Reading {
    /// The variant.
    pub variant: &'static Variant,
    /// What tells messages apart.
    pub frames: Frames,
    /// Whether a Confluent header stands before each message.
    pub confluent: bool,
    pub(crate) protobuf: bool,
    pub(crate) schema: Option<Arc<Schema>>,
    /// `None` in a container, whose header is needed for it.
    codec: Option<Box<dyn Codec>>,
}

impl Reading {
    /// How to read messages of this variant: by their schema, or without one as far as the format goes.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] when the format says nothing without a schema, or cannot express this one.
    pub fn plan(
        variant: &'static Variant,
        frames: Frames,
        confluent: bool,
        schema: Option<&Arc<Schema>>,
    ) -> Result<Reading> {
        let (format, _) = wirewise_formats::find(variant.id)?;
        let container = frames == Frames::Framing(Framing::AvroContainer);
        let codec: Option<Box<dyn Codec>> = match schema {
            _ if container => None,
            Some(schema) => Some(format.plan(schema, variant)?),
            None => match format.info().variants.iter().find(|variant| variant.schemaless) {
                // Of the others, that have no names, the bytes are the same.
                Some(any) => Some(format.plan(&any_schema(), if variant.schemaless { variant } else { any })?),
                None => Some(Box::new(Raw::new(format, variant)?)),
            },
        };
        let protobuf = format.info().name == "protobuf";
        Ok(Reading { variant, frames, confluent, protobuf, schema: schema.cloned(), codec })
    }

    pub(crate) fn codec(&self) -> Result<&dyn Codec> {
        self.codec.as_deref().ok_or_else(|| Error::new(ErrorKind::Unsupported, "a container has its own codec"))
    }
}

/// Whether messages of this variant can be explained without a schema.
pub(crate) fn needs_schema(variant: &'static Variant, framing: Frames) -> bool {
    framing != Frames::Framing(Framing::AvroContainer)
        && FORMATS.iter().filter(|format| format.info().variants.contains(variant)).any(|format| {
            !format.info().variants.iter().any(|variant| variant.schemaless) && Raw::new(*format, variant).is_err()
        })
}

/// The schema of messages that may be anything.
fn any_schema() -> Arc<Schema> {
    Arc::new(Schema::parse(r#"{"wirewise": "schema/1", "root": "any"}"#).expect("it is a valid schema"))
}

/// Messages of a format that shows some structure without a schema. They cannot be decoded, only explained.
struct Raw {
    format: &'static dyn Format,
    variant: &'static Variant,
    schema: Arc<Schema>,
}

impl Raw {
    fn new(format: &'static dyn Format, variant: &'static Variant) -> Result<Raw> {
        // Whether it can explain anything does not depend on the bytes.
        match format.explain(variant, b"", &Limits::default(), &mut Recorder::new()) {
            Err(error) if error.kind() == ErrorKind::Unsupported => Err(error),
            _ => Ok(Raw { format, variant, schema: any_schema() }),
        }
    }
}

impl Codec for Raw {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn read(&self, input: &[u8], arena: &mut Arena, losses: &mut Losses) -> Result<usize> {
        self.trace(input, arena, losses, &mut Recorder::new())
    }

    fn encode(&self, _: &Document<'_>, _: &mut Vec<u8>, _: &mut Losses) -> Result<()> {
        Err(Error::new(ErrorKind::Unsupported, "without a schema nothing can be written"))
    }

    fn trace(&self, input: &[u8], arena: &mut Arena, _: &mut Losses, recorder: &mut Recorder) -> Result<usize> {
        arena.begin(input)?;
        self.format.explain(self.variant, input, arena.limits(), recorder)
    }
}
