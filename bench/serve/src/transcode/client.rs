//! One client with one connection to each server.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use ureq::Agent;

/// Longer than any answer.
const MOST: u64 = 256 << 20;

pub struct Client(Agent);

/// What is asked.
pub struct Request {
    pub url: String,
    pub accept: &'static str,
    pub body: Body,
}

/// What is sent.
pub enum Body {
    /// GET.
    None,
    /// POST of an empty JSON object.
    Empty,
    /// POST of the map in JSON.
    Map,
}

pub struct Answer {
    pub body: Vec<u8>,
    pub media: String,
    /// Until the last byte.
    pub millis: f64,
}

impl Client {
    pub fn new() -> Client {
        let config = Agent::config_builder().timeout_global(Some(Duration::from_secs(60))).accept_encoding("identity");
        Client(config.build().into())
    }

    /// # Errors
    /// When there is no answer, or none of success.
    pub fn ask(&self, request: &Request, map: &[u8]) -> Result<Answer> {
        let start = Instant::now();
        let sent = match &request.body {
            Body::None => self.0.get(&request.url).header("accept", request.accept).call(),
            Body::Empty => self.post(request).send(&b"{}"[..]),
            Body::Map => self.post(request).send(map),
        };
        let mut answer = sent.with_context(|| request.url.clone())?;
        let body = answer.body_mut().with_config().limit(MOST).read_to_vec()?;
        let millis = start.elapsed().as_secs_f64() * 1000.0;
        let media = answer.headers().get("content-type").and_then(|value| value.to_str().ok()).unwrap_or_default();
        Ok(Answer { body, media: media.to_owned(), millis })
    }

    fn post(&self, request: &Request) -> ureq::RequestBuilder<ureq::typestate::WithBody> {
        self.0.post(&request.url).header("accept", request.accept).header("content-type", "application/json")
    }
}
