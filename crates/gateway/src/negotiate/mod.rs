//! Content negotiation as RFC 9110, section 12, says.
//!
//! [`accept`] chooses a representation, [`coding`] one of its bodies.

pub mod accept;
pub mod coding;
mod list;

pub use accept::{Accept, MediaType};
pub use coding::AcceptEncoding;
