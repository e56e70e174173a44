//! What is asked for.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value as Json;
use wirewise_core::LossKind;
use wirewise_formats::{Variant, find};

use crate::failure::Failure;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request<'a> {
    /// Comes back with the answer.
    #[serde(default)]
    pub(super) id: Json,
    #[serde(borrow)]
    from: Cow<'a, str>,
    #[serde(borrow)]
    to: Cow<'a, str>,
    pub(super) schema: Option<String>,
    #[serde(rename = "type")]
    pub(super) type_name: Option<String>,
    include: Option<Strings>,
    #[serde(rename = "in", borrow)]
    pub(super) input: Cow<'a, str>,
    shape: Option<Strings>,
    lossy: Option<Strings>,
    ignore_unknown: Option<bool>,
}

/// One string, or an array of them.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a string or an array of strings")]
enum Strings {
    One(String),
    Many(Vec<String>),
}

impl Strings {
    fn all(strings: &Option<Strings>) -> &[String] {
        match strings {
            None => &[],
            Some(Strings::One(one)) => std::slice::from_ref(one),
            Some(Strings::Many(many)) => many,
        }
    }
}

impl<'a> Request<'a> {
    /// A request that is none comes back with its id, as far as that can be seen.
    pub(super) fn parse(line: &'a [u8]) -> Result<Request<'a>, (Json, Failure)> {
        serde_json::from_slice(line).map_err(|error| {
            let id = serde_json::from_slice(line).ok().and_then(|mut json: Json| Some(json.get_mut("id")?.take()));
            let text = error.to_string();
            let what = text.split(" at line ").next().unwrap_or_default();
            let failure = Failure::bad(format!("the line is no request: {what}, at column {}", error.column()));
            (id.unwrap_or_default(), failure.hint("docs/stdio.md says what a request is"))
        })
    }

    pub(super) fn from(&self) -> Result<&'static Variant, Failure> {
        variant(&self.from)
    }

    pub(super) fn to(&self) -> Result<&'static Variant, Failure> {
        variant(&self.to)
    }

    pub(super) fn include(&self) -> &[String] {
        Strings::all(&self.include)
    }

    /// Which side is shaped, and how.
    pub(super) fn shape(&self) -> &[String] {
        Strings::all(&self.shape)
    }

    /// What may be dropped.
    pub(super) fn allowed(&self) -> Result<Vec<LossKind>, Failure> {
        let kind = |name: &String| {
            LossKind::by_name(name).ok_or_else(|| {
                let known = LossKind::ALL.map(LossKind::name).join(", ");
                Failure::bad(format!("there is no kind of loss {name:?}")).hint(format!("there are {known}"))
            })
        };
        let mut kinds: Vec<LossKind> = Strings::all(&self.lossy).iter().map(kind).collect::<Result<_, _>>()?;
        kinds.extend(self.ignore_unknown.filter(|ignore| *ignore).map(|_| LossKind::UnknownField));
        Ok(kinds)
    }
}

fn variant(name: &str) -> Result<&'static Variant, Failure> {
    match find(name) {
        Ok((_, variant)) => Ok(variant),
        // Bad usage, as on the command line, and no refusal.
        Err(error) => Err(Failure::bad(error.message()).hint(error.advice().unwrap_or_default())),
    }
}
