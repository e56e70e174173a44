//! Messages that prove a finding.
//!
//! A witness is searched for, not assumed: small messages with odd values at the place of the finding are written with
//! the writer's codec and read with the reader's, the very ones that `convert` uses, until one is refused or comes out
//! different.

use std::sync::Arc;

use wirewise_core::{Arena, Document, Kind, Limits, LossKind, Losses, Result, Schema, TypeId};
use wirewise_formats::{Codec, plan};
use wirewise_idl::Module;

use crate::compare::{Difference, compare, goes_through};
use crate::rule::{Found, Hop, Ruleset};
use crate::sample::{Provoke, Rest, message};

/// A message that shows what breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// The message as JSON, by the writer's schema.
    pub message: String,
    /// The variant that it was written in.
    pub variant: &'static str,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What the reader made of them.
    pub outcome: Outcome,
}

/// What a reader made of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It refuses to read it.
    Refused {
        /// The decoder's error, or why there is no decoder: some formats hold both schemas against each other before they read.
        error: String,
    },
    /// It reads something else, and says nothing.
    Different {
        /// Path in the written message.
        path: String,
        /// What was written there.
        wrote: String,
        /// What was read there.
        got: String,
        /// What was read in all, as JSON.
        read: String,
    },
}

/// The codecs of a writer and a reader of one type of message.
pub struct Crossing {
    ruleset: &'static Ruleset,
    writer: Arc<Schema>,
    reader: Arc<Schema>,
    encode: Box<dyn Codec>,
    /// What reads, or why the schemas are such that nothing can.
    decode: Result<Box<dyn Codec>>,
    json: [Box<dyn Codec>; 2],
    arena: Arena,
    /// Names of the fields on the way to what a witness is wanted for.
    focus: Vec<String>,
}

impl Crossing {
    /// Codecs for messages that are of type `roots.0` to the writer and `roots.1` to the reader.
    ///
    /// # Errors
    /// When the format cannot express one of the schemas: then there are no messages at all.
    pub fn new(
        ruleset: &'static Ruleset,
        writer: &Module,
        reader: &Module,
        roots: (TypeId, TypeId),
    ) -> Result<Crossing> {
        let writer = Arc::new(writer.schema.rooted(roots.0));
        let reader = Arc::new(reader.schema.rooted(roots.1));
        let decode = (ruleset.reader)(&writer, &reader, ruleset.variant);
        if decode.is_err() {
            // The two do not go together, unless the reader's alone is to blame.
            plan(ruleset.variant, &reader)?;
        }
        Ok(Crossing {
            ruleset,
            encode: plan(ruleset.variant, &writer)?,
            decode,
            json: [plan("json", &writer)?, plan("json", &reader)?],
            writer,
            reader,
            arena: Arena::new(Limits::default()),
            focus: Vec::new(),
        })
    }

    /// The schema that messages are written with.
    pub fn writer(&self) -> &Arc<Schema> {
        &self.writer
    }

    /// Writes a message and reads it. `Ok(None)`: it arrives.
    ///
    /// # Errors
    /// When the message cannot even be written.
    pub fn send(&mut self, document: &Document<'_>) -> Result<Option<Witness>> {
        let mut bytes = Vec::new();
        self.encode.encode(document, &mut bytes, &mut Losses::none())?;
        self.receive(document, bytes)
    }

    /// Reads bytes that were written with the writer's schema and mean `document`.
    ///
    /// # Errors
    /// When `document` cannot be shown as JSON.
    pub fn receive(&mut self, document: &Document<'_>, bytes: Vec<u8>) -> Result<Option<Witness>> {
        // What the reader has no place for is left out: that alone breaks nobody.
        let mut losses = Losses::allowing([LossKind::UnknownField]);
        let read = match &self.decode {
            Ok(codec) => codec.decode(&bytes, &mut self.arena, &mut losses),
            Err(error) => Err(error.clone()),
        };
        let outcome = match read {
            Err(error) => Outcome::Refused { error: error.to_string() },
            Ok(got) => match compare(self.ruleset, document, &got, &self.focus) {
                None => return Ok(None),
                Some(Difference { path, wrote, got: difference }) => {
                    let read = json(&*self.json[1], &got);
                    Outcome::Different { path, wrote, got: difference, read }
                }
            },
        };
        let message = json(&*self.json[0], document);
        Ok(Some(Witness { message, variant: self.ruleset.variant, bytes, outcome }))
    }

    /// The schema that messages are read with.
    pub fn reader(&self) -> &Arc<Schema> {
        &self.reader
    }
}

/// A message as JSON, as far as JSON has it.
fn json(codec: &dyn Codec, document: &Document<'_>) -> String {
    let mut out = Vec::new();
    let mut losses = Losses::allowing([LossKind::NotFinite, LossKind::NullAsAbsent]);
    match codec.encode(document, &mut out, &mut losses) {
        Ok(()) => String::from_utf8_lossy(&out).into_owned(),
        Err(error) => format!("(no JSON: {error})"),
    }
}

/// Looks for a message that shows the finding.
pub(crate) fn search(crossing: &mut Crossing, found: &Found) -> Option<Witness> {
    let writer = crossing.writer.clone();
    let mut arena = Arena::new(Limits::default());
    let mut other = None;
    crossing.focus = fields(&writer, &found.trail);
    let usual = Provoke::usual();
    let provokes = || found.provoke.iter().chain(&usual);
    let something = provokes().map(|provoke| (provoke, Rest::Something));
    for (provoke, rest) in something.chain(provokes().map(|provoke| (provoke, Rest::Zero))) {
        if message(&writer, &found.trail, provoke, rest, &mut arena).is_none() {
            continue;
        }
        let document = Document::new(&writer, b"", &arena);
        match crossing.send(&document) {
            Ok(Some(witness)) if shows(&witness, &crossing.focus) => return Some(witness),
            Ok(Some(witness)) => other = other.or(Some(witness)),
            // It cannot be written, or arrives: the next one may show it.
            Ok(None) | Err(_) => {}
        }
    }
    other
}

/// Whether a witness is about the place of the finding, as far as can be told.
fn shows(witness: &Witness, focus: &[String]) -> bool {
    match &witness.outcome {
        Outcome::Different { path, .. } => goes_through(path, focus),
        Outcome::Refused { .. } => true,
    }
}

/// Names of the fields along a trail.
fn fields(writer: &Schema, trail: &[Hop]) -> Vec<String> {
    let mut names = Vec::new();
    let mut ty = writer.root();
    for hop in trail.iter().filter(|hop| **hop != Hop::AsItem) {
        while let (Kind::Nullable(inner), false) = (writer.kind(ty), *hop == Hop::Inner) {
            ty = *inner;
        }
        match (writer.kind(ty), hop) {
            (Kind::Record(record), Hop::Field(position)) => {
                names.push(record.fields[*position].name.clone());
                ty = record.fields[*position].ty;
            }
            (Kind::List(inner), _) | (Kind::Map(_, inner), _) | (Kind::Nullable(inner), _) => ty = *inner,
            (Kind::Union(union), Hop::Branch(position)) => ty = union.branches[*position].ty,
            _ => break,
        }
    }
    names
}
