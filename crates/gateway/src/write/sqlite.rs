//! Rows that are inserted into a table of a SQLite database.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::RETRY_AFTER;
use http::{HeaderValue, StatusCode};
use rusqlite::types::Value as Bound;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};
use serde_json::Value;
use wirewise_core::Record;
use wirewise_formats::Variant;

use super::columns::{self, Column, Fills};
use super::rows::{self, Row};
use super::{Posted, Sink, Written};
use crate::config::SqliteSource;
use crate::problem::Problem;
use crate::source::sqlite_failed;
use crate::{Error, Result};

/// A table.
pub(super) struct Sqlite {
    table: Arc<Table>,
    json: &'static Variant,
}

struct Table {
    path: PathBuf,
    /// As it stands in the configuration.
    name: String,
    quoted: String,
    /// Its columns of bytes, as they were when it was last looked at.
    blobs: Mutex<Vec<String>>,
}

impl Sqlite {
    /// # Errors
    /// When the name of the table is none.
    pub(super) fn new(table: &str, source: &SqliteSource) -> Result<Sqlite> {
        let quoted = columns::table(table)?;
        let table = Table { path: source.database.clone(), name: table.to_owned(), quoted, blobs: Mutex::default() };
        Ok(Sqlite { table: Arc::new(table), json: wirewise_formats::find("json")?.1 })
    }
}

#[async_trait]
impl Sink for Sqlite {
    fn variant(&self) -> &'static Variant {
        self.json
    }

    async fn prepare(&self, record: Option<&Record>) -> Result<Fills> {
        let table = self.table.clone();
        let columns = tokio::task::spawn_blocking(move || table.columns()).await;
        let columns = columns.map_err(|_| Error::new("reading the database failed for an unknown reason"))?;
        let columns = columns.map_err(|error| sqlite_failed(&error))?;
        let blobs = columns.iter().filter(|column| column.ty.eq_ignore_ascii_case("blob"));
        let blobs = blobs.map(|column| column.name.clone()).collect();
        *self.table.blobs.lock().unwrap_or_else(PoisonError::into_inner) = blobs;
        columns::fit(&self.table.name, &columns, record)
    }

    async fn write(&self, posted: Posted) -> Result<Written, Problem> {
        let table = self.table.clone();
        let done = tokio::task::spawn_blocking(move || table.insert(&posted)).await;
        let unknown = |_| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "inserting failed for an unknown reason");
        done.map_err(unknown)?.map(Written::Inserted)
    }
}

impl Table {
    fn open(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        connection.pragma_update(None, "foreign_keys", true)?;
        Ok(connection)
    }

    fn columns(&self) -> rusqlite::Result<Vec<Column>> {
        let connection = self.open()?;
        let (schema, table) = match self.name.split_once('.') {
            Some((schema, table)) => (schema, table),
            None => ("main", self.name.as_str()),
        };
        let query =
            "select name, type, \"notnull\", dflt_value is not null, pk, hidden from pragma_table_xinfo(?1, ?2)";
        let mut statement = connection.prepare(query)?;
        let found = statement.query_map([table, schema], |row| {
            let (ty, hidden): (String, i64) = (row.get(1)?, row.get(5)?);
            let column = Column {
                name: row.get(0)?,
                is_key: row.get::<_, i64>(4)? > 0,
                is_optional: !row.get::<_, bool>(2)? || row.get::<_, bool>(3)? || hidden > 1,
                ty,
            };
            // What is hidden in another way is no column of rows.
            Ok((hidden != 1).then_some(column))
        })?;
        let mut columns: Vec<Column> = found.filter_map(Result::transpose).collect::<rusqlite::Result<_>>()?;
        // Only a key that is one integer is given out by SQLite; it may be declared `not null` as well.
        let single = columns.iter().filter(|column| column.is_key).count() == 1;
        for column in &mut columns {
            column.is_key = single && column.is_key && column.ty.eq_ignore_ascii_case("integer");
            column.is_optional |= column.is_key;
        }
        Ok(columns)
    }

    /// All rows, or none.
    fn insert(&self, posted: &Posted) -> Result<u64, Problem> {
        let wrong = |error: rusqlite::Error| failed(&error, None);
        let mut connection = self.open().map_err(wrong)?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(wrong)?;
        let mut count = 0;
        // JSON has bytes as base64.
        let blobs = self.blobs.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let is_bytes = |name: &String| blobs.contains(name) || posted.binary.contains(name);
        rows::each(posted, |at, row| {
            let path = rows::path(posted, at);
            let names: Vec<String> = row.keys().map(|name| columns::quoted(name)).collect();
            let values = bound(row, &is_bytes, &path)?;
            let sql = match names.is_empty() {
                true => format!("insert into {} default values", self.quoted),
                false => {
                    let places = vec!["?"; names.len()].join(", ");
                    format!("insert into {} ({}) values ({places})", self.quoted, names.join(", "))
                }
            };
            let mut statement = transaction.prepare_cached(&sql).map_err(wrong)?;
            statement.execute(rusqlite::params_from_iter(values)).map_err(|error| failed(&error, Some(&path)))?;
            count += 1;
            Ok(())
        })?;
        transaction.commit().map_err(wrong)?;
        Ok(count)
    }
}

/// The values of a row as SQLite has them, in its order.
fn bound(row: Row, is_bytes: &dyn Fn(&String) -> bool, path: &str) -> Result<Vec<Bound>, Problem> {
    let value = |(name, value): (String, Value)| {
        let bad = |detail: &str| misfit(detail, &format!("{path}.{name}"));
        Ok(match value {
            Value::Null => Bound::Null,
            Value::Bool(value) => Bound::Integer(value.into()),
            Value::Number(number) => match (number.as_i64(), number.as_u64()) {
                (Some(value), _) => Bound::Integer(value),
                (None, Some(_)) => return Err(bad("the integer is more than 64 bits with a sign hold")),
                (None, None) => Bound::Real(number.as_f64().unwrap_or_default()),
            },
            Value::String(text) if is_bytes(&name) => {
                Bound::Blob(STANDARD.decode(&text).map_err(|_| bad("the text is no base64"))?)
            }
            Value::String(text) => Bound::Text(text),
            nested => Bound::Text(nested.to_string()),
        })
    };
    row.into_iter().map(value).collect()
}

fn misfit(detail: &str, path: &str) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "the body does not fit the table")
        .with("errors", vec![serde_json::json!({ "detail": detail, "path": path })])
}

fn failed(error: &rusqlite::Error, path: Option<&str>) -> Problem {
    let code = error.sqlite_error();
    match code.map(|error| (error.code, error.extended_code)) {
        Some((ErrorCode::ConstraintViolation, extended)) => {
            // Keys and other unique columns.
            let status = match extended {
                rusqlite::ffi::SQLITE_CONSTRAINT_PRIMARYKEY
                | rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE
                | rusqlite::ffi::SQLITE_CONSTRAINT_ROWID => StatusCode::CONFLICT,
                _ => StatusCode::UNPROCESSABLE_ENTITY,
            };
            let place = serde_json::json!({ "detail": sqlite_failed(error).message, "path": path.unwrap_or("$") });
            Problem::new(status, "the table refuses the row: nothing was inserted").with("errors", vec![place])
        }
        Some((ErrorCode::TypeMismatch, _)) => misfit("the value has another type than the column", path.unwrap_or("$")),
        Some((ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked, _)) => {
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the database is busy: nothing was inserted")
                .header(RETRY_AFTER, HeaderValue::from_static("1"))
        }
        _ => {
            tracing::error!("inserting failed: {error}");
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "the database failed: nothing was inserted")
        }
    }
}
