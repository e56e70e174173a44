//! Booleans, numbers, strings and lists.

use wirewise_core::{Float, Int, Kind, Logical, Type, Unit};

use super::super::tree::number_text;
use super::super::write::WIDTHS;
use super::alternatives::Alternative;
use super::documents::At;
use super::kinds::Kinds;
use super::slots::{Keywords, part};
use super::types::Shared;
use super::{Reader, Where};
use crate::Result;
use crate::json::{Node, Value};

impl<'a> Reader<'a> {
    pub(super) fn boolean(
        &mut self,
        alternatives: Vec<Alternative<'a>>,
        shared: &Shared<'a>,
        place: Where<'a, '_>,
    ) -> Result<()> {
        let notes = self.said_about(&alternatives, Kinds::BOOL, shared, place.at)?;
        self.finish_type(Kind::Bool, notes, place)
    }

    pub(super) fn number(
        &mut self,
        alternatives: Vec<Alternative<'a>>,
        shared: &Shared<'a>,
        place: Where<'a, '_>,
    ) -> Result<()> {
        let mut notes = self.said_about(&alternatives, Kinds::NUMBER, shared, place.at)?;
        let mut found: Vec<Type> = Vec::new();
        for one in &alternatives {
            let whole = self.kinds(one, 0)?.and(Kinds::NUMBER) == Kinds::INT;
            let mut said = self.said_by(&one.layers, Kinds::NUMBER, &Shared::default())?;
            let ty = self.one_number(whole, &mut said);
            if let [_] = alternatives[..] {
                // Without what the type says.
                self.one_number(whole, &mut notes);
            }
            if !found.contains(&ty) {
                found.push(ty);
            }
        }
        let ty = match &found[..] {
            [one] => one.clone(),
            several if several.iter().all(|ty| matches!(ty.kind, Kind::Int(_))) => Type::from(Kind::Int(Int::I64)),
            _ => any_number(),
        };
        self.finish_type(ty, notes, place)
    }

    /// The type of a number; what it says is taken out of the keywords.
    fn one_number(&self, whole: bool, said: &mut Keywords<'a>) -> Type {
        let format = said.text("format");
        if !whole {
            let ty = match format {
                Some("float") => Type::from(Kind::Float(Float::F32)),
                Some("double") => Type::from(Kind::Float(Float::F64)),
                _ => return any_number(),
            };
            said.take("format");
            return ty;
        }
        let bound = |name| said.get(name).and_then(|at| self.whole_number(at));
        let bounds = (bound("minimum"), bound("maximum"));
        let exact = WIDTHS.iter().find(|(_, int)| {
            let (min, max) = int.range();
            bounds == (Some(min), Some(max))
        });
        let named = WIDTHS.iter().find(|(name, _)| Some(*name) == format);
        if exact.is_some() {
            said.take("minimum");
            said.take("maximum");
        }
        if named.is_some() {
            said.take("format");
        }
        Type::from(Kind::Int(exact.or(named).map_or(Int::I64, |(_, int)| *int)))
    }

    fn whole_number(&self, at: At<'a>) -> Option<i128> {
        let text = number_text(at.node, &self.documents.file(at.file).text);
        let approximate = || text.parse::<f64>().ok().filter(|n| n.fract() == 0.0 && n.abs() < 9e15);
        text.parse().ok().or_else(|| approximate().map(|n| n as i128))
    }

    pub(super) fn string(
        &mut self,
        alternatives: Vec<Alternative<'a>>,
        shared: &Shared<'a>,
        place: Where<'a, '_>,
    ) -> Result<()> {
        let mut notes = self.said_about(&alternatives, Kinds::STRING, shared, place.at)?;
        let mut found: Vec<Type> = Vec::new();
        for one in &alternatives {
            let mut said = self.said_by(&one.layers, Kinds::STRING, &Shared::default())?;
            let ty = one_string(&mut said);
            if let [_] = alternatives[..] {
                one_string(&mut notes);
            }
            if !found.contains(&ty) {
                found.push(ty);
            }
        }
        let ty = if let [one] = &found[..] { one.clone() } else { Type::from(Kind::String) };
        self.finish_type(ty, notes, place)
    }

