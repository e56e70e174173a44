//! The least that a server in Rust does: an axum handler that returns bytes it holds.
//!
//! `bare ADDRESS FOLDER` serves each file `NAME.gz` of the folder at `/NAME`, which it is with gzip. The fields of the response are
//! the lines of `NAME.head`. If-None-Match is answered with 304.

use std::collections::HashMap;
use std::path::Path as File;
use std::sync::Arc;

use anyhow::Context as _;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH, LAST_MODIFIED, VARY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use axum::routing::get;

type Files = Arc<HashMap<String, Answer>>;

/// What is answered for a file.
struct Answer {
    body: Bytes,
    head: Vec<(HeaderName, HeaderValue)>,
    etag: HeaderValue,
}

/// The fields that a 304 has (RFC 9110, 15.4.5), and the one for safety.
const OF_304: [HeaderName; 5] = [CACHE_CONTROL, ETAG, LAST_MODIFIED, VARY, X_CONTENT_TYPE_OPTIONS];

impl Answer {
    fn read(path: &File) -> anyhow::Result<Answer> {
        let text = std::fs::read_to_string(path.with_extension("head"))?;
        let head = text
            .lines()
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| Ok((name.parse::<HeaderName>()?, value.parse::<HeaderValue>()?)));
        let head = head.collect::<anyhow::Result<Vec<_>>>()?;
        let (_, etag) = head.iter().find(|(name, _)| name == ETAG).context("there is no ETag")?.clone();
        Ok(Answer { body: Bytes::from(std::fs::read(path)?), head, etag })
    }
}

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(address), Some(folder)) = (arguments.next(), arguments.next()) else {
        anyhow::bail!("usage: bare ADDRESS FOLDER")
    };
    let mut files = HashMap::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if let (Some("gz"), Some(name)) = (path.extension().and_then(|name| name.to_str()), path.file_stem()) {
            files.insert(name.to_string_lossy().into_owned(), Answer::read(&path)?);
        }
    }
    let app = Router::new().route("/{name}", get(file)).with_state(Files::new(files));
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let listener = tokio::net::TcpListener::bind(address).await?;
        axum::serve(listener, app).await?;
        Ok(())
    })
}

async fn file(State(files): State<Files>, Path(name): Path<String>, headers: HeaderMap) -> Response<Body> {
    let Some(answer) = files.get(&name) else {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_FOUND;
        return response;
    };
    let is_known = headers.get(IF_NONE_MATCH) == Some(&answer.etag);
    let mut response = Response::new(if is_known { Body::empty() } else { Body::from(answer.body.clone()) });
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let fields = answer.head.iter().filter(|(name, _)| !is_known || OF_304.contains(name));
    response.headers_mut().reserve(16);
    response.headers_mut().extend(fields.cloned());
    response
}
