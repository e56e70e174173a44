//! The lock's file.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use serde_json::Value as Json;

use super::{Lock, Numbers, Part};
use crate::json::{self, Locator, Node, Object};
use crate::{Error, Result, Source};

/// Value of the member `wirewise` of every lock file that this version writes and reads.
pub const FILE_VERSION: &str = "lock/1";

/// What to do about a file that is not as it was written.
const ADVICE: &str = "take the file from version control, or correct it by hand: a number must stay with its name";

impl Lock {
    /// Reads the file.
    ///
    /// # Errors
    /// With the place, where it is no lock file, or gives a number twice.
    pub fn parse(source: &Source) -> Result<Lock> {
        let text = source.text()?;
        let reader = Reader { places: Locator::new(&source.name, text) };
        let node = json::parse(source).map_err(|error| error.hint(ADVICE))?;
        reader.file(&node)
    }

    /// Writes the file: the same lock always gives the same text.
    pub fn to_text(&self) -> String {
        // Writing to a String cannot fail, so the results of `write!` are dropped.
        let mut out = format!("{{\n  \"wirewise\": \"{FILE_VERSION}\",\n  \"types\": {{");
        for (i, (name, numbers)) in self.types.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            let _ = write!(out, "{comma}\n    {}: {{\n      ", Json::from(name.as_str()));
            write_numbers(numbers.part.member(), &numbers.given, &mut out);
            if !numbers.gone.is_empty() {
                out.push_str(",\n      ");
                write_numbers("reserved", &numbers.gone, &mut out);
            }
            out.push_str("\n    }");
        }
        out.push_str(if self.types.is_empty() { "}\n}\n" } else { "\n  }\n}\n" });
        out
    }
}

/// By number: two people who give out the same number get a conflict, and not a file that is wrong.
fn write_numbers(member: &str, numbers: &BTreeMap<String, i64>, out: &mut String) {
    let mut rows: Vec<(i64, &str)> = numbers.iter().map(|(name, number)| (*number, name.as_str())).collect();
    rows.sort_unstable();
    let _ = write!(out, "\"{member}\": {{");
    for (i, (number, name)) in rows.iter().enumerate() {
        let comma = if i == 0 { "" } else { "," };
        let _ = write!(out, "{comma}\n        {}: {number}", Json::from(*name));
    }
    out.push_str(if rows.is_empty() { "}" } else { "\n      }" });
}

struct Reader<'a> {
    places: Locator<'a>,
}

impl Reader<'_> {
    fn wrong(&self, at: usize, what: impl Into<String>) -> Error {
        Error::at(self.places.place(at), what).hint(ADVICE)
    }

    fn file(&self, node: &Node) -> Result<Lock> {
        let file = self.object(node, "a lock file")?;
        match file.get("wirewise").map(|version| (version, version.as_str())) {
            Some((_, Some(FILE_VERSION))) => {}
            Some((version, Some(other))) => {
                let what = format!("found version {other:?}, expected {FILE_VERSION:?}");
                return Err(Error::at(self.places.place(version.at), what));
            }
            _ => {
                let what = format!("not a lock file: expected \"wirewise\": \"{FILE_VERSION}\"");
                return Err(Error::at(self.places.place(node.at), what));
            }
        }
        let mut types = BTreeMap::new();
        for member in file.members() {
            match member.name.as_str() {
                "wirewise" => {}
                "types" => {
                    for ty in self.object(&member.value, "types by name")?.members() {
                        if ty.name.is_empty() {
                            return Err(self.wrong(ty.at, "found an empty name, expected that of a type"));
                        }
                        types.insert(ty.name.clone(), self.numbers(&ty.value)?);
                    }
                }
                other => return Err(self.wrong(member.at, format!("found {other:?}, expected \"types\""))),
            }
        }
        Ok(Lock { types })
    }

    fn numbers(&self, node: &Node) -> Result<Numbers> {
        let members = self.object(node, "the numbers of a type")?;
        let present = |part: &Part| members.get(part.member()).is_some();
        let part = Part::ALL.into_iter().find(present).ok_or_else(|| {
            self.wrong(node.at, "expected \"fields\", \"symbols\" or \"branches\" with the numbers of the type")
        })?;
        let mut numbers = Numbers::new(part);
        // Where a number, and a name, was found first.
        let (mut by_number, mut by_name) = (HashMap::new(), HashMap::new());
        for member in members.members() {
            let into = match member.name.as_str() {
                "reserved" => &mut numbers.gone,
                name if name == part.member() => &mut numbers.given,
                other => {
                    let what = format!("found {other:?}, expected {:?} or \"reserved\"", part.member());
                    return Err(self.wrong(member.at, what));
                }
            };
            for entry in self.object(&member.value, "numbers by name")?.members() {
                let number = entry.value.as_i64().filter(|number| part.range().contains(number)).ok_or_else(|| {
                    let what = match part {
                        Part::Symbols => "an integer of 64 bits",
                        Part::Fields | Part::Branches => "a number from 1 to 536870911",
                    };
                    self.wrong(entry.value.at, format!("found {}, expected {what}", shown(&entry.value)))
                })?;
                if entry.name.is_empty() {
                    return Err(self.wrong(entry.at, "found an empty name"));
                }
                if let Some(first) = by_name.insert(&entry.name, entry.at) {
                    let what = format!("{:?} is given out and reserved", entry.name);
                    return Err(self.wrong(entry.at, what).related(self.places.place(first), "first"));
                }
                if let Some(first) = by_number.insert(number, entry.value.at).filter(|_| part != Part::Symbols) {
                    let what = format!("number {number} is given twice");
                    let error = self.wrong(entry.value.at, what).related(self.places.place(first), "first");
                    return Err(error.hint(
                        "if both were added at the same time, leave the one that was published, and remove the other \
                         line: it gets the next free number",
                    ));
                }
                into.insert(entry.name.clone(), number);
            }
        }
        Ok(numbers)
    }

    fn object<'n>(&self, node: &'n Node, what: &str) -> Result<&'n Object> {
        let found = || self.wrong(node.at, format!("found {}, expected an object: {what}", node.kind()));
        node.as_object().ok_or_else(found)
    }
}

/// A value as messages show it.
fn shown(node: &Node) -> String {
    node.as_number().map_or_else(|| node.kind().to_owned(), ToString::to_string)
}
