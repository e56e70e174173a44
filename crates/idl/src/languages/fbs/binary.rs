//! The binary form: a message of the schema in `reflection.fbs`, which our own parser and codec read.

mod decode;
mod encode;

use std::sync::{Arc, OnceLock};

use wirewise_core::{Int, Schema as Model};
use wirewise_formats::Codec;

use super::{parse, read};
use crate::{Error, MemoryFiles, Place, Result, Source};

pub(super) use decode::decode;
pub(super) use encode::encode;

/// The text that says how binary schemas are laid out.
const REFLECTION: &str = include_str!("reflection.fbs");

/// The codec of binary schemas.
fn codec() -> Result<Box<dyn Codec>> {
    static MODEL: OnceLock<Arc<Model>> = OnceLock::new();
    let model = match MODEL.get() {
        Some(model) => model,
        None => {
            let source = Source::new("reflection.fbs", REFLECTION);
            let schema = parse::parse(&source, &MemoryFiles::none())?;
            let module = read::module(schema, &Place::file(&source.name))?;
            let model = module.schema_of(None)?;
            MODEL.get_or_init(|| Arc::new(model))
        }
    };
    wirewise_formats::plan("flatbuffers", model).map_err(Error::from)
}

/// Numbers of the base types.
mod base {
    pub(super) const NONE: i64 = 0;
    pub(super) const UTYPE: i64 = 1;
    pub(super) const BOOL: i64 = 2;
    pub(super) const FLOAT: i64 = 11;
    pub(super) const DOUBLE: i64 = 12;
    pub(super) const STRING: i64 = 13;
    pub(super) const VECTOR: i64 = 14;
    pub(super) const OBJECT: i64 = 15;
    pub(super) const UNION: i64 = 16;
    pub(super) const ARRAY: i64 = 17;
}

/// The base types of integers.
const INTEGERS: [(i64, Int); 8] = [
    (3, Int::I8),
    (4, Int::U8),
    (5, Int::I16),
    (6, Int::U16),
    (7, Int::I32),
    (8, Int::U32),
    (9, Int::I64),
    (10, Int::U64),
];

/// Notes of ours that binary schemas keep as attributes of flatc have these names.
const LIFTED: [&str; 5] = ["id", "deprecated", "required", "key", "nested_flatbuffer"];
