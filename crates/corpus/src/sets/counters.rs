//! `counters`: integers of all lengths.

use std::io::{self, Write};

use crate::{Corpus, Rng, json};

/// Pairs of an id and a count, `[{"id":u64,"count":u64}]`, from one bit to 53 bits long.
pub static COUNTERS: Corpus = Corpus {
    name: "counters",
    about: "pairs of integers of widely varying size; shows what a format makes of small and large numbers",
    full_records: 100,
    record: "pair",
    licence: super::INVENTED,
    extension: "json",
    write,
};

/// The longest integer that JSON holds exactly everywhere, in bits.
const MAX_BITS: u64 = 53;
const SEED: u64 = 0x636f_756e_7465_7273;

fn write(records: u64, out: &mut dyn Write) -> io::Result<()> {
    let mut rng = Rng::new(SEED);
    json::array(records, out, |_, out| {
        let id = number(&mut rng);
        let count = number(&mut rng);
        write!(out, r#"{{"id":{id},"count":{count}}}"#)
    })
}

/// A number of 0 to 53 bits, each length as likely as another.
fn number(rng: &mut Rng) -> u64 {
    let bits = rng.below(MAX_BITS + 1);
    rng.below(1 << bits)
}
