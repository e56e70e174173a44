//! Answering a GET or HEAD from a version: which body, whether the client has it already, which part of it.

use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, ACCEPT_RANGES, AGE, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE,
    CONTENT_TYPE, ETAG, IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE, LAST_MODIFIED, LINK,
    RANGE, VARY,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode};

use crate::gateway::{Body, full};
use crate::negotiate::{Accept, AcceptEncoding};
use crate::problem::Problem;
use crate::telemetry::Tally;
use crate::version::{Hash, Representation, Version};

/// Says which version a client has as a dictionary (RFC 9842, 2.2).
pub const AVAILABLE_DICTIONARY: HeaderName = HeaderName::from_static("available-dictionary");

/// Says that a response can be used as one (RFC 9842, 2.1).
pub const USE_AS_DICTIONARY: HeaderName = HeaderName::from_static("use-as-dictionary");

/// Says where the time went.
pub const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// What a response of a version has in its head whatever was asked.
pub struct Page {
    /// `Vary`.
    pub vary: HeaderValue,
    /// `Cache-Control`.
    pub cache_control: HeaderValue,
    /// `Link` to the schema.
    pub link: HeaderValue,
    /// `Last-Modified`, and its time in seconds.
    pub modified: (HeaderValue, SystemTime),
    /// `Use-As-Dictionary`, where versions are kept for it.
    pub dictionary: Option<HeaderValue>,
    /// Counts what is sent, and says how it came to be.
    pub tally: Tally,
}

/// What was asked for, as far as it chooses.
#[derive(Clone, Copy)]
pub struct Chosen<'v> {
    /// The representation.
    pub representation: &'v Representation,
    /// Its name as it was asked for.
    pub name: &'v HeaderValue,
    /// The body.
    pub body: &'v crate::version::Body,
}

/// Chooses a representation and a body of it.
///
/// # Errors
/// 406 with the list of what there is.
pub fn choose<'v>(version: &'v Version, headers: &HeaderMap, format: Option<&str>) -> Result<Chosen<'v>, Problem> {
    let (representation, name) = match format {
        Some(format) => by_id(version, format)?,
        None => by_accept(version, &Accept::parse(&joined(headers, &ACCEPT)))?,
    };
    let codings = AcceptEncoding::parse(&joined(headers, &ACCEPT_ENCODING));
    let best = representation
        .bodies
        .iter()
        .filter_map(|body| Some((codings.weight(body.coding), body)).filter(|(weight, _)| *weight > 0))
        .max_by_key(|(weight, body)| (*weight, std::cmp::Reverse(body.bytes.len())));
    let Some((_, mut body)) = best else {
        let known: Vec<_> = representation.bodies.iter().map(|body| body.coding).collect();
        return Err(Problem::new(StatusCode::NOT_ACCEPTABLE, "none of the content codings is acceptable")
            .with("available", known));
    };
    if codings.names("dcz") || codings.names("dcb") {
        representation.want();
        if let Some(dictionary) = headers.get(AVAILABLE_DICTIONARY).and_then(dictionary) {
            let usable = representation
                .deltas()
                .iter()
                .filter(|delta| delta.dictionary == dictionary && codings.names(delta.body.coding));
            if let Some(delta) = usable.min_by_key(|delta| delta.body.bytes.len()) {
                body = &delta.body;
            }
        }
    }
    Ok(Chosen { representation, name, body })
}

fn by_accept<'v>(version: &'v Version, accept: &Accept) -> Result<(&'v Representation, &'v HeaderValue), Problem> {
    let mut best: Option<(u16, &Representation, &HeaderValue)> = None;
    for representation in &version.representations {
        for (name, media) in &representation.names {
            let weight = accept.weight(media);
            // The first of equals: representations and names are in the order in which they are preferred.
            if weight > best.map_or(0, |(best, ..)| best) {
                best = Some((weight, representation, name));
            }
        }
    }
    best.map(|(_, representation, name)| (representation, name)).ok_or_else(|| {
        let names = version.representations.iter().filter_map(|representation| representation.names.first());
        let known: Vec<_> = names.filter_map(|(name, _)| name.to_str().ok()).collect();
        Problem::new(StatusCode::NOT_ACCEPTABLE, "none of the representations is acceptable").with("available", known)
    })
}

