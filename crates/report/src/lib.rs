//! Results as people and programs read them: a measurement here, explained bytes in [`inspect`].
//!
//! Each form is one file: [`text`] for terminals, [`json`] for programs.

pub mod advice;
pub mod comparison;
mod compression;
pub mod evolution;
pub mod inspect;
mod json;
mod shapes;
mod text;
pub mod units;

pub use json::json;
pub use text::text;
