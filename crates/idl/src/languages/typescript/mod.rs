//! TypeScript types of the JSON that messages are.

mod text;
mod write;

use crate::{Error, Files, Info, Language, Module, Place, Result, Source, Written};

/// TypeScript.
#[derive(Debug)]
pub(crate) struct TypeScript;

static INFO: Info = Info {
    name: "typescript",
    aliases: &["ts"],
    title: "TypeScript",
    specification: "TypeScript 5, <https://www.typescriptlang.org/docs/>",
    extensions: &[".ts", ".d.ts"],
    binary: false,
    reads: false,
    writes: true,
    format: Some("json"),
    numbers: false,
};

impl Language for TypeScript {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn read(&self, source: &Source, _files: &dyn Files) -> Result<Module> {
        let what = "reading is not supported: TypeScript is only written";
        Err(Error::at(Place::file(&source.name), what).hint("read the schema that the types were made of"))
    }

    fn write(&self, module: &Module) -> Result<Written> {
        Ok(write::write(module))
    }
}
