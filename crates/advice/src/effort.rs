//! How much work a change is, as data.

use serde::Serialize;

use crate::candidates::Candidate;

/// A kind of change, and how much work it is against others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Effort {
    /// What is changed.
    pub name: &'static str,
    /// How much work it is, against others.
    pub points: u32,
    /// Why.
    pub why: &'static str,
}

/// What can be changed, in order of effort.
pub static EFFORTS: &[Effort] = &[
    Effort { name: "compressor", points: 1, why: "a setting of servers, proxies, brokers and clients" },
    Effort {
        name: "dictionary",
        points: 3,
        why: "both sides must have it, and it is trained anew when the data changes",
    },
    Effort {
        name: "shape of values",
        points: 4,
        why: "the types of some fields change, and so does the code that uses them",
    },
    Effort { name: "variant", points: 4, why: "the same library, another setting or call on both sides" },
    Effort {
        name: "shape of lists",
        points: 6,
        why: "columns instead of rows: code that reads element by element changes",
    },
    Effort { name: "format", points: 8, why: "another library, and as a rule a schema, in every service and client" },
];

/// Something that differs between two candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dimension {
    Compressor,
    Dictionary,
    Shape,
    Format,
}

impl Dimension {
    /// In order of effort.
    pub(crate) const ALL: [Dimension; 4] =
        [Dimension::Compressor, Dimension::Dictionary, Dimension::Shape, Dimension::Format];

    pub(crate) fn differs(self, a: &Candidate, b: &Candidate) -> bool {
        match self {
            Dimension::Compressor => a.compressor != b.compressor,
            Dimension::Dictionary => a.dictionary != b.dictionary,
            Dimension::Shape => a.shape != b.shape,
            Dimension::Format => a.variant != b.variant,
        }
    }
}

/// The work of going from one candidate to another, with what is changed.
pub(crate) fn effort(from: &Candidate, to: &Candidate) -> (u32, Vec<&'static str>) {
    let mut changed = Vec::new();
    for dimension in Dimension::ALL {
        if !dimension.differs(from, to) {
            continue;
        }
        changed.push(match dimension {
            Dimension::Compressor => "compressor",
            Dimension::Dictionary => "dictionary",
            Dimension::Shape if to.shape.as_deref() == Some("values") => "shape of values",
            Dimension::Shape => "shape of lists",
            Dimension::Format if from.format == to.format => "variant",
            Dimension::Format => "format",
        });
    }
    let points =
        |name: &&'static str| EFFORTS.iter().find(|effort| effort.name == *name).map_or(0, |effort| effort.points);
    (changed.iter().map(points).sum(), changed)
}
