//! The public keys of the issuer: from a URL or a file, kept, and had again when they may have changed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use bytes::Bytes;
use http::{Request, StatusCode, Uri};
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde_json::Value;

use super::token::Key;
use crate::config::{Auth, Keys as Place};
use crate::edge::{Stamp, changed};
use crate::fetch::{Fetcher, safe_url};
use crate::{Error, Result};

/// A set of keys is small.
const MOST_BYTES: usize = 256 << 10;

/// Nobody has more keys than this; and every one may have to be tried.
const MOST_KEYS: usize = 64;

/// How long an answer may take.
const TIME: Duration = Duration::from_secs(5);

/// After an unknown key the URL is asked again, but no more often than this: whoever makes keys up does not reach the issuer.
const PAUSE: Duration = Duration::from_secs(10);

/// Keys by their names, and those without.
pub(super) struct Set {
    named: HashMap<String, Key>,
    nameless: Vec<Key>,
}

impl Set {
    /// Those that a token with this `kid` may be signed with.
    pub(super) fn find(&self, name: Option<&str>, algorithm: Algorithm) -> Vec<&Key> {
        let all = || self.named.values().chain(&self.nameless);
        match name {
            Some(name) if self.named.contains_key(name) => self.named.get(name).into_iter().collect(),
            // A key without a name, as in a PEM file, may be meant by any.
            Some(_) => self.nameless.iter().filter(|key| key.algorithm == algorithm).collect(),
            None => all().filter(|key| key.algorithm == algorithm).collect(),
        }
    }
}

enum Origin {
    Url { url: Uri, client: Box<Fetcher> },
    File(PathBuf),
}

/// The keys as they are known.
pub(super) struct Keys {
    origin: Origin,
    every: Duration,
    set: ArcSwapOption<Set>,
    /// When the URL was asked last; held by whoever asks.
    asked: tokio::sync::Mutex<Option<Instant>>,
}

impl Keys {
    /// Reads a file at once; a URL is asked later.
    ///
    /// # Errors
    /// When the file is of no use, or the URL not safe.
    pub(super) fn new(config: &Auth) -> Result<Keys> {
        let (origin, set) = match &config.keys {
            Place::Url(url) => {
                let url = safe_url(url).map_err(|error| error.at(["auth", "keys", "url"]))?;
                let client = Box::new(Fetcher::new(&url)?);
                (Origin::Url { url, client }, None)
            }
            Place::File(path) => {
                let set = read(path).map_err(|error| error.at(["auth", "keys", "file"]))?;
                (Origin::File(path.clone()), Some(Arc::new(set)))
            }
        };
        let every = config.refresh.0.max(Duration::from_millis(50));
        Ok(Keys { origin, every, set: ArcSwapOption::from(set), asked: tokio::sync::Mutex::default() })
    }

    /// The keys; none before they were had for the first time.
    pub(super) fn current(&self) -> Option<Arc<Set>> {
        self.set.load_full()
    }

    /// Has the keys again. They stay as they are when that fails.
    pub(super) async fn refresh(&self) -> Result<()> {
        let mut asked = self.asked.lock().await;
        self.refresh_with(&mut asked).await
    }

    async fn refresh_with(&self, asked: &mut Option<Instant>) -> Result<()> {
        *asked = Some(Instant::now());
        let set = match &self.origin {
            Origin::Url { url, client } => fetch(url, client).await?,
            Origin::File(path) => {
                let path = path.clone();
                let read = tokio::task::spawn_blocking(move || read(&path)).await;
                read.map_err(|_| Error::new("reading keys failed for an unknown reason"))??
            }
        };
        self.set.store(Some(Arc::new(set)));
        Ok(())
    }

    /// Has the keys again because a token names one that is not known, unless that was done a moment ago.
    pub(super) async fn look_again(&self) {
        let mut asked = self.asked.lock().await;
        if asked.is_some_and(|when| when.elapsed() < PAUSE) {
            return;
        }
        if let Err(error) = self.refresh_with(&mut asked).await {
            tracing::warn!("the keys of the issuer could not be had: {error}");
        }
    }

