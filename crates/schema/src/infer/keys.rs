//! Names that are data.

use wirewise_core::text;

/// Whether the name looks like an identifier of a thing rather than like the name of a property: digits, a UUID, a day
/// or an instant, a path, a URL or an e-mail address, or at least 8 hexadecimal digits (with a decimal one among them:
/// `deadbeef` could be a word).
pub(super) fn is_id(name: &str) -> bool {
    let bytes = name.as_bytes();
    let digits = bytes.strip_prefix(b"-").unwrap_or(bytes);
    if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) {
        return true;
    }
    if bytes.len() >= 8 && bytes.iter().all(u8::is_ascii_hexdigit) && bytes.iter().any(u8::is_ascii_digit) {
        return true;
    }
    is_uuid(name) || is_time(bytes) || is_address(name)
}

fn is_uuid(name: &str) -> bool {
    name.len() == 36 && text::uuid::parse(name.to_ascii_lowercase().as_bytes()).is_some()
}

/// `/users/{id}`, `https://example.com/`, `alice@example.com`; not `@type`, as JSON-LD names properties.
fn is_address(name: &str) -> bool {
    let mail = name.split_once('@').is_some_and(|(user, host)| !user.is_empty() && host.contains('.'));
    mail || (name.len() > 1 && name.starts_with('/')) || name.contains("://")
}

/// `2026-11`, `2026-11-21`, and anything that begins with a day and goes on with a time.
fn is_time(bytes: &[u8]) -> bool {
    let day = |bytes: &[u8]| text::time::parse_date(bytes).is_some();
    match bytes.len() {
        7 => day(&[bytes, b"-01"].concat()),
        10 => day(bytes),
        _ => {
            bytes.len() > 10
                && day(&bytes[..10])
                && matches!(bytes[10], b'T' | b' ')
                && bytes[11..].iter().all(|b| b.is_ascii_digit() || matches!(b, b':' | b'.' | b'+' | b'-' | b'Z'))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_told_from_words() {
        for id in [
            "1",
            "-7",
            "337100890",
            "157AE52A-e77a-56c9-bce7-1025260eb7b2",
            "d41d8cd98f00b204",
            "2026-11-21",
            "2026-11",
            "2026-11-21T10:00:00+01:00",
            "2026-11-21 10:00",
            "/users/{id}",
            "http://example.com/name",
            "alice@example.com",
        ] {
            assert!(is_id(id), "{id}");
        }
        for word in ["", "-", "/", "x", "facade", "deadbeef", "id1", "1st", "2026-13-21", "2026-11-21x", "@type", "A_B"]
        {
            assert!(!is_id(word), "{word}");
        }
    }
}
