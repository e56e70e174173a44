//! Rows of a query as one message: a JSON array of objects, written straight into a buffer.

use std::collections::HashSet;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use wirewise_formats::Framing;

use super::{Data, Validator};
use crate::{Error, Result};

/// Rows that are being written.
pub(super) struct Rows {
    out: Vec<u8>,
    /// The names of the columns, for errors.
    names: Vec<String>,
    /// What comes before each value: `{"id":`, `,"name":`.
    heads: Vec<Vec<u8>>,
    count: usize,
    most_bytes: usize,
}

impl Rows {
    /// # Errors
    /// When two columns have one name, or there is none.
    pub(super) fn new<'a>(names: impl Iterator<Item = &'a str>, most_bytes: usize) -> Result<Rows> {
        let names: Vec<String> = names.map(str::to_owned).collect();
        let mut seen = HashSet::new();
        if let Some(twice) = names.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(Error::new(format!("the query has two columns {twice:?}")).hint("name them with `as`"));
        }
        if names.is_empty() {
            return Err(Error::new("the query has no columns").hint("it must be one that selects"));
        }
        let head = |(at, name): (usize, &String)| {
            let mut head = vec![if at == 0 { b'{' } else { b',' }];
            text(&mut head, name);
            head.push(b':');
            head
        };
        let heads = names.iter().enumerate().map(head).collect();
        Ok(Rows { out: vec![b'['], names, heads, count: 0, most_bytes })
    }

    /// Writes a row: each column by `value`.
    ///
    /// # Errors
    /// Its own, with row and column; and when there are more bytes than a message may have.
    pub(super) fn row(&mut self, mut value: impl FnMut(usize, &mut Vec<u8>) -> Result<()>) -> Result<()> {
        if self.count > 0 {
            self.out.push(b',');
        }
        self.count += 1;
        for (at, head) in self.heads.iter().enumerate() {
            self.out.extend_from_slice(head);
            value(at, &mut self.out)
                .map_err(|error| error.of(format!("row {}, column {:?}", self.count, self.names[at])))?;
            if self.out.len() > self.most_bytes {
                let what = format!("after {} rows the result has more than {} bytes", self.count, self.most_bytes);
                return Err(Error::new(what).hint("select less, or allow more: limits.memory is four times that"));
            }
        }
        self.out.push(b'}');
        Ok(())
    }

    pub(super) fn finish(mut self, validator: Option<Validator>) -> Result<Data> {
        self.out.push(b']');
        let (_, variant) = wirewise_formats::find("json")?;
        Ok(Data { bytes: Bytes::from(self.out), variant, framing: Framing::None, validator })
    }
}

/// A string.
pub(super) fn text(out: &mut Vec<u8>, text: &str) {
    serde_json::to_writer(out, text).expect("a buffer takes all text");
}

/// A value that is JSON itself.
pub(super) fn json(out: &mut Vec<u8>, text: &str) -> Result<()> {
    let _: serde::de::IgnoredAny = serde_json::from_str(text)
        .map_err(|error| Error::new(format!("it is declared as JSON, which its text is not: {error}")))?;
    out.extend_from_slice(text.as_bytes());
    Ok(())
}

/// Anything that is written as it is, between quotes.
pub(super) fn quoted(out: &mut Vec<u8>, value: impl fmt::Display) {
    use std::io::Write as _;
    write!(out, "\"{value}\"").expect("a buffer takes all text");
}

/// An integer.
pub(super) fn integer(out: &mut Vec<u8>, value: impl Into<i64>) {
    serde_json::to_writer(out, &value.into()).expect("a buffer takes all numbers");
}

/// A floating point number. It always has a fraction or an exponent, so that nobody takes it for an integer.
pub(super) fn float(out: &mut Vec<u8>, value: f64) -> Result<()> {
    finite(value)?;
    serde_json::to_writer(out, &value).expect("a buffer takes all numbers");
    Ok(())
}

/// One of half the width: its own shortest text.
pub(super) fn float32(out: &mut Vec<u8>, value: f32) -> Result<()> {
    finite(value.into())?;
    serde_json::to_writer(out, &value).expect("a buffer takes all numbers");
    Ok(())
}

fn finite(value: f64) -> Result<()> {
    if value.is_finite() {
        return Ok(());
    }
    let what = format!("the value is {value}, and JSON has no such number");
    Err(Error::new(what).hint("have the query say what to send instead, for example null"))
}

/// Bytes, as base64.
pub(super) fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'"');
    let start = out.len();
    // Four characters for each three bytes that were begun.
    out.resize(start + bytes.len().div_ceil(3) * 4, 0);
    let written = STANDARD.encode_slice(bytes, &mut out[start..]).expect("it has been made long enough");
    out.truncate(start + written);
    out.push(b'"');
}

/// Nothing.
pub(super) fn null(out: &mut Vec<u8>) {
    out.extend_from_slice(b"null");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_one_array() {
        let mut rows = Rows::new(["id", "a \"b\""].into_iter(), 1000).unwrap();
        for value in [5.0, 1e300, -0.0] {
            rows.row(|at, out| {
                if at == 0 {
                    return float(out, value);
                }
                bytes(out, b"ab");
                Ok(())
            })
            .unwrap();
        }
        let data = rows.finish(None).unwrap();
        let text = r#"[{"id":5.0,"a \"b\"":"YWI="},{"id":1e300,"a \"b\"":"YWI="},{"id":-0.0,"a \"b\"":"YWI="}]"#;
        assert_eq!(data.bytes, text.replace("1e300", "1e+300"));
        assert_eq!(Rows::new(["id"].into_iter(), 10).unwrap().finish(None).unwrap().bytes, "[]");
    }

    #[test]
    fn what_json_cannot_say_is_an_error() {
        let mut rows = Rows::new(["x"].into_iter(), 1000).unwrap();
        let error = rows.row(|_, out| float(out, f64::INFINITY)).unwrap_err().to_string();
        assert!(error.starts_with(r#"row 1, column "x": the value is inf"#), "{error}");
        let error = Rows::new(["x", "y", "x"].into_iter(), 1000).err().unwrap().to_string();
        assert!(error.contains(r#"two columns "x""#), "{error}");
    }

    #[test]
    fn results_are_bounded() {
        let mut rows = Rows::new(["x"].into_iter(), 20).unwrap();
        let mut add = || {
            rows.row(|_, out| {
                integer(out, 12345);
                Ok(())
            })
        };
        add().unwrap();
        assert!(add().unwrap_err().to_string().contains("more than 20 bytes"));
    }
}
