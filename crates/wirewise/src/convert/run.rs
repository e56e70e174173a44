//! `wirewise convert`: what is to be done, the codecs for it, and doing it.

use std::sync::Arc;

use wirewise_core::{ErrorKind, Limits, LossKind, Losses, Schema};
use wirewise_formats::avro::{self, container::Header};
use wirewise_formats::{Codec, Framing, Variant, plan};
use wirewise_schema::Inference;
use wirewise_transcode::{Sink, Source};

use serde_json::json;

use super::inferred::{any_schema, infer, inference_options};
use super::input::{Input, LOOKAHEAD};
use super::shaping::{self, Sample, Sides, Wanted};
use super::stdio;
use super::variants::{keeps_unknown, source_variant, target_variant};
use crate::cli::{self, Output};
use crate::failure::{Failure, tell};
use crate::files::{self, Destination};
use crate::framing;
use crate::schemas::{self, Extent};

pub(crate) fn run(options: cli::Convert, output: Output) -> Result<(), Failure> {
    if options.stdio {
        return stdio::serve(options.limits.limits());
    }
    files::check_inputs([&options.input].into_iter().chain(&options.schema.schema))?;
    let mut input = Input::open(&options.input)?;
    let job = Job::find(&options, &mut input)?;
    if job.origin == Origin::Start && output == Output::Text {
        tell(&format!("note: the schema is inferred from the first {} MiB", LOOKAHEAD >> 20));
    }
    let mut losses = Losses::allowing(allowed(&options));
    let count = job.stream(&options, input, &mut losses)?;
    // After the messages: a schema for an output that is not there would be worse than none.
    job.sides.write_schema(&options)?;
    job.summarize(count, &losses, output);
    Ok(())
}

/// What may be dropped.
fn allowed(options: &cli::Convert) -> impl Iterator<Item = LossKind> {
    let unknown = options.ignore_unknown.then_some(LossKind::UnknownField);
    options.lossy.iter().filter_map(|name| LossKind::by_name(name)).chain(unknown)
}

/// What is to be done.
struct Job {
    from: &'static Variant,
    to: &'static Variant,
    in_framing: Framing,
    out_framing: Framing,
    /// The header of an input that is an Avro container.
    container: Option<Header>,
    sides: Sides,
    wanted: Wanted,
    origin: Origin,
    limits: Limits,
}

impl Job {
    /// From the options, and from how the input begins.
    fn find(options: &cli::Convert, input: &mut Input) -> Result<Job, Failure> {
        let wanted = Wanted::parse(&options.shape)?;
        let (_, from) = source_variant(options.from.as_deref(), &options.input)?;
        let (_, to) = target_variant(options)?;
        let limits = options.limits.limits();
        let mut in_framing = framing::of_input(options.in_framing.as_deref(), from, input, &options.input)?;
        let is_container = in_framing == Framing::AvroContainer;
        let container = is_container.then(|| input.container_header(&options.input)).transpose()?;
        let (mut schema, origin) = match (schemas::read(&options.schema, Extent::of([from, to]))?, &container) {
            (Some(schema), _) => (schema, Origin::Given),
            (None, Some(header)) => {
                let schema = avro::parse_schema(&header.schema);
                (schema.map_err(|error| Failure::from_error(&error).in_file(&options.input))?, Origin::Input)
            }
            (None, None) => find_schema(from, in_framing, to, options, input, limits)?,
        };
        // A JSON array is a stream of messages, unless they are to be shaped together.
        if in_framing == Framing::JsonArray && options.in_framing.is_none() {
            if wanted.is_about_lists() && !framing::is_list(&schema) {
                schema = schema.list_of();
            }
            if framing::is_list(&schema) {
                in_framing = Framing::None;
            }
        }
        let out_framing = framing::of_output(options.out_framing.as_deref(), to, from, in_framing)?;
        let plain = Arc::new(schema);
        let sides = Sides::new(&wanted, plain, |recipe, schema| {
            let framing = framing::of_schema(in_framing, from, schema);
            let codec = codec_of_input(from, container.as_ref(), schema, options)?;
            let whole = framing == Framing::None;
            let sample = Sample { variant: from, framing, codec: &*codec, options, limits, whole };
            sample.steps(recipe, schema, input)
        })?;
        let in_framing = framing::of_schema(in_framing, from, sides.wire(&sides.input));
        let out_framing = framing::of_schema(out_framing, to, sides.wire(&sides.output));
        Ok(Job { from, to, in_framing, out_framing, container, sides, wanted, origin, limits })
    }

