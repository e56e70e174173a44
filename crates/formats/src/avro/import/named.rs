//! Records, their fields, and enums.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use serde_json::{Map, Value as Json};
use wirewise_core::{Enum, Field, Int, Kind, Oneof, Record, Symbol, Type, TypeId, text};

use super::{Import, Notes, Part, Problem, attribute, is, notes, notes_of, own_name, scalar, take_notes};
use crate::avro::model::{Attributes, AvroField, NodeId, NodeKind};
use crate::avro::names::{mangled, type_name};

type Result<T> = std::result::Result<T, Problem>;

impl<'a> Import<'a> {
    pub(super) fn enumeration(&mut self, node: NodeId, doc: &Option<String>, symbols: &[String]) -> Result<TypeId> {
        let attributes = self.attributes(node);
        let (names, numbers) = (list(attributes, attribute::SYMBOLS), list(attributes, attribute::NUMBERS));
        let (docs, symbol_notes) = (attributes.get(attribute::SYMBOL_DOCS), attributes.get(attribute::SYMBOL_NOTES));
        let rows = symbols.iter().enumerate().map(|(i, symbol)| Symbol {
            name: names.get(i).and_then(Json::as_str).unwrap_or(symbol).to_owned(),
            number: numbers.get(i).and_then(Json::as_i64).unwrap_or(i as i64),
            doc: docs.and_then(|docs| docs.get(symbol)?.as_str()).map(str::to_owned),
            notes: notes_of(symbol_notes.and_then(|notes| notes.get(symbol))),
        });
        let e = Enum {
            name: self.name(node),
            doc: doc.clone(),
            symbols: rows.collect(),
            closed: attributes.get(attribute::OPEN) != Some(&Json::Bool(true)),
            reserved_numbers: reserved(attributes, Json::as_i64),
            reserved_names: strings(attributes, attribute::RESERVED_NAMES),
        };
        let mut own = vec![attribute::TYPE_ALIASES];
        let mut notes = self.named_notes(node);
        if let Some(default) = attributes.get(attribute::ENUM_DEFAULT).and_then(Json::as_str) {
            notes.set(notes::DEFAULT, default);
            own.push(attribute::ENUM_DEFAULT);
        }
        notes.extend(&take_notes(attributes, &own));
        let ty = self.types.add_type(Type { kind: Kind::Enum(e), logical: None, notes });
        self.done.insert(node, ty);
        self.places.push((Part::Type(ty), self.avro.nodes[node].at));
        for (i, &at) in self.avro.parts.get(&node).into_iter().flatten().enumerate() {
            self.places.push((Part::Symbol(ty, i), at));
        }
        Ok(ty)
    }

    /// Notes of a named type on its names.
    fn named_notes(&self, node: NodeId) -> Notes {
        let mut notes = Notes::default();
        scalar::aliases(self.attributes(node), &mut notes);
        if self.namespaces && !self.name(node).contains('.') && !self.avro.branch_key(node).contains('.') {
            notes.set(notes::NAMESPACE, "");
        }
        notes
    }

