//! Nobody changes a set without noticing.

use wirewise_corpus::CORPORA;

/// Name, length in bytes and FNV-1a checksum of every set at its full size.
///
/// These are promises: published measurements name them. A new set gets a new name and a new line here.
const GOLDEN: [(&str, usize, u64); 5] = [
    ("geo-points", 8_059_540, 0x3524_bf12_882f_7ae4),
    ("people", 10_967_626, 0x670a_8610_f6ee_3899),
    ("time-series", 16_347, 0xdbb2_dc5e_fa59_216e),
    ("counters", 3_344, 0xf416_0d67_3a7e_1498),
    ("user-profile", 232, 0xf40c_5588_1b3f_eb57),
];

/// FNV-1a with 64 bits.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[test]
fn every_set_is_as_it_always_was() {
    let found: Vec<_> = CORPORA
        .iter()
        .map(|corpus| {
            let bytes = corpus.to_vec(corpus.full_records).unwrap();
            (corpus.name, bytes.len(), checksum(&bytes))
        })
        .collect();
    assert_eq!(found, GOLDEN);
}

#[test]
fn a_smaller_set_is_the_start_of_a_larger_one() {
    for corpus in CORPORA.iter().filter(|corpus| corpus.full_records > 1) {
        let small = corpus.to_vec(10).unwrap();
        let large = corpus.to_vec(11).unwrap();
        let closing = small.iter().rev().take_while(|byte| b"]}".contains(byte)).count();
        assert!(large.starts_with(&small[..small.len() - closing]), "{}", corpus.name);
    }
}

#[test]
fn streamed_and_in_memory_are_the_same() {
    for corpus in CORPORA {
        let mut streamed = Vec::new();
        corpus.generate(corpus.full_records, &mut streamed).unwrap();
        assert!(streamed == corpus.to_vec(corpus.full_records).unwrap(), "{}", corpus.name);
    }
}

#[test]
fn every_set_is_compact_json_with_its_number_of_records() {
    for corpus in CORPORA {
        for records in [0, 1, 7] {
            if corpus.name == "user-profile" && records != 1 {
                continue;
            }
            let json = corpus.to_vec(records).unwrap();
            let value: serde_json::Value = serde_json::from_slice(&json).unwrap();
            let list = value.as_array().or_else(|| value["points"].as_array());
            assert_eq!(list.map_or(1, Vec::len) as u64, records, "{}", corpus.name);
            assert!(!json.contains(&b'\n') && !json.ends_with(b" "), "{}", corpus.name);
        }
    }
}
