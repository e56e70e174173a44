//! What there is, for those who use it: all resources as OpenAPI, and the schema of each in any language.

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, ETAG};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use wirewise_idl::{LANGUAGES, Module};

use crate::conditions::is_known;
use crate::gateway::{Body, full, only_read, query};
use crate::openapi;
use crate::problem::Problem;
use crate::resource::Resource;
use crate::version::{Version, hash, short};

/// What can be asked for.
///
/// # Errors
/// 405, and 412 where a precondition fails.
pub(crate) fn all<'r, B>(
    resources: impl Iterator<Item = &'r Resource>,
    has_auth: bool,
    request: &Request<B>,
) -> Result<Response<Body>, Problem> {
    only_read(request.method(), "GET, HEAD")?;
    let json = format!("{:#}\n", openapi::describe(resources, has_auth));
    answer(request, Bytes::from(json), "application/json", "no-cache")
}

/// What `GET /{resource}/schema` answers: the schema file, or the language that the query asks for. `shaped=1` asks for the
/// schema of what is on the wire of shaped representations.
///
/// # Errors
/// When the language is unknown or cannot say the schema; 405, and 412 where a precondition fails.
pub fn schema<B>(version: &Version, request: &Request<B>) -> Result<Response<Body>, Problem> {
    only_read(request.method(), "GET, HEAD")?;
    let schemas = &version.schemas;
    let language = query(request, "language");
    let (bytes, media_type) = match language.as_deref() {
        Some("client") => (schemas.client.clone(), "application/json"),
        language => {
            let schema = match query(request, "shaped").as_deref() {
                Some("1") => (**schemas.shaping.as_ref().map_or(&schemas.base, |shaping| shaping.shaped())).clone(),
                _ => schemas.file(),
            };
            written(&schema, language.unwrap_or("wirewise"))?
        }
    };
    // A response that was asked for by its version never changes.
    let is_pinned = query(request, "version").is_some_and(|asked| asked == schemas.id);
    let cache_control = if is_pinned { "public, max-age=31536000, immutable" } else { "no-cache" };
    answer(request, bytes, media_type, cache_control)
}

/// The answer to a GET or HEAD.
fn answer<B>(
    request: &Request<B>,
    bytes: Bytes,
    media_type: &'static str,
    cache_control: &'static str,
) -> Result<Response<Body>, Problem> {
    let etag = HeaderValue::try_from(format!("\"{}\"", short(&hash(&bytes)))).expect("base64 may stand in a header");
    let mut response = Response::new(full(Bytes::new()));
    let head = response.headers_mut();
    head.insert(CACHE_CONTROL, HeaderValue::from_static(cache_control));
    head.insert(ETAG, etag.clone());
    if is_known(request.headers(), &etag, None)? {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return Ok(response);
    }
    head.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    head.insert(CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    if request.method() != Method::HEAD {
        *response.body_mut() = full(bytes);
    }
    Ok(response)
}

fn written(schema: &wirewise_core::Schema, language: &str) -> Result<(Bytes, &'static str), Problem> {
    let names: Vec<_> = LANGUAGES.iter().map(|language| language.info().name).collect();
    let unknown = |_| {
        Problem::new(StatusCode::BAD_REQUEST, format!("there is no schema language {language:?}"))
            .with("available", names)
    };
    let found = wirewise_idl::find(language).map_err(unknown)?;
    let written = found.write(&Module::of(schema.clone())).map_err(|error| {
        Problem::new(StatusCode::NOT_ACCEPTABLE, format!("{} cannot say this schema: {error}", found.info().title))
    })?;
    let is_json = found.info().extensions.iter().any(|extension| extension.ends_with("json") || *extension == ".avsc");
    let media_type = match (found.info().binary, is_json) {
        (true, _) => "application/octet-stream",
        (_, true) => "application/json",
        _ => "text/plain; charset=utf-8",
    };
    Ok((Bytes::from(written.bytes), media_type))
}