/// By the id of its variant, with ` shaped` after it for the one with shapes.
fn by_id<'v>(version: &'v Version, id: &str) -> Result<(&'v Representation, &'v HeaderValue), Problem> {
    let (id, is_shaped) = id.strip_suffix(" shaped").map_or((id, false), |id| (id, true));
    let variant = wirewise_formats::find(id).map(|(_, variant)| variant).ok();
    let found = version
        .representations
        .iter()
        .find(|representation| variant == Some(representation.variant) && representation.is_shaped == is_shaped);
    found.and_then(|found| Some((found, &found.names.first()?.0))).ok_or_else(|| {
        let known = version.representations.iter();
        let known: Vec<_> = known
            .map(|known| format!("{}{}", known.variant.id, if known.is_shaped { " shaped" } else { "" }))
            .collect();
        Problem::new(StatusCode::NOT_ACCEPTABLE, format!("there is no format {id:?}")).with("available", known)
    })
}

/// All fields of this name as one list.
fn joined(headers: &HeaderMap, name: &HeaderName) -> String {
    let values: Vec<_> = headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
    values.join(",")
}

/// The hash in `Available-Dictionary`: a byte sequence of structured fields (RFC 9651).
fn dictionary(value: &HeaderValue) -> Option<Hash> {
    let text = value.to_str().ok()?.trim();
    let inner = text.strip_prefix(':')?.strip_suffix(':')?;
    STANDARD.decode(inner).ok()?.try_into().ok()
}

/// The response to a GET or HEAD.
///
/// `age` is for how long the data could not be refreshed.
///
/// # Errors
/// As [`choose`]; 412 where a precondition fails.
pub fn respond(
    version: &Version,
    page: &Page,
    method: &Method,
    headers: &HeaderMap,
    format: Option<&str>,
    age: Option<Duration>,
) -> Result<Response<Body>, Problem> {
    let chosen = choose(version, headers, format)?;
    let body = chosen.body;
    let mut response = Response::new(full(Bytes::new()));
    let head = response.headers_mut();
    head.reserve(16);
    head.insert(VARY, page.vary.clone());
    head.insert(CACHE_CONTROL, page.cache_control.clone());
    head.insert(ETAG, body.etag.clone());
    head.insert(LAST_MODIFIED, page.modified.0.clone());
    if let Some(age) = age {
        head.insert(AGE, HeaderValue::from(age.as_secs()));
    }
    match precondition(headers, body, page.modified.1) {
        Some(StatusCode::PRECONDITION_FAILED) => {
            return Err(Problem::new(
                StatusCode::PRECONDITION_FAILED,
                "the representation is not what the condition names",
            ));
        }
        Some(status) => {
            page.tally.count(version, &chosen, 0, true);
            *response.status_mut() = status;
            return Ok(response);
        }
        None => {}
    }
    head.insert(CONTENT_TYPE, chosen.name.clone());
    head.insert(LINK, page.link.clone());
    head.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    if body.coding != "identity" {
        head.insert(CONTENT_ENCODING, HeaderValue::from_static(body.coding));
    }
    if let Some(dictionary) = &page.dictionary {
        head.insert(USE_AS_DICTIONARY, dictionary.clone());
    }
    if let Some(timing) = page.tally.timing(version, &chosen) {
        head.insert(SERVER_TIMING, timing);
    }
    let mut bytes = body.bytes.clone();
    if method == Method::GET {
        match part(headers, body, page.modified.1) {
            Part::All => {}
            Part::None => {
                let whole = HeaderValue::try_from(format!("bytes */{}", bytes.len()));
                let problem = Problem::new(StatusCode::RANGE_NOT_SATISFIABLE, "the range begins after the end");
                return Err(whole.map_or(problem, |whole| {
                    Problem::new(StatusCode::RANGE_NOT_SATISFIABLE, "the range begins after the end")
                        .header(CONTENT_RANGE, whole)
                }));
            }
            Part::Of(range) => {
                let text = format!("bytes {}-{}/{}", range.start, range.end - 1, bytes.len());
                if let Ok(text) = HeaderValue::try_from(text) {
                    head.insert(CONTENT_RANGE, text);
                }
                bytes = bytes.slice(range);
                *response.status_mut() = StatusCode::PARTIAL_CONTENT;
            }
        }
    }
    let head = response.headers_mut();
    head.insert(CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    if method != Method::HEAD {
        page.tally.count(version, &chosen, bytes.len(), bytes.len() == body.bytes.len());
        *response.body_mut() = full(bytes);
    }
    Ok(response)
}

/// What the conditions of RFC 9110, 13, say, in their order: 304, 412, or nothing.
fn precondition(headers: &HeaderMap, body: &crate::version::Body, modified: SystemTime) -> Option<StatusCode> {
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
        let is_weakly = |asked: &[u8]| asked == b"*" || asked.strip_prefix(b"W/").unwrap_or(asked) == etag;
        return etags(headers, &IF_NONE_MATCH).any(is_weakly).then_some(StatusCode::NOT_MODIFIED);
    }
    let since = time(headers, &IF_MODIFIED_SINCE)?;
    (modified <= since).then_some(StatusCode::NOT_MODIFIED)
}

