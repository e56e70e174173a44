//! Streams of messages, and conversion from any variant to any other in bounded memory.
//!
//! A [`Source`] takes messages out of a byte stream by its [`Framing`](wirewise_formats::Framing), a [`Sink`] puts them
//! into one, and [`convert`] runs one into the other message by message: memory is bounded by the largest message, not
//! by the stream.
//!
//! ```
//! use std::sync::Arc;
//! use wirewise_core::{Limits, Losses, Schema};
//! use wirewise_formats::{Framing, plan};
//! use wirewise_transcode::{Sink, Source, convert};
//!
//! let schema = Arc::new(Schema::parse(r#"{"wirewise": "schema/1", "root": "any"}"#)?);
//! let (json, pretty) = (plan("json", &schema)?, plan("json-pretty", &schema)?);
//! let mut source = Source::new(&b"{\"a\":1}\n{\"a\":2}\n"[..], Framing::Lines, Limits::default());
//! let mut sink = Sink::new(Vec::new(), Framing::JsonArray);
//! let count = convert(&mut source, &*json, &mut sink, &*pretty, &mut Losses::none())?;
//! assert_eq!(count, 2);
//! assert_eq!(sink.finish()?, b"[\n{\n  \"a\": 1\n},\n{\n  \"a\": 2\n}\n]\n");
//! # Ok::<(), wirewise_transcode::Error>(())
//! ```

mod convert;
mod error;
mod json_array;
mod sink;
mod source;

pub use convert::convert;
pub use error::{Error, Place};
pub use sink::Sink;
pub use source::{Framed, Source};
