//! Where data comes from: each source is a file of this folder.

mod file;

use async_trait::async_trait;
use bytes::Bytes;
use wirewise_formats::{Framing, Variant};

pub use file::File;

use crate::Result;

/// Where the data of a resource comes from.
#[async_trait]
pub trait Source: Send + Sync {
    /// What it is, for logs and errors; without secrets.
    fn describe(&self) -> String;

    /// The data as it is now.
    ///
    /// # Errors
    /// When it cannot be had.
    async fn fetch(&self, known: Option<&Validator>) -> Result<Fetched>;
}

/// What a source says its data is known by: an ETag, a time, a size. Only the source itself understands it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Validator(pub String);

/// What a source answers.
#[derive(Debug)]
pub enum Fetched {
    /// The data is what the validator stands for.
    Unchanged,
    /// The data.
    Data(Data),
}

/// Data as it comes from a source.
#[derive(Debug, Clone)]
pub struct Data {
    /// One message, or several.
    pub bytes: Bytes,
    /// How they are written.
    pub variant: &'static Variant,
    /// How they follow each other.
    pub framing: Framing,
    /// What to say next time.
    pub validator: Option<Validator>,
}
