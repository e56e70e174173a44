//! A FlatBuffers schema as a module of the model.

mod enums;
mod records;

use std::collections::HashMap;

use wirewise_core::{Int, Kind, Notes, SchemaBuilder, Type as ModelType, TypeId};
use wirewise_formats::flatbuffers::notes;

use super::ir::{Definition, Schema, Type};
use super::{facts, shape};
use crate::names::{Case, identifier};
use crate::{Element, Error, Module, Place, Places, Result};

/// The module that a schema describes.
pub(super) fn module(schema: Schema, file: &Place) -> Result<Module> {
    let mut reader = Reader::new(&schema)?;
    reader.definitions()?;
    let root = reader.root()?;
    let first = |schema: &Schema| {
        let records = schema.order.iter().filter(|definition| matches!(definition, Definition::Object(_)));
        records.chain(&schema.order).find_map(|definition| reader.id_of(*definition))
    };
    let Some(any) = root.or_else(|| first(&schema)) else {
        return Err(Error::at(file.clone(), "the file declares no types, expected at least one"));
    };
    let Reader { mut types, places, noted, file_notes, .. } = reader;
    types.set_notes(file_notes);
    let model = types.finish(any).map_err(|error| places.error(error, file))?;
    for (ty, place, found) in noted {
        shape::check(&schema, &found, &model, ty).map_err(|what| Error::at(place, what))?;
    }
    Ok(Module { schema: model, root, places, notices: schema.notices, documents: None })
}

struct Reader<'a> {
    schema: &'a Schema,
    types: SchemaBuilder,
    /// By index of the object or enum.
    objects: Vec<Option<TypeId>>,
    enums: Vec<Option<TypeId>>,
    /// Of all objects what their documentation notes.
    object_notes: Vec<(Option<String>, Notes)>,
    named: HashMap<String, TypeId>,
    places: Places,
    /// Types that notes gave, where, and what the file says.
    noted: Vec<(TypeId, Place, Type)>,
    file_notes: Notes,
    /// By index of the enum: its symbols' positions by number.
    numbers: HashMap<usize, HashMap<i64, usize>>,
}

impl<'a> Reader<'a> {
    fn new(schema: &'a Schema) -> Result<Self> {
        let object_notes: Vec<_> = schema.objects.iter().map(|object| facts::split(&object.doc)).collect();
        let mut file_notes = facts::split(&schema.doc).1;
        let mut reader = Reader {
            schema,
            types: SchemaBuilder::new(),
            objects: vec![None; schema.objects.len()],
            enums: vec![None; schema.enums.len()],
            object_notes,
            named: HashMap::new(),
            places: Places::default(),
            noted: Vec::new(),
            file_notes: Notes::default(),
            numbers: HashMap::new(),
        };
        let kept = reader.kept();
        for definition in &schema.order {
            let (name, notes, place) = match *definition {
                Definition::Object(index) if !kept[index] => continue,
                Definition::Object(index) => {
                    (&schema.objects[index].name, reader.object_notes[index].1.clone(), &schema.objects[index].place)
                }
                Definition::Enum(index) => {
                    (&schema.enums[index].name, facts::split(&schema.enums[index].doc).1, &schema.enums[index].place)
                }
            };
            if let Some(text) = notes.get(facts::FILE).and_then(Notes::parse) {
                file_notes.extend(&text);
            }
            let id = reader.types.declare();
            let name = notes.get(facts::NAME).unwrap_or(name).to_owned();
            if let Some(first) = reader.named.insert(name.clone(), id) {
                let error = Error::at(place.clone(), format!("there is another type that notes call {name:?}"));
                return Err(match reader.places.get(Element::Type(first)) {
                    Some(first) => error.related(first.clone(), "first declared"),
                    None => error,
                });
            }
            reader.places.set(Element::Type(id), place.clone());
            match *definition {
                Definition::Object(index) => reader.objects[index] = Some(id),
                Definition::Enum(index) => reader.enums[index] = Some(id),
            }
        }
        let said = [(notes::FILE_IDENTIFIER, &schema.identifier), (notes::FILE_EXTENSION, &schema.extension)];
        for (key, text) in said {
            if let Some(text) = text {
                file_notes.set(key, text.as_str());
            }
        }
        reader.file_notes = file_notes;
        Ok(reader)
    }

