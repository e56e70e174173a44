//! A query of a PostgreSQL database.

mod connect;
mod values;

use std::time::Duration;

use async_trait::async_trait;
use futures_util::TryStreamExt as _;
use tokio_postgres::Client;

pub(crate) use connect::{Server, failed};

use super::rows::Rows;
use super::{Data, Fetched, Source, Validator};
use crate::config::PostgresSource;
use crate::{Error, Result};

/// A query of a PostgreSQL database. The connection stays open, and is made anew when it has ended.
pub struct Postgres {
    server: Server,
    query: String,
    most_bytes: usize,
    timeout: Duration,
    connection: tokio::sync::Mutex<Option<Client>>,
}

impl Postgres {
    /// The database of a configuration, whose url is known.
    ///
    /// # Errors
    /// When the url cannot be used; never with the url.
    pub fn new(config: &PostgresSource, url: &str, most_bytes: usize) -> Result<Postgres> {
        let server = Server::new(url)?;
        let (query, timeout) = (config.query.clone(), config.timeout.0);
        Ok(Postgres { server, query, most_bytes, timeout, connection: tokio::sync::Mutex::default() })
    }

    async fn client(&self, known: Option<Client>) -> Result<Client> {
        if let Some(client) = known.filter(|client| !client.is_closed()) {
            return Ok(client);
        }
        let client = self.server.connect(self.timeout).await?;
        // Nothing that this connection is asked may change anything.
        client.batch_execute("set default_transaction_read_only = on").await.map_err(|error| failed(&error))?;
        Ok(client)
    }
}

#[async_trait]
impl Source for Postgres {
    fn describe(&self) -> String {
        format!("a query of {}", self.server.describe())
    }

    async fn fetch(&self, _: Option<&Validator>) -> Result<Fetched> {
        let mut connection = self.connection.lock().await;
        let client = self.client(connection.take()).await?;
        let (query, most_bytes) = (self.query.clone(), self.most_bytes);
        // Writing many rows takes a while: not on a thread that answers requests.
        let runtime = tokio::runtime::Handle::current();
        let work = tokio::task::spawn_blocking(move || {
            let data = runtime.block_on(read(&client, &query, most_bytes));
            (client, data)
        });
        // The server ends what takes too long itself; this is for one that does not answer at all.
        let ended = tokio::time::timeout(self.timeout + Duration::from_secs(5), work).await;
        let silent = || Error::new(format!("{} does not answer", self.server.describe()));
        let (client, data) = ended
            .map_err(|_| silent())?
            .map_err(|_| Error::new("reading the database failed for an unknown reason: please report this"))?;
        *connection = Some(client);
        data.map(Fetched::Data)
    }
}

async fn read(client: &Client, query: &str, most_bytes: usize) -> Result<Data> {
    let wrong = |error: tokio_postgres::Error| failed(&error);
    let statement = client.prepare(query).await.map_err(wrong)?;
    let columns = statement.columns();
    let mut out = Rows::new(columns.iter().map(|column| column.name()), most_bytes)?;
    let writers = columns
        .iter()
        .map(|column| {
            values::Writer::new(column.type_()).map_err(|error| error.of(format!("column {:?}", column.name())))
        })
        .collect::<Result<Vec<_>>>()?;
    let found = client.query_raw(&statement, std::iter::empty::<&str>()).await.map_err(wrong)?;
    futures_util::pin_mut!(found);
    while let Some(row) = found.try_next().await.map_err(wrong)? {
        out.row(|at, out| {
            let value: values::Raw<'_> = row.try_get(at).map_err(|error| failed(&error))?;
            writers[at].write(value.0, out)
        })?;
    }
    out.finish(None)
}
