//! A measurement as people and programs read it.
//!
//! Each form is one file: [`text`] for terminals, [`json`] for programs.

mod json;
mod text;
pub mod units;

pub use json::json;
pub use text::text;
