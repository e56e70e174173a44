//! `wirewise schema check`.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use wirewise_core::{Document, Kind, Limits, Losses, Schema, SchemaBuilder, TypeId};
use wirewise_evolution::json_schema::Crossing as DocumentCrossing;
use wirewise_evolution::witness::Crossing;
use wirewise_evolution::{
    Engine, Finding, Level, Mode, Options, Outcome, RULESETS, Ruleset, Verdict, Version, Witness,
};
use wirewise_formats::{Framing, Variant, plan};
use wirewise_idl::{Module, Place};
use wirewise_transcode::Source;

use crate::cli::{self, Output};
use crate::convert::{self, Input};
use crate::failure::Failure;
use crate::{files, framing, schemas};

/// Bytes of a witness that are shown.
const MOST_BYTES: usize = 64;

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
        versions.push(Version { name: files::name(path), module: loaded.module, source: Some(loaded.source) });
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
    let compatible = verdict.is_compatible() && recorded.as_ref().is_none_or(|recorded| recorded.broken.is_empty());
    let text = match output {
        Output::Text => text(&verdict, recorded.as_ref(), ruleset, &how),
        Output::Json => format!("{:#}\n", to_json(&verdict, recorded.as_ref(), ruleset, &how, compatible)),
    };
    files::write(Path::new("-"), text.as_bytes())?;
    if compatible { Ok(()) } else { Err(Failure::answered()) }
}

/// What became of recorded messages.
struct Recorded {
    messages: u64,
    arrived: u64,
    /// File, number of the message from 1, and what happened to it.
    broken: Vec<(String, u64, Witness)>,
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
    let mut recorded = Recorded { messages: 0, arrived: 0, broken: Vec::new() };
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

fn text(verdict: &Verdict, recorded: Option<&Recorded>, ruleset: &Ruleset, how: &Options) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail, so the results of `writeln!` are dropped.
    for finding in &verdict.findings {
        let place = |place: &Option<Place>| place.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
        let _ = writeln!(out, "{} -> {}: {}", place(&finding.old), place(&finding.new), finding.path);
        let _ = writeln!(out, "  {} ({}): {}", finding.rule.name, finding.rule.level.name(), finding.what);
        let _ = writeln!(out, "  breaks: {}", finding.who());
        write_witness(finding, &mut out);
        let _ = writeln!(out, "  safe:   {}\n", finding.fix);
    }
    if let Some(recorded) = recorded {
        let Recorded { messages, arrived, broken } = recorded;
        for (file, number, witness) in broken {
            let _ = writeln!(out, "{file}, message {number}:");
            write_message(witness, &mut out);
            out.push('\n');
        }
        let _ = writeln!(out, "{arrived} of {messages} recorded messages arrive");
    }
    let versions =
        if verdict.versions == 1 { "1 version".to_owned() } else { format!("{} versions", verdict.versions) };
    let asked = format!("{} for {}, level {}, against {versions}", how.mode.name(), ruleset.title, how.level.name());
    let _ = match verdict.findings.len() {
        0 => writeln!(out, "compatible: {asked}"),
        1 => writeln!(out, "incompatible, 1 finding: {asked}"),
        count => writeln!(out, "incompatible, {count} findings: {asked}"),
    };
    out
}

fn write_witness(finding: &Finding, out: &mut String) {
    match &finding.witness {
        Some(witness) => write_message(witness, out),
        None if finding.rule.level == Level::Wire => {
            let _ = writeln!(out, "  shown:  no message was found that shows it");
        }
        None => {
            let _ = writeln!(out, "  shown:  by no message: it is about names and source code");
        }
    }
}

fn write_message(witness: &Witness, out: &mut String) {
    let Witness { message, variant, bytes, outcome } = witness;
    let hex: Vec<String> = bytes.iter().take(MOST_BYTES).map(|byte| format!("{byte:02x}")).collect();
    let more = if bytes.len() > MOST_BYTES { " ..." } else { "" };
    let _ = writeln!(out, "  shown:  {message}");
    let _ = writeln!(out, "          as {variant}, {} bytes: {}{more}", bytes.len(), hex.join(" "));
    let _ = match outcome {
        Outcome::Refused { error } => writeln!(out, "          is refused: {error}"),
        Outcome::Different { path, wrote, got, read } => {
            writeln!(out, "          reads as {read}: {path} was {wrote}, and is {got}")
        }
    };
}

fn to_json(verdict: &Verdict, recorded: Option<&Recorded>, ruleset: &Ruleset, how: &Options, compatible: bool) -> Json {
    let place = |place: &Option<Place>| {
        place.as_ref().map(|place| json!({ "file": &*place.file, "line": place.line, "column": place.column }))
    };
    let witness = |witness: &Witness| {
        let hex: String = witness.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut json = json!({ "message": witness.message, "variant": witness.variant, "bytes": hex });
        match &witness.outcome {
            Outcome::Refused { error } => {
                json["outcome"] = json!("refused");
                json["error"] = json!(error);
            }
            Outcome::Different { path, wrote, got, read } => {
                json["outcome"] = json!("different");
                json["path"] = json!(path);
                json["wrote"] = json!(wrote);
                json["got"] = json!(got);
                json["read"] = json!(read);
            }
        }
        json
    };
    let findings = verdict.findings.iter().map(|finding| {
        json!({
            "rule": finding.rule.name,
            "level": finding.rule.level.name(),
            "direction": finding.direction.name(),
            "version": finding.version,
            "path": finding.path,
            "message": finding.what,
            "who": finding.who(),
            "fix": finding.fix,
            "old": place(&finding.old),
            "new": place(&finding.new),
            "witness": finding.witness.as_ref().map(witness),
        })
    });
    let data = recorded.map(|recorded| {
        let broken = recorded
            .broken
            .iter()
            .map(|(file, number, broken)| json!({ "file": file, "message": number, "witness": witness(broken) }));
        json!({ "messages": recorded.messages, "arrived": recorded.arrived, "broken": broken.collect::<Vec<_>>() })
    });
    json!({
        "wirewise": "schema-check/1",
        "compatible": compatible,
        "format": ruleset.format,
        "mode": how.mode.name(),
        "level": how.level.name(),
        "versions": verdict.versions,
        "findings": findings.collect::<Vec<_>>(),
        "data": data,
    })
}
