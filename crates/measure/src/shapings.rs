//! Which shapes are measured, on which variants, and what comes back of the data.

use std::sync::Arc;

use wirewise_core::{Arena, Document, ErrorKind, Limits, Result, Schema};
use wirewise_formats::{Codec, Format, Variant};
use wirewise_shapes::{Recipe, SETS, Shaping, Step, Workspace};

use crate::report::{self, Exactness, Lost, Mode, ShapingStep};
use crate::run::Options;

/// Which shapes are measured beside the data as it is.
#[derive(Debug, Clone)]
pub enum Shapes {
    /// None.
    None,
    /// Each set that does something with this data that the one before it does not.
    Sets,
    /// These, with the names of their rows.
    Recipes(Vec<(String, Recipe)>),
}

/// Whether a variant is measured with shapes unless somebody says otherwise: the first of each format, and the ones that
/// are chosen for their size. The others differ from those in the same way without shapes.
pub fn is_shaped(format: &dyn Format, variant: &Variant) -> bool {
    format.info().variants.first() == Some(variant) || variant.compact
}

/// The messages of one mode.
#[derive(Clone, Copy)]
pub(crate) struct Samples<'a> {
    pub(crate) schema: &'a Arc<Schema>,
    pub(crate) documents: &'a [Document<'a>],
    /// An earlier version of the only document.
    pub(crate) previous: Option<&'a Document<'a>>,
    pub(crate) limits: Limits,
}

/// A shaping of the messages of one mode.
pub(crate) struct Applied {
    shaping: Arc<Shaping>,
    /// What comes back of each document, where steps round.
    rounded: Option<Vec<Arena>>,
    /// What the steps lost.
    lost: Vec<Option<wirewise_shapes::Lost>>,
}

/// A shaping of both modes; what a mode has already in other rows, or not at all, is `None`.
pub(crate) struct Found {
    name: String,
    about: String,
    pub(crate) single: Option<Applied>,
    pub(crate) batch: Option<Applied>,
}

impl Applied {
    /// `None` when there is no step.
    fn new(samples: Samples<'_>, steps: Vec<Step>) -> Result<Option<Applied>> {
        if steps.is_empty() {
            return Ok(None);
        }
        let shaping = Arc::new(Shaping::new(samples.schema, steps)?);
        let rounded = match shaping.steps().iter().any(|step| step.shape.info().lossy) {
            true => Some(rounded(samples, &shaping)?),
            false => None,
        };
        let lost = shaping.lost().map(|(_, lost)| lost).collect();
        Ok(Some(Applied { shaping, rounded, lost }))
    }

    fn steps(&self) -> Vec<ShapingStep> {
        let steps = self.shaping.steps().iter().zip(&self.lost);
        let step = |(step, lost): (&Step, &Option<wirewise_shapes::Lost>)| ShapingStep {
            step: step.to_string(),
            largest_error: lost.map(|lost| lost.largest_error),
        };
        steps.map(step).collect()
    }
}

/// What comes back of documents.
fn rounded(samples: Samples<'_>, shaping: &Shaping) -> Result<Vec<Arena>> {
    let (mut there, mut back) = (Workspace::new(samples.limits), Workspace::new(samples.limits));
    let mut arenas = Vec::new();
    for (i, document) in samples.documents.iter().enumerate() {
        let in_message = |error: wirewise_core::Error| match samples.documents.len() {
            1 => error,
            _ => error.in_index(i),
        };
        let shaped = shaping.apply(document, &mut there).map_err(in_message)?;
        let undone = shaping.undo(&shaped, &mut back).map_err(in_message)?;
        arenas.push(wirewise_shapes::keep(&undone, samples.limits)?);
    }
    Ok(arenas)
}

/// The shapings to measure. There is no batch of one message.
pub(crate) fn find(shapes: &Shapes, singles: Samples<'_>, batch: Option<Samples<'_>>) -> Result<Vec<Found>> {
    let steps = |recipe: &Recipe, samples: Samples<'_>| recipe.steps(samples.schema, samples.documents, samples.limits);
    let mut found = Vec::new();
    match shapes {
        Shapes::None => {}
        Shapes::Sets => {
            let (mut last_single, mut last_batch) = (Vec::new(), Vec::new());
            for set in SETS {
                let recipe = Recipe::of(set);
                let single = new_steps(steps(&recipe, singles)?, &mut last_single);
                let batch_steps = batch.map(|batch| steps(&recipe, batch)).transpose()?.unwrap_or_default();
                let batch_steps = new_steps(batch_steps, &mut last_batch);
                let shaping = Found {
                    name: set.name.to_owned(),
                    about: set.about.to_owned(),
                    single: Applied::new(singles, single)?,
                    batch: batch.map(|batch| Applied::new(batch, batch_steps)).transpose()?.flatten(),
                };
                if shaping.single.is_some() || shaping.batch.is_some() {
                    found.push(shaping);
                }
            }
        }
        Shapes::Recipes(recipes) => {
            for (name, recipe) in recipes {
                let apply = |samples: Samples<'_>| Applied::new(samples, steps(recipe, samples)?);
                let single = apply(singles);
                let batch = batch.map(apply);
                // Steps may be for one message, or for the list of all.
                let (single, batch) = match (single, batch) {
                    (single, None) => (single?, None),
                    (Err(error), Some(Ok(batch))) if error.kind() == ErrorKind::Schema => (None, batch),
                    (Ok(single), Some(Err(error))) if error.kind() == ErrorKind::Schema => (single, None),
                    (single, Some(batch)) => (single?, batch?),
                };
                let about = recipe.set().map_or("steps of one's own", |set| set.about).to_owned();
                found.push(Found { name: name.clone(), about, single, batch });
            }
        }
    }
    Ok(found)
}

