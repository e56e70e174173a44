//! What is compared: every operation on every workload, with all who can do it.

use anyhow::{Context, Result};
use wirewise_core::{Arena, Limits, Losses};

use crate::format::Format;
use crate::ours::Engine;
use crate::peers::{self, Decoder, Encoder, Peers, Reading, Schemas, Writing};
use crate::results::{Group, Kind, Operation};
use crate::shapes::Shape;
use crate::timing::{Candidate, Pace, Work, time};
use crate::workloads::{Visitor, Workload};

/// What to run of all that there is.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Parts of what a group is called: `geo-points convert json protobuf`. All of them must be in it.
    pub filter: Vec<String>,
    /// Only candidates of these kinds.
    pub only: Option<Kind>,
    pub from: Option<Format>,
    pub to: Option<Format>,
    pub records: Option<u64>,
}

/// Runs the groups of each workload.
pub struct Matrix {
    pub selection: Selection,
    pub pace: Pace,
    pub verbose: bool,
    pub groups: Vec<Group>,
}

/// Does what was chosen again and again, without any measuring, for profilers.
pub struct Spin {
    pub selection: Selection,
    pub time: std::time::Duration,
}

impl Visitor for Spin {
    fn visit<W: Workload>(&mut self) -> Result<()> {
        let tasks = self.selection.tasks(W::NAME);
        if tasks.is_empty() {
            return Ok(());
        }
        let data = Data::of::<W>(self.selection.records)?;
        for task in tasks {
            for mut candidate in data.chosen::<W>(&task, &self.selection)? {
                let (start, mut out, mut times) = (std::time::Instant::now(), Vec::new(), 0_u64);
                while start.elapsed() < self.time {
                    out.clear();
                    (candidate.work)(&mut out)?;
                    times += 1;
                }
                let each = start.elapsed().as_secs_f64() * 1e3 / times as f64;
                eprintln!(
                    "{} of {}: {times} times, {} ms each",
                    task.name(W::NAME),
                    candidate.name,
                    crate::figures::time(each)
                );
            }
        }
        Ok(())
    }
}

impl Visitor for Matrix {
    fn visit<W: Workload>(&mut self) -> Result<()> {
        let tasks = self.selection.tasks(W::NAME);
        if tasks.is_empty() {
            return Ok(());
        }
        eprintln!("{}: {}", W::NAME, W::ABOUT);
        let data = Data::of::<W>(self.selection.records)?;
        for task in tasks {
            let candidates = data.chosen::<W>(&task, &self.selection)?;
            let timed = time(candidates, self.pace).with_context(|| task.name(W::NAME))?;
            let group = Group {
                workload: W::NAME.to_owned(),
                operation: task.operation,
                from: task.from,
                to: task.to,
                input_bytes: task.from.map(|from| data.payload(from).len()),
                output_bytes: task.to.map(|to| data.payload(to).len()),
                candidates: timed,
            };
            eprintln!("{}", crate::figures::line(&group));
            if self.verbose {
                eprint!("{}", crate::figures::details(&group));
            }
            self.groups.push(group);
        }
        Ok(())
    }
}

impl Selection {
    fn tasks(&self, workload: &str) -> Vec<Task> {
        let mut tasks = Task::all();
        tasks.retain(|task| {
            let name = task.name(workload);
            self.filter.iter().all(|part| name.split(' ').any(|word| word == part))
                && self.from.is_none_or(|from| task.from == Some(from))
                && self.to.is_none_or(|to| task.to == Some(to))
        });
        tasks
    }
}

/// What a group is about.
pub struct Task {
    pub operation: Operation,
    pub from: Option<Format>,
    pub to: Option<Format>,
}

impl Task {
    fn all() -> Vec<Task> {
        let mut tasks = Vec::new();
        for from in Format::ALL {
            tasks.push(Task { operation: Operation::Decode, from: Some(from), to: None });
        }
        for to in Format::ALL {
            tasks.push(Task { operation: Operation::Encode, from: None, to: Some(to) });
        }
        for from in Format::CONVERTED {
            for to in Format::CONVERTED.into_iter().filter(|&to| to != from) {
                tasks.push(Task { operation: Operation::Convert, from: Some(from), to: Some(to) });
            }
        }
        tasks
    }

