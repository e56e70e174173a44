//! Protocol Buffers schemas, as text and as descriptor sets.

mod ast;
mod check;
mod descriptor;
mod features;
mod fields;
mod interpret;
mod lexer;
mod load;
mod lower;
mod model;
mod names;
mod options;
mod parser;
mod place;
mod shorten;
mod symbols;
mod text;
mod tree;
mod wkt;

use wirewise_core::{Field, Schema};
use wirewise_formats::protobuf::notes;

use crate::{Files, Info, Language, Module, Result, Source, Written};
use interpret::Options;
use load::Loaded;
use symbols::Symbols;

/// The note that keeps documentation which would be read as notes.
const DOC: &str = "doc";

/// Protocol Buffers.
#[derive(Debug)]
pub(crate) struct Proto;

static PROTO: Info = Info {
    name: "proto",
    aliases: &["protobuf"],
    title: "Protocol Buffers",
    specification: "Protocol Buffers language, proto2, proto3 and edition 2023, <https://protobuf.dev/reference/protobuf/edition-2023-spec/>",
    extensions: &[".proto"],
    binary: false,
    reads: true,
    writes: true,
    format: Some("protobuf"),
    numbers: true,
};

impl Language for Proto {
    fn info(&self) -> &'static Info {
        &PROTO
    }

    fn read(&self, source: &Source, files: &dyn Files) -> Result<Module> {
        module(&load::load(source, files)?)
    }

    fn write(&self, module: &Module) -> Result<Written> {
        let (file, lost) = lower::lower(module)?;
        Ok(Written { bytes: text::write(&file).into_bytes(), lost })
    }

    fn leaves_out(&self, _schema: &Schema, field: &Field) -> bool {
        field.notes.get(notes::LABEL) != Some("required")
    }
}

/// Protocol Buffers descriptor set.
#[derive(Debug)]
pub(crate) struct DescriptorSet;

static DESCRIPTOR_SET: Info = Info {
    name: "descriptor-set",
    aliases: &["protoset"],
    title: "Protocol Buffers descriptor set",
    specification: "google/protobuf/descriptor.proto, <https://protobuf.dev/>",
    extensions: &[".binpb", ".protoset", ".desc", ".pb"],
    binary: true,
    reads: true,
    writes: true,
    format: Some("protobuf"),
    numbers: true,
};

impl Language for DescriptorSet {
    fn info(&self) -> &'static Info {
        &DESCRIPTOR_SET
    }

    fn read(&self, source: &Source, _files: &dyn Files) -> Result<Module> {
        let (loaded, notices) = descriptor::read(source)?;
        let mut module = module(&loaded)?;
        module.notices.extend(notices);
        Ok(module)
    }

    fn write(&self, module: &Module) -> Result<Written> {
        let (file, lost) = lower::lower(module)?;
        let bytes = descriptor::write(&shorten::with_imports(file)?)?;
        Ok(Written { bytes, lost })
    }

    fn leaves_out(&self, _schema: &Schema, field: &Field) -> bool {
        field.notes.get(notes::LABEL) != Some("required")
    }
}

/// The module of a file and its imports.
fn module(loaded: &Loaded) -> Result<Module> {
    let symbols = Symbols::new(loaded)?;
    check::check(&symbols)?;
    let options = Options::new(&symbols)?;
    options.check()?;
    model::build(&symbols, Some(&options))
}

#[cfg(test)]
mod tests;
