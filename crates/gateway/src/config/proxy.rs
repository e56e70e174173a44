//! The API that the gateway stands in front of.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

use super::values::{Duration, Secret, Size, VariantName};

/// A server that answers whatever is no resource.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proxy {
    /// Its URL; the path and the query of a request come after it.
    pub url: Secret,
    /// What is added to the head of every request.
    #[serde(default)]
    pub headers: BTreeMap<String, Secret>,
    /// How long the head of a response may take.
    #[serde(default = "Proxy::default_timeout")]
    pub timeout: Duration,
    /// Looks at some of the JSON that passes, and says what other formats would save.
    #[serde(default)]
    pub observe: Option<Observe>,
    /// Paths whose messages are converted: clients speak any format, the server its own.
    #[serde(default)]
    pub transcode: Vec<Transcode>,
}

impl Proxy {
    fn default_timeout() -> Duration {
        Duration::seconds(30)
    }

    pub(super) fn start_at(&mut self, folder: &Path) {
        self.url.start_at(folder);
        self.headers.values_mut().for_each(|secret| secret.start_at(folder));
        for route in &mut self.transcode {
            route.schema = folder.join(&route.schema);
        }
    }
}

/// How much of the traffic is looked at.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Observe {
    /// The part of the responses: 0.01 is one in a hundred.
    #[serde(deserialize_with = "part")]
    pub sample: f64,
    /// Longer ones are not looked at.
    pub most: Size,
}

impl Default for Observe {
    fn default() -> Self {
        Observe { sample: 0.01, most: Size(8 << 20) }
    }
}

fn part<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let part = f64::deserialize(deserializer)?;
    match (0.0..=1.0).contains(&part) {
        true => Ok(part),
        false => Err(D::Error::custom(format!("{part} is no part; write a number from 0 to 1"))),
    }
}

/// Paths whose messages are converted on their way.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transcode {
    /// The path; a `*` stands for any one segment, and at the end for all that follows.
    pub path: String,
    /// The file with the schema of messages, in any language.
    pub schema: PathBuf,
    /// The type of responses, where the file leaves that open.
    #[serde(default)]
    pub response: Option<String>,
    /// The type of requests, where it is another one.
    #[serde(default)]
    pub request: Option<String>,
    /// What the server speaks.
    #[serde(default)]
    pub format: Option<VariantName>,
}
