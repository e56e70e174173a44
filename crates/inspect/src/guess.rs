//! What a stream may be, and how sure that is.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use wirewise_core::{Arena, ErrorKind, Limits, LossKind, Losses, Schema};
use wirewise_formats::{Codec, FORMATS, Framing, Guess, Variant};

use crate::confluent;
use crate::layers;
use crate::reading::{Frames, needs_schema};

/// What a stream may be.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The variant.
    pub variant: &'static Variant,
    /// What tells its messages apart.
    pub frames: Frames,
    /// Whether a Confluent header stands before each.
    pub confluent: bool,
    /// How sure it is, from 0 to 100, as [`Guess::certainty`].
    pub certainty: u8,
    /// What speaks for it.
    pub why: String,
}

impl Candidate {
    /// In a few words, for people.
    pub fn describe(&self) -> String {
        let confluent = if self.confluent { " behind Confluent headers" } else { "" };
        match self.frames {
            Frames::Framing(Framing::None) => format!("{}{confluent}", self.variant.id),
            frames => format!("{}{confluent}, framing {}", self.variant.id, frames.name()),
        }
    }
}

/// Messages of a frame that are looked at.
const FEW: usize = 5;

/// Bytes that a message may decompress to which is only looked at.
const MOST_UNPACKED: usize = 1 << 20;

/// Most memory that a message may take which is read only to see whether it can be.
const MOST_MEMORY: usize = 64 << 20;

/// What the stream may be that begins with `start` (and ends there, if it is `whole`), the likeliest first. Where there
/// is a schema, what can be read with it counts for more.
pub fn guess(start: &[u8], whole: bool, schema: Option<&Arc<Schema>>) -> Vec<Candidate> {
    let mut found = Found::default();
    if start.is_empty() {
        return Vec::new();
    }
    for guess in of_message(start) {
        found.add(guess.variant, Frames::Framing(guess.framing), false, guess.certainty, guess.why);
    }
    for frames in LENGTHS {
        if let Some(chain) = Chain::of(frames, start, whole) {
            chain.guess(&mut found);
        }
    }
    behind_confluent(start, &mut found);
    let mut candidates = found.candidates;
    if let Some(schema) = schema {
        candidates = with_schema(candidates, start, whole, schema);
    }
    // What cannot be shown is of less use.
    let rank = |candidate: &Candidate| match schema {
        None if needs_schema(candidate.variant, candidate.frames) => candidate.certainty.min(45),
        _ => candidate.certainty,
    };
    // Where they are alike in the order of the formats; of messages behind their lengths and a stream of that kind, which
    // are the same bytes, the former.
    candidates.sort_by_key(|candidate| (std::cmp::Reverse(rank(candidate)), candidate.variant.list_is_stream));
    candidates
}

fn of_message(bytes: &[u8]) -> impl Iterator<Item = Guess> {
    FORMATS.iter().flat_map(move |format| format.guess(bytes))
}

#[derive(Default)]
struct Found {
    candidates: Vec<Candidate>,
}

impl Found {
    /// Adds a candidate, or what speaks for one that is there already.
    fn add(&mut self, variant: &'static Variant, frames: Frames, confluent: bool, certainty: u8, why: String) {
        let same =
            |known: &&mut Candidate| known.variant == variant && known.frames == frames && known.confluent == confluent;
        match self.candidates.iter_mut().find(same) {
            Some(known) if known.certainty >= certainty => {}
            Some(known) => (known.certainty, known.why) = (certainty, why),
            None => self.candidates.push(Candidate { variant, frames, confluent, certainty, why }),
        }
    }
}

/// The ways to put a length before a message.
const LENGTHS: [Frames; 4] =
    [Frames::Grpc, Frames::Framing(Framing::U32Be), Frames::Framing(Framing::U32Le), Frames::Framing(Framing::Varint)];

/// Lengths, each of which leads to the next.
struct Chain<'a> {
    frames: Frames,
    /// The first messages.
    bodies: Vec<Cow<'a, [u8]>>,
    count: usize,
    /// Whether the last one ends where the stream does.
    exact: bool,
}

