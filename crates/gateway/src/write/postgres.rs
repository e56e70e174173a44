//! Rows that are inserted into a table of a PostgreSQL database.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use http::StatusCode;
use tokio_postgres::error::{DbError, SqlState};
use tokio_postgres::{Client, Transaction};
use wirewise_core::Record;
use wirewise_formats::Variant;

use super::columns::{self, Column, Fills};
use super::post::unreachable;
use super::rows;
use super::{Posted, Sink, Written};
use crate::config::PostgresSource;
use crate::problem::Problem;
use crate::source::{Server, postgres_failed};
use crate::{Error, Result};

/// A table.
pub(super) struct Postgres {
    server: Server,
    timeout: Duration,
    /// As it stands in the configuration.
    name: String,
    quoted: String,
    json: &'static Variant,
    /// Its columns, as they were when it was last looked at.
    columns: Mutex<Vec<Column>>,
    idle: tokio::sync::Mutex<Vec<Client>>,
}

/// Connections that are kept for the next write.
const MOST_IDLE: usize = 4;

/// What PostgreSQL knows of the columns of a table.
const COLUMNS: &str = "
select a.attname::text,
       pg_catalog.format_type(a.atttypid, a.atttypmod),
       a.attidentity <> '' or coalesce(pg_catalog.pg_get_expr(d.adbin, d.adrelid) like 'nextval(%', false),
       not a.attnotnull or a.atthasdef or a.attidentity <> '' or a.attgenerated <> ''
from pg_catalog.pg_attribute a
left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attrelid = pg_catalog.to_regclass($1::text) and a.attnum > 0 and not a.attisdropped
order by a.attnum";

impl Postgres {
    /// # Errors
    /// When the name of the table is none, or the url cannot be used.
    pub(super) fn new(table: &str, source: &PostgresSource, url: &str) -> Result<Postgres> {
        Ok(Postgres {
            server: Server::new(url)?,
            timeout: source.timeout.0,
            name: table.to_owned(),
            quoted: columns::table(table)?,
            json: wirewise_formats::find("json")?.1,
            columns: Mutex::default(),
            idle: tokio::sync::Mutex::default(),
        })
    }

    async fn client(&self) -> Result<Client> {
        let mut idle = self.idle.lock().await;
        while let Some(client) = idle.pop() {
            if !client.is_closed() {
                return Ok(client);
            }
        }
        drop(idle);
        self.server.connect(self.timeout).await
    }

    async fn done(&self, client: Client) {
        let mut idle = self.idle.lock().await;
        if idle.len() < MOST_IDLE {
            idle.push(client);
        }
    }

    /// The statement that inserts rows with these columns: all of them are one parameter.
    fn statement(&self, names: &[String]) -> String {
        if names.is_empty() {
            return format!("insert into {} default values", self.quoted);
        }
        let known = self.columns.lock().unwrap_or_else(PoisonError::into_inner);
        let ty = |name: &str| known.iter().find(|column| column.name == *name).map_or("text", |column| &column.ty);
        let (mut selected, mut read) = (Vec::new(), Vec::new());
        for name in names {
            let (column, ty) = (columns::quoted(name), ty(name));
            if ty == "bytea" {
                // JSON has bytes as base64.
                selected.push(format!("pg_catalog.decode({column}, 'base64')"));
                read.push(format!("{column} text"));
            } else {
                read.push(format!("{column} {ty}"));
                selected.push(column);
            }
        }
        let columns: Vec<String> = names.iter().map(|name| columns::quoted(name)).collect();
        format!(
            "insert into {} ({}) select {} from pg_catalog.json_to_recordset($1::text::json) as rows({})",
            self.quoted,
            columns.join(", "),
            selected.join(", "),
            read.join(", "),
        )
    }

