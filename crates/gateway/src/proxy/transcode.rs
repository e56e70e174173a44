//! Messages that are converted on their way: the API speaks its own format, clients any.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, ACCEPT_RANGES, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH, RANGE,
    VARY,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use wirewise_core::{Arena, Kind, Limits, Losses, Schema};
use wirewise_formats::{Codec, FORMATS, Framing, Variant};

use super::bad_gateway;
use super::pass::{self, Passage};
use crate::bounds::{self, Bounds, Unread};
use crate::codings;
use crate::config::{self, Coding};
use crate::gateway::{Body, full};
use crate::ingest::whole;
use crate::media::{self, Content};
use crate::misfit::Misfit;
use crate::negotiate::{Accept, AcceptEncoding, MediaType, joined};
use crate::problem::Problem;
use crate::resource::SchemaFiles;
use crate::{Error, Result};

/// Bodies from this size on are converted on a thread that may take its time.
const LARGE: usize = 64 << 10;

/// Compressors for what is sent once: the fastest level of each.
const CODINGS: [&str; 3] = ["zstd:1", "gzip:1", "brotli:1"];

/// Bodies below this are not worth compressing.
const LEAST_COMPRESSED: usize = 512;

/// Arenas that are kept for the next messages; those that a burst needed beyond are given back.
const MOST_KEPT: usize = 8;

/// What a body's digest is (RFC 9530): it is of no other form of the message.
const CONTENT_DIGEST: HeaderName = HeaderName::from_static("content-digest");

/// Paths with one schema.
pub(super) struct Route {
    upstream: &'static Variant,
    /// What clients can ask for.
    offered: Vec<(MediaType, &'static Variant)>,
    request: Messages,
    response: Messages,
    codings: Vec<Coding>,
    bounds: Bounds,
    arenas: Mutex<Vec<Arena>>,
}

/// A type of messages, and the codecs for it that were needed so far.
struct Messages {
    one: Arc<Schema>,
    /// Lists of it, where it is none.
    many: Option<Arc<Schema>>,
    codecs: Vec<(&'static Variant, [Slot; 2])>,
}

/// A codec, once it was needed.
type Slot = OnceLock<Result<Box<dyn Codec>>>;

impl Messages {
    fn new(schema: Schema) -> Messages {
        let many =
            (!matches!(schema.kind(schema.root()), Kind::List(_) | Kind::Any)).then(|| Arc::new(schema.list_of()));
        let variants = FORMATS.iter().flat_map(|format| format.info().variants);
        let codecs = variants.map(|variant| (variant, Default::default())).collect();
        Messages { one: Arc::new(schema), many, codecs }
    }

    /// The codec for one message, or for a list of them.
    fn codec(&self, variant: &'static Variant, is_list: bool) -> Result<&dyn Codec> {
        let many = self.many.as_ref().filter(|_| is_list);
        let schema = many.unwrap_or(&self.one);
        let known = self.codecs.iter().find(|(known, _)| *known == variant);
        let (_, slots) = known.ok_or_else(|| Error::new(format!("{} is none of our formats", variant.id)))?;
        let made = slots[usize::from(many.is_some())].get_or_init(|| Ok(wirewise_formats::plan(variant.id, schema)?));
        made.as_deref().map_err(Clone::clone)
    }
}

impl Route {
    /// # Errors
    /// When the schema cannot be read, or the API's format not express it.
    pub(super) fn new(config: &config::Transcode, files: &dyn SchemaFiles, bounds: Bounds) -> Result<Route> {
        let upstream = match config.format {
            Some(name) => name.0,
            None => wirewise_formats::find("json")?.1,
        };
        let messages = |name: Option<&str>| {
            let schema = files.load(&config.schema, name)?;
            let missing = || Error::new(format!("{}: there is no such file", config.schema.display()));
            let messages = Messages::new(schema.ok_or_else(missing)?);
            messages.codec(upstream, false)?;
            Ok::<_, Error>(messages)
        };
        let response = messages(config.response.as_deref())?;
        let request = messages(config.request.as_deref().or(config.response.as_deref()))?;
        let codings = CODINGS.into_iter().map(Coding::by_name).collect::<Result<_, _>>().map_err(Error::new)?;
        Ok(Route { upstream, offered: offered(), request, response, codings, bounds, arenas: Mutex::default() })
    }

