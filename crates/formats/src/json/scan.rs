//! Tokens: white space, punctuation, strings and numbers.

use wirewise_core::{Arena, Cell, Error, Result, Silent, Tracer, utf8};

use super::simd::special;

/// A position in JSON text.
pub(super) struct Scanner<'a, T> {
    pub(super) input: &'a [u8],
    pub(super) pos: usize,
    /// The message that the arena was begun with: `input` may be a part of it (JSON text inside another format).
    pub(super) whole: &'a [u8],
    pub(super) tracer: T,
    /// For the tracer only: all before this is explained, and what comes up to the next token is punctuation.
    pub(super) traced: usize,
    /// For the tracer only: whether what is read is something that the schema does not know.
    pub(super) unknown: bool,
}

/// A number's literal, grammar checked.
#[derive(Clone, Copy)]
pub(super) struct Literal<'a> {
    pub(super) text: &'a str,
    /// Where it starts in the input.
    pub(super) at: usize,
    /// Whether it has neither fraction nor exponent.
    pub(super) integer: bool,
}

/// Text that nobody traces.
pub(super) fn untraced<'a>(input: &'a [u8], whole: &'a [u8]) -> Scanner<'a, Silent> {
    Scanner::new(input, whole, Silent)
}

impl<'a, T: Tracer> Scanner<'a, T> {
    /// The start of `input`, which is `whole` or a part of it.
    pub(super) fn new(input: &'a [u8], whole: &'a [u8], tracer: T) -> Self {
        Scanner { input, pos: 0, whole, tracer, traced: 0, unknown: false }
    }

    /// The next byte after white space, not consumed; `None` at the end.
    #[inline(always)]
    pub(super) fn peek(&mut self) -> Option<u8> {
        match self.input.get(self.pos) {
            Some(&byte) if byte > b' ' => Some(byte),
            _ => self.skip_space(),
        }
    }

    #[inline(never)]
    fn skip_space(&mut self) -> Option<u8> {
        loop {
            match self.input.get(self.pos) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.pos += 1,
                other => return other.copied(),
            }
        }
    }

    /// The same where a value must come.
    #[inline(always)]
    pub(super) fn peek_value(&mut self) -> Result<u8> {
        self.peek().ok_or_else(|| self.ended("a value"))
    }

    #[cold]
    pub(super) fn ended(&self, expected: &str) -> Error {
        Error::end(self.input.len(), expected)
    }

    /// Something else than what the grammar wants.
    #[cold]
    pub(super) fn unexpected(&mut self, expected: &str) -> Error {
        match self.peek() {
            None => self.ended(expected),
            Some(_) if self.input[self.pos..].starts_with(b"\xef\xbb\xbf") => {
                Error::syntax(self.pos, "a byte order mark, which JSON does not allow").hint("remove these three bytes")
            }
            Some(_) => Error::syntax(self.pos, format!("expected {expected}, found {}", show(&self.input[self.pos..]))),
        }
    }

    /// Consumes `byte` after white space.
    #[inline(always)]
    pub(super) fn expect(&mut self, byte: u8, expected: &str) -> Result<()> {
        if self.peek() == Some(byte) {
            self.pos += 1;
            return Ok(());
        }
        Err(self.unexpected(expected))
    }

    /// After an element: `true` when a comma says that another follows, `false` at the closing byte; both consumed.
    #[inline(always)]
    pub(super) fn more(&mut self, close: u8) -> Result<bool> {
        let next = self.peek();
        if next == Some(b',') || next == Some(close) {
            self.pos += 1;
            return Ok(next == Some(b','));
        }
        Err(self.unexpected(if close == b'}' { "',' or '}'" } else { "',' or ']'" }))
    }

    /// After an opening bracket: whether it closes at once (then consumed).
    #[inline]
    pub(super) fn closes(&mut self, close: u8) -> bool {
        let closes = self.peek() == Some(close);
        self.pos += usize::from(closes);
        closes
    }

    /// Consumes `true`, `false` or `null`.
    pub(super) fn word(&mut self, word: &str) -> Result<()> {
        let rest = &self.input[self.pos..];
        if rest.starts_with(word.as_bytes()) {
            self.pos += word.len();
            return Ok(());
        }
        let len = rest.iter().zip(word.as_bytes()).take_while(|(a, b)| a == b).count();
        self.pos += len;
        Err(if len == rest.len() { self.ended(word) } else { Error::syntax(self.pos, format!("expected {word}")) })
    }

    /// Consumes a string; its content is borrowed from the input unless it has escapes.
    #[inline]
    pub(super) fn string(&mut self, arena: &mut Arena) -> Result<Cell> {
        self.expect(b'"', "a string")?;
        self.string_rest(arena)
    }

    /// The same after the opening quote.
    #[inline(always)]
    pub(super) fn string_rest(&mut self, arena: &mut Arena) -> Result<Cell> {
        let start = self.pos;
        let stop = special(self.input, start, self.input.len());
        match self.input.get(stop.at) {
            Some(b'"') => {}
            Some(_) => return self.escaped(start, stop.at, arena),
            None => return Err(self.ended("the end of a string")),
        }
        let bytes = &self.input[start..stop.at];
        if !stop.ascii {
            check_utf8(bytes, start)?;
        }
        self.pos = stop.at + 1;
        arena.text(bytes)
    }

    /// A string with an escape (or an error) at `first`.
    #[inline(never)]
    fn escaped(&mut self, start: usize, first: usize, arena: &mut Arena) -> Result<Cell> {
        let input = self.input;
        let mut pos = first;
        let cell = arena.text_with(|out| {
            out.extend_from_slice(&input[start..first]);
            loop {
                let byte = *input.get(pos).ok_or_else(|| Error::end(input.len(), "the end of a string"))?;
                match byte {
                    b'"' => break,
                    b'\\' => pos = unescape(input, pos, out)?,
                    0..0x20 => {
                        let what = format!("the control character 0x{byte:02x} stands unescaped in a string");
                        return Err(Error::syntax(pos, what).hint(format!("write it as \\u{byte:04x}")));
                    }
                    _ => {
                        let end = special(input, pos, input.len()).at;
                        out.extend_from_slice(&input[pos..end]);
                        pos = end;
                    }
                }
            }
            Ok(())
        })?;
        check_utf8(&input[start..pos], start)?;
        self.pos = pos + 1;
        Ok(cell)
    }

    /// Consumes a number, checking the grammar (RFC 8259, section 6).
    pub(super) fn number(&mut self) -> Result<Literal<'a>> {
        let input = self.input;
        let at = self.pos;
        let mut pos = at + usize::from(input.get(at) == Some(&b'-'));
        let digits = |pos: &mut usize| {
            let start = *pos;
            while input.get(*pos).is_some_and(u8::is_ascii_digit) {
                *pos += 1;
            }
            if *pos > start {
                return Ok(*pos - start);
            }
            Err(match input.get(*pos) {
                None => Error::end(*pos, "a digit"),
                Some(_) => Error::syntax(*pos, format!("expected a digit, found {}", show(&input[*pos..]))),
            })
        };
        let first = input.get(pos).copied();
        if digits(&mut pos)? > 1 && first == Some(b'0') {
            return Err(Error::syntax(at, "a number must not begin with 0"));
        }
        let mut integer = true;
        if input.get(pos) == Some(&b'.') {
            integer = false;
            pos += 1;
            digits(&mut pos)?;
        }
        if let Some(b'e' | b'E') = input.get(pos) {
            integer = false;
            pos += 1;
            pos += usize::from(matches!(input.get(pos), Some(b'+' | b'-')));
            digits(&mut pos)?;
        }
        self.pos = pos;
        let text = std::str::from_utf8(&input[at..pos]).expect("digits, signs and letters are ASCII");
        Ok(Literal { text, at, integer })
    }
}

