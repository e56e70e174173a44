//! Small things that other servers have: keys, and whether they took what was sent. Bounded in time and size.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, Uri};
use http_body_util::{BodyExt, Full, Limited};

use crate::client::{Client, connect, failed};
use crate::{Error, Result};

/// Sends requests, and takes whole responses.
#[derive(Clone, Debug)]
pub(crate) struct Fetcher(Client);

impl Fetcher {
    /// For servers of this URL.
    ///
    /// # Errors
    /// When that is by TLS, and this machine trusts nobody.
    pub(crate) fn new(url: &Uri) -> Result<Fetcher> {
        connect(url.scheme_str() == Some("https")).map(Fetcher)
    }

    /// Sends a request and takes the whole response. Redirects are not followed.
    ///
    /// # Errors
    /// When it takes longer or is longer than it may be; never with more of the URL than its host.
    pub(crate) async fn send(&self, request: Request<Bytes>, most: usize, time: Duration) -> Result<Response<Bytes>> {
        let host = request.uri().authority().map(|authority| authority.host().to_owned()).unwrap_or_default();
        let wrong = |error: &dyn std::error::Error| failed(error).of(format!("cannot ask {host}"));
        let exchange = async {
            let response = self.0.request(request.map(Full::new)).await.map_err(|error| wrong(&error))?;
            let (parts, body) = response.into_parts();
            let body = Limited::new(body, most).collect().await.map_err(|error| wrong(&*error))?;
            Ok(Response::from_parts(parts, body.to_bytes()))
        };
        let late = || Error::new(format!("{host} did not answer within {time:?}"));
        tokio::time::timeout(time, exchange).await.map_err(|_| late())?
    }
}

/// A URL by which secrets and keys may travel: `https`, or `http` to this machine.
///
/// # Errors
/// When it is another, or none.
pub(crate) fn safe_url(text: &str) -> Result<Uri> {
    let uri: Uri = text.parse().map_err(|_| Error::new(format!("{text:?} is no URL")))?;
    let host = uri.host().unwrap_or_default();
    let is_here = matches!(host, "localhost" | "[::1]")
        || host.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback());
    match uri.scheme_str() {
        Some("https") => Ok(uri),
        Some("http") if is_here => Ok(uri),
        Some("http") => {
            Err(Error::new(format!("{text} is not encrypted: whoever is between could read and change what is said"))
                .hint("use https, or http to this machine only"))
        }
        _ => Err(Error::new(format!("{text:?} is no URL of http or https"))),
    }
}
