//! Whether a resource may have another schema than it had.

use std::sync::Arc;

use wirewise_core::{Kind, Schema};
use wirewise_evolution::{Level, Mode, Options, RULESETS, Ruleset, Version, check};
use wirewise_idl::{Lock, Module};

use crate::offer::Offer;
use crate::{Error, Result};

/// Whether clients that know the old schema can go on with data of the new one, in every format that is offered.
///
/// The gateway writes and clients read, and clients are not all changed at once: so it is the old schema that must read what
/// the new one writes, which is FORWARD. Nobody reads old data with the new schema: earlier versions are not served, and as
/// dictionaries they are only bytes.
///
/// # Errors
/// What would break, and for whom.
pub fn follows(old: &Arc<Schema>, new: &Arc<Schema>, offer: &Offer) -> Result<()> {
    // There was no record yet, so no client knows one.
    if let Kind::List(item) = old.kind(old.root())
        && *old.kind(*item) == Kind::Null
    {
        return Ok(());
    }
    let version = |name: &str, schema: &Arc<Schema>| {
        let module = Module::of((**schema).clone());
        Version { name: name.to_owned(), module, source: None }
    };
    let (before, after) = (version("the schema so far", old), version("the schema of the data", new));
    let options = Options { mode: Mode::Forward, level: Level::Wire, type_name: None };
    for (title, ruleset) in rulesets(offer) {
        let verdict = check(ruleset, std::slice::from_ref(&before), &after, &options);
        let verdict = verdict.map_err(|error| Error::new(error.to_string()).of(title))?;
        if let Some(finding) = verdict.findings.first() {
            let what = format!("clients that read {title} could not go on: {}: {}", finding.path, finding.what);
            return Err(Error::new(what));
        }
    }
    Ok(())
}

/// The rules of every format that is offered, after its name. Formats without rules of their own have names on the wire as JSON has, so its
/// rules hold for them; and where a variant leaves the names out, a client needs the schema of the very version, which each
/// response links to: what it then sees are the same values by name.
fn rulesets(offer: &Offer) -> Vec<(&'static str, &'static Ruleset)> {
    let mut found: Vec<(&'static str, &'static Ruleset)> = Vec::new();
    for entry in &offer.entries {
        let Ok((format, _)) = wirewise_formats::find(entry.variant.id) else { continue };
        let own = wirewise_evolution::find(format.info().name);
        let ruleset = own.or_else(|| RULESETS.iter().find(|ruleset| ruleset.variant == "json").copied());
        let new = ruleset.filter(|ruleset| found.iter().all(|(_, known)| known.format != ruleset.format));
        found.extend(new.map(|ruleset| (format.info().title, ruleset)));
    }
    found
}

/// The new schema with the numbers that the old one gave to the same names.
///
/// # Errors
/// When there are more names than numbers.
pub fn with_numbers_of(old: &Schema, new: Schema) -> Result<Schema> {
    let wrong = |error: wirewise_idl::Error| Error::new(error.to_string());
    let lock = Lock::default().apply(&Module::of(old.clone())).map_err(wrong)?.lock;
    Ok(lock.apply(&Module::of(new)).map_err(wrong)?.module.schema)
}
