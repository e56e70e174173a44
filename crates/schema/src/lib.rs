//! Schemas from samples.
//!
//! [`Inference`] looks at JSON messages and says what schema they have; [`split_json`] finds the messages in a file.
//! One law decides every question: a message decoded with the inferred schema and written back is the same value. `1`
//! and `1.0` stay different, so do an absent field and a null one; only the order of an object's members is free.
//!
//! ```
//! use wirewise_schema::{Inference, Options, split_json};
//!
//! let input = br#"[{"id": 1, "tags": ["a"]}, {"id": 2, "tags": [], "score": 0.5}]"#;
//! let mut inference = Inference::new(Options::default());
//! for message in split_json(input)?.ranges() {
//!     inference.add(&input[message.clone()])?;
//! }
//! let schema = inference.finish("Article")?;
//! assert_eq!(schema.to_text(), r#"{
//!   "wirewise": "schema/1",
//!   "root": "Article",
//!   "types": [
//!     {"record": "Article", "fields": [
//!       {"number": 1, "name": "id", "type": "int64"},
//!       {"number": 2, "name": "tags", "type": {"list":"string"}},
//!       {"number": 3, "name": "score", "type": "float64", "presence": "optional"}]}
//!   ]
//! }
//! "#);
//! # Ok::<(), wirewise_core::Error>(())
//! ```

mod infer;
mod split;

pub use infer::{Inference, LogicalStyle, Options};
pub use split::{Messages, split_json};
