//! `wirewise schema show`.

mod avro;
mod json;
mod text;

use std::path::Path;

use wirewise_core::{Schema, TypeId};
use wirewise_idl::Info;
use wirewise_shapes::Step;

use crate::cli::{self, Output};
use crate::failure::Failure;
use crate::{files, schemas};

/// What is shown.
struct Shown<'a> {
    /// As messages call it.
    file: String,
    language: &'static Info,
    /// All types of the module, or those that the chosen one needs.
    schema: &'a Schema,
    /// The type of a message, where that is known.
    root: Option<TypeId>,
    notices: &'a [String],
    /// What is done to messages where they are written.
    shapes: Vec<String>,
}

pub(crate) fn run(options: cli::Show, output: Output) -> Result<(), Failure> {
    let loaded = schemas::load_with_lock(&options.input, options.from.as_deref(), &options.include)?;
    let module = &loaded.module;
    let chosen = options.type_name.as_ref();
    let chosen = chosen.map(|name| schemas::root(module, Some(name), &options.input)).transpose()?;
    let shown = Shown {
        file: if files::is_standard(&options.input) { "<stdin>".to_owned() } else { files::name(&options.input) },
        language: loaded.language.info(),
        schema: chosen.as_ref().unwrap_or(&module.schema),
        root: chosen.as_ref().map(Schema::root).or(module.root),
        notices: &module.notices,
        shapes: shapes(&module.schema)?,
    };
    // For Avro it must be clear what a message is.
    let message = || schemas::root(module, options.type_name.as_deref(), &options.input);
    let text = match output {
        Output::Text if options.avro => avro::text(
            &avro::Identity::of(&message()?).map_err(|error| Failure::from_error(&error).in_file(&options.input))?,
        ),
        Output::Text => text::write(&shown),
        Output::Json => json::write(&shown, module, message().ok().as_ref()),
    };
    files::write(Path::new("-"), text.as_bytes())
}

/// The steps that a schema notes.
fn shapes(schema: &Schema) -> Result<Vec<String>, Failure> {
    let Some(note) = schema.notes().get(wirewise_shapes::NOTE) else { return Ok(Vec::new()) };
    let steps = Step::parse_all(note).map_err(|error| {
        Failure::from_error(&error).hint(format!("it stands in the note {} of the schema", wirewise_shapes::NOTE))
    })?;
    Ok(steps.iter().map(Step::to_string).collect())
}
