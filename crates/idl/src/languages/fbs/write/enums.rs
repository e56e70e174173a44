//! Enums and unions.

use std::collections::HashSet;

use serde_json::{Value as Json, json};
use wirewise_core::{Enum, Int, Kind, Notes, TypeId, Union};
use wirewise_formats::flatbuffers::notes;

use super::records::{attributes_of, range_note};
use super::{Form, Writer, nowhere, unwritable};
use crate::Result;
use crate::languages::fbs::facts;
use crate::languages::fbs::ir::{EnumValue, Type};
use crate::languages::fbs::print::parts;
use crate::names::{Case, Scope, identifier};

/// The underlying type of an enum, as the codec has it.
pub(super) fn underlying(e: &Enum, said: &Notes) -> Int {
    let narrow = e.symbols.iter().all(|symbol| i32::try_from(symbol.number).is_ok());
    said.get(notes::TYPE).and_then(notes::integer).unwrap_or(if narrow { Int::I32 } else { Int::I64 })
}

impl Writer<'_> {
    /// The notes of a named type that go into documentation, and its name if that is another than the file's.
    pub(super) fn type_said(&self, id: TypeId) -> Notes {
        let mut said = self.model.type_notes(id).clone();
        let written = self.names.full(id);
        let name = self.model.name(id).unwrap_or_default();
        let short = parts(written).1;
        if said.get(notes::NAME) == Some(short) && identifier(short, Case::Pascal) != short {
            said.take(notes::NAME);
        } else if identifier(short, Case::Pascal) != short {
            // Without this note it would be read as the name in files.
            said.set(facts::NAME, name);
        }
        if written != name {
            said.set(facts::NAME, name);
        }
        said
    }

    pub(super) fn enumeration(&mut self, id: TypeId, e: &Enum, index: usize) -> Result<()> {
        let mut said = self.type_said(id);
        let attributes = attributes_of(&mut said);
        let underlying = self.out.enums[index].underlying;
        let narrow = e.symbols.iter().all(|symbol| i32::try_from(symbol.number).is_ok());
        if said.get(notes::TYPE).and_then(notes::integer).is_some()
            && underlying != if narrow { Int::I32 } else { Int::I64 }
        {
            said.take(notes::TYPE);
        }
        self.out.enums[index].attributes = attributes;
        let most = i64::from(underlying.bits()) - i64::from(underlying.signed());
        let is_bit = |number: i64| (number as u64).is_power_of_two() && i64::from(number.trailing_zeros()) < most;
        if said.has(notes::BIT_FLAGS) && e.symbols.iter().all(|symbol| is_bit(symbol.number)) {
            said.take(notes::BIT_FLAGS);
            self.out.enums[index].attributes.add("bit_flags", None);
        }
        let (mut scope, mut seen, mut second) = (Scope::default(), HashSet::new(), Vec::new());
        let mut values: Vec<(usize, EnumValue)> = Vec::new();
        for (position, symbol) in e.symbols.iter().enumerate() {
            if !seen.insert(symbol.number) {
                let mut row = json!({"position": position, "name": symbol.name, "number": symbol.number});
                if let Some(doc) = &symbol.doc {
                    row["doc"] = Json::from(doc.as_str());
                }
                if !symbol.notes.is_empty() {
                    row["notes"] = Json::from(symbol.notes.to_string());
                }
                second.push(row);
                continue;
            }
            if !underlying.holds(self.enum_number(index, symbol.number)) {
                let (name, ty) = (&e.name, notes::integer_name(underlying));
                return Err(unwritable(format!(
                    "symbol {} of {name} is {}, which is no {ty}",
                    symbol.name, symbol.number
                )));
            }
            let name = scope.take(&identifier(&symbol.name, Case::Keep));
            let mut said = symbol.notes.clone();
            if name != symbol.name {
                said.set(facts::NAME, symbol.name.as_str());
            }
            let doc = facts::join(symbol.doc.as_deref(), &said);
            values.push((values.len(), EnumValue { name, doc, number: symbol.number, ty: None, place: nowhere() }));
        }
        if !second.is_empty() {
            self.lose(&e.name, "a number has one name only: second ones are kept in a comment");
            said.set(facts::SYMBOLS, Json::from(second).to_string());
        }
        if self.form == Form::Binary {
            let number = |value: &EnumValue| self.enum_number(index, value.number);
            values.sort_by_key(|(_, value)| number(value));
            if values.iter().enumerate().any(|(i, (position, _))| i != *position) {
                for (position, value) in &mut values {
                    super::append(&mut value.doc, &Notes::default().with(facts::POSITION, position.to_string()));
                }
            }
        }
        if e.closed {
            self.lose(&e.name, "readers accept numbers that the enum does not have");
            said.set(facts::CLOSED, "true");
        }
        if let Some(note) = range_note(&e.reserved_numbers, &e.reserved_names) {
            self.lose(&e.name, "reserved numbers and names are kept in a comment only");
            said.set(facts::RESERVED, note);
        }
        self.out.enums[index].values = values.into_iter().map(|(_, value)| value).collect();
        self.out.enums[index].doc = facts::join(e.doc.as_deref(), &said);
        Ok(())
    }

    pub(super) fn union(&mut self, id: TypeId, union: &Union, index: usize) -> Result<()> {
        let mut said = self.type_said(id);
        self.out.enums[index].attributes = attributes_of(&mut said);
        let bytes = union.branches.iter().all(|branch| branch.number <= u8::MAX.into());
        let mut order: Vec<usize> = (0..union.branches.len()).collect();
        order.sort_by_key(|&position| union.branches[position].number);
        let mut ranks = vec![0; order.len()];
        for (rank, &position) in order.iter().enumerate() {
            ranks[position] = rank as i64 + 1;
        }
        if union.branches.len() > u8::MAX.into() {
            return Err(unwritable(format!("union {} has more than 255 branches", union.name)));
        }
        let mut scope = Scope::new(&["NONE"]);
        let owner = self.names.full(id).to_owned();
        let mut values = Vec::new();
        for (position, branch) in union.branches.iter().enumerate() {
            let mut said = branch.notes.clone();
            let direct = said.has(notes::DIRECT);
            let ty = match self.model.kind(branch.ty) {
                Kind::String if direct => Type::String,
                Kind::Record(_) => {
                    let object = self.objects[branch.ty.index()].expect("a record");
                    if self.out.objects[object].is_struct && !direct {
                        Type::Object(self.boxed(branch.ty, &branch.name, &owner)?)
                    } else {
                        Type::Object(object)
                    }
                }
                _ => Type::Object(self.boxed(branch.ty, &branch.name, &owner)?),
            };
            if ty == Type::String || matches!(ty, Type::Object(index) if self.out.objects[index].is_struct) {
                said.take(notes::DIRECT);
            }
            let as_read = self.type_as_read(&ty);
            let json = self.model.type_json(branch.ty);
            if as_read != json {
                said.set(facts::TYPE, json.to_string());
            }
            let name = scope.take(&identifier(&branch.name, Case::Keep));
            if name != branch.name {
                said.set(facts::NAME, branch.name.as_str());
            }
            let number = if bytes { i64::from(branch.number) } else { ranks[position] };
            if !bytes {
                said.set(facts::NUMBER, branch.number.to_string());
            }
            let doc = facts::join(branch.doc.as_deref(), &said);
            values.push(EnumValue { name, doc, number, ty: Some(ty), place: nowhere() });
        }
        if self.form == Form::Binary {
            let sorted = values.is_sorted_by_key(|value| value.number);
            let mut rows: Vec<(usize, EnumValue)> = values.into_iter().enumerate().collect();
            rows.sort_by_key(|(_, value)| value.number);
            for (position, value) in rows.iter_mut().filter(|_| !sorted) {
                super::append(&mut value.doc, &Notes::default().with(facts::POSITION, position.to_string()));
            }
            values = rows.into_iter().map(|(_, value)| value).collect();
        }
        self.out.enums[index].values = values;
        self.out.enums[index].doc = facts::join(union.doc.as_deref(), &said);
        Ok(())
    }
}
