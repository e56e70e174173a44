//! Passing a request on, and the response back, while they come in.

use std::time::Duration;

use bytes::Bytes;
use http::header::HOST;
use http::uri::{Authority, PathAndQuery, Scheme};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, Uri, Version};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Either};
use hyper::body::Incoming;

use super::bad_gateway;
use crate::client::{Client, connect, drop_hops, failed, fields};
use crate::config;
use crate::gateway::{Body, Surroundings};
use crate::problem::Problem;
use crate::telemetry::trace_headers;
use crate::{Error, Result};

/// The way to the API.
pub(super) struct Passage {
    client: Client<BoxBody<Bytes, Error>>,
    scheme: Scheme,
    authority: Authority,
    /// What comes before every path.
    base: String,
    headers: HeaderMap,
    timeout: Duration,
}

impl Passage {
    /// # Errors
    /// When the URL or a header cannot be used; never with their values.
    pub(super) fn new(config: &config::Proxy, surroundings: &dyn Surroundings) -> Result<Passage> {
        let wrong = || Error::new("the url cannot be used").hint("write it like http://127.0.0.1:3000");
        let url: Uri = surroundings.secret(&config.url)?.trim().parse().map_err(|_| wrong())?;
        let parts = url.into_parts();
        let scheme = parts.scheme.filter(|scheme| *scheme == Scheme::HTTP || *scheme == Scheme::HTTPS);
        let (scheme, authority) = scheme.zip(parts.authority).ok_or_else(wrong)?;
        let path = parts.path_and_query.filter(|path| path.query().is_none()).ok_or_else(wrong)?;
        Ok(Passage {
            client: connect(scheme == Scheme::HTTPS)?,
            scheme,
            authority,
            base: path.path().trim_end_matches('/').to_owned(),
            headers: fields(&config.headers, surroundings)?,
            timeout: config.timeout.0,
        })
    }

    /// Sends a request on, and waits for the head of the response.
    ///
    /// # Errors
    /// 502 when there is none, 504 when it takes too long.
    pub(super) async fn send(
        &self,
        mut request: Request<BoxBody<Bytes, Error>>,
    ) -> Result<Response<Incoming>, Problem> {
        let target = request.uri().path_and_query().map_or("/", PathAndQuery::as_str);
        let uri = Uri::builder()
            .scheme(self.scheme.clone())
            .authority(self.authority.clone())
            .path_and_query(format!("{}{target}", self.base));
        let uri = uri.build().map_err(|error| bad_gateway(&Error::new(error.to_string())))?;
        let was_secure = request.uri().scheme() == Some(&Scheme::HTTPS);
        *request.uri_mut() = uri;
        *request.version_mut() = Version::HTTP_11;
        let headers = request.headers_mut();
        drop_hops(headers);
        if let Some(host) = headers.remove(HOST) {
            headers.insert(HeaderName::from_static("x-forwarded-host"), host);
        }
        let protocol = if was_secure { "https" } else { "http" };
        headers.entry("x-forwarded-proto").or_insert(HeaderValue::from_static(protocol));
        headers.append(http::header::VIA, HeaderValue::from_static("1.1 wirewise"));
        for (name, value) in &self.headers {
            headers.insert(name, value.clone());
        }
        trace_headers(headers);
        match tokio::time::timeout(self.timeout, self.client.request(request)).await {
            Ok(Ok(mut response)) => {
                drop_hops(response.headers_mut());
                Ok(response)
            }
            Ok(Err(error)) => Err(bad_gateway(&failed(&error))),
            Err(_) => Err(Problem::new(
                http::StatusCode::GATEWAY_TIMEOUT,
                format!("the server behind this one did not answer within {:?}", self.timeout),
            )),
        }
    }
}

/// A request whose body is passed on while it comes in.
pub(super) fn streamed(request: Request<Incoming>) -> Request<BoxBody<Bytes, Error>> {
    request.map(|body| body.map_err(|error| Error::new(format!("the client broke off: {error}"))).boxed())
}

/// The same of a response.
pub(super) fn body(body: Incoming) -> Body {
    Either::Right(body.map_err(|error| Error::new(format!("the upstream broke off: {error}"))).boxed())
}
