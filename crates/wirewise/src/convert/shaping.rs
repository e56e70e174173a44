//! Which side of a conversion is shaped, and how.

use std::io::Read;
use std::sync::Arc;

use wirewise_core::{Arena, Document, ErrorKind, Limits, Losses, Schema};
use wirewise_formats::{Codec, Framing, Variant};
use wirewise_shapes::{Recipe, Shaping, Step};
use wirewise_transcode::Source;

use super::input::{Input, LOOKAHEAD};
use crate::failure::{Failure, tell};
use crate::{cli, files};

/// What the options ask for.
pub(super) enum Wanted {
    /// Nothing: the input is shaped as its schema notes.
    Noted,
    /// No side is shaped.
    None,
    /// Both sides stay shaped as the schema notes.
    Keep,
    /// The output is shaped as the schema notes.
    Schema,
    /// The output is shaped like this.
    Recipe(Recipe),
}

impl Wanted {
    pub(super) fn parse(options: &[String]) -> Result<Wanted, Failure> {
        match options {
            [] => return Ok(Wanted::Noted),
            [one] if one == "none" => return Ok(Wanted::None),
            [one] if one == "keep" => return Ok(Wanted::Keep),
            [one] if one == "schema" => return Ok(Wanted::Schema),
            _ => {}
        }
        if let Some(alone) = options.iter().find(|name| ["none", "keep", "schema"].contains(&name.as_str())) {
            return Err(Failure::bad(format!("{alone:?} goes with no other shape")));
        }
        let recipe = Recipe::parse(&options.join(" "));
        recipe.map(Wanted::Recipe).map_err(|error| {
            let failure = Failure::bad(format!("in the shapes: {}", error.message()));
            failure.hint(error.advice().unwrap_or("docs/shapes.md lists shapes and sets"))
        })
    }

    /// Whether it is about all messages together.
    pub(super) fn is_about_lists(&self) -> bool {
        matches!(self, Wanted::Recipe(recipe) if recipe.is_about_lists())
    }
}

/// What is on the wire of each side: shaped messages, or those of the schema.
pub(super) struct Sides {
    /// Of what the codecs give and take.
    pub(super) schema: Arc<Schema>,
    pub(super) input: Option<Arc<Shaping>>,
    pub(super) output: Option<Arc<Shaping>>,
    /// Whether steps were found in the start of the input only.
    pub(super) from_start: bool,
}

impl Sides {
    /// `messages` gives the steps of what is to be proposed.
    pub(super) fn new(
        wanted: &Wanted,
        schema: Arc<Schema>,
        steps: impl FnOnce(&Recipe, &Arc<Schema>) -> Result<(Vec<Step>, bool), Failure>,
    ) -> Result<Sides, Failure> {
        let wrong = |error: wirewise_core::Error| Failure::from_error(&error);
        let noted = || Shaping::noted(&schema).map_err(wrong);
        let must = || {
            noted()?.ok_or_else(|| {
                Failure::bad("the schema notes no shapes")
                    .hint("`wirewise convert --shape auto --schema-out FILE` writes one that does")
            })
        };
        let mut sides = Sides { schema: schema.clone(), input: None, output: None, from_start: false };
        match wanted {
            Wanted::None => {}
            Wanted::Noted => sides.input = noted()?.map(Arc::new),
            Wanted::Keep => sides.schema = must()?.shaped().clone(),
            Wanted::Schema => sides.output = Some(Arc::new(must()?)),
            Wanted::Recipe(recipe) => {
                let (steps, whole) = steps(recipe, &schema)?;
                sides.output = Some(Arc::new(Shaping::new(&schema, steps).map_err(wrong)?));
                sides.from_start = recipe.proposes() && !whole;
            }
        }
        Ok(sides)
    }

    /// The schema of what is on a side's wire.
    pub(super) fn wire<'a>(&'a self, side: &'a Option<Arc<Shaping>>) -> &'a Arc<Schema> {
        side.as_ref().map_or(&self.schema, |shaping| shaping.shaped())
    }

    /// The schema with the steps of the output.
    pub(super) fn write_schema(&self, options: &cli::Convert) -> Result<(), Failure> {
        let Some(path) = &options.schema_out else { return Ok(()) };
        let schema = match &self.output {
            Some(shaping) => shaping.with_note(),
            None => {
                let mut notes = self.schema.notes().clone();
                // The output is plain.
                notes.take(wirewise_shapes::NOTE);
                self.schema.with_notes(notes)
            }
        };
        files::write(path, schema.to_text().as_bytes())
    }
}

