//! The measurement itself.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use wirewise_compress::Choice;
use wirewise_core::{Arena, Document, Error, Kind, Limits, Losses, Result};
use wirewise_formats::{Codec, Format, Variant};

use crate::compression::compress;
use crate::data::{Data, evenly};
use crate::dictionaries;
use crate::fields::fields;
use crate::machine;
use crate::report::{
    Compressed, Dictionary, Exactness, FieldBytes, Input, Mode, REPORT_VERSION, Report, Row, Side, Warning,
};
use crate::shapings::{self, Found, Samples, Shapes, Work, is_shaped};
use crate::timing::Timer;
use crate::verify::{Verified, check_source, encode, failed, verify};

/// What to measure, and how long.
pub struct Options {
    /// Variants, each a row of the report.
    pub variants: Vec<(&'static dyn Format, &'static Variant)>,
    /// Shapes that are measured beside the data as it is.
    pub shapes: Shapes,
    /// Ids of the variants that are measured with shapes, and with dictionaries, too.
    pub shaped: Vec<&'static str>,
    /// Compressors, their levels and windows.
    pub compressors: Vec<Choice>,
    /// Whether to measure dictionaries of zstd.
    pub dictionaries: bool,
    /// Time for each timing; zero to take none.
    pub budget: Duration,
    /// Most messages that are timed and compressed one at a time.
    pub singles: usize,
    /// Limits for decoding the input.
    pub limits: Limits,
}

impl Options {
    /// Every variant and compressor, sets of shapes, 60 ms for each timing, 1,000 single messages.
    pub fn all() -> Self {
        let variants = wirewise_formats::FORMATS.iter();
        let variants: Vec<(&'static dyn Format, &'static Variant)> =
            variants.flat_map(|&format| format.info().variants.iter().map(move |variant| (format, variant))).collect();
        let shaped = variants.iter().filter(|(format, variant)| is_shaped(*format, variant));
        let compressors = wirewise_compress::COMPRESSORS.iter();
        Options {
            shapes: Shapes::Sets,
            shaped: shaped.map(|(_, variant)| variant.id).collect(),
            variants,
            compressors: compressors.map(|&compressor| Choice::of(compressor)).collect(),
            dictionaries: true,
            budget: Duration::from_millis(60),
            singles: 1000,
            limits: Limits::default(),
        }
    }
}

/// How far a measurement is.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// Steps done.
    pub done: usize,
    /// Steps in all.
    pub total: usize,
    /// What is being done.
    pub what: &'a str,
}

/// Measures `data`.
///
/// # Errors
/// When a message is no valid JSON or does not fit the schema: the error's path begins with the message's index if
/// there is more than one.
pub fn run(data: &Data, options: &Options, progress: &mut dyn FnMut(Progress<'_>)) -> Result<Report> {
    let batched = data.len() > 1;
    let source = if batched { data.array() } else { data.message(0).to_vec() };

    let mut warnings = Vec::new();
    let indices: Vec<usize> = evenly(data.len(), options.singles).collect();
    let arenas = decode_all(data, &indices, &options.limits)?;
    let singles: Vec<Document<'_>> = indices
        .iter()
        .zip(&arenas)
        .map(|(&index, arena)| Document::new(&data.schema, data.message(index), arena))
        .collect();

    let list = Arc::new(data.schema.list_of());
    // In a batch every message is one level deeper.
    let limits = Limits { depth: options.limits.depth + usize::from(batched), ..options.limits };
    let mut arena = Arena::new(limits);
    let whole_schema = if batched { &list } else { &data.schema };
    let json = wirewise_formats::plan("json", whole_schema)?;
    let whole = json.decode(&source, &mut arena, &mut Losses::none());
    // The batch is made here, and places in it mean nothing to the user: the message itself says where it is wrong.
    let whole = match whole {
        Ok(whole) => whole,
        Err(error) => {
            let all: Vec<usize> = (0..data.len()).collect();
            return Err(decode_all(data, &all, &options.limits).err().unwrap_or(error));
        }
    };
    let mut written = Vec::new();
    json.encode(&whole, &mut written, &mut Losses::none())?;
    warnings.extend(check_source(&source, &written, limits)?);

    let mut arena = Arena::new(limits);
    let previous = data.previous.as_deref().map(|source| json.decode(source, &mut arena, &mut Losses::none()));
    // Its places are not places in the data.
    let previous = previous.transpose().map_err(|error| {
        Error::new(error.kind(), format!("the earlier version does not fit the schema: {}", error.message()))
    })?;
    // A single message is a whole too.
    let (of_singles, of_batch) = if batched { (None, previous.as_ref()) } else { (previous.as_ref(), None) };
    let single_samples =
        Samples { schema: &data.schema, documents: &singles, previous: of_singles, limits: options.limits };
    let whole = [whole];
    let batch_samples = batched.then_some(Samples { schema: &list, documents: &whole, previous: of_batch, limits });
    let found = shapings::find(&options.shapes, single_samples, batch_samples)?;
    let places = shapings::places(options, &found);
    let single: Vec<_> = places.iter().map(|place| place.work(|found| found.single.as_ref())).collect();
    let batch: Vec<_> =
        places.iter().map(|place| place.work(|found| found.batch.as_ref()).filter(|_| batched)).collect();
    let work = single.iter().chain(&batch).flatten().count();
    // Verifying and compressing a variant are steps, and so is timing all of them.
    let total = work * (1 + options.compressors.len()) + if batched { 2 } else { 1 };
    let mut steps = Steps { done: 0, total, progress };
    let single = measure(single_samples, &single, options, &mut steps, false)?;
    let batch = match batch_samples {
        Some(samples) => measure(samples, &batch, options, &mut steps, true)?,
        None => places.iter().map(|_| None).collect(),
    };
    let rows: Vec<Row> = places
        .iter()
        .zip(single.into_iter().zip(batch))
        .map(|(place, (single, batch))| Row {
            format: place.format.info().name.to_owned(),
            variant: place.variant.id.to_owned(),
            shape: place.shape(),
            single: single.unwrap_or_else(|| place.nothing()),
            batch,
        })
        .collect();

    warnings.extend(warn_about_size(data));
    warnings.extend(warn_about_noise(&rows));
    let fields = data.schema.types().iter().map(|ty| match &ty.kind {
        Kind::Record(record) => record.fields.len(),
        _ => 0,
    });
    let named = data.schema.types().iter();
    let named = named.filter(|ty| matches!(ty.kind, Kind::Record(_) | Kind::Enum(_) | Kind::Union(_)));
    Ok(Report {
        wirewise: REPORT_VERSION.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        measured_at: machine::now(),
        command: None,
        machine: machine::describe(),
        input: Input {
            name: data.name.clone(),
            bytes: data.bytes.len() as u64,
            messages: data.total,
            measured: data.len() as u64,
            singles: singles.len() as u64,
            types: named.count(),
            fields: fields.sum(),
            schema: data.origin.clone(),
            framing: data.framing.name().to_owned(),
        },
        shapings: found.iter().map(Found::report).collect(),
        rows,
        warnings,
    })
}

/// Counts steps and tells.
struct Steps<'a> {
    done: usize,
    total: usize,
    progress: &'a mut dyn FnMut(Progress<'_>),
}