/// Nothing when there is nothing new.
fn new_steps(steps: Vec<Step>, last: &mut Vec<Step>) -> Vec<Step> {
    if steps == *last {
        return Vec::new();
    }
    last.clone_from(&steps);
    steps
}

impl Found {
    pub(crate) fn report(&self) -> report::Shaping {
        let steps = |side: &Option<Applied>| side.as_ref().map(Applied::steps).unwrap_or_default();
        report::Shaping {
            name: self.name.clone(),
            about: self.about.clone(),
            single: steps(&self.single),
            batch: steps(&self.batch),
        }
    }

    fn is_empty(&self) -> bool {
        self.single.is_none() && self.batch.is_none()
    }
}

/// A row: a variant, and its shaping if it has one.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) format: &'static dyn Format,
    pub(crate) variant: &'static Variant,
    shaping: Option<&'a Found>,
}

/// All rows, in the order of the report.
pub(crate) fn places<'a>(options: &Options, found: &'a [Found]) -> Vec<Place<'a>> {
    let mut places = Vec::new();
    for &(format, variant) in &options.variants {
        places.push(Place { format, variant, shaping: None });
        if options.shaped.contains(&variant.id) {
            let shaped = found.iter().filter(|shaping| !shaping.is_empty());
            places.extend(shaped.map(|shaping| Place { format, variant, shaping: Some(shaping) }));
        }
    }
    places
}

impl<'a> Place<'a> {
    pub(crate) fn shape(self) -> Option<String> {
        self.shaping.map(|shaping| shaping.name.clone())
    }

    /// What is measured of it in one mode, if anything is.
    pub(crate) fn work(self, side: impl Fn(&'a Found) -> Option<&'a Applied>) -> Option<Work<'a>> {
        let Place { format, variant, shaping } = self;
        let applied = shaping.map(side);
        match applied {
            Some(None) => None,
            applied => {
                Some(Work { format, variant, name: shaping.map(|found| &*found.name), applied: applied.flatten() })
            }
        }
    }

    /// In place of what is not measured.
    pub(crate) fn nothing(self) -> Mode {
        let name = self.shaping.map_or("it", |found| &found.name);
        let error = format!("{name} does nothing more with messages one at a time");
        Mode { exactness: Exactness::Refused { error }, side: None }
    }
}

/// What is measured in one mode: a variant, shaped or not.
pub(crate) struct Work<'a> {
    format: &'static dyn Format,
    variant: &'static Variant,
    name: Option<&'a str>,
    applied: Option<&'a Applied>,
}

impl Work<'_> {
    /// The id of the variant.
    pub(crate) fn variant(&self) -> &'static str {
        self.variant.id
    }

    pub(crate) fn label(&self) -> String {
        self.name.map_or_else(|| self.variant.id.to_owned(), |name| format!("{}+{name}", self.variant.id))
    }

    pub(crate) fn plan(&self, schema: &Arc<Schema>) -> Result<Box<dyn Codec>> {
        match self.applied {
            Some(applied) => wirewise_shapes::plan(self.variant.id, &applied.shaping),
            None => self.format.plan(schema, self.variant),
        }
    }

    /// What is encoded: where steps round, what comes back of the documents, so that the rest is known to be exact.
    pub(crate) fn documents<'d>(&'d self, documents: &[Document<'d>]) -> Vec<Document<'d>> {
        match self.applied.and_then(|applied| Some((applied, applied.rounded.as_ref()?))) {
            Some((applied, arenas)) => {
                arenas.iter().map(|arena| Document::new(applied.shaping.base(), b"", arena)).collect()
            }
            None => documents.to_vec(),
        }
    }

    /// Whether the data came back, when what it is rounded to did so.
    pub(crate) fn exactness(&self, rest: Exactness) -> Exactness {
        let Some(applied) = self.applied else { return rest };
        let steps = applied.shaping.steps().iter().zip(&applied.lost);
        let changed = steps.filter_map(|(step, lost)| lost.filter(|lost| lost.values > 0).map(|lost| (step, lost)));
        let mut lost: Vec<Lost> = Vec::new();
        let mut first = None;
        for (step, loss) in changed {
            let kind = step.shape.info().name.to_owned();
            lost.push(Lost { kind, place: step.slot.to_string(), count: loss.values });
            first.get_or_insert_with(|| format!("{step} changes values by {:e} at most", loss.largest_error));
        }
        match (first, rest) {
            (Some(first), Exactness::Exact) => Exactness::Lossy { lost, first },
            (Some(_), Exactness::Lossy { lost: more, first }) => {
                lost.extend(more);
                Exactness::Lossy { lost, first }
            }
            (_, rest) => rest,
        }
    }
}
