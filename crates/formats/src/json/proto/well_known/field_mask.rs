//! `FieldMask`: paths in lowerCamelCase with commas between them.

/// Appends a path; an error says why it would not come back.
pub(super) fn write_path(path: &[u8], out: &mut Vec<u8>) -> Result<(), &'static str> {
    if path.is_empty() {
        return Err("a path is empty");
    }
    let mut capital = false;
    for &byte in path {
        match byte {
            b'_' if capital => return Err("a path has two underscores in a row"),
            b'_' => capital = true,
            b'a'..=b'z' if capital => {
                out.push(byte.to_ascii_uppercase());
                capital = false;
            }
            _ if capital => return Err("a path has an underscore that no small letter follows"),
            b'A'..=b'Z' => return Err("a path has a capital letter"),
            b',' => return Err("a path has a comma"),
            _ => out.push(byte),
        }
    }
    if capital { Err("a path ends with an underscore") } else { Ok(()) }
}

/// Appends the path that was written as `text`; `false` when it was none.
pub(super) fn parse_path(text: &[u8], out: &mut Vec<u8>) -> bool {
    for &byte in text {
        match byte {
            b'_' | b',' => return false,
            b'A'..=b'Z' => out.extend([b'_', byte.to_ascii_lowercase()]),
            _ => out.push(byte),
        }
    }
    !text.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_back_or_are_refused() {
        for (path, text) in [("a", "a"), ("foo_bar.baz_q", "fooBar.bazQ"), ("_a", "A"), ("a1", "a1")] {
            let (mut written, mut parsed) = (Vec::new(), Vec::new());
            write_path(path.as_bytes(), &mut written).unwrap();
            assert_eq!(written, text.as_bytes());
            assert!(parse_path(text.as_bytes(), &mut parsed));
            assert_eq!(parsed, path.as_bytes());
        }
        for path in ["", "fooBar", "foo__bar", "foo_3_bar", "foo_", "foo_Bar", "a,b"] {
            assert!(write_path(path.as_bytes(), &mut Vec::new()).is_err(), "{path}");
        }
        for text in ["", "foo_bar"] {
            assert!(!parse_path(text.as_bytes(), &mut Vec::new()), "{text}");
        }
    }
}
