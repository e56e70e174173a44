//! Wirewise's own schema file.

#[cfg(test)]
mod tests;

use wirewise_core::Schema;

use crate::json::Locator;
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
        let (schema, offsets) = Schema::parse_with_offsets(text).map_err(|error| {
            let place = match error.offset() {
                Some(offset) => Place::at(&source.name, text, offset),
                None => Place::file(&source.name),
            };
            let problem = Error::at(place, error.message());
            if error.advice().is_some() || text.contains("\"wirewise\"") {
                problem
            } else {
                // Another kind of file altogether.
                problem.hint("`wirewise schema infer` writes schema files")
            }
        })?;
        let mut module = Module::of(schema);
        let locator = Locator::new(&source.name, text);
        for (part, offset) in offsets {
            module.places.set(part.into(), locator.place(offset));
        }
        Ok(module)
    }

    /// A file always says what a message is: the module's root, or what its schema says where the module leaves it open.
    fn write(&self, module: &Module) -> Result<Written> {
        let text = match module.root {
            Some(root) if root != module.schema.root() => module.schema.with_root(root).to_text(),
            _ => module.schema.to_text(),
        };
        Ok(Written { bytes: text.into_bytes(), lost: Vec::new() })
    }
}
