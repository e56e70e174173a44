//! Features: what editions let a file, message or field choose, and what proto2 and proto3 have chosen.

use crate::{Error, Result};

use super::ast::{File, Key, Opt, Syntax, Value};

/// The features that matter here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Features {
    pub(super) presence: Presence,
    pub(super) closed_enums: bool,
    pub(super) packed: bool,
    pub(super) delimited: bool,
    /// Whether names in JSON must be free of conflicts.
    pub(super) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    Explicit,
    Implicit,
    Required,
}

impl Features {
    /// Those of a file without options.
    pub(super) fn of(syntax: Syntax) -> Features {
        let proto2 = syntax == Syntax::Proto2;
        let presence = if syntax == Syntax::Proto3 { Presence::Implicit } else { Presence::Explicit };
        Features { presence, closed_enums: proto2, packed: !proto2, delimited: false, json: !proto2 }
    }

    /// These with what the options say.
    pub(super) fn with(mut self, options: &[Opt], file: &File) -> Result<Features> {
        for option in options.iter().filter(|option| option.name[0].name.text == "features" && !option.name[0].custom) {
            if file.syntax != Syntax::Edition2023 {
                let what = format!("there are no features in {}", file.syntax.name());
                return Err(Error::at(file.origin.place(option.name[0].name.at), what).hint("use an edition"));
            }
            let wrong = |what: String| Error::at(file.origin.place(option.at), what);
            match (&option.name[1..], &option.value) {
                ([], Value::Message(features)) => {
                    for (name, value) in features {
                        if let Key::Field(name) = name {
                            self.set(name, value).map_err(wrong)?;
                        }
                    }
                }
                ([part], value) if !part.custom => self.set(&part.name.text, value).map_err(wrong)?,
                // Features of one programming language.
                ([part, ..], _) if part.custom => {}
                _ => return Err(wrong("expected a feature, such as features.enum_type = CLOSED".to_owned())),
            }
        }
        Ok(self)
    }

    fn set(&mut self, name: &str, value: &Value) -> std::result::Result<(), String> {
        let word = if let Value::Word(word) = value { word.as_str() } else { "" };
        let choice = |words: &[&str]| {
            words
                .iter()
                .position(|known| *known == word)
                .ok_or_else(|| format!("the feature {name} has no value {word:?}, expected {}", words.join(" or ")))
        };
        match name {
            "field_presence" => {
                let presence = [Presence::Explicit, Presence::Implicit, Presence::Required];
                self.presence = presence[choice(&["EXPLICIT", "IMPLICIT", "LEGACY_REQUIRED"])?];
            }
            "enum_type" => self.closed_enums = choice(&["OPEN", "CLOSED"])? == 1,
            "repeated_field_encoding" => self.packed = choice(&["PACKED", "EXPANDED"])? == 0,
            "message_encoding" => self.delimited = choice(&["LENGTH_PREFIXED", "DELIMITED"])? == 1,
            "json_format" => self.json = choice(&["ALLOW", "LEGACY_BEST_EFFORT"])? == 0,
            "utf8_validation" => drop(choice(&["VERIFY", "NONE"])?),
            _ => return Err(format!("there is no feature {name:?}")),
        }
        Ok(())
    }

    /// Names of the features that the model itself keeps, so that they need no note.
    pub(super) fn is_kept(name: &str) -> bool {
        matches!(name, "field_presence" | "enum_type" | "repeated_field_encoding" | "message_encoding")
    }
}
