//! Words, numbers, strings and signs; and which comment belongs to what.

use crate::{Error, Result};

use super::ast::At;
use super::place::Lines;

/// A token, with its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind<'a>,
    pub(super) at: At,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind<'a> {
    Word(&'a str),
    Int(u64),
    /// An integer that does not fit 64 bits counts as one, too.
    Float(f64),
    /// What the string says, without quotes and escapes.
    Text(Vec<u8>),
    Sign(char),
    End,
}

impl std::fmt::Display for Kind<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Kind::Word(word) => write!(f, "{:?}", short(word)),
            Kind::Int(value) => write!(f, "{value}"),
            Kind::Float(value) => write!(f, "{value}"),
            Kind::Text(_) => f.write_str("a string"),
            Kind::Sign(sign) => write!(f, "{:?}", sign.to_string()),
            Kind::End => f.write_str("the end of the file"),
        }
    }
}

/// The start of a word that may be very long.
pub(super) fn short(word: &str) -> &str {
    word.char_indices().nth(60).map_or(word, |(end, _)| &word[..end])
}

/// The comments between two tokens.
#[derive(Debug, Default)]
pub(super) struct Gap {
    /// Belongs to what ends before.
    pub(super) trailing: Option<String>,
    /// Belongs to what follows.
    pub(super) leading: Option<String>,
}

/// The longest name that is taken: what is made of names must not grow beyond measure.
pub(super) const LONGEST_WORD: usize = 512;

