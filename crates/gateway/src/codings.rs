//! Content codings of bodies that come in: decompressed within a limit.

use std::fmt;

use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_ENCODING;
use wirewise_compress::Error;

/// The codings that are understood, as `Accept-Encoding` has them.
pub(crate) const SUPPORTED: &str = "zstd, br, gzip";

/// More than this is nothing but an attempt to keep us busy.
const MOST_CODINGS: usize = 3;

/// Why a body could not be decoded.
#[derive(Debug)]
pub(crate) enum Undecoded {
    /// It has a coding that is not supported.
    Unknown(String),
    /// It becomes larger than allowed.
    TooLarge,
    /// It is not what it says.
    Damaged(String),
}

impl fmt::Display for Undecoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undecoded::Unknown(coding) => write!(f, "the content coding {coding:?} is not supported"),
            Undecoded::TooLarge => f.write_str("it is too large once it is decompressed"),
            Undecoded::Damaged(what) => f.write_str(what),
        }
    }
}

/// The codings of a body, in the order in which they were applied.
pub(crate) fn of(headers: &HeaderMap) -> Vec<String> {
    let lists = headers.get_all(CONTENT_ENCODING).into_iter();
    let text = lists.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect::<Vec<_>>().join(",");
    text.split(',').map(|name| name.trim().to_ascii_lowercase()).filter(|name| !name.is_empty()).collect()
}

/// The body without its codings. Takes time: not on a thread that answers requests.
pub(crate) fn decode(codings: &[String], body: Bytes, most_bytes: usize) -> Result<Bytes, Undecoded> {
    if codings.len() > MOST_CODINGS {
        return Err(Undecoded::Unknown(codings.join(", ")));
    }
    let mut bytes = body;
    for coding in codings.iter().rev().filter(|coding| *coding != "identity") {
        let name = if coding == "x-gzip" { "gzip" } else { coding.as_str() };
        let compressor =
            wirewise_compress::by_content_encoding(name).ok_or_else(|| Undecoded::Unknown(coding.clone()))?;
        let mut out = Vec::new();
        compressor.decompress(&bytes, most_bytes, &mut out).map_err(|error| match error {
            Error::OutputLimit { .. } => Undecoded::TooLarge,
            error => Undecoded::Damaged(error.to_string()),
        })?;
        bytes = Bytes::from(out);
    }
    Ok(bytes)
}
