//! What a resource is, for those who use it: its schema in any language.

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use wirewise_idl::{LANGUAGES, Module};

use crate::gateway::{Body, full, not_allowed, query};
use crate::problem::Problem;
use crate::resource::Parts;
use crate::version::{Version, hash, short};

/// What `GET /{resource}/schema` answers: the schema file, or the language that the query asks for. `shaped=1` asks for the
/// schema of what is on the wire of shaped representations.
///
/// # Errors
/// When the language is unknown or cannot say the schema.
pub fn schema<B>(version: &Version, request: &Request<B>, parts: &Parts) -> Result<Response<Body>, Problem> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(not_allowed(request.method(), "GET, HEAD"));
    }
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
    let etag = HeaderValue::try_from(format!("\"{}\"", short(&hash(&bytes)))).expect("base64 may stand in a header");
    let mut response = Response::new(full(Bytes::new()));
    let head = response.headers_mut();
    // A response that was asked for by its version never changes.
    let is_pinned = query(request, "version").is_some_and(|asked| asked == schemas.id);
    head.insert(
        CACHE_CONTROL,
        match is_pinned {
            true => HeaderValue::from_static("public, max-age=31536000, immutable"),
            false => HeaderValue::from_static("no-cache"),
        },
    );
    head.insert(ETAG, etag.clone());
    if request.headers().get(IF_NONE_MATCH).is_some_and(|asked| *asked == etag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return Ok(response);
    }
    head.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    head.insert(CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    if request.method() != Method::HEAD {
        *response.body_mut() = full(bytes);
    }
    tracing::debug!(resource = parts.name, "schema");
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