    pub(super) fn record(&mut self, node: NodeId, doc: &Option<String>, rows: &'a [AvroField]) -> Result<TypeId> {
        let ty = self.types.declare();
        self.done.insert(node, ty);
        let attributes = self.attributes(node);
        let mut record = Record::new(self.name(node), Vec::with_capacity(rows.len()));
        record.doc = doc.clone();
        let number = |json: &Json| json.as_u64().and_then(|number| u32::try_from(number).ok());
        record.reserved_numbers = reserved(attributes, number);
        record.reserved_names = strings(attributes, attribute::RESERVED_NAMES);
        let text = |json: &Json, member: &str| json.get(member).and_then(Json::as_str).map(str::to_owned);
        for row in list(attributes, attribute::ONEOFS) {
            record.oneofs.push(Oneof {
                name: text(row, "name").unwrap_or_default(),
                doc: text(row, "doc"),
                required: row.get("required") == Some(&Json::Bool(true)),
                notes: notes_of(row.get("notes")),
            });
        }

        let given: Vec<Option<u32>> =
            rows.iter().map(|row| row.attributes.get(attribute::NUMBER).and_then(number)).collect();
        let taken: HashSet<u32> = given.iter().flatten().copied().collect();
        let reserved = record.reserved_numbers.clone();
        let is_taken = |number: u32| {
            let place = reserved.partition_point(|range| *range.end() < number);
            taken.contains(&number) || reserved.get(place).is_some_and(|range| *range.start() <= number)
        };
        self.places.push((Part::Type(ty), self.avro.nodes[node].at));
        let mut next = 0;
        for (position, row) in rows.iter().enumerate() {
            // A field's number is its place, or the next one that is free.
            let number = given[position].unwrap_or_else(|| {
                next = (next + 1).max(position as u32 + 1);
                while is_taken(next) {
                    next += 1;
                }
                next
            });
            // As they are called once they are written.
            // By the names they have here, which do not change when they are written as others.
            let context = format!("{}_{}", type_name(&self.name(node)), mangled(own_name(&row.attributes, &row.name)));
            let mut field = self.field(row, number, &context)?;
            if let Some(name) = row.attributes.get(attribute::ONEOF).and_then(Json::as_str) {
                field.oneof = record.oneofs.iter().position(|oneof| oneof.name == name);
            }
            record.fields.push(field);
            self.places.push((Part::Field(ty, position), row.at));
        }
        let mut notes = self.named_notes(node);
        if let NodeKind::Record { is_error: true, .. } = self.avro.kind(node) {
            notes.set(notes::ERROR, "true");
        }
        notes.extend(&take_notes(attributes, &[attribute::TYPE_ALIASES]));
        self.types.define(ty, Type { kind: Kind::Record(record), logical: None, notes });
        Ok(ty)
    }

    fn field(&mut self, row: &'a AvroField, number: u32, context: &str) -> Result<Field> {
        let optional = is(&row.attributes, attribute::PRESENCE, "optional");
        let (mut ty, null) = match self.avro.kind(row.ty) {
            NodeKind::Union(_) => self.union(row.ty, context, &row.attributes)?,
            _ => (self.value(row.ty, context, &Map::new())?, None),
        };
        let default = match row.attributes.get(attribute::DEFAULT) {
            Some(default) => Some(default.clone()),
            None if optional => None,
            None => row.default.as_ref().and_then(|default| self.default(ty, row.ty, null.is_some(), default)),
        };
        let both = row.attributes.get(attribute::NULLABLE) == Some(&Json::Bool(true));
        let is_nullable = null.is_some() && (both || !optional);
        let mut field_notes = Notes::default();
        // Null is first, unless a default wants another branch there.
        let unsaid = row.attributes.contains_key(attribute::DEFAULT) && row.default.is_none();
        let usual = optional || unsaid || default.as_ref().is_none_or(Json::is_null);
        let place = null.filter(|&place| match (usual, self.avro.kind(row.ty)) {
            (true, _) => place != 0,
            (false, NodeKind::Union(branches)) => place + 1 != branches.len(),
            _ => false,
        });
        if optional && let Some(place) = place {
            field_notes.set(notes::NULL, place.to_string());
        }
        if is_nullable {
            ty = self.nullable(ty, &row.attributes, place.filter(|_| !optional));
        }
        if let Some(lost) = row.default.as_ref().filter(|_| !optional && default.is_none()) {
            field_notes.set(notes::DEFAULT, lost.to_string());
        }
        let mut field = Field::new(number, own_name(&row.attributes, &row.name), ty);
        if optional {
            field = field.optional();
        }
        field.default = default;
        field.doc = row.doc.clone();
        field.aliases = match row.attributes.get(attribute::ALIASES) {
            Some(_) => strings(&row.attributes, attribute::ALIASES),
            None => row.aliases.clone(),
        };
        let mut own = vec![];
        if let Some(order) = row.attributes.get(attribute::ORDER).and_then(Json::as_str) {
            field_notes.set(notes::ORDER, order);
            own.push(attribute::ORDER);
        }
        field_notes.extend(&take_notes(&row.attributes, &own));
        field.notes = field_notes;
        Ok(field)
    }

