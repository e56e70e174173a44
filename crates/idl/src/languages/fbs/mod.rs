//! FlatBuffers schemas, as text and as the binary form that flatc writes.
//!
//! Both forms are read into the same data ([`ir`]), from which a module of the model is made, and written from it.

mod binary;
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

use wirewise_core::{Field, Kind, Schema};

use crate::{Files, Info, Language, Module, Place, Result, Source, Written};

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
        let start = Place { line: 1, column: 1, ..Place::file(&source.name) };
        read::module(parse::parse(source, files)?, &start)
    }

    fn write(&self, module: &Module) -> Result<Written> {
        let (schema, lost) = write::schema(module, write::Form::Text)?;
        Ok(Written { bytes: print::print(&schema).into_bytes(), lost })
    }

    fn leaves_out(&self, schema: &Schema, field: &Field) -> bool {
        // What lies behind an offset is required only where the schema says so.
        matches!(schema.kind(field.ty), Kind::Bool | Kind::Int(_) | Kind::Float(_) | Kind::Enum(_))
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
    reads: true,
    writes: true,
    format: Some("flatbuffers"),
    numbers: true,
};

impl Language for Bfbs {
    fn info(&self) -> &'static Info {
        &BFBS
    }

    fn read(&self, source: &Source, _files: &dyn Files) -> Result<Module> {
        read::module(binary::decode(source)?, &Place::file(&source.name))
    }

    fn write(&self, module: &Module) -> Result<Written> {
        let (schema, lost) = write::schema(module, write::Form::Binary)?;
        Ok(Written { bytes: binary::encode(&schema)?, lost })
    }

    fn leaves_out(&self, schema: &Schema, field: &Field) -> bool {
        // What lies behind an offset is required only where the schema says so.
        matches!(schema.kind(field.ty), Kind::Bool | Kind::Int(_) | Kind::Float(_) | Kind::Enum(_))
    }
}
