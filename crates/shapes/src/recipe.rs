//! Sets and steps in the order in which they are used: what people write.

use std::sync::Arc;

use wirewise_core::{Document, Error, Limits, Result, Schema};

use crate::propose::propose;
use crate::sets::Set;
use crate::shaping::Shaping;
use crate::slot::Slot;
use crate::step::Step;

/// What is to be done with data: `columns`, or `fixed-point@Point.x,scale=7 columns`. Each part is about what those before
/// it have made.
#[derive(Debug, Clone)]
pub struct Recipe {
    parts: Vec<Part>,
}

#[derive(Debug, Clone)]
enum Part {
    /// What is proposed of its shapes, for the data at hand.
    Set(&'static Set),
    Step(Step),
}

impl Recipe {
    /// Reads names of sets, and steps, with spaces between them.
    ///
    /// # Errors
    /// As [`Step::parse`], and when a name is of no set.
    pub fn parse(text: &str) -> Result<Recipe> {
        let mut parts = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let at = text.len() - rest.len();
            let end = rest.find(|c: char| c.is_whitespace() || c == '@').unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            if let Some(set) = Set::find(word).filter(|_| !after.starts_with('@')) {
                parts.push(Part::Set(set));
                rest = after.trim_start();
                continue;
            }
            if !after.starts_with('@') {
                let names: Vec<&str> = Set::names().collect();
                return Err(Error::syntax(at, format!("there is no set of shapes {word:?}")).hint(format!(
                    "the sets are {}; a step is written SHAPE@PLACE, for example uuid@Point.id",
                    names.join(", ")
                )));
            }
            let (step, after) = Step::parse_first(rest).map_err(|error| error.shifted(at))?;
            parts.push(Part::Step(step));
            rest = after.trim_start();
        }
        match parts.is_empty() {
            true => Err(Error::syntax(0, "expected a set of shapes, or steps")),
            false => Ok(Recipe { parts }),
        }
    }

    /// The steps of a set alone.
    pub fn of(set: &'static Set) -> Recipe {
        Recipe { parts: vec![Part::Set(set)] }
    }

    /// The one set that it is, if it is one.
    pub fn set(&self) -> Option<&'static Set> {
        match self.parts[..] {
            [Part::Set(set)] => Some(set),
            _ => None,
        }
    }

    /// Whether it depends on data.
    pub fn proposes(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Set(_)))
    }

    /// Whether it is about all messages together, as one list, where they are one: it has a set with columns, or a step at
    /// the root.
    pub fn is_about_lists(&self) -> bool {
        self.parts.iter().any(|part| match part {
            Part::Set(set) => set.is_about_lists(),
            Part::Step(step) => Slot::root().holds(&step.slot),
        })
    }

    /// The steps, with those of sets as the data suggests.
    ///
    /// # Errors
    /// As [`Shaping::new`] and [`propose`]; or when the data does not go through the steps.
    pub fn steps(&self, schema: &Arc<Schema>, documents: &[Document<'_>], limits: Limits) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        for part in &self.parts {
            match part {
                Part::Step(step) => steps.push(step.clone()),
                Part::Set(set) => {
                    let shaping = Shaping::new(schema, steps.clone())?;
                    let mut spaces = Vec::new();
                    let shaped = shaping.apply_all(documents, limits, &mut spaces)?;
                    steps.extend(propose(shaping.shaped(), &shaped, &set.shapes()?, limits)?);
                }
            }
        }
        Ok(steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_and_steps_follow_each_other() {
        let recipe = Recipe::parse(r#" fixed-point@P."a b",scale=7  columns uuid@P.id "#).unwrap();
        assert_eq!(recipe.parts.len(), 3);
        assert!(recipe.proposes() && recipe.is_about_lists() && recipe.set().is_none());
        assert_eq!(Recipe::parse("packed").unwrap().set().unwrap().name, "packed");
        assert!(!Recipe::parse("uuid@P.id").unwrap().is_about_lists());
        // A shape and a set may have one name.
        assert!(!Recipe::parse("columns@$").unwrap().proposes());
        for (text, expected) in [
            ("", "expected a set of shapes, or steps, at byte 0"),
            ("values rows", "there is no set of shapes \"rows\", at byte 7"),
            ("values nothing@$", "there is no shape \"nothing\""),
        ] {
            let error = Recipe::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn sets_are_proposed_for_what_comes_before_them() {
        let text = r#"{"wirewise": "schema/1", "root": {"list": "P"}, "types": [
            {"record": "P", "fields": [{"number": 1, "name": "x", "type": "float64"}]}]}"#;
        let schema = Arc::new(Schema::parse(text).unwrap());
        let values: Vec<String> = (0..40).map(|i| format!("{{\"x\":{}.123456789}}", i / 10)).collect();
        let input = format!("[{}]", values.join(","));
        let codec = wirewise_formats::plan("json", &schema).unwrap();
        let mut arena = wirewise_core::Arena::new(Limits::default());
        let document = codec.decode(input.as_bytes(), &mut arena, &mut wirewise_core::Losses::none()).unwrap();
        let recipe = Recipe::parse("fixed-point@P.x,scale=2 packed").unwrap();
        let steps = recipe.steps(&schema, &[document], Limits::default()).unwrap();
        let text: Vec<String> = steps.iter().map(Step::to_string).collect();
        assert_eq!(text, ["fixed-point@P.x,scale=2", "columns@$", "delta@PColumns.x"]);
    }
}
