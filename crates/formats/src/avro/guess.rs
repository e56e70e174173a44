//! What bytes may be: containers and single objects say so, a datum does not.

use super::INFO;
use super::container::Header;
use super::datum::MARKER;
use crate::{Framing, Guess, Variant};

/// Which variants the start of a file may be.
pub(super) fn guess(input: &[u8]) -> Vec<Guess> {
    if input.starts_with(b"Obj\x01") {
        let (id, certainty, why) = match Header::parse(input) {
            Ok((header, _)) => {
                let codec = header.codec.name();
                let why = format!("begins with \"Obj\" 1, and has a schema; its blocks have the codec {codec}");
                (
                    if codec == "null" { "avro-container".to_owned() } else { format!("avro-container-{codec}") },
                    100,
                    why,
                )
            }
            Err(error) => {
                let why = format!("begins with \"Obj\" 1, the magic bytes of a container, but {}", error.message());
                ("avro-container".to_owned(), 90, why)
            }
        };
        let framing = Framing::AvroContainer;
        return vec![Guess { variant: variant(&id), framing, certainty, why }];
    }
    if input.len() > MARKER.len() + 8 && input.starts_with(&MARKER) {
        let why = "begins with c3 01, the marker of a single object, with room for a fingerprint".to_owned();
        // Two bytes are not much, but nothing else is known to begin so: it is no UTF-8 either.
        let framing = Framing::Concatenated;
        return vec![Guess { variant: variant("avro-single-object"), framing, certainty: 50, why }];
    }
    Vec::new()
}

fn variant(id: &str) -> &'static Variant {
    INFO.variants.iter().find(|variant| variant.id == id).unwrap_or(&INFO.variants[0])
}
