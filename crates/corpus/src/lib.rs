//! Sample data: the same bytes on every machine, for ever.
//!
//! A set is one file in `src/sets/` and one line in [`CORPORA`]. Sets are made, not stored: from a fixed seed, by a
//! generator of random numbers that is part of this crate ([`Rng`]), with integers and with the four basic operations
//! of IEEE 754 only, so that neither a dependency nor a processor can change a byte. A golden test holds the length
//! and a checksum of each set.
//!
//! ```
//! let points = wirewise_corpus::by_name("geo-points").unwrap();
//! assert_eq!(points.full_records, 67_627);
//!
//! let two = points.to_vec(2)?;
//! assert!(two.starts_with(br#"[{"uuid":""#) && two.ends_with(b"}]"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Every set is compact JSON: no white space, no newline at the end. All integers are below 2^53, and all other numbers
//! are in their shortest form, so that every format can hold them, and a JSON library writes them again as they are
//! here.
//!
//! The repository's `corpus/` folder has small files of these sets and some real data; `corpus/PROVENANCE.md` says
//! where each comes from.

mod json;
mod rng;
pub mod sets;

use std::io::{self, BufWriter, Write};

pub use rng::Rng;
pub use sets::CORPORA;

/// One set of sample data.
#[derive(Debug, Clone, Copy)]
pub struct Corpus {
    /// The name used on the command line and in reports.
    pub name: &'static str,
    /// One line on what it is, and what it is good for.
    pub about: &'static str,
    /// How many records the set has at its full size.
    pub full_records: u64,
    /// What one record is called, in the singular.
    pub record: &'static str,
    /// Where the data comes from, and under which licence it is.
    pub licence: &'static str,
    /// The file name extension, without a dot, which is also the form: `json` for one document.
    pub extension: &'static str,
    /// Writes that many records.
    write: fn(u64, &mut dyn Write) -> io::Result<()>,
}

impl Corpus {
    /// Writes the set with that many records, and flushes; memory use does not depend on the number.
    ///
    /// A smaller set is a prefix of a larger one, apart from the closing brackets.
    ///
    /// # Errors
    ///
    /// What `out` returns; and [`io::ErrorKind::InvalidInput`] from `user-profile`, which is exactly one message, when
    /// asked for another number.
    pub fn generate(&self, records: u64, out: &mut dyn Write) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(64 * 1024, out);
        (self.write)(records, &mut out)?;
        out.flush()
    }

    /// The set with that many records, in memory.
    ///
    /// ```
    /// let profile = wirewise_corpus::by_name("user-profile").unwrap();
    /// assert_eq!(profile.to_vec(profile.full_records)?.len(), 232);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Corpus::generate`].
    pub fn to_vec(&self, records: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        (self.write)(records, &mut bytes)?;
        Ok(bytes)
    }
}

/// The set of that exact name, if there is one; [`CORPORA`] has the choices.
pub fn by_name(name: &str) -> Option<&'static Corpus> {
    CORPORA.iter().copied().find(|corpus| corpus.name == name)
}
