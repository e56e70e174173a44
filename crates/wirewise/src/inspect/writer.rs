//! Writing what is found, as it is found.

use std::io::{BufWriter, Write};
use std::path::Path;

use anstream::adapter::strip_str;
use serde_json::json;
use wirewise_inspect::{ByField, Candidate, Summary};
use wirewise_report::inspect::{self as report, Lines, Text};

use super::plan::Plan;
use super::stream::Stream;
use crate::cli::{self, Output};
use crate::failure::Failure;
use crate::files;

/// Bytes written at once.
const BUFFER: usize = 64 << 10;

/// Where the results go, in one of the forms.
pub(super) struct Writer {
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
    pub(super) fn new(options: &cli::Inspect, output: Output) -> Writer {
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

    pub(super) fn put(&mut self, text: &str) -> Result<(), Failure> {
        let text = if self.colors { text.to_owned() } else { strip_str(text).to_string() };
        self.out.write_all(text.as_bytes()).map_err(|error| Failure::write(Path::new("-"), &error))
    }

    /// For people, what is around the data: where that is broken, it is all there is.
    pub(super) fn layers(&mut self, stream: &Stream) -> Result<(), Failure> {
        let Form::Text(text) = &mut self.form else { return Ok(()) };
        let shown = stream.layers.iter().map(|layer| match self.by_field {
            false => text.layer(layer),
            true => report::layer_line(layer),
        });
        let shown: String = shown.collect();
        self.put(&shown)?;
        self.out.flush().map_err(|error| Failure::write(Path::new("-"), &error))
    }

    pub(super) fn begin(&mut self, plan: &Plan, stream: &Stream) -> Result<(), Failure> {
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

    pub(super) fn item(&mut self, item: &wirewise_inspect::Item<'_>) -> Result<(), Failure> {
        let text = match &mut self.form {
            Form::Text(text) => text.item(item),
            Form::Json => format!("{}\n{}", if self.items > 0 { "," } else { "" }, report::item_json(item)),
        };
        self.items += 1;
        self.put(&text)
    }

    pub(super) fn end(&mut self, summary: &Summary, by_field: &ByField) -> Result<(), Failure> {
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
