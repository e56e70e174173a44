//! What every compressor must keep to, run over all of them.

use proptest::prelude::*;
use wirewise_compress::{COMPRESSORS, Choice, Compressor, Error};

const LIMIT: usize = 1 << 20;

fn pack(compressor: &dyn Compressor, level: Option<i32>, input: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    compressor.compress(level, None, input, &mut out).unwrap();
    out
}

fn unpack(compressor: &dyn Compressor, data: &[u8], max: usize) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    compressor.decompress(data, max, &mut out).map(|()| out)
}

/// The lowest, the default and the highest level, and one in between.
fn levels(compressor: &dyn Compressor) -> [i32; 4] {
    let info = compressor.info();
    let (low, high) = (*info.levels.start(), *info.levels.end());
    [low, info.default_level, (low + high) / 2, high]
}

/// Bytes of all kinds: none, random, repetitive, and text.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..3000),
        (proptest::collection::vec(any::<u8>(), 1..20), 1..2000_usize).prop_map(|(piece, times)| piece.repeat(times)),
        proptest::collection::vec(0..50_u32, 0..500).prop_map(|words| {
            words.iter().flat_map(|word| format!("{{\"key{word}\":{}}},", word * 7919).into_bytes()).collect()
        }),
    ]
}

#[test]
fn output_is_appended_and_restored_on_failure() {
    for compressor in COMPRESSORS {
        let mut packed = b"head".to_vec();
        compressor.compress(None, None, b"content", &mut packed).unwrap();
        assert_eq!(&packed[..4], b"head");
        let mut out = b"kept".to_vec();
        compressor.decompress(&packed[4..], 7, &mut out).unwrap();
        assert_eq!(out, b"keptcontent");
        compressor.decompress(&packed[4..], 6, &mut out).unwrap_err();
        compressor.decompress(&packed[4..packed.len() - 1], 7, &mut out).unwrap_err();
        compressor.compress(Some(1000), None, b"x", &mut out).unwrap_err();
        compressor.compress(None, Some(9), b"x", &mut out).unwrap_err();
        assert_eq!(out, b"keptcontent");
    }
}

#[test]
fn the_limit_is_exact() {
    for compressor in COMPRESSORS {
        for len in [0, 1, 1023, 1024, 1025, 65_536, 300_000] {
            let data = pack(*compressor, None, &vec![b'x'; len]);
            assert_eq!(unpack(*compressor, &data, len).unwrap().len(), len);
            if len > 0 {
                let error = unpack(*compressor, &data, len - 1).unwrap_err();
                let (name, max) = (compressor.info().name, len - 1);
                assert_eq!(error, Error::OutputLimit { compressor: name, max_output_bytes: max });
                assert!(error.to_string().contains(&max.to_string()));
            }
        }
    }
}

#[test]
fn a_bomb_stops_at_the_limit_and_allocates_no_more() {
    let zeros = vec![0; 64 << 20];
    for compressor in COMPRESSORS {
        let bomb = pack(*compressor, None, &zeros);
        assert!(bomb.len() < zeros.len() / 200, "{}: {}", compressor.info().name, bomb.len());
        for max in [0, 1, 10_000, LIMIT] {
            let mut out = Vec::new();
            let error = compressor.decompress(&bomb, max, &mut out).unwrap_err();
            assert!(matches!(error, Error::OutputLimit { .. }), "{error}");
            assert!(out.capacity() <= max, "{}: {} > {max}", compressor.info().name, out.capacity());
        }
    }
}

#[test]
fn many_small_members_count_together() {
    for compressor in COMPRESSORS.iter().filter(|compressor| compressor.info().name != "brotli") {
        let data = pack(*compressor, None, &[1; 100]).repeat(50);
        assert_eq!(unpack(*compressor, &data, 5000).unwrap(), vec![1; 5000]);
        let error = unpack(*compressor, &data, 4999).unwrap_err();
        assert!(matches!(error, Error::OutputLimit { max_output_bytes: 4999, .. }), "{error}");
    }
}

#[test]
fn two_brotli_streams_are_not_one() {
    let brotli = wirewise_compress::by_name("brotli").unwrap().compressor;
    let one = pack(brotli, None, b"content");
    let error = unpack(brotli, &one.repeat(2), LIMIT).unwrap_err();
    assert_eq!(error, Error::TrailingBytes { compressor: "brotli", offset: one.len(), count: one.len() });
}

#[test]
fn trailing_bytes_are_refused() {
    for compressor in COMPRESSORS {
        let data = pack(*compressor, None, b"content");
        for tail in [&b"\0"[..], b"\n", b"\0\0\0\0\0\0\0\0", b"something else"] {
            let error = unpack(*compressor, &[&data, tail].concat(), LIMIT).unwrap_err();
            let (offset, count) = (data.len(), tail.len());
            assert_eq!(error, Error::TrailingBytes { compressor: compressor.info().name, offset, count });
        }
    }
}

