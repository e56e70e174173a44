//! Who may read and write: tokens (JWT, RFC 7519) of one issuer, as bearers show them (RFC 6750).
//!
//! [`guard`] judges requests, [`keys`] has the issuer's public keys, [`crypto`] verifies signatures.

mod crypto;
mod guard;
mod keys;
mod seen;
mod token;

pub(crate) use guard::Guard;
pub(crate) use token::Grant;
