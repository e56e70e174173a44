//! Answering a GET or HEAD from a version: which body, whether the client has it already, which part of it.

use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, ACCEPT_RANGES, AGE, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE,
    CONTENT_TYPE, ETAG, IF_NONE_MATCH, LAST_MODIFIED, LINK, RANGE, VARY,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode};

use crate::conditions::{Part, has, is_known, part};
use crate::gateway::{Body, full};
use crate::negotiate::{Accept, AcceptEncoding, Memo, Question, joined};
use crate::problem::Problem;
use crate::telemetry::Tally;
use crate::version::{Hash, Representation, Version};

/// Says which version a client has as a dictionary (RFC 9842, 2.2).
pub const AVAILABLE_DICTIONARY: HeaderName = HeaderName::from_static("available-dictionary");

/// Says that a response can be used as one (RFC 9842, 2.1).
pub const USE_AS_DICTIONARY: HeaderName = HeaderName::from_static("use-as-dictionary");

/// Sent by browsers of Chromium's family, which take dictionaries, where they take them: in secure contexts.
const SEC_CH_UA: HeaderName = HeaderName::from_static("sec-ch-ua");

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
    /// What was chosen before.
    pub choices: Memo<Place>,
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

/// Where a choice lies in its version: the numbers of representation, name and body.
pub type Place = [usize; 3];

impl<'v> Chosen<'v> {
    fn at(version: &'v Version, [representation, name, body]: Place) -> Option<Chosen<'v>> {
        let representation = version.representations.get(representation)?;
        let (name, _) = representation.names.get(name)?;
        Some(Chosen { representation, name, body: representation.bodies.get(body)? })
    }

    fn place(&self, version: &Version) -> Option<Place> {
        let representation = version.representations.iter().position(|one| std::ptr::eq(one, self.representation))?;
        let name = self.representation.names.iter().position(|(name, _)| std::ptr::eq(name, self.name))?;
        let body = self.representation.bodies.iter().position(|body| std::ptr::eq(body, self.body))?;
        Some([representation, name, body])
    }
}

/// As [`choose`], but what was asked before is not worked out again. Browsers say that they take differences only once they
/// have a dictionary, which is too late for the first one; those that will say so are known by a field of theirs.
fn choose_again<'v>(version: &'v Version, page: &Page, headers: &HeaderMap) -> Result<Chosen<'v>, Problem> {
    let chosen = remembered(version, page, headers)?;
    if headers.contains_key(SEC_CH_UA) && !chosen.representation.is_wanted() {
        chosen.representation.want();
    }
    Ok(chosen)
}

fn remembered<'v>(version: &'v Version, page: &Page, headers: &HeaderMap) -> Result<Chosen<'v>, Problem> {
    if headers.contains_key(AVAILABLE_DICTIONARY) {
        return choose(version, headers, None);
    }
    let all = |name| headers.get_all(name).into_iter().map(HeaderValue::as_bytes);
    let question = Question::new(all(ACCEPT).chain([&b"\0"[..]]).chain(all(ACCEPT_ENCODING)));
    let known = question.as_ref().and_then(|question| page.choices.get(question));
    if let Some(chosen) = known.and_then(|place| Chosen::at(version, place)) {
        return Ok(chosen);
    }
    let chosen = choose(version, headers, None)?;
    if let Some((question, place)) = question.zip(chosen.place(version)) {
        page.choices.keep(&question, place);
    }
    Ok(chosen)
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

/// The hash in `Available-Dictionary`: a byte sequence of structured fields (RFC 9651).
fn dictionary(value: &HeaderValue) -> Option<Hash> {
    let text = value.to_str().ok()?.trim();
    let inner = text.strip_prefix(':')?.strip_suffix(':')?;
    STANDARD.decode(inner).ok()?.try_into().ok()
}

/// Another body of the same representation that the client has already, in a coding that it takes: whoever has got a difference has
/// what is served now, though now it would be sent otherwise.
fn known<'v>(chosen: &Chosen<'v>, headers: &HeaderMap) -> Option<&'v crate::version::Body> {
    if !headers.contains_key(IF_NONE_MATCH) || headers.contains_key(RANGE) || has(headers, &chosen.body.etag) {
        return None;
    }
    let codings = AcceptEncoding::parse(&joined(headers, &ACCEPT_ENCODING));
    let bodies = chosen.representation.bodies.iter().filter(|body| codings.weight(body.coding) > 0);
    let deltas = chosen.representation.deltas().iter().map(|delta| &delta.body);
    bodies.chain(deltas.filter(|body| codings.names(body.coding))).find(|body| has(headers, &body.etag))
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
    let mut chosen = match format {
        Some(_) => choose(version, headers, format)?,
        None => choose_again(version, page, headers)?,
    };
    if let Some(known) = known(&chosen, headers) {
        chosen.body = known;
    }
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
    if is_known(headers, &body.etag, Some(page.modified.1))? {
        page.tally.count(version, &chosen, 0, true);
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return Ok(response);
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
                let problem = Problem::new(StatusCode::RANGE_NOT_SATISFIABLE, "the range begins after the end");
                return Err(match HeaderValue::try_from(format!("bytes */{}", bytes.len())) {
                    Ok(whole) => problem.header(CONTENT_RANGE, whole),
                    Err(_) => problem,
                });
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
