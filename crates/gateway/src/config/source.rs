//! Where data comes from, and where writes go.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::values::{Duration, Secret, VariantName};

/// Where data comes from.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// A file.
    File(FileSource),
    /// A query of a SQLite database.
    Sqlite(SqliteSource),
    /// A query of a PostgreSQL database.
    Postgres(PostgresSource),
    /// Another server.
    Http(HttpSource),
}

/// A file in any format.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileSource {
    /// Its path.
    pub path: PathBuf,
    /// Its format; what its name says unless given.
    #[serde(default)]
    pub format: Option<VariantName>,
}

/// How long a query, or a response, may take unless the configuration says.
const TIMEOUT: Duration = Duration::seconds(30);

fn timeout() -> Duration {
    TIMEOUT
}

/// A query of a SQLite database.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SqliteSource {
    /// The file of the database.
    pub database: PathBuf,
    /// What is asked: one statement that only reads.
    pub query: String,
    /// How long that may take.
    #[serde(default = "timeout")]
    pub timeout: Duration,
}

/// A query of a PostgreSQL database.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PostgresSource {
    /// `postgres://user:password@host/database`, with `?sslmode=require` for TLS.
    pub url: Secret,
    /// What is asked: one statement that only reads.
    pub query: String,
    /// How long that may take.
    #[serde(default = "timeout")]
    pub timeout: Duration,
}

/// Another server.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HttpSource {
    /// What is asked for.
    pub url: Secret,
    /// The format of its responses; what their `Content-Type` says unless given.
    #[serde(default)]
    pub format: Option<VariantName>,
    /// Further fields of the head of requests.
    #[serde(default)]
    pub headers: BTreeMap<String, Secret>,
    /// How long a response may take.
    #[serde(default = "timeout")]
    pub timeout: Duration,
}

/// Where writes go.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Write {
    /// Into this table of the source's database.
    Insert(String),
    /// To another server.
    Forward(Forward),
}

/// Another server that takes writes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forward {
    /// Where they are posted to.
    pub url: Secret,
    /// The format that it takes; JSON unless given.
    #[serde(default)]
    pub format: Option<VariantName>,
    /// Further fields of the head of requests.
    #[serde(default)]
    pub headers: BTreeMap<String, Secret>,
    /// How long a response may take.
    #[serde(default = "timeout")]
    pub timeout: Duration,
}

impl Source {
    /// Makes relative paths start at this folder.
    pub(super) fn start_at(&mut self, folder: &Path) {
        match self {
            Source::File(file) => file.path = folder.join(&file.path),
            Source::Sqlite(sqlite) => sqlite.database = folder.join(&sqlite.database),
            Source::Postgres(postgres) => postgres.url.start_at(folder),
            Source::Http(http) => {
                http.url.start_at(folder);
                http.headers.values_mut().for_each(|secret| secret.start_at(folder));
            }
        }
    }
}

impl Write {
    /// Makes relative paths start at this folder.
    pub(super) fn start_at(&mut self, folder: &Path) {
        if let Write::Forward(forward) = self {
            forward.url.start_at(folder);
            forward.headers.values_mut().for_each(|secret| secret.start_at(folder));
        }
    }
}