#[test]
fn every_truncation_is_noticed() {
    let input: Vec<u8> = (0..3000_u32).flat_map(|n| (n * n).to_le_bytes()).collect();
    for compressor in COMPRESSORS {
        let data = pack(*compressor, None, &input);
        for len in (0..data.len()).step_by(7).chain(data.len() - 20..data.len()) {
            let error = unpack(*compressor, &data[..len], LIMIT).unwrap_err();
            let truncated = Error::Truncated { compressor: compressor.info().name, offset: len };
            assert_eq!(error, truncated);
        }
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let input = b"the same input ".repeat(5000);
    for compressor in COMPRESSORS {
        for level in levels(*compressor) {
            let (first, second) = (pack(*compressor, Some(level), &input), pack(*compressor, Some(level), &input));
            assert_eq!(first, second, "{}:{level}", compressor.info().name);
        }
    }
}

#[test]
fn levels_matter() {
    let input: Vec<u8> = (0..20_000_u32).flat_map(|n| format!("{},", n * 7919 % 4093).into_bytes()).collect();
    for compressor in COMPRESSORS.iter().filter(|compressor| compressor.info().levels.clone().count() > 1) {
        let [low, _, _, high] = levels(*compressor).map(|level| pack(*compressor, Some(level), &input).len());
        assert!(high < low, "{}: {high} < {low}", compressor.info().name);
    }
}

/// `len` bytes that do not compress, and the first 64 KiB of them again.
fn far_repetition(len: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u8
    };
    let mut input: Vec<u8> = (0..len).map(|_| next()).collect();
    input.extend_from_within(..64 << 10);
    input
}

#[test]
fn every_window_is_written_and_read() {
    let near = far_repetition(100_000);
    // More than the largest window of brotli, and than the window that zstd's decoder takes when the output is small.
    let far = far_repetition(17 << 20);
    for compressor in COMPRESSORS {
        let info = compressor.info();
        let Some(windows) = info.windows.clone() else {
            let error = compressor.compress(None, Some(15), b"x", &mut Vec::new()).unwrap_err();
            assert!(matches!(error, Error::Window { windows: None, .. }), "{error}");
            continue;
        };
        for window in windows.clone() {
            for level in [*info.levels.start(), info.default_level] {
                let choice = Choice { compressor: *compressor, level, window: Some(window) };
                let mut data = Vec::new();
                choice.compress(&near, &mut data).unwrap();
                assert_eq!(unpack(*compressor, &data, near.len()).unwrap(), near, "{choice:?}");
            }
        }
        let [small, large] = [*windows.start(), *windows.end()].map(|window| {
            let mut data = Vec::new();
            compressor.compress(None, Some(window), &near, &mut data).unwrap();
            data.len()
        });
        assert!(large + (60 << 10) < small, "{}: {large} < {small}", info.name);
        let mut data = Vec::new();
        compressor.compress(None, Some(*windows.end()), &far, &mut data).unwrap();
        assert!(unpack(*compressor, &data, far.len()).unwrap() == far, "{}", info.name);
        for window in [*windows.start() - 1, *windows.end() + 1] {
            let error = compressor.compress(None, Some(window), b"x", &mut Vec::new()).unwrap_err();
            assert!(matches!(error, Error::Window { windows: Some(_), .. }), "{error}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_goes_in_comes_out(input in bytes()) {
        for compressor in COMPRESSORS {
            for level in levels(*compressor) {
                let data = pack(*compressor, Some(level), &input);
                prop_assert_eq!(&unpack(*compressor, &data, input.len()).unwrap(), &input);
            }
        }
    }

    #[test]
    fn random_bytes_never_panic(data in proptest::collection::vec(any::<u8>(), 0..500)) {
        for compressor in COMPRESSORS {
            let mut out = Vec::new();
            let _ = compressor.decompress(&data, 10_000, &mut out);
            prop_assert!(out.capacity() <= 10_000);
        }
    }

    #[test]
    fn damage_never_panics_nor_passes_the_limit(
        input in bytes(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), 1..=255_u8), 1..4),
    ) {
        for compressor in COMPRESSORS {
            let mut data = pack(*compressor, None, &input);
            for (place, change) in &changes {
                let place = place.index(data.len());
                data[place] ^= change;
            }
            let mut out = Vec::new();
            let result = compressor.decompress(&data, 50_000, &mut out);
            prop_assert!(out.capacity() <= 50_000);
            // gzip has a checksum, over everything but its header.
            if compressor.info().name == "gzip" && result.is_ok() {
                prop_assert_eq!(&out, &input);
            }
        }
    }
}
