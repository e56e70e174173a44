//! Conditions of a request, and the part of a body that it asks for (RFC 9110, 13 and 14).

use std::time::SystemTime;

use http::header::{IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE, RANGE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use crate::problem::Problem;
use crate::version::Body;

/// What the conditions of RFC 9110, 13, say, in their order: whether the client has what it asks for already (304). Without a
/// time of its last change, conditions on that are passed over.
///
/// # Errors
/// 412 where a precondition fails.
pub(crate) fn is_known(headers: &HeaderMap, etag: &HeaderValue, modified: Option<SystemTime>) -> Result<bool, Problem> {
    let is_since = |name: &HeaderName| Some(modified? > time(headers, name)?);
    let is_refused = match headers.contains_key(IF_MATCH) {
        true => !etags(headers, &IF_MATCH).any(|asked| asked == b"*" || asked == etag.as_bytes()),
        false => is_since(&IF_UNMODIFIED_SINCE) == Some(true),
    };
    if is_refused {
        let detail = "the representation is not what the condition names";
        return Err(Problem::new(StatusCode::PRECONDITION_FAILED, detail));
    }
    Ok(match headers.contains_key(IF_NONE_MATCH) {
        true => has(headers, etag) || etags(headers, &IF_NONE_MATCH).any(|asked| asked == b"*"),
        false => is_since(&IF_MODIFIED_SINCE) == Some(false),
    })
}

/// Whether the client says that it has what has this tag (`If-None-Match`, compared weakly).
pub(crate) fn has(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    etags(headers, &IF_NONE_MATCH).any(|asked| asked.strip_prefix(b"W/").unwrap_or(asked) == etag.as_bytes())
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
