//! A schema with shapes: what is on the wire, and how to come there and back.

use std::collections::HashMap;
use std::sync::Arc;

use wirewise_core::{Arena, Document, Error, Limits, Result, Schema};

use crate::shape::{Planned, Site};
use crate::slot::Slot;
use crate::step::Step;
use crate::types::{self, Types};
use crate::walk::{Lost, Plan, Rewrite, copy};

/// The note of a schema with the steps that its messages have gone through where they are written.
pub const NOTE: &str = "wirewise.shapes";

/// A schema, the shapes that are applied to it one after another, and the schema that comes of it.
pub struct Shaping {
    base: Arc<Schema>,
    shaped: Arc<Schema>,
    steps: Vec<Step>,
    passes: Vec<Pass>,
}

/// Some steps that are made at once.
struct Pass {
    from: Arc<Schema>,
    to: Arc<Schema>,
    apply: Plan,
    undo: Plan,
    rewrites: Vec<Box<dyn Rewrite>>,
}

/// Memory for documents, to be reused.
pub struct Workspace {
    between: [Arena; 2],
    last: Arena,
}

impl Workspace {
    /// Empty memory, which obeys these limits.
    pub fn new(limits: Limits) -> Workspace {
        Workspace { between: [Arena::new(limits), Arena::new(limits)], last: Arena::new(limits) }
    }
}

impl Shaping {
    /// Plans the steps, one after another: each is about the schema that those before it have made.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`](wirewise_core::ErrorKind::Schema) when a step does not fit the schema at its slot.
    pub fn new(base: &Arc<Schema>, steps: Vec<Step>) -> Result<Shaping> {
        let mut passes: Vec<Pass> = Vec::new();
        let mut rest = &steps[..];
        while !rest.is_empty() {
            let from = passes.last().map_or(base, |pass| &pass.to);
            let count = at_once(from, rest);
            passes.push(Pass::new(from, &rest[..count])?);
            rest = &rest[count..];
        }
        let shaped = passes.last().map_or(base, |pass| &pass.to).clone();
        Ok(Shaping { base: base.clone(), shaped, steps, passes })
    }

    /// Plans the steps that a schema notes; none when it has no such note.
    ///
    /// # Errors
    /// As [`Shaping::new`], and when the note cannot be read.
    pub fn noted(schema: &Arc<Schema>) -> Result<Option<Shaping>> {
        let Some(text) = schema.notes().get(NOTE) else { return Ok(None) };
        let wrong = |error: Error| error.hint(format!("it stands in the note {NOTE} of the schema"));
        Shaping::new(schema, Step::parse_all(text).map_err(wrong)?).map(Some)
    }

    /// What [`NOTE`] says of these steps.
    pub fn note(&self) -> String {
        let steps: Vec<String> = self.steps.iter().map(Step::to_string).collect();
        steps.join(" ")
    }

    /// The base schema with these steps as its [`NOTE`]: what a schema file has.
    #[must_use]
    pub fn with_note(&self) -> Schema {
        let mut notes = self.base.notes().clone();
        notes.take(NOTE);
        if !self.steps.is_empty() {
            notes.set(NOTE, self.note());
        }
        self.base.with_notes(notes)
    }

    /// The schema of messages as people see them.
    pub fn base(&self) -> &Arc<Schema> {
        &self.base
    }

    /// The schema of messages as they are written.
    pub fn shaped(&self) -> &Arc<Schema> {
        &self.shaped
    }

    /// The steps.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// What each step has lost so far, in all documents; `None` for steps that are exact.
    pub fn lost(&self) -> impl Iterator<Item = (&Step, Option<Lost>)> {
        let rewrites = self.passes.iter().flat_map(|pass| &pass.rewrites);
        self.steps.iter().zip(rewrites.map(|rewrite| rewrite.lost()))
    }

