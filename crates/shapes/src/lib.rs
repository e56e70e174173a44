//! Shapes: reversible changes of a schema and its data, so that the same data takes fewer bytes in every format.
//!
//! A [`Shape`] makes another type of the type at a [`Slot`], and knows how values become values of it and back. A [`Step`]
//! is a shape at a slot. [`Shaping`] plans some steps for a schema; then documents go both ways. What does not come back
//! the same is an error, except for the shapes that say so ([`Info::lossy`]).
//!
//! ```
//! use std::sync::Arc;
//! use wirewise_core::{Arena, Limits, Losses, Schema};
//! use wirewise_shapes::{Shaping, Step, Workspace};
//!
//! let schema = Arc::new(Schema::parse(r#"{
//!   "wirewise": "schema/1",
//!   "root": {"list": "Point"},
//!   "types": [{"record": "Point", "fields": [
//!     {"number": 1, "name": "id", "type": "int32"},
//!     {"number": 2, "name": "height", "type": "float64"}]}]
//! }"#)?);
//! let shaping = Shaping::new(&schema, Step::parse_all("columns@$ delta@PointColumns.id decimal@PointColumns.height[],scale=1")?)?;
//!
//! let input = br#"[{"id":1000,"height":1.5},{"id":1001,"height":-2.0}]"#;
//! let mut arena = Arena::new(Limits::default());
//! let json = wirewise_formats::plan("json", &schema)?;
//! let document = json.decode(input, &mut arena, &mut Losses::none())?;
//! let (mut space, mut out) = (Workspace::new(Limits::default()), Vec::new());
//! let shaped = shaping.apply(&document, &mut space)?;
//! wirewise_formats::plan("json", shaping.shaped())?.encode(&shaped, &mut out, &mut Losses::none())?;
//! assert_eq!(out, br#"{"id":[1000,1],"height":[15,-20]}"#);
//! # Ok::<(), wirewise_core::Error>(())
//! ```
//!
//! A schema file has the schema as people see it, and the steps as the note [`NOTE`]: see [`Shaping::noted`].

mod codec;
mod propose;
mod recipe;
mod sets;
mod shape;
mod shapes;
mod shaping;
mod slot;
mod step;
mod types;
mod walk;

pub use codec::{plan, wrap};
pub use propose::propose;
pub use recipe::Recipe;
pub use sets::{SETS, Set};
pub use shape::{Info, Param, Params, Planned, Shape, Site, Values};
pub use shapes::SHAPES;
pub use shaping::{NOTE, Shaping, Workspace};
pub use slot::{Slot, slots};
pub use step::{Step, find};
pub use types::Types;
pub use walk::{Lost, NodeId, Rewrite, Walk, keep};
