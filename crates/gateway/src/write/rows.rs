//! Rows of a JSON array, one at a time.

use std::fmt;

use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderValue, Response, StatusCode};
use serde::de::{DeserializeSeed, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::Posted;
use crate::gateway::{Body, full};
use crate::problem::Problem;

/// The record of a row.
pub(super) type Row = Map<String, Value>;

/// Hands on each row of what was posted, with its place.
///
/// # Errors
/// Those of `take`.
pub(super) fn each(posted: &Posted, mut take: impl FnMut(usize, Row) -> Result<(), Problem>) -> Result<(), Problem> {
    // We have written it ourselves.
    let odd = |error: serde_json::Error| {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, format!("the rows cannot be taken apart: {error}"))
    };
    if !posted.is_list {
        return take(0, serde_json::from_slice(&posted.bytes).map_err(odd)?);
    }
    let mut problem = None;
    let mut reader = serde_json::Deserializer::from_slice(&posted.bytes);
    let done = Rows { take: &mut take, problem: &mut problem }.deserialize(&mut reader);
    match problem {
        Some(problem) => Err(problem),
        None => done.map_err(odd),
    }
}

struct Rows<'a, F> {
    take: &'a mut F,
    problem: &'a mut Option<Problem>,
}

impl<'de, F: FnMut(usize, Row) -> Result<(), Problem>> DeserializeSeed<'de> for Rows<'_, F> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, F: FnMut(usize, Row) -> Result<(), Problem>> Visitor<'de> for Rows<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of records")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<(), A::Error> {
        let mut at = 0;
        while let Some(row) = rows.next_element()? {
            if let Err(problem) = (self.take)(at, row) {
                *self.problem = Some(problem);
                return Err(serde::de::Error::custom("stopped"));
            }
            at += 1;
        }
        Ok(())
    }
}

/// The path of a row.
pub(super) fn path(posted: &Posted, at: usize) -> String {
    if posted.is_list { format!("$[{at}]") } else { "$".to_owned() }
}

/// 201.
pub(super) fn inserted(count: u64) -> Response<Body> {
    let text = bytes::Bytes::from(format!("{{\"inserted\": {count}}}\n"));
    let length = text.len();
    let mut response = Response::new(full(text));
    *response.status_mut() = StatusCode::CREATED;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
