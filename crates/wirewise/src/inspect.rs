//! `wirewise inspect`.

use std::io::{BufWriter, Cursor, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use anstream::adapter::strip_str;
use serde_json::json;
use wirewise_core::{Limits, Schema};
use wirewise_formats::{Framing, Variant};
use wirewise_inspect::layers::{self, Layer};
use wirewise_inspect::{ByField, Candidate, Failure as Stopped, Frames, Reading, Summary};
use wirewise_report::inspect::{self as report, Lines, Text};

use crate::cli::{self, Output, Wrapper};
use crate::convert::{self, Input};
use crate::failure::{Failure, tell};
use crate::framing;
use crate::{files, schemas};

/// Bytes from which it is guessed what the input is.
const LOOK: usize = 64 << 10;

/// Bytes written at once.
const BUFFER: usize = 64 << 10;

/// Below this, a guess is none.
const LEAST: u8 = 20;

/// From here on, what the bytes look like counts for more than the name of the file.
const SURE: u8 = 80;

pub(crate) fn run(options: cli::Inspect, output: Output) -> Result<(), Failure> {
    files::check_inputs([&options.input].into_iter().chain(&options.schema.schema))?;
    let limits = options.limits.limits();
    let schema = schemas::read(&options.schema)?.map(Arc::new);
    let mut stream = Stream::open(&options, limits)?;
    let mut writer = Writer::new(&options, output);
    if let Some(failure) = stream.broken(&options.input) {
        writer.layers(&stream)?;
        return Err(failure);
    }
    let plan = Plan::make(&options, &mut stream, schema.as_ref())?;
    if output == Output::Text {
        plan.tell();
    }
    let reading = Reading::plan(plan.variant, plan.frames, plan.confluent, schema.as_ref())
        .map_err(|error| Failure::from_error(&error))?;
    writer.begin(&plan, &stream)?;
    let mut by_field = ByField::default();
    let mut wrong = None;
    let summary = wirewise_inspect::inspect(stream.input, &reading, limits, options.max_messages, &mut |item| {
        if options.by_field {
            by_field.add(item);
            return ControlFlow::Continue(());
        }
        match writer.item(item) {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                wrong = Some(failure);
                ControlFlow::Break(())
            }
        }
    });
    if let Some(failure) = wrong {
        return Err(failure);
    }
    let summary = summary.map_err(|stopped| match stopped {
        Stopped::Read(error) => Failure::io("read", &options.input, &error),
        Stopped::Plan(error) => Failure::from_error(&error).in_file(&options.input),
    })?;
    writer.end(&summary, &by_field)?;
    match summary.broken {
        None => Ok(()),
        Some(broken) => Err(Failure::in_item(&broken, &options.input)),
    }
}

/// The input without what is compressed around it.
struct Stream {
    input: Input,
    /// What was peeled off; after one that is broken there is nothing.
    layers: Vec<Layer>,
}

impl Stream {
    fn open(options: &cli::Inspect, limits: Limits) -> Result<Stream, Failure> {
        let mut stream = Stream { input: Input::open(&options.input)?, layers: Vec::new() };
        let path = &options.input;
        let told: Vec<_> = options.unwrap.iter().filter_map(|wrapper| wrapper.compressor()).collect();
        if !options.unwrap.is_empty() {
            for compressor in told {
                let compressor = wirewise_compress::by_name(compressor);
                let (compressor, _) = compressor.map_err(|error| Failure::bad(error.to_string()))?;
                stream.peel(compressor, path, limits)?;
            }
            return Ok(stream);
        }
        while stream.layers.len() < layers::MOST && stream.layers.last().is_none_or(|layer| layer.error.is_none()) {
            let Some(compressor) = layers::detect(stream.input.peek(LOOK, path)?) else { break };
            stream.peel(compressor, path, limits)?;
        }
        // Nothing in brotli tells what it is: the name of the file may.
        if stream.layers.is_empty() && path.extension().is_some_and(|extension| extension == "br") {
            let (brotli, _) = wirewise_compress::by_name("brotli").map_err(|error| Failure::bad(error.to_string()))?;
            stream.peel(brotli, path, limits)?;
        }
        Ok(stream)
    }

    /// Decompresses all of it, as far as a message may be long.
    fn peel(
        &mut self,
        compressor: &dyn wirewise_compress::Compressor,
        path: &Path,
        limits: Limits,
    ) -> Result<(), Failure> {
        let mut packed = Vec::new();
        let most = limits.message_bytes as u64;
        let read = (&mut self.input).take(most + 1).read_to_end(&mut packed);
        read.map_err(|error| Failure::io("read", path, &error))?;
        let name = compressor.info().name;
        if packed.len() as u64 > most {
            return Err(Failure::bad(format!("the {name} data has more than the limit of {most} bytes"))
                .hint("--max-message sets how much is decompressed")
                .in_file(path));
        }
        let layer = Layer::peel(compressor, packed, limits.message_bytes);
        self.input = Input::of(Box::new(Cursor::new(layer.unpacked.clone())));
        self.layers.push(layer);
        Ok(())
    }