impl<'a> Chain<'a> {
    fn of(frames: Frames, input: &'a [u8], whole: bool) -> Option<Chain<'a>> {
        let (mut pos, mut payload, mut empty) = (0, 0, 0);
        let mut chain = Chain { frames, bodies: Vec::new(), count: 0, exact: false };
        while pos < input.len() {
            let rest = &input[pos..];
            let Some((head, len)) = length(frames, rest)? else { break };
            let Some(body) = rest.get(head..head + len) else { break };
            if chain.bodies.len() < FEW {
                chain.bodies.extend(message_of(frames, rest[0], body));
            }
            chain.count += 1;
            empty += usize::from(len == 0);
            pos += head + len;
            payload += len;
        }
        chain.exact = pos == input.len();
        // Zeros are lengths, too, but not of messages.
        let plausible =
            payload >= pos - payload && empty * 2 < chain.count && if whole { chain.exact } else { chain.count > 2 };
        (plausible && !chain.bodies.is_empty()).then_some(chain)
    }

    /// How much the lengths alone say.
    fn certainty(&self) -> u8 {
        match (self.frames, self.count) {
            (Frames::Grpc, 1) => 90,
            (Frames::Framing(Framing::Varint), 1) => 35,
            (Frames::Framing(Framing::Varint), 2) => 55,
            (Frames::Framing(Framing::Varint), 3..10) => 75,
            (Frames::Framing(Framing::Varint), _) => 90,
            (_, 1) => 75,
            _ => 95,
        }
    }

    /// What all of the first messages may be.
    fn guess(&self, found: &mut Found) {
        let mut sums: HashMap<&'static str, (Guess, usize, u32)> = HashMap::new();
        for body in &self.bodies {
            for guess in of_message(body) {
                let (_, count, sum) = sums.entry(guess.variant.id).or_insert((guess.clone(), 0, 0));
                (*count, *sum) = (*count + 1, *sum + u32::from(guess.certainty));
            }
        }
        let chain = self.certainty();
        for (guess, count, sum) in sums.into_values() {
            if count < self.bodies.len() || guess.variant.framing == Framing::AvroContainer {
                continue;
            }
            let mean = (sum / count as u32) as u8;
            // Both must be likely; messages of a few bytes say little of themselves.
            let certainty = if chain > 70 { chain.min(mean.saturating_add(40)) } else { chain.min(mean) };
            let messages = if self.count == 1 { "one message".to_owned() } else { format!("{} messages", self.count) };
            let end = if self.exact { ", up to the end" } else { "" };
            found.add(
                guess.variant,
                self.frames,
                false,
                certainty,
                format!("lengths lead over {messages}{end}; {}", guess.why),
            );
        }
    }
}

/// The message of a frame, where it has one that can be looked at.
fn message_of(frames: Frames, first: u8, body: &[u8]) -> Option<Cow<'_, [u8]>> {
    match (frames, first) {
        _ if body.is_empty() => None,
        (Frames::Grpc, 1) => layers::unpack(layers::detect(body)?, body, MOST_UNPACKED).ok().map(Cow::Owned),
        (Frames::Grpc, 0x80) => None,
        _ => Some(Cow::Borrowed(body)),
    }
}

/// The bytes before a message and those of the message; `Some(None)` when there are too few to tell, `None` when these
/// are no such lengths.
fn length(frames: Frames, rest: &[u8]) -> Option<Option<(usize, usize)>> {
    let chunk = |from: usize| rest.get(from..).and_then(|rest| rest.first_chunk());
    Some(match frames {
        Frames::Grpc if !matches!(rest.first(), Some(0 | 1 | 0x80)) => return None,
        Frames::Grpc => chunk(1).map(|&len| (5, u32::from_be_bytes(len) as usize)),
        Frames::Framing(Framing::U32Be) => chunk(0).map(|&len| (4, u32::from_be_bytes(len) as usize)),
        Frames::Framing(Framing::U32Le) => chunk(0).map(|&len| (4, u32::from_le_bytes(len) as usize)),
        _ => match confluent::varint(rest, 0) {
            Ok((len, head)) => Some((head, usize::try_from(len).ok().filter(|&len| len < 1 << 32)?)),
            Err(error) if error.kind() == ErrorKind::End && rest.len() < 10 => None,
            Err(_) => return None,
        },
    })
}

/// The largest schema id that is likely: registries count from 1.
const LARGEST_ID: u32 = 10_000_000;

fn behind_confluent(start: &[u8], found: &mut Found) {
    for protobuf in [false, true] {
        let mut spans = Vec::new();
        let Ok(len) = confluent::header(start, protobuf, &mut spans) else { continue };
        let id = u32::from_be_bytes([start[1], start[2], start[3], start[4]]);
        if !(1..=LARGEST_ID).contains(&id) {
            return;
        }
        let header = format!("a zero and the schema id {id}");
        for guess in of_message(&start[len..]) {
            let (format, _) = wirewise_formats::find(guess.variant.id).expect("it comes from a format");
            let fits = match format.info().name {
                "protobuf" => protobuf,
                "json" => !protobuf,
                // The registry knows no others; Avro tells nothing without its schema.
                _ => false,
            };
            if fits && guess.variant.framing != Framing::AvroContainer {
                // What leads to the end is a length rather than an id.
                let length = usize::try_from(id).is_ok_and(|id| id == start.len() - 5);
                let certainty = guess.certainty.saturating_sub(if length { 40 } else { 5 }).max(1);
                let why = format!("{header}; {}", guess.why);
                found.add(guess.variant, Frames::Framing(Framing::None), true, certainty, why);
            }
        }
        if !protobuf && let Ok((_, avro)) = wirewise_formats::find("avro") {
            found.add(
                avro,
                Frames::Framing(Framing::None),
                true,
                40,
                format!("{header}; the rest may be a value of Avro"),
            );
        }
    }
}

