//! Content negotiation as RFC 9110, section 12, says.
//!
//! [`accept`] chooses a representation, [`coding`] one of its bodies, and a [`Memo`] keeps what was chosen.

pub mod accept;
pub mod coding;
mod list;
mod memo;

pub use accept::{Accept, MediaType};
pub use coding::AcceptEncoding;
pub use memo::{Memo, Question};

/// All fields of this name as one list.
pub(crate) fn joined(headers: &http::HeaderMap, name: &http::HeaderName) -> String {
    let values: Vec<_> = headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
    values.join(",")
}
