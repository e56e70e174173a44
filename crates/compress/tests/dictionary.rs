//! Dictionaries: what they save, what is said of a wrong one, and that the reference tool takes them.

use std::fs;

use proptest::prelude::*;
use wirewise_compress::compressors::Zstd;
use wirewise_compress::{Compressor, Dictionary, Error, WithDictionary};
use wirewise_testkit::foreign;

fn message(n: u32) -> Vec<u8> {
    let (id, lat) = (u64::from(n) * 2_654_435_761 % 1_000_003, f64::from(n * 7919 % 180_000) / 1000.0 - 90.0);
    let status = ["active", "inactive", "unknown"][n as usize % 3];
    format!("{{\"id\":{id},\"status\":\"{status}\",\"latitude\":{lat},\"source\":\"station\"}}").into_bytes()
}

fn trained() -> Dictionary {
    Dictionary::train((0..500).map(message), 2048).unwrap()
}

fn pack(zstd: &WithDictionary<'_>, input: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    zstd.compress(input, &mut out).unwrap();
    out
}

fn unpack(zstd: &WithDictionary<'_>, data: &[u8], max: usize) -> Result<Vec<u8>, Error> {
    let mut out = b"kept".to_vec();
    let result = zstd.decompress(data, max, &mut out);
    assert!(out.starts_with(b"kept") && (result.is_ok() || out.len() == 4));
    result.map(|()| out.split_off(4))
}

/// `len` bytes that do not compress.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u8
    };
    (0..len).map(|_| next()).collect()
}

/// The next version of a payload: some bytes changed, some gone, some more, all over it.
fn next_version(before: &[u8]) -> Vec<u8> {
    let mut after = before.to_vec();
    let step = after.len() / 50;
    for i in 0..50 {
        let at = i * step;
        match i % 3 {
            0 => after[at] ^= 0x55,
            1 => drop(after.drain(at..at + 3)),
            _ => drop(after.splice(at..at, *b"new")),
        }
    }
    after
}

#[test]
fn a_trained_dictionary_makes_small_messages_smaller_at_every_level() {
    let dictionary = trained();
    assert_eq!(dictionary, trained(), "the same samples give the same bytes");
    assert!(dictionary.bytes().len() <= 2048 && dictionary.id().is_some());
    for level in Zstd.info().levels.clone() {
        let zstd = dictionary.at(level).unwrap();
        let (mut with, mut without) = (0, 0);
        for message in (1000..1100).map(message) {
            let data = pack(&zstd, &message);
            assert_eq!(unpack(&zstd, &data, message.len()).unwrap(), message);
            let mut plain = Vec::new();
            Zstd.compress(Some(level), None, &message, &mut plain).unwrap();
            (with, without) = (with + data.len(), without + plain.len());
        }
        assert!(with < without * 2 / 3, "level {level}: {with} of {without}");
    }
    assert!(matches!(dictionary.at(23), Err(Error::Level { .. })));
}

#[test]
fn wrong_and_missing_dictionaries_are_named() {
    let (right, other) = (trained(), Dictionary::train((0..500).map(|n| message(n * 3 + 1)), 1024).unwrap());
    let data = [pack(&right.at(3).unwrap(), b""), pack(&right.at(3).unwrap(), &message(1))].concat();
    let wanted = right.id().unwrap();
    let error = unpack(&other.at(3).unwrap(), &data, 1000).unwrap_err();
    let given = other.id();
    assert_eq!(error, Error::Dictionary { compressor: "zstd", offset: 0, wanted, given });
    assert!(error.to_string().contains(&wanted.to_string()), "{error}");
    let error = Zstd.decompress(&data, 1000, &mut Vec::new()).unwrap_err();
    assert_eq!(error, Error::Dictionary { compressor: "zstd", offset: 0, wanted, given: None });
    // A frame without a dictionary needs none, whatever is given; the first frame that needs one says so.
    let mut mixed = Vec::new();
    Zstd.compress(None, None, &message(2), &mut mixed).unwrap();
    let offset = mixed.len();
    mixed.extend(&data);
    assert_eq!(unpack(&right.at(3).unwrap(), &mixed, 1000).unwrap(), [message(2), message(1)].concat());
    let error = unpack(&Dictionary::raw(message(1)).at(3).unwrap(), &mixed, 1000).unwrap_err();
    assert_eq!(error, Error::Dictionary { compressor: "zstd", offset, wanted, given: None });
}

#[test]
fn a_wrong_earlier_payload_is_noticed() {
    let data = pack(&Dictionary::raw(message(1)).at(3).unwrap(), &message(2));
    for wrong in [&message(3)[..], b"", b"something else"] {
        let error = unpack(&Dictionary::raw(wrong).at(3).unwrap(), &data, 1000).unwrap_err();
        assert!(matches!(error, Error::Corrupt { .. }), "{error}");
    }
    assert!(matches!(Zstd.decompress(&data, 1000, &mut Vec::new()), Err(Error::Corrupt { .. })));
}