    /// What is wrong with the innermost layer.
    fn broken(&self, path: &Path) -> Option<Failure> {
        let error = self.layers.last()?.error.as_ref()?;
        let failure = Failure::bad(error.message()).in_file(path);
        let limit = error.kind() == wirewise_core::ErrorKind::Limit;
        Some(if limit { failure.hint("--max-message sets how much is decompressed") } else { failure })
    }
}

/// How the input is read, and how sure that is.
struct Plan {
    variant: &'static Variant,
    frames: Frames,
    confluent: bool,
    /// What was guessed, where something had to be, and what else it may be.
    guess: Option<(Candidate, Vec<Candidate>)>,
}

impl Plan {
    fn make(options: &cli::Inspect, stream: &mut Stream, schema: Option<&Arc<Schema>>) -> Result<Plan, Failure> {
        let path = &options.input;
        let frames = options.in_framing.as_deref().map(|name| match Framing::by_name(name) {
            Some(framing) => Frames::Framing(framing),
            None => Frames::Grpc,
        });
        let confluent = (!options.unwrap.is_empty()).then(|| options.unwrap.contains(&Wrapper::Confluent));
        let start = stream.input.peek(LOOK, path)?;
        let mut candidates = wirewise_inspect::guess(start, start.len() < LOOK, schema);
        candidates
            .retain(|candidate| frames.is_none_or(|frames| frames == candidate.frames || confluent == Some(true)));
        candidates.retain(|candidate| confluent.is_none_or(|confluent| confluent == candidate.confluent));
        let empty = start.is_empty();

        // What the user says, what the name of the file says, what the bytes look like.
        let told = match &options.from {
            Some(name) => Some(wirewise_formats::find(name).map_err(|error| Failure::from_error(&error))?),
            None => convert::by_extension(path),
        };
        let variant = match (told, candidates.first()) {
            (Some((_, variant)), _) if options.from.is_some() => variant,
            (Some((format, variant)), likeliest) => {
                let fits = |candidate: &&Candidate| format.info().variants.contains(candidate.variant);
                match (candidates.iter().find(fits), likeliest) {
                    (Some(candidate), _) if candidate.certainty >= LEAST => candidate.variant,
                    (_, Some(other)) if other.certainty >= SURE => other.variant,
                    _ => variant,
                }
            }
            (None, Some(candidate)) if candidate.certainty >= LEAST => candidate.variant,
            (None, _) if empty => return Err(Failure::bad("there is nothing to inspect").in_file(path)),
            (None, first) => {
                let failure = Failure::bad("nothing tells what this is").in_file(path);
                let failure = failure.hint("say it with --from; `wirewise formats` lists what there is");
                return Err(match first {
                    Some(first) => {
                        failure.hint(format!("it may be {} ({}%: {})", first.describe(), first.certainty, first.why))
                    }
                    None => failure,
                });
            }
        };
        candidates.sort_by_key(|candidate| candidate.variant != variant);
        let guessed = candidates.first().filter(|candidate| candidate.variant == variant).cloned();
        let usual = match options.in_framing.as_deref() {
            Some("grpc") => Frames::Grpc,
            name => Frames::Framing(framing::of_input(name, variant, &mut stream.input, path)?),
        };
        let sure = guessed.as_ref().filter(|guess| guess.certainty >= 50 || options.from.is_none());
        let confluent = confluent.unwrap_or(sure.is_some_and(|guess| guess.confluent));
        let mut plan = Plan { variant, frames: frames.unwrap_or(usual), confluent, guess: None };
        if let (None, Some(guess)) = (frames, sure) {
            plan.frames = guess.frames;
        }
        if confluent && frames.is_none() {
            plan.frames = Frames::Framing(Framing::None);
        }
        if let (Frames::Framing(framing), Some(schema)) = (plan.frames, schema) {
            plan.frames = Frames::Framing(framing::of_schema(framing, variant, schema));
        }
        // What was not told, and is not as it usually is.
        let by_name = told.is_some_and(|(format, _)| format.info().variants.contains(variant));
        if !by_name || plan.frames != usual || (plan.confluent && options.unwrap.is_empty()) {
            plan.guess = guessed.map(|guess| {
                let others = candidates.into_iter().filter(|other| *other != guess && other.certainty >= LEAST / 2);
                let others = others.take(3).collect();
                (guess, others)
            });
        }
        Ok(plan)
    }

    /// Says what was guessed.
    fn tell(&self) {
        let Some((guess, others)) = &self.guess else { return };
        tell(&format!("note: read as {} (certainty {}%: {})", guess.describe(), guess.certainty, guess.why));
        if !others.is_empty() {
            let others: Vec<_> =
                others.iter().map(|other| format!("{} ({}%)", other.describe(), other.certainty)).collect();
            tell(&format!("note: it may also be {}; --from and --in-framing choose", others.join(", ")));
        }
    }
}