    /// All rows, or none.
    async fn insert(
        &self,
        transaction: &Transaction<'_>,
        groups: &BTreeMap<Vec<String>, Group>,
    ) -> Result<u64, Problem> {
        let mut count = 0;
        for (names, group) in groups {
            let statement = self.statement(names);
            if names.is_empty() {
                for _ in 0..group.count {
                    count += transaction.execute(&statement, &[]).await.map_err(|error| failed(&error))?;
                }
                continue;
            }
            count += transaction.execute(&statement, &[&group.json]).await.map_err(|error| failed(&error))?;
        }
        Ok(count)
    }
}

/// Rows that have the same columns: the others have their defaults.
#[derive(Default)]
struct Group {
    json: String,
    count: u64,
}

fn groups(posted: &Posted) -> Result<BTreeMap<Vec<String>, Group>, Problem> {
    let mut groups: BTreeMap<Vec<String>, Group> = BTreeMap::new();
    rows::each(posted, |_, row| {
        let group = groups.entry(row.keys().cloned().collect()).or_default();
        group.json.push(if group.count == 0 { '[' } else { ',' });
        group.json.push_str(&serde_json::Value::Object(row).to_string());
        group.count += 1;
        Ok(())
    })?;
    groups.values_mut().for_each(|group| group.json.push(']'));
    Ok(groups)
}

#[async_trait]
impl Sink for Postgres {
    fn variant(&self) -> &'static Variant {
        self.json
    }

    async fn prepare(&self, record: Option<&Record>) -> Result<Fills> {
        let client = self.client().await?;
        let found = client.query(COLUMNS, &[&self.quoted]).await.map_err(|error| postgres_failed(&error))?;
        self.done(client).await;
        let column = |row: tokio_postgres::Row| {
            Ok(Column {
                name: row.try_get(0)?,
                ty: row.try_get(1)?,
                is_key: row.try_get(2)?,
                is_optional: row.try_get(3)?,
            })
        };
        let columns: Vec<Column> = found
            .into_iter()
            .map(column)
            .collect::<Result<_, tokio_postgres::Error>>()
            .map_err(|error| postgres_failed(&error))?;
        let fills = columns::fit(&self.name, &columns, record)?;
        *self.columns.lock().unwrap_or_else(PoisonError::into_inner) = columns;
        Ok(fills)
    }

    async fn write(&self, posted: Posted) -> Result<Written, Problem> {
        let grouped = tokio::task::spawn_blocking(move || groups(&posted)).await;
        let unknown = |_| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "inserting failed for an unknown reason");
        let groups = grouped.map_err(unknown)??;
        let mut client =
            self.client().await.map_err(|error: Error| unreachable(StatusCode::SERVICE_UNAVAILABLE, &error))?;
        // One that is dropped on the way is rolled back.
        let transaction = client.transaction().await.map_err(|error| failed(&error))?;
        let count = self.insert(&transaction, &groups).await?;
        transaction.commit().await.map_err(|error| failed(&error))?;
        self.done(client).await;
        Ok(Written::Inserted(count))
    }
}

fn failed(error: &tokio_postgres::Error) -> Problem {
    let Some(said) = error.as_db_error() else {
        return unreachable(StatusCode::SERVICE_UNAVAILABLE, &postgres_failed(error));
    };
    let refused = |status| {
        let place = serde_json::json!({ "detail": said.message(), "path": "$" });
        Problem::new(status, "the table refuses a row: nothing was inserted").with("errors", vec![place])
    };
    match said.code() {
        &SqlState::UNIQUE_VIOLATION | &SqlState::EXCLUSION_VIOLATION => refused(StatusCode::CONFLICT),
        code if is_of_values(code) => refused(StatusCode::UNPROCESSABLE_ENTITY),
        _ => failed_itself(said),
    }
}

/// Data exceptions (class 22), broken constraints (23), and what a trigger raises.
fn is_of_values(code: &SqlState) -> bool {
    code.code().starts_with("22") || code.code().starts_with("23") || *code == SqlState::RAISE_EXCEPTION
}

fn failed_itself(said: &DbError) -> Problem {
    tracing::error!("inserting failed: {}", said.message());
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "the database failed: nothing was inserted")
}
