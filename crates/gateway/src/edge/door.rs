//! What holds for every request, whatever it is for: who may do it, for how long, and what is told of it.

use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ORIGIN, RETRY_AFTER, VARY};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use http_body::Body as _;
use hyper::body::Incoming;
use opentelemetry::Context;
use opentelemetry::context::FutureExt;
use opentelemetry::trace::TraceContextExt;

use super::Cors;
use crate::auth::Guard;
use crate::config::{Config, Scopes};
use crate::gateway::Body;
use crate::problem::Problem;
use crate::resource::Resource;
use crate::telemetry::{Meters, Tracing};
use crate::{Error, Gateway, Result, Surroundings};

/// Browsers are not to guess what a body is.
const NO_SNIFF: (HeaderName, HeaderValue) = (http::header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));

/// The way in.
pub(crate) struct Door {
    pub(crate) gateway: Gateway,
    pub(crate) meters: Arc<Meters>,
    pub(crate) guard: Option<Arc<Guard>>,
    pub(crate) tracing: Option<Arc<Tracing>>,
    cors: Option<Cors>,
    longest_target: usize,
    time: Duration,
    is_logged: bool,
    is_tls: bool,
    /// Names requests in the log that have no trace.
    next: AtomicU64,
}

impl Door {
    /// As the configuration says.
    ///
    /// # Errors
    /// When that cannot be used.
    pub(crate) fn new(config: &Config, surroundings: &dyn Surroundings) -> Result<Door> {
        for (name, resource) in &config.resources {
            if let Some(error) = wrong_scopes(name, &resource.scopes, config.auth.is_some() && !resource.public) {
                return Err(error);
            }
        }
        Ok(Door {
            gateway: Gateway::new(config, surroundings)?,
            meters: Arc::default(),
            guard: config.auth.as_ref().map(Guard::new).transpose()?.map(Arc::new),
            tracing: match &config.telemetry.traces {
                Some(traces) => Some(Arc::new(Tracing::new(traces, surroundings)?)),
                None => None,
            },
            cors: config.cors.as_ref().map(Cors::new).transpose()?,
            longest_target: usize::try_from(config.limits.target.0).unwrap_or(usize::MAX),
            time: config.limits.request_time.0,
            is_logged: config.telemetry.access,
            is_tls: config.tls.is_some(),
            next: AtomicU64::new(1),
        })
    }

    /// Answers a request.
    pub(crate) async fn handle(&self, mut request: Request<Incoming>, peer: SocketAddr) -> Response<Body> {
        let start = Instant::now();
        let resource = self.gateway.at(request.uri().path()).map(|resource| &**resource);
        if self.is_tls && resource.is_none() {
            // For whoever it is passed on to.
            request.headers_mut().insert("x-forwarded-proto", HeaderValue::from_static("https"));
        }
        let method = request.method().clone();
        let origin = self.cors.as_ref().and_then(|_| request.headers().get(ORIGIN).cloned());
        let context = self.tracing.as_ref().map(|tracing| tracing.begin(&request));
        let entry = self.is_logged.then(|| Entry::new(&request, peer, context.as_ref(), &self.next));
        let answered = match &context {
            None => self.answer(request, resource).await,
            Some(context) => self.answer(request, resource).with_context(context.clone()).await,
        };
        let mut response = answered.unwrap_or_else(Problem::response);
        let is_preflight = method == Method::OPTIONS && response.status() == StatusCode::NO_CONTENT;
        let head = response.headers_mut();
        head.insert(NO_SNIFF.0, NO_SNIFF.1);
        if let Some(cors) = self.cors.as_ref().filter(|_| !is_preflight) {
            cors.complete(origin.as_ref(), head);
        }
        if resource.is_some_and(|resource| resource.parts().scopes.is_some()) {
            keep_private(head);
        }
        if let Some(context) = &context {
            Tracing::end(context, &method, resource.map(|resource| resource.parts().name.as_str()), &response);
        }
        let time = start.elapsed();
        let meters = resource.map_or(&self.meters.other, Resource::meters);
        meters.request(&method, response.status(), time);
        if let Some(entry) = entry {
            entry.write(&method, resource, &response, time);
        }
        response
    }

