//! Writes that go to another server.

use async_trait::async_trait;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, USER_AGENT};
use http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Either, Full};
use wirewise_core::Record;
use wirewise_formats::Variant;

use super::columns::Fills;
use super::post::unreachable;
use super::{Posted, Sink, Written};
use crate::client::{Upstream, drop_hops};
use crate::config::Endpoint;
use crate::problem::Problem;
use crate::{Error, Result, Surroundings};

/// Another server that takes writes.
pub(super) struct Forward {
    upstream: Upstream,
    variant: &'static Variant,
}

impl Forward {
    /// # Errors
    /// When its url or a header cannot be used.
    pub(super) fn new(config: &Endpoint, surroundings: &dyn Surroundings) -> Result<Forward> {
        let variant = match config.format {
            Some(format) => format.0,
            None => wirewise_formats::find("json")?.1,
        };
        let upstream = Upstream::new(&config.url, &config.headers, config.timeout.0, surroundings)?;
        Ok(Forward { upstream, variant })
    }
}

#[async_trait]
impl Sink for Forward {
    fn variant(&self) -> &'static Variant {
        self.variant
    }

    /// The other server says itself what it needs.
    async fn prepare(&self, _: Option<&Record>) -> Result<Fills> {
        Ok(Fills::default())
    }

    async fn write(&self, posted: Posted) -> Result<Written, Problem> {
        let mut request = Request::new(Full::new(posted.bytes));
        *request.method_mut() = Method::POST;
        let headers = request.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.variant.media_type));
        headers.insert(USER_AGENT, HeaderValue::from_static(concat!("wirewise/", env!("CARGO_PKG_VERSION"))));
        if let Some(key) = posted.idempotency_key {
            headers.insert(HeaderName::from_static("idempotency-key"), key);
        }
        let response =
            self.upstream.send(request).await.map_err(|error| unreachable(StatusCode::BAD_GATEWAY, &error))?;
        let (mut head, body) = response.into_parts();
        drop_hops(&mut head.headers);
        let body = body.map_err(|error| Error::new(format!("the upstream broke off: {error}"))).boxed();
        Ok(Written::Answer(Response::from_parts(head, Either::Right::<Full<Bytes>, _>(body))))
    }
}
