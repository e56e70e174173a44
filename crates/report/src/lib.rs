//! Results as people and programs read them: a measurement here, explained bytes in [`inspect`].
//!
//! Each form is one file: [`text`] for terminals, [`json`] for programs, [`html`] for browsers, [`markdown`] for issues and
//! wikis, [`csv`] for spreadsheets.

pub mod advice;
pub mod comparison;
mod compression;
mod csv;
mod decision;
pub mod evolution;
mod exactness;
pub mod inspect;
mod json;
mod markdown;
mod page;
mod shapes;
mod text;
pub mod units;

pub use csv::csv;
pub use json::json;
pub use markdown::markdown;
pub use page::html;
pub use text::text;
