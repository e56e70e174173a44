//! Reading schemas: any language, with what it imports, and with the numbers of its lock.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use wirewise_core::Schema;
use wirewise_formats::Variant;
use wirewise_formats::avro::container::Header;
use wirewise_idl::{Language, Lock, Module, Source};
use wirewise_shapes::Shaping;

use crate::cli;
use crate::disk::{self, DiskFiles};
use crate::failure::Failure;
use crate::files;

/// How the file with the numbers of `user.avsc` is called: `user.wirewise-lock.json`.
const LOCK_EXTENSION: &str = ".wirewise-lock.json";

/// A schema that was read.
pub(crate) struct Loaded {
    pub(crate) module: Module,
    pub(crate) language: &'static dyn Language,
    /// The file itself.
    pub(crate) source: Source,
    /// Every path whose content, or absence, made a difference.
    pub(crate) tried: Vec<PathBuf>,
}

/// Reads a schema file and what it imports; its language is `from`, or else what its name or content says.
pub(crate) fn load(path: &Path, from: Option<&str>, roots: &[PathBuf]) -> Result<Loaded, Failure> {
    let wrong = |error: wirewise_idl::Error| Failure::from_idl(&error, path);
    let mut bytes = Vec::new();
    // Of a large Avro file the start is enough.
    let mut input = io::Read::take(files::open(path)?, disk::MOST_BYTES + 1);
    io::Read::read_to_end(&mut input, &mut bytes).map_err(|error| Failure::io("read", path, &error))?;
    let mut from = from.map(wirewise_idl::find).transpose().map_err(wrong)?;
    if from.is_none() && bytes.starts_with(b"Obj\x01") {
        let header = Header::parse(&bytes).map_err(|error| Failure::in_bytes(&error, path))?.0;
        bytes = header.schema.into_bytes();
        from = Some(wirewise_idl::find("avsc").map_err(wrong)?);
    }
    if bytes.len() as u64 > disk::MOST_BYTES {
        let large = format!("the file is larger than {} MiB: no schema is", disk::MOST_BYTES >> 20);
        return Err(Failure::bad(large).in_file(path));
    }
    let name = if files::is_standard(path) { "<stdin>".to_owned() } else { path.display().to_string() };
    let source = Source::new(&name, bytes);
    let language = match from {
        Some(language) => language,
        None => language_of(&source).map_err(|error| match files::is_standard(path) {
            true => Failure::bad("standard input does not say which schema language it has").hint("--from says it"),
            false => wrong(error),
        })?,
    };
    let disk = DiskFiles::new(path, &source, roots);
    let module = language.read(&source, &disk).map_err(wrong)?;
    let tried = disk.tried();
    drop(disk);
    Ok(Loaded { module, language, source, tried })
}

/// As the file's name says; where that says nothing, JSON speaks for itself.
fn language_of(source: &Source) -> wirewise_idl::Result<&'static dyn Language> {
    wirewise_idl::language_of(source).or_else(|error| {
        let start = source.bytes.iter().find(|byte| !byte.is_ascii_whitespace());
        if !matches!(start, Some(b'{' | b'[')) {
            return Err(error);
        }
        wirewise_idl::language_of(&Source { name: "schema.json".into(), bytes: source.bytes.clone() })
    })
}

/// The same with the numbers of the lock that lies beside the file, where the language has none. The lock is only read:
/// what is new gets the numbers that it will get there.
pub(crate) fn load_with_lock(path: &Path, from: Option<&str>, roots: &[PathBuf]) -> Result<Loaded, Failure> {
    let mut loaded = load(path, from, roots)?;
    if let Some(beside) = lock_beside(path).filter(|_| !loaded.language.info().numbers) {
        if let Some(lock) = read_lock(&beside)? {
            let locked = lock.apply(&loaded.module).map_err(|error| Failure::from_idl(&error, &beside))?;
            loaded.module = locked.module;
        }
        loaded.tried.push(beside);
    }
    Ok(loaded)
}

/// How much of a schema file a message needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Extent {
    /// The types that its own type consists of.
    Root,
    /// All of them, if it may hold any of them.
    All,
}

impl Extent {
    /// What messages of these variants need.
    pub(crate) fn of(variants: [&Variant; 2]) -> Extent {
        let needs = |variant: &Variant| {
            wirewise_formats::find(variant.id).is_ok_and(|(format, found)| format.needs_all_types(found))
        };
        if variants.into_iter().any(needs) { Extent::All } else { Extent::Root }
    }
}

/// The schema that the options name.
pub(crate) fn read(options: &cli::SchemaFile, extent: Extent) -> Result<Option<Schema>, Failure> {
    let Some(path) = &options.schema else { return Ok(None) };
    let loaded = load_with_lock(path, None, &options.include)?;
    message(&loaded, options.type_name.as_deref(), path, extent).map(Some)
}

/// The schema that messages are read and written with: the file's, and what its language leaves out is zero.
pub(crate) fn message(
    loaded: &Loaded,
    type_name: Option<&str>,
    path: &Path,
    extent: Extent,
) -> Result<Schema, Failure> {
    let schema = match extent {
        Extent::Root => root(&loaded.module, type_name, path)?,
        Extent::All => loaded.module.whole_schema_of(type_name).map_err(|error| Failure::from_idl(&error, path))?,
    };
    Ok(wirewise_idl::with_zeros(&schema, loaded.language))
}

/// The schema of one message of a module.
pub(crate) fn root(module: &Module, type_name: Option<&str>, path: &Path) -> Result<Schema, Failure> {
    module.schema_of(type_name).map_err(|error| Failure::from_idl(&error, path))
}

/// The schema of what is on the wire, where a schema notes that its messages are shaped there.
pub(crate) fn shaped(schema: &Schema) -> Result<Option<Arc<Schema>>, Failure> {
    let noted = Shaping::noted(&Arc::new(schema.clone())).map_err(|error| Failure::from_error(&error))?;
    Ok(noted.map(|shaping| shaping.shaped().clone()))
}

/// Where the lock of a schema file is; `None` for standard input.
pub(crate) fn lock_beside(path: &Path) -> Option<PathBuf> {
    if files::is_standard(path) {
        return None;
    }
    let name = path.file_name()?.to_str()?;
    let extensions = wirewise_idl::LANGUAGES.iter().flat_map(|language| language.info().extensions);
    let stem = extensions.filter_map(|extension| name.strip_suffix(extension)).min_by_key(|stem| stem.len());
    let stem = stem.or_else(|| path.file_stem()?.to_str()).filter(|stem| !stem.is_empty())?;
    Some(path.with_file_name(format!("{stem}{LOCK_EXTENSION}")))
}

/// Reads a lock, if there is one.
pub(crate) fn read_lock(path: &Path) -> Result<Option<Lock>, Failure> {
    let file = match std::fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure::io("open", path, &error)),
    };
    let bytes = disk::read_limited(file).map_err(|error| Failure::io("read", path, &error))?;
    let lock = Lock::parse(&Source::new(&path.display().to_string(), bytes));
    lock.map(Some).map_err(|error| Failure::from_idl(&error, path))
}
