//! Opening inputs and outputs: `-` is a standard stream, and an output file appears whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::interrupt::Partial;

pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Refuses two inputs that would both be standard input.
pub(crate) fn check_inputs<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), Failure> {
    match paths.into_iter().filter(|path| is_standard(path)).count() {
        0 | 1 => Ok(()),
        _ => Err(Failure::bad("standard input can be read only once").hint("name a file for the other input")),
    }
}

/// Opens an input.
pub(crate) fn open(path: &Path) -> Result<Box<dyn Read>, Failure> {
    if is_standard(path) {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).map_err(|error| Failure::io("open", path, &error))?;
    Ok(Box::new(file))
}

/// Reads an input whole.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(|error| Failure::io("read", path, &error))?;
    Ok(bytes)
}

/// Name for a report: the path as given.
pub(crate) fn name(path: &Path) -> String {
    path.display().to_string()
}

/// An output being written: a file gets its name only when it is complete.
pub(crate) enum Destination {
    Standard(io::StdoutLock<'static>),
    /// A device or a pipe, such as `/dev/null`: it must not be replaced by a file.
    Special {
        file: File,
        path: PathBuf,
    },
    File {
        file: File,
        partial: Partial,
        path: PathBuf,
    },
}

impl Destination {
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        if is_standard(path) || path == Path::new("/dev/stdout") {
            return Ok(Destination::Standard(io::stdout().lock()));
        }
        let wrong = |error: io::Error| Failure::io("create", path, &error);
        let before = fs::metadata(path).ok();
        match &before {
            Some(before) if before.is_dir() => return Err(wrong(io::ErrorKind::IsADirectory.into())),
            // What lies in /dev and is a file is one that somebody else has opened: /dev/fd/3.
            Some(before) if !before.is_file() || path.starts_with("/dev") || path.starts_with("/proc") => {
                let file = File::options().write(true).open(path).map_err(wrong)?;
                return Ok(Destination::Special { file, path: path.to_owned() });
            }
            _ => {}
        }
        // A symbolic link stays one: what it points to is replaced.
        let target = if before.is_some() { fs::canonicalize(path).map_err(wrong)? } else { path.to_owned() };
        let Some(name) = target.file_name() else { return Err(wrong(io::ErrorKind::InvalidFilename.into())) };
        let mut name = name.to_owned();
        name.push(format!(".{}.partial", std::process::id()));
        let temporary = target.with_file_name(name);
        let (file, partial) = Partial::create(temporary).map_err(wrong)?;
        let destination = Destination::File { file, partial, path: target };
        if let (Some(before), Destination::File { file, .. }) = (before, &destination) {
            file.set_permissions(before.permissions()).map_err(wrong)?;
        }
        Ok(destination)
    }

    /// Gives the file its name.
    pub(crate) fn complete(mut self) -> Result<(), Failure> {
        match &mut self {
            Destination::Standard(out) => out.flush().map_err(|error| Failure::write(Path::new("-"), &error)),
            Destination::Special { file, path } => file.flush().map_err(|error| Failure::write(path, &error)),
            Destination::File { partial, path, .. } => {
                partial.rename(path).map_err(|error| Failure::write(path, &error))
            }
        }
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Destination::Standard(out) => out.write(bytes),
            Destination::Special { file, .. } | Destination::File { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Destination::Standard(out) => out.flush(),
            Destination::Special { file, .. } | Destination::File { file, .. } => file.flush(),
        }
    }
}

/// Writes all of `text` to `path`.
pub(crate) fn write(path: &Path, text: &[u8]) -> Result<(), Failure> {
    let mut destination = Destination::create(path)?;
    destination.write_all(text).map_err(|error| Failure::write(path, &error))?;
    destination.complete()
}

/// Name of the message type for data in a file: `corpus/geo-points.json` has messages of type `GeoPoint`.
pub(crate) fn root_name(path: &Path) -> String {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    // The last word in the singular, where that is no more than an `s` less.
    let stem = match stem.strip_suffix('s') {
        Some(singular) if singular.len() > 2 && !singular.ends_with(['s', 'u', 'i']) && !stem.ends_with("series") => {
            singular
        }
        _ => stem,
    };
    let words = stem.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name: String = words.map(|word| word[..1].to_uppercase() + &word[1..]).collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { "Message".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_types_are_named_after_files() {
        for (path, name) in [
            ("corpus/geo-points.json", "GeoPoint"),
            ("user_profile.json", "UserProfile"),
            ("time-series.json", "TimeSeries"),
            ("status.json", "Status"),
            ("address.ndjson", "Address"),
            ("-", "Message"),
            ("2026.json", "Message"),
        ] {
            assert_eq!(root_name(Path::new(path)), name);
        }
    }
}
