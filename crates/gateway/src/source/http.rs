//! Another server that is asked.

use async_trait::async_trait;
use bytes::Bytes;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, LOCATION, USER_AGENT,
};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode};
use http_body_util::Full;
use wirewise_formats::Variant;

use super::{Data, Fetched, Source, Validator};
use crate::bounds::{self, Unread};
use crate::client::Upstream;
use crate::codings::{self, Undecoded};
use crate::config::Endpoint;
use crate::media::{self, Content};
use crate::{Error, Result, Surroundings};

/// Another server. Data is known by its ETag, or the time of its last change.
pub struct Http {
    upstream: Upstream,
    format: Option<&'static Variant>,
    most_bytes: usize,
}

impl Http {
    /// The server of a configuration.
    ///
    /// # Errors
    /// When its url or a header cannot be used.
    pub fn new(config: &Endpoint, surroundings: &dyn Surroundings, most_bytes: usize) -> Result<Http> {
        let upstream = Upstream::new(&config.url, &config.headers, config.timeout.0, surroundings)?;
        Ok(Http { upstream, format: config.format.map(|format| format.0), most_bytes })
    }

    async fn ask(&self, known: Option<&Validator>) -> Result<Fetched> {
        let mut request = Request::new(Full::new(Bytes::new()));
        let headers = request.headers_mut();
        headers.insert(USER_AGENT, HeaderValue::from_static(concat!("wirewise/", env!("CARGO_PKG_VERSION"))));
        let accept = match self.format {
            Some(variant) => format!("{}, */*;q=0.1", variant.media_type),
            None => "application/json, application/*;q=0.5, */*;q=0.1".to_owned(),
        };
        headers.insert(ACCEPT, HeaderValue::try_from(accept).map_err(|error| Error::new(error.to_string()))?);
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(codings::SUPPORTED));
        if let Some(known) = known {
            conditional(headers, known);
        }
        let response = self.upstream.send(request).await?;
        match response.status() {
            StatusCode::NOT_MODIFIED if known.is_some() => Ok(Fetched::Unchanged),
            StatusCode::OK => self.data(response).await.map(Fetched::Data),
            status => Err(refused(status, response.headers())),
        }
    }

    async fn data(&self, response: Response<hyper::body::Incoming>) -> Result<Data> {
        let (head, body) = response.into_parts();
        let field = |name: HeaderName| head.headers.get(name).and_then(|value| value.to_str().ok());
        let content = self.content(field(CONTENT_TYPE))?;
        let validator = validator(&head.headers);
        let large = || {
            Error::new(format!("the response has more than {} bytes", self.most_bytes))
                .hint("allow more: limits.memory is four times that")
        };
        let body = bounds::read(body, self.most_bytes).await.map_err(|error| match error {
            Unread::TooLarge => large(),
            Unread::BrokenOff(error) => Error::new(format!("the response breaks off: {error}")),
        })?;
        let most_bytes = self.most_bytes;
        let encoding = codings::of(&head.headers);
        let decoded = tokio::task::spawn_blocking(move || codings::decode(&encoding, body, most_bytes)).await;
        let bytes = match decoded {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(Undecoded::TooLarge)) => return Err(large()),
            Ok(Err(Undecoded::Unknown(coding))) => {
                return Err(Error::new(format!(
                    "the response has the content coding {coding:?}, which is not supported"
                )));
            }
            Ok(Err(Undecoded::Damaged(what))) => return Err(Error::new(what)),
            Err(_) => return Err(Error::new("decompressing failed for an unknown reason: please report this")),
        };
        Ok(Data { bytes, variant: content.variant, framing: content.framing, validator })
    }

    /// What the response is.
    fn content(&self, content_type: Option<&str>) -> Result<Content> {
        let said = content_type.and_then(media::content);
        let content = match (self.format, said) {
            // What it says of how messages follow each other counts, where it is the same variant.
            (Some(variant), Some(said)) if said.variant == variant => said,
            (Some(variant), _) => return Ok(media::of(variant)),
            (None, Some(said)) => said,
            (None, None) => {
                let what = match content_type {
                    Some(text) => format!("the response has the media type {text:?}, which is no format"),
                    None => "the response does not say which format it has".to_owned(),
                };
                return Err(Error::new(what).hint("say it: source.http = { url = \"...\", format = \"json\" }"));
            }
        };
        if content.is_shaped {
            return Err(Error::new("the response is shaped").hint("ask for one without `shaped=1`"));
        }
        Ok(content)
    }
}

#[async_trait]
impl Source for Http {
    fn describe(&self) -> String {
        self.upstream.describe().to_owned()
    }

    async fn fetch(&self, known: Option<&Validator>) -> Result<Fetched> {
        let timeout = self.upstream.timeout();
        match tokio::time::timeout(timeout, self.ask(known)).await {
            Ok(fetched) => fetched,
            Err(_) => Err(Error::new(format!("no complete response within {timeout:?}"))
                .hint("allow more with source.http.timeout")),
        }
    }
}

/// What a response is known by: its ETag and its time, in that order, each on a line.
fn validator(headers: &HeaderMap) -> Option<Validator> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok()).unwrap_or_default();
    let (tag, time) = (text(ETAG), text(LAST_MODIFIED));
    (!tag.is_empty() || !time.is_empty()).then(|| Validator(format!("{tag}\n{time}")))
}

fn conditional(headers: &mut HeaderMap, known: &Validator) {
    let (tag, time) = known.0.split_once('\n').unwrap_or((&known.0, ""));
    for (name, value) in [(IF_NONE_MATCH, tag), (IF_MODIFIED_SINCE, time)] {
        if let (false, Ok(value)) = (value.is_empty(), HeaderValue::try_from(value)) {
            headers.insert(name, value);
        }
    }
}

fn refused(status: StatusCode, headers: &HeaderMap) -> Error {
    let error = Error::new(format!("the response has the status {status}"));
    match headers.get(LOCATION).and_then(|location| location.to_str().ok()) {
        Some(location) if status.is_redirection() => {
            // What follows the path may have keys in it.
            let location = location.split(['?', '#']).next().unwrap_or_default();
            error.hint(format!("redirects are not followed: it leads to {location}"))
        }
        _ => error,
    }
}