#[test]
fn limits_and_truncation_are_as_without_a_dictionary() {
    let content = message(7).repeat(100);
    for dictionary in [trained(), Dictionary::raw(message(6))] {
        let zstd = dictionary.at(3).unwrap();
        let data = pack(&zstd, &content);
        assert_eq!(unpack(&zstd, &data, content.len()).unwrap(), content);
        let max_output_bytes = content.len() - 1;
        let error = unpack(&zstd, &data, max_output_bytes).unwrap_err();
        assert_eq!(error, Error::OutputLimit { compressor: "zstd", max_output_bytes });
        for len in 0..data.len() {
            let error = unpack(&zstd, &data[..len], content.len()).unwrap_err();
            assert_eq!(error, Error::Truncated { compressor: "zstd", offset: len });
        }
        let error = unpack(&zstd, &[&data[..], b"\0"].concat(), content.len()).unwrap_err();
        assert_eq!(error, Error::TrailingBytes { compressor: "zstd", offset: data.len(), count: 1 });
    }
}

#[test]
fn differences_of_large_payloads_are_small() {
    // Far more than the tables of a level reach.
    for len in [100_000, 1 << 20, 9 << 20] {
        let before = noise(len);
        let after = next_version(&before);
        let dictionary = Dictionary::raw(before);
        for level in [1, 3, 9, 19] {
            let zstd = dictionary.at(level).unwrap();
            let data = pack(&zstd, &after);
            assert!(data.len() < 20_000, "{len} bytes at level {level}: {}", data.len());
            assert!(unpack(&zstd, &data, after.len()).unwrap() == after);
        }
    }
}

#[test]
fn an_earlier_payload_may_look_like_a_dictionary_or_be_empty() {
    for before in [&trained().bytes()[..1000], &b"\x37\xa4\x30\xec"[..], b""] {
        let zstd = Dictionary::raw(before);
        let zstd = zstd.at(3).unwrap();
        let data = pack(&zstd, &message(1));
        assert_eq!(unpack(&zstd, &data, 1000).unwrap(), message(1));
    }
}

#[test]
fn samples_that_make_no_dictionary_are_refused() {
    let nothing: [&[u8]; 0] = [];
    assert!(matches!(Dictionary::train(nothing, 1000), Err(Error::Train { samples: 0, .. })));
    assert!(matches!(Dictionary::train([""; 100], 1000), Err(Error::Train { samples: 100, .. })));
    let error = Dictionary::train([message(1)], 1000).unwrap_err();
    assert!(error.to_string().starts_with("no zstd dictionary can be made of 1 sample: "), "{error}");
}

#[test]
fn the_reference_tool_takes_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let run = |arguments: &[&str]| {
        let output = foreign::tool("zstd")?.args(["-q", "-f"]).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        Some(output.stdout)
    };
    // A trained one, both ways.
    let dictionary = trained();
    let zstd = dictionary.at(3).unwrap();
    fs::write(path("dict"), dictionary.bytes()).unwrap();
    fs::write(path("plain"), message(777)).unwrap();
    fs::write(path("packed"), pack(&zstd, &message(777))).unwrap();
    let Some(unpacked) = run(&["-dc", "-D", &path("dict"), &path("packed")]) else { return };
    assert_eq!(unpacked, message(777));
    let theirs = run(&["-c", "-D", &path("dict"), &path("plain")]).unwrap();
    assert!(theirs.len() < 60, "{}", theirs.len());
    assert_eq!(unpack(&zstd, &theirs, 1000).unwrap(), message(777));
    // An earlier payload of several MB, both ways.
    let before = noise(5 << 20);
    let after = next_version(&before);
    fs::write(path("before"), &before).unwrap();
    fs::write(path("after"), &after).unwrap();
    let dictionary = Dictionary::raw(before);
    let zstd = dictionary.at(9).unwrap();
    fs::write(path("packed"), pack(&zstd, &after)).unwrap();
    assert!(run(&["-dc", &format!("--patch-from={}", path("before")), &path("packed")]).unwrap() == after);
    assert!(run(&["-dc", "-D", &path("before"), &path("packed")]).unwrap() == after);
    let theirs = run(&["-c", "-9", &format!("--patch-from={}", path("before")), &path("after")]).unwrap();
    assert!(theirs.len() < 20_000, "{}", theirs.len());
    assert!(unpack(&zstd, &theirs, after.len()).unwrap() == after);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn damage_never_panics_nor_passes_the_limit(
        is_raw in any::<bool>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), 1..=255_u8), 1..4),
    ) {
        let dictionary = if is_raw { Dictionary::raw(message(6)) } else { trained() };
        let zstd = dictionary.at(3).unwrap();
        let mut data = pack(&zstd, &message(7));
        for (place, change) in &changes {
            let place = place.index(data.len());
            data[place] ^= change;
        }
        let mut out = Vec::new();
        let _ = zstd.decompress(&data, 50_000, &mut out);
        prop_assert!(out.capacity() <= 50_000);
    }
}
