//! The least that a server in Rust does: an axum handler that returns bytes it holds.
//!
//! `bare ADDRESS FOLDER` serves each file of the folder at `/NAME` with the media type and the ETag that our gateway would
//! give it; `NAME.gz` is what `/NAME` is with gzip. If-None-Match is answered with 304.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode};
use axum::routing::get;

type Files = Arc<HashMap<String, Bytes>>;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(address), Some(folder)) = (arguments.next(), arguments.next()) else {
        anyhow::bail!("usage: bare ADDRESS FOLDER")
    };
    let mut files = HashMap::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if let Some(name) = path.file_name().and_then(|name| name.to_str()) {
            files.insert(name.to_owned(), Bytes::from(std::fs::read(&path)?));
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
    const TAG: HeaderValue = HeaderValue::from_static("\"zPk3MGmLQGh0nG4q5-eNlz\"");
    let Some(bytes) = files.get(&format!("{name}.gz")) else {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_FOUND;
        return response;
    };
    let is_known = headers.get(IF_NONE_MATCH) == Some(&TAG);
    let mut response = Response::new(if is_known { Body::empty() } else { Body::from(bytes.clone()) });
    let head = response.headers_mut();
    head.insert(ETAG, TAG);
    head.insert(VARY, HeaderValue::from_static("Accept, Accept-Encoding"));
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return response;
    }
    head.insert(CONTENT_TYPE, HeaderValue::from_static("application/protobuf"));
    head.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    response
}