    /// The codecs of both sides.
    fn codecs(&self, options: &cli::Convert) -> Result<[Box<dyn Codec>; 2], Failure> {
        let (input, output) = (&self.sides.input, &self.sides.output);
        let from = codec_of_input(self.from, self.container.as_ref(), self.sides.wire(input), options)?;
        // The sink writes the container around them.
        let to = if self.to.framing == Framing::AvroContainer { "avro" } else { self.to.id };
        let to = plan(to, self.sides.wire(output)).map_err(|error| Failure::from_error(&error))?;
        Ok([shaping::wrap(from, input.as_ref()), shaping::wrap(to, output.as_ref())])
    }

    /// Converts message by message; returns how many there were.
    fn stream(&self, options: &cli::Convert, input: Input, losses: &mut Losses) -> Result<u64, Failure> {
        let [from, to] = self.codecs(options)?;
        let wrong = |error: wirewise_transcode::Error| self.explain(&error, options);
        let mut source = Source::new(input, self.in_framing, self.limits);
        let plain = self.sides.input.is_none() && self.sides.output.is_none();
        if plain && keeps_unknown(self.from, self.to, losses) {
            source = source.keep_unknown();
        }
        let mut sink = match self.out_framing {
            Framing::AvroContainer => {
                let header = avro::container_header(self.sides.wire(&self.sides.output), self.to.id);
                let header = header.map_err(|error| Failure::from_error(&error))?;
                Sink::container(Destination::create(&options.out)?, &header)
            }
            framing => Sink::new(Destination::create(&options.out)?, framing).text(self.to.text),
        };
        if options.out_framing.is_none() && self.in_framing == Framing::Concatenated && self.from.text {
            sink = sink.bare_when_single();
        }
        match wirewise_transcode::convert(&mut source, &*from, &mut sink, &*to, losses) {
            Ok(count) => {
                sink.finish().map_err(wrong)?.complete()?;
                Ok(count)
            }
            Err(error) => {
                // What is whole goes out, so that a reader of the pipe sees how far it went; a file does not appear.
                if files::is_standard(&options.out) {
                    sink.abandon().map_err(wrong)?;
                }
                Err(wrong(error))
            }
        }
    }

    /// An error of the stream, with what is likely to help.
    fn explain(&self, error: &wirewise_transcode::Error, options: &cli::Convert) -> Failure {
        let failure = Failure::in_stream(error, &options.input, &options.out, self.from.text);
        let wirewise_transcode::Error::Message { error, .. } = error else { return failure };
        if options.in_framing.is_none() && self.in_framing == Framing::None && error.offset().is_some() {
            return failure.hint(format!(
                "the file was read as one message: if it has more, --in-framing says what is between them, as {}",
                self.from.framing.name()
            ));
        }
        // The data is right, and the schema knows too little of it.
        if self.origin == Origin::Start && matches!(error.kind(), ErrorKind::Data | ErrorKind::Loss(_)) {
            return failure.hint(format!(
                "the schema was inferred from the first {} MiB: `wirewise schema infer` makes one from all of the data, \
                 for --schema",
                LOOKAHEAD >> 20
            ));
        }
        if self.sides.from_start && error.kind() == ErrorKind::Data {
            return failure.hint(format!(
                "the shapes were found in the first {} MiB: give --shape the steps that suit all of the data",
                LOOKAHEAD >> 20
            ));
        }
        failure
    }

    /// Tells what was done.
    fn summarize(&self, count: u64, losses: &Losses, output: Output) {
        let lost = losses.summary(&self.sides.schema);
        match output {
            Output::Json => {
                let lost: Vec<_> = lost
                    .iter()
                    .map(|(kind, place, count)| json!({"kind": kind.name(), "place": place, "count": count}))
                    .collect();
                let mut summary = json!({
                    "wirewise": "convert/1", "messages": count, "schema": self.origin.name(), "lost": lost,
                });
                if let Some(shaping) = &self.sides.output {
                    summary["shapes"] = shaping::json(shaping);
                }
                tell(&summary.to_string());
            }
            Output::Text => {
                for (kind, place, count) in lost {
                    tell(&format!("dropped {count}: {kind} at {place}"));
                }
                if let Some(shaping) = &self.sides.output {
                    shaping::tell_about(&self.wanted, shaping);
                }
            }
        }
    }
}

/// The codec of what is on the input's wire.
fn codec_of_input(
    from: &'static Variant,
    container: Option<&Header>,
    schema: &Arc<Schema>,
    options: &cli::Convert,
) -> Result<Box<dyn Codec>, Failure> {
    let codec = match container {
        // Values are laid out as the file's own schema says.
        Some(header) => avro::plan_for_container(schema, header),
        None => plan(from.id, schema),
    };
    codec.map_err(|error| match container {
        Some(_) => Failure::from_error(&error).in_file(&options.input).hint("without --schema its own schema is used"),
        None => Failure::from_error(&error),
    })
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
    if to.schemaless && options.shape.is_empty() && options.schema_out.is_none() {
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
