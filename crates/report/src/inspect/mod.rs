//! Explained bytes as people and programs read them.

mod fields;
mod json;
mod style;
mod text;

pub use fields::fields;
pub use json::{fields_json, item_json, layer_json};
pub use text::{Lines, Text, layer_line};
