//! `wirewise convert`.

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use wirewise_core::{ErrorKind, Limits, LossKind, Losses, Schema};
use wirewise_formats::avro::{self, container::Header};
use wirewise_formats::{Codec, FORMATS, Format, Framing, Variant, find, plan};
use wirewise_schema::Inference;
use wirewise_transcode::{Sink, Source};

use crate::cli::{self, Output};
use crate::failure::Failure;
use crate::files::{self, Destination};

/// Bytes of standard input that a schema is inferred from; a file is read whole for that.
const LOOKAHEAD: u64 = 16 << 20;

pub(crate) fn run(options: cli::Convert, output: Output) -> Result<(), Failure> {
    let (_, from) = source_variant(options.from.as_deref(), &options.input)?;
    let (_, to) = target_variant(&options)?;
    let limits = options.limits.limits();

    let mut input = Input::open(&options.input)?;
    let in_framing = in_framing(options.in_framing.as_deref(), from, &mut input)?;
    let out_framing = options.out_framing.as_deref().and_then(Framing::by_name);
    let out_framing = out_framing.unwrap_or_else(|| default_out_framing(from, in_framing, to));

    let container =
        if in_framing == Framing::AvroContainer { Some(input.container_header(&options.input)?) } else { None };
    let schema = Arc::new(match (&options.schema.schema, &container) {
        (Some(path), _) => files::read_schema(path, options.schema.type_name.as_deref())?,
        (None, Some(header)) => avro::parse_schema(&header.schema).map_err(|error| Failure::from_error(&error))?,
        (None, None) => find_schema(from, in_framing, to, &options, &mut input, limits)?,
    });
    let from_codec = match &container {
        // Values are laid out as the file's own schema says.
        Some(header) => avro::plan_with("avro", &schema, &header.schema),
        None => plan(from.id, &schema),
    };
    let to_codec = plan(if to.framing == Framing::AvroContainer { "avro" } else { to.id }, &schema);
    let (from_codec, to_codec): (Box<dyn Codec>, Box<dyn Codec>) = match (from_codec, to_codec) {
        (Ok(from), Ok(to)) => (from, to),
        (Err(error), _) | (_, Err(error)) => return Err(Failure::from_error(&error)),
    };

    let mut kinds: Vec<_> = options.lossy.iter().filter_map(|name| LossKind::by_name(name)).collect();
    if options.ignore_unknown {
        kinds.push(LossKind::UnknownField);
    }
    let mut losses = Losses::allowing(kinds);
    let text = from.text;
    let wrong = |error: wirewise_transcode::Error| Failure::in_stream(&error, &options.input, &options.out, text);
    let mut source = Source::new(input, in_framing, limits);
    let mut sink = match out_framing {
        Framing::AvroContainer => {
            let header = avro::container_header(&schema, to.id).map_err(|error| Failure::from_error(&error))?;
            Sink::container(Destination::create(&options.out)?, &header)
        }
        framing => Sink::new(Destination::create(&options.out)?, framing).text(to.text),
    };
    if options.out_framing.is_none() && in_framing == Framing::Concatenated && from.text {
        sink = sink.bare_when_single();
    }
    let converted = wirewise_transcode::convert(&mut source, &*from_codec, &mut sink, &*to_codec, &mut losses);
    let count = match converted {
        Ok(count) => count,
        Err(error) => {
            // What is whole goes out, so that a reader of the pipe sees how far it went; a file does not appear.
            if files::is_standard(&options.out) {
                sink.abandon().map_err(wrong)?;
            }
            return Err(wrong(error));
        }
    };
    sink.finish().map_err(wrong)?.complete()?;
    tell(count, &losses, &schema, output);
    Ok(())
}

