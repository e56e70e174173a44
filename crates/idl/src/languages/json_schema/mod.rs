//! JSON Schema.

mod keywords;
mod read;
#[cfg(test)]
mod tests;
mod tree;
mod write;

pub use read::documents::{At, Documents, Key, Locators};

use crate::{Files, Info, Language, Module, Result, Source, Written};

/// JSON Schema.
#[derive(Debug)]
pub(crate) struct JsonSchema;

static INFO: Info = Info {
    name: "json-schema",
    aliases: &["jsonschema"],
    title: "JSON Schema",
    specification: "JSON Schema draft-07 and 2020-12, <https://json-schema.org/specification>",
    extensions: &[".schema.json", ".json"],
    binary: false,
    reads: true,
    writes: true,
    format: Some("json"),
    numbers: false,
};

impl Language for JsonSchema {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn read(&self, source: &Source, files: &dyn Files) -> Result<Module> {
        read::read(source, files)
    }

    fn write(&self, module: &Module) -> Result<Written> {
        write::write(module)
    }
}
