//! `time-series`: one metric with its samples.

use std::io::{self, Write};

use crate::{Corpus, Rng, json};

/// One document of about 16 KB: a metric with its labels, and as `points` a list of `{"t":epoch ms,"value":float}`.
pub static TIME_SERIES: Corpus = Corpus {
    name: "time-series",
    about: "one document of 16 KB: a metric with labels and 460 samples of a slowly changing value",
    full_records: 460,
    record: "point",
    licence: super::INVENTED,
    extension: "json",
    write,
};

const SEED: u64 = 0x7469_6d65_2d73_6572;
/// 2024-03-14T13:20:00Z, in milliseconds since 1970.
const START: u64 = 1_710_422_400_000;
/// The time between two points, and how late a point may be, in milliseconds.
const INTERVAL: u64 = 15_000;
const MAX_DELAY: u64 = 40;
/// The level the value returns to, in thousandths.
const LEVEL: i64 = 42_000;

fn write(records: u64, out: &mut dyn Write) -> io::Result<()> {
    let mut rng = Rng::new(SEED);
    let mut walk = LEVEL;
    out.write_all(
        concat!(
            r#"{"name":"http.server.request.duration.p95","unit":"ms","#,
            r#""labels":{"service":"checkout","region":"eu-central-1","host":"ip-10-0-37-114","#,
            r#""method":"POST","route":"/v1/orders/{id}/payments","status":"2xx"},"#,
        )
        .as_bytes(),
    )?;
    write!(out, r#""start":{START},"points":"#)?;
    json::array(records, out, |index, out| {
        let t = START + index * INTERVAL + rng.below(MAX_DELAY);
        walk = step(walk, &mut rng);
        // Now and then a request waits for something slow.
        let peak = if rng.chance(2) { rng.below(400_000) as i64 } else { 0 };
        let value = without_final_zero(walk + peak);
        write!(out, r#"{{"t":{t},"value":{}.{:03}}}"#, value / 1000, value % 1000)
    })?;
    out.write_all(b"}")
}

/// A random step that is drawn back to the level, so that the value stays positive.
fn step(walk: i64, rng: &mut Rng) -> i64 {
    let random = rng.below(4001) as i64 - 2000;
    (walk + random + (LEVEL - walk) / 20).max(1000)
}

/// Three decimals of which the last is not 0 are the shortest form of the number, and never look like an integer.
fn without_final_zero(thousandths: i64) -> i64 {
    if thousandths % 10 == 0 { thousandths + 1 } else { thousandths }
}
