//! Keys and values in Redis.

use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{AsyncCommands, Script};

use super::Published;
use crate::version::Version;
use crate::{Error, Result};

/// For how long what nobody renews stays: a leader renews it every hour.
const KEEP: Duration = Duration::from_secs(24 * 3600);

/// For how long bodies of an earlier version stay: whoever began to load them may end.
const KEEP_EARLIER: Duration = Duration::from_secs(60);

/// How long Redis may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long it may take with bodies.
const PATIENCE_WITH_BODIES: Duration = Duration::from_secs(30);

/// Takes the lease when it is free, and renews it when it is ours.
const LEAD: &str = "
local leader = redis.call('GET', KEYS[1])
if leader == false then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1 end
if leader == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) return 1 end
return 0";

/// Makes a version the current one, for whoever leads.
const PUBLISH: &str = "
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[2], ARGV[2], 'EX', ARGV[4])
redis.call('SET', KEYS[3], ARGV[3], 'EX', ARGV[4])
return 1";

/// A connection that is made anew when it is lost.
pub struct Store {
    client: redis::Client,
    manager: tokio::sync::Mutex<Option<ConnectionManager>>,
    node: String,
    prefix: String,
    lease: Duration,
}

impl Store {
    /// Through the Redis at this URL.
    ///
    /// # Errors
    /// When it is no URL of Redis.
    pub fn new(url: &str, prefix: &str, lease: Duration) -> Result<Store> {
        // The URL may have a password: it is in no message.
        let client = redis::Client::open(url).map_err(|error| {
            Error::new(format!("this is no URL of Redis ({:?})", error.kind()))
                .hint("write it like redis://host:6379/0")
        })?;
        Ok(Store { client, manager: tokio::sync::Mutex::default(), node: node(), prefix: prefix.to_owned(), lease })
    }

