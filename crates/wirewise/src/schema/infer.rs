//! `wirewise schema infer`.

use std::path::Path;

use wirewise_core::Schema;
use wirewise_idl::Module;
use wirewise_schema::{Inference, LogicalStyle, Options};

use super::lock;
use crate::cli::{self, Output};
use crate::convert::{self, Input};
use crate::failure::{Failure, tell};
use crate::files;
use crate::framing;
use crate::schemas;

pub(crate) fn run(options: cli::Infer, output: Output) -> Result<(), Failure> {
    files::check_inputs(options.inputs.iter().chain(&options.old))?;
    let old = options.old.as_deref().map(old_schema).transpose()?;
    let limits = options.limits.limits();
    let how = Options {
        logical: match options.logical {
            cli::LogicalTypes::Text => LogicalStyle::Text,
            cli::LogicalTypes::Stored => LogicalStyle::Stored,
        },
        ..convert::inference_options(limits)
    };
    let mut inference = match &old {
        Some(old) => Inference::with_schema(old, how),
        None => Inference::new(how),
    };
    let mut messages = 0;
    for path in &options.inputs {
        let (_, variant) = convert::source_variant(options.from.as_deref(), path)?;
        if !variant.schemaless {
            return Err(Failure::bad(format!("{} cannot be read without a schema", variant.id)).in_file(path));
        }
        let mut input = Input::open(path)?;
        let framing = framing::of_input(options.in_framing.as_deref(), variant, &mut input, path)?;
        messages += convert::infer(&mut inference, &mut input, true, variant, framing, path, limits)?;
    }
    if messages == 0 && old.is_none() {
        return Err(Failure::bad("there is no message in the input").in_file(&options.inputs[0]));
    }
    let name = match (&options.name, &old) {
        (Some(name), _) => name.clone(),
        (None, Some(old)) if old.name(old.root()).is_some() => old.name(old.root()).unwrap_or_default().to_owned(),
        (None, _) => files::root_name(&options.inputs[0]),
    };
    let schema = inference.finish(&name).map_err(|error| Failure::from_error(&error))?;
    let (module, change) = lock::apply(&options.lock, None, Module::of(schema))?;
    if let Some(change) = &change {
        change.write(output)?;
    }
    files::write(&options.out, module.schema.to_text().as_bytes())?;
    if output == Output::Json {
        let json = serde_json::json!({
            "wirewise": "schema-infer/1", "messages": messages, "lock_changed": change.is_some(),
        });
        tell(&json.to_string());
    }
    Ok(())
}

fn old_schema(path: &Path) -> Result<Schema, Failure> {
    let loaded = schemas::load_with_lock(path, None, &[])?;
    schemas::root(&loaded.module, None, path)
}
