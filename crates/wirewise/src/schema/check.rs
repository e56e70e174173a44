//! `wirewise schema check`.

use std::path::Path;
use std::sync::Arc;

use wirewise_core::{Document, Kind, Limits, Losses, Schema, SchemaBuilder, TypeId};
use wirewise_evolution::json_schema::Crossing as DocumentCrossing;
use wirewise_evolution::witness::Crossing;
use wirewise_evolution::{Engine, Level, Mode, Options, RULESETS, Ruleset, Version, Witness};
use wirewise_formats::{Framing, Variant, plan};
use wirewise_idl::Module;
use wirewise_report::evolution::{self, Answer, Recorded};
use wirewise_transcode::Source;

use crate::cli::{self, Output};
use crate::convert::{self, Input};
use crate::failure::Failure;
use crate::{files, framing, schemas};

/// Recorded messages that are shown, of those that do not arrive.
const MOST_MESSAGES: usize = 10;

pub(crate) fn run(options: cli::Check, output: Output) -> Result<(), Failure> {
    files::check_inputs(options.versions.iter().chain(&options.data))?;
    let mut versions = Vec::new();
    let mut languages = Vec::new();
    let mut ruleset = options.format.as_deref().and_then(wirewise_evolution::find);
    for path in &options.versions {
        let loaded = schemas::load_with_lock(path, options.from.as_deref(), &options.include)?;
        let format = loaded.language.info().format;
        ruleset = ruleset.or_else(|| format.and_then(wirewise_evolution::find));
        languages.push(loaded.language);
        let name = files::name(path);
        // What is on the wire has to be readable.
        let schema = &loaded.module.schema;
        let schema = loaded.module.root.map_or_else(|| schema.clone(), |root| schema.with_root(root));
        versions.push(match schemas::shaped(&schema)? {
            Some(shaped) => Version { name, module: Module::of((*shaped).clone()), source: None },
            None => Version { name, module: loaded.module, source: Some(loaded.source) },
        });
    }
    let known = || RULESETS.iter().map(|ruleset| ruleset.format).collect::<Vec<_>>().join(", ");
    let ruleset = ruleset.ok_or_else(|| {
        Failure::bad("the schema's language does not say which format's rules count")
            .hint(format!("choose with --format: {}", known()))
    })?;
    let (mode, level) = (Mode::by_name(&options.mode), Level::by_name(&options.level));
    let how = Options {
        mode: mode.unwrap_or(Mode::Backward),
        level: level.unwrap_or(Level::Wire),
        type_name: options.type_name.clone(),
    };
    let new = versions.pop().expect("clap asks for two");
    let verdict = wirewise_evolution::check(ruleset, &versions, &new, &how)
        .map_err(|error| Failure::from_idl(&error, &options.versions[0]))?;
    let recorded = match versions.last() {
        Some(old) if !options.data.is_empty() && ruleset.engine == Engine::Documents => {
            Some(recorded_documents(&options, old, &new)?)
        }
        Some(old) if !options.data.is_empty() => {
            let zeros = |version: &Version, language| Version {
                module: Module {
                    schema: wirewise_idl::with_zeros(&version.module.schema, language),
                    ..version.module.clone()
                },
                ..version.clone()
            };
            let [.., from, to] = languages[..] else { unreachable!("clap asks for two") };
            Some(recorded(&options, ruleset, &zeros(old, from), &zeros(&new, to))?)
        }
        _ => None,
    };
    let answer = Answer { verdict: &verdict, recorded: recorded.as_ref(), ruleset, asked: &how };
    let text = match output {
        Output::Text => evolution::text(&answer),
        Output::Json => format!("{:#}\n", evolution::json(&answer)),
    };
    files::write(Path::new("-"), text.as_bytes())?;
    if answer.is_compatible() { Ok(()) } else { Err(Failure::answered()) }
}

/// Reads recorded messages with the old schema, and sends them to the new one.
fn recorded(
    options: &cli::Check,
    ruleset: &'static Ruleset,
    old: &Version,
    new: &Version,
) -> Result<Recorded, Failure> {
    let type_name = options.type_name.as_deref();
    let [from, to] = [old, new].map(|version| {
        let path = Path::new(&version.name);
        let schema = schemas::root(&version.module, type_name, path)?;
        let name = schema.name(schema.root()).map(str::to_owned);
        let id = name.and_then(|name| version.module.schema.named(&name)).or(version.module.root);
        id.ok_or_else(|| Failure::bad("the schema has no type that messages could have").in_file(path))
    });
    let roots: (TypeId, TypeId) = (from?, to?);
    let mut crossing =
        Crossing::new(ruleset, &old.module, &new.module, roots).map_err(|error| Failure::from_error(&error))?;
    let writer = crossing.writer().clone();
    each_recorded(options, &writer, |document, variant| {
        // What was recorded is what counts: another writer may write the same message otherwise. Messages of other
        // variants are written anew.
        if variant.id == ruleset.variant && variant.framing != Framing::AvroContainer {
            crossing.receive(document, document.input().to_vec())
        } else {
            crossing.send(document)
        }
    })
}

/// Holds recorded messages against the new one of two JSON Schemas.
fn recorded_documents(options: &cli::Check, old: &Version, new: &Version) -> Result<Recorded, Failure> {
    let path = &options.versions[options.versions.len() - 1];
    let crossing = DocumentCrossing::new(&old.module, &new.module, options.type_name.as_deref())
        .map_err(|error| Failure::from_idl(&error, path))?;
    let mut types = SchemaBuilder::new();
    let any = types.add(Kind::Any);
    let anything = types.finish(any).map_err(|error| Failure::from_error(&error))?;
    let anything = Arc::new(anything);
    let json = plan("json", &anything).map_err(|error| Failure::from_error(&error))?;
    let mut text = Vec::new();
    each_recorded(options, &anything, |document, variant| {
        if variant.id == "json" {
            return Ok(crossing.send(document.input()));
        }
        text.clear();
        json.encode(document, &mut text, &mut Losses::none())?;
        Ok(crossing.send(&text))
    })
}

/// Sends each recorded message, which is read with a schema.
fn each_recorded(
    options: &cli::Check,
    schema: &Arc<Schema>,
    mut send: impl FnMut(&Document<'_>, &Variant) -> wirewise_core::Result<Option<Witness>>,
) -> Result<Recorded, Failure> {
    let mut recorded = Recorded::default();
    let limits: Limits = options.limits.limits();
    for path in &options.data {
        let (_, variant) = convert::source_variant(options.data_from.as_deref(), path)?;
        let codec = plan(variant.id, schema).map_err(|error| Failure::from_error(&error))?;
        let mut input = Input::open(path)?;
        let in_framing = framing::of_input(options.in_framing.as_deref(), variant, &mut input, path)?;
        let mut source = Source::new(&mut input, in_framing, limits);
        let mut losses = Losses::none();
        let mut number = 0;
        loop {
            let read = source.next(&*codec, &mut losses);
            let Some(document) = read.map_err(|error| Failure::in_stream(&error, path, path, variant.text))? else {
                break;
            };
            number += 1;
            recorded.messages += 1;
            match send(&document, variant).map_err(|error| Failure::from_error(&error).in_file(path))? {
                None => recorded.arrived += 1,
                Some(witness) if recorded.broken.len() < MOST_MESSAGES => {
                    recorded.broken.push((files::name(path), number, witness));
                }
                Some(_) => {}
            }
        }
    }
    Ok(recorded)
}
