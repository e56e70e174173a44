//! Where data comes from: each source is a file of this folder.

mod file;
mod http;
mod postgres;
mod rows;
mod sqlite;

use async_trait::async_trait;
use bytes::Bytes;
use wirewise_formats::{Framing, Variant};

pub use file::File;
pub use http::Http;
pub use postgres::Postgres;
pub use sqlite::Sqlite;

pub(crate) use postgres::{Server, failed as postgres_failed};
pub(crate) use sqlite::failed as sqlite_failed;

use crate::config;
use crate::{Result, Surroundings};

/// Where the data of a resource comes from.
#[async_trait]
pub trait Source: Send + Sync {
    /// What it is, for logs and errors; without secrets.
    fn describe(&self) -> String;

    /// The data as it is now.
    ///
    /// # Errors
    /// When it cannot be had.
    async fn fetch(&self, known: Option<&Validator>) -> Result<Fetched>;
}

/// What a source says its data is known by: an ETag, a time, a size. Only the source itself understands it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Validator(pub String);

/// What a source answers.
#[derive(Debug)]
pub enum Fetched {
    /// The data is what the validator stands for.
    Unchanged,
    /// The data.
    Data(Data),
}

/// Data as it comes from a source.
#[derive(Debug, Clone)]
pub struct Data {
    /// One message, or several.
    pub bytes: Bytes,
    /// How they are written.
    pub variant: &'static Variant,
    /// How they follow each other.
    pub framing: Framing,
    /// What to say next time.
    pub validator: Option<Validator>,
}

/// The source of a configuration.
///
/// # Errors
/// When it cannot be used.
pub(crate) fn of(
    source: &config::Source,
    surroundings: &dyn Surroundings,
    most_bytes: usize,
) -> Result<Box<dyn Source>> {
    Ok(match source {
        config::Source::File(file) => Box::new(File::new(file, most_bytes as u64)?),
        config::Source::Sqlite(sqlite) => Box::new(Sqlite::new(sqlite, most_bytes)),
        config::Source::Postgres(postgres) => {
            Box::new(Postgres::new(postgres, &surroundings.secret(&postgres.url)?, most_bytes)?)
        }
        config::Source::Http(http) => Box::new(Http::new(http, surroundings, most_bytes)?),
    })
}
