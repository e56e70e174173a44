//! `wirewise dictionary train`.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use wirewise_compress::Dictionary;
use wirewise_core::{Arena, Losses};
use wirewise_formats::{Format, Variant, find};
use wirewise_measure::Trained;
use wirewise_report::units::{counted, grouped, percent};

use crate::cli::{self, Output};
use crate::failure::{Failure, tell};
use crate::files;
use crate::samples::{self, Samples};
use crate::schemas::{self, Extent};

/// Messages beyond this are left out evenly: more make no better dictionary, and all are kept in memory.
const MOST_BYTES: usize = 128 << 20;
/// Samples should have this many times the bytes of the dictionary, says zstd's manual.
const RULE_OF_THUMB: f64 = 100.0;

pub(crate) fn run(command: cli::DictionaryCommand, output: Output) -> Result<(), Failure> {
    match command {
        cli::DictionaryCommand::Train(options) => train(&options, output),
    }
}

fn train(options: &cli::Train, output: Output) -> Result<(), Failure> {
    files::check_inputs(options.inputs.iter().chain(&options.schema.schema))?;
    let (name, mut payloads) = match options.raw {
        true => (None, raw(options)?),
        false => {
            let (format, variant) = find(&options.format).map_err(|error| Failure::from_error(&error))?;
            (Some(variant.id), encoded(options, format, variant)?)
        }
    };
    let bytes: usize = payloads.iter().map(Vec::len).sum();
    let given = payloads.len();
    if bytes > MOST_BYTES {
        let every = bytes.div_ceil(MOST_BYTES);
        payloads = payloads.into_iter().step_by(every).collect();
    }
    let trained = wirewise_measure::train(&payloads, options.size, options.level, Duration::ZERO);
    let Trained { dictionary, measured } = trained.map_err(|error| Failure::bad(error.to_string()))?;
    if measured.pays_after.is_none() {
        return Err(Failure::negative(format!(
            "the dictionary saves nothing: of {} that it was not trained on zstd makes {}, and {} with it",
            counted(measured.payloads, "message"),
            counted(measured.without_bytes, "byte"),
            grouped(measured.bytes),
        ))
        .hint("messages have too little in common, or there are too few of them; nothing was written"));
    }
    files::write(&options.out, dictionary.bytes())?;
    let sampled: usize = payloads.iter().step_by(2).map(Vec::len).sum();
    let summary = Summary { format: name, messages: given, sampled, dictionary: &dictionary, measured: &measured };
    let text = match output {
        Output::Json => summary.json(),
        Output::Text => summary.text(),
    };
    if files::is_standard(&options.out) {
        tell(text.trim_end());
        return Ok(());
    }
    files::write(Path::new("-"), text.as_bytes())
}

/// What there is to say of a dictionary that was written.
struct Summary<'a> {
    /// The variant of the messages; `None` for payloads that were given as such.
    format: Option<&'static str>,
    messages: usize,
    /// Bytes that it was trained on.
    sampled: usize,
    dictionary: &'a Dictionary,
    measured: &'a wirewise_measure::Dictionary,
}

impl Summary<'_> {
    fn json(&self) -> String {
        let measured = self.measured;
        let json = json!({
            "wirewise": "dictionary-train/1", "format": self.format, "messages": self.messages,
            "dictionary_id": self.dictionary.id(), "dictionary_bytes": measured.dictionary_bytes,
            "trained_on": measured.trained_on, "measured": measured.payloads, "plain_bytes": measured.plain_bytes,
            "level": measured.level, "without_bytes": measured.without_bytes, "bytes": measured.bytes,
            "pays_after": measured.pays_after,
        });
        format!("{json}\n")
    }

    fn text(&self) -> String {
        let measured = self.measured;
        let mean = |bytes: u64| format!("{:.1}", bytes as f64 / measured.payloads as f64);
        let mut text = format!(
            "dictionary {} of {}, trained on {}\n\
             on {} others, a message on average: {} bytes, {} with zstd:{}, {} with the dictionary ({} less)\n\
             sending it once pays after {}\n",
            self.dictionary.id().unwrap_or_default(),
            counted(measured.dictionary_bytes, "byte"),
            match self.format {
                Some(variant) => format!("{} of {variant}", counted(measured.trained_on, "message")),
                None => counted(measured.trained_on, "payload"),
            },
            grouped(measured.payloads),
            mean(measured.plain_bytes),
            mean(measured.without_bytes),
            measured.level,
            mean(measured.bytes),
            percent(1.0 - measured.bytes as f64 / measured.without_bytes as f64),
            counted(measured.pays_after.unwrap_or_default(), "message"),
        );
        let times = self.sampled as f64 / self.dictionary.bytes().len() as f64;
        if times < RULE_OF_THUMB / 10.0 {
            text.push_str(&format!(
                "warning: samples should have about {RULE_OF_THUMB} times the bytes of the dictionary, and have {times:.1} \
                 times: give more messages, or a smaller --size\n"
            ));
        }
        text
    }
}

/// Every file is a payload.
fn raw(options: &cli::Train) -> Result<Vec<Vec<u8>>, Failure> {
    options.inputs.iter().map(|path| files::read(path)).collect()
}

/// The messages of all files in a variant.
fn encoded(options: &cli::Train, format: &dyn Format, variant: &'static Variant) -> Result<Vec<Vec<u8>>, Failure> {
    let hint = "payloads that are not JSON are given with --raw, a file each";
    let sources = options.inputs.iter().map(|path| Samples::read(path, hint)).collect::<Result<Vec<_>, _>>()?;
    let limits = options.limits.limits();
    let schema = match schemas::read(&options.schema, Extent::Root)? {
        Some(schema) => sources.first().map_or(schema.clone(), |source| source.message(schema)),
        None => samples::infer(&sources, limits)?,
    };
    let schema = Arc::new(schema);
    let json = wirewise_formats::plan("json", &schema).map_err(|error| Failure::from_error(&error))?;
    let codec = format.plan(&schema, variant).map_err(|error| Failure::from_error(&error))?;
    let (mut arena, mut losses) = (Arena::new(limits), Losses::none());
    let mut payloads = Vec::new();
    for source in &sources {
        source.each(|message| {
            let document = json.decode(message, &mut arena, &mut losses)?;
            let mut payload = Vec::new();
            codec.encode(&document, &mut payload, &mut losses)?;
            payloads.push(payload);
            Ok(())
        })?;
    }
    Ok(payloads)
}