    /// The variant that a client wants: the first of equals.
    fn wanted(&self, headers: &HeaderMap) -> Result<&'static Variant, Problem> {
        let accept = Accept::parse(&joined(headers, &ACCEPT));
        let weighed = self.offered.iter().map(|(media, variant)| (accept.weight(media), *variant));
        let best = weighed.filter(|(weight, _)| *weight > 0).rev().max_by_key(|(weight, _)| *weight);
        best.map(|(_, variant)| variant).ok_or_else(|| {
            let mut known: Vec<_> = self.offered.iter().map(|(_, variant)| variant.media_type).collect();
            known.dedup();
            Problem::new(StatusCode::NOT_ACCEPTABLE, "none of the representations is acceptable")
                .with("available", known)
        })
    }

    /// Converts a message. Whether it is a list of messages is what its text begins with, and lines are one; others say by the
    /// type what they are.
    fn convert(
        &self,
        messages: &Messages,
        bytes: &[u8],
        from: Content,
        to: &'static Variant,
    ) -> Result<Vec<u8>, Misfit> {
        let (bytes, from) = (whole(bytes, from.framing), from.variant);
        let is_list = from.text && bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
        let limits = Limits { message_bytes: self.bounds.decoded.min(u32::MAX as usize), ..Limits::default() };
        let kept = self.arenas.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut arena = kept.unwrap_or_else(|| Arena::new(limits));
        let mut out = Vec::with_capacity(bytes.len() / 2);
        let done = (|| {
            let (from, to) = (messages.codec(from, is_list)?, messages.codec(to, is_list)?);
            let document = from.decode(&bytes, &mut arena, &mut Losses::none())?;
            Ok::<_, Misfit>(to.encode(&document, &mut out, &mut Losses::none())?)
        })();
        let mut kept = self.arenas.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < MOST_KEPT {
            kept.push(arena);
        }
        done.map(|()| out)
    }
}

/// Every name of every variant of one message, in the order in which they are preferred.
fn offered() -> Vec<(MediaType, &'static Variant)> {
    let mut offered = Vec::new();
    for info in FORMATS.iter().map(|format| format.info()) {
        for variant in info.variants.iter().filter(|variant| !variant.list_is_stream) {
            let names = [variant.media_type].into_iter().chain(info.media_types.iter().copied());
            // What is converted is one message, and no sequence of them.
            let is_own = |content: Content| content.variant == variant && content.framing == Framing::None;
            let names = names.filter(|name| media::content(name).is_some_and(is_own));
            offered.extend(names.filter_map(MediaType::parse).map(|media| (media, variant)));
        }
    }
    offered
}

/// Work that may take its time: on another thread when there is much of it.
async fn apart<T: Send + 'static>(size: usize, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
    if size < LARGE {
        return Ok(work());
    }
    let failed = |_| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "converting failed for an unknown reason");
    tokio::task::spawn_blocking(work).await.map_err(failed)
}

/// Sends a request on in the API's format, and the response back in the client's. What is in that already passes while it comes in.
pub(super) async fn handle(
    route: &Arc<Route>,
    passage: &Passage,
    request: Request<Incoming>,
) -> Result<Response<Body>, Problem> {
    let wanted = route.wanted(request.headers())?;
    let encodings = AcceptEncoding::parse(&joined(request.headers(), &ACCEPT_ENCODING));
    let (is_head, is_get) = (request.method() == Method::HEAD, request.method() == Method::GET);
    let is_converted = wanted != route.upstream;
    let mut request = incoming(route, request).await?;
    let headers = request.headers_mut();
    headers.insert(ACCEPT, HeaderValue::from_static(route.upstream.media_type));
    if is_converted {
        // A part of a message cannot be converted. What is converted has no tag: one that the client knows is not of that.
        headers.remove(RANGE);
        if is_get || is_head {
            headers.remove(IF_NONE_MATCH);
        }
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    }
    let mut response = passage.send(request).await?;
    let codings = codings::of(response.headers());
    let text = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let content = text.and_then(media::content).filter(|content| content.variant == route.upstream);
    if let Some(content) = content.filter(|_| is_converted && response.status().is_success()) {
        rename(response.headers_mut(), wanted);
        return match is_head {
            true => Ok(response.map(pass::body)),
            false => outgoing(route, response, content, codings, wanted, &encodings).await,
        };
    }
    // Caches must not take it for what another client wants.
    response.headers_mut().append(VARY, HeaderValue::from_static("Accept"));
    Ok(response.map(pass::body))
}

