//! Lines of bounded length.

use std::io::{self, BufRead, BufReader, Read};

use super::KEPT;

/// Takes lines out of a reader.
pub(super) struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    most: usize,
}

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    Whole(&'a [u8]),
    /// With nothing on it.
    Blank,
    /// It has been skipped.
    TooLong,
    End,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(reader: R, most: usize) -> Self {
        Lines { reader: BufReader::with_capacity(1 << 16, reader), line: Vec::new(), most }
    }

    pub(super) fn next(&mut self) -> io::Result<Line<'_>> {
        self.line.clear();
        self.line.shrink_to(KEPT);
        let mut too_long = false;
        let mut any = false;
        loop {
            let buffer = match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            any |= !buffer.is_empty();
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            too_long |= part.len() > self.most - self.line.len();
            if !too_long {
                self.line.extend_from_slice(part);
            }
            let (used, last) = (part.len() + usize::from(end.is_some()), end.is_some() || buffer.is_empty());
            self.reader.consume(used);
            if last {
                break;
            }
        }
        Ok(match &self.line[..] {
            _ if too_long => Line::TooLong,
            _ if !any => Line::End,
            line if line.iter().all(u8::is_ascii_whitespace) => Line::Blank,
            line => Line::Whole(line),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_any_length_in_pieces_of_any_length() {
        let text = b"one\n\r\n1234567\n12345678\n\nlast";
        for piece in 1..20 {
            let mut lines = Lines::new(&text[..], 7);
            lines.reader = BufReader::with_capacity(piece, &text[..]);
            for expected in [
                Line::Whole(b"one"),
                Line::Blank,
                Line::Whole(b"1234567"),
                Line::TooLong,
                Line::Blank,
                Line::Whole(b"last"),
                Line::End,
                Line::End,
            ] {
                assert_eq!(lines.next().unwrap(), expected, "{piece}");
            }
        }
    }
}
