//! Tables and structs.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use serde_json::{Value as Json, json};
use wirewise_core::{Field, Kind, Notes, Oneof, Presence, Record, Type as ModelType, TypeId};
use wirewise_formats::flatbuffers::notes;

use super::enums::number;
use super::{Reader, note_attributes, note_name};
use crate::languages::fbs::ir::{self, Default, Object, Type};
use crate::languages::fbs::{facts, print};
use crate::names::Case;
use crate::{Element, Error, Place, Result};

/// A field on its way into a record.
struct Row {
    field: Field,
    /// Its position, where a note gives one.
    position: usize,
    place: Place,
    /// Its id, and how many it takes; none where nothing is written of it.
    id: Option<(u32, u32)>,
}

/// The largest id of a field: what a table says about its size has 16 bits.
const LAST_ID: u32 = 32_762;

impl Reader<'_> {
    pub(super) fn record(&mut self, index: usize, id: TypeId) -> Result<()> {
        let object = &self.schema.objects[index];
        let (doc, mut said) = self.object_notes[index].clone();
        let mut record = Record::new(said.get(facts::NAME).unwrap_or(&object.name), Vec::new());
        record.doc = doc;
        said.take(facts::FILE);
        said.take(facts::WRAPPER);
        note_name(&mut said, object.name.rsplit('.').next().unwrap_or_default(), Case::Pascal);
        self.object_attributes(object, &mut said);
        let (numbers, names) = reserved(&mut said, &object.place)?;
        (record.reserved_numbers, record.reserved_names) = (numbers, names);
        let plain = said.take(facts::DEFAULT).is_some();
        let mut oneofs = Oneofs::new(said.take(facts::ONEOFS), &object.place)?;
        let (mut rows, mut dead) = (Vec::new(), Vec::new());
        for (position, field) in object.fields.iter().enumerate() {
            let mut said = facts::split(&field.doc);
            if field.id > LAST_ID {
                let what = format!(
                    "the field {:?} has the id {}, and the last one of a table is {LAST_ID}",
                    field.name, field.id
                );
                return Err(Error::at(field.place.clone(), what));
            }
            if field.deprecated && said.1.has(facts::WRAPPER) {
                continue;
            }
            if field.deprecated {
                said.1.take(facts::POSITION);
                dead.push(self.deprecated(field, &said));
                record.reserved_numbers.extend(field.ids().map(|id| id + 1..=id + 1));
                continue;
            }
            let place = field.place.clone();
            let at = said.1.take(facts::POSITION).and_then(|text| text.parse().ok()).unwrap_or(position);
            let made = self.field(object, field, said, plain, &mut oneofs)?;
            let id = (field.id, 1 + u32::from(field.ty.has_types()));
            rows.push(Row { field: made, position: at, place, id: Some(id) });
        }
        if !dead.is_empty() {
            dead.sort_by_key(|row| row["id"].as_u64());
            record.reserved_names.extend(dead.iter().filter_map(|row| row["name"].as_str().map(str::to_owned)));
            said.set(notes::DEPRECATED, Json::from(dead).to_string());
        }
        if let Some(text) = said.take(facts::FIELDS) {
            self.unwritten(&text, &object.place, &mut rows)?;
        }
        rows.sort_by_key(|row| row.position);
        if !object.is_struct {
            note_ids(&mut rows);
        }
        record.oneofs = oneofs.finish();
        tidy(&mut record.reserved_numbers);
        for (position, row) in rows.into_iter().enumerate() {
            self.places.set(Element::Field(id, position), row.place);
            record.fields.push(row.field);
        }
        self.types.define(id, ModelType { kind: Kind::Record(record), logical: None, notes: said });
        Ok(())
    }

    fn object_attributes(&self, object: &Object, said: &mut Notes) {
        if object.is_struct {
            said.set(notes::STRUCT, "true");
        }
        if let Some(align) = object.attributes.get("force_align") {
            said.set(notes::FORCE_ALIGN, align);
        }
        if object.attributes.has("original_order") {
            said.set(notes::ORIGINAL_ORDER, "true");
        }
        let in_order = || {
            let mut next = 0;
            object.fields.iter().all(|field| {
                let first = *field.ids().start();
                std::mem::replace(&mut next, field.id + 1) == first
            })
        };
        // Ids that the order does not give are needed anyway.
        if object.explicit_ids && in_order() {
            said.set(notes::IDS, "explicit");
        }
        note_attributes(said, &object.attributes, &["force_align", "original_order"]);
    }

    fn field(
        &mut self,
        object: &Object,
        source: &ir::Field,
        said: (Option<String>, Notes),
        plain: bool,
        oneofs: &mut Oneofs,
    ) -> Result<Field> {
        let (doc, mut said) = said;
        let place = &source.place;
        let name = said.get(facts::NAME).unwrap_or(&source.name).to_owned();
        note_name(&mut said, &source.name, Case::Snake);
        let ty = match said.take(facts::TYPE) {
            Some(text) => {
                let ty = self.expression(&text, place)?;
                self.noted.push((ty, place.clone(), source.ty.clone()));
                ty
            }
            None => self.ty(&source.ty),
        };
        let number = match said.take(facts::NUMBER) {
            Some(text) => number(&text, place)?,
            None => source.id + 1,
        };
        let mut field = Field::new(number, name, ty);
        field.doc = doc;
        let optional =
            if source.ty.is_scalar() { source.default == Default::Null } else { !source.required && !object.is_struct };
        if said.take(facts::PRESENCE).map_or(optional, |text| text == "optional") {
            field.presence = Presence::Optional;
        }
        let written = source.default != Default::Zero;
        field.default = match said.take(facts::DEFAULT) {
            Some(text) if text == "none" => None,
            Some(text) => {
                let wrong = || Error::at(place.clone(), format!("the note gives the default {text:?}, expected JSON"));
                Some(serde_json::from_str(&text).map_err(|_| wrong())?)
            }
            None if object.is_struct || plain && !written => None,
            None => self.default(source),
        };
        if let Some(text) = said.take(facts::ALIASES) {
            let wrong = |_| Error::at(place.clone(), "the note about aliases is not valid");
            field.aliases = serde_json::from_str(&text).map_err(wrong)?;
        }
        field.oneof = said.take(facts::ONEOF).map(|name| oneofs.member(name));
        let flags = [(notes::KEY, source.key), (notes::SHARED, source.attributes.has("shared"))];
        let flexbuffer = (notes::FLEXBUFFER, source.attributes.has("flexbuffer"));
        for (key, _) in flags.into_iter().chain([flexbuffer]).filter(|(_, has)| *has) {
            said.set(key, "true");
        }
        if let Some(nested) = source.nested {
            said.set(notes::NESTED, self.schema.objects[nested].name.as_str());
        }
        if let Some(align) = source.attributes.get("force_align") {
            said.set(notes::FORCE_ALIGN, align);
        }
        note_attributes(&mut said, &source.attributes, &["shared", "flexbuffer", "force_align"]);
        field.notes = said;
        Ok(field)
    }

    /// The default that the file gives.
    fn default(&mut self, source: &ir::Field) -> Option<Json> {
        let number = match (&source.default, &source.ty) {
            (Default::Null | Default::EmptyVector, Type::Vector(_)) => return Some(json!([])),
            (Default::Text(text), _) => return Some(Json::from(text.as_str())),
            (Default::Null, _) => return None,
            (Default::Float(value), _) => return Some(float(*value)),
            (Default::Int(value), _) => *value,
            (_, ty) if !ty.is_scalar() => return None,
            _ => 0,
        };
        Some(match source.ty {
            Type::Bool => Json::from(number != 0),
            Type::Float(_) => Json::from(number as f64),
            Type::Enum(index) => {
                let bits = number as i64;
                let values = &self.schema.enums[index].values;
                let all = || values.iter().enumerate().map(|(i, value)| (value.number, i)).collect();
                let names = self.numbers.entry(index).or_insert_with(all);
                match names.get(&bits) {
                    Some(&i) => {
                        let value = &values[i];
                        Json::from(facts::split(&value.doc).1.get(facts::NAME).unwrap_or(&value.name))
                    }
                    None => Json::from(bits),
                }
            }
            _ => i64::try_from(number).map(Json::from).unwrap_or_else(|_| Json::from(number as u64)),
        })
    }

    /// What a deprecated field was, for the writer.
    fn deprecated(&self, field: &ir::Field, said: &(Option<String>, Notes)) -> Json {
        let mut row = json!({"id": field.id, "name": field.name, "type": print::type_name(self.schema, &field.ty)});
        if let Some(default) = print::default(self.schema, field) {
            row["default"] = Json::from(default);
        }
        let attributes: Vec<String> =
            field.attributes.0.iter().map(|(name, value)| print::attribute(name, value.as_deref())).collect();
        let flags = [("required", field.required), ("key", field.key)];
        let flags = flags.into_iter().filter(|(_, has)| *has).map(|(name, _)| name.to_owned());
        let attributes: Vec<String> = flags.chain(attributes).collect();
        if !attributes.is_empty() {
            row["attributes"] = Json::from(attributes.join(", "));
        }
        let lines = facts::join(said.0.as_deref(), &said.1);
        if !lines.is_empty() {
            row["doc"] = Json::from(lines);
        }
        row
    }

    /// Fields that nothing is written of, which a note keeps.
    fn unwritten(&mut self, text: &str, place: &Place, rows: &mut Vec<Row>) -> Result<()> {
        let wrong = || Error::at(place.clone(), "the note about fields is not valid");
        let json: Vec<Json> = serde_json::from_str(text).map_err(|_| wrong())?;
        for row in json {
            let ty = self.expression(&row["type"].to_string(), place)?;
            let number = row["number"].as_u64().and_then(|n| u32::try_from(n).ok()).ok_or_else(wrong)?;
            let mut field = Field::new(number, row["name"].as_str().ok_or_else(wrong)?, ty);
            field.doc = row["doc"].as_str().map(str::to_owned);
            field.default = row.get("default").cloned();
            field.aliases =
                row.get("aliases").and_then(|list| serde_json::from_value(list.clone()).ok()).unwrap_or_default();
            field.notes = row["notes"].as_str().and_then(Notes::parse).unwrap_or_default();
            let position = row["position"].as_u64().ok_or_else(wrong)? as usize;
            rows.push(Row { field, position, place: place.clone(), id: None });
        }
        // The others keep their order around them.
        let taken: std::collections::HashSet<usize> =
            rows.iter().filter(|row| row.id.is_none()).map(|row| row.position).collect();
        let mut next = 0;
        let mut written: Vec<&mut Row> = rows.iter_mut().filter(|row| row.id.is_some()).collect();
        written.sort_by_key(|row| row.position);
        for row in written {
            while taken.contains(&next) {
                next += 1;
            }
            row.position = next;
            next += 1;
        }
        Ok(())
    }
}

