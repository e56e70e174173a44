//! Looking at some of the JSON that passes: what each format and compressor would save, by the kind of path.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::Response;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::{BodyExt as _, Either};
use hyper::body::Incoming;
use serde::Serialize;
use wirewise_core::Limits;
use wirewise_formats::{Framing, Variant};

use super::{pass, route};
use crate::codings;
use crate::config;
use crate::gateway::Body;
use crate::ingest::Recipes;
use crate::offer::Menu;
use crate::source::Data;
use crate::version::hash;
use crate::{Error, Result, media};

/// Kinds of paths that are told apart; the rest is counted together.
const MOST_ROUTES: usize = 200;

/// Responses that wait to be looked at; more are passed over.
const MOST_WAITING: usize = 4;

/// What is seen.
pub(crate) struct Observer {
    /// One in so many; zero for none.
    every: u64,
    count: AtomicU64,
    most: usize,
    queue: SyncSender<Seen>,
    routes: Arc<Mutex<BTreeMap<String, Route>>>,
}

/// A response that was let through, and kept.
struct Seen {
    route: String,
    bytes: Bytes,
    codings: Vec<String>,
    variant: &'static Variant,
}

/// What was found of one kind of path.
#[derive(Debug, Default, Clone, Serialize)]
struct Route {
    /// Responses that passed.
    responses: u64,
    /// Those that were looked at.
    sampled: u64,
    /// Those of them that are no message of one kind, or that some format cannot hold.
    failed: u64,
    /// Why, the last time.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// Bytes on the wire of those that were looked at, as they were sent.
    sent_bytes: u64,
    /// What they would be, by representation and content coding.
    found: BTreeMap<String, BTreeMap<&'static str, Sum>>,
}

#[derive(Debug, Default, Clone, Copy, Serialize)]
struct Sum {
    bytes: u64,
    /// What writing and compressing took.
    micros: u64,
}

impl Observer {
    /// Looks at what the configuration says, on a thread of its own.
    ///
    /// # Errors
    /// When there is no thread.
    pub(crate) fn new(config: &config::Observe) -> Result<Observer> {
        let (queue, waiting) = sync_channel(MOST_WAITING);
        let routes = Arc::<Mutex<BTreeMap<String, Route>>>::default();
        let most = usize::try_from(config.most.0).unwrap_or(usize::MAX);
        let (shared, recipes) = (routes.clone(), recipes(most)?);
        let thread = std::thread::Builder::new().name("observe".to_owned());
        thread.spawn(move || look(&waiting, &shared, &recipes)).map_err(|error| Error::new(error.to_string()))?;
        let every = if config.sample > 0.0 { (1.0 / config.sample).round() as u64 } else { 0 };
        Ok(Observer { every, count: AtomicU64::new(0), most, queue, routes })
    }

    /// Lets a response through, and keeps its bytes if it is one to look at.
    pub(super) fn watch(self: &Arc<Self>, path: &str, response: Response<Incoming>) -> Response<Body> {
        let text = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let content = text.and_then(media::content).filter(|content| content.variant.text);
        let Some(content) = content.filter(|_| response.status() == http::StatusCode::OK) else {
            return response.map(pass::body);
        };
        let route = self.counted(route::kind(path));
        let is_short = response.body().size_hint().lower() <= self.most as u64;
        let is_next = self.every > 0 && self.count.fetch_add(1, Ordering::Relaxed).is_multiple_of(self.every);
        if !is_next || !is_short || response.headers().get_all(CONTENT_ENCODING).iter().count() > 1 {
            return response.map(pass::body);
        }
        let codings = codings::of(response.headers());
        response.map(|body| {
            let kept = Some((Vec::new(), Seen { route, bytes: Bytes::new(), codings, variant: content.variant }));
            Either::Right(Kept { body, kept, observer: self.clone() }.boxed())
        })
    }

    /// Counts a response; too many kinds of paths are one.
    fn counted(&self, route: String) -> String {
        let mut routes = lock(&self.routes);
        let route = if routes.len() < MOST_ROUTES || routes.contains_key(&route) { route } else { "*".to_owned() };
        routes.entry(route.clone()).or_default().responses += 1;
        route
    }

