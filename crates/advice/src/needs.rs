//! What a choice must have, as data.

use crate::candidates::Candidate;

/// A constraint.
#[derive(Debug)]
pub struct Need {
    /// Its name after `--need`.
    pub name: &'static str,
    /// What it asks for.
    pub about: &'static str,
    /// What is said of candidates that do not have it.
    pub otherwise: &'static str,
    is_met: fn(&Candidate) -> bool,
}

impl Need {
    /// Whether a candidate has it.
    pub fn is_met(&self, candidate: &Candidate) -> bool {
        (self.is_met)(candidate)
    }

    /// The need with this name.
    pub fn by_name(name: &str) -> Option<&'static Need> {
        NEEDS.iter().find(|need| need.name == name)
    }
}

/// All needs.
pub static NEEDS: &[Need] = &[
    Need {
        name: "human-readable",
        about: "people read it with a text editor (after decompression, which browsers and command lines do by themselves)",
        otherwise: "it is not text",
        is_met: |candidate| candidate.facts.is_some_and(|(_, variant)| variant.text),
    },
    Need {
        name: "browser",
        about: "there is a library for browsers, and browsers know the compressor as a content coding",
        otherwise: "browsers have no library or no decompressor for it",
        is_met: |candidate| {
            let format = candidate.facts.is_some_and(|(info, _)| info.library("browser").is_some());
            let name = candidate.compressor.as_deref().map(|label| label.split(':').next().unwrap_or(label));
            let compressor = name.and_then(|name| wirewise_compress::by_name(name).ok());
            let known = compressor.is_none_or(|choice| choice.compressor.info().content_encoding.is_some());
            format && (name.is_none() || (compressor.is_some() && known))
        },
    },
    Need {
        name: "schema-less",
        about: "readers need no schema",
        otherwise: "readers need its schema",
        is_met: |candidate| candidate.shape.is_none() && candidate.facts.is_some_and(|(_, variant)| variant.schemaless),
    },
    Need {
        name: "partial-read",
        about: "one field can be read without decoding the rest: no compressor, and offsets in the message",
        otherwise: "it has to be read as a whole",
        is_met: |candidate| {
            candidate.compressor.is_none() && candidate.facts.is_some_and(|(_, variant)| variant.partial_read)
        },
    },
    Need {
        name: "evolution",
        about: "readers and writers may have different versions of the schema: fields have names or numbers on the wire, or \
                the writer's schema goes with the data",
        otherwise: "a new field breaks its readers",
        is_met: |candidate| candidate.facts.is_some_and(|(_, variant)| variant.evolves),
    },
    Need {
        name: "stateless",
        about: "a payload can be read without anything that was sent before it",
        otherwise: "readers need its dictionary",
        is_met: |candidate| candidate.dictionary.is_none(),
    },
    Need {
        name: "same-schema",
        about: "the schema stays as it is",
        otherwise: "its shapes change the schema",
        is_met: |candidate| candidate.shape.is_none(),
    },
];
