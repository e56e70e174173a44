//! TypeScript types.

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
    writes: false,
    format: Some("json"),
    numbers: false,
};

impl Language for TypeScript {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn read(&self, source: &Source, _files: &dyn Files) -> Result<Module> {
        Err(Error::at(Place::file(&source.name), "reading TypeScript is not supported"))
    }

    fn write(&self, _module: &Module) -> Result<Written> {
        Err(Error::new("writing TypeScript is not supported"))
    }
}
