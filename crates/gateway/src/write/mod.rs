//! Writes: what is posted to a resource is checked against its schema, and then goes where the data comes from.
//!
//! `body` takes a request apart, `schemas` says with which schemas it is read, and each kind of sink is a file.

mod body;
mod columns;
mod forward;
mod post;
mod postgres;
mod repeats;
mod rows;
mod schemas;
mod sqlite;

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use http::{HeaderValue, Response};
use wirewise_core::Record;
use wirewise_formats::Variant;

pub use post::Writer;
pub(crate) use post::post;

use crate::config::{self, Source, Write};
use crate::gateway::Body;
use crate::problem::Problem;
use crate::{Error, Result, Surroundings};

use columns::Fills;
use repeats::Repeats;

/// Where writes go.
#[async_trait]
trait Sink: Send + Sync {
    /// The variant in which it takes messages.
    fn variant(&self) -> &'static Variant;

    /// Whether records of this type can go there, and which of their fields it can fill itself.
    async fn prepare(&self, record: Option<&Record>) -> Result<Fills>;

    /// Takes a message.
    async fn write(&self, posted: Posted) -> Result<Written, Problem>;
}

/// What became of a message.
enum Written {
    /// So many rows were inserted.
    Inserted(u64),
    /// Another server says so.
    Answer(Response<Body>),
}

/// What was posted, checked and written anew.
struct Posted {
    /// In the variant that the sink takes.
    bytes: Bytes,
    /// Whether it is a list of records, and not a single one.
    is_list: bool,
    /// Which fields of records are bytes.
    binary: Vec<String>,
    /// What the client calls this write, so that it can be repeated.
    idempotency_key: Option<HeaderValue>,
}

/// The sink of a configuration.
fn sink(write: &Write, source: &Source, surroundings: &dyn Surroundings) -> Result<Arc<dyn Sink>> {
    Ok(match (write, source) {
        (Write::Forward(forward), _) => Arc::new(forward::Forward::new(forward, surroundings)?),
        (Write::Insert(table), Source::Sqlite(source)) => Arc::new(sqlite::Sqlite::new(table, source)?),
        (Write::Insert(table), Source::Postgres(source)) => {
            Arc::new(postgres::Postgres::new(table, source, &surroundings.secret(&source.url)?)?)
        }
        (Write::Insert(_), Source::File(_) | Source::Http(_)) => {
            return Err(Error::new("write.insert needs a source with tables: sqlite or postgres")
                .hint("write.forward = { url = \"...\" } passes writes on to a server"));
        }
    })
}

/// What takes the writes of a resource.
///
/// # Errors
/// When the configuration cannot be used.
pub(crate) fn of(
    resource: &config::Resource,
    limits: &config::Limits,
    surroundings: &dyn Surroundings,
) -> Result<Option<Writer>> {
    let Some(write) = &resource.write else { return Ok(None) };
    // Other servers get the keys of clients, and know themselves what they have done.
    let knows_repeats = matches!(write, Write::Insert(_)) && limits.idempotency_keys > 0;
    let repeats = knows_repeats.then(|| Arc::new(Repeats::new(limits)));
    Ok(Some(Writer::new(sink(write, &resource.source, surroundings)?, repeats, limits)))
}
