//! Words, numbers, literals and comments of a `.thrift` file, with their places.

use std::sync::Arc;

use crate::{Error, Place, Result};

/// A place in the file that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct At {
    pub(super) line: u32,
    pub(super) column: u32,
}

impl At {
    /// As a place in messages.
    pub(super) fn place(self, file: &Arc<str>) -> Place {
        Place { file: file.clone(), line: self.line, column: self.column }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token<'a> {
    /// A word: a keyword or an identifier, which may have dots in it.
    Word(&'a str),
    Int(i64),
    Double(f64),
    /// What stands between quotes, with its escapes resolved.
    Text(String),
    Sign(char),
    End,
}

impl Token<'_> {
    /// For messages.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Word(word) => format!("{:?}", short(word)),
            Token::Int(value) => format!("the number {value}"),
            Token::Double(value) => format!("the number {value}"),
            Token::Text(_) => "a literal".to_owned(),
            Token::Sign(sign) => format!("{:?}", sign.to_string()),
            Token::End => "the end of the file".to_owned(),
        }
    }
}

/// The start of a word that may be as long as the file.
pub(super) fn short(word: &str) -> &str {
    &word[..(0..=word.len().min(60)).rev().find(|&end| word.is_char_boundary(end)).unwrap_or(0)]
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `/** */`
    Doc,
    /// `/* */`
    Block,
    /// `//`
    Slashes,
    /// `#`
    Hash,
}

/// A comment; `text` is without its marks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Comment<'a> {
    pub(super) style: Style,
    pub(super) text: &'a str,
    pub(super) first_line: u32,
    pub(super) last_line: u32,
}