/// A default of a floating point field.
fn float(value: f64) -> Json {
    match value {
        value if value.is_nan() => Json::from("NaN"),
        value if value.is_infinite() => Json::from(if value > 0.0 { "Infinity" } else { "-Infinity" }),
        value => Json::from(value),
    }
}

/// Notes the ids that the order of the numbers does not give.
fn note_ids(rows: &mut [Row]) {
    let mut order: Vec<&mut Row> = rows.iter_mut().collect();
    order.sort_by_key(|row| row.field.number);
    let mut next = 0;
    for row in order {
        let Some((id, takes)) = row.id else { continue };
        if id != next + takes - 1 {
            row.field.notes.set(notes::ID, id.to_string());
        }
        next = id + 1;
    }
}

/// Sorts ranges and puts those together that touch.
fn tidy(ranges: &mut Vec<RangeInclusive<u32>>) {
    ranges.sort_by_key(|range| *range.start());
    let mut tidied: Vec<RangeInclusive<u32>> = Vec::new();
    for range in ranges.drain(..) {
        match tidied.last_mut() {
            Some(last) if *range.start() <= last.end().saturating_add(1) => {
                *last = *last.start()..=*last.end().max(range.end());
            }
            _ => tidied.push(range),
        }
    }
    *ranges = tidied;
}

