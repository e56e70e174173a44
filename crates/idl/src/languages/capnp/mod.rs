//! Cap'n Proto schemas.

mod ast;
mod build;
mod builtin;
mod lexer;
mod parser;
mod record;
mod scope;
mod unit;
mod value;

use crate::{Error, Files, Info, Language, Module, Result, Source, Written};

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
    reads: true,
    writes: false,
    format: Some("capnp"),
    numbers: true,
};

impl Language for Capnp {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn read(&self, source: &Source, files: &dyn Files) -> Result<Module> {
        build::build(&unit::load(source, files)?)
    }

    fn write(&self, _module: &Module) -> Result<Written> {
        Err(Error::new("writing Cap'n Proto is not supported"))
    }
}
