//! Conditions of a request, and the part of a body that it asks for (RFC 9110, 13 and 14).

use std::time::SystemTime;

use http::header::{IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE, RANGE};
use http::{HeaderMap, HeaderName, StatusCode};

use crate::version::Body;

/// What the conditions of RFC 9110, 13, say, in their order: 304, 412, or nothing.
pub(crate) fn precondition(headers: &HeaderMap, body: &Body, modified: SystemTime) -> Option<StatusCode> {
    let etag = body.etag.as_bytes();
    if headers.contains_key(IF_MATCH) {
        if !etags(headers, &IF_MATCH).any(|asked| asked == b"*" || asked == etag) {
            return Some(StatusCode::PRECONDITION_FAILED);
        }
    } else if let Some(since) = time(headers, &IF_UNMODIFIED_SINCE)
        && modified > since
    {
        return Some(StatusCode::PRECONDITION_FAILED);
    }
    if headers.contains_key(IF_NONE_MATCH) {
        let is_known = has(headers, body) || etags(headers, &IF_NONE_MATCH).any(|asked| asked == b"*");
        return is_known.then_some(StatusCode::NOT_MODIFIED);
    }
    let since = time(headers, &IF_MODIFIED_SINCE)?;
    (modified <= since).then_some(StatusCode::NOT_MODIFIED)
}

/// Whether the client says that it has this body (`If-None-Match`, compared weakly).
pub(crate) fn has(headers: &HeaderMap, body: &Body) -> bool {
    let etag = body.etag.as_bytes();
    etags(headers, &IF_NONE_MATCH).any(|asked| asked.strip_prefix(b"W/").unwrap_or(asked) == etag)
}

/// The entity tags of a field. None of ours has a comma in it.
fn etags<'h>(headers: &'h HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'h [u8]> {
    headers.get_all(name).iter().flat_map(|value| value.as_bytes().split(|&byte| byte == b',')).map(<[u8]>::trim_ascii)
}

fn time(headers: &HeaderMap, name: &HeaderName) -> Option<SystemTime> {
    httpdate::parse_http_date(headers.get(name)?.to_str().ok()?).ok()
}

/// Which part of a body is asked for.
pub(crate) enum Part {
    All,
    Of(std::ops::Range<usize>),
    /// One that there is not.
    None,
}

/// One range of bytes (RFC 9110, 14). Several at once are answered with everything, as is what cannot be read.
pub(crate) fn part(headers: &HeaderMap, body: &Body, modified: SystemTime) -> Part {
    let Some(asked) = headers.get(RANGE).and_then(|value| value.to_str().ok()) else { return Part::All };
    if let Some(condition) = headers.get(IF_RANGE) {
        // A date is as good as a strong validator only if it is the very one.
        let is_current = condition.as_bytes() == body.etag.as_bytes() || time(headers, &IF_RANGE) == Some(modified);
        if !is_current {
            return Part::All;
        }
    }
    let len = body.bytes.len();
    match range(asked, len) {
        Some(range) if range.start < len => Part::Of(range),
        Some(_) => Part::None,
        None => Part::All,
    }
}

/// The bytes that a range names, of `len`. `None` when it cannot be read.
fn range(text: &str, len: usize) -> Option<std::ops::Range<usize>> {
    let (first, last) = text.strip_prefix("bytes=")?.split_once('-')?;
    let (first, last) = (first.trim(), last.trim());
    if first.is_empty() {
        return Some(len.saturating_sub(position(last)?)..len);
    }
    let first = position(first)?;
    let last = if last.is_empty() { usize::MAX } else { position(last)? };
    (first <= last).then(|| first..last.saturating_add(1).min(len))
}

/// A number, without a sign. One that is too large is after the end of every body.
fn position(text: &str) -> Option<usize> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(usize::MAX))
}