    pub(super) fn array(
        &mut self,
        alternatives: Vec<Alternative<'a>>,
        shared: &Shared<'a>,
        place: Where<'a, '_>,
    ) -> Result<()> {
        let mut notes = self.said_about(&alternatives, Kinds::ARRAY, shared, place.at)?;
        let name = format!("{}.Item", place.name);
        let item = self.slots.declare();
        let within = Where { slot: item, named_by: item, name: &name, bare: true, depth: place.depth + 1, ..place };
        let any = Where { bare: false, ..within };
        if alternatives.iter().any(|one| one.layers.iter().any(is_tuple)) {
            match self.same_elements(&alternatives) {
                Some(element) => {
                    let same = self.node(element, &name, true, place.depth + 1)?;
                    self.slots.define(item, super::Slot::Same(same));
                }
                None => {
                    self.notice(
                        place.at,
                        "the elements of a tuple have types of their own: they are taken for any value",
                    );
                    self.finish_type(Kind::Any, Keywords::default(), any)?;
                }
            }
            return self.finish_type(Kind::List(part(item)), notes, place);
        }
        let of = |one: &Alternative<'a>| one.layers.iter().filter_map(|layer| layer.get("items")).collect::<Vec<_>>();
        if let [one] = &alternatives[..] {
            let nodes = of(one);
            if nodes.iter().all(|at| at.node.as_bool() != Some(false)) {
                // What only one layer says is the type's.
                notes.take("items");
                if nodes.is_empty() {
                    self.finish_type(Kind::Any, Keywords::default(), any)?;
                } else {
                    let same = self.all_of(&nodes, &name, true, place.depth + 1)?;
                    self.slots.define(item, super::Slot::Same(same));
                }
            } else {
                // Only the empty list.
                self.finish_type(Kind::Any, Keywords::default(), any)?;
            }
            return self.finish_type(Kind::List(part(item)), notes, place);
        }
        let mut items = Vec::new();
        for one in &alternatives {
            match &of(one)[..] {
                [] => items.push(Alternative::default()),
                nodes => {
                    for alternative in self.alternatives_of_all(nodes, 0)? {
                        super::alternatives::add(&mut items, alternative);
                    }
                }
            }
        }
        self.resolve(items, any)?;
        self.finish_type(Kind::List(part(item)), notes, place)
    }

    /// The schema of all elements of a tuple, when it is one.
    fn same_elements(&self, alternatives: &[Alternative<'a>]) -> Option<At<'a>> {
        let [one] = alternatives else { return None };
        let [layer] = one.layers[..] else { return None };
        let tuple = if layer.get("prefixItems").is_some() { "prefixItems" } else { "items" };
        let mut elements = layer.list(tuple);
        let rest = if tuple == "items" { "additionalItems" } else { "items" };
        match layer.get(rest) {
            Some(at) if at.node.as_bool() == Some(false) => {}
            Some(at) => elements.push(at),
            None => return None,
        }
        let (first, others) = elements.split_first()?;
        let schema = first.node.to_json();
        others.iter().all(|other| other.node.to_json() == schema).then_some(*first)
    }
}

fn is_tuple(layer: &At<'_>) -> bool {
    let items = layer.node.get("items").map(|items| &items.value);
    layer.node.get("prefixItems").is_some() || matches!(items, Some(Value::Array(_)))
}

/// Any number, written without a fraction where it has none.
fn any_number() -> Type {
    Type { logical: Some(Logical::Number), ..Type::from(Kind::Float(Float::F64)) }
}

/// The type of a string; what it says is taken out of the keywords.
fn one_string(said: &mut Keywords<'_>) -> Type {
    let format = said.text("format");
    if said.text("contentEncoding") == Some("base64") {
        said.take("contentEncoding");
        if format == Some("byte") {
            said.take("format");
        }
        return Type::from(Kind::Bytes);
    }
    let logical = match format {
        Some("byte") => {
            said.take("format");
            return Type::from(Kind::Bytes);
        }
        Some("uuid") => Logical::Uuid,
        Some("date") => Logical::Date,
        Some("date-time") => Logical::Timestamp(Unit::Millis),
        _ => return Type::from(Kind::String),
    };
    said.take("format");
    Type { logical: Some(logical), ..Type::from(Kind::String) }
}

/// The texts of an array of strings.
pub(super) fn texts(node: Option<&Node>) -> Vec<&str> {
    node.and_then(Node::as_array).unwrap_or_default().iter().filter_map(Node::as_str).collect()
}
