//! Cap'n Proto schemas.

use crate::{Error, Files, Info, Language, Module, Place, Result, Source, Written};

/// Cap'n Proto.
#[derive(Debug)]
pub(crate) struct Capnp;

static INFO: Info = Info {
    name: "capnp",
    aliases: &["capnproto"],
    title: "Cap'n Proto",
    specification: "Cap'n Proto 1.0, <https://capnproto.org/language.html>",
    extensions: &[".capnp"],
    binary: false,
    reads: false,
    writes: false,
    format: Some("capnp"),
    numbers: true,
};

impl Language for Capnp {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn read(&self, source: &Source, _files: &dyn Files) -> Result<Module> {
        Err(Error::at(Place::file(&source.name), "reading Cap'n Proto is not supported"))
    }

    fn write(&self, _module: &Module) -> Result<Written> {
        Err(Error::new("writing Cap'n Proto is not supported"))
    }
}
