//! The sets: one file each, and one line each in [`CORPORA`].

mod counters;
mod geo_points;
mod people;
mod people_words;
mod time_series;
mod user_profile;

pub use counters::COUNTERS;
pub use geo_points::GEO_POINTS;
pub use people::PEOPLE;
pub use time_series::TIME_SERIES;
pub use user_profile::USER_PROFILE;

use crate::Corpus;

/// Every set, in the order in which help texts show them.
pub static CORPORA: &[&Corpus] = &[&GEO_POINTS, &PEOPLE, &TIME_SERIES, &COUNTERS, &USER_PROFILE];

/// The licence line of the sets, all of which are invented.
const INVENTED: &str = "invented data, made by wirewise-corpus; Apache-2.0 OR MIT";
