//! What the input is read as: what the user says, what its name says, what its bytes look like.

use std::sync::Arc;

use wirewise_core::Schema;
use wirewise_formats::{Framing, Variant};
use wirewise_inspect::{Candidate, Frames};

use super::LOOK;
use super::stream::Stream;
use crate::cli::{self, Wrapper};
use crate::convert;
use crate::failure::{Failure, tell};
use crate::framing;

/// Below this, a guess is none.
const LEAST: u8 = 20;

/// From here on, what the bytes look like counts for more than the name of the file.
const SURE: u8 = 80;

/// How the input is read, and how sure that is.
pub(super) struct Plan {
    pub(super) variant: &'static Variant,
    pub(super) frames: Frames,
    pub(super) confluent: bool,
    /// What was guessed, where something had to be, and what else it may be.
    pub(super) guess: Option<(Candidate, Vec<Candidate>)>,
}

impl Plan {
    pub(super) fn make(
        options: &cli::Inspect,
        stream: &mut Stream,
        schema: Option<&Arc<Schema>>,
    ) -> Result<Plan, Failure> {
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
    pub(super) fn tell(&self) {
        let Some((guess, others)) = &self.guess else { return };
        tell(&format!("note: read as {} (certainty {}%: {})", guess.describe(), guess.certainty, guess.why));
        if !others.is_empty() {
            let others: Vec<_> =
                others.iter().map(|other| format!("{} ({}%)", other.describe(), other.certainty)).collect();
            tell(&format!("note: it may also be {}; --from and --in-framing choose", others.join(", ")));
        }
    }
}