    async fn connection(&self) -> Result<ConnectionManager> {
        let mut manager = self.manager.lock().await;
        if let Some(manager) = &*manager {
            return Ok(manager.clone());
        }
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(0)
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE_WITH_BODIES));
        let made = ConnectionManager::new_with_config(self.client.clone(), config).await.map_err(wrong)?;
        *manager = Some(made.clone());
        Ok(made)
    }

    fn key(&self, resource: &str, what: impl std::fmt::Display) -> String {
        // In one slot, so that scripts may use them together.
        format!("{{{}:{resource}}}:{what}", self.prefix)
    }

    /// Whether this replica leads the resource, now and for the lease.
    ///
    /// # Errors
    /// When Redis does not answer.
    pub async fn lead(&self, resource: &str) -> Result<bool> {
        let mut connection = self.connection().await?;
        let script = Script::new(LEAD);
        let mut script = script.prepare_invoke();
        script.key(self.key(resource, "leader")).arg(&self.node).arg(self.lease.as_millis() as u64);
        let leads: i64 = soon(script.invoke_async(&mut connection)).await?;
        Ok(leads == 1)
    }

    /// Publishes a version, if this replica still leads.
    ///
    /// # Errors
    /// When Redis does not answer.
    pub async fn publish(&self, resource: &str, version: &Version) -> Result<bool> {
        let mut connection = self.connection().await?;
        let published = Published::of(version);
        let before = self.current(resource).await.ok().flatten();
        let bodies = version.representations.iter().flat_map(|representation| &representation.bodies);
        for (i, body) in bodies.enumerate() {
            let key = self.key(resource, format_args!("{}:{i}", published.id));
            let stored: redis::RedisResult<()> = connection.set_ex(key, &body.bytes[..], KEEP.as_secs()).await;
            stored.map_err(wrong)?;
        }
        let text = serde_json::to_string(&published).map_err(|error| Error::new(error.to_string()))?;
        let script = Script::new(PUBLISH);
        let mut script = script.prepare_invoke();
        script.key(self.key(resource, "leader")).key(self.key(resource, "current")).key(self.key(resource, "id"));
        script.arg(&self.node).arg(text).arg(&published.id).arg(KEEP.as_secs());
        let done: i64 = soon(script.invoke_async(&mut connection)).await?;
        if let Some(before) = before.filter(|before| done == 1 && before.id != published.id) {
            for i in 0..before.count() {
                let key = self.key(resource, format_args!("{}:{i}", before.id));
                let _: () = soon(connection.expire(key, KEEP_EARLIER.as_secs() as i64)).await?;
            }
        }
        Ok(done == 1)
    }

    /// Says that the data is current, and keeps the version for longer.
    ///
    /// # Errors
    /// When Redis does not answer.
    pub async fn check(&self, resource: &str, id: &str) -> Result<()> {
        let mut connection = self.connection().await?;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let key = self.key(resource, "checked");
        let _: () = soon(connection.set_ex(key, now.as_millis() as u64, KEEP.as_secs())).await?;
        let left: i64 = soon(connection.ttl(self.key(resource, "id"))).await?;
        if left > 0 && (left as u64) < KEEP.as_secs() - 3600 {
            let published = self.current(resource).await?.filter(|published| published.id == id);
            let bodies = (0..published.map_or(0, |published| published.count())).map(|i| format!("{id}:{i}"));
            for what in bodies.chain(["current".to_owned(), "id".to_owned()]) {
                let _: () = soon(connection.expire(self.key(resource, what), KEEP.as_secs() as i64)).await?;
            }
        }
        Ok(())
    }

    /// When a leader last found the data current.
    ///
    /// # Errors
    /// When Redis does not answer.
    pub async fn checked(&self, resource: &str) -> Result<Option<SystemTime>> {
        let mut connection = self.connection().await?;
        let millis: Option<u64> = soon(connection.get(self.key(resource, "checked"))).await?;
        Ok(millis.map(|millis| SystemTime::UNIX_EPOCH + Duration::from_millis(millis)))
    }

    /// Asks whoever leads for a refresh.
    ///
    /// # Errors
    /// When Redis does not answer.
    pub async fn want(&self, resource: &str) -> Result<()> {
        let mut connection = self.connection().await?;
        let _: i64 = soon(connection.incr(self.key(resource, "wanted"), 1)).await?;
        Ok(())
    }

    /// How many refreshes were asked for.
    ///
    /// # Errors
    /// When Redis does not answer.
    pub async fn wanted(&self, resource: &str) -> Result<u64> {
        let mut connection = self.connection().await?;
        let count: Option<u64> = soon(connection.get(self.key(resource, "wanted"))).await?;
        Ok(count.unwrap_or(0))
    }

    /// The id of the current version.
    ///
    /// # Errors
    /// When Redis does not answer.
    pub async fn current_id(&self, resource: &str) -> Result<Option<String>> {
        let mut connection = self.connection().await?;
        soon(connection.get(self.key(resource, "id"))).await
    }

    /// The current version without its bytes.
    ///
    /// # Errors
    /// When Redis does not answer, or has something else.
    pub async fn current(&self, resource: &str) -> Result<Option<Published>> {
        let mut connection = self.connection().await?;
        let text: Option<String> = soon(connection.get(self.key(resource, "current"))).await?;
        let read = |text: String| serde_json::from_str(&text);
        text.map(read).transpose().map_err(|error| Error::new(format!("what Redis has is no version: {error}")))
    }

    /// The bytes of all bodies of a version.
    ///
    /// # Errors
    /// When Redis does not answer, or does not have them any more.
    pub async fn bodies(&self, resource: &str, published: &Published) -> Result<Vec<Bytes>> {
        let mut connection = self.connection().await?;
        let mut bodies = Vec::new();
        for i in 0..published.count() {
            let key = self.key(resource, format_args!("{}:{i}", published.id));
            let bytes: redis::RedisResult<Option<Vec<u8>>> = connection.get(key).await;
            let bytes = bytes.map_err(wrong)?.ok_or_else(|| Error::new("a newer version has replaced this one"))?;
            bodies.push(Bytes::from(bytes));
        }
        Ok(bodies)
    }
}

/// What is answered soon, or not at all.
async fn soon<T>(answer: impl Future<Output = redis::RedisResult<T>>) -> Result<T> {
    match tokio::time::timeout(PATIENCE, answer).await {
        Ok(answer) => answer.map_err(wrong),
        Err(_) => Err(Error::new(format!("Redis did not answer within {PATIENCE:?}"))),
    }
}

fn wrong(error: redis::RedisError) -> Error {
    Error::new(format!("Redis: {error}"))
}

/// A name for this process that no other has.
fn node() -> String {
    static NODE: OnceLock<String> = OnceLock::new();
    let made = || {
        let mut random = [0; 16];
        // Without randomness, the process and the time still differ.
        let _ = getrandom::fill(&mut random);
        let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
        format!("{}-{time:x}-{:x}", std::process::id(), u128::from_le_bytes(random))
    };
    NODE.get_or_init(made).clone()
}
