//! Asking other servers.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONNECTION, TE, TRAILER, TRANSFER_ENCODING, UPGRADE};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, Uri};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};

use crate::config::Secret;
use crate::telemetry::trace_headers;
use crate::{Error, Result, Surroundings};

/// A client of HTTP/1.1 and HTTP/2.
pub(crate) type Client<B = Full<Bytes>> = hyper_util::client::legacy::Client<HttpsConnector<HttpConnector>, B>;

/// A server that is asked, with what every request to it has in its head.
pub(crate) struct Upstream {
    client: Client,
    url: Uri,
    headers: HeaderMap,
    timeout: Duration,
    describe: String,
}

impl Upstream {
    /// # Errors
    /// When the url or a header cannot be used, or a secret is not there; never with their values.
    pub(crate) fn new(
        url: &Secret,
        headers: &BTreeMap<String, Secret>,
        timeout: Duration,
        surroundings: &dyn Surroundings,
    ) -> Result<Upstream> {
        let is_public = matches!(url, Secret::Text(_));
        let url: Uri = surroundings.secret(url)?.trim().parse().map_err(|_| wrong_url())?;
        let (Some(scheme), Some(authority)) = (url.scheme_str(), url.authority()) else { return Err(wrong_url()) };
        if !matches!(scheme, "http" | "https") {
            return Err(wrong_url());
        }
        if authority.as_str().contains('@') {
            return Err(Error::new("the url has a password in it")
                .hint("send it as a header: headers.Authorization = { env = \"NAME\" }"));
        }
        // Paths and queries have keys in them at times: only of a url that stands in the configuration is the path shown.
        let describe = format!("{scheme}://{authority}{}", if is_public { url.path() } else { "" });
        let fields = fields(headers, surroundings)?;
        Ok(Upstream { client: connect(scheme == "https")?, url, headers: fields, timeout, describe })
    }

    /// What it is, without secrets.
    pub(crate) fn describe(&self) -> &str {
        &self.describe
    }

    /// Asks, and waits for the head of the response.
    ///
    /// # Errors
    /// When there is none in time.
    pub(crate) async fn send(&self, mut request: Request<Full<Bytes>>) -> Result<Response<Incoming>> {
        *request.uri_mut() = self.url.clone();
        for (name, value) in &self.headers {
            request.headers_mut().insert(name, value.clone());
        }
        trace_headers(request.headers_mut());
        match tokio::time::timeout(self.timeout, self.client.request(request)).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(failed(&error).of(&self.describe)),
            Err(_) => Err(Error::new(format!("{} did not answer within {:?}", self.describe, self.timeout))),
        }
    }

    /// How long a response may take.
    pub(crate) fn timeout(&self) -> Duration {
        self.timeout
    }
}

/// Header fields with secrets in them.
///
/// # Errors
/// When one cannot be used; never with its value.
pub(crate) fn fields(headers: &BTreeMap<String, Secret>, surroundings: &dyn Surroundings) -> Result<HeaderMap> {
    let mut fields = HeaderMap::new();
    for (name, value) in headers {
        let name =
            HeaderName::try_from(name).map_err(|_| Error::new(format!("{name:?} cannot be the name of a header")))?;
        let mut value = HeaderValue::try_from(surroundings.secret(value)?)
            .map_err(|_| Error::new(format!("the value for {name} cannot stand in a header")))?;
        value.set_sensitive(true);
        fields.insert(name, value);
    }
    Ok(fields)
}

fn wrong_url() -> Error {
    Error::new("the url cannot be used").hint("write it like https://example.com/places")
}

/// What went wrong, with its causes: the first only says that something did.
pub(crate) fn failed(error: &dyn std::error::Error) -> Error {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let said = inner.to_string();
        if !text.contains(&said) {
            text = format!("{text}: {said}");
        }
        cause = inner.source();
    }
    Error::new(text)
}

/// A client without connections yet.
///
/// # Errors
/// When it is to use TLS, and this machine trusts nobody.
pub(crate) fn connect<B>(secure: bool) -> Result<Client<B>>
where
    B: http_body::Body + Send,
    B::Data: Send,
{
    let roots = if secure { roots()? } else { rustls::RootCertStore::empty() };
    let tls = rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::new(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let mut connector = HttpConnector::new();
    connector.enforce_http(false);
    connector.set_connect_timeout(Some(Duration::from_secs(10)));
    connector.set_nodelay(true);
    let connector = HttpsConnectorBuilder::new()
        .with_tls_config(tls)
        .https_or_http()
        .enable_all_versions()
        .wrap_connector(connector);
    Ok(hyper_util::client::legacy::Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(Duration::from_secs(60))
        .build(connector))
}

/// The certificates that this machine trusts.
///
/// # Errors
/// When there is none.
pub(crate) fn roots() -> Result<rustls::RootCertStore> {
    let mut roots = rustls::RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        return Err(Error::new("this machine trusts no certificates: TLS cannot be used")
            .hint("install them (Debian: ca-certificates), or name a file of them with SSL_CERT_FILE"));
    }
    Ok(roots)
}

/// Takes out what is about the connection only (RFC 9110, 7.6.1).
pub(crate) fn drop_hops(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| HeaderName::try_from(name.trim()).ok())
        .collect();
    let usual = ["keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection"];
    let usual = usual.map(HeaderName::from_static);
    for name in named.iter().chain(&usual).chain(&[CONNECTION, TE, TRAILER, TRANSFER_ENCODING, UPGRADE]) {
        headers.remove(name);
    }
}
