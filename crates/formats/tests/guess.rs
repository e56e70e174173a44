//! What formats say of bytes when nobody told what they are.

use std::sync::Arc;

use wirewise_core::{Arena, Document, Limits, Losses};
use wirewise_formats::{FORMATS, Framing, Guess, find};
use wirewise_testkit::random::{self, Rng};

/// The likeliest of all guesses.
fn best(input: &[u8]) -> Option<Guess> {
    FORMATS.iter().flat_map(|format| format.guess(input)).max_by_key(|guess| guess.certainty)
}

#[test]
fn random_bytes_are_nothing_in_particular() {
    let mut rng = Rng::new(1);
    for round in 0..300 {
        let bytes: Vec<u8> = (0..10 << 10).map(|_| rng.bits() as u8).collect();
        for format in FORMATS {
            for guess in format.guess(&bytes) {
                assert!(guess.certainty <= 30, "round {round}: {guess:?} for {:02x?}", &bytes[..40]);
            }
        }
    }
}

#[test]
fn bytes_of_all_kinds_are_no_reason_to_fail() {
    let mut rng = Rng::new(2);
    for _ in 0..3000 {
        let bytes: Vec<u8> = (0..rng.below(60))
            .map(|_| {
                *rng.pick(&[0, 1, 2, 8, 0x0a, b'{', b'"', b'a', 0x7f, 0x80, 0x81, 0x9f, 0xa1, 0xa2, 0xbf, 0xd9, 0xff])
            })
            .collect();
        for format in FORMATS {
            assert!(format.guess(&bytes).iter().all(|guess| guess.certainty <= 100 && !guess.why.is_empty()));
        }
    }
}

/// Messages with a few names in them are recognised, whole and cut.
#[test]
fn messages_with_names_are_recognised() {
    for id in ["json", "json-pretty", "msgpack-named", "cbor-named"] {
        let (format, _) = find(id).unwrap();
        for seed in 0..300 {
            let schema = Arc::new(random::schema(seed));
            let mut arena = Arena::new(Limits::default());
            random::message(&schema, seed, &mut arena);
            let document = Document::new(&schema, b"", &arena);
            let mut out = Vec::new();
            let written =
                format.plan(&schema, find(id).unwrap().1).unwrap().encode(&document, &mut out, &mut Losses::none());
            if written.is_err() || out.len() < 60 {
                continue;
            }
            let guess = best(&out).unwrap_or_else(|| panic!("{id}, seed {seed}: nothing for {out:02x?}"));
            assert_eq!(
                find(guess.variant.id).unwrap().0.info().name,
                format.info().name,
                "{seed}: {guess:?} {out:02x?}"
            );
            assert!(guess.certainty > 60, "{id}, seed {seed}: {guess:?}");
            let cut = best(&out[..out.len() - 1]).unwrap();
            assert_eq!(find(cut.variant.id).unwrap().0.info().name, format.info().name, "{seed}: {cut:?} {out:02x?}");
        }
    }
}

#[test]
fn examples() {
    let of = |input: &[u8]| best(input).map(|guess| (guess.variant.id, guess.framing));
    let pretty = b"[\n {\"a\": 1},\n {\"a\": 2}\n]\n";
    for (input, expected) in [
        (&b"{\"name\":1}\n{\"name\":2}\n"[..], Some(("json", Framing::Lines))),
        (b" {\"name\":1} {\"name\":2}", Some(("json", Framing::Concatenated))),
        (b"[{\"name\":1},{\"name\":2}]", Some(("json", Framing::JsonArray))),
        (pretty, Some(("json-pretty", Framing::JsonArray))),
        (b"{\"name\": tru}", Some(("json", Framing::Concatenated))),
        (b"\x82\xa4name\x01\xa3age\x02", Some(("msgpack-named", Framing::Concatenated))),
        (b"\x93\xa4name\x01\x02", Some(("msgpack-positional", Framing::Concatenated))),
        (b"\xa2\x64name\x01\x63age\x02", Some(("cbor-named", Framing::Concatenated))),
        (b"\xd9\xd9\xf7\x83\x01\x02\x03", Some(("cbor-positional", Framing::Concatenated))),
        (b"\xbf\x64name\x9f\x01\x02\xff\x63age\x02\xff", Some(("cbor-named", Framing::Concatenated))),
        (b"", None),
    ] {
        assert_eq!(of(input), expected, "{}: {:?}", String::from_utf8_lossy(input), best(input));
    }
}
