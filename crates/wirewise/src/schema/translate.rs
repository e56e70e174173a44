//! `wirewise schema translate`.

use std::path::Path;

use serde_json::{Value as Json, json};
use wirewise_idl::{Language, Lost, Module, Written};

use super::lock;
use crate::cli::{self, Output};
use crate::failure::{Failure, tell};
use crate::files;
use crate::schemas::{self, Loaded};

pub(crate) fn run(options: cli::Translate, output: Output) -> Result<(), Failure> {
    let to = target(&options)?;
    let loaded = schemas::load(&options.input, options.from.as_deref(), &options.include)?;
    let (from, notices) = (loaded.language.info(), loaded.module.notices.clone());
    let (module, change) = number(&options, loaded)?;
    let module = match &options.type_name {
        Some(name) => Module::of(schemas::root(&module, Some(name), &options.input)?),
        None => module,
    };
    let module = if options.shaped { shaped(&module, &options.input)? } else { module };
    let written = to.write(&module).map_err(|error| Failure::from_idl(&error, &options.input))?;
    if output == Output::Text {
        for notice in &notices {
            tell(&format!("note: {notice}"));
        }
    }
    report_lost(&options, to, &written, output)?;
    // The numbers first: a schema with numbers that nobody keeps would be worse than none.
    if let Some(change) = &change {
        change.write(output)?;
    }
    files::write(&options.out, &written.bytes)?;
    if output == Output::Json {
        let json = json!({
            "wirewise": "schema-translate/1", "from": from.name, "to": to.info().name,
            "types": module.schema.named_types().count(), "notices": notices, "lost": lost_json(&written.lost),
            "lock_changed": change.is_some(),
        });
        tell(&json.to_string());
    }
    Ok(())
}

/// What the messages of a schema are on the wire, by the shapes that it notes.
fn shaped(module: &Module, path: &Path) -> Result<Module, Failure> {
    let schema = schemas::root(module, None, path)?;
    let shaped = schemas::shaped(&schema)?.ok_or_else(|| {
        Failure::bad("the schema notes no shapes")
            .hint("`wirewise convert --shape auto --schema-out FILE` writes one that does")
            .in_file(path)
    })?;
    Ok(Module::of((*shaped).clone()))
}

/// The language to write.
fn target(options: &cli::Translate) -> Result<&'static dyn Language, Failure> {
    let language = match &options.to {
        Some(name) => wirewise_idl::find(name).map_err(|error| Failure::from_idl(&error, &options.out)),
        None => wirewise_idl::find_for_path(&options.out).ok_or_else(|| {
            let names: Vec<_> = wirewise_idl::LANGUAGES.iter().map(|language| language.info().name).collect();
            Failure::bad("no target language").hint(format!("name it with --to; there are {}", names.join(", ")))
        }),
    }?;
    match language.info().writes {
        true => Ok(language),
        false => Err(Failure::bad(format!("{} cannot be written", language.info().title))),
    }
}

/// The module with the numbers of its lock, where its language has none.
fn number(options: &cli::Translate, loaded: Loaded) -> Result<(Module, Option<lock::Change>), Failure> {
    let info = loaded.language.info();
    if !info.numbers {
        let beside = schemas::lock_beside(&options.input);
        return lock::apply(&options.lock, beside.as_deref(), loaded.module);
    }
    if options.lock.lock.is_some() {
        let what = format!("{} has numbers of its own: a number lock would mean nothing", info.title);
        return Err(Failure::bad(what).hint("leave --lock out").in_file(&options.input));
    }
    Ok((loaded.module, None))
}

/// Lists what the target cannot say; without --lossy that is the end.
fn report_lost(options: &cli::Translate, to: &dyn Language, written: &Written, output: Output) -> Result<(), Failure> {
    if output == Output::Text {
        for Lost { path, what } in &written.lost {
            tell(&format!("lost: {path}: {what}"));
        }
    }
    if written.lost.is_empty() || options.lossy {
        return Ok(());
    }
    let count = match written.lost.len() {
        1 => "1 thing".to_owned(),
        count => format!("{count} things"),
    };
    let what = format!("{} cannot express {count} that the schema says", to.info().title);
    let failure = Failure::negative(what).in_file(&options.input).hint("--lossy writes it without them");
    Err(failure.lost(lost_json(&written.lost)))
}

fn lost_json(lost: &[Lost]) -> Vec<Json> {
    lost.iter().map(|Lost { path, what }| json!({ "path": path, "what": what })).collect()
}
