//! Wirewise's own schema file.

use wirewise_core::Schema;

use crate::{Error, Files, Info, Language, Module, Place, Result, Source, Written};

/// Wirewise's own schema file.
#[derive(Debug)]
pub(crate) struct SchemaFile;

static INFO: Info = Info {
    name: "wirewise",
    aliases: &["schema-file"],
    title: "Wirewise schema file",
    specification: "docs/schema-file.md",
    extensions: &[".wirewise.json", ".schema.json"],
    binary: false,
    reads: true,
    writes: true,
    format: None,
    numbers: true,
};

impl Language for SchemaFile {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn read(&self, source: &Source, _files: &dyn Files) -> Result<Module> {
        let text = source.text()?;
        let schema = Schema::parse(text).map_err(|error| {
            let place = match error.offset() {
                Some(offset) => Place::at(&source.name, text, offset),
                None => Place::file(&source.name),
            };
            Error::from(error).or_at(place)
        })?;
        Ok(Module::of(schema))
    }

    fn write(&self, module: &Module) -> Result<Written> {
        Ok(Written { bytes: module.schema.to_text().into_bytes(), lost: Vec::new() })
    }
}