/// The entity tags of a field. None of ours has a comma in it.
fn etags<'h>(headers: &'h HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'h [u8]> {
    headers.get_all(name).iter().flat_map(|value| value.as_bytes().split(|&byte| byte == b',')).map(<[u8]>::trim_ascii)
}

fn time(headers: &HeaderMap, name: &HeaderName) -> Option<SystemTime> {
    httpdate::parse_http_date(headers.get(name)?.to_str().ok()?).ok()
}

/// Which part of a body is asked for.
enum Part {
    All,
    Of(std::ops::Range<usize>),
    /// One that there is not.
    None,
}

/// One range of bytes (RFC 9110, 14). Several at once are answered with everything, as is what cannot be read.
fn part(headers: &HeaderMap, body: &crate::version::Body, modified: SystemTime) -> Part {
    let Some(asked) = headers.get(RANGE).and_then(|value| value.to_str().ok()) else { return Part::All };
    if let Some(condition) = headers.get(IF_RANGE) {
        // A date is as good as a strong validator only if it is the very one.
        let is_current = condition.as_bytes() == body.etag.as_bytes() || time(headers, &IF_RANGE) == Some(modified);
        if !is_current {
            return Part::All;
        }
    }
    let len = body.bytes.len();
    let Some(range) = asked.strip_prefix("bytes=") else { return Part::All };
    let Some((first, last)) = range.split_once('-').filter(|_| !range.contains(',')) else { return Part::All };
    let number = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse::<usize>().unwrap_or(usize::MAX))
    };
    match (number(first.trim()), number(last.trim())) {
        (Some(first), last) if first < len && last.is_none_or(|last| last >= first) => {
            if !range.split('-').nth(1).is_some_and(str::is_empty) && last.is_none() {
                return Part::All;
            }
            Part::Of(first..last.map_or(len, |last| last.saturating_add(1).min(len)))
        }
        (Some(first), last) if first >= len && last.is_none_or(|last| last >= first) => Part::None,
        (None, Some(0)) if first.trim().is_empty() => Part::None,
        (None, Some(count)) if first.trim().is_empty() && len > 0 => Part::Of(len.saturating_sub(count)..len),
        (None, Some(_)) if first.trim().is_empty() => Part::None,
        _ => Part::All,
    }
}