    /// The place of a symbol in an enum, or in the enum in a union that has most.
    fn symbol(&mut self, node: NodeId, name: &str) -> Option<usize> {
        let avro = self.avro;
        let symbols =
            |node: NodeId| if let NodeKind::Enum { symbols, .. } = avro.kind(node) { &symbols[..] } else { &[] };
        let e = match avro.kind(node) {
            NodeKind::Union(branches) => *branches.iter().max_by_key(|&&branch| symbols(branch).len())?,
            _ => node,
        };
        let places = self.symbols.entry(e);
        places
            .or_insert_with(|| symbols(e).iter().enumerate().map(|(i, name)| (name.as_str(), i)).collect())
            .get(name)
            .copied()
    }

    /// An Avro default as our model has it: a scalar, or an empty list or map.
    fn default(&mut self, ty: TypeId, node: NodeId, nullable: bool, default: &Json) -> Option<Json> {
        let symbol = default.as_str().and_then(|name| self.symbol(node, name));
        let kind = self.types.kind(ty)?;
        let fits = match (kind, default) {
            (_, Json::Null) => nullable || *kind == Kind::Null,
            (Kind::Bool, Json::Bool(_)) | (Kind::String, Json::String(_)) => true,
            (Kind::Float(wirewise_core::Float::F32), Json::Number(n)) => {
                n.as_f64().is_some_and(|n| (n as f32).is_finite())
            }
            (Kind::Float(_), Json::Number(_)) => true,
            (Kind::Int(Int::U64), Json::Number(n)) => n.as_u64().is_some_and(|n| i64::try_from(n).is_ok()),
            (Kind::Int(int), Json::Number(n)) => n.as_i64().is_some_and(|n| int.holds(n.into())),
            // The symbol as Avro calls it.
            (Kind::Enum(e), Json::String(_)) => return Some(Json::from(e.symbols[symbol?].name.as_str())),
            (Kind::Bytes, Json::String(characters)) => {
                let bytes: Option<Vec<u8>> = characters.chars().map(|c| u8::try_from(c).ok()).collect();
                let mut out = Vec::new();
                text::base64::encode(&bytes?, &mut out);
                return String::from_utf8(out).ok().map(Json::String);
            }
            (Kind::List(_), Json::Array(items)) => items.is_empty(),
            (Kind::Map(..), Json::Object(entries)) => entries.is_empty(),
            (Kind::Map(..), Json::Array(entries)) if entries.is_empty() => return Some(Json::Object(<_>::default())),
            _ => false,
        };
        fits.then(|| default.clone())
    }
}

fn list<'a>(attributes: &'a Attributes, name: &str) -> &'a [Json] {
    attributes.get(name).and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn strings(attributes: &Attributes, name: &str) -> Vec<String> {
    list(attributes, name).iter().filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

/// Numbers and `[from, to]`, sorted.
fn reserved<T: Copy + Ord>(attributes: &Attributes, number: impl Fn(&Json) -> Option<T>) -> Vec<RangeInclusive<T>> {
    let range = |json: &Json| match json.as_array().map(Vec::as_slice) {
        Some([from, to]) => Some(number(from)?..=number(to)?),
        _ => number(json).map(|number| number..=number),
    };
    let mut ranges: Vec<_> = list(attributes, attribute::RESERVED_NUMBERS).iter().filter_map(range).collect();
    ranges.sort_unstable_by_key(|range| *range.start());
    ranges
}
