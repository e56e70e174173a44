//! `wirewise measure`.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use wirewise_core::{Arena, ErrorKind, Losses, Schema};
use wirewise_measure::{Data, Options, Progress, Shapes};
use wirewise_shapes::Recipe;

use crate::asked::{Asked, Text};
use crate::cli::{self, Output};
use crate::failure::Failure;
use crate::files;
use crate::samples::{self, Samples};
use crate::schemas::{self, Extent};

/// What `--compress levels` stands for: fast ones, usual ones, and those for what is compressed once.
const LEVELS: &[&str] = &[
    "gzip:1",
    "gzip:6",
    "gzip:9",
    "brotli:1",
    "brotli:5",
    "brotli:9",
    "brotli:11",
    "zstd:1",
    "zstd:3",
    "zstd:9",
    "zstd:19",
    "lz4",
];

/// Data beyond this is sampled unless the user says otherwise: every payload of every variant is kept in memory.
const MOST_BYTES: usize = 128 << 20;

pub(crate) fn run(options: &cli::Measure, output: Output) -> Result<(), Failure> {
    let asked = Asked::read(&options.advising)?;
    let mut measured = self::options(options)?;
    let data = read(options)?;
    measured.shapes = shapes(&options.shape, &data)?;
    let bar = progress_bar();
    let report = wirewise_measure::run(&data, &measured, &mut |progress: Progress<'_>| {
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
        bar.set_message(progress.what.to_owned());
    });
    bar.finish_and_clear();
    let mut report = report.map_err(|error| locate(&error, &data, &options.input))?;
    report.command = Some(command_line());
    let advice = asked.advise(&report)?;
    asked.finish(&report, &advice, output, Text::Whole)
}

/// The command as it can be given to a shell again.
fn command_line() -> String {
    let quoted = std::env::args().skip(1).map(|word| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
        if !word.is_empty() && word.chars().all(plain) { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
    });
    std::iter::once("wirewise".to_owned()).chain(quoted).collect::<Vec<_>>().join(" ")
}

/// On a terminal only.
fn progress_bar() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}").expect("the template is valid");
    ProgressBar::new(0).with_style(style)
}

fn options(options: &cli::Measure) -> Result<Options, Failure> {
    let mut measured = Options::all();
    if !options.format.is_empty() {
        // A format's name chooses all of its variants here.
        measured.variants.retain(|(format, variant)| {
            options.format.iter().any(|name| name == variant.id || name == format.info().name)
        });
        let named = measured.variants.iter().map(|(_, variant)| variant.id);
        measured.shaped.extend(named.filter(|id| options.format.iter().any(|name| name == id)));
    }
    if options.compress == ["none"] {
        measured.compressors.clear();
    } else if options.compress.iter().any(|name| name == "none") {
        return Err(Failure::bad("`none` is not chosen together with a compressor: rows always show the plain sizes"));
    } else if !options.compress.is_empty() {
        let names = options.compress.iter().map(String::as_str);
        let names = names.flat_map(|name| if name == "levels" { LEVELS } else { std::slice::from_ref(&name) }.to_vec());
        let chosen = names.map(wirewise_compress::by_name).collect::<Result<_, _>>();
        measured.compressors = chosen.map_err(|error| Failure::bad(error.to_string()))?;
    }
    measured.dictionaries = measured.compressors.iter().any(|choice| choice.compressor.info().name == "zstd");
    measured.limits = options.limits.limits();
    measured.budget = Duration::from_millis(options.time);
    Ok(measured)
}

/// The shapes to measure, with the names of their rows.
fn shapes(options: &[String], data: &Data) -> Result<Shapes, Failure> {
    match options {
        [] => return Ok(Shapes::Sets),
        [one] if one == "none" => return Ok(Shapes::None),
        _ => {}
    }
    let mut recipes: Vec<(String, Recipe)> = Vec::new();
    for option in options {
        let (name, text) = match option.as_str() {
            "none" => {
                return Err(Failure::bad("`none` is not chosen together with a shape: rows without are always shown"));
            }
            "schema" => {
                let note = data.schema().notes().get(wirewise_shapes::NOTE);
                let none = || Failure::bad("the schema notes no shapes").hint("--schema names one that does");
                (Some("schema"), note.ok_or_else(none)?)
            }
            steps => (None, steps),
        };
        let recipe = Recipe::parse(text).map_err(|error| {
            let failure = Failure::bad(format!("in the shapes: {}", error.message()));
            failure.hint(error.advice().unwrap_or("docs/shapes.md lists shapes and sets"))
        })?;
        let name = name.or(recipe.set().map(|set| set.name)).unwrap_or("custom");
        let same = recipes.iter().filter(|(known, _)| known.starts_with(name)).count();
        let name = if same == 0 { name.to_owned() } else { format!("{name}{}", same + 1) };
        recipes.push((name, recipe));
    }
    Ok(Shapes::Recipes(recipes))
}

/// An error in the data, with its place in the input.
fn locate(error: &wirewise_core::Error, data: &Data, file: &Path) -> Failure {
    let failure = Failure::in_text(error, file, data.bytes());
    match error.kind() {
        // Nothing is dropped from the data itself.
        ErrorKind::Loss(_) => failure.advise("`wirewise schema infer` makes a schema that fits the data"),
        _ => failure,
    }
}

fn read(options: &cli::Measure) -> Result<Data, Failure> {
    files::check_inputs([&options.input].into_iter().chain(&options.schema.schema).chain(&options.previous))?;
    let open =
        |path| Samples::read(path, "data to measure is JSON; `wirewise convert --to json` makes it from other formats");
    let source = open(&options.input)?;
    let previous = options.previous.as_deref().map(open).transpose()?;
    let given = schemas::read(&options.schema, Extent::Root)?.map(|schema| source.message(schema));
    let (schema, origin) = match (given, &options.schema.schema) {
        (Some(schema), Some(path)) => (schema, files::name(path)),
        _ => {
            let both = [Some(&source), previous.as_ref()];
            (samples::infer(both.into_iter().flatten(), options.limits.limits())?, "inferred".to_owned())
        }
    };
    let (count, bytes) = (source.messages.ranges().len(), source.text.len());
    let schema = Arc::<Schema>::new(schema);
    let data = Data::new(files::name(&options.input), source.text, &source.messages, Arc::clone(&schema), origin);
    let mut data = data.map_err(|error| Failure::from_error(&error).in_file(&options.input))?;
    if let Some(previous) = &previous {
        if bytes > MOST_BYTES {
            return Err(Failure::bad(format!(
                "the data is larger than {MOST_BYTES} bytes, so that only a sample is measured"
            ))
            .hint("without --previous, or give two versions of a part of it")
            .in_file(&options.input));
        }
        let json = wirewise_formats::plan("json", &schema).map_err(|error| Failure::from_error(&error))?;
        let mut arena = Arena::new(options.limits.limits());
        previous.each(|message| json.decode(message, &mut arena, &mut Losses::none()).map(drop))?;
        let added = data.with_previous(&previous.text, &previous.messages);
        data = added.map_err(|error| Failure::from_error(&error).in_file(previous.path))?;
    }
    if let Some(records) = options.records {
        data = data.first(usize::try_from(records).unwrap_or(usize::MAX));
    }
    match options.sample {
        Some(sample) => data = data.sample(usize::try_from(sample).unwrap_or(usize::MAX)),
        None if bytes > MOST_BYTES && options.records.is_none() => {
            data = data.sample((count as f64 * MOST_BYTES as f64 / bytes as f64) as usize);
        }
        None => {}
    }
    Ok(data)
}