/// Appends the character that the escape at `at` stands for; returns where it ends.
fn unescape(input: &[u8], at: usize, out: &mut Vec<u8>) -> Result<usize> {
    let Some(&letter) = input.get(at + 1) else { return Err(Error::end(input.len(), "the end of an escape")) };
    let byte = match letter {
        b'"' | b'\\' | b'/' => letter,
        b'b' => 8,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'u' => return unescape_unicode(input, at, out),
        _ => {
            let what = format!("there is no escape \\{}", show(&input[at + 1..]).trim_matches('\''));
            return Err(Error::syntax(at, what).hint("a backslash itself is written \\\\"));
        }
    };
    out.push(byte);
    Ok(at + 2)
}

fn unescape_unicode(input: &[u8], at: usize, out: &mut Vec<u8>) -> Result<usize> {
    let unit = |at: usize| {
        let digits = input.get(at + 2..).unwrap_or_default();
        let digits = &digits[..digits.len().min(4)];
        let hex = |value: u32, digit: &u8| (*digit as char).to_digit(16).map(|digit| value << 4 | digit);
        let value = digits.iter().try_fold(0, hex);
        let value = value.ok_or_else(|| Error::syntax(at, "expected four hexadecimal digits after \\u"))?;
        if digits.len() == 4 { Ok(value) } else { Err(Error::end(input.len(), "four hexadecimal digits")) }
    };
    let first = unit(at)?;
    let lone = || {
        Error::syntax(at, format!("\\u{first:04x} is half of a surrogate pair, which is no character"))
            .hint("the text cannot be kept as it is: replace it at the source")
    };
    let (code, end) = match first {
        0xD800..0xDC00 => {
            if input.get(at + 6).is_some_and(|&b| b != b'\\') || input.get(at + 7).is_some_and(|&b| b != b'u') {
                return Err(lone());
            }
            let second = unit(at + 6)?;
            if !(0xDC00..0xE000).contains(&second) {
                return Err(lone());
            }
            (0x10000 + ((first - 0xD800) << 10 | (second - 0xDC00)), at + 12)
        }
        _ => (first, at + 6),
    };
    let character = char::from_u32(code).ok_or_else(lone)?;
    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    Ok(end)
}

#[inline]
fn check_utf8(bytes: &[u8], at: usize) -> Result<()> {
    utf8::check(bytes).map_err(|valid| {
        Error::syntax(at + valid, "the text is not valid UTF-8").hint("convert the input to UTF-8 first")
    })
}

/// The character at the start of `bytes`, for messages.
pub(super) fn show(bytes: &[u8]) -> String {
    let end = bytes.len().min(4);
    match String::from_utf8_lossy(&bytes[..end]).chars().next() {
        Some(char::REPLACEMENT_CHARACTER) | None => format!("the byte 0x{:02x}", bytes.first().unwrap_or(&0)),
        Some(character) => format!("{character:?}"),
    }
}
