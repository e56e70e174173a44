//! A shape at a slot.

use std::fmt;

use wirewise_core::{Error, ErrorKind, Result};

use crate::SHAPES;
use crate::shape::{Param, Params, Shape};
use crate::slot::Slot;

/// A shape at a slot, with its parameters. Written `columns@$`, `decimal@Point.price,scale=2`.
#[derive(Clone)]
pub struct Step {
    /// The shape.
    pub shape: &'static dyn Shape,
    /// Where.
    pub slot: Slot,
    /// How.
    pub params: Params,
}

/// The shape with this name.
///
/// # Errors
/// [`ErrorKind::Schema`], with the names that there are.
pub fn find(name: &str) -> Result<&'static dyn Shape> {
    SHAPES.iter().copied().find(|shape| shape.info().name == name).ok_or_else(|| {
        let names: Vec<&str> = SHAPES.iter().map(|shape| shape.info().name).collect();
        Error::new(ErrorKind::Schema, format!("there is no shape {name:?}"))
            .hint(format!("there are {}", names.join(", ")))
    })
}

impl Step {
    /// Reads a step.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`] for an unknown shape or parameter, [`ErrorKind::Syntax`] otherwise.
    pub fn parse(text: &str) -> Result<Step> {
        let (step, rest) = Step::parse_first(text)?;
        if !rest.is_empty() {
            let at = text.len() - rest.len();
            return Err(Error::syntax(at, format!("found {rest:?} after the shape {step}")));
        }
        Ok(step)
    }

    /// Reads steps with spaces between them.
    ///
    /// # Errors
    /// As [`Step::parse`].
    pub fn parse_all(text: &str) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let at = text.len() - rest.len();
            let (step, after) = Step::parse_first(rest).map_err(|error| error.shifted(at))?;
            steps.push(step);
            rest = after.trim_start();
        }
        Ok(steps)
    }

    /// Reads the step at the start of a text; returns what follows it.
    pub(crate) fn parse_first(text: &str) -> Result<(Step, &str)> {
        let Some((name, rest)) = text.split_once('@') else {
            return Err(Error::syntax(text.len(), "expected @ and a place after the name of a shape")
                .hint("write for example columns@$ or uuid@Point.id"));
        };
        let shape = find(name)?;
        let at = text.len() - rest.len();
        let (slot, mut rest) = Slot::parse(rest).map_err(|error| error.shifted(at))?;
        let mut params = Params::default();
        while let Some(after) = rest.strip_prefix(',') {
            let wrong = || Error::syntax(text.len() - after.len(), "expected NAME=NUMBER, or NAME=[\"TEXT\", ...]");
            let (key, value) = after.split_once('=').ok_or_else(wrong)?;
            let known: Vec<&str> = shape.info().params.iter().map(|(known, _)| *known).collect();
            if !known.contains(&key) {
                let hint =
                    if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) };
                return Err(Error::new(ErrorKind::Schema, format!("{name} has no parameter {key:?}")).hint(hint));
            }
            let (value, after) = param(value).ok_or_else(wrong)?;
            params.add(key, value);
            rest = after;
        }
        Ok((Step { shape, slot, params }, rest))
    }
}

/// The value of a parameter at the start of a text, and what follows it.
fn param(text: &str) -> Option<(Param, &str)> {
    if text.starts_with('[') {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Vec<String>>();
        let texts = values.next()?.ok()?;
        return Some((Param::Texts(texts), &text[values.byte_offset()..]));
    }
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((Param::Number(text[..end].parse().ok()?), &text[end..]))
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.shape.info().name, self.slot)?;
        self.params.iter().try_for_each(|(name, value)| write!(f, ",{name}={value}"))
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq for Step {
    fn eq(&self, other: &Step) -> bool {
        let name = |step: &Step| step.shape.info().name;
        name(self) == name(other) && self.slot == other.slot && self.params == other.params
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_written_as_they_are_read() {
        let text = r#"columns@$ decimal@P."a b"[],scale=2 uuid@P.id enum@P.t,symbols=["a b","\",x=1"]"#;
        let steps = Step::parse_all(text).unwrap();
        let written: Vec<String> = steps.iter().map(Step::to_string).collect();
        assert_eq!(written.join(" "), text);
        for (text, expected) in [
            ("columns", "expected @ and a place after the name of a shape, at byte 7"),
            ("rows@$", "there is no shape \"rows\""),
            ("columns@$,a=1", "columns has no parameter \"a\""),
            ("enum@$,symbols=[1]", "expected NAME=NUMBER, or NAME=[\"TEXT\", ...], at byte 7"),
            ("enum@$,symbols=[\"a\"", "expected NAME=NUMBER, or NAME=[\"TEXT\", ...], at byte 7"),
            ("columns@$ decimal@P.", "expected $, or a name, at byte 20"),
        ] {
            let error = Step::parse_all(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