    /// A document of the base schema in its shaped form.
    ///
    /// # Errors
    /// When a value would not come back the same, with its path; or at a limit.
    pub fn apply<'a>(&'a self, document: &Document<'a>, space: &'a mut Workspace) -> Result<Document<'a>> {
        self.apply_to(document, &mut space.between, &mut space.last)?;
        Ok(self.made(document, &self.shaped, &space.last))
    }

    /// Documents of the base schema in their shaped form; `spaces` becomes their memory.
    ///
    /// # Errors
    /// As [`Shaping::apply`].
    pub(crate) fn apply_all<'a>(
        &'a self,
        documents: &[Document<'a>],
        limits: Limits,
        spaces: &'a mut Vec<Workspace>,
    ) -> Result<Vec<Document<'a>>> {
        *spaces = documents.iter().map(|_| Workspace::new(limits)).collect();
        documents.iter().zip(spaces).map(|(document, space)| self.apply(document, space)).collect()
    }

    /// A document of the shaped schema in its first form.
    ///
    /// # Errors
    /// When it is none that was shaped, with the path; or at a limit.
    pub fn undo<'a>(&'a self, document: &Document<'a>, space: &'a mut Workspace) -> Result<Document<'a>> {
        self.undo_to(document, &mut space.between, &mut space.last)?;
        Ok(self.made(document, &self.base, &space.last))
    }

    fn made<'a>(&self, document: &Document<'a>, schema: &'a Schema, arena: &'a Arena) -> Document<'a> {
        if self.passes.is_empty() { *document } else { Document::new(schema, document.input(), arena) }
    }

    pub(crate) fn apply_to(&self, document: &Document<'_>, between: &mut [Arena; 2], to: &mut Arena) -> Result<()> {
        let passes: Vec<Way<'_>> =
            self.passes.iter().map(|pass| (&*pass.to, &pass.apply, &pass.rewrites[..], false)).collect();
        run(&passes, document, between, to)
    }

    pub(crate) fn undo_to(&self, document: &Document<'_>, between: &mut [Arena; 2], to: &mut Arena) -> Result<()> {
        let passes: Vec<Way<'_>> =
            self.passes.iter().rev().map(|pass| (&*pass.from, &pass.undo, &pass.rewrites[..], true)).collect();
        run(&passes, document, between, to)
    }
}

/// A pass in one direction: the schema that comes of it, how, with what, and whether backwards.
type Way<'a> = (&'a Schema, &'a Plan, &'a [Box<dyn Rewrite>], bool);

/// Makes the passes; what comes of the last one is in `to`.
fn run(passes: &[Way<'_>], document: &Document<'_>, between: &mut [Arena; 2], to: &mut Arena) -> Result<()> {
    let [first, second] = between;
    let (mut free, mut full) = (first, second);
    let mut schema = document.schema();
    for (i, &(made, plan, rewrites, undo)) in passes.iter().enumerate() {
        let made_of = if i == 0 { *document } else { Document::new(schema, document.input(), full) };
        if i + 1 == passes.len() {
            return copy(made_of, to, plan, rewrites, undo);
        }
        copy(made_of, free, plan, rewrites, undo)?;
        schema = made;
        std::mem::swap(&mut free, &mut full);
    }
    Ok(())
}

/// How many of the steps can be made at once: those whose slots are there already, apart from each other, and where they
/// were afterwards.
fn at_once(schema: &Schema, steps: &[Step]) -> usize {
    let mut count = 1;
    while count < steps.len() {
        let (done, next) = (&steps[..count], &steps[count]);
        let apart = done.iter().all(|step| !step.slot.holds(&next.slot) && !next.slot.holds(&step.slot));
        let stays = |step: &Step| !step.shape.info().moves;
        if !apart || !stays(next) || !done.iter().all(stays) || next.slot.find(schema).is_err() {
            break;
        }
        count += 1;
    }
    count
}

impl Pass {
    fn new(from: &Arc<Schema>, steps: &[Step]) -> Result<Pass> {
        let plan = |step: &Step, site: &Site<'_>, types: &mut Types<'_>| -> Result<Planned> {
            step.shape.plan(site, &step.params, types).map_err(|error| error.hint(format!("the shape is {step}")))
        };
        let plans: Vec<_> =
            steps.iter().map(|step| move |site: &Site<'_>, types: &mut Types<'_>| plan(step, site, types)).collect();
        let changes: Vec<(Slot, &types::Change<'_>)> =
            steps.iter().zip(&plans).map(|(step, plan)| (step.slot.clone(), plan as _)).collect();
        let (to, planned) = types::change(from, &changes)?;
        let changed: HashMap<Slot, usize> = steps.iter().map(|step| step.slot.clone()).zip(0..).collect();
        Ok(Pass {
            apply: Plan::new(from, &changed),
            undo: Plan::new(&to, &changed),
            rewrites: planned.into_iter().map(|planned| planned.rewrite).collect(),
            from: from.clone(),
            to: Arc::new(to),
        })
    }
}
