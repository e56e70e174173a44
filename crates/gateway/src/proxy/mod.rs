//! In front of an existing API, without touching it.
//!
//! What is no resource passes through ([`pass`]). On the way, JSON can be looked at ([`observe`]), and messages of some paths be
//! converted ([`transcode`]).

mod observe;
mod pass;
mod route;
mod transcode;

use std::sync::Arc;

use http::{Request, Response};
use hyper::body::Incoming;

use crate::bounds::Bounds;
use crate::config;
use crate::gateway::{Body, Surroundings};
use crate::problem::Problem;
use crate::resource::SchemaFiles;
use crate::{Error, Result};

pub(crate) use observe::Observer;

use pass::Passage;
use route::Pattern;
use transcode::Route;

/// The API behind the gateway.
pub(crate) struct Proxy {
    passage: Passage,
    observer: Option<Arc<Observer>>,
    routes: Vec<(Pattern, Arc<Route>)>,
}

impl Proxy {
    /// As the configuration says.
    ///
    /// # Errors
    /// When the URL cannot be used, or a schema not be read.
    pub(crate) fn new(
        config: &config::Proxy,
        limits: &config::Limits,
        surroundings: &dyn Surroundings,
    ) -> Result<Proxy> {
        let files = surroundings.schemas();
        let route = |route: &config::Transcode| -> Result<(Pattern, Arc<Route>)> {
            let made = Pattern::parse(&route.path).and_then(|pattern| {
                Ok((pattern, Arc::new(Route::new(route, &*files as &dyn SchemaFiles, Bounds::new(limits))?)))
            });
            made.map_err(|error| error.of(format!("transcode {}", route.path)))
        };
        Ok(Proxy {
            passage: Passage::new(config, surroundings)?,
            observer: config.observe.as_ref().map(Observer::new).transpose()?.map(Arc::new),
            routes: config.transcode.iter().map(route).collect::<Result<_>>()?,
        })
    }

    /// What was seen.
    pub(crate) fn observer(&self) -> Option<&Arc<Observer>> {
        self.observer.as_ref()
    }

    /// Answers with what the API answers.
    pub(crate) async fn handle(&self, request: Request<Incoming>) -> Result<Response<Body>, Problem> {
        let path = request.uri().path().to_owned();
        if let Some((_, route)) = self.routes.iter().find(|(pattern, _)| pattern.matches(&path)) {
            return transcode::handle(route, &self.passage, request).await;
        }
        let method = request.method().clone();
        let response = self.passage.send(pass::streamed(request)).await?;
        match &self.observer {
            Some(observer) if method == http::Method::GET => Ok(observer.watch(&path, response)),
            _ => Ok(response.map(pass::body)),
        }
    }
}

/// 502: the API does not answer as it should.
fn bad_gateway(error: &Error) -> Problem {
    tracing::warn!("the upstream failed: {error}");
    // What it says about itself is for those who run it.
    Problem::new(http::StatusCode::BAD_GATEWAY, "the server behind this one cannot be reached, or did not answer")
}
