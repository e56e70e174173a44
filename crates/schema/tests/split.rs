//! Finding the messages of a file.

use wirewise_core::ErrorKind;
use wirewise_formats::Framing;
use wirewise_schema::split_json;

fn messages(input: &str) -> (Framing, Vec<&str>) {
    let found = split_json(input.as_bytes()).unwrap();
    (found.framing(), found.ranges().iter().map(|range| &input[range.clone()]).collect())
}

#[test]
fn framings() {
    for (input, framing, expected) in [
        ("{}", Framing::None, &["{}"][..]),
        (" {\"a\": [1, 2]}\n", Framing::None, &["{\"a\": [1, 2]}"]),
        ("5", Framing::None, &["5"]),
        ("\"a\\\"]\"", Framing::None, &["\"a\\\"]\""]),
        ("[]", Framing::None, &["[]"]),
        ("[1, {}]", Framing::None, &["[1, {}]"]),
        ("[{}, 1]", Framing::None, &["[{}, 1]"]),
        ("[[{}]]", Framing::None, &["[[{}]]"]),
        ("[ {} ]", Framing::JsonArray, &["{}"]),
        (
            "[{\"a\": \"}],[\"}\n,\t{\"b\": [{}, {}]}]\n",
            Framing::JsonArray,
            &["{\"a\": \"}],[\"}", "{\"b\": [{}, {}]}"],
        ),
        ("{}\n{}", Framing::Lines, &["{}", "{}"]),
        ("\n{\"a\": 1} \r\n\n  [2]\r\n", Framing::Lines, &["{\"a\": 1}", "[2]"]),
        ("1\n\"a\nb\n", Framing::Lines, &["1", "\"a", "b"]),
        ("[{}]\n[{}]\n", Framing::Lines, &["[{}]", "[{}]"]),
        ("{} {}\n{}", Framing::Concatenated, &["{}", "{}", "{}"]),
        ("{\n}\n{\n}\n", Framing::Concatenated, &["{\n}", "{\n}"]),
        ("1 true\"a\"[2]", Framing::Concatenated, &["1", "true", "\"a\"", "[2]"]),
    ] {
        assert_eq!(messages(input), (framing, expected.to_vec()), "{input:?}");
    }
}

#[test]
fn what_is_no_json_is_left_to_the_decoder() {
    for (input, framing, expected) in [
        ("[{\"a\": 1}", Framing::None, &["[{\"a\": 1}"][..]),
        ("[{} {}]", Framing::JsonArray, &["{} {}"]),
        ("[{},]", Framing::JsonArray, &["{}"]),
        ("[,{}]", Framing::None, &["[,{}]"]),
        ("]", Framing::None, &["]"]),
        ("\"open", Framing::None, &["\"open"]),
        ("\"open\\", Framing::None, &["\"open\\"]),
        (", ,", Framing::Concatenated, &[",", ","]),
        ("{}}", Framing::Concatenated, &["{}", "}"]),
        ("{\n]\n}", Framing::Concatenated, &["{\n]", "}"]),
    ] {
        assert_eq!(messages(input), (framing, expected.to_vec()), "{input:?}");
    }
    for empty in ["", " \n\t\r"] {
        assert_eq!(split_json(empty.as_bytes()).unwrap_err().kind(), ErrorKind::End);
    }
}

#[test]
fn any_bytes_are_split_into_ranges_that_do_not_overlap() {
    let mut rng = wirewise_testkit::random::Rng::new(1);
    for _ in 0..20_000 {
        let input: Vec<u8> = (0..rng.below(24)).map(|_| b"[]{}\",\\:\n 1a"[rng.below(12)]).collect();
        let Ok(found) = split_json(&input) else { continue };
        let mut at = 0;
        for range in found.ranges() {
            assert!(at <= range.start && range.start < range.end && range.end <= input.len(), "{input:?}: {found:?}");
            at = range.end;
        }
    }
}
