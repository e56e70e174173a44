//! What the gateway tells of itself: metrics, health, `Server-Timing`, traces.

mod exposition;
mod listener;
mod meters;
mod tally;
mod trace;

pub use meters::{Meters, Refreshed, ResourceMeters};
pub use tally::Tally;
pub use trace::trace_headers;

pub(crate) use listener::Status;
pub(crate) use trace::{Tracing, refreshing};
