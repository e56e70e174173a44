//! A module of the model as a FlatBuffers schema, as the format's codec writes its messages.

mod enums;
mod names;
mod order;
mod records;
mod types;

use std::collections::HashMap;

use wirewise_core::{Kind, Notes, Schema as Model, TypeId};
use wirewise_formats::flatbuffers::notes;

use super::facts;
use super::ir::{Definition, Schema};
use crate::{Error, Lost, Module, Place, Result};
use names::Names;

/// Which form is written: the binary one sorts what the text leaves in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Binary,
}

/// The schema for a module, and what it cannot say.
pub(super) fn schema(module: &Module, form: Form) -> Result<(Schema, Vec<Lost>)> {
    let mut writer = Writer::new(&module.schema, form);
    writer.types()?;
    writer.root(module.root.unwrap_or_else(|| module.schema.root()), module.root.is_some())?;
    writer.file();
    let order = order::order(&writer.out, &writer.sequence);
    writer.out.order = order;
    writer.used_attributes();
    Ok((writer.out, writer.lost))
}

struct Writer<'a> {
    model: &'a Model,
    form: Form,
    out: Schema,
    names: Names,
    /// By type: its object or enum.
    objects: Vec<Option<usize>>,
    enums: Vec<Option<usize>>,
    /// The types of the objects, of which wrappers are the last and have none, and of the enums.
    object_types: Vec<TypeId>,
    enum_types: Vec<TypeId>,
    /// Boxes and entries by owner, and by what they hold.
    wrappers: HashMap<(bool, String, String), usize>,
    /// Definitions as they come up, each with its wrappers.
    sequence: Vec<(Definition, Vec<Definition>)>,
    lost: Vec<Lost>,
}

impl<'a> Writer<'a> {
    fn new(model: &'a Model, form: Form) -> Self {
        let count = model.types().len();
        let mut writer = Writer {
            model,
            form,
            out: Schema::default(),
            names: Names::new(model),
            objects: vec![None; count],
            enums: vec![None; count],
            object_types: Vec::new(),
            enum_types: Vec::new(),
            wrappers: HashMap::new(),
            sequence: Vec::new(),
            lost: Vec::new(),
        };
        // Types refer to each other in circles: all have their places first.
        for id in model.named_types() {
            let name = writer.names.full(id).to_owned();
            match model.kind(id) {
                Kind::Record(_) => {
                    writer.objects[id.index()] = Some(writer.out.objects.len());
                    writer.object_types.push(id);
                    let is_struct = model.type_notes(id).has(notes::STRUCT);
                    writer.out.objects.push(types::object(name, is_struct));
                }
                kind => {
                    writer.enums[id.index()] = Some(writer.out.enums.len());
                    writer.enum_types.push(id);
                    let mut new = types::enumeration(name, matches!(kind, Kind::Union(_)));
                    if let Kind::Enum(e) = kind {
                        new.underlying = enums::underlying(e, model.type_notes(id));
                    }
                    writer.out.enums.push(new);
                }
            }
        }
        writer
    }

    fn lose(&mut self, path: &str, what: impl Into<String>) {
        self.lost.push(Lost { path: path.to_owned(), what: what.into() });
    }

    fn types(&mut self) -> Result<()> {
        let model = self.model;
        for id in model.named_types() {
            match model.kind(id) {
                Kind::Record(record) => {
                    let index = self.objects[id.index()].expect("all records have objects");
                    self.sequence.push((Definition::Object(index), Vec::new()));
                    self.record(id, record, index)?;
                }
                Kind::Enum(e) => {
                    let index = self.enums[id.index()].expect("all enums have places");
                    self.sequence.push((Definition::Enum(index), Vec::new()));
                    self.enumeration(id, e, index)?;
                }
                Kind::Union(union) => {
                    let index = self.enums[id.index()].expect("all unions have places");
                    self.sequence.push((Definition::Enum(index), Vec::new()));
                    self.union(id, union, index)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The root type: a box where it is no table.
    fn root(&mut self, root: TypeId, known: bool) -> Result<()> {
        if !known {
            return Ok(());
        }
        let is_table = self.objects[root.index()].filter(|&index| !self.out.objects[index].is_struct);
        self.out.root = Some(match is_table {
            Some(index) => index,
            None => {
                // With its own wrappers it comes last.
                let others = std::mem::take(&mut self.sequence);
                let index = self.boxed(root, "Root", "")?;
                let own = std::mem::replace(&mut self.sequence, others);
                self.sequence.extend(own);
                // What is in a box is known from where it is used. This one is used nowhere.
                let note = Notes::default().with(facts::TYPE, self.model.type_json(root).to_string());
                append(&mut self.out.objects[index].doc, &note);
                index
            }
        });
        Ok(())
    }

    /// What is said of the file.
    fn file(&mut self) {
        let mut said = self.model.notes().clone();
        self.out.identifier = said.take(notes::FILE_IDENTIFIER);
        self.out.extension = said.take(notes::FILE_EXTENSION);
        if self.form == Form::Text {
            self.out.doc = facts::join(None, &said);
        } else if !said.is_empty() {
            // Files have no documentation there: the first definition carries it.
            let note = Notes::default().with(facts::FILE, said.to_string());
            match self.sequence.first() {
                Some((Definition::Object(index), _)) => append(&mut self.out.objects[*index].doc, &note),
                Some((Definition::Enum(index), _)) => append(&mut self.out.enums[*index].doc, &note),
                None => {}
            }
        }
    }

    /// Attributes of users must be declared.
    fn used_attributes(&mut self) {
        let objects = self.out.objects.iter();
        let fields = self.out.objects.iter().flat_map(|object| &object.fields).map(|field| &field.attributes);
        let all = objects.map(|object| &object.attributes).chain(fields);
        let all = all.chain(self.out.enums.iter().map(|e| &e.attributes));
        let mut used: Vec<String> = all.flat_map(|attributes| &attributes.0).map(|(name, _)| name.clone()).collect();
        used.retain(|name| !super::parse::is_built_in(name));
        used.sort();
        used.dedup();
        self.out.declared = used;
    }
}

/// Adds a line of notes.
fn append(doc: &mut Vec<String>, said: &Notes) {
    let (text, mut all) = facts::split(doc);
    all.extend(said);
    *doc = facts::join(text.as_deref(), &all);
}

/// What has no place in any file.
fn nowhere() -> Place {
    Place { file: "".into(), line: 0, column: 0 }
}

fn unwritable(what: String) -> Error {
    Error::new(what)
}