/// Where the results go, in one of the forms.
struct Writer {
    form: Form,
    name: String,
    by_field: bool,
    out: BufWriter<std::io::StdoutLock<'static>>,
    /// Whether a terminal shows it that wants colours.
    colors: bool,
    items: u64,
}

enum Form {
    Text(Text),
    Json,
}

impl Writer {
    fn new(options: &cli::Inspect, output: Output) -> Writer {
        let form = match output {
            Output::Text => Form::Text(Text::new(if options.full { Lines::All } else { Lines::Few })),
            Output::Json => Form::Json,
        };
        let name = if files::is_standard(&options.input) { "<stdin>".to_owned() } else { files::name(&options.input) };
        let out = std::io::stdout();
        let colors = anstream::AutoStream::choice(&out) != anstream::ColorChoice::Never;
        let out = BufWriter::with_capacity(BUFFER, out.lock());
        Writer { form, name, by_field: options.by_field, out, colors, items: 0 }
    }

    fn put(&mut self, text: &str) -> Result<(), Failure> {
        let text = if self.colors { text.to_owned() } else { strip_str(text).to_string() };
        self.out.write_all(text.as_bytes()).map_err(|error| Failure::write(Path::new("-"), &error))
    }

    /// For people, what is around the data: where that is broken, it is all there is.
    fn layers(&mut self, stream: &Stream) -> Result<(), Failure> {
        let Form::Text(text) = &mut self.form else { return Ok(()) };
        let shown = stream.layers.iter().map(|layer| match self.by_field {
            false => text.layer(layer),
            true => report::layer_line(layer),
        });
        let shown: String = shown.collect();
        self.put(&shown)?;
        self.out.flush().map_err(|error| Failure::write(Path::new("-"), &error))
    }

    fn begin(&mut self, plan: &Plan, stream: &Stream) -> Result<(), Failure> {
        let text = match &self.form {
            Form::Text(_) => return self.layers(stream),
            Form::Json => {
                let layers = stream.layers.iter().map(report::layer_json);
                let candidate = |candidate: &Candidate| {
                    json!({
                        "variant": candidate.variant.id, "framing": candidate.frames.name(),
                        "confluent": candidate.confluent, "certainty": candidate.certainty, "why": candidate.why,
                    })
                };
                let guess = plan.guess.as_ref().map(|(guess, others)| {
                    let mut guess = candidate(guess);
                    guess["others"] = others.iter().map(candidate).collect();
                    guess
                });
                let head = json!({
                    "wirewise": if self.by_field { "inspect-by-field/1" } else { "inspect/1" },
                    "input": self.name,
                    "variant": plan.variant.id,
                    "framing": plan.frames.name(),
                    "confluent": plan.confluent,
                    "guess": guess,
                    "layers": layers.collect::<Vec<_>>(),
                });
                // The object goes on, item by item.
                let mut head = head.to_string();
                head.pop();
                head.push_str(if self.by_field { "" } else { ",\n\"items\":[" });
                head
            }
        };
        self.put(&text)
    }

    fn item(&mut self, item: &wirewise_inspect::Item<'_>) -> Result<(), Failure> {
        let text = match &mut self.form {
            Form::Text(text) => text.item(item),
            Form::Json => format!("{}\n{}", if self.items > 0 { "," } else { "" }, report::item_json(item)),
        };
        self.items += 1;
        self.put(&text)
    }

    fn end(&mut self, summary: &Summary, by_field: &ByField) -> Result<(), Failure> {
        let text = match (&self.form, self.by_field) {
            (Form::Text(_), true) => report::fields(by_field),
            (Form::Text(_), false) if summary.messages == 0 && summary.broken.is_none() => {
                "there is no message\n".to_owned()
            }
            (Form::Text(_), false) if summary.more => "\nMore messages follow.\n".to_owned(),
            (Form::Text(_), false) => String::new(),
            (Form::Json, by_fields) => {
                let mut tail = json!({ "messages": summary.messages, "bytes": summary.bytes, "more": summary.more });
                if by_fields {
                    tail = report::fields_json(by_field);
                    tail["more"] = summary.more.into();
                }
                let broken = summary.broken.as_ref();
                tail["broken"] = broken.map_or(serde_json::Value::Null, |broken| {
                    let mut out = json!({
                        "record": broken.message, "offset": broken.offset, "message": broken.error.message(),
                    });
                    if let Some(within) = &broken.within {
                        out["within"] = within.as_str().into();
                    }
                    out
                });
                let tail = tail.to_string();
                format!("{},\n{}\n", if by_fields { "" } else { "\n]" }, &tail[1..])
            }
        };
        self.put(&text)?;
        self.out.flush().map_err(|error| Failure::write(Path::new("-"), &error))
    }
}
