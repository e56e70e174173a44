//! Schema languages: each is read into the one schema model and written from it.
//!
//! A language is a folder with a [`Language`] in it, registered in [`LANGUAGES`]. Reading gives a [`Module`]: the types of
//! a file and of all it imports, where each was declared, and notes on what was passed over. Writing gives text, and the
//! list of what the language could not say.
//!
//! What one language says and another has no word for travels in [`Notes`](wirewise_core::Notes): as a line
//! `@wirewise key=text; ...` in documentation comments ([`docs`]), or as members in JSON. So a schema comes back from
//! every language with its numbers, widths and encodings.

pub mod docs;
mod error;
mod files;
pub mod json;
pub mod keys;
mod language;
mod languages;
mod lock;
mod module;
pub mod names;
mod zeros;

/// The files of a JSON Schema, for those to whom its constraints matter and not only its types.
pub mod json_schema {
    pub use crate::languages::json_schema::{At, Documents, Key, Locators};
}

pub use error::{Error, Place, Result};
pub use files::{Files, MemoryFiles, Source};
pub use language::{Info, LANGUAGES, Language, Lost, Written, find, find_for_path, language_of, read};
pub use lock::{FILE_VERSION as LOCK_VERSION, Lock, Locked};
pub use module::{Element, Module, Places};
pub use zeros::with_zeros;
