//! Characters to tokens, one at a time.

use std::sync::Arc;

use crate::{Error, Place, Result};

/// A piece of a file.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Name(String),
    Int(u64),
    Float(f64),
    Text(Vec<u8>),
    /// A literal such as `0x"00 ff"`.
    Data(Vec<u8>),
    Mark(char),
    End,
}

/// Reads tokens from a file.
#[derive(Clone)]
pub(super) struct Lexer<'a> {
    name: &'a Arc<str>,
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(name: &'a Arc<str>, text: &'a str) -> Self {
        Lexer { name, text, at: 0 }
    }

    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    fn peek(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    pub(super) fn error(&self, at: usize, what: impl Into<String>) -> Error {
        Error::at(Place::at(self.name, self.text, at), what)
    }

    fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C => self.at += 1,
                b'#' => self.at = self.line_end(self.at),
                _ => break,
            }
        }
    }

    fn line_end(&self, from: usize) -> usize {
        self.bytes()[from..].iter().position(|&byte| byte == b'\n').map_or(self.text.len(), |at| from + at)
    }

    /// The next token, with the places where it begins and ends.
    pub(super) fn next(&mut self) -> Result<(Token, usize, usize)> {
        self.skip_blanks();
        let start = self.at;
        let Some(first) = self.peek() else { return Ok((Token::End, start, start)) };
        let token = match first {
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => Token::Name(self.word().to_owned()),
            b'0' if self.bytes()[start..].starts_with(b"0x\"") => self.data()?,
            b'0'..=b'9' => self.number()?,
            b'"' => self.string()?,
            b'`' => self.lines(),
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b',' => self.mark(),
            b'!' | b'$' | b'*' | b'-' | b'.' | b':' | b'=' | b'>' | b'@' | b'+' => self.mark(),
            _ => {
                let found = self.text[start..].chars().next().unwrap_or_default();
                return Err(self.error(start, format!("found {found:?}, which begins nothing in this language")));
            }
        };
        Ok((token, start, self.at))
    }

    fn mark(&mut self) -> Token {
        self.at += 1;
        Token::Mark(self.bytes()[self.at - 1] as char)
    }

    fn word(&mut self) -> &'a str {
        let start = self.at;
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let len = self.bytes()[start..].iter().take_while(|byte| is_part(byte)).count();
        self.at += len;
        &self.text[start..self.at]
    }

    fn number(&mut self) -> Result<Token> {
        let start = self.at;
        let word = self.word();
        let is_hex = word.starts_with("0x") || word.starts_with("0X");
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // A fraction, and the exponent's sign, are no part of a word.
        if !is_hex && digits(word) && self.peek() == Some(b'.') {
            self.at += 1;
            self.word();
        }
        let has_exponent = !is_hex && self.text[start..self.at].ends_with(['e', 'E']);
        if has_exponent && matches!(self.peek(), Some(b'+' | b'-')) {
            self.at += 1;
            self.word();
        }
        let text = &self.text[start..self.at];
        let wrong = || {
            let shown: String = text.chars().take(40).collect();
            self.error(start, format!("found {shown:?}, which is no number"))
        };
        if is_hex || digits(text) {
            let (digits, radix) = match text {
                _ if is_hex => (&text[2..], 16),
                "0" => (text, 10),
                _ => text.strip_prefix('0').map_or((text, 10), |octal| (octal, 8)),
            };
            return match u64::from_str_radix(digits, radix) {
                Ok(value) => Ok(Token::Int(value)),
                Err(_) if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) => Err(wrong()),
                Err(_) => Err(self.error(start, "the number is too large: integers have at most 64 bits")),
            };
        }
        let valid = text.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte));
        text.parse().ok().filter(|_| valid && !text.ends_with('.')).map(Token::Float).ok_or_else(wrong)
    }

    fn data(&mut self) -> Result<Token> {
        let start = self.at;
        self.at += 3;
        let mut bytes = Vec::new();
        let mut half = None;
        loop {
            let byte = self.peek().ok_or_else(|| self.error(start, "the data literal has no end: expected '\"'"))?;
            self.at += 1;
            match (byte, (byte as char).to_digit(16), half) {
                (b'"', _, None) => return Ok(Token::Data(bytes)),
                (b' ' | b'\t' | b'\r' | b'\n', _, None) => {}
                (_, Some(digit), None) => half = Some(digit as u8),
                (_, Some(digit), Some(high)) => {
                    bytes.push(high << 4 | digit as u8);
                    half = None;
                }
                _ => return Err(self.error(self.at - 1, "expected two hexadecimal digits for each byte, or '\"'")),
            }
        }
    }

    fn string(&mut self) -> Result<Token> {
        let start = self.at;
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            let unended = || self.error(start, "the text has no end on its line: expected '\"'");
            let byte = self.peek().filter(|&byte| byte != b'\n').ok_or_else(unended)?;
            self.at += 1;
            match byte {
                b'"' => return Ok(Token::Text(bytes)),
                b'\\' => {
                    let escaped = self.escape()?;
                    bytes.push(escaped);
                }
                _ => bytes.push(byte),
            }
        }
    }

    fn escape(&mut self) -> Result<u8> {
        let at = self.at - 1;
        let byte = self.peek().unwrap_or_default();
        self.at += 1;
        Ok(match byte {
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            b'\'' | b'"' | b'\\' | b'?' => byte,
            b'x' => {
                let digits = self.text.get(self.at..self.at + 2).and_then(|text| u8::from_str_radix(text, 16).ok());
                self.at += 2;
                digits.ok_or_else(|| self.error(at, "expected two hexadecimal digits after \\x"))?
            }
            b'0'..=b'7' => {
                let mut value = u32::from(byte - b'0');
                for _ in 0..2 {
                    let Some(digit @ b'0'..=b'7') = self.peek() else { break };
                    value = value * 8 + u32::from(digit - b'0');
                    self.at += 1;
                }
                value as u8
            }
            _ => return Err(self.error(at, "found an unknown escape; there are \\n, \\t, \\\", \\\\, \\x41 and such")),
        })
    }

    /// Lines that begin with a backtick are a text.
    fn lines(&mut self) -> Token {
        let mut bytes = Vec::new();
        while self.peek() == Some(b'`') {
            let end = self.line_end(self.at);
            bytes.extend_from_slice(self.text[self.at + 1..end].trim_end_matches('\r').as_bytes());
            bytes.push(b'\n');
            self.at = end;
            self.skip_blanks();
        }
        Token::Text(bytes)
    }

    /// The comment that documents what the last token ended or opened: it begins on the same line or the next.
    pub(super) fn doc(&mut self) -> Option<String> {
        let mut doc: Option<String> = None;
        let mut at = self.at;
        for line in 0.. {
            let from = at + self.bytes()[at..].iter().take_while(|byte| b" \t\r\x0B\x0C".contains(byte)).count();
            match self.bytes().get(from) {
                Some(b'#') => {
                    let end = self.line_end(from);
                    let text = self.text[from + 1..end].trim_end_matches('\r');
                    let text = text.strip_prefix(' ').unwrap_or(text);
                    match &mut doc {
                        None => doc = Some(text.to_owned()),
                        Some(doc) => {
                            doc.push('\n');
                            doc.push_str(text);
                        }
                    }
                    at = (end + 1).min(self.text.len());
                    self.at = at;
                }
                Some(b'\n') if line == 0 => at = from + 1,
                _ => break,
            }
        }
        doc
    }
}
