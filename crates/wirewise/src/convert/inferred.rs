//! Schemas that nobody gives: inferred from the input, or that of anything.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use wirewise_core::{ErrorKind, Limits, Losses, Schema};
use wirewise_formats::{Framing, Variant, plan};
use wirewise_schema::Inference;
use wirewise_transcode::Source;

use crate::failure::Failure;

pub(crate) fn inference_options(limits: Limits) -> wirewise_schema::Options {
    wirewise_schema::Options { max_depth: limits.depth, limits, ..wirewise_schema::Options::default() }
}

/// What formats that describe themselves need: no schema.
pub(super) fn any_schema() -> Schema {
    Schema::parse(r#"{"wirewise": "schema/1", "root": "any"}"#).expect("it is a valid schema")
}

/// Reads messages of any type into an inference; returns how many. Where the reader has not the whole stream, its cut
/// end is no error.
pub(crate) fn infer(
    inference: &mut Inference,
    reader: &mut dyn Read,
    whole: bool,
    variant: &'static Variant,
    framing: Framing,
    path: &Path,
    limits: Limits,
) -> Result<u64, Failure> {
    let schema = Arc::new(any_schema());
    let codec = plan(variant.id, &schema).map_err(|error| Failure::from_error(&error))?;
    let mut source = Source::new(reader, framing, limits);
    let mut count = 0;
    loop {
        match source.next(&*codec, &mut Losses::none()) {
            Ok(None) => return Ok(count),
            Ok(Some(document)) => {
                inference.add_document(&document).map_err(|error| Failure::from_error(&error).in_file(path))?;
                count += 1;
            }
            Err(wirewise_transcode::Error::Message { error, .. }) if !whole && error.kind() == ErrorKind::End => {
                return Ok(count);
            }
            Err(error) => return Err(Failure::in_stream(&error, path, path, variant.text)),
        }
    }
}
