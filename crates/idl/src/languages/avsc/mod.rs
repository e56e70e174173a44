//! Avro schemas.

use crate::{Error, Files, Info, Language, Module, Place, Result, Source, Written};

/// Avro.
#[derive(Debug)]
pub(crate) struct Avsc;

static INFO: Info = Info {
    name: "avsc",
    aliases: &["avro"],
    title: "Avro",
    specification: "Apache Avro 1.12.0, <https://avro.apache.org/docs/1.12.0/specification/>",
    extensions: &[".avsc"],
    binary: false,
    reads: false,
    writes: false,
    format: Some("avro"),
    numbers: false,
};

impl Language for Avsc {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn read(&self, source: &Source, _files: &dyn Files) -> Result<Module> {
        Err(Error::at(Place::file(&source.name), "reading Avro is not supported"))
    }

    fn write(&self, _module: &Module) -> Result<Written> {
        Err(Error::new("writing Avro is not supported"))
    }
}
