//! The listener for those who run the gateway: `/metrics`, `/health/live`, `/health/ready`. Never where clients are.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use super::exposition;
use crate::edge::Door;
use crate::gateway::{Body, full, only_read};
use crate::problem::Problem;

/// How the gateway is doing.
pub(crate) struct Status {
    pub(crate) door: Arc<Door>,
    /// Whether it is being stopped.
    pub(crate) is_ending: AtomicBool,
}

/// Those who ask are few: a scraper, an orchestrator, a person.
const MOST_CONNECTIONS: usize = 64;

impl Status {
    /// Answers on this listener for ever.
    pub(crate) async fn listen(self: Arc<Self>, listener: TcpListener) {
        let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        while let Ok(place) = places.clone().acquire_owned().await {
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let status = self.clone();
            tokio::spawn(async move {
                let _place = place;
                let service = service_fn(|request: Request<Incoming>| {
                    let response = status.answer(request.method(), request.uri().path());
                    async { Ok::<_, Infallible>(response.unwrap_or_else(Problem::response)) }
                });
                let mut builder = http1::Builder::new();
                builder.timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(75)).max_buf_size(16 << 10);
                let _ = builder.serve_connection(TokioIo::new(stream), service).await;
            });
        }
    }

    fn answer(&self, method: &Method, path: &str) -> Result<Response<Body>, Problem> {
        only_read(method, "GET, HEAD")?;
        let (status, media_type, text) = match path {
            "/metrics" => (
                StatusCode::OK,
                "application/openmetrics-text; version=1.0.0; charset=utf-8",
                exposition::written(&self.door),
            ),
            "/health/live" => (StatusCode::OK, "application/json", "{\"status\": \"live\"}\n".to_owned()),
            "/health/ready" => {
                let (is_ready, json) = self.readiness();
                let status = if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
                (status, "application/json", format!("{json:#}\n"))
            }
            "/observe" if self.door.gateway.observer().is_some() => {
                let seen = self.door.gateway.observer().map(|observer| observer.report()).unwrap_or_default();
                (StatusCode::OK, "application/json", format!("{seen:#}\n"))
            }
            _ => {
                let known = vec!["/metrics", "/health/live", "/health/ready", "/observe"];
                let nothing = Problem::new(StatusCode::NOT_FOUND, format!("there is nothing at {path}"));
                return Err(nothing.with("available", known));
            }
        };
        let mut response = Response::new(full(Bytes::from(text)));
        *response.status_mut() = status;
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Ok(response)
    }

    /// Whether every resource can be served, and how each is doing.
    fn readiness(&self) -> (bool, Value) {
        let has_keys = self.door.guard.as_ref().is_none_or(|guard| guard.has_keys());
        let is_ending = self.is_ending.load(Ordering::Relaxed);
        let mut is_ready = has_keys && !is_ending;
        let mut resources = serde_json::Map::new();
        for resource in self.door.gateway.resources() {
            let is_servable = resource.current().is_some() && resource.is_servable();
            is_ready &= is_servable;
            let health = resource.health();
            let state = match (resource.current().is_some(), is_servable, &health.failure) {
                (false, ..) => "waiting",
                (_, false, _) => "expired",
                (.., Some(_)) => "stale",
                _ => "fresh",
            };
            let age = health.fresh.map(|(fresh, _)| fresh.elapsed().as_secs());
            let (error, failures) = health.failure.as_ref().map_or((None, &0), |(error, times)| (Some(error), times));
            resources.insert(
                resource.parts().name.clone(),
                json!({ "state": state, "age": age, "error": error, "failures": failures }),
            );
        }
        let status = match (is_ready, is_ending) {
            (_, true) => "ending",
            (true, _) => "ready",
            _ => "waiting",
        };
        let mut json = json!({ "status": status, "resources": resources });
        if self.door.guard.is_some() {
            json["auth"] = json!({ "state": if has_keys { "ready" } else { "waiting for keys" } });
        }
        if let Some(is_connected) = self.door.gateway.is_connected() {
            // Without the others this replica serves what it has, and refreshes for itself.
            json["cluster"] = json!({ "state": if is_connected { "connected" } else { "alone" } });
        }
        (is_ready, json)
    }
}