pub(super) struct Lexer<'a> {
    file: &'a Arc<str>,
    text: &'a str,
    pos: usize,
    /// The place of `counted`, which is at most `pos`.
    at: At,
    counted: usize,
    /// The comments before the last token.
    pub(super) comments: Vec<Comment<'a>>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(file: &'a Arc<str>, text: &'a str) -> Self {
        Lexer { file, text, pos: 0, at: At { line: 1, column: 1 }, counted: 0, comments: Vec::new() }
    }

    /// The place of `pos`: every byte is counted once.
    fn here(&mut self) -> At {
        for &byte in &self.text.as_bytes()[self.counted..self.pos] {
            match byte {
                b'\n' => self.at = At { line: self.at.line + 1, column: 1 },
                _ if byte & 0xC0 != 0x80 => self.at.column += 1,
                _ => {}
            }
        }
        self.counted = self.pos;
        self.at
    }

    fn error(&self, at: At, what: impl Into<String>) -> Error {
        Error::at(at.place(self.file), what)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.pos..]
    }

    /// The next token, where it is, and the line on which it ends.
    pub(super) fn next(&mut self) -> Result<(Token<'a>, At)> {
        self.comments.clear();
        self.skip()?;
        let at = self.here();
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok((Token::End, at)) };
        let token = match first {
            'a'..='z' | 'A'..='Z' | '_' => Token::Word(self.word(rest)),
            '0'..='9' | '+' | '-' | '.' => return Ok((self.number(at)?, at)),
            '"' | '\'' => return Ok((Token::Text(self.literal(at, first)?), at)),
            '{' | '}' | '(' | ')' | '[' | ']' | '<' | '>' | ',' | ';' | ':' | '=' | '*' | '&' => {
                self.pos += 1;
                Token::Sign(first)
            }
            _ => return Err(self.error(at, format!("unexpected character {first:?}"))),
        };
        Ok((token, at))
    }

    fn word(&mut self, rest: &'a str) -> &'a str {
        let bytes = rest.as_bytes();
        let part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let mut end = 0;
        // A dot belongs to the word when the word goes on after it.
        while bytes.get(end).is_some_and(part) || bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(part)
        {
            end += 1;
        }
        self.pos += end;
        &rest[..end]
    }

    fn number(&mut self, at: At) -> Result<Token<'a>> {
        let rest = self.rest();
        let signed = usize::from(rest.starts_with(['+', '-']));
        if let Some(hex) = rest[signed..].strip_prefix("0x") {
            let digits = hex.bytes().take_while(u8::is_ascii_hexdigit).count();
            self.pos += signed + 2 + digits;
            let value = i64::from_str_radix(&hex[..digits], 16).map_err(|_| {
                self.error(at, format!("{} is no 64-bit hexadecimal number", short(&rest[..signed + 2 + digits])))
            })?;
            return Ok(Token::Int(if rest.starts_with('-') { -value } else { value }));
        }
        let bytes = rest.as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut end = signed + digits(signed);
        let mut whole = true;
        if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
            whole = false;
            end += 1 + digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) && end > signed {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits(end + 1 + sign);
            if exponent > 0 {
                whole = false;
                end += 1 + sign + exponent;
            }
        }
        self.pos += end;
        let text = &rest[..end];
        let known = if whole {
            text.parse().ok().map(Token::Int)
        } else {
            text.parse().ok().filter(|value: &f64| value.is_finite()).map(Token::Double)
        };
        known.ok_or_else(|| match end == signed {
            true => self.error(at, format!("unexpected character {:?}", &rest[..1])),
            false => self.error(at, format!("{} is beyond the range of numbers", short(text))),
        })
    }

    fn literal(&mut self, at: At, quote: char) -> Result<String> {
        let start = self.pos + 1;
        let bytes = self.text.as_bytes();
        let mut out = Vec::new();
        let mut pos = start;
        loop {
            match bytes.get(pos) {
                None => return Err(self.error(at, format!("the literal never ends: expected {quote}"))),
                Some(b'\n') => return Err(self.error(at, format!("the literal ends with its line: expected {quote}"))),
                Some(b'\\') => {
                    let escaped = match bytes.get(pos + 1) {
                        Some(b'r') => b'\r',
                        Some(b'n') => b'\n',
                        Some(b't') => b'\t',
                        Some(&byte @ (b'"' | b'\'' | b'\\')) => byte,
                        _ => {
                            self.pos = pos;
                            let here = self.here();
                            return Err(self.error(here, "expected one of \\r, \\n, \\t, \\\", \\' and \\\\"));
                        }
                    };
                    out.push(escaped);
                    pos += 2;
                }
                Some(&byte) if char::from(byte) == quote => break,
                Some(&byte) => {
                    out.push(byte);
                    pos += 1;
                }
            }
        }
        self.pos = pos + 1;
        // Only ASCII was taken out or put in.
        Ok(String::from_utf8_lossy(&out).into_owned())
    }

    /// Passes over white space and comments.
    fn skip(&mut self) -> Result<()> {
        loop {
            let rest = self.rest();
            self.pos += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n', '\u{c}', '\u{b}']).len();
            let rest = self.rest();
            let (style, marks) = match rest.as_bytes() {
                [b'/', b'*', b'*', b'/', ..] => (Style::Block, 2),
                [b'/', b'*', b'*', ..] => (Style::Doc, 3),
                [b'/', b'*', ..] => (Style::Block, 2),
                [b'/', b'/', ..] => (Style::Slashes, 2),
                [b'#', ..] => (Style::Hash, 1),
                _ => return Ok(()),
            };
            let start = self.here();
            let content = &rest[marks..];
            let (len, end) = match style {
                Style::Doc | Style::Block => match content.find("*/") {
                    Some(len) => (len, 2),
                    None => return Err(self.error(start, "the comment never ends: expected */")),
                },
                _ => (content.find('\n').unwrap_or(content.len()), 0),
            };
            self.pos += marks + len + end;
            let last_line = self.here().line;
            self.comments.push(Comment { style, text: &content[..len], first_line: start.line, last_line });
        }
    }
}
