//! What a wire format is to the rest of Wirewise.

use std::sync::Arc;

use wirewise_core::{Arena, Document, Error, ErrorKind, Limits, Losses, Recorder, Result, Schema};

use crate::FORMATS;

/// A wire format. Stateless: everything that depends on a schema is in the [`Codec`] it plans.
pub trait Format: Sync {
    /// What it is called, where it is specified, which variants it has.
    fn info(&self) -> &'static Info;

    /// Compiles a schema into a codec for one of this format's variants.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`], naming the type, when the format cannot express the schema.
    fn plan(&self, schema: &Arc<Schema>, variant: &'static Variant) -> Result<Box<dyn Codec>>;

    /// Explains a message without a schema as far as the format tells what its bytes are, and returns how many bytes it
    /// took. Formats whose values need no schema at all are explained by their codec for the type `any`; this is for the
    /// others, whose bytes have some structure that can be seen, such as the field numbers of Protobuf.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] when nothing can be said; otherwise as [`Codec::read`].
    fn explain(
        &self,
        variant: &'static Variant,
        input: &[u8],
        limits: &Limits,
        recorder: &mut Recorder,
    ) -> Result<usize> {
        let _ = (input, limits, recorder);
        let what = format!("bytes of {} cannot be explained without a schema", variant.id);
        Err(Error::new(ErrorKind::Unsupported, what).hint("give one with --schema"))
    }

    /// Whether a message of this variant may hold messages of any type that the schema declares, and not only of those that
    /// its root consists of.
    fn needs_all_types(&self, variant: &Variant) -> bool {
        let _ = variant;
        false
    }

    /// Whether its decoders keep fields that the schema does not know where the arena asks for it
    /// ([`Arena::keep_unknown`]), and its encoders write them back.
    fn keeps_unknown(&self) -> bool {
        false
    }

    /// Which variants these bytes, the start of a file, may be, with what speaks for each; the likeliest first. Nothing
    /// when they are no message of this format.
    fn guess(&self, input: &[u8]) -> Vec<Guess> {
        let _ = input;
        Vec::new()
    }
}

/// What bytes may be.
#[derive(Debug, Clone, PartialEq)]
pub struct Guess {
    /// The variant.
    pub variant: &'static Variant,
    /// How messages follow each other.
    pub framing: Framing,
    /// How sure it is, from 0 to 100: 100 for magic bytes that nothing else has, above 50 when all of the input was
    /// read as this, below for what is merely possible.
    pub certainty: u8,
    /// What speaks for it, in a few words.
    pub why: String,
}

/// A schema compiled for one variant. One codec serves any number of threads and messages.
pub trait Codec: Send + Sync {
    /// The schema that its documents have.
    fn schema(&self) -> &Schema;

    /// Decodes the message at the start of `input` into `arena` (which it begins anew) and returns how many bytes it
    /// took. A variant whose messages do not delimit themselves takes all of the input.
    ///
    /// # Errors
    /// [`ErrorKind::End`] when more input could make the message valid; others with byte offset and path.
    fn read(&self, input: &[u8], arena: &mut Arena, losses: &mut Losses) -> Result<usize>;

    /// Appends the message to `out`. On an error `out` may have a part of it: truncate.
    ///
    /// # Errors
    /// [`ErrorKind::Loss`] or [`ErrorKind::Unsupported`] with the path of the value that the format cannot hold.
    fn encode(&self, document: &Document<'_>, out: &mut Vec<u8>, losses: &mut Losses) -> Result<()>;

    /// Like [`Codec::read`], and also says what each byte is. When it fails, what was recorded explains how far it went.
    ///
    /// # Errors
    /// As [`Codec::read`].
    fn trace(&self, input: &[u8], arena: &mut Arena, losses: &mut Losses, recorder: &mut Recorder) -> Result<usize> {
        let _ = (input, arena, losses, recorder);
        Err(Error::new(ErrorKind::Unsupported, "this codec cannot explain its bytes"))
    }

    /// Decodes a message that is all of `input`.
    ///
    /// # Errors
    /// As [`Codec::read`], and [`ErrorKind::Syntax`] when bytes are left over.
    fn decode<'a>(&'a self, input: &'a [u8], arena: &'a mut Arena, losses: &mut Losses) -> Result<Document<'a>> {
        let used = self.read(input, arena, losses)?;
        if used < input.len() {
            return Err(Error::syntax(used, format!("{} bytes follow the end of the message", input.len() - used))
                .hint("if the input is a stream of messages, choose its framing"));
        }
        Ok(Document::new(self.schema(), input, arena))
    }
}

