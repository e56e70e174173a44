//! Cap'n Proto schemas.

mod ast;
mod build;
mod builtin;
mod check;
mod declare;
mod expression;
mod finish;
mod lexer;
mod naming;
mod parser;
mod record;
mod scope;
mod unit;
mod value;
mod write;

use wirewise_core::{Field, Schema};

use crate::{Files, Info, Language, Module, Result, Source, Written};

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
    writes: true,
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

    fn write(&self, module: &Module) -> Result<Written> {
        write::write(module)
    }

    fn leaves_out(&self, _schema: &Schema, _field: &Field) -> bool {
        true
    }
}

/// The id of a file that has none: made of the name of its root, or else of a type, so that it is always the same.
fn derived_id<'a>(root: Option<&'a str>, types: impl Iterator<Item = &'a str>) -> u64 {
    let name = root.or_else(|| types.min()).unwrap_or("root");
    // FNV-1a, then the last steps of splitmix64, so that all bits depend on all of the name.
    let hash = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    let mixed = (hash ^ hash >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    // All ids have the highest bit.
    (mixed ^ mixed >> 31) | 1 << 63
}
