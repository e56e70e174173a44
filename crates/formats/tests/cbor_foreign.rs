//! CBOR against cbor2.

mod binary;

use binary::{any, ask, convert, hex, random_messages, unhex};

const SCRIPT: &str = "conformance/cbor/live.py";

/// What cbor2 reads and writes again, in canonical form, is what we wrote.
#[test]
fn our_messages_come_back_from_python() {
    for variant in ["cbor-named", "cbor-positional"] {
        let messages = random_messages(variant, 500);
        let lines: Vec<_> = messages.iter().map(|(_, message)| hex(message)).collect();
        let Some(answers) = ask(SCRIPT, &["recode"], &lines) else { return };
        assert_eq!(answers.len(), messages.len());
        for ((schema, message), answer) in messages.iter().zip(&answers) {
            assert_eq!(answer, &hex(message), "{variant} of {}", schema.to_text());
        }
    }
}

/// Values with large integers and tags; and the same in encodings that we do not write.
#[test]
fn random_values_of_python_come_back() {
    let Some(lines) = ask(SCRIPT, &["random", "2000"], &[]) else { return };
    assert_eq!(lines.len(), 2000);
    for line in lines {
        let (canonical, loose) = line.split_once(' ').unwrap();
        for encoding in [canonical, loose] {
            let out = convert(&any(), "cbor", "cbor", &unhex(encoding)).unwrap_or_else(|e| panic!("{e}: {line}"));
            assert_eq!(hex(&out), canonical, "{encoding}");
        }
    }
}

/// Keys that are not strings stand in the order of RFC 8949, which is not cbor2's; the values are the same.
#[test]
fn other_keys_have_the_order_of_rfc_8949() {
    // The keys of section 4.2.1: 10, 100, -1, "z", "aa", [100], [-1], false.
    let sorted = ["0a01", "186402", "2003", "617a04", "62616105", "81186406", "812007", "f408"];
    let mut shuffled = sorted;
    shuffled.reverse();
    let map = |entries: [&str; 8]| format!("a8{}", entries.concat());
    let ours = convert(&any(), "cbor", "cbor", &unhex(&map(shuffled))).unwrap();
    assert_eq!(hex(&ours), map(sorted));
    let theirs = "a50a0120031864026161041903e805";
    let ours = hex(&convert(&any(), "cbor", "cbor", &unhex(theirs)).unwrap());
    assert_eq!(ours, "a50a011864021903e8052003616104");
    let Some(answers) = ask(SCRIPT, &["same"], &[format!("{theirs} {ours}")]) else { return };
    assert_eq!(answers, ["True"]);
}
