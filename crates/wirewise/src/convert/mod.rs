//! `wirewise convert`.
//!
//! * `run` converts files and streams, with a [`variants`] on each side and a schema between them.
//! * [`shaping`] says which side is shaped, and how.
//! * [`stdio`] converts single messages for other programs.
//! * [`inferred`] finds schemas where nobody gives one, from an [`input`] whose start can be looked at.

mod inferred;
mod input;
mod run;
mod shaping;
mod stdio;
mod variants;

pub(crate) use inferred::{infer, inference_options};
pub(crate) use input::Input;
pub(crate) use run::run;
pub(crate) use variants::{by_extension, source_variant};
