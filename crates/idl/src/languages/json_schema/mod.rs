//! JSON Schema.

use crate::{Error, Files, Info, Language, Module, Place, Result, Source, Written};

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
    reads: false,
    writes: false,
    format: Some("json"),
    numbers: false,
};

impl Language for JsonSchema {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn read(&self, source: &Source, _files: &dyn Files) -> Result<Module> {
        Err(Error::at(Place::file(&source.name), "reading JSON Schema is not supported"))
    }

    fn write(&self, _module: &Module) -> Result<Written> {
        Err(Error::new("writing JSON Schema is not supported"))
    }
}
