//! Errors as clients see them: problem details (RFC 9457).

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use serde_json::{Map, Value, json};

use crate::gateway::{Body, full};

/// What is wrong with a request, or keeps it from being answered. Boxed, so that `Result` stays small.
#[derive(Debug)]
pub struct Problem(Box<Details>);

#[derive(Debug)]
struct Details {
    status: StatusCode,
    detail: String,
    members: Map<String, Value>,
    headers: HeaderMap,
}

impl Problem {
    /// A problem with a sentence about this case of it.
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Problem {
        Problem(Box::new(Details { status, detail: detail.into(), members: Map::new(), headers: HeaderMap::new() }))
    }

    /// With a further member.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Problem {
        self.0.members.insert(name.to_owned(), value.into());
        self
    }

    /// With a header field.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Problem {
        self.0.headers.append(name, value);
        self
    }

    /// Its status.
    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    /// The response.
    pub fn response(self) -> Response<Body> {
        let Details { status, detail, members, headers: more } = *self.0;
        let mut json = json!({
            "type": "about:blank",
            "title": status.canonical_reason().unwrap_or("Error"),
            "status": status.as_u16(),
            "detail": detail,
        });
        if let Some(object) = json.as_object_mut() {
            object.extend(members);
        }
        let text = Bytes::from(format!("{json:#}\n"));
        let mut response = Response::new(full(text.clone()));
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.insert(CONTENT_LENGTH, HeaderValue::from(text.len()));
        headers.insert(http::header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.extend(more);
        response
    }
}
