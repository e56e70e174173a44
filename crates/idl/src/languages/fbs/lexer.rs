//! Text to tokens, each with its place.

use std::sync::Arc;

use crate::{Error, Place, Result};

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token<'a> {
    /// A name or keyword.
    Identifier(&'a str),
    /// A number as it is written, with its sign; also `-inf`.
    Number(&'a str),
    /// The text that a string constant stands for.
    Text(String),
    /// Anything else that is one character.
    Sign(char),
    End,
}

impl Token<'_> {
    /// For messages.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Identifier(name) => format!("`{}`", shortened(name)),
            Token::Number(text) => format!("the number {}", shortened(text)),
            Token::Text(text) => format!("the string {:?}", shortened(text)),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the file".to_owned(),
        }
    }
}

/// The start of a text that may be of any length.
pub(super) fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// Takes tokens out of a text.
pub(super) struct Lexer<'a> {
    file: Arc<str>,
    text: &'a str,
    at: usize,
    line: u32,
    /// Characters of the line so far.
    column: u32,
    /// Documentation before the next token.
    doc: Vec<String>,
    /// Whether the next token is the first of its line.
    fresh: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(file: &Arc<str>, text: &'a str) -> Self {
        Lexer { file: file.clone(), text, at: 0, line: 1, column: 0, doc: Vec::new(), fresh: true }
    }

    /// Where the lexer is.
    pub(super) fn place(&self) -> Place {
        Place { file: self.file.clone(), line: self.line, column: self.column + 1 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        if c == '\n' {
            (self.line, self.column, self.fresh) = (self.line + 1, 0, true);
        } else {
            self.column += 1;
        }
        Some(c)
    }

    /// Skips bytes that are no line break.
    fn skip(&mut self, text: &str) {
        self.at += text.len();
        self.column += text.chars().count() as u32;
    }

    /// The next token, its place, and the documentation before it.
    pub(super) fn next(&mut self) -> Result<(Token<'a>, Place, Vec<String>)> {
        self.space()?;
        let place = self.place();
        let doc = std::mem::take(&mut self.doc);
        self.fresh = false;
        let rest = self.rest();
        let Some(first) = self.peek() else { return Ok((Token::End, place, doc)) };
        let second = rest[first.len_utf8()..].chars().next();
        let token = match first {
            'a'..='z' | 'A'..='Z' | '_' => {
                let word = prefix(rest, |c| c.is_ascii_alphanumeric() || c == '_');
                self.skip(word);
                Token::Identifier(word)
            }
            '0'..='9' => self.number(rest),
            '.' if second.is_some_and(|c| c.is_ascii_digit()) => self.number(rest),
            '+' | '-' if second.is_some_and(|c| c.is_ascii_alphanumeric() || c == '.') => self.number(rest),
            '"' | '\'' => Token::Text(self.string(first, &place)?),
            c if c.is_ascii_graphic() => {
                self.bump();
                Token::Sign(c)
            }
            c => return Err(Error::at(place, format!("found the character {c:?}, which has no meaning here"))),
        };
        Ok((token, place, doc))
    }

    fn number(&mut self, rest: &'a str) -> Token<'a> {
        let bytes = rest.as_bytes();
        let unsigned = rest.strip_prefix(['+', '-']).unwrap_or(rest);
        let hex = unsigned.starts_with("0x") || unsigned.starts_with("0X");
        let mut end = 1;
        while let Some(&byte) = bytes.get(end) {
            let before = bytes[end - 1].to_ascii_lowercase();
            let exponent = if hex { before == b'p' } else { before == b'e' };
            let goes_on = byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_';
            let sign = exponent && matches!(byte, b'+' | b'-');
            if !goes_on && !sign {
                break;
            }
            end += 1;
        }
        self.skip(&rest[..end]);
        Token::Number(&rest[..end])
    }

    /// Skips white space and comments; keeps documentation.
    fn space(&mut self) -> Result<()> {
        loop {
            let rest = self.rest();
            if rest.starts_with("///") && !rest.starts_with("////") {
                if !self.fresh {
                    let what = "found documentation behind other things, expected it on a line of its own";
                    return Err(Error::at(self.place(), what));
                }
                let line = &prefix(rest, |c| c != '\n' && c != '\r')[3..];
                self.doc.push(line.strip_prefix(' ').unwrap_or(line).to_owned());
                self.skip(&rest[..3 + line.len()]);
            } else if rest.starts_with("//") {
                self.skip(prefix(rest, |c| c != '\n'));
            } else if rest.starts_with("/*") {
                let place = self.place();
                self.skip("/*");
                while !self.rest().starts_with("*/") {
                    if self.bump().is_none() {
                        return Err(Error::at(place, "the comment that begins here has no end, expected `*/`"));
                    }
                }
                self.skip("*/");
            } else if self.peek().is_some_and(|c| matches!(c, ' ' | '\t' | '\r' | '\n')) {
                self.bump();
            } else {
                return Ok(());
            }
        }
    }

    /// A string constant, whose first quote is next.
    fn string(&mut self, quote: char, start: &Place) -> Result<String> {
        self.bump();
        let mut out = String::new();
        loop {
            let place = self.place();
            let open =
                || Error::at(start.clone(), format!("the string that begins here has no end, expected `{quote}`"));
            match self.bump().ok_or_else(open)? {
                c if c == quote => return Ok(out),
                '\n' | '\r' => return Err(open()),
                '\\' => out.push(self.escape(place)?),
                c => out.push(c),
            }
        }
    }

    fn escape(&mut self, place: Place) -> Result<char> {
        Ok(match self.bump() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some(c @ ('"' | '\'' | '\\' | '/')) => c,
            Some('x') => char::from_u32(self.hex(2, &place)?).unwrap_or_default(),
            Some('u') => {
                let mut code = self.hex(4, &place)?;
                if (0xD800..0xDC00).contains(&code) && self.rest().starts_with("\\u") {
                    self.skip("\\u");
                    let low = self.hex(4, &place)?;
                    code = (0x10000 + ((code - 0xD800) << 10)).wrapping_add(low.wrapping_sub(0xDC00));
                }
                let wrong = || Error::at(place, format!("found \\u{code:04x}, which is no character"));
                char::from_u32(code).ok_or_else(wrong)?
            }
            other => {
                let found =
                    other.map_or_else(|| "the end of the file".to_owned(), |c| format!("`\\{}`", c.escape_default()));
                return Err(Error::at(place, format!("found {found}, expected an escape such as `\\n` or `\\u00e9`")));
            }
        })
    }

    fn hex(&mut self, digits: usize, place: &Place) -> Result<u32> {
        let text = self.rest().get(..digits).filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let wrong = || Error::at(place.clone(), format!("found an escape without its {digits} hexadecimal digits"));
        let text = text.ok_or_else(wrong)?;
        self.skip(text);
        u32::from_str_radix(text, 16).map_err(|_| wrong())
    }
}

/// The longest start of a text that has such characters only.
fn prefix(text: &str, goes_on: impl Fn(char) -> bool) -> &str {
    &text[..text.find(|c| !goes_on(c)).unwrap_or(text.len())]
}
