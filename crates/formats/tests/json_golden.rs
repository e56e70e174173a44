//! nst/JSONTestSuite, read as values of the type `any`.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use wirewise_core::{Arena, Limits, Losses, Result, Schema};
use wirewise_formats::plan;

/// What `text` is written back as.
fn read(text: &[u8]) -> Result<String> {
    let schema = Arc::new(Schema::parse(r#"{"wirewise": "schema/1", "root": "any"}"#)?);
    let codec = plan("json", &schema)?;
    let mut arena = Arena::new(Limits::default());
    let mut losses = Losses::none();
    let document = codec.decode(text, &mut arena, &mut losses)?;
    let mut out = Vec::new();
    codec.encode(&document, &mut out, &mut losses)?;
    Ok(String::from_utf8(out).expect("JSON is UTF-8"))
}

fn suite(folder: &str) -> Vec<(String, Vec<u8>)> {
    let folder = wirewise_testkit::root().join("conformance/json/suite").join(folder);
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    files.into_iter().map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}

/// Of the inputs on which the specification leaves parsers free, those that we refuse, each for its reason.
const REFUSED: [&str; 22] = [
    // Bytes that are no UTF-8: they could not be given back.
    "i_string_UTF-16LE_with_BOM.json",
    "i_string_UTF-8_invalid_sequence.json",
    "i_string_UTF8_surrogate_U+D800.json",
    "i_string_invalid_utf-8.json",
    "i_string_iso_latin_1.json",
    "i_string_lone_utf8_continuation_byte.json",
    "i_string_not_in_unicode_range.json",
    "i_string_overlong_sequence_2_bytes.json",
    "i_string_overlong_sequence_6_bytes.json",
    "i_string_overlong_sequence_6_bytes_null.json",
    "i_string_truncated-utf-8.json",
    "i_string_utf16BE_no_BOM.json",
    "i_string_utf16LE_no_BOM.json",
    // Halves of surrogate pairs: no characters, so not text.
    "i_object_key_lone_2nd_surrogate.json",
    "i_string_1st_surrogate_but_2nd_missing.json",
    "i_string_1st_valid_surrogate_2nd_invalid.json",
    "i_string_incomplete_surrogate_and_escape_valid.json",
    "i_string_incomplete_surrogate_pair.json",
    "i_string_incomplete_surrogates_escape_valid.json",
    "i_string_invalid_lonely_surrogate.json",
    "i_string_invalid_surrogate.json",
    "i_string_inverted_surrogates_U+1D11E.json",
];

#[test]
fn the_parsing_suite_passes() {
    let files = suite("test_parsing");
    assert_eq!(files.len(), 318);
    for (name, text) in files {
        let read = read(&text);
        match &name[..2] {
            // Duplicate names are legal, but nobody can say which of the two values is meant.
            "y_" => assert!(read.is_ok() || name.starts_with("y_object_duplicated_key"), "{name}: {read:?}"),
            "n_" => assert!(read.is_err(), "{name} was read as {read:?}"),
            _ => {
                let known = REFUSED.contains(&name.as_str())
                    || [
                        "i_string_lone_second_surrogate.json",
                        "i_structure_500_nested_arrays.json",
                        "i_structure_UTF-8_BOM_empty_object.json",
                    ]
                    .contains(&name.as_str());
                assert_eq!(read.is_err(), known, "{name}: {read:?}");
            }
        }
    }
}

#[test]
fn values_are_given_back_or_refused() {
    let files = suite("test_transform");
    assert_eq!(files.len(), 22);
    for (name, text) in files {
        let text_in = String::from_utf8_lossy(&text).trim().to_owned();
        match read(&text) {
            // Numbers that no machine type can hold keep their text.
            Ok(out) if name.starts_with("number") => {
                let same = out == text_in || ["[1e6]", "[1E6]"].contains(&text_in.as_str()) && out == "[1000000.0]";
                assert!(same, "{name}: {text_in} became {out}");
            }
            Ok(out) if name == "string_with_escaped_NULL.json" => assert_eq!(out, r#"["A\u0000B"]"#),
            Ok(out) => assert_eq!(
                out.replace(", ", ",").replace(": ", ":"),
                text_in.replace(", ", ",").replace(": ", ":"),
                "{name}"
            ),
            Err(error) => {
                let why = error.to_string();
                assert!(why.contains("twice") || why.contains("surrogate") || why.contains("UTF-8"), "{name}: {why}");
            }
        }
    }
}
