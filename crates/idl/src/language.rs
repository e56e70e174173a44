//! What a schema language is to the rest of Wirewise.

use std::path::Path;

use wirewise_core::{Field, Schema};

use crate::languages::*;
use crate::{Error, Files, Module, Place, Result, Source};

/// Every schema language.
pub const LANGUAGES: &[&dyn Language] = &[
    &schema_file::SchemaFile,
    &proto::Proto,
    &proto::DescriptorSet,
    &avsc::Avsc,
    &fbs::Fbs,
    &fbs::Bfbs,
    &capnp::Capnp,
    &thrift::Thrift,
    &json_schema::JsonSchema,
    &typescript::TypeScript,
];

/// A schema language.
pub trait Language: Sync {
    /// What it is called and what it can do.
    fn info(&self) -> &'static Info;

    /// Reads a file and everything that it imports.
    ///
    /// # Errors
    /// With file, line and column, what was found and what was expected.
    fn read(&self, source: &Source, files: &dyn Files) -> Result<Module>;

    /// Writes all named types of a module, and its root. The same module always gives the same text. What is written is
    /// accepted by the language's own compiler and describes the bytes that the codec of its format writes for the
    /// module's schema.
    ///
    /// # Errors
    /// When the language cannot say it at all; what it can say in part is in [`Written::lost`].
    fn write(&self, module: &Module) -> Result<Written>;

    /// Whether a required field may be missing because it is zero: writers of the language's format leave it out, and
    /// readers take zero for it.
    fn leaves_out(&self, _schema: &Schema, _field: &Field) -> bool {
        false
    }
}

/// What a language is.
#[derive(Debug)]
pub struct Info {
    /// Its name on the command line: `proto`.
    pub name: &'static str,
    /// Other names that people will try: `protobuf`.
    pub aliases: &'static [&'static str],
    /// Its name in prose.
    pub title: &'static str,
    /// The specification that this implementation follows, with its version and address.
    pub specification: &'static str,
    /// Ends of file names, with the dot, the usual one first. The longest that fits decides.
    pub extensions: &'static [&'static str],
    /// Whether files of it are bytes rather than text.
    pub binary: bool,
    /// Whether it can be read.
    pub reads: bool,
    /// Whether it can be written.
    pub writes: bool,
    /// The format whose schemas it describes: the name of a format of `wirewise_formats`.
    pub format: Option<&'static str>,
    /// Whether its files number fields, symbols and branches. Where they do not, numbers come from their order or from
    /// notes, and a [`Lock`](crate::Lock) keeps them.
    pub numbers: bool,
}

/// A schema in a language.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// The file's content.
    pub bytes: Vec<u8>,
    /// What the language could not say, in the order of the types. Not what is kept in notes without changing any
    /// data: what a reader of the file alone would do differently.
    pub lost: Vec<Lost>,
}

/// Something that a language could not say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// The type, or type and field: `Person.name`.
    pub path: String,
    /// What is lost, in a sentence: `a uint64 becomes an i64: values from 2^63 are refused`.
    pub what: String,
}

/// The language with this name.
///
/// # Errors
/// With the list of what there is.
pub fn find(name: &str) -> Result<&'static dyn Language> {
    let found =
        LANGUAGES.iter().find(|language| language.info().name == name || language.info().aliases.contains(&name));
    found.copied().ok_or_else(|| {
        let known: Vec<_> = LANGUAGES.iter().map(|language| language.info().name).collect();
        Error::new(format!("there is no schema language {name:?}")).hint(format!("there are {}", known.join(", ")))
    })
}

/// The language of a file with this name.
pub fn find_for_path(path: &Path) -> Option<&'static dyn Language> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    let fits = |language: &&dyn Language| {
        let extensions = language.info().extensions.iter();
        extensions.filter(|extension| name.ends_with(*extension)).map(|extension| extension.len()).max()
    };
    let best = LANGUAGES.iter().filter_map(|language| Some((fits(language)?, *language)));
    best.rev().max_by_key(|(len, _)| *len).map(|(_, language)| language)
}

/// Reads a file in the language that [`language_of`] says.
///
/// # Errors
/// Those of [`Language::read`], and when the name is of no known language.
pub fn read(source: &Source, files: &dyn Files) -> Result<Module> {
    language_of(source)?.read(source, files)
}

/// The language of a file's name; of a `.json` file what it says decides between ours, JSON Schema and Avro.
///
/// # Errors
/// When the name is of no known language.
pub fn language_of(source: &Source) -> Result<&'static dyn Language> {
    if source.name.ends_with(".json") {
        return Ok(json_language(source));
    }
    find_for_path(Path::new(&*source.name)).ok_or_else(|| {
        let mut known: Vec<_> = LANGUAGES.iter().flat_map(|language| language.info().extensions).copied().collect();
        known.sort_unstable();
        known.dedup();
        Error::at(Place::file(&source.name), "the file's name does not say which schema language it has")
            .hint(format!("known are {}", known.join(", ")))
    })
}

/// Which of the languages that are JSON a file has.
fn json_language(source: &Source) -> &'static dyn Language {
    let json: Option<serde_json::Value> = source.text().ok().and_then(|text| serde_json::from_str(text).ok());
    let has = |member: &str| json.as_ref().is_some_and(|json| json.get(member).is_some());
    let kind = json.as_ref().and_then(|json| json.get("type")?.as_str());
    if has("wirewise") || json.is_none() {
        &schema_file::SchemaFile
    } else if !has("$schema")
        && (matches!(kind, Some("record" | "enum" | "fixed")) || !json.is_some_and(|j| j.is_object()))
    {
        &avsc::Avsc
    } else {
        &json_schema::JsonSchema
    }
}
