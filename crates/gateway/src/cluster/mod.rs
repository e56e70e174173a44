//! Many machines: replicas share versions through Redis or Valkey.
//!
//! One replica leads a resource: it holds a lease, refreshes from the source and publishes what it made. The others load that.
//! A leader that is killed loses its lease in time, and another takes over. Without Redis each replica refreshes for itself.
//!
//! | key, after `PREFIX:RESOURCE:` | value |
//! |---|---|
//! | `leader` | the node that leads; ends with the lease |
//! | `current` | [`Published`]: what the version is made of |
//! | `checked` | when the leader last found the data current, in milliseconds since 1970 |
//! | `wanted` | a count: a replica that took a write wants a refresh |
//! | `VERSION:I` | the bytes of one body |

mod published;
mod store;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub use published::Published;
pub use store::Store;

use crate::resource::Resource;
use crate::{Error, Result};

/// How often replicas look, at most.
const TICK: Duration = Duration::from_millis(500);

/// The replicas of a gateway.
pub struct Cluster {
    store: Store,
    lease: Duration,
    /// Whether Redis answers.
    connected: AtomicBool,
}

impl Cluster {
    /// Through the Redis at this URL.
    ///
    /// # Errors
    /// When the URL is none. That Redis does not answer is no error: it may come back.
    pub fn new(url: &str, prefix: &str, lease: Duration) -> Result<Cluster> {
        if lease < Duration::from_secs(1) {
            return Err(Error::new("a lease is a second or more"));
        }
        let connected = AtomicBool::new(true);
        Ok(Cluster { store: Store::new(url, prefix, lease)?, lease, connected })
    }

    /// Whether Redis answers.
    pub fn is_connected(&self) -> bool {
        self.connected.load(Ordering::Relaxed)
    }

    /// Keeps a resource fresh, with the other replicas, for as long as the gateway runs.
    pub async fn keep_fresh(self: Arc<Self>, resource: Arc<Resource>) {
        let mut turn = Turn { due: Instant::now(), wanted: None, published: None, is_alone: false };
        let tick = TICK.min(self.lease / 4);
        loop {
            let done = self.take_part(&resource, &mut turn).await;
            self.tell(&done);
            if (done.is_err() || turn.is_alone) && Instant::now() >= turn.due {
                resource.refresh_and_tell().await;
                turn.due = Instant::now() + resource.pause();
            }
            let wake = tokio::time::sleep(tick);
            tokio::select! {
                () = wake => {}
                () = resource.woken() => self.want(&resource, &mut turn).await,
            }
        }
    }

    fn tell(&self, done: &Result<()>) {
        let was = self.connected.swap(done.is_ok(), Ordering::Relaxed);
        match done {
            Err(error) if was => tracing::warn!("without Redis, each replica refreshes for itself: {error}"),
            Ok(()) if !was => tracing::info!("Redis is back: replicas share versions again"),
            _ => {}
        }
    }

    /// Tells whoever leads that the data has changed.
    async fn want(&self, resource: &Resource, turn: &mut Turn) {
        if self.store.want(&resource.parts().name).await.is_err() {
            turn.due = Instant::now();
        }
    }

    async fn take_part(&self, resource: &Arc<Resource>, turn: &mut Turn) -> Result<()> {
        let name = &resource.parts().name;
        if !self.store.lead(name).await? {
            return self.follow(resource, turn).await;
        }
        if turn.published.is_none() {
            // Whoever led before may have left a version: nobody waits for a new one.
            self.follow(resource, turn).await?;
        }
        let wanted = self.store.wanted(name).await?;
        let is_wanted = turn.wanted.is_some_and(|known| known != wanted);
        turn.wanted = Some(wanted);
        if Instant::now() < turn.due && !is_wanted {
            return Ok(());
        }
        self.lead(resource, turn).await
    }

    /// Refreshes, keeps the lease meanwhile, and publishes.
    async fn lead(&self, resource: &Arc<Resource>, turn: &mut Turn) -> Result<()> {
        let name = &resource.parts().name;
        let renew = async {
            loop {
                tokio::time::sleep(self.lease / 3).await;
                // Losing it is found when publishing.
                let _ = self.store.lead(name).await;
            }
        };
        tokio::select! {
            () = resource.refresh_and_tell() => {}
            () = renew => {}
        }
        turn.due = Instant::now() + resource.pause();
        let Some(version) = resource.current() else { return Ok(()) };
        let id = Published::id_of(&version);
        if turn.published.as_ref() != Some(&id) {
            if !self.store.publish(name, &version).await? {
                return Ok(());
            }
            turn.published = Some(id);
        }
        if resource.health().failure.is_none() {
            self.store.check(name, turn.published.as_deref().unwrap_or_default()).await?;
        }
        Ok(())
    }

    /// Takes over what was published.
    async fn follow(&self, resource: &Arc<Resource>, turn: &mut Turn) -> Result<()> {
        let name = &resource.parts().name;
        let Some(id) = self.store.current_id(name).await? else { return Ok(()) };
        if turn.published.as_ref() != Some(&id) {
            let Some(published) = self.store.current(name).await? else { return Ok(()) };
            let bodies = self.store.bodies(name, &published).await?;
            let recipes = resource.parts().recipes.clone();
            let id = published.id.clone();
            let made = tokio::task::spawn_blocking(move || published.version(bodies, &recipes)).await;
            match made.map_err(|_| Error::new("loading a version failed"))? {
                Ok((plan, version)) => {
                    turn.is_alone = false;
                    resource.adopt(plan, version).await;
                    tracing::info!(resource = name, "loaded a version from Redis");
                }
                Err(error) => {
                    // Of a replica with another configuration, for example: this one refreshes for itself.
                    tracing::warn!(resource = name, "the version in Redis cannot be used: {error}");
                    turn.is_alone = true;
                }
            }
            turn.published = Some(id);
        }
        if let Some(checked) = self.store.checked(name).await?.filter(|_| !turn.is_alone) {
            resource.checked(checked);
        }
        Ok(())
    }
}

/// What a replica knows from one look to the next.
struct Turn {
    /// When the source is to be asked, by whoever leads.
    due: Instant,
    /// How many refreshes were wanted.
    wanted: Option<u64>,
    /// The version that was published or loaded last.
    published: Option<String>,
    /// Whether what others publish is of no use here.
    is_alone: bool,
}
