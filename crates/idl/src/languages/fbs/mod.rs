//! FlatBuffers schemas, as text and as the binary form that flatc writes.

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
    reads: false,
    writes: false,
    format: Some("flatbuffers"),
    numbers: true,
};

impl Language for Fbs {
    fn info(&self) -> &'static Info {
        &FBS
    }

    fn read(&self, source: &Source, _files: &dyn Files) -> Result<Module> {
        Err(Error::at(Place::file(&source.name), "reading FlatBuffers is not supported"))
    }

    fn write(&self, _module: &Module) -> Result<Written> {
        Err(Error::new("writing FlatBuffers is not supported"))
    }
}

/// binary FlatBuffers schema.
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
