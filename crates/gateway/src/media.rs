//! Which variant a `Content-Type` names.

use wirewise_formats::{FORMATS, Framing, Variant};

use crate::negotiate::MediaType;
use crate::negotiate::accept::SHAPED;

/// What a body is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Content {
    pub(crate) variant: &'static Variant,
    pub(crate) framing: Framing,
    pub(crate) is_shaped: bool,
    /// Whether it says that it is one record, where the message is a list of them.
    pub(crate) is_record: bool,
}

/// The parameter that says that a body is one record.
const RECORD: &str = "record";

/// Sequences of JSON values, one a line.
const LINES: &[&str] = &["application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"];

/// What a `Content-Type` says. `None` when it is none of ours.
pub(crate) fn content(text: &str) -> Option<Content> {
    let mut media = MediaType::parse(text)?;
    let mut take = |name: &str| {
        let at = media.parameters.iter().position(|(known, _)| known == name)?;
        Some(media.parameters.remove(at).1)
    };
    let is_shaped = flag(take(SHAPED))?;
    let is_record = flag(take(RECORD))?;
    if !take("charset").is_none_or(|charset| charset.eq_ignore_ascii_case("utf-8")) {
        return None;
    }
    let wanted = take("variant");
    let essence = media.essence.as_str();
    if LINES.contains(&essence) {
        let (_, variant) = wirewise_formats::find("json").ok()?;
        return Some(Content { variant, framing: Framing::Lines, is_shaped, is_record });
    }
    // `application/geo+json` is JSON (RFC 6839).
    let essence = match essence.rsplit_once('+') {
        Some((_, "json")) => "application/json",
        Some((_, "cbor")) => "application/cbor",
        _ => essence,
    };
    let info = FORMATS.iter().map(|format| format.info()).find(|info| info.media_types.contains(&essence))?;
    let own = |variant: &&Variant| {
        let own = MediaType::parse(variant.media_type);
        own.is_some_and(|own| match &wanted {
            Some(wanted) => own.parameter("variant") == Some(wanted),
            None => own.essence == essence && own.parameters.is_empty(),
        })
    };
    let variant = match info.variants.iter().find(own) {
        Some(variant) => variant,
        // The other names of a format are its default variant's.
        None if wanted.is_none() => &info.variants[0],
        None => return None,
    };
    let framing = if essence.ends_with("-seq") { variant.framing } else { of(variant).framing };
    Some(Content { variant, framing, is_shaped, is_record })
}

/// A body in this variant: one message, but in variants for streams.
pub(crate) fn of(variant: &'static Variant) -> Content {
    let framing = if variant.list_is_stream { variant.framing } else { Framing::None };
    Content { variant, framing, is_shaped: false, is_record: false }
}

fn flag(value: Option<String>) -> Option<bool> {
    match value.as_deref() {
        None | Some("0") => Some(false),
        Some("1") => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_is_found_by_its_own_name() {
        for variant in FORMATS.iter().flat_map(|format| format.info().variants) {
            let found = content(variant.media_type).unwrap();
            assert_eq!(found.variant.id, variant.id);
            assert!(!found.is_shaped && !found.is_record);
            let separator = format!("{}; shaped=1;record=1", variant.media_type);
            let found = content(&separator).unwrap();
            assert!(found.variant.id == variant.id && found.is_shaped && found.is_record);
        }
    }

    #[test]
    fn other_names_are_known() {
        for (text, id) in [
            ("text/json; charset=UTF-8", Some("json")),
            ("Application/X-Protobuf", Some("protobuf")),
            ("application/geo+json", Some("json")),
            ("application/x-ndjson", Some("json")),
            ("application/msgpack", Some("msgpack-named")),
            ("application/json; charset=latin1", None),
            ("application/json; variant=none", None),
            ("text/html", None),
            ("", None),
        ] {
            assert_eq!(content(text).map(|content| content.variant.id), id, "{text}");
        }
    }
}
