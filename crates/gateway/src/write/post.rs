//! Answering a POST.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderName, HeaderValue, Request, Response, StatusCode};
use tokio::sync::Semaphore;

use super::repeats::{Named, Repeats};
use super::schemas::{self, Prepared};
use super::{Posted, Sink, Written, body, rows};
use crate::auth::Grant;
use crate::bounds::Bounds;
use crate::config;
use crate::gateway::Body;
use crate::problem::Problem;
use crate::resource::Resource;
use crate::version::Schemas;
use crate::{Error, Result};

/// What a client calls a write, so that it can be repeated.
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Bodies that are held in memory at a time, for each resource.
const MOST_AT_ONCE: usize = 32;

/// How long a write waits for its turn.
const MOST_WAIT: Duration = Duration::from_secs(5);

/// Takes the writes of a resource.
pub struct Writer {
    sink: Arc<dyn Sink>,
    /// Inserts that were done, by the keys of clients.
    repeats: Option<Arc<Repeats>>,
    bounds: Bounds,
    permits: Arc<Semaphore>,
    prepared: Mutex<Option<Arc<Prepared>>>,
}

impl Writer {
    pub(super) fn new(sink: Arc<dyn Sink>, repeats: Option<Arc<Repeats>>, limits: &config::Limits) -> Writer {
        let permits = Arc::new(Semaphore::new(MOST_AT_ONCE));
        Writer { sink, repeats, bounds: Bounds::new(limits), permits, prepared: Mutex::default() }
    }

    /// Finds out whether what has this schema can be written, once for each schema.
    ///
    /// # Errors
    /// When it cannot: a table has other columns.
    pub(crate) async fn prepare(&self, schemas: &Arc<Schemas>) -> Result<()> {
        self.prepared(schemas).await.map(|_| ())
    }

    async fn prepared(&self, schemas: &Arc<Schemas>) -> Result<Arc<Prepared>> {
        let known = self.prepared.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(known) = known.filter(|known| Arc::ptr_eq(&known.schemas, schemas)) {
            return Ok(known);
        }
        let fills = self.sink.prepare(schemas::record(&schemas.base)).await.map_err(|error| error.of("write"))?;
        let prepared = Arc::new(Prepared::new(schemas, &fills)?);
        *self.prepared.lock().unwrap_or_else(PoisonError::into_inner) = Some(prepared.clone());
        Ok(prepared)
    }
}

/// Answers a POST to a resource that takes them.
pub(crate) async fn post<B>(
    resource: &Arc<Resource>,
    writer: &Writer,
    request: Request<B>,
) -> Result<Response<Body>, Problem>
where
    B: http_body::Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let later = |detail: &str| {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail).header(RETRY_AFTER, HeaderValue::from_static("1"))
    };
    let version = resource.current().ok_or_else(|| later("there is no data yet, so that its schema is not known"))?;
    let (head, body) = request.into_parts();
    let said = body::head(&head.headers)?;
    let permit = tokio::time::timeout(MOST_WAIT, writer.permits.clone().acquire_owned()).await;
    let permit = permit.ok().and_then(Result::ok).ok_or_else(|| later("too many writes at once"))?;
    let prepared = writer.prepared(&version.schemas).await.map_err(|error| {
        tracing::error!(resource = resource.parts().name, "{error}");
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "writes cannot be taken as this resource is configured")
    })?;
    let bounds = writer.bounds;
    let body = bounds.read(body).await?;
    let key = head.headers.get(IDEMPOTENCY_KEY).cloned();
    let repeats = writer.repeats.as_ref().zip(key.as_ref()).map(|(repeats, key)| {
        let field = |name| head.headers.get(name).map_or(&[][..], HeaderValue::as_bytes);
        let subject = head.extensions.get::<Arc<Grant>>().map_or("", |grant| grant.subject.as_str());
        let content = [field(CONTENT_TYPE), field(CONTENT_ENCODING), &body];
        (repeats, Named::new(subject, key.as_bytes(), &content))
    });
    let (resource, sink) = (resource.clone(), writer.sink.clone());
    let write = async move {
        let _permit = permit;
        let (target, base) = (sink.variant(), version.schemas.base.clone());
        let work = tokio::task::spawn_blocking(move || body::transcode(&said, body, &prepared, target, &bounds)).await;
        let (bytes, is_list) = work.map_err(|_| {
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "reading the body failed for an unknown reason")
        })??;
        let posted = Posted { bytes, is_list, binary: schemas::binary(&base), idempotency_key: key };
        let written = sink.write(posted).await?;
        if !matches!(&written, Written::Answer(response) if !response.status().is_success()) {
            resource.wake();
        }
        Ok(written)
    };
    let written = match repeats {
        Some((repeats, named)) => repeats.once(named, write).await?,
        None => write.await?,
    };
    Ok(match written {
        Written::Inserted(count) => rows::inserted(count),
        Written::Answer(response) => response,
    })
}

/// What is said when something cannot be reached.
pub(super) fn unreachable(status: StatusCode, error: &Error) -> Problem {
    // Where it is is nobody's business but ours.
    tracing::error!("a write failed: {error}");
    Problem::new(status, "what takes the writes of this resource does not answer")
}