fn by_extension(path: &Path) -> Option<(&'static dyn Format, &'static Variant)> {
    let extension = path.extension()?.to_str()?;
    let format = FORMATS.iter().find(|format| format.info().extensions.contains(&extension))?;
    let variants = format.info().variants;
    // Files of Avro are containers: only they carry their schema.
    let container = variants.iter().find(|variant| variant.framing == Framing::AvroContainer);
    Some((*format, container.unwrap_or(&variants[0])))
}

pub(crate) fn source_variant(
    name: Option<&str>,
    path: &Path,
) -> Result<(&'static dyn Format, &'static Variant), Failure> {
    match name {
        Some(name) => find(name).map_err(|error| Failure::from_error(&error)),
        None => match by_extension(path) {
            Some(found) => Ok(found),
            None => find("json").map_err(|error| Failure::from_error(&error)),
        },
    }
}

fn target_variant(options: &cli::Convert) -> Result<(&'static dyn Format, &'static Variant), Failure> {
    match &options.to {
        Some(name) => find(name).map_err(|error| Failure::from_error(&error)),
        None => by_extension(&options.out)
            .ok_or_else(|| Failure::bad("no target format").hint("name it with --to; `wirewise formats` lists them")),
    }
}

/// How messages follow each other in the input, where the user does not say.
pub(crate) fn in_framing(name: Option<&str>, variant: &Variant, input: &mut Input) -> Result<Framing, Failure> {
    if let Some(framing) = name.and_then(Framing::by_name) {
        return Ok(framing);
    }
    if variant.text {
        // One document, one a line, or documents in any layout: JSON delimits itself. An array of objects is a list
        // of messages.
        let start = input.peek(4096)?;
        let mut marks = start.iter().filter(|byte| !byte.is_ascii_whitespace());
        let element = if variant.id == "json-compact" { b'[' } else { b'{' };
        let array = marks.next() == Some(&b'[') && marks.next() == Some(&element);
        return Ok(if array { Framing::JsonArray } else { Framing::Concatenated });
    }
    Ok(match variant.framing {
        framing @ (Framing::Concatenated | Framing::AvroContainer) => framing,
        // A file of one message: the usual case for formats whose messages do not delimit themselves.
        _ => Framing::None,
    })
}

fn default_out_framing(from: &Variant, in_framing: Framing, to: &Variant) -> Framing {
    match (in_framing, to.text) {
        (Framing::JsonArray, true) => Framing::JsonArray,
        (Framing::None, true) => Framing::Lines,
        (Framing::None, false) if to.framing != Framing::AvroContainer => Framing::None,
        (Framing::Concatenated, true) if from.text && to.framing == Framing::JsonArray => Framing::Lines,
        _ => to.framing,
    }
}

/// The schema, where neither the user nor the input gives one: none at all, or an inferred one.
fn find_schema(
    from: &'static Variant,
    in_framing: Framing,
    to: &'static Variant,
    options: &cli::Convert,
    input: &mut Input,
    limits: Limits,
) -> Result<Schema, Failure> {
    if !from.schemaless {
        return Err(Failure::bad(format!("{} cannot be read without a schema", from.id))
            .hint("give one with --schema; `wirewise schema infer` makes one from JSON"));
    }
    if to.schemaless {
        return Ok(any_schema());
    }
    let name = files::root_name(&options.input);
    let mut inference = Inference::new(inference_options(limits));
    let whole = input.for_inference(&options.input, |reader, whole| {
        infer(&mut inference, reader, whole, from, in_framing, &options.input, limits).map(|_| whole)
    })?;
    if !whole {
        eprintln!(
            "note: the schema is inferred from the first {} MiB; `wirewise schema infer` can read all of the data first",
            LOOKAHEAD >> 20
        );
    }
    inference.finish(&name).map_err(|error| Failure::from_error(&error))
}

pub(crate) fn inference_options(limits: Limits) -> wirewise_schema::Options {
    wirewise_schema::Options { max_depth: limits.depth, limits, ..wirewise_schema::Options::default() }
}