    /// The objects that are types of the model: all but wrappers that only noted types refer to.
    fn kept(&self) -> Vec<bool> {
        let mut kept: Vec<bool> = self.object_notes.iter().map(|(_, notes)| !notes.has(facts::WRAPPER)).collect();
        let mut todo: Vec<usize> = (0..kept.len()).filter(|&index| kept[index]).collect();
        let refer = |ty: &Type, doc: &[String]| {
            let inner = if let Type::Vector(item) | Type::Array(item, _) = ty { item } else { ty };
            let Type::Object(index) = inner else { return None };
            (!facts::split(doc).1.has(facts::TYPE)).then_some(*index)
        };
        let reach = |kept: &mut Vec<bool>, index: Option<usize>| {
            if let Some(index) = index.filter(|&index| !kept[index]) {
                kept[index] = true;
                return Some(index);
            }
            None
        };
        let values = self.schema.enums.iter().flat_map(|e| &e.values);
        for value in values {
            let found = value.ty.as_ref().and_then(|ty| refer(ty, &value.doc));
            todo.extend(reach(&mut kept, found));
        }
        while let Some(index) = todo.pop() {
            for field in &self.schema.objects[index].fields {
                let found = refer(&field.ty, &field.doc);
                todo.extend(reach(&mut kept, found));
            }
        }
        kept
    }

    fn id_of(&self, definition: Definition) -> Option<TypeId> {
        match definition {
            Definition::Object(index) => self.objects[index],
            Definition::Enum(index) => self.enums[index],
        }
    }

    fn definitions(&mut self) -> Result<()> {
        let schema = self.schema;
        for definition in &schema.order {
            match *definition {
                Definition::Object(index) => {
                    if let Some(id) = self.objects[index] {
                        self.record(index, id)?;
                    }
                }
                Definition::Enum(index) => {
                    if let Some(id) = self.enums[index] {
                        self.enumeration(index, id)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The type of a message, where the file says so.
    fn root(&mut self) -> Result<Option<TypeId>> {
        let Some(index) = self.schema.root else { return Ok(None) };
        if self.objects[index].is_some() {
            return Ok(self.objects[index]);
        }
        let object = &self.schema.objects[index];
        match self.object_notes[index].1.get(facts::TYPE).map(str::to_owned) {
            Some(text) => Ok(Some(self.expression(&text, &object.place)?)),
            None => Ok(object.fields.first().map(|field| self.ty(&field.ty))),
        }
    }

    /// A type that a note gives.
    fn expression(&mut self, text: &str, place: &Place) -> Result<TypeId> {
        let json = serde_json::from_str(text).map_err(|error| error.to_string());
        let found = json.and_then(|json| self.types.add_expression(&json, &self.named).map_err(|e| e.to_string()));
        found.map_err(|why| Error::at(place.clone(), format!("the type that the note gives is not valid: {why}")))
    }

    /// The type that the file says.
    fn ty(&mut self, ty: &Type) -> TypeId {
        match ty {
            Type::Bool => self.types.add(Kind::Bool),
            Type::Int(int) => self.types.add(Kind::Int(*int)),
            Type::Float(float) => self.types.add(Kind::Float(*float)),
            Type::String => self.types.add(Kind::String),
            Type::Enum(index) | Type::Union(index) => self.enums[*index].expect("all enums are types"),
            Type::Object(index) => self.objects[*index].expect("wrappers that are used are types"),
            Type::Vector(item) if **item == Type::Int(Int::U8) => self.types.add(Kind::Bytes),
            Type::Array(item, count) if **item == Type::Int(Int::U8) => self.types.add(Kind::Fixed(*count)),
            Type::Vector(item) => {
                let unions = matches!(**item, Type::Union(_));
                let notes = if unions { Notes::default().with(notes::UNION_VECTOR, "true") } else { Notes::default() };
                self.list(item, notes)
            }
            Type::Array(item, count) => self.list(item, Notes::default().with(notes::ARRAY, count.to_string())),
        }
    }

    fn list(&mut self, item: &Type, notes: Notes) -> TypeId {
        let kind = Kind::List(self.ty(item));
        self.types.add_type(ModelType { kind, logical: None, notes })
    }
}

/// Notes the identifier of something whose name in the model is the same, where it is not spelled as usual.
fn note_name(notes: &mut Notes, identifier_: &str, case: Case) {
    if notes.take(facts::NAME).is_none() && identifier(identifier_, case) != identifier_ {
        notes.set(notes::NAME, identifier_);
    }
}

/// The attributes of users, as a note.
fn note_attributes(notes: &mut Notes, attributes: &super::ir::Attributes, known: &[&str]) {
    let others = attributes.0.iter().filter(|(name, _)| !known.contains(&name.as_str()));
    let texts: Vec<String> = others.map(|(name, value)| super::print::attribute(name, value.as_deref())).collect();
    if !texts.is_empty() {
        notes.set(notes::ATTRIBUTES, texts.join(", "));
    }
}
