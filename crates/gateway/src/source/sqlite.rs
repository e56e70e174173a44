//! A query of a SQLite database.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, InterruptHandle, OpenFlags};

use super::rows::{self, Rows};
use super::{Data, Fetched, Source, Validator};
use crate::config::SqliteSource;
use crate::{Error, Result};

/// A query of a SQLite database. Data is known by SQLite's own count of changes, so that unchanged data is not read again.
pub struct Sqlite {
    reader: Arc<Mutex<Reader>>,
    describe: String,
    timeout: Duration,
}

struct Reader {
    path: PathBuf,
    query: String,
    most_bytes: usize,
    open: Option<Open>,
}

/// A connection, which stays open: changes are counted for each.
struct Open {
    connection: Connection,
    /// Which file it is: another one may have been put in its place.
    file: FileId,
    /// No two connections have the same.
    number: u64,
    /// Whether the query says the same as long as the data does.
    is_pure: Arc<AtomicBool>,
}

/// Functions whose values change although the data does not.
const IMPURE: &[&str] = &[
    "random",
    "randomblob",
    "date",
    "time",
    "datetime",
    "julianday",
    "unixepoch",
    "strftime",
    "timediff",
    "current_date",
    "current_time",
    "current_timestamp",
    "changes",
    "total_changes",
    "last_insert_rowid",
];

impl Sqlite {
    /// The database of a configuration.
    pub fn new(config: &SqliteSource, most_bytes: usize) -> Sqlite {
        let (path, query) = (config.database.clone(), config.query.clone());
        Sqlite {
            describe: format!("a query of {}", path.display()),
            reader: Arc::new(Mutex::new(Reader { path, query, most_bytes, open: None })),
            timeout: config.timeout.0,
        }
    }
}

#[async_trait]
impl Source for Sqlite {
    fn describe(&self) -> String {
        self.describe.clone()
    }

    async fn fetch(&self, known: Option<&Validator>) -> Result<Fetched> {
        let (reader, known) = (self.reader.clone(), known.cloned());
        let (send, receive) = tokio::sync::oneshot::channel();
        let mut work = tokio::task::spawn_blocking(move || {
            let mut reader = reader.lock().unwrap_or_else(PoisonError::into_inner);
            let done = reader.fetch(known.as_ref(), send);
            if done.is_err() {
                reader.open = None;
            }
            done
        });
        let ended = tokio::time::timeout(self.timeout, &mut work).await;
        let Ok(ended) = ended else {
            if let Ok(handle) = receive.await {
                handle.interrupt();
            }
            let _ = work.await;
            return Err(Error::new(format!("the query took longer than {:?}", self.timeout))
                .hint("make it faster, or allow more with source.sqlite.timeout"));
        };
        ended.map_err(|_| Error::new("reading the database failed for an unknown reason: please report this"))?
    }
}

impl Reader {
    fn fetch(
        &mut self,
        known: Option<&Validator>,
        interrupt: tokio::sync::oneshot::Sender<InterruptHandle>,
    ) -> Result<Fetched> {
        let file = FileId::of(&self.path)?;
        if self.open.as_ref().is_none_or(|open| open.file != file) {
            self.open = Some(Open::new(&self.path, file)?);
        }
        let open = self.open.as_ref().expect("it was opened");
        // Nobody waits for it any more when that fails.
        let _ = interrupt.send(open.connection.get_interrupt_handle());
        // Before the query: what is committed in between is read now, and again the next time.
        let version: i64 =
            open.connection.query_row("PRAGMA data_version", [], |row| row.get(0)).map_err(|error| failed(&error))?;
        let validator = Validator(format!("{} {version}", open.number));
        if known == Some(&validator) {
            return Ok(Fetched::Unchanged);
        }
        let data = open.read(&self.query, self.most_bytes, validator)?;
        Ok(Fetched::Data(data))
    }
}

