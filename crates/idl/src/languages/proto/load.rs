//! A file and all that it imports.

use std::collections::{HashMap, HashSet};

use crate::{Error, Files, Result, Source};

use super::ast::{File, ImportKind};
use super::{parser, wkt};

/// Files; the first is the one that was asked for.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) files: Vec<File>,
    /// For each file those whose declarations it can use: itself, what it imports, and what that imports publicly.
    pub(super) visible: Vec<HashSet<usize>>,
}

/// Reads a file and its imports.
pub(super) fn load(source: &Source, files: &dyn Files) -> Result<Loaded> {
    let path = source.name.as_ref();
    let main = parser::parse(source, path)?;
    let mut loader = Loader { files, sources: vec![source.clone()], places: HashMap::new(), found: Vec::new() };
    loader.places.insert(source.name.to_string(), 0);
    loader.found.push(Found { file: main, imports: Vec::new(), state: State::Open });
    loader.run()?;
    link(loader.found.into_iter().map(|found| (found.file, found.imports)).collect())
}

/// Works out which files see which; the imports of each are given by their places.
pub(super) fn link(files: Vec<(File, Vec<usize>)>) -> Result<Loaded> {
    // What those see who import a file: itself and its public imports. Chains of those may be long.
    let exported = |start: usize| {
        let (mut seen, mut todo) = (HashSet::new(), vec![start]);
        while let Some(place) = todo.pop() {
            if seen.insert(place) {
                let (file, imports) = &files[place];
                let public = file.imports.iter().zip(imports).filter(|(import, _)| import.kind == ImportKind::Public);
                todo.extend(public.map(|(_, &place)| place));
            }
        }
        seen
    };
    let visible = (0..files.len()).map(|place| {
        let mut seen = HashSet::from([place]);
        files[place].1.iter().for_each(|&import| seen.extend(exported(import)));
        seen
    });
    let visible = visible.collect();
    Ok(Loaded { files: files.into_iter().map(|(file, _)| file).collect(), visible })
}

struct Loader<'a> {
    files: &'a dyn Files,
    sources: Vec<Source>,
    /// Files by the names of their sources.
    places: HashMap<String, usize>,
    found: Vec<Found>,
}

struct Found {
    file: File,
    imports: Vec<usize>,
    state: State,
}

#[derive(PartialEq)]
enum State {
    /// Its imports are being read.
    Open,
    Done,
}

impl Loader<'_> {
    fn run(&mut self) -> Result<()> {
        // The files from the first one to the one that is being worked on: a stack of our own, because chains of
        // imports may be longer than the program's.
        let mut open = vec![0];
        while let Some(&place) = open.last() {
            let next = self.found[place].imports.len();
            let Some(import) = self.found[place].file.imports.get(next) else {
                self.found[place].state = State::Done;
                open.pop();
                continue;
            };
            let (path, at) = (import.path.text.clone(), import.path.at);
            let error = |what: String| Error::at(self.found[place].file.origin.place(at), what);
            let importer = self.sources[place].clone();
            let source = match self.files.find(&path, &importer)? {
                Some(source) => source,
                None => wkt::find(&path).ok_or_else(|| {
                    error(format!("there is no file {:?}", super::lexer::short(&path)))
                        .hint(format!("{}; -I adds a folder", self.files.places()))
                })?,
            };
            let known = self.places.get(source.name.as_ref()).copied();
            if let Some(known) = known {
                if self.found[known].state == State::Open {
                    let start = open.iter().position(|&file| file == known).unwrap_or(0);
                    let names = open[start..].iter().chain([&known]).map(|&file| self.sources[file].name.as_ref());
                    let chain: Vec<&str> = names.collect();
                    let chain =
                        if chain.len() > 8 { format!("{}, ...", chain[..8].join(", ")) } else { chain.join(", ") };
                    return Err(error(format!("the files import each other: {chain}")));
                }
                if self.found[place].imports.contains(&known) {
                    return Err(error(format!("{path:?} is imported twice")));
                }
                self.found[place].imports.push(known);
                continue;
            }
            let file = parser::parse(&source, &path)?;
            let new = self.found.len();
            self.places.insert(source.name.to_string(), new);
            self.sources.push(source);
            self.found[place].imports.push(new);
            self.found.push(Found { file, imports: Vec::new(), state: State::Open });
            open.push(new);
        }
        Ok(())
    }
}
