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
