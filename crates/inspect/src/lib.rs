//! Explaining bytes: what each byte of a payload is, of any format, also of one that is broken.
//!
//! * [`layers`] peels off what is around a stream: gzip, zstd, lz4, brotli.
//! * [`guess()`] says which format and framing bytes may be, and how sure that is.
//! * [`Reading`] is how a stream is read: a format, what frames its messages, a schema or none. [`inspect`] then hands
//!   out the stream piece by piece, each as an [`Item`]: its bytes, and rows that say what they are.
//! * [`ByField`] adds the items up: where the bytes go.
//!
//! Memory is bounded by the largest message, not by the stream. Broken messages are items too: with what was read, and
//! the error that says where it stopped.
//!
//! ```
//! use std::ops::ControlFlow;
//! use wirewise_core::Limits;
//! use wirewise_inspect::{Frames, Label, Reading, guess, inspect};
//!
//! let input = b"\x82\xa4name\xa3Ada\xa3age\x24";
//! let likeliest = &guess(input, true, None)[0];
//! assert_eq!(likeliest.variant.id, "msgpack-named");
//!
//! let reading = Reading::plan(likeliest.variant, likeliest.frames, likeliest.confluent, None)?;
//! let mut lines = Vec::new();
//! let summary = inspect(&input[..], &reading, Limits::default(), None, &mut |item| {
//!     if let Label::Message { .. } = item.label {
//!         lines.extend(item.rows.iter().map(|row| format!("{:?} {} {} {}", row.bytes, row.kind.name(), row.path, row.value)));
//!     }
//!     ControlFlow::Continue(())
//! })?;
//! assert_eq!(summary.messages, 1);
//! assert_eq!(lines[2], "2..6 name $.name \"name\"");
//! assert_eq!(lines.last().unwrap(), "14..15 payload $.age 36");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod buffer;
mod by_field;
mod confluent;
mod container;
mod frames;
mod grpc;
mod guess;
mod item;
pub mod layers;
mod reading;
mod walk;

pub use by_field::{ByField, Place};
pub use guess::{Candidate, guess};
pub use item::{Item, Kind, Label, Row};
pub use reading::{Frames, Reading};
pub use walk::{Broken, Failure, Summary, by_field, inspect};
