//! Thrift schemas.

mod ast;
mod comments;
mod keys;
mod lexer;
mod load;
mod parser;
mod resolve;
mod values;
mod words;
mod write;

use wirewise_core::{Field, Schema};
use wirewise_formats::thrift::notes;

use crate::{Files, Info, Language, Module, Result, Source, Written};

/// Thrift.
#[derive(Debug)]
pub(crate) struct Thrift;

static INFO: Info = Info {
    name: "thrift",
    aliases: &[],
    title: "Thrift",
    specification: "Apache Thrift IDL, <https://thrift.apache.org/docs/idl>",
    extensions: &[".thrift"],
    binary: false,
    reads: true,
    writes: true,
    format: Some("thrift"),
    numbers: true,
};

impl Language for Thrift {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn read(&self, source: &Source, files: &dyn Files) -> Result<Module> {
        resolve::resolve(&load::load(source, files)?)
    }

    fn write(&self, module: &Module) -> Result<Written> {
        write::write(module)
    }

    fn leaves_out(&self, _schema: &Schema, field: &Field) -> bool {
        field.notes.get(notes::REQUIREDNESS) == Some("default")
    }
}

#[cfg(test)]
mod tests;