impl Steps<'_> {
    fn step(&mut self, what: &str) {
        (self.progress)(Progress { done: self.done, total: self.total, what });
        self.done += 1;
    }
}

fn decode_all(data: &Data, indices: &[usize], limits: &Limits) -> Result<Vec<Arena>> {
    let json = wirewise_formats::plan("json", &data.schema)?;
    let mut losses = Losses::none();
    let decode = |&index: &usize| {
        let mut arena = Arena::new(*limits);
        let read = json.decode(data.message(index), &mut arena, &mut losses).map(drop);
        read.map_err(|error| {
            let error = error.shifted(data.messages[index].start);
            if data.len() > 1 { error.in_index(index) } else { error }
        })?;
        Ok(arena)
    };
    indices.iter().map(decode).collect()
}

/// One variant while it is measured.
struct Job<'a> {
    documents: Vec<Document<'a>>,
    codec: Option<Box<dyn Codec>>,
    verified: Verified,
    compressed: Vec<Compressed>,
    dictionaries: Vec<Dictionary>,
    fields: Vec<FieldBytes>,
    encode: Option<Timer>,
    decode: Option<Timer>,
}

/// All variants on the same documents; what is not there has no mode.
fn measure(
    samples: Samples<'_>,
    work: &[Option<Work<'_>>],
    options: &Options,
    steps: &mut Steps<'_>,
    is_batch: bool,
) -> Result<Vec<Option<Mode>>> {
    let Samples { schema, documents, previous, limits } = samples;
    let mode = if is_batch { "as a batch" } else { "one at a time" };
    let json_codec = wirewise_formats::plan("json", schema)?;
    let json = verify(&*json_codec, documents, limits).payloads;
    let json_bytes: u64 = json.iter().map(|payload| payload.len() as u64).sum();

    let mut jobs = Vec::new();
    for work in work.iter().flatten() {
        let label = work.label();
        steps.step(&format!("{label} {mode}"));
        let documents = work.documents(documents);
        let (codec, mut verified) = match work.plan(schema) {
            Ok(codec) => {
                let verified = verify(&*codec, &documents, limits);
                (Some(codec), verified)
            }
            Err(error) => (None, failed(Exactness::Refused { error: error.to_string() })),
        };
        verified.exactness = work.exactness(verified.exactness);
        let mut job = Job {
            documents,
            codec,
            verified,
            compressed: Vec::new(),
            dictionaries: Vec::new(),
            fields: Vec::new(),
            encode: None,
            decode: None,
        };
        for choice in &options.compressors {
            steps.step(&format!("{label} {mode}, {}", choice.compressor.info().name));
            if !job.verified.payloads.is_empty() {
                job.compressed.push(compress(choice, &job.verified.payloads, is_batch, options.budget));
            }
        }
        if let Some(codec) = &job.codec
            && !job.verified.payloads.is_empty()
        {
            let payloads = &job.verified.payloads;
            job.fields = fields(&**codec, payloads, is_batch, limits);
            if options.dictionaries && options.shaped.contains(&work.variant()) {
                let previous = previous.and_then(|document| encode(&**codec, document, &job.verified.losses));
                job.dictionaries = dictionaries::measure(payloads, previous.as_deref(), options.budget);
            }
        }
        jobs.push(job);
    }
    steps.step(&format!("timing {mode}"));
    if !options.budget.is_zero() {
        time_all(&mut jobs, options.budget, limits);
    }
    let mut modes = jobs.into_iter().map(|job| job.finish(json_bytes));
    Ok(work.iter().map(|work| work.as_ref().and_then(|_| modes.next())).collect())
}

/// Times encoding and decoding of all variants, their samples taken in turn.
fn time_all(jobs: &mut [Job<'_>], budget: Duration, limits: Limits) {
    let mut arena = Arena::new(limits);
    let mut out = Vec::new();
    for job in jobs.iter_mut().filter(|job| !job.verified.payloads.is_empty()) {
        job.encode = Some(Timer::new(budget, || job.encode_once(&mut out)));
        job.decode = Some(Timer::new(budget, || job.decode_once(&mut arena)));
    }
    loop {
        let mut idle = true;
        for job in jobs.iter_mut() {
            if let Some(mut timer) = job.encode.take_if(|timer| timer.wants()) {
                timer.sample(|| job.encode_once(&mut out));
                job.encode = Some(timer);
                idle = false;
            }
            if let Some(mut timer) = job.decode.take_if(|timer| timer.wants()) {
                timer.sample(|| job.decode_once(&mut arena));
                job.decode = Some(timer);
                idle = false;
            }
        }
        if idle {
            return;
        }
    }
}

impl Job<'_> {
    fn encode_once(&self, out: &mut Vec<u8>) {
        let Some(codec) = &self.codec else { return };
        let mut losses = self.verified.losses.clone();
        for document in &self.documents {
            out.clear();
            codec.encode(black_box(document), out, &mut losses).expect("verified before it is timed");
            black_box(&*out);
        }
    }

    fn decode_once(&self, arena: &mut Arena) {
        let Some(codec) = &self.codec else { return };
        let mut losses = self.verified.losses.clone();
        for payload in &self.verified.payloads {
            let document = codec.decode(black_box(payload), arena, &mut losses);
            black_box(document.expect("verified before it is timed"));
        }
    }

    fn finish(self, json_bytes: u64) -> Mode {
        let payloads = &self.verified.payloads;
        let bytes: u64 = payloads.iter().map(|payload| payload.len() as u64).sum();
        let side = (!payloads.is_empty()).then(|| Side {
            payloads: payloads.len() as u64,
            bytes,
            against_json: bytes as f64 / json_bytes as f64,
            compressed: self.compressed,
            dictionaries: self.dictionaries,
            fields: self.fields,
            encode: self.encode.map(|timer| timer.spread(json_bytes)),
            decode: self.decode.map(|timer| timer.spread(json_bytes)),
        });
        Mode { exactness: self.verified.exactness, side }
    }
}

fn warn_about_size(data: &Data) -> Vec<Warning> {
    let mut warnings = Vec::new();
    match data.len() as u64 {
        1 => warnings.push(Warning::OneMessage),
        messages @ 2..30 => warnings.push(Warning::FewMessages { messages }),
        _ => {}
    }
    if (data.len() as u64) < data.total {
        warnings.push(Warning::Sampled { measured: data.len() as u64, messages: data.total });
    }
    warnings
}

fn warn_about_noise(rows: &[Row]) -> Option<Warning> {
    const NOISE: f64 = 0.1;
    let spreads = rows.iter().flat_map(|row| {
        let sides = [row.single.side.as_ref(), row.batch.as_ref().and_then(|batch| batch.side.as_ref())];
        let spreads = sides.into_iter().flatten().flat_map(|side| [side.encode, side.decode]);
        spreads.flatten().map(|spread| (row.label(), spread.spread))
    });
    let (variant, spread) = spreads.max_by(|a, b| a.1.total_cmp(&b.1))?;
    (spread > NOISE).then_some(Warning::Noisy { variant, spread })
}

#[cfg(test)]
mod tests {
    use wirewise_core::Schema;

    use super::*;

    #[test]
    fn messages_as_deep_as_the_limit_are_measured_as_a_batch_too() {
        let message = format!("{}{}", "[".repeat(129), "]".repeat(129));
        let bytes = format!("{message}\n{message}").into_bytes();
        let schema = Schema::parse(r#"{"wirewise": "schema/1", "root": "any"}"#).unwrap();
        let messages = wirewise_schema::split_json(&bytes).unwrap();
        let data = Data::new("deep", bytes, &messages, Arc::new(schema), "given").unwrap();
        let options = Options { budget: Duration::ZERO, compressors: Vec::new(), ..Options::all() };
        let report = run(&data, &options, &mut |_| {}).unwrap();
        let json = report.rows.iter().find(|row| row.variant == "json").unwrap();
        assert!(matches!(json.single.exactness, Exactness::Exact));
        assert!(matches!(json.batch.as_ref().unwrap().exactness, Exactness::Exact));
    }
}
