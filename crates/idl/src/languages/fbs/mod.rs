//! FlatBuffers schemas, as text and as the binary form that flatc writes.
//!
//! Both forms are read into the same data ([`ir`]), from which a module of the model is made, and written from it.

mod check;
mod constants;
mod facts;
mod ir;
mod lexer;
mod names;
mod parse;
mod print;
mod read;
mod shape;
#[cfg(test)]
mod tests;
mod write;

use crate::{Error, Files, Info, Language, Module, Place, Result, Source, Written};

/// FlatBuffers.
#[derive(Debug)]
pub(crate) struct Fbs;

static FBS: Info = Info {
    name: "fbs",
    aliases: &["flatbuffers"],
    title: "FlatBuffers",
    specification: "FlatBuffers schemas, <https://flatbuffers.dev/schema/>",
    extensions: &[".fbs"],
    binary: false,
    reads: true,
    writes: true,
    format: Some("flatbuffers"),
    numbers: true,
};

impl Language for Fbs {
    fn info(&self) -> &'static Info {
        &FBS
    }

    fn read(&self, source: &Source, files: &dyn Files) -> Result<Module> {
        read::module(parse::parse(source, files)?, &Place::file(&source.name))
    }

    fn write(&self, module: &Module) -> Result<Written> {
        let (schema, lost) = write::schema(module, write::Form::Text)?;
        Ok(Written { bytes: print::print(&schema).into_bytes(), lost })
    }
}

/// Binary FlatBuffers schemas.
#[derive(Debug)]
pub(crate) struct Bfbs;

static BFBS: Info = Info {
    name: "bfbs",
    aliases: &[],
    title: "binary FlatBuffers schema",
    specification: "reflection.fbs of FlatBuffers, <https://flatbuffers.dev/>",
    extensions: &[".bfbs"],
    binary: true,
    reads: false,
    writes: false,
    format: Some("flatbuffers"),
    numbers: true,
};

impl Language for Bfbs {
    fn info(&self) -> &'static Info {
        &BFBS
    }

    fn read(&self, source: &Source, _files: &dyn Files) -> Result<Module> {
        Err(Error::at(Place::file(&source.name), "reading binary FlatBuffers schema is not supported"))
    }

    fn write(&self, _module: &Module) -> Result<Written> {
        Err(Error::new("writing binary FlatBuffers schema is not supported"))
    }
}
