//! Payloads through a compressor: sizes, times, and from which size on it pays.

use std::hint::black_box;
use std::time::Duration;

use wirewise_compress::Choice;

use crate::data::evenly;
use crate::report::Compressed;
use crate::timing;

/// Compresses every payload on its own.
pub(crate) fn compress(choice: &Choice, payloads: &[Vec<u8>], is_batch: bool, budget: Duration) -> Compressed {
    let packed: Vec<Vec<u8>> = payloads
        .iter()
        .map(|payload| {
            let mut out = Vec::new();
            squeeze(choice, payload, &mut out);
            out
        })
        .collect();
    let bytes: u64 = payloads.iter().map(|payload| payload.len() as u64).sum();
    let mut out = Vec::new();
    let compress = timing::time(budget, bytes, || {
        for payload in payloads {
            squeeze(choice, black_box(payload), &mut out);
            black_box(&out);
        }
    });
    let decompress = timing::time(budget, bytes, || {
        for (packed, payload) in packed.iter().zip(payloads) {
            out.clear();
            let unpacked = choice.decompress(black_box(packed), payload.len(), &mut out);
            unpacked.expect("what was just compressed can be decompressed");
            black_box(&out);
        }
    });
    Compressed {
        compressor: choice.compressor.info().name.to_owned(),
        level: choice.level,
        window: choice.window,
        bytes: packed.iter().map(|packed| packed.len() as u64).sum(),
        grown: packed.iter().zip(payloads).filter(|(packed, payload)| packed.len() > payload.len()).count() as u64,
        break_even: if is_batch { None } else { break_even(choice, payloads) },
        compress,
        decompress,
    }
}

fn squeeze(choice: &Choice, payload: &[u8], out: &mut Vec<u8>) {
    out.clear();
    choice.compress(payload, out).expect("compressing into memory does not fail");
}

/// Places at which the size is searched from which on a payload becomes smaller.
const PLACES: usize = 5;

/// What does not become smaller with so many bytes does not with more.
const MOST_BYTES: usize = 256 << 10;

/// The size from which on payloads become smaller: the median of [`PLACES`] searches. Each begins at another payload and
/// tries more and more of it, and of those that follow.
fn break_even(choice: &Choice, payloads: &[Vec<u8>]) -> Option<u64> {
    let mut found: Vec<u64> = Vec::new();
    let places: Vec<usize> = evenly(payloads.len(), PLACES).collect();
    let majority = places.len() / 2 + 1;
    for (tried, &place) in places.iter().enumerate() {
        // A median of sizes of which most are endless is endless.
        if found.len() + (places.len() - tried) < majority {
            return None;
        }
        found.extend(first_smaller(choice, payloads, place));
    }
    found.sort_unstable();
    found.get(majority - 1).copied()
}

/// The fewest bytes from the beginning of payload `place` on that become smaller.
fn first_smaller(choice: &Choice, payloads: &[Vec<u8>], place: usize) -> Option<u64> {
    let mut joined = Vec::new();
    for payload in payloads[place..].iter().chain(&payloads[..place]) {
        joined.extend_from_slice(&payload[..payload.len().min(MOST_BYTES - joined.len())]);
    }
    let mut out = Vec::new();
    let mut is_smaller = |len: usize| {
        squeeze(choice, &joined[..len], &mut out);
        out.len() < len
    };
    let (mut larger, mut smaller) = (0, 16.min(joined.len()));
    while !is_smaller(smaller) {
        if smaller == joined.len() {
            return None;
        }
        (larger, smaller) = (smaller, (smaller * 2).min(joined.len()));
    }
    while larger + 1 < smaller {
        let middle = larger.midpoint(smaller);
        if is_smaller(middle) { smaller = middle } else { larger = middle }
    }
    Some(smaller as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn break_even_of(spec: &str, payloads: &[Vec<u8>]) -> Option<u64> {
        break_even(&wirewise_compress::by_name(spec).unwrap(), payloads)
    }

    #[test]
    fn payloads_are_joined_or_cut_until_they_become_smaller() {
        let small: Vec<_> =
            (0..300).map(|n| format!("{{\"id\":{},\"on\":true}}", n * 7919 % 1009).into_bytes()).collect();
        let large = vec![small.concat()];
        for spec in ["gzip", "brotli", "zstd", "lz4"] {
            let joined = break_even_of(spec, &small).unwrap();
            assert!((21..200).contains(&joined), "{spec}: {joined}");
            assert_eq!(joined, break_even_of(spec, &small).unwrap(), "it is the same each time");
            let cut = break_even_of(spec, &large).unwrap();
            assert!((21..200).contains(&cut), "{spec}: {cut}");
        }
        // A member of gzip has 18 bytes around its data, a frame of zstd fewer.
        assert!(break_even_of("gzip", &small) > break_even_of("zstd", &small));
    }

    #[test]
    fn what_never_becomes_smaller_has_no_such_size() {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as u8
        };
        let noise: Vec<Vec<u8>> = (0..20).map(|_| (0..50_000).map(|_| next()).collect()).collect();
        assert_eq!(break_even_of("zstd", &noise), None);
        assert_eq!(break_even_of("gzip", &[Vec::new()]), None);
        let compressed = compress(&wirewise_compress::by_name("gzip").unwrap(), &noise, false, Duration::ZERO);
        assert_eq!((compressed.grown, compressed.break_even), (20, None));
    }
}