    /// Keeps them fresh, for ever. `told` is called when they may be others.
    pub(super) async fn keep_fresh(&self, told: impl Fn()) {
        let mut failures = 0;
        loop {
            let seen = match &self.origin {
                Origin::File(path) => Some((path.clone(), Stamp::of(std::slice::from_ref(path)).await)),
                Origin::Url { .. } => None,
            };
            failures = match self.refresh().await {
                Ok(()) => 0,
                Err(error) => {
                    tracing::warn!("the keys of the issuer could not be had: {error}");
                    failures + 1
                }
            };
            told();
            match seen {
                Some((path, seen)) => drop(changed(&[path], &seen, self.every.min(Duration::from_secs(10))).await),
                None if failures == 0 => tokio::time::sleep(self.every).await,
                None => tokio::time::sleep(self.every.min(Duration::from_secs(1 << failures.min(6)))).await,
            }
        }
    }
}

async fn fetch(url: &Uri, client: &Fetcher) -> Result<Set> {
    let request = Request::get(url).header(http::header::ACCEPT, "application/jwk-set+json, application/json");
    let request = request.body(Bytes::new()).map_err(|error| Error::new(error.to_string()))?;
    let response = client.send(request, MOST_BYTES, TIME).await?;
    if response.status() != StatusCode::OK {
        return Err(Error::new(format!("{} answered {}", url.host().unwrap_or_default(), response.status())));
    }
    parse(response.body())
}

/// A set of keys of a file, or the one that it has as PEM.
pub(super) fn read(path: &Path) -> Result<Set> {
    let bad = |error: Error| error.of(path.display());
    let bytes = std::fs::read(path).map_err(|error| Error::new(format!("cannot read {}: {error}", path.display())))?;
    if bytes.trim_ascii_start().starts_with(b"-----") {
        return pem(&bytes).map_err(bad);
    }
    parse(&bytes).map_err(bad)
}

fn pem(bytes: &[u8]) -> Result<Set> {
    let known = [
        (Algorithm::RS256, DecodingKey::from_rsa_pem(bytes)),
        (Algorithm::ES256, DecodingKey::from_ec_pem(bytes)),
        (Algorithm::EdDSA, DecodingKey::from_ed_pem(bytes)),
    ];
    let is_private = bytes.windows(11).any(|window| window == b"PRIVATE KEY");
    let found = known.into_iter().find_map(|(algorithm, key)| Some(Key { algorithm, key: key.ok()? }));
    let found = found.filter(|_| !is_private).filter(is_of_its_curve).ok_or_else(|| {
        Error::new("this is no public key of RSA, P-256 or Ed25519 in PEM")
            .hint("write one: openssl pkey -in private.pem -pubout")
    })?;
    Ok(Set { named: HashMap::new(), nameless: vec![found] })
}

/// Whether a key of elliptic curves is one of P-256 (65 bytes, not compressed).
fn is_of_its_curve(key: &Key) -> bool {
    key.algorithm != Algorithm::ES256 || key.key.try_get_as_bytes().is_ok_and(|bytes| bytes.len() == 65)
}

/// A JWKS (RFC 7517). Keys that are not for signatures, or of kinds that we do not know, are passed over.
fn parse(bytes: &[u8]) -> Result<Set> {
    let json: Value = serde_json::from_slice(bytes).map_err(|error| Error::new(format!("no JWKS: {error}")))?;
    let keys = json.get("keys").and_then(Value::as_array);
    let keys = keys.ok_or_else(|| Error::new("no JWKS: it has no list of keys"))?;
    let mut set = Set { named: HashMap::new(), nameless: Vec::new() };
    for value in keys.iter().take(MOST_KEYS) {
        let Some((name, key)) = key(value) else { continue };
        match name {
            Some(name) => drop(set.named.insert(name, key)),
            None => set.nameless.push(key),
        }
    }
    if set.named.is_empty() && set.nameless.is_empty() {
        return Err(Error::new("the JWKS has no key for RS256, ES256 or EdDSA (Ed25519)"));
    }
    Ok(set)
}

fn key(value: &Value) -> Option<(Option<String>, Key)> {
    let jwk: Jwk = serde_json::from_value(value.clone()).ok()?;
    let algorithm = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => Algorithm::RS256,
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => Algorithm::ES256,
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => Algorithm::EdDSA,
        _ => return None,
    };
    // A key that says that it is for something else is.
    let says = value.get("alg").and_then(Value::as_str);
    let is_other = says.is_some_and(|says| says.parse() != Ok(algorithm));
    let is_for_signatures = matches!(jwk.common.public_key_use, None | Some(PublicKeyUse::Signature));
    let key = Key { algorithm, key: DecodingKey::from_jwk(&jwk).ok()? };
    (!is_other && is_for_signatures && is_of_its_curve(&key)).then_some((jwk.common.key_id, key))
}
