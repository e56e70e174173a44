//! Thrift schemas.

use crate::{Error, Files, Info, Language, Module, Place, Result, Source, Written};

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
    reads: false,
    writes: false,
    format: Some("thrift"),
    numbers: true,
};

impl Language for Thrift {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn read(&self, source: &Source, _files: &dyn Files) -> Result<Module> {
        Err(Error::at(Place::file(&source.name), "reading Thrift is not supported"))
    }

    fn write(&self, _module: &Module) -> Result<Written> {
        Err(Error::new("writing Thrift is not supported"))
    }
}
