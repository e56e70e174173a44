//! Tokens that were verified a moment ago. They are known by their hashes, and are not kept.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use super::token::Grant;

/// The hash of a token.
pub(super) type Hash = [u8; 32];

pub(super) fn hash(token: &str) -> Hash {
    let mut hash = [0; 32];
    hash.copy_from_slice(ring::digest::digest(&ring::digest::SHA256, token.as_bytes()).as_ref());
    hash
}

/// For how long a token is not verified again: a key that is no longer the issuer's verifies nothing after that.
const FOR: Duration = Duration::from_secs(60);

/// Parts of the table, so that requests seldom wait for each other.
const SHARDS: usize = 16;

/// Tokens in each part.
const MOST: usize = 1024;

/// The tokens, in a bounded table.
#[derive(Default)]
pub(super) struct Seen([RwLock<Shard>; SHARDS]);

type Shard = HashMap<Hash, (Arc<Grant>, Instant)>;

impl Seen {
    pub(super) fn get(&self, hash: &Hash) -> Option<Arc<Grant>> {
        let shard = self.shard(hash).read().unwrap_or_else(PoisonError::into_inner);
        shard.get(hash).filter(|(_, since)| since.elapsed() < FOR).map(|(grant, _)| grant.clone())
    }

    pub(super) fn put(&self, hash: Hash, grant: Arc<Grant>) {
        let mut shard = self.shard(&hash).write().unwrap_or_else(PoisonError::into_inner);
        if shard.len() >= MOST {
            shard.retain(|_, (_, since)| since.elapsed() < FOR);
        }
        if shard.len() >= MOST {
            // Whoever floods us with good tokens has them verified more often.
            shard.clear();
        }
        shard.insert(hash, (grant, Instant::now()));
    }

    /// Forgets all of them: the keys are others now.
    pub(super) fn clear(&self) {
        for shard in &self.0 {
            shard.write().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }

    fn shard(&self, hash: &Hash) -> &RwLock<Shard> {
        &self.0[usize::from(hash[0]) % SHARDS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_stays_bounded() {
        let seen = Seen::default();
        let grant = Arc::new(Grant { subject: String::new(), scopes: Default::default(), until: 1 });
        for i in 0..100_000_u32 {
            seen.put(hash(&i.to_string()), grant.clone());
        }
        assert!(seen.get(&hash("99999")).is_some());
        assert!(seen.0.iter().all(|shard| shard.read().unwrap().len() <= MOST));
        seen.clear();
        assert!(seen.get(&hash("99999")).is_none());
    }
}
