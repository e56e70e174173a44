//! What stands between the network and the resources: TLS, who may read and write, and which pages of browsers may.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::Deserializer;

use super::values::Duration;

/// Certificates: connections are by TLS.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tls {
    /// The file with the chain of certificates (PEM), the server's own first.
    pub certificate: PathBuf,
    /// The file with the private key (PEM).
    pub key: PathBuf,
    /// How often the files are looked at: certificates that were renewed are used from then on.
    #[serde(default = "Tls::default_reload")]
    pub reload: Duration,
}

impl Tls {
    fn default_reload() -> Duration {
        Duration::seconds(10)
    }

    pub(super) fn start_at(&mut self, folder: &Path) {
        self.certificate = folder.join(&self.certificate);
        self.key = folder.join(&self.key);
    }
}

/// Who may use the resources: whoever has a token (JWT) of this issuer, for this audience.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Auth {
    /// Who makes the tokens: their claim `iss`.
    pub issuer: String,
    /// For whom: one of these is in their claim `aud`.
    #[serde(deserialize_with = "one_or_many")]
    pub audience: Vec<String>,
    /// The public keys of the issuer.
    pub keys: Keys,
    /// How often the keys are asked for.
    #[serde(default = "Auth::default_refresh")]
    pub refresh: Duration,
    /// By how much clocks may differ.
    #[serde(default = "Auth::default_skew")]
    pub clock_skew: Duration,
}

impl Auth {
    fn default_refresh() -> Duration {
        Duration::seconds(600)
    }

    fn default_skew() -> Duration {
        Duration::seconds(60)
    }
}

/// Where public keys are.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keys {
    /// A URL that answers a set of keys (JWKS).
    Url(String),
    /// A file with a set of keys, or with one public key (PEM).
    File(PathBuf),
}

impl Keys {
    pub(super) fn start_at(&mut self, folder: &Path) {
        if let Keys::File(path) = self {
            *path = folder.join(&*path);
        }
    }
}

/// What a token must allow: all of these.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scopes {
    /// To read.
    pub read: Vec<String>,
    /// To write.
    pub write: Vec<String>,
}

/// Pages of which origins may use the resources from a browser.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cors {
    /// The origins, such as `https://example.org`; `*` for all.
    pub origins: Vec<String>,
    /// What they may do.
    #[serde(default = "Cors::default_methods")]
    pub methods: Vec<String>,
    /// Which header fields they may send.
    #[serde(default = "Cors::default_headers")]
    pub headers: Vec<String>,
    /// Which header fields of responses they may see.
    #[serde(default = "Cors::default_expose")]
    pub expose: Vec<String>,
    /// Whether browsers send cookies and the like.
    #[serde(default)]
    pub credentials: bool,
    /// For how long browsers need not ask again.
    #[serde(default = "Cors::default_max_age")]
    pub max_age: Duration,
}

impl Cors {
    fn default_methods() -> Vec<String> {
        ["GET", "HEAD", "POST"].map(str::to_owned).into()
    }

    fn default_headers() -> Vec<String> {
        ["Accept", "Authorization", "Content-Encoding", "Content-Type", "If-Match", "If-None-Match", "Range"]
            .map(str::to_owned)
            .into()
    }

    fn default_expose() -> Vec<String> {
        ["Age", "Content-Encoding", "Content-Length", "Content-Range", "ETag", "Link", "Server-Timing"]
            .map(str::to_owned)
            .into()
    }

    fn default_max_age() -> Duration {
        Duration::seconds(600)
    }
}

fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected text, or a list of texts")]
    enum Form {
        One(String),
        Many(Vec<String>),
    }
    Ok(match Form::deserialize(deserializer)? {
        Form::One(one) => vec![one],
        Form::Many(many) => many,
    })
}