/// A codec of one side: of the schema to whoever uses it, of the shaped one on the wire.
pub(super) fn wrap(codec: Box<dyn Codec>, shaping: Option<&Arc<Shaping>>) -> Box<dyn Codec> {
    match shaping {
        Some(shaping) => wirewise_shapes::wrap(codec, shaping),
        None => codec,
    }
}

/// Where messages to propose steps for are read from.
pub(super) struct Sample<'a> {
    pub(super) variant: &'static Variant,
    pub(super) framing: Framing,
    pub(super) codec: &'a dyn Codec,
    pub(super) options: &'a cli::Convert,
    pub(super) limits: Limits,
    /// The input is one message: it is needed whole.
    pub(super) whole: bool,
}

impl Sample<'_> {
    /// The steps of a recipe for the start of the input; and whether that was all of it.
    pub(super) fn steps(
        &self,
        recipe: &Recipe,
        schema: &Arc<Schema>,
        input: &mut Input,
    ) -> Result<(Vec<Step>, bool), Failure> {
        let path = &self.options.input;
        let (kept, whole) = match recipe.proposes() {
            false => (Vec::new(), true),
            true if self.whole && (files::is_standard(path) || !path.is_file()) => {
                let bytes = input.peek(self.limits.message_bytes.saturating_add(1), path)?;
                self.read(&mut &bytes[..], true)?
            }
            true => input.for_inference(path, |reader, whole| self.read(reader, whole))?,
        };
        let documents: Vec<Document<'_>> = kept.iter().map(|arena| Document::new(schema, b"", arena)).collect();
        let steps = recipe.steps(schema, &documents, self.limits);
        steps.map(|steps| (steps, whole)).map_err(|error| Failure::from_error(&error).in_file(path))
    }

    /// The first messages, and whether they are all: as many as a schema is inferred from where there is no file.
    fn read(&self, reader: &mut dyn Read, whole: bool) -> Result<(Vec<Arena>, bool), Failure> {
        let path = &self.options.input;
        let mut source = Source::new(reader, self.framing, self.limits);
        let mut kept = Vec::new();
        // What may be dropped is dropped, and told, when it is converted.
        let mut losses = Losses::allowing(wirewise_core::LossKind::ALL);
        while source.place().offset < LOOKAHEAD || kept.is_empty() {
            match source.next(self.codec, &mut losses) {
                Ok(None) => return Ok((kept, whole)),
                Ok(Some(document)) => kept
                    .push(wirewise_shapes::keep(&document, self.limits).map_err(|error| Failure::from_error(&error))?),
                Err(wirewise_transcode::Error::Message { error, .. }) if !whole && error.kind() == ErrorKind::End => {
                    break;
                }
                Err(error) => return Err(Failure::in_stream(&error, path, path, self.variant.text)),
            }
        }
        Ok((kept, false))
    }
}

/// For people: which steps were found, and what they lose.
pub(super) fn tell_about(wanted: &Wanted, shaping: &Shaping) {
    if matches!(wanted, Wanted::Recipe(recipe) if recipe.proposes()) {
        match shaping.steps() {
            [] => tell("note: no shape suits the data"),
            _ => tell(&format!("note: shaped with --shape '{}'", shaping.note())),
        }
    }
    for (step, lost) in shaping.lost() {
        let Some(lost) = lost else { continue };
        tell(&match lost.values {
            0 => format!("note: {step} lost nothing"),
            1 => format!("rounded 1 value: {step} changed it by {:.3e}", lost.largest_error),
            values => format!("rounded {values} values: {step} changed them by {:.3e} at most", lost.largest_error),
        });
    }
}

/// The same for programs.
pub(super) fn json(shaping: &Shaping) -> serde_json::Value {
    let step = |(step, lost): (&Step, Option<wirewise_shapes::Lost>)| {
        let mut json = serde_json::json!({ "step": step.to_string() });
        if let Some(lost) = lost {
            json["changed"] = lost.values.into();
            json["largest_error"] = lost.largest_error.into();
        }
        json
    };
    shaping.lost().map(step).collect()
}
