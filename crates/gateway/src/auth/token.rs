//! What a token says.

use std::collections::HashSet;

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::Deserialize;

/// A key of the issuer, and the one algorithm that it is for: what a token says about that is only compared.
#[derive(Clone)]
pub(super) struct Key {
    pub(super) algorithm: Algorithm,
    pub(super) key: DecodingKey,
}

/// What every token is held against.
pub(super) struct Rules {
    pub(super) issuer: String,
    pub(super) audience: Vec<String>,
    /// In seconds.
    pub(super) clock_skew: u64,
}

/// What a token allows, and until when.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Grant {
    /// Whose it is; nothing where it does not say so.
    pub(crate) subject: String,
    pub(super) scopes: HashSet<String>,
    /// In seconds since 1970, clock skew included.
    pub(super) until: u64,
}

#[derive(Deserialize)]
struct Claims {
    #[serde(default)]
    sub: Option<String>,
    /// It was seen to be there, and to be a number.
    #[serde(default)]
    exp: Option<f64>,
    /// As OAuth says (RFC 9068, RFC 8693): words.
    #[serde(default)]
    scope: Option<Words>,
    /// As others do.
    #[serde(default)]
    scp: Option<Words>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    Text(String),
    List(Vec<String>),
}

impl Words {
    fn into_words(self) -> Vec<String> {
        match self {
            Words::Text(text) => text.split_ascii_whitespace().map(str::to_owned).collect(),
            Words::List(list) => list,
        }
    }
}

/// What is wrong with a token; said to its bearer.
pub(super) type Wrong = &'static str;

impl Rules {
    /// Verifies a token with a key.
    ///
    /// # Errors
    /// With what is wrong; whether it is the signature, so that another key may do.
    pub(super) fn verify(&self, token: &str, key: &Key) -> Result<Grant, (Wrong, bool)> {
        let mut validation = Validation::new(key.algorithm);
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&self.audience);
        validation.set_required_spec_claims(&["exp", "iss", "aud"]);
        validation.validate_nbf = true;
        validation.leeway = self.clock_skew;
        let data =
            jsonwebtoken::decode::<Claims>(token, &key.key, &validation).map_err(|error| match error.kind() {
                ErrorKind::InvalidSignature => ("its signature is wrong", true),
                ErrorKind::InvalidAlgorithm => ("its algorithm is not that of the key", true),
                ErrorKind::ExpiredSignature => ("it has expired", false),
                ErrorKind::ImmatureSignature => ("it is not valid yet", false),
                ErrorKind::InvalidIssuer => ("it is of another issuer", false),
                ErrorKind::InvalidAudience => ("it is for another audience", false),
                ErrorKind::MissingRequiredClaim(_) => ("it lacks one of the claims exp, iss and aud", false),
                _ => ("it cannot be read", false),
            })?;
        let claims = data.claims;
        let words = [claims.scope, claims.scp].into_iter().flatten().flat_map(Words::into_words);
        Ok(Grant {
            subject: claims.sub.unwrap_or_default(),
            scopes: words.collect(),
            until: (claims.exp.unwrap_or(0.0) as u64).saturating_add(self.clock_skew),
        })
    }
}
