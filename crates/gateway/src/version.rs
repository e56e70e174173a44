//! A version: the data of one refresh, in every representation and every content coding.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use http::HeaderValue;
use sha2::{Digest, Sha256};
use wirewise_core::Schema;
use wirewise_formats::Variant;
use wirewise_shapes::Shaping;

use crate::negotiate::MediaType;

/// A SHA-256 hash.
pub type Hash = [u8; 32];

/// The hash of some bytes.
pub fn hash(bytes: &[u8]) -> Hash {
    Sha256::digest(bytes).into()
}

/// A hash as text that may stand in a URL and in an ETag: 22 characters, 132 bits of it.
pub fn short(hash: &Hash) -> String {
    let mut text = URL_SAFE_NO_PAD.encode(hash);
    text.truncate(22);
    text
}

/// What there is of a resource at a time. Nothing of it changes, but that differences are added.
pub struct Version {
    /// When its data was new.
    pub made: SystemTime,
    /// The hash of what the source said.
    pub source: Hash,
    /// What messages look like.
    pub schemas: Arc<Schemas>,
    /// In the order in which they are preferred.
    pub representations: Vec<Representation>,
    /// How long each part of making it took.
    pub times: Times,
}

/// How long it took to make a version. Parts that ran beside each other count fully.
#[derive(Debug, Clone, Copy, Default)]
pub struct Times {
    /// Reading what the source said.
    pub decode: Duration,
    /// Applying shapes.
    pub shape: Duration,
    /// Writing all variants.
    pub encode: Duration,
    /// Compressing all bodies.
    pub compress: Duration,
    /// All of it, from the first to the last.
    pub total: Duration,
}

/// The schema of a resource, and of what is on the wire.
pub struct Schemas {
    /// The schema as people know it.
    pub base: Arc<Schema>,
    /// The shapes of shaped representations.
    pub shaping: Option<Arc<Shaping>>,
    /// Names it: changes when either does.
    pub id: String,
    /// What clients need to read any representation, as JSON.
    pub client: Bytes,
}

impl Schemas {
    /// Of a schema and its shapes.
    pub fn new(base: &Arc<Schema>, shaping: Option<&Arc<Shaping>>) -> Schemas {
        let json = |schema: &Schema| -> serde_json::Value {
            serde_json::from_str(&schema.to_text()).expect("a schema file is JSON")
        };
        let shaping = shaping.filter(|shaping| !shaping.steps().is_empty());
        let steps: Vec<String> = shaping.iter().flat_map(|shaping| shaping.steps()).map(ToString::to_string).collect();
        let client = serde_json::json!({
            "wirewise": "client-schema/1",
            "base": json(base), "shaped": shaping.map(|shaping| json(shaping.shaped())), "steps": steps,
        });
        let client = Bytes::from(client.to_string());
        Schemas { base: base.clone(), shaping: shaping.cloned(), id: short(&hash(&client)), client }
    }

    /// The schema file: the base schema with its shapes as a note.
    pub fn file(&self) -> Schema {
        self.shaping.as_ref().map_or_else(|| (*self.base).clone(), |shaping| shaping.with_note())
    }
}

/// The data in one variant, with shapes or without.
pub struct Representation {
    /// The variant.
    pub variant: &'static Variant,
    /// Whether it has the shapes.
    pub is_shaped: bool,
    /// What it is called, its own name first; the others are those by which people ask for it too.
    pub names: Vec<(HeaderValue, MediaType)>,
    /// The hash of its bytes: what a dictionary is known by.
    pub hash: Hash,
    /// How long writing it took.
    pub encode: Duration,
    /// In every content coding; first what is not coded.
    pub bodies: Vec<Body>,
    /// Differences against earlier versions, once they are made.
    deltas: OnceLock<Vec<Delta>>,
    /// Whether a client that takes differences has asked for it.
    wanted: AtomicBool,
}

impl Representation {
    /// Without differences.
    pub fn new(
        variant: &'static Variant,
        is_shaped: bool,
        names: Vec<(HeaderValue, MediaType)>,
        encode: Duration,
        bodies: Vec<Body>,
    ) -> Representation {
        let hash = hash(bodies.first().map_or(&[], |body| &body.bytes));
        let (deltas, wanted) = (OnceLock::new(), AtomicBool::new(false));
        Representation { variant, is_shaped, names, hash, encode, bodies, deltas, wanted }
    }

    /// The bytes themselves.
    pub fn identity(&self) -> &Bytes {
        &self.bodies[0].bytes
    }

    /// Its differences against earlier versions; none before they are made.
    pub fn deltas(&self) -> &[Delta] {
        self.deltas.get().map_or(&[], Vec::as_slice)
    }

    /// Adds its differences, once.
    pub fn set_deltas(&self, deltas: Vec<Delta>) {
        // Whoever was first made the same ones.
        let _ = self.deltas.set(deltas);
    }

    /// Notes that differences of it are wanted.
    pub fn want(&self) {
        if !self.wanted.load(Ordering::Relaxed) {
            self.wanted.store(true, Ordering::Relaxed);
        }
    }

    /// Whether they are.
    pub fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    /// What it is called in logs and metrics.
    pub fn label(&self) -> &'static str {
        self.variant.id
    }
}

/// The bytes of a representation in one content coding.
#[derive(Debug, Clone)]
pub struct Body {
    /// What HTTP calls the coding: `gzip`; `identity` for none.
    pub coding: &'static str,
    /// What is sent.
    pub bytes: Bytes,
    /// Its ETag: of these bytes and no others.
    pub etag: HeaderValue,
    /// How long making it took, after the representation.
    pub time: Duration,
}

impl Body {
    /// With the ETag of the bytes.
    pub fn new(coding: &'static str, bytes: Bytes, time: Duration) -> Body {
        let etag = format!("\"{}\"", short(&hash(&bytes)));
        Body { coding, etag: HeaderValue::try_from(etag).expect("base64 may stand in a header"), bytes, time }
    }
}

/// A body that can be read by whoever has an earlier version (RFC 9842).
#[derive(Debug, Clone)]
pub struct Delta {
    /// The hash of the earlier version's bytes.
    pub dictionary: Hash,
    /// `dcz` or `dcb`.
    pub body: Body,
}
