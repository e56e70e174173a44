//! From trees to the schema model: what names mean.

mod cycles;
mod records;
mod shape;
mod types;
mod values;

pub(super) use records::oneof_name;

use std::collections::HashMap;
use std::sync::Arc;

use wirewise_core::{Enum, Kind, Notes, SchemaBuilder, Type, TypeId};
use wirewise_formats::thrift::notes;

use super::ast::{Head, Item, Name, What};
use super::keys;
use super::load::Unit;
use crate::{Element, Error, Module, Place, Places, Result};

/// The module of a file, which is the first unit, and of those that it includes.
pub(super) fn resolve(units: &[Unit]) -> Result<Module> {
    let mut resolver = Resolver {
        units,
        builder: SchemaBuilder::new(),
        places: Places::default(),
        defined: HashMap::new(),
        named: HashMap::new(),
        typedefs: HashMap::new(),
        enums: HashMap::new(),
        records: HashMap::new(),
        entries: HashMap::new(),
        entry_names: HashMap::new(),
        budget: values::MOST_VALUES,
    };
    let order = resolver.declare()?;
    for &(unit, item) in &order {
        resolver.define_enum(unit, item)?;
    }
    for &(unit, item) in &order {
        resolver.field_types(unit, item)?;
    }
    for &(unit, item) in &order {
        resolver.define_struct(unit, item)?;
    }
    resolver.check_typedefs()?;
    resolver.check_finite(&order)?;
    let constants = resolver.constants()?;
    resolver.finish(&order, constants)
}

/// An item of a unit, by their positions.
type ItemId = (usize, usize);

struct Resolver<'a> {
    units: &'a [Unit],
    builder: SchemaBuilder,
    places: Places,
    /// The types of enums and structs.
    defined: HashMap<ItemId, TypeId>,
    /// By full name.
    named: HashMap<String, TypeId>,
    /// `None` while one is being looked at.
    typedefs: HashMap<ItemId, Option<Resolved>>,
    enums: HashMap<TypeId, Symbols>,
    /// Of every record and union, the fields that it has in Thrift.
    records: HashMap<TypeId, Vec<FieldType>>,
    /// Records that maps need, with their places.
    entries: HashMap<TypeId, Place>,
    /// By what they belong to, how many there are of the same name.
    entry_names: HashMap<String, usize>,
    /// How much may still come of constants.
    budget: usize,
}

/// A type that a file refers to.
#[derive(Debug, Clone)]
struct Resolved {
    id: TypeId,
    /// Unless it has a name.
    ty: Option<Type>,
    /// How deep it nests.
    nest: usize,
    /// The typedef that it was called by, if it has a name.
    typedef: Option<String>,
}

/// The symbols of an enum.
struct Symbols {
    full_name: String,
    /// By their names in Thrift.
    by_ident: HashMap<String, usize>,
    /// The first with each number.
    by_number: HashMap<i64, usize>,
    /// Their names in the model.
    names: Vec<String>,
    numbers: Vec<i64>,
}

/// A field as its type is resolved.
#[derive(Debug, Clone)]
struct FieldType {
    /// In Thrift.
    ident: String,
    /// In the model.
    name: String,
    ty: TypeId,
    /// The notes of the model, and facts.
    notes: Notes,
    facts: Notes,
}