pub(super) struct Lexer<'a> {
    text: &'a str,
    lines: &'a Lines,
    pos: usize,
    /// The comments before the token that was read last.
    pub(super) gap: Gap,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str, lines: &'a Lines) -> Lexer<'a> {
        Lexer { text, lines, pos: 0, gap: Gap::default() }
    }

    pub(super) fn error(&self, at: At, what: impl Into<String>) -> Error {
        Error::at(self.lines.place(at), what)
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    fn rest(&self) -> &'a str {
        &self.text[self.pos..]
    }

    /// The next token, after its comments.
    pub(super) fn next(&mut self) -> Result<Token<'a>> {
        self.gap()?;
        let at = self.pos;
        let kind = match self.byte() {
            None => Kind::End,
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => {
                let word = self.take_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                if word.len() > LONGEST_WORD {
                    return Err(self.error(at, format!("the name {}... is longer than {LONGEST_WORD}", short(word))));
                }
                Kind::Word(word)
            }
            Some(b'0'..=b'9') => self.number()?,
            Some(b'.') if self.rest().as_bytes().get(1).is_some_and(u8::is_ascii_digit) => self.number()?,
            Some(quote @ (b'"' | b'\'')) => Kind::Text(self.string(quote)?),
            Some(_) => {
                let sign = self.rest().chars().next().unwrap_or_default();
                if !sign.is_ascii_graphic() {
                    return Err(self.error(at, format!("the character {sign:?} has no meaning here")));
                }
                self.pos += sign.len_utf8();
                Kind::Sign(sign)
            }
        };
        Ok(Token { kind, at })
    }

    fn take_while(&mut self, part: impl Fn(u8) -> bool) -> &'a str {
        let len = self.rest().bytes().position(|byte| !part(byte)).unwrap_or(self.rest().len());
        let taken = &self.rest()[..len];
        self.pos += len;
        taken
    }

    fn number(&mut self) -> Result<Kind<'a>> {
        let at = self.pos;
        let hex = self.rest().starts_with("0x") || self.rest().starts_with("0X");
        let mut before = b'0';
        let text = {
            let bytes = self.rest().bytes();
            let len = bytes.take_while(|&byte| {
                let exponent = !hex && matches!(before, b'e' | b'E') && matches!(byte, b'+' | b'-');
                before = byte;
                byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' || exponent
            });
            let len = len.count();
            &self.rest()[..len]
        };
        self.pos += text.len();
        let wrong = || self.error(at, format!("{:?} is not a number", short(text)));
        if text.len() > LONGEST_WORD {
            return Err(wrong());
        }
        let (digits, radix) = match text.as_bytes() {
            [b'0', b'x' | b'X', ..] => (&text[2..], 16),
            [b'0', _, ..] if !text.contains(['.', 'e', 'E', 'f', 'F']) => (&text[1..], 8),
            _ => (text, 10),
        };
        if digits.bytes().all(|byte| (byte as char).is_digit(radix)) && !digits.is_empty() {
            return match u64::from_str_radix(digits, radix) {
                Ok(value) => Ok(Kind::Int(value)),
                Err(_) if radix == 10 => Ok(Kind::Float(digits.parse().map_err(|_| wrong())?)),
                Err(_) => Err(self.error(at, format!("the number {text} does not fit 64 bits"))),
            };
        }
        // Text format, which the values of options are in, allows an `f` at the end.
        let float = text.strip_suffix(['f', 'F']).unwrap_or(text);
        let plain = float.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte));
        float.parse().ok().filter(|_| plain && radix == 10).map(Kind::Float).ok_or_else(wrong)
    }

    fn string(&mut self, quote: u8) -> Result<Vec<u8>> {
        let start = self.pos;
        self.pos += 1;
        let mut out = Vec::new();
        loop {
            let plain = self.take_while(|byte| byte != quote && byte != b'\\' && byte != b'\n');
            out.extend_from_slice(plain.as_bytes());
            match self.byte() {
                Some(b'\\') => self.escape(&mut out)?,
                Some(byte) if byte == quote => {
                    self.pos += 1;
                    return Ok(out);
                }
                _ => {
                    let what = format!("the string has no end, expected {:?} on the same line", quote as char);
                    return Err(self.error(start, what));
                }
            }
        }
    }

    fn escape(&mut self, out: &mut Vec<u8>) -> Result<()> {
        let at = self.pos;
        let rest = &self.text.as_bytes()[at + 1..];
        let digits = |from: usize, most: usize, radix: u32| {
            let digits = rest[from..].iter().take(most).take_while(|&&byte| (byte as char).is_digit(radix));
            let (len, value) = digits.fold((0, 0u32), |(len, value), &byte| {
                (len + 1, value * radix + (byte as char).to_digit(radix).unwrap_or_default())
            });
            (len > 0).then_some((from + len, value))
        };
        let simple = |byte: u8| Some((1, u32::from(byte)));
        let (first, mut unicode) = (rest.first().copied(), false);
        let escape = match first {
            Some(b'n') => simple(b'\n'),
            Some(b't') => simple(b'\t'),
            Some(b'r') => simple(b'\r'),
            Some(b'a') => simple(7),
            Some(b'b') => simple(8),
            Some(b'f') => simple(12),
            Some(b'v') => simple(11),
            Some(byte @ (b'\\' | b'\'' | b'"' | b'?')) => simple(byte),
            Some(b'0'..=b'7') => digits(0, 3, 8).filter(|&(_, value)| value < 256),
            Some(b'x' | b'X') => digits(1, 2, 16),
            Some(b'u' | b'U') => {
                unicode = true;
                let count = if first == Some(b'u') { 4 } else { 8 };
                digits(1, count, 16).filter(|&(len, _)| len == count + 1)
            }
            _ => None,
        };
        let character = escape.and_then(|(_, value)| char::from_u32(value));
        match (escape, character) {
            (Some((len, _)), Some(c)) if unicode => {
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                self.pos = at + 1 + len;
            }
            (Some((len, value)), _) if !unicode => {
                out.push(value as u8);
                self.pos = at + 1 + len;
            }
            _ => return Err(self.error(at, "the escape is not valid").hint("write a backslash as \\\\")),
        }
        Ok(())
    }

    /// Reads white space and comments, and decides which comment belongs to what: one that begins on the line of the
    /// token before, or directly below it with a blank line after itself, belongs to that; one directly above the next
    /// token belongs to that; others to nothing.
    fn gap(&mut self) -> Result<()> {
        self.gap = Gap::default();
        let first_in_file = self.pos == 0;
        // Line breaks since the token before, or since the last comment.
        let mut breaks = if first_in_file { 2 } else { 0 };
        let mut block: Option<Block> = None;
        let mut first = true;
        loop {
            match self.byte() {
                Some(b'\n') => {
                    breaks += 1;
                    self.pos += 1;
                }
                Some(b' ' | b'\t' | b'\r' | 0x0B | 0x0C) => self.pos += 1,
                Some(b'/') if self.rest().starts_with("//") => {
                    let line = self.take_while(|byte| byte != b'\n');
                    let line = line.strip_suffix('\r').unwrap_or(line).trim_start_matches('/');
                    match &mut block {
                        // Comments on lines of their own that follow each other are one, but not what stands behind
                        // something.
                        Some(open) if open.line && breaks == 1 && !open.same_line => {
                            open.text.push('\n');
                            open.text.push_str(line.strip_prefix(' ').unwrap_or(line));
                        }
                        _ => {
                            self.settle(&mut block, breaks, &mut first, false);
                            let text = line.strip_prefix(' ').unwrap_or(line).to_owned();
                            block = Some(Block { text, line: true, breaks, same_line: breaks == 0 });
                        }
                    }
                    breaks = 0;
                }
                Some(b'/') if self.rest().starts_with("/*") => {
                    let at = self.pos;
                    let Some(len) = self.rest()[2..].find("*/") else {
                        return Err(self.error(at, "the comment has no end, expected \"*/\""));
                    };
                    self.settle(&mut block, breaks, &mut first, false);
                    let text = plain_block(&self.rest()[2..2 + len]);
                    self.pos += len + 4;
                    block = Some(Block { text, line: false, breaks, same_line: breaks == 0 });
                    breaks = 0;
                }
                other => {
                    // Nothing is about the end of a scope.
                    let ends = matches!(other, Some(b'}' | b']' | b')') | None);
                    self.settle(&mut block, breaks, &mut first, !ends);
                    return Ok(());
                }
            }
        }
    }

    /// Gives a finished comment to what it belongs to. `breaks` follow it, and then the next token if `next`.
    fn settle(&mut self, block: &mut Option<Block>, breaks: usize, first: &mut bool, next: bool) {
        let Some(block) = block.take() else { return };
        let is_first = std::mem::replace(first, false);
        let text = block.text.trim_end().trim_start_matches('\n').to_owned();
        let text = Some(text).filter(|text| !text.is_empty());
        // Behind something, with the rest of the line empty; or between two tokens on one line, which belongs to the next.
        if next && breaks <= 1 && !(block.same_line && breaks == 1) {
            self.gap.leading = text;
        } else if is_first && block.breaks <= 1 {
            self.gap.trailing = text;
        }
    }
}

/// A comment that is being read.
struct Block {
    text: String,
    /// Whether it consists of `//` lines.
    line: bool,
    /// Line breaks before it.
    breaks: usize,
    same_line: bool,
}

/// The text of a `/* */` comment without the asterisks that its lines begin with.
fn plain_block(text: &str) -> String {
    let text = text.strip_prefix('*').unwrap_or(text);
    let lines = text.lines().enumerate().map(|(i, line)| {
        let line = line.trim_end();
        if i == 0 {
            return line.trim_start();
        }
        let bare = line.trim_start();
        match bare.strip_prefix('*') {
            Some(rest) => rest.strip_prefix(' ').unwrap_or(rest),
            None => bare,
        }
    });
    lines.collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned()
}
