//! Enums and unions.

use wirewise_core::{Branch, Enum, Kind, Notes, Symbol, Type as ModelType, TypeId, Union};
use wirewise_formats::flatbuffers::notes;

use super::records::reserved;
use super::{Reader, note_attributes, note_name};
use crate::languages::fbs::facts;
use crate::languages::fbs::ir::{self, Type};
use crate::names::Case;
use crate::{Element, Error, Place, Result};

impl Reader<'_> {
    pub(super) fn enumeration(&mut self, index: usize, id: TypeId) -> Result<()> {
        let source = &self.schema.enums[index];
        let (doc, mut said) = facts::split(&source.doc);
        let name = said.get(facts::NAME).unwrap_or(&source.name).to_owned();
        said.take(facts::FILE);
        let short = source.name.rsplit('.').next().unwrap_or_default();
        note_name(&mut said, short, Case::Pascal);
        note_attributes(&mut said, &source.attributes, &["bit_flags"]);
        let kind = if source.is_union {
            Kind::Union(Union { name, doc, branches: self.branches(source, id)? })
        } else {
            Kind::Enum(self.symbols(source, id, name, doc, &mut said)?)
        };
        self.types.define(id, ModelType { kind, logical: None, notes: said });
        Ok(())
    }

    fn branches(&mut self, source: &ir::Enum, id: TypeId) -> Result<Vec<Branch>> {
        let mut rows = Vec::new();
        for (i, value) in source.values.iter().enumerate() {
            let (doc, mut said) = facts::split(&value.doc);
            let position = said.take(facts::POSITION).and_then(|text| text.parse().ok()).unwrap_or(i);
            let name = said.get(facts::NAME).unwrap_or(&value.name).to_owned();
            let plain = value.ty.as_ref().unwrap_or(&Type::String);
            said.take(facts::NAME);
            let ty = match said.take(facts::TYPE) {
                Some(text) => {
                    let ty = self.expression(&text, &value.place)?;
                    // Of a box only the note says what is in it.
                    if !matches!(plain, Type::Object(_)) {
                        self.noted.push((ty, value.place.clone(), plain.clone()));
                    }
                    ty
                }
                None => self.ty(plain),
            };
            let direct = match plain {
                Type::String => true,
                Type::Object(index) => self.schema.objects[*index].is_struct,
                _ => false,
            };
            if direct {
                said.set(notes::DIRECT, "true");
            }
            let number = match said.take(facts::NUMBER) {
                Some(text) => number(&text, &value.place)?,
                None => value.number as u32,
            };
            rows.push((position, Branch { doc, notes: said, ..Branch::new(number, name, ty) }, value.place.clone()));
        }
        rows.sort_by_key(|(position, ..)| *position);
        let branches = rows.into_iter().enumerate().map(|(position, (_, branch, place))| {
            self.places.set(Element::Branch(id, position), place);
            branch
        });
        Ok(branches.collect())
    }

    fn symbols(
        &mut self,
        source: &ir::Enum,
        id: TypeId,
        name: String,
        doc: Option<String>,
        said: &mut Notes,
    ) -> Result<Enum> {
        let mut rows = Vec::new();
        for (i, value) in source.values.iter().enumerate() {
            let (doc, mut said) = facts::split(&value.doc);
            let name = said.get(facts::NAME).unwrap_or(&value.name).to_owned();
            said.take(facts::NAME);
            let position = said.take(facts::POSITION).and_then(|text| text.parse().ok()).unwrap_or(i);
            rows.push((position, Symbol { name, number: value.number, doc, notes: said }, value.place.clone()));
        }
        rows.sort_by_key(|(position, ..)| *position);
        let symbols = match said.take(facts::SYMBOLS) {
            Some(text) => second_names(&text, rows, &source.place)?,
            None => rows.into_iter().map(|(_, symbol, place)| (symbol, place)).collect(),
        };
        let places = &mut self.places;
        let symbols: Vec<Symbol> = symbols
            .into_iter()
            .enumerate()
            .map(|(position, (symbol, place))| {
                places.set(Element::Symbol(id, position), place);
                symbol
            })
            .collect();
        let narrow = symbols.iter().all(|symbol| i32::try_from(symbol.number).is_ok());
        let usual = if narrow { wirewise_core::Int::I32 } else { wirewise_core::Int::I64 };
        if source.underlying != usual {
            said.set(notes::TYPE, notes::integer_name(source.underlying));
        }
        if source.is_bit_flags() {
            said.set(notes::BIT_FLAGS, "true");
        }
        let closed = said.take(facts::CLOSED).is_some();
        let (reserved_numbers, reserved_names) = reserved(said, &source.place)?;
        Ok(Enum { name, doc, symbols, closed, reserved_numbers, reserved_names })
    }
}

/// Puts second names of numbers, which a note gives with their positions, among the first ones.
fn second_names(text: &str, first: Vec<(usize, Symbol, Place)>, place: &Place) -> Result<Vec<(Symbol, Place)>> {
    let wrong = || Error::at(place.clone(), "the note about symbols is not valid");
    let json: Vec<serde_json::Value> = serde_json::from_str(text).map_err(|_| wrong())?;
    let mut second = Vec::new();
    for row in json {
        let (name, number) = row["name"].as_str().zip(row["number"].as_i64()).ok_or_else(wrong)?;
        let notes = row["notes"].as_str().and_then(Notes::parse).unwrap_or_default();
        let doc = row["doc"].as_str().map(str::to_owned);
        let position = row["position"].as_u64().ok_or_else(wrong)?;
        second.push((position as usize, Symbol { name: name.to_owned(), number, doc, notes }));
    }
    second.sort_by_key(|(position, _)| *position);
    let mut second = second.into_iter().peekable();
    let mut all = Vec::new();
    for (_, symbol, at) in first {
        while let Some((_, symbol)) = second.next_if(|(position, _)| *position <= all.len()) {
            all.push((symbol, place.clone()));
        }
        all.push((symbol, at));
    }
    all.extend(second.map(|(_, symbol)| (symbol, place.clone())));
    Ok(all)
}

/// A number that a note gives.
pub(super) fn number(text: &str, place: &Place) -> Result<u32> {
    let found = text.parse();
    found.map_err(|_| Error::at(place.clone(), format!("the note gives the number {text:?}, expected a positive one")))
}
