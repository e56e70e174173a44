//! The body of a write: what it is, and the same in the variant that the sink takes.

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use wirewise_core::{Arena, Limits, Losses};
use wirewise_formats::{FORMATS, Variant};

use super::schemas::Prepared;
use crate::bounds::Bounds;
use crate::codings;
use crate::ingest::whole;
use crate::media::{self, Content};
use crate::misfit::Misfit;
use crate::problem::Problem;

/// Says which media types can be posted.
const ACCEPT_POST: HeaderName = HeaderName::from_static("accept-post");

/// What the head says of the body.
pub(super) struct Head {
    content: Content,
    codings: Vec<String>,
}

/// Reads the head.
///
/// # Errors
/// 415 with what is supported.
pub(super) fn head(headers: &HeaderMap) -> Result<Head, Problem> {
    let said = headers.get(CONTENT_TYPE).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let Some(content) = said.as_deref().and_then(media::content) else {
        let detail = match said {
            Some(said) => format!("the media type {said:?} is not supported"),
            None => "the request does not say which media type its body has: Content-Type is missing".to_owned(),
        };
        let known: Vec<&str> =
            FORMATS.iter().flat_map(|format| format.info().variants).map(|variant| variant.media_type).collect();
        let list = HeaderValue::try_from(known.join(", ")).expect("media types may stand in a header");
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail)
            .with("available", known)
            .header(ACCEPT_POST, list));
    };
    Ok(Head { content, codings: codings::of(headers) })
}

/// The message in another variant, and whether it is a list. Takes time: not on a thread that answers requests.
///
/// # Errors
/// 413, 415; 400 with place when it is not what it says, 422 when it does not fit the schema.
pub(super) fn transcode(
    head: &Head,
    body: Bytes,
    prepared: &Prepared,
    target: &'static Variant,
    bounds: &Bounds,
) -> Result<(Bytes, bool), Problem> {
    let bytes = bounds.decode(&head.codings, body)?;
    let most_bytes = bounds.decoded;
    // What is decoded takes more memory than its bytes, but not without bounds.
    let limits = Limits { message_bytes: most_bytes, memory_bytes: most_bytes.saturating_mul(8), ..Limits::default() };
    let content = head.content;
    let bytes = whole(&bytes, content.framing);
    let as_one = |is_list: bool| rewrite(prepared, content, &bytes, is_list, target, limits);
    // Whether it is a list shows in formats that say what their values are; in the others it is what the resource is, unless
    // the request says that it is a record.
    let usual = prepared.is_list() && !content.is_record;
    let (is_list, done) = match as_one(usual) {
        Err(first) if content.variant.schemaless && !content.is_record => match as_one(!usual) {
            Ok(bytes) => (!usual, Ok(bytes)),
            // Whoever came further was on the right way.
            Err(second) if second.offset() > first.offset() => (!usual, Err(second)),
            Err(_) => (usual, Err(first)),
        },
        done => (usual, done),
    };
    done.map(|bytes| (bytes, is_list)).map_err(|error| error.problem())
}

fn rewrite(
    prepared: &Prepared,
    content: Content,
    bytes: &[u8],
    is_list: bool,
    target: &'static Variant,
    limits: Limits,
) -> Result<Bytes, Misfit> {
    let codecs = prepared.codecs(content.variant, is_list, content.is_shaped, target).map_err(Misfit::Other)?;
    let mut arena = Arena::new(limits);
    let document = codecs.reader.decode(bytes, &mut arena, &mut Losses::none())?;
    let mut out = Vec::new();
    codecs.writer.encode(&document, &mut out, &mut Losses::none())?;
    Ok(Bytes::from(out))
}
