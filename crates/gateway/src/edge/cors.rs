//! Pages of other origins (CORS, as the Fetch standard says).

use http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD,
    ORIGIN, VARY,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};

use crate::config;
use crate::gateway::{Body, full};
use crate::{Error, Result};

/// What pages of other origins may do; ready to be sent.
pub(crate) struct Cors {
    /// None: all of them.
    origins: Option<Vec<HeaderValue>>,
    methods: HeaderValue,
    headers: HeaderValue,
    expose: Option<HeaderValue>,
    has_credentials: bool,
    max_age: HeaderValue,
}

impl Cors {
    /// As the configuration says.
    ///
    /// # Errors
    /// When it is not what browsers understand, or means more than its author can have meant.
    pub(crate) fn new(config: &config::Cors) -> Result<Cors> {
        let is_all = config.origins.iter().any(|origin| origin == "*");
        if is_all && config.credentials {
            let error = Error::new("every page of the web could read what the user may see");
            return Err(error.hint("name the origins, or leave credentials out").at(["cors", "credentials"]));
        }
        let mut origins = Vec::new();
        for origin in config.origins.iter().filter(|origin| *origin != "*") {
            origins.push(self::origin(origin).map_err(|error| error.at(["cors", "origins"]))?);
        }
        for method in &config.methods {
            Method::from_bytes(method.as_bytes())
                .map_err(|_| Error::new(format!("{method:?} is no method")).at(["cors", "methods"]))?;
        }
        for (key, names) in [("headers", &config.headers), ("expose", &config.expose)] {
            for name in names {
                HeaderName::from_bytes(name.as_bytes())
                    .map_err(|_| Error::new(format!("{name:?} is no header field")).at(["cors", key]))?;
            }
        }
        let list = |key, names: &[String]| {
            HeaderValue::try_from(names.join(", "))
                .map_err(|_| Error::new("it cannot stand in a header field").at(["cors", key]))
        };
        Ok(Cors {
            origins: (!is_all).then_some(origins),
            methods: list("methods", &config.methods)?,
            headers: list("headers", &config.headers)?,
            expose: (!config.expose.is_empty()).then(|| list("expose", &config.expose)).transpose()?,
            has_credentials: config.credentials,
            max_age: HeaderValue::from(config.max_age.0.as_secs()),
        })
    }

    /// The answer to a browser that asks what a page may do.
    pub(crate) fn preflight<B>(&self, request: &Request<B>) -> Option<Response<Body>> {
        let headers = request.headers();
        if request.method() != Method::OPTIONS || !headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD) {
            return None;
        }
        let origin = headers.get(ORIGIN)?;
        let mut response = Response::new(full(bytes::Bytes::new()));
        *response.status_mut() = StatusCode::NO_CONTENT;
        let head = response.headers_mut();
        if self.allow(origin, head) {
            head.insert(ACCESS_CONTROL_ALLOW_METHODS, self.methods.clone());
            head.insert(ACCESS_CONTROL_ALLOW_HEADERS, self.headers.clone());
            head.insert(ACCESS_CONTROL_MAX_AGE, self.max_age.clone());
        }
        self.vary(head);
        Some(response)
    }

    /// What every other response says. `origin` is the request's.
    pub(crate) fn complete(&self, origin: Option<&HeaderValue>, head: &mut HeaderMap) {
        if let Some(origin) = origin
            && self.allow(origin, head)
            && let Some(expose) = &self.expose
        {
            head.insert(ACCESS_CONTROL_EXPOSE_HEADERS, expose.clone());
        }
        self.vary(head);
    }

    fn allow(&self, origin: &HeaderValue, head: &mut HeaderMap) -> bool {
        let allowed = match &self.origins {
            None => HeaderValue::from_static("*"),
            Some(known) if known.contains(origin) => origin.clone(),
            Some(_) => return false,
        };
        head.insert(ACCESS_CONTROL_ALLOW_ORIGIN, allowed);
        if self.has_credentials {
            head.insert(ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
        }
        true
    }

    /// Where the answer depends on the origin, caches are to know.
    fn vary(&self, head: &mut HeaderMap) {
        if self.origins.is_some() {
            head.append(VARY, HeaderValue::from_static("Origin"));
        }
    }
}

/// An origin as browsers write it: scheme, host, perhaps a port, and nothing else.
fn origin(text: &str) -> Result<HeaderValue> {
    let wrong =
        || Error::new(format!("{text:?} is no origin")).hint("write it like https://example.org, without a path");
    let uri: http::Uri = text.parse().map_err(|_| wrong())?;
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return Err(wrong()) };
    if text != format!("{scheme}://{authority}") || text.bytes().any(|byte| byte.is_ascii_uppercase() || byte == b'*') {
        return Err(wrong());
    }
    HeaderValue::from_str(text).map_err(|_| wrong())
}
