//! Schema files on disk, found by the names that other schemas import them by.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use wirewise_idl::{Error, Files, Result, Source};

/// Largest schema file. What is larger is something else.
pub(crate) const MOST_BYTES: u64 = 64 << 20;

/// Looks beside the importing file, then under each root, then beside the main file.
#[derive(Debug)]
pub(crate) struct DiskFiles {
    roots: Vec<PathBuf>,
    /// What was read, by its canonical path: a file has the name it was first found by, whichever way it is reached.
    read: RefCell<BTreeMap<PathBuf, Source>>,
    /// Every path that was looked at, also where there was nothing.
    tried: RefCell<BTreeSet<PathBuf>>,
}

impl DiskFiles {
    /// Files for `main`, which has been read.
    pub(crate) fn new(main: &Path, source: &Source, roots: &[PathBuf]) -> DiskFiles {
        let beside = main.parent().map(Path::to_owned).unwrap_or_default();
        let read = fs::canonicalize(main).into_iter().map(|path| (path, source.clone())).collect();
        let mut roots = roots.to_vec();
        if !roots.contains(&beside) {
            roots.push(beside);
        }
        DiskFiles { roots, read: RefCell::new(read), tried: RefCell::new(BTreeSet::from([main.to_owned()])) }
    }

    /// Every path whose content, or absence, made a difference.
    pub(crate) fn tried(&self) -> Vec<PathBuf> {
        self.tried.borrow().iter().cloned().collect()
    }

    /// The file at `path`, if there is one.
    fn get(&self, path: &Path) -> Result<Option<Source>> {
        self.tried.borrow_mut().insert(path.to_owned());
        let wrong = |error: &io::Error| Error::new(format!("cannot read {}: {}", shown(path), reason(error)));
        let found = match fs::metadata(path) {
            Ok(found) => found,
            Err(error) => {
                use io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound};
                return match error.kind() {
                    NotFound | NotADirectory | InvalidInput | InvalidFilename => Ok(None),
                    _ => Err(wrong(&error)),
                };
            }
        };
        if found.is_dir() {
            return Ok(None);
        }
        if !found.is_file() {
            return Err(Error::new(format!("cannot read {}: it is not a regular file", shown(path))));
        }
        let canonical = fs::canonicalize(path).map_err(|error| wrong(&error))?;
        if let Some(source) = self.read.borrow().get(&canonical) {
            return Ok(Some(source.clone()));
        }
        let file = File::open(path).map_err(|error| wrong(&error))?;
        let bytes = read_limited(file).map_err(|error| wrong(&error))?;
        let source = Source::new(&shown(&tidy(path, &canonical)), bytes);
        self.read.borrow_mut().insert(canonical, source.clone());
        Ok(Some(source))
    }
}

impl Files for DiskFiles {
    fn find(&self, path: &str, importer: &Source) -> Result<Option<Source>> {
        if !path.starts_with('/') {
            let folder = Path::new(&*importer.name).parent().unwrap_or(Path::new(""));
            if let Some(found) = self.get(&folder.join(path))? {
                return Ok(Some(found));
            }
        }
        let path = Path::new(path.trim_start_matches('/'));
        // A name below a root does not lead out of it.
        let mut depth = 0;
        let inside = path.components().all(|part| {
            depth += match part {
                Component::Normal(_) => 1,
                Component::CurDir => 0,
                _ => -1,
            };
            depth >= 0
        });
        for root in self.roots.iter().filter(|_| inside) {
            if let Some(found) = self.get(&root.join(path))? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn places(&self) -> String {
        let roots: Vec<String> = self.roots.iter().map(|root| shown(root)).collect();
        format!("looked beside the file that imports it, and in {}; -I names more folders", roots.join(", "))
    }
}

/// Reads a whole file, unless it is too large for a schema.
pub(crate) fn read_limited(file: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::other(format!("it is larger than {} MiB", MOST_BYTES >> 20)));
    }
    Ok(bytes)
}

/// Why something failed, without the number of the system's error: it says nothing to people.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split_once(" (os error").map_or(text.as_str(), |(reason, _)| reason).to_owned()
}

/// The path without `.` and `a/..`, if that is the same file.
fn tidy(path: &Path, canonical: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(tidy.components().next_back(), Some(Component::Normal(_))) => {
                tidy.pop();
            }
            part => tidy.push(part),
        }
    }
    // With links on the way it may be another one.
    if fs::canonicalize(&tidy).is_ok_and(|same| same == canonical) { tidy } else { path.to_owned() }
}

/// A path for messages.
fn shown(path: &Path) -> String {
    if path.as_os_str().is_empty() { ".".to_owned() } else { path.display().to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_beside_and_below_and_known_again() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for (name, content) in [("a/main.x", "main"), ("a/b/in.x", "in"), ("roots/in.x", "root"), ("out.x", "out")] {
            fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            fs::write(at(name), content).unwrap();
        }
        let main = at("a/main.x");
        let source = Source::new(main.to_str().unwrap(), fs::read(&main).unwrap());
        let files = DiskFiles::new(&main, &source, &[at("roots")]);
        let find = |path: &str, from: &Source| files.find(path, from).unwrap();
        let text = |path: &str| find(path, &source).map(|source| source.text().unwrap().to_owned());

        assert_eq!(text("in.x").as_deref(), Some("root"));
        assert_eq!(text("/in.x").as_deref(), Some("root"));
        assert_eq!(text("/main.x").as_deref(), Some("main"), "beside the main file");
        assert_eq!(text("../out.x").as_deref(), Some("out"), "beside the importer");
        assert_eq!([text("/../out.x"), text("b"), text("none.x"), text("in.x\0"), text("")], [const { None }; 5]);

        let inner = find("b/in.x", &source).unwrap();
        assert_eq!(inner.text().unwrap(), "in");
        let again = find("../b/./../main.x", &inner).unwrap();
        assert_eq!(again.name, source.name);
        assert_eq!(find("in.x", &inner).unwrap().name, inner.name);
        assert!(files.tried().contains(&at("a/none.x")));
        assert!(files.places().contains("roots, "), "{}", files.places());
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_no_schemas() {
        let source = Source::new("main.x", "");
        let files = DiskFiles::new(Path::new("main.x"), &source, &[PathBuf::from("/dev")]);
        let error = files.find("zero", &source).unwrap_err();
        assert_eq!(error.what(), "cannot read /dev/zero: it is not a regular file");
    }
}