    /// What was found so far, as JSON.
    pub(crate) fn report(&self) -> serde_json::Value {
        let routes = lock(&self.routes).clone();
        serde_json::json!({ "wirewise": "observe/1", "one_in": self.every, "routes": routes })
    }
}

fn lock(routes: &Mutex<BTreeMap<String, Route>>) -> MutexGuard<'_, BTreeMap<String, Route>> {
    routes.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Every format and compressor that a resource has unless it says otherwise.
fn recipes(most: usize) -> Result<Recipes> {
    let source = config::Source::File(config::FileSource { path: "observed.json".into(), format: None });
    let menu = Menu::new(&config::Resource::of(source))?;
    let limits = Limits {
        message_bytes: most.min(u32::MAX as usize),
        memory_bytes: most.saturating_mul(16),
        ..Limits::default()
    };
    Ok(Recipes { name: "Message".to_owned(), menu, shapes: config::Shapes::Auto, limits })
}

fn look(waiting: &Receiver<Seen>, routes: &Mutex<BTreeMap<String, Route>>, recipes: &Recipes) {
    while let Ok(seen) = waiting.recv() {
        let found = measured(&seen, recipes);
        let mut routes = lock(routes);
        let route = routes.entry(seen.route).or_default();
        route.sampled += 1;
        match found {
            Ok(found) => {
                route.sent_bytes += seen.bytes.len() as u64;
                for (representation, coding, sum) in found {
                    let known = route.found.entry(representation).or_default().entry(coding).or_default();
                    known.bytes += sum.bytes;
                    known.micros += sum.micros;
                }
            }
            Err(error) => {
                route.failed += 1;
                route.error = Some(error.to_string());
            }
        }
    }
}

/// What a response would be in every representation and content coding.
fn measured(seen: &Seen, recipes: &Recipes) -> Result<Vec<(String, &'static str, Sum)>> {
    let most = recipes.limits.message_bytes;
    let bytes = codings::decode(&seen.codings, seen.bytes.clone(), most)
        .map_err(|error| Error::new(format!("its content coding cannot be undone: {error}")))?;
    let source = hash(&bytes);
    let data = Data { bytes, variant: seen.variant, framing: Framing::None, validator: None };
    let plan = recipes.infer(&data)?;
    let (version, _) = recipes.make(&plan, &data, source)?;
    let mut found = Vec::new();
    for representation in &version.representations {
        let shaped = if representation.is_shaped { " shaped" } else { "" };
        for body in &representation.bodies {
            let micros = (representation.encode + body.time).as_micros() as u64;
            let sum = Sum { bytes: body.bytes.len() as u64, micros };
            found.push((format!("{}{shaped}", representation.variant.id), body.coding, sum));
        }
    }
    Ok(found)
}

/// A body that is kept while it passes.
struct Kept {
    body: Incoming,
    kept: Option<(Vec<u8>, Seen)>,
    observer: Arc<Observer>,
}

impl Kept {
    fn end(&mut self) {
        if let Some((bytes, mut seen)) = self.kept.take() {
            seen.bytes = Bytes::from(bytes);
            // Where too many wait already, this one is not looked at.
            let _ = self.observer.queue.try_send(seen);
        }
    }
}

impl http_body::Body for Kept {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        match &frame {
            None => self.end(),
            Some(Err(_)) => self.kept = None,
            Some(Ok(frame)) => {
                let most = self.observer.most;
                if let Some((bytes, data)) = self.kept.as_mut().map(|(bytes, _)| bytes).zip(frame.data_ref()) {
                    bytes.extend_from_slice(data);
                    if bytes.len() > most {
                        self.kept = None;
                    }
                }
                if self.body.is_end_stream() {
                    self.end();
                }
            }
        }
        Poll::Ready(frame.map(|frame| frame.map_err(|error| Error::new(format!("the upstream broke off: {error}")))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
