//! The configuration: what a file says, checked, with a place for every error.
//!
//! A value that means something (a duration, a compressor, a format) is a type that reads itself, so that TOML's reader says
//! where it stands when it is wrong.

mod edge;
mod place;
mod proxy;
mod resource;
mod source;
mod telemetry;
mod values;

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use serde::Deserialize;

pub use edge::{Auth, Cors, Keys, Scopes, Tls};
pub use place::place;
pub use proxy::{Observe, Proxy, Transcode};
pub use resource::Resource;
pub use source::{Endpoint, FileSource, PostgresSource, Source, SqliteSource, Write};
pub use telemetry::{LogForm, Telemetry, Traces};
pub use values::{Coding, Duration, Secret, Shapes, Size, VariantName};

use crate::Result;

/// All that `wirewise serve` is told.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Where to listen. Loopback unless another address is given.
    pub listen: SocketAddr,
    /// Whether people look at responses: `?format=` chooses one, and JSON is written with line breaks.
    pub development: bool,
    /// The path of an OpenAPI description; `/openapi.json` unless there is a proxy.
    pub openapi: Option<String>,
    /// What hostile clients may make us do.
    pub limits: Limits,
    /// How replicas share versions.
    pub cluster: Option<Cluster>,
    /// Certificates: connections are by TLS.
    pub tls: Option<Tls>,
    /// Who may use the resources; everybody unless given.
    pub auth: Option<Auth>,
    /// Pages of which origins may use the resources from a browser.
    pub cors: Option<Cors>,
    /// Metrics, health, logs and traces.
    pub telemetry: Telemetry,
    /// The API that answers whatever is no resource.
    pub proxy: Option<Proxy>,
    /// What is served, by name.
    pub resources: BTreeMap<String, Resource>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            development: false,
            openapi: None,
            limits: Limits::default(),
            cluster: None,
            tls: None,
            auth: None,
            cors: None,
            telemetry: Telemetry::default(),
            proxy: None,
            resources: BTreeMap::new(),
        }
    }
}

/// Replicas that share versions through Redis or Valkey.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cluster {
    /// The URL of Redis: `redis://host:6379/0`, or `rediss://` for TLS.
    pub redis: Secret,
    /// What all keys begin with: gateways with the same one are replicas of each other.
    #[serde(default = "Cluster::default_prefix")]
    pub prefix: String,
    /// For how long a leader leads without saying so again.
    #[serde(default = "Cluster::default_lease")]
    pub lease: Duration,
}

impl Cluster {
    fn default_prefix() -> String {
        "wirewise".to_owned()
    }

    fn default_lease() -> Duration {
        Duration::seconds(10)
    }
}

/// Bounds on requests and connections.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Connections at a time; more wait.
    pub connections: usize,
    /// Longest head of a request.
    pub head: Size,
    /// Longest target of a request: path and query.
    pub target: Size,
    /// How long the head of a request may take, and the handshake of TLS.
    pub head_time: Duration,
    /// How long a connection may be idle. HTTP/1 connections wait for no longer than `head_time` either.
    pub idle_time: Duration,
    /// How long an answer may take.
    pub request_time: Duration,
    /// How long a client may take nothing of what is sent to it.
    pub send_time: Duration,
    /// Requests at a time on one connection of HTTP/2.
    pub streams: u32,
    /// Requests that a client of HTTP/2 may cancel before they were looked at, until its connection is closed.
    pub resets: usize,
    /// How long clients that connect at the start wait for the first data of all resources, before they are told that there is
    /// none yet.
    pub start_time: Duration,
    /// How long requests are still taken after readiness was turned off, when the gateway is stopped.
    pub drain_delay: Duration,
    /// How long requests in progress may take when the gateway is stopped.
    pub drain_time: Duration,
    /// Longest body of a request, as it is sent.
    pub body: Size,
    /// Longest body of a request, once it is decompressed.
    pub decoded: Size,
    /// How long the body of a request may take.
    pub body_time: Duration,
    /// Most memory for one decoded message of a source.
    pub memory: Size,
    /// Inserts of each resource whose `Idempotency-Key` is remembered; 0 for none.
    pub idempotency_keys: usize,
    /// For how long.
    pub idempotency_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            connections: 10_000,
            head: Size(64 << 10),
            target: Size(8 << 10),
            head_time: Duration::seconds(30),
            idle_time: Duration::seconds(75),
            request_time: Duration::seconds(60),
            send_time: Duration::seconds(60),
            streams: 100,
            resets: 20,
            start_time: Duration::seconds(10),
            drain_delay: Duration::seconds(0),
            drain_time: Duration::seconds(30),
            body: Size(16 << 20),
            decoded: Size(64 << 20),
            body_time: Duration::seconds(30),
            memory: Size(4 << 30),
            idempotency_keys: 10_000,
            idempotency_time: Duration::seconds(3600),
        }
    }
}

impl Config {
    /// Reads the text of a configuration file.
    ///
    /// # Errors
    /// With the place of what is wrong.
    pub fn parse(text: &str) -> Result<Config> {
        Ok(toml::from_str(text)?)
    }

    /// Makes relative paths start at the folder of the configuration file.
    pub fn start_at(&mut self, folder: &Path) {
        self.resources.values_mut().for_each(|resource| resource.start_at(folder));
        if let Some(tls) = &mut self.tls {
            tls.start_at(folder);
        }
        if let Some(auth) = &mut self.auth {
            auth.keys.start_at(folder);
        }
        if let Some(proxy) = &mut self.proxy {
            proxy.start_at(folder);
        }
        let traces = self.telemetry.traces.iter_mut().flat_map(|traces| traces.headers.values_mut());
        let cluster = self.cluster.iter_mut().map(|cluster| &mut cluster.redis);
        traces.chain(cluster).for_each(|secret| secret.start_at(folder));
    }
}
