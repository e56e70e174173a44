//! Traces by OpenTelemetry: a span for each request and for each refresh, handed on to servers that are asked meanwhile.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::{SpanKind, Status, TraceContextExt, Tracer, TracerProvider};
use opentelemetry::{Context, KeyValue, global};
use opentelemetry_http::{HeaderExtractor, HeaderInjector, HttpClient, HttpError};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{Sampler, SdkTracer, SdkTracerProvider};

use crate::config::Traces;
use crate::fetch::{Fetcher, safe_url};
use crate::{Error, Result, Surroundings};

/// What is known in traces by.
const SCOPE: &str = "wirewise";

/// Where spans go.
pub(crate) struct Tracing {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
    propagator: TraceContextPropagator,
}

impl Tracing {
    /// Sends spans in batches to the collector of the configuration. Refreshes are traced from then on, too.
    ///
    /// # Errors
    /// When the configuration cannot be used. That the collector is down is none.
    pub(crate) fn new(config: &Traces, surroundings: &dyn Surroundings) -> Result<Tracing> {
        let wrong = |error: Error| error.at(["telemetry", "traces", "endpoint"]);
        if !(0.0..=1.0).contains(&config.sample) {
            let error = Error::new(format!("{} is no part of requests", config.sample));
            return Err(error.hint("write a number from 0 to 1").at(["telemetry", "traces", "sample"]));
        }
        let mut headers = HashMap::new();
        for (name, secret) in &config.headers {
            let key = ["telemetry", "traces", "headers", name.as_str()];
            headers.insert(name.clone(), surroundings.secret(secret).map_err(|error| error.at(key))?);
        }
        let url: http::Uri = match headers.is_empty() {
            true => config.endpoint.parse().map_err(|_| Error::new(format!("{:?} is no URL", config.endpoint))),
            // They may have secrets.
            false => safe_url(&config.endpoint),
        }
        .map_err(wrong)?;
        let client = Fetcher::new(&url)?;
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Bridge { client, runtime: tokio::runtime::Handle::try_current().ok() })
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(&config.endpoint)
            .with_timeout(Duration::from_secs(10))
            .with_headers(headers)
            .build()
            .map_err(|error| wrong(Error::new(format!("traces cannot be sent: {error}"))))?;
        let sampler = Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(config.sample)));
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_sampler(sampler)
            .with_resource(Resource::builder().with_service_name(config.service.clone()).build())
            .build();
        let tracer = provider.tracer(SCOPE);
        Ok(Tracing { provider, tracer, propagator: TraceContextPropagator::new() })
    }

    /// Traces refreshes, too.
    pub(crate) fn install(&self) {
        global::set_tracer_provider(self.provider.clone());
    }

    /// Begins the span of a request; the caller's, if it has one, is its parent.
    pub(crate) fn begin<B>(&self, request: &Request<B>) -> Context {
        let parent = self.propagator.extract_with_context(&Context::new(), &HeaderExtractor(request.headers()));
        let method = request.method().as_str();
        // Paths only: queries may have what is nobody's business.
        let span = self
            .tracer
            .span_builder(method.to_owned())
            .with_kind(SpanKind::Server)
            .with_attributes([
                KeyValue::new("http.request.method", method.to_owned()),
                KeyValue::new("url.path", request.uri().path().to_owned()),
            ])
            .start_with_context(&self.tracer, &parent);
        parent.with_span(span)
    }

    /// Ends it with what was answered.
    pub(crate) fn end<B>(context: &Context, method: &http::Method, resource: Option<&str>, response: &Response<B>) {
        let span = context.span();
        if span.is_recording() {
            let status = response.status();
            span.set_attribute(KeyValue::new("http.response.status_code", i64::from(status.as_u16())));
            for (name, header) in
                [("content-type", http::header::CONTENT_TYPE), ("content-encoding", http::header::CONTENT_ENCODING)]
            {
                if let Some(value) = response.headers().get(header).and_then(|value| value.to_str().ok()) {
                    span.set_attribute(KeyValue::new(format!("http.response.header.{name}"), value.to_owned()));
                }
            }
            if let Some(resource) = resource {
                span.set_attribute(KeyValue::new("wirewise.resource", resource.to_owned()));
                span.update_name(format!("{method} {resource}"));
            }
            if status.is_server_error() {
                span.set_status(Status::error(status.to_string()));
            }
        }
        span.end();
    }

    /// Sends what is left, and ends.
    pub(crate) async fn close(self: Arc<Self>) {
        let closed = tokio::task::spawn_blocking(move || self.provider.shutdown_with_timeout(Duration::from_secs(5)));
        if let Ok(Err(error)) = closed.await {
            tracing::warn!("the last traces were not sent: {error}");
        }
    }
}

/// The span of a refresh: a trace of its own. It costs nothing when there are no traces.
pub(crate) fn refreshing(resource: &str) -> Context {
    let tracer = global::tracer(SCOPE);
    let span = tracer
        .span_builder(format!("refresh {resource}"))
        .with_kind(SpanKind::Internal)
        .with_attributes([KeyValue::new("wirewise.resource", resource.to_owned())])
        .start_with_context(&tracer, &Context::new());
    Context::new().with_span(span)
}

/// Adds the header fields (`traceparent`, W3C) by which another server continues the trace of what is being done now. Adds
/// nothing when nothing is traced.
pub fn trace_headers(headers: &mut HeaderMap) {
    TraceContextPropagator::new().inject_context(&Context::current(), &mut HeaderInjector(headers));
}

/// Lends our client to the exporter, whose thread knows no runtime.
#[derive(Debug)]
struct Bridge {
    client: Fetcher,
    runtime: Option<tokio::runtime::Handle>,
}

/// Collectors answer little.
const MOST_BYTES: usize = 64 << 10;

#[async_trait]
impl HttpClient for Bridge {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let client = self.client.clone();
        let Some(runtime) = &self.runtime else { return Err("there is no runtime".into()) };
        let sent = runtime.spawn(async move { client.send(request, MOST_BYTES, Duration::from_secs(10)).await });
        Ok(sent.await?.inspect_err(|error| tracing::warn!("traces could not be sent: {error}"))?)
    }
}
