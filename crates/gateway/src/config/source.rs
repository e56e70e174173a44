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
    Http(Endpoint),
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

/// Another server: data comes from there, or writes go there.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Endpoint {
    /// What is asked for, or posted to.
    pub url: Secret,
    /// The format of its messages. Unless given, a source's is what their `Content-Type` says, and writes are JSON.
    #[serde(default)]
    pub format: Option<VariantName>,
    /// Further fields of the head of requests.
    #[serde(default)]
    pub headers: BTreeMap<String, Secret>,
    /// How long a response may take.
    #[serde(default = "timeout")]
    pub timeout: Duration,
}

impl Endpoint {
    fn start_at(&mut self, folder: &Path) {
        self.url.start_at(folder);
        self.headers.values_mut().for_each(|secret| secret.start_at(folder));
    }
}

/// Where writes go.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Write {
    /// Into this table of the source's database.
    Insert(String),
    /// To another server.
    Forward(Endpoint),
}

impl Source {
    /// Makes relative paths start at this folder.
    pub(super) fn start_at(&mut self, folder: &Path) {
        match self {
            Source::File(file) => file.path = folder.join(&file.path),
            Source::Sqlite(sqlite) => sqlite.database = folder.join(&sqlite.database),
            Source::Postgres(postgres) => postgres.url.start_at(folder),
            Source::Http(endpoint) => endpoint.start_at(folder),
        }
    }
}

impl Write {
    /// Makes relative paths start at this folder.
    pub(super) fn start_at(&mut self, folder: &Path) {
        if let Write::Forward(endpoint) = self {
            endpoint.start_at(folder);
        }
    }
}
