//! What the gateway tells of itself.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use serde::Deserialize;

use super::values::Secret;

/// Metrics, health, logs and traces.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Telemetry {
    /// Where `/metrics`, `/health/live` and `/health/ready` are; nowhere unless given.
    pub listen: Option<SocketAddr>,
    /// The form of the log.
    pub log: LogForm,
    /// What is logged: `error`, `warn`, `info`, `debug`, `trace`, or targets with levels.
    pub level: String,
    /// Whether there is a line in the log for each request.
    pub access: bool,
    /// Whether responses say in `Server-Timing` how long their bytes took to make, and how old they are.
    pub server_timing: bool,
    /// Where traces go.
    pub traces: Option<Traces>,
}

impl Default for Telemetry {
    fn default() -> Self {
        Telemetry {
            listen: None,
            log: LogForm::Text,
            level: "info".to_owned(),
            access: false,
            server_timing: true,
            traces: None,
        }
    }
}

/// The form of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogForm {
    /// For people.
    Text,
    /// An object a line.
    Json,
}

/// Traces, by OpenTelemetry's protocol over HTTP.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Traces {
    /// The URL of the collector: `http://127.0.0.1:4318/v1/traces`.
    pub endpoint: String,
    /// Which part of requests is traced; those whose caller traces them always are.
    #[serde(default = "Traces::default_sample")]
    pub sample: f64,
    /// The name of this service.
    #[serde(default = "Traces::default_service")]
    pub service: String,
    /// Header fields for the collector.
    #[serde(default)]
    pub headers: BTreeMap<String, Secret>,
}

impl Traces {
    fn default_sample() -> f64 {
        1.0
    }

    fn default_service() -> String {
        "wirewise".to_owned()
    }
}