fn any_schema() -> Schema {
    Schema::parse(r#"{"wirewise": "schema/1", "root": "any"}"#).expect("it is a valid schema")
}

/// Reads messages of any type into an inference; returns how many. Where the reader has not the whole stream, its cut
/// end is no error.
pub(crate) fn infer(
    inference: &mut Inference,
    reader: &mut dyn Read,
    whole: bool,
    variant: &'static Variant,
    framing: Framing,
    path: &Path,
    limits: Limits,
) -> Result<u64, Failure> {
    let schema = Arc::new(any_schema());
    let codec = plan(variant.id, &schema).map_err(|error| Failure::from_error(&error))?;
    let mut source = Source::new(reader, framing, limits);
    let mut count = 0;
    loop {
        match source.next(&*codec, &mut Losses::none()) {
            Ok(None) => return Ok(count),
            Ok(Some(document)) => {
                inference.add_document(&document).map_err(|error| Failure::from_error(&error).in_file(path))?;
                count += 1;
            }
            Err(wirewise_transcode::Error::Message { error, .. }) if !whole && error.kind() == ErrorKind::End => {
                return Ok(count);
            }
            Err(error) => return Err(Failure::in_stream(&error, path, path, variant.text)),
        }
    }
}

fn tell(count: u64, losses: &Losses, schema: &Schema, output: Output) {
    let lost = losses.summary(schema);
    match output {
        Output::Json => {
            let lost: Vec<_> = lost
                .iter()
                .map(|(kind, place, count)| serde_json::json!({"kind": kind.name(), "place": place, "count": count}))
                .collect();
            eprintln!("{}", serde_json::json!({ "wirewise": "convert/1", "messages": count, "lost": lost }));
        }
        Output::Text => {
            for (kind, place, count) in lost {
                eprintln!("dropped {count}: {kind} at {place}");
            }
        }
    }
}

/// An input whose start can be looked at before it is read.
pub(crate) struct Input {
    start: Cursor<Vec<u8>>,
    rest: Box<dyn Read>,
}

impl Input {
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        Ok(Input { start: Cursor::new(Vec::new()), rest: files::open(path)? })
    }

    /// The first bytes: `size` of them if there are so many.
    fn peek(&mut self, size: usize) -> Result<&[u8], Failure> {
        let want = size.saturating_sub(self.start.get_ref().len()) as u64;
        let read = (&mut self.rest).take(want).read_to_end(self.start.get_mut());
        read.map_err(|error| Failure::bad(format!("cannot read: {error}")))?;
        let start = self.start.get_ref();
        Ok(&start[..start.len().min(size)])
    }

    /// The header of an Avro container.
    fn container_header(&mut self, path: &Path) -> Result<Header, Failure> {
        let mut size = 64 << 10;
        loop {
            let start = self.peek(size)?;
            match Header::parse(start) {
                Ok((header, _)) => return Ok(header),
                // The header may be longer; its parser knows a limit.
                Err(error) if error.kind() == ErrorKind::End && start.len() == size => size *= 2,
                Err(error) => return Err(Failure::from_error(&error).in_file(path)),
            }
        }
    }

    /// Lets `work` read the input before it is converted: a file from its start to its end, standard input as far as it
    /// can be kept. `work` is told whether that is the whole.
    fn for_inference<T>(
        &mut self,
        path: &Path,
        work: impl FnOnce(&mut dyn Read, bool) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        // A pipe that has a name cannot be read twice either.
        if !files::is_standard(path) && path.is_file() {
            let mut file = File::open(path).map_err(|error| Failure::io("open", path, &error))?;
            return work(&mut file, true);
        }
        let kept = self.peek(LOOKAHEAD as usize)?;
        let whole = kept.len() < LOOKAHEAD as usize;
        work(&mut &kept[..], whole)
    }
}

impl Read for Input {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        match self.start.read(out)? {
            0 => self.rest.read(out),
            read => Ok(read),
        }
    }
}
