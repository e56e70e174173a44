//! The little JSON writing that the sets share.

use std::io::{self, Write};

/// Writes an array, one element for each number from 0.
pub(crate) fn array(
    len: u64,
    out: &mut dyn Write,
    mut element: impl FnMut(u64, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    out.write_all(b"[")?;
    for index in 0..len {
        if index > 0 {
            out.write_all(b",")?;
        }
        element(index, out)?;
    }
    out.write_all(b"]")
}

/// Which characters of a string are escaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escape {
    /// What JSON demands: quotes, backslashes and control characters.
    Needed,
    /// Also everything that is not ASCII, as several libraries do unless told otherwise.
    NonAscii,
}

/// Writes a string with its quotes.
pub(crate) fn string(text: &str, escape: Escape, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"\"")?;
    for letter in text.chars() {
        match letter {
            '"' => out.write_all(b"\\\"")?,
            '\\' => out.write_all(b"\\\\")?,
            '\n' => out.write_all(b"\\n")?,
            '\t' => out.write_all(b"\\t")?,
            '\0'..' ' => write!(out, "\\u{:04x}", u32::from(letter))?,
            _ if letter.is_ascii() || escape == Escape::Needed => write!(out, "{letter}")?,
            _ => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}")?;
                }
            }
        }
    }
    out.write_all(b"\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_read_back_as_they_were() {
        let text = "\"a\\b\"\n\t\u{1}\u{7f} é 𠮷";
        for escape in [Escape::Needed, Escape::NonAscii] {
            let mut out = Vec::new();
            string(text, escape, &mut out).unwrap();
            assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
            assert_eq!(out.is_ascii(), escape == Escape::NonAscii);
        }
    }
}