/// The request with its body in the API's format.
async fn incoming(
    route: &Arc<Route>,
    request: Request<Incoming>,
) -> Result<Request<http_body_util::combinators::BoxBody<Bytes, Error>>, Problem> {
    let text = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let Some(content) = text.as_deref().and_then(media::content) else { return Ok(pass::streamed(request)) };
    let codings = codings::of(request.headers());
    if content.variant == route.upstream && codings.is_empty() {
        return Ok(pass::streamed(request));
    }
    let (mut head, body) = request.into_parts();
    let bytes = route.bounds.read(body).await?;
    let shared = route.clone();
    let converted = apart(bytes.len(), move || {
        let bytes = shared.bounds.decode(&codings, bytes)?;
        shared.convert(&shared.request, &bytes, content, shared.upstream).map_err(Misfit::problem)
    });
    let bytes = converted.await??;
    head.headers.remove(CONTENT_ENCODING);
    head.headers.remove(CONTENT_DIGEST);
    head.headers.insert(CONTENT_TYPE, HeaderValue::from_static(route.upstream.media_type));
    head.headers.insert(CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    let body = Full::new(Bytes::from(bytes)).map_err(|never| match never {}).boxed();
    Ok(Request::from_parts(head, body))
}

/// What the head of a response says once it is converted, but for its length and coding.
fn rename(headers: &mut HeaderMap, wanted: &'static Variant) {
    for name in [CONTENT_ENCODING, CONTENT_LENGTH, ETAG, ACCEPT_RANGES, CONTENT_DIGEST] {
        headers.remove(name);
    }
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(wanted.media_type));
    headers.append(VARY, HeaderValue::from_static("Accept, Accept-Encoding"));
}

/// The response in the client's format.
async fn outgoing(
    route: &Arc<Route>,
    response: Response<Incoming>,
    content: Content,
    codings: Vec<String>,
    wanted: &'static Variant,
    encodings: &AcceptEncoding,
) -> Result<Response<Body>, Problem> {
    let (mut head, body) = response.into_parts();
    let most = route.bounds.decoded;
    let bytes = bounds::read(body, most).await.map_err(|error| {
        bad_gateway(&match error {
            Unread::TooLarge => {
                Error::new(format!("its response has more than {most} bytes")).hint("limits.decoded allows more")
            }
            Unread::BrokenOff(error) => Error::new(format!("its response breaks off: {error}")),
        })
    })?;
    let best = route.codings.iter().map(|coding| (encodings.weight(coding.token), coding));
    // The first of equals.
    let best =
        best.filter(|(weight, _)| *weight > 0).rev().max_by_key(|(weight, _)| *weight).map(|(_, coding)| *coding);
    let shared = route.clone();
    let converted = apart(bytes.len(), move || {
        let bytes = codings::decode(&codings, bytes, most).map_err(|error| Error::new(error.to_string()))?;
        let bytes = Bytes::from(shared.convert(&shared.response, &bytes, content, wanted)?);
        let Some(coding) = best.filter(|_| bytes.len() >= LEAST_COMPRESSED) else { return Ok((bytes, None)) };
        let mut out = Vec::new();
        coding.choice.compress(&bytes, &mut out).map_err(|error| Error::new(error.to_string()))?;
        Ok::<_, Error>((Bytes::from(out), Some(coding.token)))
    });
    let (bytes, coding) = converted
        .await?
        .map_err(|error| bad_gateway(&error.of(format!("its response cannot be written as {}", wanted.id))))?;
    if let Some(coding) = coding {
        head.headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    head.headers.insert(CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    Ok(Response::from_parts(head, full(bytes)))
}