/// What a format is: names, help pages and reports are made from this.
#[derive(Debug)]
pub struct Info {
    /// Its name on the command line, which also chooses its first variant: `msgpack`.
    pub name: &'static str,
    /// Its name in prose: `MessagePack`.
    pub title: &'static str,
    /// The specification that this implementation follows, with its version and address.
    pub specification: &'static str,
    /// Media types, the registered or preferred one first.
    pub media_types: &'static [&'static str],
    /// File extensions without the dot, the usual one first.
    pub extensions: &'static [&'static str],
    /// The help page, in Markdown.
    pub help: &'static str,
    /// Its variants, the default one first.
    pub variants: &'static [Variant],
    /// A library for it that is kept up, by language (`browser` is JavaScript in browsers); no line where we know of none.
    pub libraries: &'static [(&'static str, &'static str)],
}

/// The languages that [`Info::libraries`] speaks of.
pub const LANGUAGES: [&str; 8] = ["rust", "javascript", "browser", "java", "ruby", "erlang", "python", "go"];

impl Info {
    /// The library for a language.
    pub fn library(&self, language: &str) -> Option<&'static str> {
        self.libraries.iter().find(|(known, _)| *known == language).map(|&(_, library)| library)
    }
}

/// One way of writing a format. Sizes and times belong to variants, never to formats.
#[derive(Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its name on the command line and in reports, unique among all formats: `msgpack-named`.
    pub id: &'static str,
    /// Its media type, unique among all variants: that of its format, with a parameter where that is another variant's.
    pub media_type: &'static str,
    /// What sets it apart, in a few words.
    pub about: &'static str,
    /// Whether its messages are text.
    pub text: bool,
    /// Whether its messages need no schema: any can be read, and written, as a value of the type `any`.
    pub schemaless: bool,
    /// How messages of this variant follow each other in a file, unless the user says otherwise.
    pub framing: Framing,
    /// Whether a message whose root is a list is a sequence of framed messages, one for each element, rather than one
    /// message with a list in it. Such variants exist for streams: delimited Protobuf, Avro containers.
    pub list_is_stream: bool,
    /// Whether readers and writers may have different versions of the schema: fields have names or numbers on the wire, or
    /// messages say which schema they were written with.
    pub evolves: bool,
    /// Whether one field can be read without decoding the others.
    pub partial_read: bool,
    /// Whether it is the one of its format that people choose for its size.
    pub compact: bool,
}

/// How messages follow each other in a stream of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Framing {
    /// The input is one message.
    None,
    /// One message a line.
    Lines,
    /// The elements of one JSON array.
    JsonArray,
    /// Each message after its length as a varint (LEB128), as Protobuf's `writeDelimitedTo` writes.
    Varint,
    /// Each message after its length as 4 bytes, most significant first.
    U32Be,
    /// Each message after its length as 4 bytes, least significant first.
    U32Le,
    /// The blocks of an Avro object container file.
    AvroContainer,
    /// One after the other, where messages delimit themselves.
    Concatenated,
}

impl Framing {
    /// Every framing.
    pub const ALL: [Framing; 8] = [
        Framing::None,
        Framing::Lines,
        Framing::JsonArray,
        Framing::Varint,
        Framing::U32Be,
        Framing::U32Le,
        Framing::AvroContainer,
        Framing::Concatenated,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Framing::None => "none",
            Framing::Lines => "lines",
            Framing::JsonArray => "json-array",
            Framing::Varint => "varint",
            Framing::U32Be => "u32be",
            Framing::U32Le => "u32le",
            Framing::AvroContainer => "avro-container",
            Framing::Concatenated => "concatenated",
        }
    }

    /// The framing with this command-line name.
    pub fn by_name(name: &str) -> Option<Framing> {
        Framing::ALL.into_iter().find(|framing| framing.name() == name)
    }
}

/// The format and variant with this id; a format's name alone chooses its first variant.
///
/// # Errors
/// [`ErrorKind::Unsupported`] with the list of what there is.
pub fn find(id: &str) -> Result<(&'static dyn Format, &'static Variant)> {
    for format in FORMATS {
        let info = format.info();
        let variant = info.variants.iter().find(|variant| variant.id == id);
        if let Some(variant) = variant.or((info.name == id).then(|| &info.variants[0])) {
            return Ok((*format, variant));
        }
    }
    let known: Vec<_> = FORMATS.iter().flat_map(|format| format.info().variants).map(|variant| variant.id).collect();
    Err(Error::new(ErrorKind::Unsupported, format!("there is no format {id:?}"))
        .hint(format!("there are {}", known.join(", "))))
}

/// A codec for the variant with this id: [`find`] and [`Format::plan`] in one.
///
/// # Errors
/// Theirs.
pub fn plan(id: &str, schema: &Arc<Schema>) -> Result<Box<dyn Codec>> {
    let (format, variant) = find(id)?;
    format.plan(schema, variant)
}
