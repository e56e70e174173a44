//! What one resource is.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::edge::Scopes;
use super::source::{Source, Write};
use super::values::{Coding, Duration, Shapes, VariantName};

/// Something that is served.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resource {
    /// Its path; that of its name unless given: `/places`.
    #[serde(default)]
    pub path: Option<String>,
    /// Where its data comes from.
    pub source: Source,
    /// The file with its schema. Where there is none yet, it is written from the first data, and then stays.
    #[serde(default)]
    pub schema: Option<PathBuf>,
    /// The type of a message in that file, where it leaves that open. A list of it is served.
    #[serde(default, rename = "type")]
    pub type_name: Option<String>,
    /// The shapes of its shaped representations.
    #[serde(default)]
    pub shapes: Shapes,
    /// The variants in which it is served as people know it. The first is served to whoever does not ask.
    #[serde(default)]
    pub formats: Option<Vec<VariantName>>,
    /// The variants in which it is served shaped too, to whoever asks for `shaped=1`.
    #[serde(default)]
    pub shaped: Option<Vec<VariantName>>,
    /// The content codings that are kept ready.
    #[serde(default)]
    pub compress: Option<Vec<Coding>>,
    /// How many earlier versions are kept as dictionaries.
    #[serde(default = "Resource::default_dictionaries")]
    pub dictionaries: usize,
    /// How often the source is asked.
    #[serde(default)]
    pub refresh: Option<Duration>,
    /// For how long data is served that could not be refreshed; for ever unless given.
    #[serde(default)]
    pub stale: Option<Duration>,
    /// The `Cache-Control` of its responses.
    #[serde(default)]
    pub cache_control: Option<String>,
    /// Where writes go; it is only read unless given.
    #[serde(default)]
    pub write: Option<Write>,
    /// Whether it needs no token, where there is `auth`.
    #[serde(default)]
    pub public: bool,
    /// What tokens must allow.
    #[serde(default)]
    pub scopes: Scopes,
}

impl Resource {
    fn default_dictionaries() -> usize {
        2
    }

    /// A resource that is as it is unless somebody says otherwise.
    pub fn of(source: Source) -> Resource {
        Resource {
            path: None,
            source,
            schema: None,
            type_name: None,
            shapes: Shapes::Auto,
            formats: None,
            shaped: None,
            compress: None,
            dictionaries: Resource::default_dictionaries(),
            refresh: None,
            stale: None,
            cache_control: None,
            write: None,
            public: false,
            scopes: Scopes::default(),
        }
    }

    /// Makes relative paths start at this folder.
    pub(super) fn start_at(&mut self, folder: &Path) {
        self.source.start_at(folder);
        if let Some(write) = &mut self.write {
            write.start_at(folder);
        }
        if let Some(schema) = &mut self.schema {
            *schema = folder.join(&*schema);
        }
    }
}
