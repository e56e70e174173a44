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
use crate::failure::{Failure, tell};
use crate::files::{self, Destination};
use crate::framing;

/// Bytes of standard input that a schema is inferred from; a file is read whole for that.
const LOOKAHEAD: u64 = 16 << 20;

pub(crate) fn run(options: cli::Convert, output: Output) -> Result<(), Failure> {
    files::check_inputs([&options.input].into_iter().chain(&options.schema.schema))?;
    let (_, from) = source_variant(options.from.as_deref(), &options.input)?;
    let (_, to) = target_variant(&options)?;
    let limits = options.limits.limits();

    let mut input = Input::open(&options.input)?;
    let in_framing = framing::of_input(options.in_framing.as_deref(), from, &mut input, &options.input)?;
    let out_framing = framing::of_output(options.out_framing.as_deref(), to, from, in_framing)?;

    let container =
        if in_framing == Framing::AvroContainer { Some(input.container_header(&options.input)?) } else { None };
    let (schema, origin) = match (&options.schema.schema, &container) {
        (Some(path), _) => (files::read_schema(path, options.schema.type_name.as_deref())?, Origin::Given),
        (None, Some(header)) => {
            let schema = avro::parse_schema(&header.schema);
            (schema.map_err(|error| Failure::from_error(&error).in_file(&options.input))?, Origin::Input)
        }
        (None, None) => find_schema(from, in_framing, to, &options, &mut input, limits)?,
    };
    let schema = Arc::new(schema);
    let in_framing = framing::of_schema(in_framing, from, &schema);
    let out_framing = framing::of_schema(out_framing, to, &schema);
    if origin == Origin::Start && output == Output::Text {
        tell(&format!("note: the schema is inferred from the first {} MiB", LOOKAHEAD >> 20));
    }
    let from_codec = match &container {
        // Values are laid out as the file's own schema says.
        Some(header) => avro::plan_for_container(&schema, header),
        None => plan(from.id, &schema),
    };
    let to_codec = plan(if to.framing == Framing::AvroContainer { "avro" } else { to.id }, &schema);
    let from_codec: Box<dyn Codec> = from_codec.map_err(|error| match container {
        Some(_) => Failure::from_error(&error).in_file(&options.input).hint("without --schema its own schema is used"),
        None => Failure::from_error(&error),
    })?;
    let to_codec: Box<dyn Codec> = to_codec.map_err(|error| Failure::from_error(&error))?;

    let mut kinds: Vec<_> = options.lossy.iter().filter_map(|name| LossKind::by_name(name)).collect();
    if options.ignore_unknown {
        kinds.push(LossKind::UnknownField);
    }
    let mut losses = Losses::allowing(kinds);
    let text = from.text;
    let wrong = |error: wirewise_transcode::Error| {
        let failure = Failure::in_stream(&error, &options.input, &options.out, text);
        match &error {
            wirewise_transcode::Error::Message { error, .. }
                if options.in_framing.is_none() && in_framing == Framing::None && error.offset().is_some() =>
            {
                failure.hint(format!(
                    "the file was read as one message: if it has more, --in-framing says what is between them, as {}",
                    from.framing.name()
                ))
            }
            // The data is right, and the schema knows too little of it.
            wirewise_transcode::Error::Message { error, .. }
                if origin == Origin::Start && matches!(error.kind(), ErrorKind::Data | ErrorKind::Loss(_)) =>
            {
                failure.hint(format!(
                    "the schema was inferred from the first {} MiB: `wirewise schema infer` makes one from all of the \
                     data, for --schema",
                    LOOKAHEAD >> 20
                ))
            }
            _ => failure,
        }
    };
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
    summarize(count, origin, &losses, &schema, output);
    Ok(())
}

/// Where the schema came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// The user.
    Given,
    /// The input, an Avro container.
    Input,
    /// No schema is needed between formats that describe themselves.
    Nowhere,
    /// All of the input.
    Inferred,
    /// The start of an input that cannot be read twice.
    Start,
}

impl Origin {
    /// Its name in the JSON form.
    fn name(self) -> &'static str {
        match self {
            Origin::Given => "given",
            Origin::Input => "input",
            Origin::Nowhere => "none",
            Origin::Inferred => "inferred",
            Origin::Start => "inferred-from-start",
        }
    }
}

pub(crate) fn by_extension(path: &Path) -> Option<(&'static dyn Format, &'static Variant)> {
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

/// The schema, where neither the user nor the input gives one: none at all, or an inferred one.
fn find_schema(
    from: &'static Variant,
    in_framing: Framing,
    to: &'static Variant,
    options: &cli::Convert,
    input: &mut Input,
    limits: Limits,
) -> Result<(Schema, Origin), Failure> {
    if !from.schemaless {
        return Err(Failure::bad(format!("{} cannot be read without a schema", from.id))
            .hint("give one with --schema; `wirewise schema infer` makes one from JSON"));
    }
    if to.schemaless {
        return Ok((any_schema(), Origin::Nowhere));
    }
    let name = files::root_name(&options.input);
    let mut inference = Inference::new(inference_options(limits));
    let whole = input.for_inference(&options.input, |reader, whole| {
        match infer(&mut inference, reader, whole, from, in_framing, &options.input, limits)? {
            0 => Err(Failure::bad("there is no message that a schema could be inferred from")
                .hint("give one with --schema")
                .in_file(&options.input)),
            _ => Ok(whole),
        }
    })?;
    let schema = inference.finish(&name).map_err(|error| Failure::from_error(&error))?;
    Ok((schema, if whole { Origin::Inferred } else { Origin::Start }))
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

/// Tells what was done.
fn summarize(count: u64, origin: Origin, losses: &Losses, schema: &Schema, output: Output) {
    let lost = losses.summary(schema);
    match output {
        Output::Json => {
            let lost: Vec<_> = lost
                .iter()
                .map(|(kind, place, count)| serde_json::json!({"kind": kind.name(), "place": place, "count": count}))
                .collect();
            let json = serde_json::json!({
                "wirewise": "convert/1", "messages": count, "schema": origin.name(), "lost": lost,
            });
            tell(&json.to_string());
        }
        Output::Text => {
            for (kind, place, count) in lost {
                tell(&format!("dropped {count}: {kind} at {place}"));
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
        Ok(Input::of(files::open(path)?))
    }

    pub(crate) fn of(rest: Box<dyn Read>) -> Self {
        Input { start: Cursor::new(Vec::new()), rest }
    }

    /// The first bytes: `size` of them if there are so many.
    pub(crate) fn peek(&mut self, size: usize, path: &Path) -> Result<&[u8], Failure> {
        let want = size.saturating_sub(self.start.get_ref().len()) as u64;
        let read = (&mut self.rest).take(want).read_to_end(self.start.get_mut());
        read.map_err(|error| Failure::io("read", path, &error))?;
        let start = self.start.get_ref();
        Ok(&start[..start.len().min(size)])
    }

    /// The header of an Avro container.
    fn container_header(&mut self, path: &Path) -> Result<Header, Failure> {
        let mut size = 64 << 10;
        loop {
            let start = self.peek(size, path)?;
            match Header::parse(start) {
                Ok((header, _)) => return Ok(header),
                // The header may be longer; its parser knows a limit.
                Err(error) if error.kind() == ErrorKind::End && start.len() == size => size *= 2,
                Err(error) => return Err(Failure::in_bytes(&error, path)),
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
        let kept = self.peek(LOOKAHEAD as usize, path)?;
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