/// Reserved numbers and names, which a note keeps.
pub(super) fn reserved<T>(said: &mut Notes, place: &Place) -> Result<(Vec<RangeInclusive<T>>, Vec<String>)>
where
    T: TryFrom<i64> + Copy,
{
    let Some(text) = said.take(facts::RESERVED) else { return Ok((Vec::new(), Vec::new())) };
    let wrong = || Error::at(place.clone(), "the note about reserved numbers is not valid");
    let json: Json = serde_json::from_str(&text).map_err(|_| wrong())?;
    let number = |json: &Json| json.as_i64().and_then(|n| T::try_from(n).ok()).ok_or_else(wrong);
    let mut numbers = Vec::new();
    for range in json["numbers"].as_array().into_iter().flatten() {
        numbers.push(number(&range[0])?..=number(&range[1])?);
    }
    let names = json["names"].as_array().into_iter().flatten();
    let names = names.map(|name| name.as_str().map(str::to_owned).ok_or_else(wrong)).collect::<Result<_>>()?;
    Ok((numbers, names))
}

/// The oneofs of a record: those that a note describes, then those that only their members name.
struct Oneofs {
    all: Vec<Oneof>,
    by_name: HashMap<String, usize>,
}

impl Oneofs {
    fn new(text: Option<String>, place: &Place) -> Result<Oneofs> {
        let mut oneofs = Oneofs { all: Vec::new(), by_name: HashMap::new() };
        let wrong = || Error::at(place.clone(), "the note about oneofs is not valid");
        let json: Vec<Json> = text.map_or(Ok(Vec::new()), |text| serde_json::from_str(&text)).map_err(|_| wrong())?;
        for row in json {
            let position = oneofs.member(row["name"].as_str().ok_or_else(wrong)?.to_owned());
            let oneof = &mut oneofs.all[position];
            oneof.required = row["required"].as_bool().unwrap_or(false);
            oneof.doc = row["doc"].as_str().map(str::to_owned);
            oneof.notes = row["notes"].as_str().and_then(Notes::parse).unwrap_or_default();
        }
        Ok(oneofs)
    }

    fn member(&mut self, name: String) -> usize {
        let all = &mut self.all;
        *self.by_name.entry(name).or_insert_with_key(|name| {
            all.push(Oneof { name: name.clone(), ..Oneof::default() });
            all.len() - 1
        })
    }

    fn finish(self) -> Vec<Oneof> {
        self.all
    }
}
