//! Records and maps.

use std::collections::{HashMap, HashSet};

use wirewise_core::{Field, Kind, Oneof, Record};

use super::alternatives::{Alternative, Role, add, oneof};
use super::documents::At;
use super::kinds::Kinds;
use super::scalars::texts;
use super::slots::{Keywords, part};
use super::types::Shared;
use super::{Reader, Where, members};
use crate::json::{Member, Node, Value};
use crate::names::{Case, identifier};
use crate::{Element, Result};

/// A property of one or several alternatives.
#[derive(Default)]
struct Property<'a> {
    /// Offset of its name, and the file.
    named: Option<(usize, usize)>,
    /// For each alternative that has it: the schemas that must all hold.
    schemas: Vec<Vec<At<'a>>>,
    /// In how many alternatives it is required.
    required: usize,
    /// In how many it must not be.
    never: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn object_type(
        &mut self,
        alternatives: Vec<Alternative<'a>>,
        shared: &Shared<'a>,
        place: Where<'a, '_>,
    ) -> Result<()> {
        let is_record = |one: &Alternative<'a>| {
            let named = |at: &At<'a>| at.get("properties").is_some() || !texts(at.node.get("required")).is_empty();
            one.layers.iter().any(named)
        };
        let records = alternatives.iter().filter(|one| is_record(one)).count();
        if records == alternatives.len() {
            return self.record(alternatives, shared, place);
        }
        let notes = self.said_about(&alternatives, Kinds::OBJECT, shared, place.at)?;
        if records > 0 {
            self.notice(
                place.at,
                "some alternatives have properties and others any names: the values are taken for any",
            );
            let value = self.slots.add(Kind::Any);
            return self.map(value, notes, place);
        }
        self.map_of(alternatives, notes, place)
    }

    fn map(&mut self, value: usize, notes: Keywords<'a>, place: Where<'a, '_>) -> Result<()> {
        let key = self.slots.add(Kind::String);
        self.finish_type(Kind::Map(part(key), part(value)), notes, place)
    }

    fn map_of(
        &mut self,
        alternatives: Vec<Alternative<'a>>,
        mut notes: Keywords<'a>,
        place: Where<'a, '_>,
    ) -> Result<()> {
        let name = format!("{}.Value", place.name);
        let mut values: Vec<Vec<At<'a>>> = Vec::new();
        let mut patterns = false;
        let mut open = false;
        for one in &alternatives {
            let mut of_others = Vec::new();
            for &layer in &one.layers {
                for (_, value) in members(layer, "patternProperties") {
                    patterns = true;
                    values.push(vec![value]);
                }
                match layer.get("additionalProperties") {
                    Some(at) if at.node.as_bool() != Some(false) => of_others.push(at),
                    Some(_) => {}
                    None => open = true,
                }
            }
            if !of_others.is_empty() {
                values.push(of_others);
            }
        }
        if patterns && open {
            self.notice(place.at, "names without a pattern are taken to have values like those with one");
        }
        if !patterns && alternatives.len() == 1 {
            // What the type says; but that there must be no names at all, it does not.
            if notes.get("additionalProperties").is_some_and(|at| at.node.as_bool() != Some(false)) {
                notes.take("additionalProperties");
            }
        }
        let value = self.slots.declare();
        let within = Where { slot: value, named_by: value, name: &name, bare: true, depth: place.depth + 1, ..place };
        match &values[..] {
            [] => {
                self.slots.define(value, super::Slot::Made(Kind::Any.into()));
            }
            [nodes] => {
                let same = self.all_of(nodes, &name, true, place.depth + 1)?;
                self.slots.define(value, super::Slot::Same(same));
            }
            several => {
                let mut all = Vec::new();
                for nodes in several {
                    for alternative in self.alternatives_of_all(nodes, 0)? {
                        add(&mut all, alternative);
                    }
                }
                self.resolve(all, Where { bare: false, ..within })?;
            }
        }
        self.map(value, notes, place)
    }

    fn record(&mut self, alternatives: Vec<Alternative<'a>>, shared: &Shared<'a>, place: Where<'a, '_>) -> Result<()> {
        let (order, mut properties) = self.properties(&alternatives)?;
        let mut record = Record::new(self.name_of(place), Vec::new());
        let only = alternatives.len() == 1;
        let mut taken = HashSet::new();
        let mut numbers = Vec::new();
        for name in order {
            let Some(property) = properties.remove(name) else { continue };
            if property.schemas.is_empty() && property.never > 0 {
                if property.never == alternatives.len() {
                    record.reserved_names.push(name.to_owned());
                }
                continue;
            }
            let index = record.fields.len();
            let hint = format!("{}.{}", record.name, identifier(name, Case::Pascal));
            let slot = self.property(&property, &hint, place)?;
            let mut field = Field::new(0, name, part(slot));
            if property.required < alternatives.len() {
                field = field.optional();
            }
            let mut number = None;
            if let Some(&at) = property.schemas.first().and_then(|schemas| schemas.first()) {
                field.doc = self.description(at)?;
                field.aliases = self.texts_of(at, "aliases")?;
                field.notes = self.notes(at)?;
                number = self.number_of(at)?;
                let annotations = self.annotations(at, &["description", "default"])?;
                self.slots.fields.insert((place.slot, index), annotations);
                let default = match self.member(at, "default")? {
                    Some(exact) => Some(exact),
                    None => at.get("default"),
                };
                if let Some(default) = default {
                    self.slots.defaults.insert((place.slot, index), default);
                }
            }
            if let Some((file, offset)) = property.named {
                let at = self.locators.offset(file, offset);
                self.slots.places.push((Element::Field(part(place.slot), index), at));
            }
            taken.extend(number);
            numbers.push(number);
            record.fields.push(field);
        }
        let mut notes = self.said_about(&alternatives, Kinds::OBJECT, shared, place.at)?;
        for &layer in alternatives.iter().flat_map(|one| &one.layers) {
            if self.extension(layer)?.is_some() && (only || layer.key() == place.at.key()) {
                record
                    .reserved_numbers
                    .extend(self.reserved(layer, |node| node.as_u64().and_then(|number| u32::try_from(number).ok()))?);
                record.reserved_names.extend(self.reserved_names(layer)?);
            }
        }
        let mut reserved = record.reserved_numbers.clone();
        reserved.sort_unstable_by_key(|range| *range.start());
        let mut reserved = reserved.into_iter().peekable();
        let mut next: u32 = 1;
        for (field, number) in record.fields.iter_mut().zip(numbers) {
            field.number = number.unwrap_or_else(|| {
                loop {
                    if let Some(range) = reserved.next_if(|range| *range.start() <= next) {
                        next = next.max(range.end().saturating_add(1));
                    } else if next < u32::MAX && taken.contains(&next) {
                        next = next.saturating_add(1);
                    } else {
                        break;
                    }
                }
                let number = next;
                next = next.saturating_add(1);
                number
            });
        }
        self.oneofs(&mut record, &alternatives, &mut notes, place)?;
        self.tell_of_open_content(&alternatives, place)?;
        self.finish_named(place, |doc| {
            record.doc = doc;
            Kind::Record(record)
        })?;
        self.slots.note(place.slot, notes);
        Ok(())
    }

    /// The properties of all alternatives, and their names in order.
    fn properties(&self, alternatives: &[Alternative<'a>]) -> Result<(Vec<&'a str>, HashMap<&'a str, Property<'a>>)> {
        let mut order: Vec<&'a str> = Vec::new();
        let mut properties: HashMap<&'a str, Property<'a>> = HashMap::new();
        for one in alternatives {
            let mut here: HashMap<&'a str, Vec<At<'a>>> = HashMap::new();
            let mut never: HashSet<&'a str> = HashSet::new();
            for &layer in &one.layers {
                if let Some(list) = layer.get("properties").filter(|list| list.node.as_object().is_none()) {
                    let what = format!("found {}, expected an object of properties", list.node.kind());
                    return Err(self.wrong(list, what));
                }
                for (Member { name, at, .. }, value) in members(layer, "properties") {
                    let property = properties.entry(name).or_insert_with(|| {
                        order.push(name);
                        Property { named: Some((layer.file, *at)), ..Property::default() }
                    });
                    if value.node.as_bool() == Some(false) {
                        property.never += usize::from(never.insert(name));
                    } else {
                        here.entry(name).or_default().push(value);
                    }
                }
            }
            let mut required: HashSet<&'a str> = HashSet::new();
            for &layer in &one.layers {
                let Some(list) = layer.get("required") else { continue };
                let Some(items) = list.node.as_array() else {
                    let what = format!("found {}, expected an array of names", list.node.kind());
                    return Err(self.wrong(list, what));
                };
                for item in items {
                    let Some(name) = item.as_str() else {
                        let what = format!("found {}, expected the name of a property", item.kind());
                        return Err(self.wrong(list.to(item), what));
                    };
                    if required.insert(name) {
                        let property = properties.entry(name).or_insert_with(|| {
                            order.push(name);
                            Property { named: Some((layer.file, item.at)), ..Property::default() }
                        });
                        property.required += 1;
                    }
                }
            }
            for (name, schemas) in here {
                if let Some(property) = properties.get_mut(name).filter(|_| !never.contains(name)) {
                    property.schemas.push(schemas);
                }
            }
        }
        Ok((order, properties))
    }

    /// The slot of a property's type.
    fn property(&mut self, property: &Property<'a>, hint: &str, place: Where<'a, '_>) -> Result<usize> {
        match &property.schemas[..] {
            // Only its name is known.
            [] => Ok(self.slots.add(Kind::Any)),
            [nodes] => self.all_of(nodes, hint, false, place.depth + 1),
            several => {
                let slot = self.slots.declare();
                let mut all = Vec::new();
                for nodes in several {
                    match nodes[..] {
                        // Closed, as long as nothing else is known of it.
                        [one] if self.pure_reference(one)?.is_none() && !self.has_type(one) => {
                            all.extend(self.alternatives(one, 0)?.to_vec());
                        }
                        _ => {
                            for alternative in self.alternatives_of_all(nodes, 0)? {
                                add(&mut all, alternative);
                            }
                        }
                    }
                }
                if all.len() > 1000 {
                    self.notice(
                        several[0][0],
                        "it has more than 1000 types, depending on others: it is taken for any value",
                    );
                    self.slots.define(slot, super::Slot::Made(Kind::Any.into()));
                    return Ok(slot);
                }
                let at = several[0][0];
                let within = Where { at, slot, named_by: slot, name: hint, bare: false, depth: place.depth + 1 };
                self.resolve(all, within)?;
                Ok(slot)
            }
        }
    }

    /// Groups of properties of which at most one may be there.
    fn oneofs(
        &mut self,
        record: &mut Record,
        alternatives: &[Alternative<'a>],
        notes: &mut Keywords<'a>,
        place: Where<'a, '_>,
    ) -> Result<()> {
        let mut groups: Vec<(Vec<&'a str>, bool, At<'a>)> = Vec::new();
        if let [one] = alternatives {
            for &layer in &one.layers {
                if layer.get("oneOf").is_some() && self.role(layer, "oneOf")? == Role::Oneof {
                    let found = oneof(&layer.list("oneOf"));
                    groups.extend(found.map(|(names, required)| (names, required, layer)));
                }
            }
        } else if let Some(names) = own_properties(alternatives, place.at) {
            notes.take("oneOf");
            let closed = |one: &Alternative<'a>| {
                let closing = one.layers.iter().filter_map(|layer| layer.get("additionalProperties"));
                closing.into_iter().find(|at| at.node.as_bool() == Some(false))
            };
            if let (Some(at), true) = (closed(&alternatives[0]), alternatives.iter().all(|one| closed(one).is_some())) {
                notes.set("additionalProperties", at, super::super::keywords::Form::Schema);
            }
            groups.push((names, true, place.at));
        }
        let told = match self.member(place.at, "oneofs")? {
            Some(at) => at.node.as_array().ok_or_else(|| self.wrong(at, "\"oneofs\" is an array"))?.to_vec(),
            None => Vec::new(),
        };
        let by_name: HashMap<String, usize> = if groups.is_empty() {
            HashMap::new()
        } else {
            record.fields.iter().enumerate().map(|(position, field)| (field.name.clone(), position)).collect()
        };
        let mut known: HashSet<String> = HashSet::new();
        for (i, (names, required, at)) in groups.into_iter().enumerate() {
            let positions: Option<Vec<usize>> = names.iter().map(|name| by_name.get(*name).copied()).collect();
            let positions = positions.filter(|positions| {
                positions.iter().all(|&position| {
                    let field = &record.fields[position];
                    field.is_optional() && field.oneof.is_none()
                }) && positions.iter().collect::<HashSet<_>>().len() == positions.len()
            });
            let Some(positions) = positions else {
                self.notice(
                    at,
                    "the properties of which only one may be there are not optional, or in two such groups",
                );
                notes.set("oneOf", at.get("oneOf").unwrap_or(at), super::super::keywords::Form::Schemas);
                continue;
            };
            let index = record.oneofs.len();
            positions.iter().for_each(|&position| record.fields[position].oneof = Some(index));
            let mut oneof = Oneof { required, ..Oneof::default() };
            match told.get(i) {
                Some(node) => {
                    let text = |name: &str| node.get(name).and_then(Node::as_str).map(str::to_owned);
                    oneof.name = text("name").unwrap_or_default();
                    oneof.doc = text("description");
                    for (member, value) in members(place.at.to(node), "notes") {
                        oneof.notes.set(&member.name, value.node.as_str().unwrap_or_default());
                    }
                }
                None => {
                    let mut name = names.iter().take(3).copied().collect::<Vec<_>>().join("_or_");
                    while by_name.contains_key(&name) || known.contains(&name) {
                        name.push('_');
                    }
                    oneof.name = name;
                }
            }
            self.slots.places.push((Element::Oneof(part(place.slot), index), self.locators.place(at)));
            known.insert(oneof.name.clone());
            record.oneofs.push(oneof);
        }
        Ok(())
    }

    /// Data may have properties that are no fields.
    fn tell_of_open_content(&self, alternatives: &[Alternative<'a>], place: Where<'a, '_>) -> Result<()> {
        for &layer in alternatives.iter().flat_map(|one| &one.layers) {
            let object = |name: &str| layer.node.get(name).is_some_and(|node| matches!(node.value, Value::Object(_)));
            if object("additionalProperties") || object("patternProperties") {
                self.notice(place.at, "properties that are not named are no fields: readers must ignore unknown ones");
            }
            for name in ["then", "else"] {
                let Some(condition) = layer.get(name) else { continue };
                let known =
                    |name: &str| alternatives.iter().any(|one| one.layers.iter().any(|layer| has(*layer, name)));
                if members(condition, "properties").any(|(member, _)| !known(&member.name)) {
                    self.notice(condition, "properties that depend on a condition are no fields");
                }
            }
        }
        Ok(())
    }
}

fn has(layer: At<'_>, name: &str) -> bool {
    layer.node.get("properties").is_some_and(|properties| properties.get(name).is_some())
}

/// The only properties of alternatives that have one each, which is required: a union whose branches are named.
fn own_properties<'a>(alternatives: &[Alternative<'a>], at: At<'a>) -> Option<Vec<&'a str>> {
    at.get("oneOf")?;
    let mut names = Vec::new();
    for one in alternatives {
        let [layer] = one.layers[..] else { return None };
        let mut properties = members(layer, "properties");
        let (Some((member, _)), None) = (properties.next(), properties.next()) else { return None };
        let required = texts(layer.node.get("required"));
        if required != [member.name.as_str()] || names.contains(&member.name.as_str()) {
            return None;
        }
        names.push(member.name.as_str());
    }
    Some(names)
}
