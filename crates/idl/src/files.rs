//! Where imports come from. Only the binary touches the file system; readers ask through [`Files`].

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{Error, Result};

/// A file with a schema.
#[derive(Debug, Clone)]
pub struct Source {
    /// What it is called in messages; also what tells two files apart.
    pub name: Arc<str>,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
}

impl Source {
    /// A file with this content.
    pub fn new(name: &str, bytes: impl Into<Vec<u8>>) -> Source {
        Source { name: name.into(), bytes: bytes.into().into() }
    }

    /// Its content as text, without a byte order mark.
    ///
    /// # Errors
    /// When it is not UTF-8, with the line.
    pub fn text(&self) -> Result<&str> {
        let text = std::str::from_utf8(&self.bytes).map_err(|error| {
            let valid = std::str::from_utf8(&self.bytes[..error.valid_up_to()]).unwrap_or_default();
            Error::at(crate::Place::at(&self.name, valid, valid.len()), "the file is not valid UTF-8")
        })?;
        Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
    }
}

/// Finds files by the names that schemas import them by.
pub trait Files {
    /// The file that `importer` calls `path`: beside `importer`, or under one of the roots. `None`: there is none.
    ///
    /// A path that begins with `/` is looked up under the roots only. Implementations must return the same
    /// [`Source::name`] whenever they return the same file, so that readers can see cycles.
    ///
    /// # Errors
    /// When there is such a file, but it cannot be read.
    fn find(&self, path: &str, importer: &Source) -> Result<Option<Source>>;

    /// Where [`Files::find`] looked, for messages: `looked in a, b`.
    fn places(&self) -> String;
}

/// Files that are given, for tests and for programs that have them in memory. Names are paths with `/`.
#[derive(Debug, Default)]
pub struct MemoryFiles(BTreeMap<String, Source>);

impl MemoryFiles {
    /// No files: whoever imports one is told that there is none.
    pub fn none() -> MemoryFiles {
        MemoryFiles::default()
    }

    /// Adds a file.
    pub fn add(&mut self, name: &str, bytes: impl Into<Vec<u8>>) -> &mut Self {
        self.0.insert(name.to_owned(), Source::new(name, bytes));
        self
    }

    /// The file with exactly this name.
    pub fn get(&self, name: &str) -> Option<&Source> {
        self.0.get(name)
    }
}

impl Files for MemoryFiles {
    fn find(&self, path: &str, importer: &Source) -> Result<Option<Source>> {
        let folder = importer.name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let beside = normal(&format!("{folder}/{path}"));
        let found = (!path.starts_with('/')).then(|| self.0.get(&beside)).flatten();
        Ok(found.or_else(|| self.0.get(&normal(path))).cloned())
    }

    fn places(&self) -> String {
        "looked among the given files".to_owned()
    }
}

/// A path without `.`, `..` and empty parts.
fn normal(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}
