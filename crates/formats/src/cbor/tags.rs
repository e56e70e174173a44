//! Tags before values whose type the schema knows (IANA registry "CBOR Tags").

use wirewise_core::{Kind, Logical};

use crate::dynamic::binary::TagMeaning;

/// A tag is known where it says what the schema says anyway, or only how other formats should show the value.
pub(super) fn meaning(tag: u64, kind: &Kind, logical: Option<Logical>) -> TagMeaning {
    let known = match (tag, kind, logical) {
        (2 | 3, Kind::Int(_) | Kind::Float(_) | Kind::Union(_), _) => {
            return TagMeaning::BigInteger { negative: tag == 3 };
        }
        (1, Kind::Int(_), None | Some(Logical::Timestamp(_))) => return TagMeaning::Seconds,
        // Self-described CBOR: how a file begins.
        (55799, ..) => true,
        // Texts: date and time, URI, base64url, base64, regular expression, MIME message.
        (0, Kind::String, None | Some(Logical::Timestamp(_))) => true,
        (32 | 33 | 35 | 36, Kind::String, None) => true,
        (34, Kind::String, None | Some(Logical::Base64)) => true,
        // Seconds since 1970; days since 1970; a day as text.
        (1, Kind::Float(_), None) => true,
        (100, Kind::Int(_), None | Some(Logical::Date)) => true,
        (1004, Kind::String, None | Some(Logical::Date)) => true,
        // Base64url, base64 or hexadecimal in texts; encoded CBOR; MIME message.
        (21..=24 | 36, Kind::Bytes | Kind::Fixed(_), None) => true,
        (37, Kind::Bytes | Kind::Fixed(16), None | Some(Logical::Uuid)) => true,
        // A set.
        (258, Kind::List(_), _) => true,
        _ => false,
    };
    if known { TagMeaning::Known } else { TagMeaning::Other }
}
