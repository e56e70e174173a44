//! A file and everything that it includes.

use std::collections::HashMap;
use std::sync::Arc;

use super::ast::{File, Name, What};
use super::parser::{MOST_NESTING, parse};
use crate::{Error, Files, Place, Result, Source};

/// A file, and what it may call the files that it includes.
pub(super) struct Unit {
    pub(super) source: Source,
    pub(super) file: File,
    /// What its names begin with in the model.
    pub(super) prefix: String,
    /// By the name of the file without its end, the unit.
    pub(super) includes: HashMap<String, usize>,
    /// By name, the items that are types.
    pub(super) types: HashMap<String, usize>,
    /// By name, the items that are constants.
    pub(super) constants: HashMap<String, usize>,
}

impl Unit {
    /// A place in this file.
    pub(super) fn place(&self, name: &Name) -> Place {
        name.at.place(&self.source.name)
    }
}

/// Reads a file and everything it includes: itself first, each file once.
pub(super) fn load(source: &Source, files: &dyn Files) -> Result<Vec<Unit>> {
    let mut loader = Loader { files, units: Vec::new(), known: HashMap::new() };
    loader.load(source, 0)?;
    Ok(loader.units)
}

struct Loader<'a> {
    files: &'a dyn Files,
    units: Vec<Unit>,
    /// By the name of the source, the unit, and whether it is complete.
    known: HashMap<Arc<str>, (usize, bool)>,
}

impl Loader<'_> {
    fn load(&mut self, source: &Source, depth: usize) -> Result<usize> {
        let file = parse(&source.name, source.text()?)?;
        let index = self.units.len();
        self.known.insert(source.name.clone(), (index, false));
        // A file of ours says which package it is of; otherwise the file's name is what others call it by.
        let prefix = match (file.notes.get("package"), index) {
            (Some(package), _) => format!("{package}."),
            (None, 0) => String::new(),
            (None, _) => format!("{}.", stem(&source.name)),
        };
        let types = names(source, &file, |what| !matches!(what, What::Const(..) | What::Service))?;
        let constants = names(source, &file, |what| matches!(what, What::Const(..)))?;
        self.units.push(Unit { source: source.clone(), file, prefix, includes: HashMap::new(), types, constants });
        for i in 0..self.units[index].file.includes.len() {
            let include = self.units[index].file.includes[i].clone();
            let included =
                self.include(source, &include, depth).map_err(|error| error.or_at(place(source, &include)))?;
            let name = stem(&include.text).to_owned();
            let before = self.units[index].includes.insert(name.clone(), included);
            if before.is_some_and(|before| before != included) {
                let what = format!("a second file called {name:?} is included: its names would be those of the first");
                return Err(Error::at(place(source, &include), what));
            }
        }
        self.known.insert(source.name.clone(), (index, true));
        Ok(index)
    }

    fn include(&mut self, source: &Source, include: &Name, depth: usize) -> Result<usize> {
        let Some(found) = self.files.find(&include.text, source)? else {
            let what = format!("there is no file {:?} to include", include.text);
            return Err(Error::at(place(source, include), what).hint(self.files.places()));
        };
        match self.known.get(&found.name) {
            Some(&(index, true)) => return Ok(index),
            Some(_) => {
                let what = format!("{:?} includes itself: found a cycle of files, expected none", &*found.name);
                return Err(Error::at(place(source, include), what));
            }
            None => {}
        }
        if depth >= MOST_NESTING {
            let what = format!("files include each other more than {MOST_NESTING} deep");
            return Err(Error::at(place(source, include), what));
        }
        self.load(&found, depth + 1)
    }
}

fn place(source: &Source, name: &Name) -> Place {
    name.at.place(&source.name)
}

/// The name of a file without folders and end.
fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.strip_suffix(".thrift").unwrap_or(name)
}

/// By name, the items that are of a kind. Types, constants and services may have the same names.
fn names(source: &Source, file: &File, of_kind: impl Fn(&What) -> bool) -> Result<HashMap<String, usize>> {
    let mut names: HashMap<String, usize> = HashMap::with_capacity(file.items.len());
    for (index, item) in file.items.iter().enumerate().filter(|(_, item)| of_kind(&item.what)) {
        if let Some(first) = names.insert(item.name.text.clone(), index) {
            let what = format!("there is a second definition of {:?}, expected another name", item.name.text);
            let first = place(source, &file.items[first].name);
            return Err(Error::at(place(source, &item.name), what).related(first, "first defined"));
        }
    }
    Ok(names)
}
