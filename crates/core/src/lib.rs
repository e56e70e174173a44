//! The contract every other Wirewise crate is written against: what a schema is, what a decoded message is, and what
//! can go wrong.
//!
//! * [`Schema`] is one model for all schema languages: a small graph of types addressed by [`TypeId`].
//! * [`Arena`] holds one decoded message as a flat run of 8-byte [`Cell`]s laid out by the schema; [`Document`] is the
//!   read-only view of it. See [`arena`] for the layout and for why it is this one.
//! * [`Error`] says what was wrong, where (byte offset and path) and what to do next; [`Losses`] decides what may be
//!   dropped and counts it.
//! * [`Limits`] bounds what hostile input can make us do.
//!
//! Nothing here does IO, reads a clock or knows a wire format.
//!
//! ```
//! use wirewise_core::{Arena, Cell, Document, Kind, Limits, Schema};
//!
//! let schema = Schema::parse(r#"{
//!   "wirewise": "schema/1",
//!   "root": "Point",
//!   "types": [{"record": "Point", "fields": [
//!     {"number": 1, "name": "x", "type": "int32"},
//!     {"number": 2, "name": "label", "type": "string", "presence": "optional"}]}]
//! }"#)?;
//! let Kind::Record(point) = schema.kind(schema.root()) else { unreachable!() };
//!
//! let mut arena = Arena::new(Limits::default());
//! arena.begin(b"")?;
//! let at = arena.record(point)?;
//! arena.set_field(point, at, 0, Cell::int(7));
//! arena.set_root(Cell::index(at));
//!
//! let document = Document::new(&schema, b"", &arena);
//! let record = document.record(point, document.root());
//! assert_eq!(record.cell(0).as_i64(), 7);
//! assert!(record.is_absent(1));
//! # Ok::<(), wirewise_core::Error>(())
//! ```

pub mod arena;
mod diff;
mod document;
mod down;
mod error;
pub mod json;
mod limits;
mod loss;
mod out;
pub mod schema;
pub mod text;
pub mod trace;
mod unknown;
pub mod utf8;
pub mod varint;

pub use arena::{AnyTag, Arena, Cell, State};
pub use diff::{Difference, diff};
pub use document::{AnyValue, Document, RecordView};
pub use down::{Down, Words};
pub use error::{Error, ErrorKind, Result, Segment};
pub use limits::Limits;
pub use loss::{LossKind, LossName, Losses};
pub use out::Out;
pub use schema::{
    Branch, Enum, Field, Float, Int, Kind, Logical, Notes, Oneof, Part, Presence, Record, Schema, SchemaBuilder,
    Symbol, Type, TypeId, Union, Unit,
};
pub use trace::{Recorder, Role, Silent, Span, Total, Tracer};
