//! Bytes of cbor2, and the examples of RFC 8949.

mod binary;

use std::path::Path;

use wirewise_core::{ErrorKind, LossKind};
use wirewise_testkit::root;

use binary::{any, convert, hex, unhex};

#[test]
fn bytes_are_those_of_cbor2() {
    for case in ["profile", "everything"] {
        for variant in ["cbor-named", "cbor-positional"] {
            binary::check_golden(variant, Path::new("cbor"), Path::new("msgpack"), case);
        }
    }
}

/// Every line has an encoding, what we write for its value, and the value's JSON text; `=` where we write the same,
/// `-` where we do not read it, or JSON has no such value.
#[test]
fn examples_of_appendix_a() {
    let table = std::fs::read_to_string(root().join("conformance/cbor/appendix-a.txt")).unwrap();
    let mut examples = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let [encoded, written, json] = line.splitn(3, ' ').collect::<Vec<_>>().try_into().unwrap();
        examples += 1;
        let written = if written == "=" { encoded } else { written };
        match convert(&any(), "cbor", "cbor", &unhex(encoded)) {
            Ok(out) => assert_eq!(hex(&out), written, "{line}"),
            Err(error) => assert!(written == "-" && error.kind() == ErrorKind::Unsupported, "{line}: {error}"),
        }
        match convert(&any(), "cbor", "json", &unhex(encoded)) {
            Ok(out) => assert_eq!(String::from_utf8(out).unwrap(), json, "{line}"),
            Err(error) => {
                let refused = matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::Loss(LossKind::NotFinite));
                assert!(json == "-" && refused, "{line}: {error}");
            }
        }
    }
    assert_eq!(examples, 82);
}

#[test]
fn random_bytes_are_errors_or_values() {
    binary::check_random_bytes("cbor");
}
