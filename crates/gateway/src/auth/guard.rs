//! Judges requests.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use http::header::{AUTHORIZATION, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, StatusCode};

use super::crypto;
use super::keys::Keys;
use super::seen::{Seen, hash};
use super::token::{Grant, Rules, Wrong};
use crate::Result;
use crate::config::Auth;
use crate::problem::Problem;

/// Longest token that is looked at. Those of real issuers have one or two thousand bytes.
const MOST_BYTES: usize = 16 << 10;

/// Knows who may do what.
pub(crate) struct Guard {
    rules: Rules,
    keys: Keys,
    seen: Seen,
}

impl Guard {
    /// For the tokens of an issuer.
    ///
    /// # Errors
    /// When the keys cannot be had from where the configuration says.
    pub(crate) fn new(config: &Auth) -> Result<Guard> {
        crypto::install();
        let empty = |what: &str| crate::Error::new(format!("it is empty: tokens for anybody would do as {what}"));
        if config.issuer.is_empty() {
            return Err(empty("issuer").at(["auth", "issuer"]));
        }
        if config.audience.is_empty() || config.audience.iter().any(String::is_empty) {
            return Err(empty("audience").at(["auth", "audience"]));
        }
        let rules = Rules {
            issuer: config.issuer.clone(),
            audience: config.audience.clone(),
            clock_skew: config.clock_skew.0.as_secs(),
        };
        Ok(Guard { rules, keys: Keys::new(config)?, seen: Seen::default() })
    }

    /// Whether there are keys yet.
    pub(crate) fn has_keys(&self) -> bool {
        self.keys.current().is_some()
    }

    /// Has the keys once, to see whether that works.
    ///
    /// # Errors
    /// When it does not.
    pub(crate) async fn try_keys(&self) -> Result<()> {
        self.keys.refresh().await
    }

    /// Keeps the keys fresh, for ever.
    pub(crate) async fn keep_fresh(self: Arc<Self>) {
        self.keys.keep_fresh(|| self.seen.clear()).await;
    }

    /// The grant of a request with this head, if it may do what needs these scopes.
    ///
    /// # Errors
    /// 401, 403; 400 for what is no token at all; 503 while there are no keys.
    pub(crate) async fn admit(&self, headers: &HeaderMap, scopes: &[String]) -> Result<Arc<Grant>, Problem> {
        let token = bearer(headers)?;
        let hash = hash(token);
        let grant = match self.seen.get(&hash) {
            Some(grant) => grant,
            None => {
                let grant = Arc::new(self.verify(token).await?);
                self.seen.put(hash, grant.clone());
                grant
            }
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(u64::MAX, |since| since.as_secs());
        if now > grant.until {
            return Err(invalid("it has expired"));
        }
        match scopes.iter().find(|scope| !grant.scopes.contains(*scope)) {
            None => Ok(grant),
            Some(scope) => Err(insufficient(scope, scopes)),
        }
    }

    async fn verify(&self, token: &str) -> Result<Grant, Problem> {
        let header = jsonwebtoken::decode_header(token).map_err(|_| invalid("it cannot be read"))?;
        if !crypto::ALGORITHMS.iter().any(|(known, _)| *known == header.alg) {
            return Err(invalid("its algorithm is not RS256, ES256 or EdDSA"));
        }
        match self.try_all(token, &header) {
            Some(done) => done.map_err(invalid),
            None => {
                // The issuer may have a new key.
                self.keys.look_again().await;
                match self.try_all(token, &header) {
                    Some(done) => done.map_err(invalid),
                    None if self.has_keys() => Err(invalid("its key is not known")),
                    None => Err(Problem::new(
                        StatusCode::SERVICE_UNAVAILABLE,
                        "the keys that tokens are verified with could not be had yet",
                    )
                    .header(RETRY_AFTER, HeaderValue::from_static("5"))),
                }
            }
        }
    }

    /// `None` where there is no key for it.
    fn try_all(&self, token: &str, header: &jsonwebtoken::Header) -> Option<Result<Grant, Wrong>> {
        let keys = self.keys.current()?;
        let mut last = None;
        for key in keys.find(header.kid.as_deref(), header.alg) {
            match self.rules.verify(token, key) {
                Ok(grant) => return Some(Ok(grant)),
                Err((wrong, is_signature)) => {
                    last = Some(Err(wrong));
                    if !is_signature {
                        break;
                    }
                }
            }
        }
        last
    }
}

/// The token of a request.
fn bearer(headers: &HeaderMap) -> Result<&str, Problem> {
    let mut all = headers.get_all(AUTHORIZATION).iter();
    let (first, further) = (all.next(), all.next());
    let parts = first.and_then(|value| value.to_str().ok()).and_then(|text| text.split_once(' '));
    let Some((_, token)) = parts.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")) else {
        let asked = Problem::new(StatusCode::UNAUTHORIZED, "a token is needed: Authorization: Bearer TOKEN");
        return Err(asked.header(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"wirewise\"")));
    };
    let token = token.trim();
    if token.len() > MOST_BYTES {
        return Err(invalid("it is too long"));
    }
    let is_clean = token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte));
    if token.is_empty() || !is_clean || further.is_some() {
        let wrong = Problem::new(StatusCode::BAD_REQUEST, "Authorization is not one field of the form Bearer TOKEN");
        let challenge = HeaderValue::from_static("Bearer realm=\"wirewise\", error=\"invalid_request\"");
        return Err(wrong.header(WWW_AUTHENTICATE, challenge));
    }
    Ok(token)
}

/// 401 as RFC 6750, 3.1, says.
fn invalid(wrong: Wrong) -> Problem {
    let text = format!("Bearer realm=\"wirewise\", error=\"invalid_token\", error_description=\"{wrong}\"");
    let challenge = HeaderValue::try_from(text)
        .unwrap_or_else(|_| HeaderValue::from_static("Bearer realm=\"wirewise\", error=\"invalid_token\""));
    Problem::new(StatusCode::UNAUTHORIZED, format!("the token is not valid: {wrong}"))
        .header(WWW_AUTHENTICATE, challenge)
}

/// 403, with the scopes that would do.
fn insufficient(missing: &str, all: &[String]) -> Problem {
    let text = format!("Bearer realm=\"wirewise\", error=\"insufficient_scope\", scope=\"{}\"", all.join(" "));
    let challenge = HeaderValue::try_from(text)
        .unwrap_or_else(|_| HeaderValue::from_static("Bearer realm=\"wirewise\", error=\"insufficient_scope\""));
    Problem::new(StatusCode::FORBIDDEN, format!("the token does not have the scope {missing:?}"))
        .with("scopes", all.to_vec())
        .header(WWW_AUTHENTICATE, challenge)
}
