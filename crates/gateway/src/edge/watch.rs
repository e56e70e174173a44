//! Files that may change while we run. They are looked at from time to time: that works on every file system, and with files that
//! are replaced through links.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// What files looked like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stamp(Vec<Option<(Option<SystemTime>, u64)>>);

impl Stamp {
    /// As they are now.
    pub(crate) async fn of(paths: &[PathBuf]) -> Stamp {
        let mut seen = Vec::with_capacity(paths.len());
        for path in paths {
            let metadata = tokio::fs::metadata(path).await.ok();
            seen.push(metadata.map(|metadata| (metadata.modified().ok(), metadata.len())));
        }
        Stamp(seen)
    }
}

/// Waits until they look different, and says how.
pub(crate) async fn changed(paths: &[PathBuf], seen: &Stamp, every: Duration) -> Stamp {
    loop {
        tokio::time::sleep(every.max(Duration::from_millis(50))).await;
        let now = Stamp::of(paths).await;
        if now != *seen {
            return now;
        }
    }
}
