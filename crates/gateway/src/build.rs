//! Making versions: a document, in every representation and every content coding.
//!
//! Everything here takes time and memory, and blocks: it runs on threads of its own, never on those that answer requests.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use wirewise_compress::Dictionary;
use wirewise_core::{Document, Limits, Losses};
use wirewise_shapes::Workspace;

use crate::config::Coding;
use crate::offer::{Entry, Offer};
use crate::version::{Body, Delta, Representation, Times};
use crate::{Error, Result};

/// The document in every representation of the offer, each in every coding. Shaped ones are left out, and the reason is given, when
/// the data does not fit the shapes.
///
/// # Errors
/// When a format cannot hold a value; it names the format and the path.
pub fn representations(
    offer: &Offer,
    document: &Document<'_>,
    codings: &[Coding],
    limits: Limits,
    times: &mut Times,
) -> Result<(Vec<Representation>, Option<Error>)> {
    let mut space = Workspace::new(limits);
    let start = Instant::now();
    let mut misfit = None;
    let shaped = match offer.shaping.as_ref().map(|shaping| shaping.apply(document, &mut space)) {
        Some(Err(error)) => {
            misfit = Some(Error::from(error).of("the data does not fit the shapes"));
            None
        }
        Some(Ok(shaped)) => Some(shaped),
        None => None,
    };
    times.shape = start.elapsed();
    let entries: Vec<&Entry> = offer.entries.iter().filter(|entry| !entry.is_shaped || shaped.is_some()).collect();
    let encoded = in_parallel(entries.len(), |i| {
        let entry = entries[i];
        let document = shaped.as_ref().filter(|_| entry.is_shaped).unwrap_or(document);
        encode(entry, document)
    });
    let encoded: Vec<(Bytes, Duration)> = encoded.into_iter().collect::<Result<_>>()?;
    times.encode = encoded.iter().map(|(_, time)| *time).sum();
    // The slowest first, so that no thread is left with a long one at the end: the last codings of the largest bodies.
    let count = codings.len();
    let mut order: Vec<usize> = (0..entries.len() * count).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(encoded[i / count].0.len()));
    let compressed = in_parallel(order.len(), |i| compress(&codings[order[i] % count], &encoded[order[i] / count].0));
    let mut bodies: Vec<Option<Body>> = vec![None; order.len()];
    for (&at, body) in order.iter().zip(compressed) {
        let body = body?;
        times.compress += body.time;
        bodies[at] = Some(body);
    }
    let mut bodies = bodies.into_iter().flatten();
    let representations = entries.iter().zip(encoded).map(|(entry, (bytes, time))| {
        let mut all = vec![Body::new("identity", bytes, Duration::ZERO)];
        all.extend(bodies.by_ref().take(count));
        Representation::new(entry.variant, entry.is_shaped, entry.header_names(), time, all)
    });
    Ok((representations.collect(), misfit))
}

fn encode(entry: &Entry, document: &Document<'_>) -> Result<(Bytes, Duration)> {
    let start = Instant::now();
    let mut out = Vec::new();
    entry.codec.encode(document, &mut out, &mut Losses::none()).map_err(|error| {
        Error::from(error)
            .of(entry.variant.id)
            .hint("leave the format out of `formats` and `shaped`, or change the schema")
    })?;
    out.shrink_to_fit();
    Ok((Bytes::from(out), start.elapsed()))
}

fn compress(coding: &Coding, bytes: &[u8]) -> Result<Body> {
    let start = Instant::now();
    let mut out = Vec::new();
    coding.choice.compress(bytes, &mut out).map_err(|error| Error::new(error.to_string()))?;
    out.shrink_to_fit();
    Ok(Body::new(coding.token, Bytes::from(out), start.elapsed()))
}

/// The level of zstd for differences: from 9 on it finds long matches in the dictionary.
const ZSTD_LEVEL: i32 = 9;

/// The level of brotli for differences.
const BROTLI_LEVEL: i32 = 5;

/// What starts a `dcz` body (RFC 9842, 5): a skippable frame of zstd that has the hash of the dictionary.
const DCZ_MAGIC: [u8; 8] = [0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0];

/// What starts a `dcb` body (RFC 9842, 4), before the hash.
const DCB_MAGIC: [u8; 4] = [0xff, b'D', b'C', b'B'];

/// The most that browsers keep as a window for `dcz`: 8 MiB, or 1.25 times the dictionary where that is more.
const LEAST_WINDOW: usize = 8 << 20;

/// What a representation is as a difference against what it was before, in each coding that can say it and makes it smaller.
///
/// # Errors
/// When a compressor refuses, which no known input causes.
pub fn deltas(now: &Representation, before: &Representation) -> Result<Vec<Delta>> {
    let mut deltas = Vec::new();
    if now.hash == before.hash {
        return Ok(deltas);
    }
    let (bytes, dictionary) = (now.identity(), Dictionary::raw(before.identity().to_vec()));
    let wrong = |error: wirewise_compress::Error| Error::new(error.to_string());
    let start = |magic: &[u8]| [magic, &before.hash].concat();
    // One that is no smaller than a plain body helps nobody.
    let least = now.bodies.iter().map(|body| body.bytes.len()).min().unwrap_or(0);
    let mut add = |coding, mut out: Vec<u8>, begun: Instant| {
        out.shrink_to_fit();
        if out.len() < least {
            let body = Body::new(coding, Bytes::from(out), begun.elapsed());
            deltas.push(Delta { dictionary: before.hash, body });
        }
    };
    let begun = Instant::now();
    if bytes.len() <= LEAST_WINDOW.max(before.identity().len() / 4 * 5) {
        let mut out = start(&DCZ_MAGIC);
        dictionary.at(ZSTD_LEVEL).map_err(wrong)?.compress(bytes, &mut out).map_err(wrong)?;
        add("dcz", out, begun);
    }
    let begun = Instant::now();
    let mut out = start(&DCB_MAGIC);
    if dictionary.compress_brotli(BROTLI_LEVEL, bytes, &mut out).map_err(wrong)?.is_some() {
        add("dcb", out, begun);
    }
    Ok(deltas)
}

/// Does `count` pieces of work on as many threads as there are processors; the results are in their order.
pub(crate) fn in_parallel<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(count);
    if threads <= 1 {
        return (0..count).map(work).collect();
    }
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= count {
                        return;
                    }
                    let result = work(i);
                    done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((i, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}
