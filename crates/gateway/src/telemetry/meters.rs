//! Numbers that only grow, counted without locks.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::{Method, StatusCode};

/// A number that only grows.
#[derive(Debug, Default)]
pub(crate) struct Count(AtomicU64);

impl Count {
    pub(crate) fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What is counted of the gateway as a whole.
#[derive(Debug, Default)]
pub struct Meters {
    pub(crate) accepted: Count,
    pub(crate) closed: Count,
    pub(crate) handshakes_failed: Count,
    /// Of requests that are for no resource.
    pub(crate) other: ResourceMeters,
}

/// Counts a connection for as long as it lives.
pub(crate) struct Open(Arc<Meters>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.closed.add(1);
    }
}

impl Meters {
    pub(crate) fn open(self: &Arc<Self>) -> Open {
        self.accepted.add(1);
        Open(self.clone())
    }

    pub(crate) fn handshake_failed(&self) {
        self.handshakes_failed.add(1);
    }
}

/// The methods that are told apart; the last stands for all others.
pub(crate) const METHODS: [&str; 5] = ["GET", "HEAD", "POST", "OPTIONS", "other"];

fn method(method: &Method) -> usize {
    match *method {
        Method::GET => 0,
        Method::HEAD => 1,
        Method::POST => 2,
        Method::OPTIONS => 3,
        _ => 4,
    }
}

/// The first status that is counted, and how many.
const STATUSES: (u16, usize) = (100, 500);

/// How a refresh ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refreshed {
    /// There is a new version.
    New,
    /// The data is as it was.
    Unchanged,
    /// The version of before stays.
    Failed,
}

impl Refreshed {
    pub(crate) const ALL: [(Refreshed, &'static str); 3] =
        [(Refreshed::New, "ok"), (Refreshed::Unchanged, "unchanged"), (Refreshed::Failed, "failed")];
}

/// What is counted of a resource.
#[derive(Debug)]
pub struct ResourceMeters {
    requests: [Box<[AtomicU64]>; METHODS.len()],
    refreshes: [Count; 3],
    pub(crate) time: Histogram,
    hits: Mutex<HashMap<HitKey, Arc<Hit>>>,
}

/// Variant, whether it is shaped, content coding.
pub(crate) type HitKey = (&'static str, bool, &'static str);

/// What is counted of one variant in one coding.
#[derive(Debug, Default)]
pub(crate) struct Hit {
    /// Responses with it, 304 among them.
    pub(crate) count: Count,
    /// Bytes of bodies.
    pub(crate) sent: Count,
    /// Bytes that plain JSON would have had more.
    pub(crate) saved: Count,
}

impl Default for ResourceMeters {
    fn default() -> Self {
        ResourceMeters {
            requests: std::array::from_fn(|_| (0..STATUSES.1).map(|_| AtomicU64::new(0)).collect()),
            refreshes: Default::default(),
            time: Histogram::default(),
            hits: Mutex::default(),
        }
    }
}

impl ResourceMeters {
    /// Counts a request.
    pub(crate) fn request(&self, asked: &Method, status: StatusCode, time: Duration) {
        let at = usize::from(status.as_u16() - STATUSES.0);
        if let Some(count) = self.requests[method(asked)].get(at) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.time.observe(time);
    }

    /// Requests by method and status, those that there were.
    pub(crate) fn requests(&self) -> impl Iterator<Item = (&'static str, u16, u64)> {
        METHODS.iter().zip(&self.requests).flat_map(|(method, counts)| {
            let counts = counts.iter().zip(STATUSES.0..).map(|(count, status)| (status, count.load(Ordering::Relaxed)));
            counts.filter(|(_, count)| *count > 0).map(|(status, count)| (*method, status, count))
        })
    }

    /// Counts a refresh.
    pub fn refreshed(&self, how: Refreshed) {
        self.refreshes[how as usize].add(1);
    }

    pub(crate) fn refreshes(&self, how: Refreshed) -> u64 {
        self.refreshes[how as usize].get()
    }

    /// The counts of a variant in a coding: the same for all versions.
    pub(crate) fn hit(&self, key: HitKey) -> Arc<Hit> {
        self.hits.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default().clone()
    }

    pub(crate) fn hits(&self) -> Vec<(HitKey, Arc<Hit>)> {
        let hits = self.hits.lock().unwrap_or_else(PoisonError::into_inner);
        let mut hits: Vec<_> = hits.iter().map(|(key, hit)| (*key, hit.clone())).collect();
        hits.sort_by_key(|(key, _)| *key);
        hits
    }
}

/// The upper ends of the buckets, in microseconds: an answer from memory takes a few, one from elsewhere many.
const BUCKETS: [u64; 14] =
    [5, 10, 25, 50, 100, 250, 500, 1_000, 5_000, 25_000, 100_000, 500_000, 2_500_000, 10_000_000];

/// How long something took, how often.
#[derive(Debug, Default)]
pub(crate) struct Histogram {
    counts: [Count; BUCKETS.len() + 1],
    nanoseconds: Count,
}

impl Histogram {
    fn observe(&self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let at = BUCKETS.iter().position(|&end| nanoseconds <= end * 1000).unwrap_or(BUCKETS.len());
        self.counts[at].add(1);
        self.nanoseconds.add(nanoseconds);
    }

    /// The sum in seconds, and how many there are in each bucket.
    pub(crate) fn read(&self) -> (f64, Vec<(f64, u64)>) {
        let ends = BUCKETS.iter().map(|&end| end as f64 / 1e6).chain([f64::INFINITY]);
        (self.nanoseconds.get() as f64 / 1e9, ends.zip(&self.counts).map(|(end, count)| (end, count.get())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_method_and_status() {
        let meters = ResourceMeters::default();
        meters.request(&Method::GET, StatusCode::OK, Duration::from_micros(3));
        meters.request(&Method::GET, StatusCode::OK, Duration::from_micros(30));
        meters.request(&Method::PATCH, StatusCode::from_u16(999).unwrap(), Duration::MAX);
        meters.request(&Method::POST, StatusCode::UNPROCESSABLE_ENTITY, Duration::from_secs(1));
        let requests: Vec<_> = meters.requests().collect();
        assert_eq!(requests, [("GET", 200, 2), ("POST", 422, 1)]);
        let (_, buckets) = meters.time.read();
        assert_eq!(buckets.iter().map(|(_, count)| count).sum::<u64>(), 4);
        assert_eq!((buckets[0], buckets[3].1, buckets[14].1), ((5e-6, 1), 1, 1));
    }
}
