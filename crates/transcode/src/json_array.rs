//! Finding the elements of a JSON array without parsing them.

use wirewise_core::{Error, Result};

/// What lies at the start of the rest of an array.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Element {
    /// An element.
    Found {
        /// Its first byte.
        start: usize,
        /// The comma or bracket after it; white space may come before that.
        end: usize,
    },
    /// The closing bracket: where what follows it begins.
    End(usize),
    /// More bytes are needed to tell.
    Partial,
}

/// Consumes white space and `[`; `None` when more bytes are needed.
pub(crate) fn open(bytes: &[u8]) -> Result<Option<usize>> {
    let at = skip_space(bytes, 0);
    match bytes.get(at) {
        None => Ok(None),
        Some(b'[') => Ok(Some(at + 1)),
        Some(_) => Err(Error::syntax(at, "expected a JSON array").hint("choose another framing for this input")),
    }
}

/// The first element of the rest of an array. `first` says whether it is the array's first, so that `]` may come.
///
/// An element's end is found by counting brackets outside strings. Whatever else is wrong with it is found when it is
/// decoded; what matters here is that an element that is valid is never cut in another place.
pub(crate) fn element(bytes: &[u8], first: bool) -> Result<Element> {
    let start = skip_space(bytes, 0);
    match bytes.get(start) {
        None => return Ok(Element::Partial),
        Some(b']') if first => return Ok(Element::End(start + 1)),
        Some(b',' | b']') => return Err(Error::syntax(start, "expected an element of the array")),
        Some(_) => {}
    }
    let (mut at, mut depth) = (start, 0usize);
    loop {
        match bytes.get(at) {
            None => return Ok(Element::Partial),
            Some(b'"') => match string_end(bytes, at + 1) {
                None => return Ok(Element::Partial),
                Some(end) => at = end,
            },
            Some(b'[' | b'{') => depth += 1,
            Some(b',' | b']') if depth == 0 => return Ok(Element::Found { start, end: at }),
            Some(b']' | b'}') => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return Err(Error::syntax(at, "a closing bracket without its opening one")),
            },
            Some(_) => {}
        }
        at += 1;
    }
}

/// Where the string whose content starts at `at` has its closing quote.
fn string_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

pub(crate) fn skip_space(bytes: &[u8], at: usize) -> usize {
    let space = |byte: &&u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
    at + bytes[at..].iter().take_while(space).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_elements() {
        let found = |start, end| Element::Found { start, end };
        assert_eq!(element(br#" {"a":"]\"}"} , 2]"#, true).unwrap(), found(1, 14));
        assert_eq!(element(b"[1,[2]]]", false).unwrap(), found(0, 7));
        assert_eq!(element(b" ] x", true).unwrap(), Element::End(2));
        assert!(element(b"]", false).is_err());
        assert!(element(b"}", true).is_err());
        for partial in ["", " ", "[1", "\"a", "\"a\\", "\"\\\"", "12"] {
            assert_eq!(element(partial.as_bytes(), true).unwrap(), Element::Partial, "{partial}");
        }
        assert_eq!(open(b" \n[1").unwrap(), Some(3));
        assert_eq!(open(b"  ").unwrap(), None);
        assert!(open(b"{").is_err());
    }
}
