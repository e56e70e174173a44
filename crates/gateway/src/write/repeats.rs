//! Inserts that are repeated: whoever sends an `Idempotency-Key` again gets the first answer again, and nothing is inserted twice
//! (draft-ietf-httpapi-idempotency-key-header).
//!
//! What is known lies in the memory of this replica, within bounds: as hashes, for a while, and for so many writes. Only inserts
//! that were done are known. Whatever failed has inserted nothing, and may be tried again with the same key.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use http::header::RETRY_AFTER;
use http::{HeaderValue, StatusCode};
use ring::digest::{Context, SHA256};

use super::Written;
use crate::config;
use crate::problem::Problem;

/// A hash of what came.
type Hash = [u8; 32];

/// The parts one after another, so that no others have the same hash.
fn hash(parts: &[&[u8]]) -> Hash {
    let mut context = Context::new(&SHA256);
    for part in parts {
        context.update(&(part.len() as u64).to_le_bytes());
        context.update(part);
    }
    let mut hash = [0; 32];
    hash.copy_from_slice(context.finish().as_ref());
    hash
}

/// What a client calls a write, and what it is.
pub(super) struct Named {
    name: Hash,
    content: Hash,
}

impl Named {
    /// The same key of somebody else is another one.
    pub(super) fn new(subject: &str, key: &[u8], content: &[&[u8]]) -> Named {
        Named { name: hash(&[subject.as_bytes(), key]), content: hash(content) }
    }
}

/// The inserts of a resource that may be repeated.
pub(super) struct Repeats {
    keep: Duration,
    most: usize,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    writes: HashMap<Hash, Write>,
    /// Those that were done, the earliest first.
    done: VecDeque<(Hash, Instant)>,
}

struct Write {
    content: Hash,
    /// How many rows were inserted; `None` while it is in progress.
    inserted: Option<u64>,
}

impl Repeats {
    pub(super) fn new(limits: &config::Limits) -> Repeats {
        Repeats { keep: limits.idempotency_time.0, most: limits.idempotency_keys, known: Mutex::default() }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let Known { writes, done } = &mut *known;
        while done.front().is_some_and(|(_, since)| done.len() > self.most || since.elapsed() >= self.keep) {
            done.pop_front().map(|(name, _)| writes.remove(&name));
        }
        known
    }

    /// Writes, unless that was done before. Goes on to its end also when the client does not wait for it.
    ///
    /// # Errors
    /// 409 while the same is in progress, 422 when it is not the same; and those of `write`.
    pub(super) async fn once(
        self: &Arc<Self>,
        named: Named,
        write: impl Future<Output = Result<Written, Problem>> + Send + 'static,
    ) -> Result<Written, Problem> {
        if let Some(inserted) = self.begin(&named)? {
            return Ok(Written::Inserted(inserted));
        }
        let mut turn = Turn { repeats: self.clone(), name: named.name, inserted: None };
        let done = tokio::spawn(async move {
            let done = write.await;
            if let Ok(Written::Inserted(count)) = done {
                turn.inserted = Some(count);
            }
            drop(turn);
            done
        });
        let unknown = |_| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "writing failed for an unknown reason");
        done.await.map_err(unknown)?
    }

    fn begin(&self, named: &Named) -> Result<Option<u64>, Problem> {
        let mut known = self.known();
        match known.writes.get(&named.name) {
            None => {
                known.writes.insert(named.name, Write { content: named.content, inserted: None });
                Ok(None)
            }
            Some(write) if write.content != named.content => {
                let detail = "the Idempotency-Key was sent with another body before: nothing was inserted";
                Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail))
            }
            Some(Write { inserted: Some(count), .. }) => Ok(Some(*count)),
            Some(_) => {
                let detail = "the write with this Idempotency-Key is in progress";
                Err(Problem::new(StatusCode::CONFLICT, detail).header(RETRY_AFTER, HeaderValue::from_static("1")))
            }
        }
    }
}

/// A write in progress, whatever becomes of it.
struct Turn {
    repeats: Arc<Repeats>,
    name: Hash,
    inserted: Option<u64>,
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut known = self.repeats.known();
        match (self.inserted, known.writes.get_mut(&self.name)) {
            (Some(_), Some(write)) => {
                write.inserted = self.inserted;
                known.done.push_back((self.name, Instant::now()));
            }
            _ => {
                known.writes.remove(&self.name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeats(keep: Duration, most: usize) -> Arc<Repeats> {
        let limits = config::Limits {
            idempotency_time: config::Duration(keep),
            idempotency_keys: most,
            ..config::Limits::default()
        };
        Arc::new(Repeats::new(&limits))
    }

    fn named(key: &str, body: &str) -> Named {
        Named::new("me", key.as_bytes(), &[body.as_bytes()])
    }

    /// What is inserted, or the status.
    async fn once(repeats: &Arc<Repeats>, key: &str, body: &str, count: u64) -> Result<u64, u16> {
        let done = repeats.once(named(key, body), async move { Ok(Written::Inserted(count)) }).await;
        match done {
            Ok(Written::Inserted(count)) => Ok(count),
            Ok(Written::Answer(_)) => panic!("nobody answered"),
            Err(problem) => Err(problem.status().as_u16()),
        }
    }

    #[tokio::test]
    async fn the_first_answer_comes_again_for_a_while_and_for_so_many() {
        let all = repeats(Duration::from_secs(3600), 2);
        assert_eq!(once(&all, "a", "x", 1).await, Ok(1));
        assert_eq!(once(&all, "a", "x", 2).await, Ok(1));
        assert_eq!(once(&all, "a", "y", 2).await, Err(422));
        for key in ["b", "c", "d"] {
            assert_eq!(once(&all, key, "x", 3).await, Ok(3));
        }
        assert_eq!(once(&all, "a", "x", 4).await, Ok(4), "too many came since");
        assert!(all.known().writes.len() <= 2);
        let none = repeats(Duration::ZERO, 10);
        assert_eq!(once(&none, "a", "x", 1).await, Ok(1));
        assert_eq!(once(&none, "a", "x", 2).await, Ok(2), "it is too long ago");
        assert_ne!(named("a", "x").name, Named::new("you", b"a", &[b"x"]).name);
    }

    #[tokio::test]
    async fn what_is_in_progress_goes_on_alone_and_what_fails_is_forgotten() {
        let all = repeats(Duration::from_secs(3600), 10);
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let (go, may_go) = tokio::sync::oneshot::channel::<()>();
        let write = async move {
            begun.send(()).unwrap();
            may_go.await.unwrap();
            Ok(Written::Inserted(5))
        };
        let other = all.clone();
        let client = tokio::spawn(async move { other.once(named("a", "x"), write).await.is_ok() });
        has_begun.await.unwrap();
        assert_eq!(once(&all, "a", "x", 6).await, Err(409));
        // The client goes away.
        client.abort();
        assert!(client.await.is_err());
        go.send(()).unwrap();
        while once(&all, "a", "x", 6).await == Err(409) {
            tokio::task::yield_now().await;
        }
        assert_eq!(once(&all, "a", "x", 6).await, Ok(5));

        let failing = async { Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "later")) };
        assert!(all.once(named("b", "x"), failing).await.is_err());
        let panicking = async { panic!("a bug") };
        assert!(all.once(named("b", "x"), panicking).await.is_err());
        assert_eq!(once(&all, "b", "y", 7).await, Ok(7));
    }
}