/// The candidates, and what else can be read with the schema.
fn with_schema(mut candidates: Vec<Candidate>, start: &[u8], whole: bool, schema: &Arc<Schema>) -> Vec<Candidate> {
    let mut found = Found::default();
    let variants =
        FORMATS.iter().flat_map(|format| format.info().variants.iter().map(move |variant| (format, variant)));
    for (format, variant) in variants {
        let framings = [variant.framing, Framing::None, Framing::Varint, Framing::U32Be, Framing::U32Le];
        let mut ways: Vec<_> = match variant.framing {
            Framing::AvroContainer => continue,
            _ => framings.iter().filter(|_| !variant.text).map(|&framing| (Frames::Framing(framing), false)).collect(),
        };
        ways.extend([(Frames::Grpc, false), (Frames::Framing(Framing::None), true)].iter().filter(|_| !variant.text));
        let own = candidates.iter().filter(|candidate| candidate.variant == variant);
        ways.extend(own.map(|candidate| (candidate.frames, candidate.confluent)));
        let mut known = HashSet::new();
        ways.retain(|way| known.insert(*way));
        let Ok(codec) = format.plan(schema, variant) else { continue };
        for (frames, confluent) in ways {
            let known = candidates.iter_mut().find(|candidate| {
                candidate.variant == variant && candidate.frames == frames && candidate.confluent == confluent
            });
            let protobuf = format.info().name == "protobuf";
            let trial = Trial { codec: &*codec, frames, confluent, protobuf };
            let read = match trial.read(start, whole) {
                Some(read) => read,
                None => {
                    if let Some(known) = known {
                        known.certainty /= 2;
                    }
                    continue;
                }
            };
            // Exactly what the schema says, or with something that it does not know.
            let base = known.as_ref().map_or(25, |known| known.certainty);
            let certainty = base.saturating_add(if read.exact { 45 } else { 15 }).min(99);
            let messages = if read.count == 1 { "a message".to_owned() } else { format!("{} messages", read.count) };
            let why = format!("{messages} can be read with the schema");
            match known {
                Some(known) => (known.certainty, known.why) = (certainty, format!("{why}; {}", known.why)),
                None => found.add(variant, frames, confluent, certainty, why),
            }
        }
    }
    candidates.extend(found.candidates);
    candidates
}

/// Reading the first messages to see whether it can be done.
struct Trial<'a> {
    codec: &'a dyn Codec,
    frames: Frames,
    confluent: bool,
    protobuf: bool,
}

struct Read {
    count: usize,
    exact: bool,
}

impl Trial<'_> {
    fn read(&self, start: &[u8], whole: bool) -> Option<Read> {
        let strict = self.messages(start, whole, &mut Losses::none()).map(|count| Read { count, exact: true });
        let lossy = || self.messages(start, whole, &mut Losses::allowing(LossKind::ALL));
        strict.or_else(|| lossy().map(|count| Read { count, exact: false }))
    }

    /// How many messages could be read; `None` when one could not.
    fn messages(&self, start: &[u8], whole: bool, losses: &mut Losses) -> Option<usize> {
        let mut arena = Arena::new(Limits { memory_bytes: MOST_MEMORY, ..Limits::default() });
        match self.frames {
            Frames::Framing(Framing::Concatenated) => {
                let (mut pos, mut count) = (0, 0);
                while pos < start.len() && count < FEW {
                    match self.codec.read(&start[pos..], &mut arena, losses) {
                        Ok(0) => return None,
                        Ok(used) => (pos, count) = (pos + used, count + 1),
                        Err(error) if error.kind() == ErrorKind::End && !whole && count > 0 => break,
                        Err(_) => return None,
                    }
                }
                Some(count)
            }
            Frames::Framing(Framing::None) => {
                let mut spans = Vec::new();
                let header =
                    if self.confluent { confluent::header(start, self.protobuf, &mut spans).ok()? } else { 0 };
                match self.codec.decode(&start[header..], &mut arena, losses) {
                    Ok(_) => Some(1),
                    Err(_) => None,
                }
            }
            Frames::Framing(Framing::Varint | Framing::U32Be | Framing::U32Le) | Frames::Grpc => {
                let chain = Chain::of(self.frames, start, whole)?;
                let readable = |body: &Cow<'_, [u8]>| self.codec.decode(body, &mut arena, losses).is_ok();
                chain.bodies.iter().all(readable).then_some(chain.count)
            }
            Frames::Framing(Framing::Lines) => {
                let lines: Vec<_> =
                    start.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).collect();
                // The last one may be cut.
                let cut = usize::from(!whole && lines.len() > 1);
                let count = (lines.len() - cut).min(FEW);
                let readable = |line: &&[u8]| self.codec.decode(line, &mut arena, losses).is_ok();
                (count > 0 && lines[..count].iter().all(readable)).then_some(count)
            }
            Frames::Framing(Framing::JsonArray | Framing::AvroContainer) => None,
        }
    }
}