    /// `geo-points convert json protobuf`.
    fn name(&self, workload: &str) -> String {
        let operation = match self.operation {
            Operation::Decode => "decode",
            Operation::Encode => "encode",
            Operation::Convert => "convert",
        };
        let mut name = format!("{workload} {operation}");
        for format in [self.from, self.to].into_iter().flatten() {
            name.push(' ');
            name.push_str(format.name());
        }
        name
    }
}

/// A workload's messages in all formats.
pub struct Data {
    pub engine: Engine,
    payloads: Vec<Vec<u8>>,
    schemas: &'static Schemas,
    /// Whether there are values that are null.
    pub nulls: bool,
}

impl Data {
    pub fn of<W: Workload>(records: Option<u64>) -> Result<Data> {
        let engine = Engine::of::<W>()?;
        let payloads = engine.payloads(&W::source(records)?)?;
        Ok(Data { engine, payloads, schemas: Schemas::of::<W>()?, nulls: W::SCHEMA.contains("nullable") })
    }

    pub fn payload(&self, format: Format) -> &[u8] {
        let place = Format::ALL.iter().position(|&other| other == format).expect("all are there");
        &self.payloads[place]
    }

    fn chosen<W: Workload>(&self, task: &Task, selection: &Selection) -> Result<Vec<Candidate<'_>>> {
        let mut candidates = self.candidates::<W>(task)?;
        candidates.retain(|candidate| selection.only.is_none_or(|only| candidate.kind == only));
        Ok(candidates)
    }

    /// All who can do it; what they make is checked here.
    fn candidates<W: Workload>(&self, task: &Task) -> Result<Vec<Candidate<'_>>> {
        let mut all = vec![self.ours(task)?];
        self.of_shape(task, peers::owned::<W>(), &mut all)?;
        self.of_shape(task, peers::cows::<W>(), &mut all)?;
        self.of_shape(task, peers::slices::<W>(), &mut all)?;
        self.of_shape(task, peers::buffa::<W>(), &mut all)?;
        self.of_shape(task, peers::views::<W>(), &mut all)?;
        if let Some(format @ (Format::Flatbuffers | Format::Capnp)) = task.from.or(task.to) {
            let owned = serde_json::from_slice::<W::Owned>(self.payload(Format::Json))?;
            let owned: &'static W::Owned = Box::leak(Box::new(owned));
            all.extend(peers::in_place::candidates::<W::Built>(task, self.payload(format), owned)?);
        }
        peers::dynamic_shapes(self, task, &mut all)?;
        all.extend(peers::transcoders(task, self.payload(task.from.unwrap_or(Format::Json)), self.schemas));
        for candidate in &mut all {
            let mut out = Vec::new();
            let name = format!("{} of {}", task.name(W::NAME), candidate.name);
            (candidate.work)(&mut out).with_context(|| name.clone())?;
            if let Some(to) = task.to {
                self.engine.check(to, &out, self.payload(to)).context(name)?;
            }
        }
        Ok(all)
    }

    /// The engine. Arena and output are reused; nothing else is kept from run to run.
    pub fn ours(&self, task: &Task) -> Result<Candidate<'_>> {
        let mut arena = Arena::new(Limits::default());
        let input = task.from.map(|from| (self.engine.codec(from), self.payload(from)));
        let to = task.to.map(|to| self.engine.codec(to));
        let work: Work<'_> = match (input, to) {
            (Some((from, input)), None) => Box::new(move |_| {
                std::hint::black_box(from.decode(input, &mut arena, &mut Losses::none())?);
                Ok(())
            }),
            (Some((from, input)), Some(to)) => Box::new(move |out| {
                let mut losses = Losses::none();
                let document = from.decode(std::hint::black_box(input), &mut arena, &mut losses)?;
                Ok(to.encode(&document, out, &mut losses)?)
            }),
            (None, Some(to)) => {
                // Texts of the document lie in the input that it was read from: bytes without escapes.
                let from = self.engine.codec(Format::Msgpack);
                let arena: &'static mut Arena = Box::leak(Box::new(arena));
                let document = from.decode(self.payload(Format::Msgpack), arena, &mut Losses::none())?;
                Box::new(move |out| Ok(to.encode(std::hint::black_box(&document), out, &mut Losses::none())?))
            }
            (None, None) => unreachable!("a task has a format"),
        };
        Ok(Candidate { kind: Kind::Ours, name: "wirewise".to_owned(), memory: "borrowed", work })
    }

    pub fn of_shape<'d, S: Shape>(&'d self, task: &Task, peers: Peers<S>, all: &mut Vec<Candidate<'d>>) -> Result<()> {
        let Peers { decoders, encoders } = peers;
        match (task.from, task.to) {
            (Some(from), None) => {
                for decoder in decoders.into_iter().filter(|decoder| decoder.format == from) {
                    self.check_decoder(&decoder, encoders.first()).with_context(|| S::called(decoder.peer))?;
                    all.push(self.decoding(decoder));
                }
            }
            (None, Some(to)) => {
                for encoder in encoders.into_iter().filter(|encoder| encoder.format == to) {
                    let decoder = decoders.first().context("nothing decodes this shape")?;
                    all.push(self.encoding(decoder, encoder)?);
                }
            }
            (Some(from), Some(to)) => {
                for decoder in decoders.iter().filter(|decoder| decoder.format == from) {
                    for encoder in encoders.iter().filter(|encoder| encoder.format == to) {
                        all.push(self.chain(decoder, encoder));
                    }
                }
            }
            (None, None) => {}
        }
        Ok(())
    }

    /// What was decoded must be encoded, by whatever can do that, to what it was made from.
    fn check_decoder<S: Shape>(&self, decoder: &Decoder<S>, encoder: Option<&Encoder<S>>) -> Result<()> {
        let encoder = encoder.context("nothing encodes this shape")?;
        let (mut reading, mut writing) = (Reading::new(self.schemas), Writing::new(self.schemas));
        let mut out = Vec::new();
        let value = (decoder.decode)(self.payload(decoder.format), &mut reading)?;
        (encoder.encode)(&value, &mut writing, &mut out)?;
        self.engine.check(encoder.format, &out, self.payload(encoder.format))
    }

    fn decoding<'d, S: Shape>(&'d self, decoder: Decoder<S>) -> Candidate<'d> {
        let mut reading = Reading::new(self.schemas);
        let input = self.payload(decoder.format);
        let work = move |_: &mut Vec<u8>| {
            // What the value owns is freed in here: using it costs that too.
            std::hint::black_box((decoder.decode)(std::hint::black_box(input), &mut reading)?);
            Ok(())
        };
        Candidate { kind: S::KIND, name: S::called(decoder.peer), memory: S::MEMORY, work: Box::new(work) }
    }

    fn encoding<'d, S: Shape>(&'d self, decoder: &Decoder<S>, encoder: Encoder<S>) -> Result<Candidate<'d>> {
        let reading = Box::leak(Box::new(Reading::new(self.schemas)));
        let value = (decoder.decode)(self.payload(decoder.format), reading)?;
        let mut writing = Writing::new(self.schemas);
        let name = S::called(encoder.peer);
        let work = move |out: &mut Vec<u8>| (encoder.encode)(std::hint::black_box(&value), &mut writing, out);
        Ok(Candidate { kind: S::KIND, name, memory: S::MEMORY, work: Box::new(work) })
    }

    fn chain<'d, S: Shape>(&'d self, decoder: &Decoder<S>, encoder: &Encoder<S>) -> Candidate<'d> {
        let (mut reading, mut writing) = (Reading::new(self.schemas), Writing::new(self.schemas));
        let (decode, encode, input) = (decoder.decode, encoder.encode, self.payload(decoder.format));
        let work = move |out: &mut Vec<u8>| {
            let value = decode(std::hint::black_box(input), &mut reading)?;
            encode(&value, &mut writing, out)
        };
        let name = S::called(&format!("{} + {}", decoder.peer, encoder.peer));
        Candidate { kind: S::KIND, name, memory: S::MEMORY, work: Box::new(work) }
    }
}