impl<'a> Resolver<'a> {
    fn item(&self, (unit, item): ItemId) -> &'a Item {
        &self.units[unit].file.items[item]
    }

    fn place(&self, unit: usize, name: &Name) -> Place {
        self.units[unit].place(name)
    }

    fn file(&self, unit: usize) -> &'a Arc<str> {
        &self.units[unit].source.name
    }

    /// The full name of an item.
    fn full_name(&self, unit: usize, name: &str, notes: &Notes) -> String {
        match notes.get(keys::NAME) {
            Some(name) => name.to_owned(),
            None => format!("{}{name}", self.units[unit].prefix),
        }
    }

    /// Gives every enum and struct its place in the table.
    fn declare(&mut self) -> Result<Vec<ItemId>> {
        let mut order: Vec<ItemId> = Vec::new();
        let mut moved: Vec<(usize, ItemId)> = Vec::new();
        for (unit, Unit { file, .. }) in self.units.iter().enumerate() {
            for (index, item) in file.items.iter().enumerate() {
                let is_type = matches!(item.what, What::Enum(_) | What::Struct(..));
                if !is_type || item.head.notes.has(keys::WRAPPER) {
                    continue;
                }
                match item.head.notes.get(keys::ORDER).and_then(|place| place.parse().ok()) {
                    Some(place) => moved.push((place, (unit, index))),
                    None => order.push((unit, index)),
                }
            }
        }
        moved.sort_unstable();
        order = merge(order, moved);
        let mut places: HashMap<String, Place> = HashMap::new();
        for &(unit, index) in &order {
            let item = self.item((unit, index));
            let full = self.full_name(unit, &item.name.text, &item.head.notes);
            let place = self.place(unit, &item.name);
            if let Some(first) = places.insert(full.clone(), place.clone()) {
                let what = format!("there is a second type with the full name {full:?}, expected another name");
                return Err(Error::at(place, what).related(first, "first defined"));
            }
            let id = self.builder.declare();
            self.places.set(Element::Type(id), place);
            self.defined.insert((unit, index), id);
            self.named.insert(full, id);
        }
        Ok(order)
    }

    /// What stands at the end of a type's notes: those of the model, with its annotations.
    fn notes(head: &Head) -> (Notes, Notes) {
        let (mut notes, facts) = keys::split(&head.notes);
        for (key, value) in &head.annotations {
            notes.set(format!("{}{key}", notes::ANNOTATION), value);
        }
        (notes, facts)
    }

    fn define_enum(&mut self, unit: usize, item: usize) -> Result<()> {
        let Item { name, head, what } = self.item((unit, item));
        let What::Enum(ast) = what else { return Ok(()) };
        let id = self.defined[&(unit, item)];
        if ast.is_empty() {
            let what = format!("enum {} has no values, expected at least one", name.text);
            return Err(Error::at(self.place(unit, name), what));
        }
        let (mut by_ident, mut by_number, mut names, mut numbers) =
            (HashMap::new(), HashMap::new(), HashMap::new(), Vec::new());
        let mut symbols = Vec::with_capacity(ast.len());
        for (position, symbol) in ast.iter().enumerate() {
            let (notes, facts) = Self::notes(&symbol.head);
            let full = facts.get(keys::NAME).unwrap_or(&symbol.name.text).to_owned();
            let number = facts.get(keys::NUMBER).and_then(|number| number.parse().ok()).unwrap_or(symbol.number);
            let place = self.place(unit, &symbol.name);
            let ident_before = by_ident.insert(symbol.name.text.clone(), position);
            if let Some(first) = ident_before.or(names.insert(full.clone(), position)) {
                let what = format!("enum {} has a second value {full:?}, expected another name", name.text);
                let first = self.place(unit, &ast[first].name);
                return Err(Error::at(place, what).related(first, "first defined"));
            }
            by_number.entry(number).or_insert(position);
            numbers.push(number);
            self.places.set(Element::Symbol(id, position), place);
            symbols.push(wirewise_core::Symbol { name: full, number, doc: symbol.head.doc.clone(), notes });
        }
        let (notes, facts) = Self::notes(head);
        let mut e = Enum {
            name: self.full_name(unit, &name.text, &head.notes),
            doc: head.doc.clone(),
            closed: facts.get(keys::CLOSED) == Some("true"),
            symbols,
            ..Enum::default()
        };
        if let Some(text) = facts.get(keys::RESERVED) {
            keys::reserved(text, &mut e.reserved_numbers, &mut e.reserved_names);
        }
        let names = e.symbols.iter().map(|symbol| symbol.name.clone()).collect();
        self.enums.insert(id, Symbols { full_name: e.name.clone(), by_ident, by_number, names, numbers });
        self.builder.define(id, Type { kind: Kind::Enum(e), logical: None, notes });
        Ok(())
    }

    fn finish(mut self, order: &[ItemId], constants: Vec<String>) -> Result<Module> {
        let main = &self.units[0];
        let (mut schema_notes, facts) = keys::split(&main.file.notes);
        let generated = facts.get(keys::PACKAGE).map(|package| format!("* {package}"));
        let namespaces: Vec<&String> =
            main.file.namespaces.iter().filter(|line| Some(*line) != generated.as_ref()).collect();
        let includes: Vec<String> =
            main.file.cpp_includes.iter().map(|path| format!("\"{}\"", super::parser::escape(path))).collect();
        set_lines(&mut schema_notes, notes::NAMESPACES, &namespaces);
        set_lines(&mut schema_notes, notes::CPP_INCLUDES, &includes.iter().collect::<Vec<_>>());
        set_lines(&mut schema_notes, notes::CONSTANTS, &constants.iter().collect::<Vec<_>>());
        self.builder.set_notes(schema_notes);

        let place = Place::file(&main.source.name);
        let said = match facts.get(keys::ROOT) {
            Some(text) => {
                let root = self.builder.add_expression(&keys::expression(text), &self.named);
                Some(root.map_err(|error| Error::from(error).or_at(place.clone()))?)
            }
            None => None,
        };
        let record = order.iter().find(|&&item| matches!(self.item(item).what, What::Struct(..)));
        let Some(root) = said.or(record.or(order.first()).map(|item| self.defined[item])) else {
            let start = Place { line: 1, column: 1, ..place };
            return Err(Error::at(start, "the file defines no type, expected a struct, union, exception or enum"));
        };
        let mut notices = Vec::new();
        for (unit, Unit { file, .. }) in self.units.iter().enumerate() {
            for item in file.items.iter().filter(|item| matches!(item.what, What::Service)) {
                let place = self.place(unit, &item.name);
                notices.push(format!("{place}: service {} is passed over: only types are read", item.name.text));
            }
        }
        for (id, place) in &self.entries {
            self.places.set(Element::Type(*id), place.clone());
        }
        let schema = self.builder.finish(root).map_err(|error| self.places.error(error, &place))?;
        Ok(Module { schema, root: said, places: self.places, notices, documents: None })
    }
}

/// Puts what was moved back to where it belongs.
fn merge(order: Vec<ItemId>, moved: Vec<(usize, ItemId)>) -> Vec<ItemId> {
    let mut merged = Vec::with_capacity(order.len() + moved.len());
    let mut rest = order.into_iter();
    for (place, item) in moved {
        while merged.len() < place {
            let Some(next) = rest.next() else { break };
            merged.push(next);
        }
        merged.push(item);
    }
    merged.extend(rest);
    merged
}

fn set_lines(notes: &mut Notes, key: &str, lines: &[&String]) {
    if !lines.is_empty() && !notes.has(key) {
        notes.set(key, lines.iter().map(|line| line.as_str()).collect::<Vec<_>>().join("\n"));
    }
}

/// A note of ours that says something else than it should.
fn wrong_note(place: Place, key: &str) -> Error {
    Error::at(place, format!("the note {key:?} cannot be read")).hint("take it out of the comment")
}
