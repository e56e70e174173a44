//! Which variants a conversion is between.

use std::path::Path;

use wirewise_core::{LossKind, Losses};
use wirewise_formats::{FORMATS, Format, Framing, Variant, find};

use crate::cli;
use crate::failure::Failure;

pub(crate) fn by_extension(path: &Path) -> Option<(&'static dyn Format, &'static Variant)> {
    let extension = path.extension()?.to_str()?;
    let format = FORMATS.iter().find(|format| format.info().extensions.contains(&extension))?;
    let variants = format.info().variants;
    // Files of Avro are containers: only they carry their schema.
    let container = variants.iter().find(|variant| variant.framing == Framing::AvroContainer);
    Some((*format, container.unwrap_or(&variants[0])))
}

pub(crate) fn source_variant(
    name: Option<&str>,
    path: &Path,
) -> Result<(&'static dyn Format, &'static Variant), Failure> {
    match name {
        Some(name) => find(name).map_err(|error| Failure::from_error(&error)),
        None => match by_extension(path) {
            Some(found) => Ok(found),
            None => find("json").map_err(|error| Failure::from_error(&error)),
        },
    }
}

pub(super) fn target_variant(options: &cli::Convert) -> Result<(&'static dyn Format, &'static Variant), Failure> {
    match &options.to {
        Some(name) => find(name).map_err(|error| Failure::from_error(&error)),
        None => by_extension(&options.out)
            .ok_or_else(|| Failure::bad("no target format").hint("name it with --to; `wirewise formats` lists them")),
    }
}

/// Whether fields that the schema does not know go through: both sides are of one format, which keeps them, and nobody
/// asked for them to be dropped.
pub(super) fn keeps_unknown(from: &Variant, to: &Variant, losses: &Losses) -> bool {
    let format = |variant: &Variant| find(variant.id).map(|(format, _)| format).ok();
    let (Some(from), Some(to)) = (format(from), format(to)) else { return false };
    from.info().name == to.info().name && from.keeps_unknown() && !losses.allows(LossKind::UnknownField)
}
