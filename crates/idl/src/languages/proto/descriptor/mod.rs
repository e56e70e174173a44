//! Descriptor sets: the tree as a message, which is how compilers pass it on.

mod read;
mod write;

use std::collections::{HashMap, HashSet};

use crate::{Error, Place, Result, Source};

use super::ast::File;
use super::interpret::{self, Options};
use super::load::{self, Loaded};
use super::symbols::Symbols;
use super::tree::{self, Record};
use super::{check, parser, wkt};

#[cfg(test)]
pub(super) use write::file as to_record;

/// The bytes of a descriptor set of these files, each after those that it imports.
pub(super) fn write(loaded: &Loaded) -> Result<Vec<u8>> {
    let symbols = Symbols::new(loaded)?;
    check::check(&symbols)?;
    let options = Options::new(&symbols)?;
    options.check()?;
    let mut files: Vec<tree::Tree> = Vec::new();
    for place in 0..loaded.files.len() {
        files.push(tree::Tree::Record(write::file(&options, &symbols, place)?));
    }
    // The first file imports all others.
    files.reverse();
    let mut set = Record::default();
    set.set_list("file", files);
    let ty = options.schema().named("google.protobuf.FileDescriptorSet");
    let ty = ty.ok_or_else(|| Error::new("the descriptors are incomplete"))?;
    tree::encode(options.schema(), ty, &set).map_err(Error::new)
}

/// Reads the files of a descriptor set; the last one, which the set is about, becomes the first.
pub(super) fn read(source: &Source) -> Result<(Loaded, Vec<String>)> {
    let mut notices = Vec::new();
    let wrong = |error: wirewise_core::Error| {
        Error::at(Place::file(&source.name), format!("this is not a descriptor set: {error}"))
    };
    let standard = interpret::standard();
    let ty = standard.named("google.protobuf.FileDescriptorSet").expect("the descriptors are complete");
    let (set, unknown) = tree::decode(standard, ty, &source.bytes).map_err(wrong)?;
    let loaded = files(source, &set, standard)?;
    if unknown == 0 {
        return Ok((loaded, notices));
    }
    // What is unknown may be custom options, which the set itself declares.
    let symbols = Symbols::new(&loaded)?;
    let options = Options::new(&symbols)?;
    let schema = options.schema();
    let ty = schema.named("google.protobuf.FileDescriptorSet").expect("the descriptors are complete");
    let (set, unknown) = tree::decode(schema, ty, &source.bytes).map_err(wrong)?;
    if unknown > 0 {
        let what = "parts of the descriptors, such as options that the set does not declare, are passed over";
        notices.push(format!("{}: {unknown} {what}", source.name));
    }
    let files = files(source, &set, schema)?;
    Ok((files, notices))
}

fn files(source: &Source, set: &Record, schema: &wirewise_core::Schema) -> Result<Loaded> {
    let error = |what: String| Error::at(Place::file(&source.name), what);
    let mut files: Vec<File> = Vec::new();
    for record in set.records("file") {
        files.push(read::file(record, schema).map_err(&error)?);
    }
    files.reverse();
    if files.is_empty() {
        return Err(error("the descriptor set has no files".to_owned()));
    }
    let mut places = HashMap::new();
    for (place, file) in files.iter().enumerate() {
        if places.insert(file.path.clone(), place).is_some() {
            return Err(error(format!("the file {:?} is in the set twice", file.path)));
        }
    }
    let mut next = 0;
    let mut linked: Vec<Vec<usize>> = Vec::new();
    while next < files.len() {
        let mut imports = Vec::new();
        let mut missing = Vec::new();
        for import in &files[next].imports {
            let path = &import.path.text;
            let known = places.get(path).copied();
            imports.push(match known {
                Some(place) => place,
                None => {
                    let standard = wkt::find(path).ok_or_else(|| {
                        let what = format!("the set does not have {path:?}, which {:?} imports", files[next].path);
                        error(what).hint("make it with protoc --include_imports --descriptor_set_out=FILE")
                    })?;
                    let place = files.len() + missing.len();
                    places.insert(path.clone(), place);
                    missing.push(parser::parse(&standard, path)?);
                    place
                }
            });
        }
        files.append(&mut missing);
        linked.push(imports);
        next += 1;
    }
    acyclic(&files, &linked).map_err(error)?;
    load::link(files.into_iter().zip(linked).collect())
}

/// Files that import each other are no set that a compiler writes.
fn acyclic(files: &[File], imports: &[Vec<usize>]) -> std::result::Result<(), String> {
    let mut done: HashSet<usize> = HashSet::new();
    for start in 0..files.len() {
        let (mut stack, mut open) = (vec![(start, 0)], HashSet::new());
        while let Some((place, next)) = stack.pop() {
            if done.contains(&place) {
                continue;
            }
            open.insert(place);
            match imports[place].get(next) {
                None => {
                    open.remove(&place);
                    done.insert(place);
                }
                Some(import) if open.contains(import) => {
                    return Err(format!(
                        "the files {:?} and {:?} import each other",
                        files[place].path, files[*import].path
                    ));
                }
                Some(import) => {
                    stack.push((place, next + 1));
                    stack.push((*import, 0));
                }
            }
        }
    }
    Ok(())
}
