//! The text forms of logical types, in both directions and exact: what is parsed is written back the same, or refused.

pub mod base64;
pub mod time;
pub mod uuid;