    async fn answer(
        &self,
        mut request: Request<Incoming>,
        resource: Option<&Resource>,
    ) -> Result<Response<Body>, Problem> {
        if request.uri().path_and_query().is_some_and(|target| target.as_str().len() > self.longest_target) {
            let long = format!("path and query have more than {} bytes", self.longest_target);
            return Err(Problem::new(StatusCode::URI_TOO_LONG, long));
        }
        if let Some(response) = self.cors.as_ref().and_then(|cors| cors.preflight(&request)) {
            return Ok(response);
        }
        if let Some((guard, scopes)) = self.guard.as_ref().zip(resource.and_then(|found| found.parts().scopes.as_ref()))
        {
            let scopes = match *request.method() {
                Method::GET | Method::HEAD | Method::OPTIONS => &scopes.read,
                _ => &scopes.write,
            };
            let grant = guard.admit(request.headers(), scopes).await?;
            if request.method() == Method::POST {
                request.extensions_mut().insert(grant);
            }
        }
        let mut answer = pin!(self.gateway.handle(request));
        // Most answers are there at once, and need no clock.
        let first = poll_fn(|context| Poll::Ready(answer.as_mut().poll(context))).await;
        if let Poll::Ready(response) = first {
            return Ok(response);
        }
        tokio::time::timeout(self.time, answer).await.map_err(|_| {
            let late = format!("there was no answer within {:?}", self.time);
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, late).header(RETRY_AFTER, HeaderValue::from_static("1"))
        })
    }
}

/// Shared caches keep nothing that needs a token.
fn keep_private(head: &mut HeaderMap) {
    head.append(VARY, HeaderValue::from_static("Authorization"));
    let Some(control) = head.get(CACHE_CONTROL).and_then(|value| value.to_str().ok()) else { return };
    if control.starts_with("private") || control.contains("no-store") {
        return;
    }
    let rest = control
        .split(',')
        .map(str::trim)
        .filter(|part| !part.eq_ignore_ascii_case("public") && !part.to_ascii_lowercase().starts_with("s-maxage"));
    let text = ["private"].into_iter().chain(rest).collect::<Vec<_>>().join(", ");
    if let Ok(value) = HeaderValue::try_from(text) {
        head.insert(CACHE_CONTROL, value);
    }
}

/// What is wrong with the scopes of a resource.
pub(crate) fn wrong_scopes(name: &str, scopes: &Scopes, is_protected: bool) -> Option<Error> {
    let all = || scopes.read.iter().chain(&scopes.write);
    let at = |error: Error| Some(error.of(format!("resource {name}")).at(["resources", name, "scopes"]));
    if !is_protected && all().next().is_some() {
        let nobody = Error::new("scopes are asked for, but no token is");
        return at(nobody.hint("add [auth], and leave public out"));
    }
    // RFC 6749, 3.3.
    let is_word = |scope: &&String| {
        !scope.is_empty() && scope.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\')
    };
    let wrong = all().find(|scope| !is_word(scope))?;
    at(Error::new(format!("{wrong:?} is no scope")).hint("write one word for each: [\"places:read\"]"))
}

/// A line of the log of requests: what it says is known before and after the answer. No query, and no header field that may have
/// a secret.
struct Entry {
    id: String,
    peer: SocketAddr,
    path: String,
    version: http::Version,
}

impl Entry {
    fn new<B>(request: &Request<B>, peer: SocketAddr, context: Option<&Context>, next: &AtomicU64) -> Entry {
        let traced = context.map(|context| context.span().span_context().trace_id().to_string());
        let told = || {
            // W3C: version, trace, parent, flags.
            let text = request.headers().get("traceparent")?.to_str().ok()?;
            let trace = text.split('-').nth(1)?;
            let is_one = trace.len() == 32 && trace.bytes().all(|byte| byte.is_ascii_hexdigit());
            is_one.then(|| trace.to_owned())
        };
        let own = || format!("{:x}", next.fetch_add(1, Ordering::Relaxed));
        Entry {
            id: traced.or_else(told).unwrap_or_else(own),
            peer,
            path: request.uri().path().to_owned(),
            version: request.version(),
        }
    }

    fn write(self, method: &Method, resource: Option<&Resource>, response: &Response<Body>, time: Duration) {
        let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        tracing::info!(
            target: "wirewise::access",
            id = self.id,
            peer = %self.peer,
            version = ?self.version,
            %method,
            path = self.path,
            resource = resource.map_or("", |resource| resource.parts().name.as_str()),
            variant = header(CONTENT_TYPE),
            coding = header(CONTENT_ENCODING),
            status = response.status().as_u16(),
            bytes = response.body().size_hint().exact().unwrap_or_default(),
            micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX),
            "request"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_a_token_is_private() {
        for (before, after) in [
            ("public, max-age=31536000, immutable", "private, max-age=31536000, immutable"),
            ("max-age=5, S-MaxAge=9", "private, max-age=5"),
            ("private, max-age=1", "private, max-age=1"),
            ("no-store", "no-store"),
        ] {
            let mut head = HeaderMap::new();
            head.insert(CACHE_CONTROL, HeaderValue::from_static(before));
            keep_private(&mut head);
            assert_eq!(head[CACHE_CONTROL], after);
            assert_eq!(head[VARY], "Authorization");
        }
    }
}