impl Open {
    fn new(path: &Path, file: FileId) -> Result<Open> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let wrong = |error: rusqlite::Error| failed(&error).of(path.display());
        let mut connection = Connection::open_with_flags(path, flags).map_err(wrong)?;
        connection.busy_timeout(Duration::from_secs(5)).map_err(wrong)?;
        let is_pure = Arc::new(AtomicBool::new(true));
        let seen = is_pure.clone();
        let authorize = move |context: AuthContext<'_>| {
            if let AuthAction::Function { function_name } = context.action
                && IMPURE.iter().any(|name| name.eq_ignore_ascii_case(function_name))
            {
                seen.store(false, Ordering::Relaxed);
            }
            Authorization::Allow
        };
        connection.authorizer(Some(authorize)).map_err(wrong)?;
        Ok(Open { connection, file, number: NUMBER.fetch_add(1, Ordering::Relaxed), is_pure })
    }

    fn read(&self, query: &str, most_bytes: usize, validator: Validator) -> Result<Data> {
        let wrong = |error: rusqlite::Error| failed(&error);
        let mut statement = self.connection.prepare(query).map_err(wrong)?;
        if !statement.readonly() {
            return Err(Error::new("the query changes the database").hint("it must be one that selects"));
        }
        let mut out = Rows::new(statement.column_names(), most_bytes)?;
        let is_json: Vec<bool> = statement.columns().map(|column| column.decl_type().is_some_and(is_json)).collect();
        let mut found = statement.query([]).map_err(wrong)?;
        while let Some(row) = found.next().map_err(wrong)? {
            out.row(|at, out| {
                match row.get_ref(at).map_err(wrong)? {
                    ValueRef::Null => rows::null(out),
                    ValueRef::Integer(value) => rows::integer(out, value),
                    ValueRef::Real(value) => rows::float(out, value)?,
                    ValueRef::Text(text) => {
                        let text = std::str::from_utf8(text).map_err(|_| {
                            Error::new("the text is not valid UTF-8").hint("select it with cast(... as blob)")
                        })?;
                        match is_json[at] {
                            true => rows::json(out, text)?,
                            false => rows::text(out, text),
                        }
                    }
                    ValueRef::Blob(bytes) => rows::bytes(out, bytes),
                }
                Ok(())
            })?;
        }
        // What depends on more than the data has to be asked each time.
        out.finish(self.is_pure.load(Ordering::Relaxed).then_some(validator))
    }
}

/// Whether a column was declared to have JSON; SQLite itself does not mind what it is declared as.
fn is_json(declared: &str) -> bool {
    declared.eq_ignore_ascii_case("json")
}

/// What SQLite says is wrong, and where in the query.
pub(crate) fn failed(error: &rusqlite::Error) -> Error {
    match error {
        rusqlite::Error::SqlInputError { msg, offset, sql, .. } => {
            let offset = usize::try_from(*offset).unwrap_or(0);
            let near: String = sql.get(offset..).unwrap_or_default().chars().take(20).collect();
            match near.is_empty() {
                true => Error::new(msg.clone()),
                false => Error::new(format!("{msg}, at {near:?}")),
            }
        }
        rusqlite::Error::MultipleStatement => Error::new("the query has more than one statement"),
        other => Error::new(other.to_string()),
    }
}

/// Which file a path leads to.
#[derive(Debug, PartialEq, Eq)]
struct FileId(u64, u64);

impl FileId {
    fn of(path: &Path) -> Result<FileId> {
        let metadata = std::fs::metadata(path).map_err(|error| super::file::failed(path, &error))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Ok(FileId(metadata.dev(), metadata.ino()))
        }
        #[cfg(not(unix))]
        {
            let since = |time: std::time::SystemTime| time.duration_since(std::time::UNIX_EPOCH).ok();
            let made = metadata.created().ok().and_then(since).unwrap_or_default();
            Ok(FileId(made.as_secs(), made.subsec_nanos().into()))
        }
    }
}
