//! Defaults and constants: values, as JSON.

use serde_json::{Map, Value as Json};
use wirewise_core::{Float, Int, Kind, TypeId};

use super::super::ast::{Item, Literal, TypeExpr, TypeRef, Value, What};
use super::super::lexer::short;
use super::super::parser::{MOST_NESTING, annotations_text, escape};
use super::{ItemId, Resolver};
use crate::{Error, Result};

/// How much may come of all constants together, in values and bytes of text: constants that name each other can grow
/// without bound.
pub(super) const MOST_VALUES: usize = 1 << 26;

/// How deep values may nest, with all constants that they name.
const DEEPEST: usize = 2 * MOST_NESTING;

/// A default.
pub(super) enum Default {
    /// As the model has it.
    Model(Json),
    /// Beyond what the model has.
    Noted(Json),
}

impl Resolver<'_> {
    /// The default of a field of type `ty`.
    pub(super) fn default(&mut self, unit: usize, value: &Value, ty: TypeId) -> Result<Default> {
        let ty = if let Some(Kind::Nullable(inner)) = self.builder.kind(ty) { *inner } else { ty };
        let json = self.json(unit, value, ty, 0)?;
        let in_model = super::super::values::is_models(&json, self.builder.kind(ty));
        Ok(if in_model { Default::Model(json) } else { Default::Noted(json) })
    }

    /// A value as a value of type `ty`, as the JSON format writes it.
    fn json(&mut self, unit: usize, value: &Value, ty: TypeId, depth: usize) -> Result<Json> {
        let error = |what: String| Err(Error::at(value.at.place(&self.units[unit].source.name), what));
        let cost = if let Literal::Text(text) = &value.what { text.len() + 1 } else { 1 };
        if depth > DEEPEST {
            return error("constants name each other too often, expected a value".to_owned());
        }
        let Some(budget) = self.budget.checked_sub(cost) else {
            return error(format!("constants come to more than {MOST_VALUES} values, expected fewer"));
        };
        self.budget = budget;
        if let Literal::Name(name) = &value.what {
            if let Some((e, position)) = self.find_symbol(unit, name) {
                let number = self.enums[&e].numbers[position];
                return match self.builder.kind(ty) {
                    Some(Kind::Enum(_)) if e == ty => Ok(Json::from(self.enums[&e].names[position].as_str())),
                    Some(Kind::Int(int)) if int.holds(i128::from(number)) => Ok(Json::from(number)),
                    _ => error(format!("found a value of an enum, expected {}", self.describe(ty))),
                };
            }
            let Some(constant) = self.find_constant(unit, name) else {
                return error(format!("there is no constant and no value of an enum called {:?}", short(name)));
            };
            let What::Const(_, inner) = &self.item(constant).what else { unreachable!("it was found as a constant") };
            return self.json(constant.0, inner, ty, depth + 1);
        }
        let kind = self.builder.kind(ty).cloned();
        let json = match (&kind, &value.what) {
            (Some(Kind::Bool), Literal::Int(value)) => Json::Bool(*value != 0),
            (Some(Kind::Int(int)), Literal::Int(value)) if int.holds(i128::from(*value)) => Json::from(*value),
            (Some(Kind::Int(int)), Literal::Int(value)) => {
                let (min, max) = int.range();
                return error(format!("found {value}, expected {min} to {max}"));
            }
            (Some(Kind::Float(_)), Literal::Int(value)) => Json::from(*value),
            (Some(Kind::Float(_)), Literal::Double(value)) => Json::from(*value),
            (Some(Kind::String), Literal::Text(text)) => Json::from(text.as_str()),
            (Some(Kind::Bytes), Literal::Text(text)) => {
                let mut base64 = Vec::new();
                wirewise_core::text::base64::encode(text.as_bytes(), &mut base64);
                Json::from(String::from_utf8_lossy(&base64))
            }
            (Some(Kind::Fixed(16)), Literal::Text(text)) => {
                let text = text.trim_matches(['{', '}']).to_ascii_lowercase();
                if wirewise_core::text::uuid::parse(text.as_bytes()).is_none() {
                    return error("found a literal, expected a uuid of 36 characters".to_owned());
                }
                Json::from(text)
            }
            (Some(Kind::Enum(_)), Literal::Int(number)) => match self.enums[&ty].by_number.get(number) {
                Some(&position) => Json::from(self.enums[&ty].names[position].as_str()),
                None => return error(format!("found {number}, which no value of the enum has")),
            },
            (Some(Kind::List(item)), Literal::List(items)) => {
                let items = items.iter().map(|value| self.json(unit, value, *item, depth + 1));
                Json::Array(items.collect::<Result<_>>()?)
            }
            // A list whose entries make a map, and what the Thrift compiler allows for an empty one.
            (Some(Kind::List(item)), Literal::Map(entries)) => {
                let Some((key, item)) = self.entry_types(*item).or(entries.is_empty().then_some((*item, *item))) else {
                    return error(format!("found a map, expected {}", self.describe(ty)));
                };
                let mut items = Vec::with_capacity(entries.len());
                for (name, value) in entries {
                    let key = self.json(unit, name, key, depth + 1)?;
                    let value = self.json(unit, value, item, depth + 1)?;
                    items.push(Json::Object(Map::from_iter([("key".to_owned(), key), ("value".to_owned(), value)])));
                }
                Json::Array(items)
            }
            (Some(Kind::Map(key, item)), Literal::Map(entries)) => {
                let mut members = Map::new();
                for (name, value) in entries {
                    let place = name.at.place(self.file(unit));
                    let key = match self.json(unit, name, *key, depth + 1)? {
                        Json::String(text) => text,
                        other => other.to_string(),
                    };
                    let value = self.json(unit, value, *item, depth + 1)?;
                    if members.insert(key.clone(), value).is_some() {
                        return Err(Error::at(place, format!("found the key {key:?} again, expected another")));
                    }
                }
                Json::Object(members)
            }
            (None | Some(Kind::Record(_)), Literal::Map(entries)) if self.records.contains_key(&ty) => {
                Json::Object(self.members(unit, entries, ty, depth)?)
            }
            (_, what) => {
                let found = match what {
                    Literal::Int(_) | Literal::Double(_) => "a number",
                    Literal::Text(_) => "a literal",
                    Literal::List(_) => "a list",
                    _ => "a map",
                };
                return error(format!("found {found}, expected {}", self.describe(ty)));
            }
        };
        Ok(json)
    }

    /// The fields of a struct's value.
    fn members(
        &mut self,
        unit: usize,
        entries: &[(Value, Value)],
        ty: TypeId,
        depth: usize,
    ) -> Result<Map<String, Json>> {
        let mut members = Map::new();
        for (name, value) in entries {
            let Literal::Text(ident) = &name.what else {
                let what = "found something else, expected the name of a field as a literal";
                return Err(Error::at(name.at.place(self.file(unit)), what));
            };
            let field = self.records[&ty].iter().find(|field| field.ident == *ident).cloned();
            let Some(field) = field else {
                let what = format!("there is no field {:?} in the struct", short(ident));
                return Err(Error::at(name.at.place(self.file(unit)), what));
            };
            let value = self.json(unit, value, field.ty, depth + 1)?;
            if members.insert(field.name, value).is_some() {
                let what = format!("found the field {ident:?} again, expected another");
                return Err(Error::at(name.at.place(self.file(unit)), what));
            }
        }
        Ok(members)
    }

    /// Types of key and value, when this is the record of a map's entries.
    fn entry_types(&self, item: TypeId) -> Option<(TypeId, TypeId)> {
        // One that we wrote is declared, and may not be defined yet.
        if let Some([key, value]) = self.records.get(&item).map(Vec::as_slice) {
            return (key.name == "key" && value.name == "value").then_some((key.ty, value.ty));
        }
        match self.builder.kind(item)? {
            Kind::Record(record) if self.entries.contains_key(&item) => {
                Some((record.fields[0].ty, record.fields[1].ty))
            }
            _ => None,
        }
    }

    fn describe(&self, ty: TypeId) -> String {
        match self.builder.kind(ty) {
            Some(Kind::Bool) => "true or false".to_owned(),
            Some(Kind::Int(Int::I8)) => "an i8".to_owned(),
            Some(Kind::Int(int)) => format!("an i{}", int.bits()),
            Some(Kind::Float(Float::F32 | Float::F64)) => "a double".to_owned(),
            Some(Kind::String | Kind::Any) => "a string".to_owned(),
            Some(Kind::Bytes) => "a binary".to_owned(),
            Some(Kind::Enum(e)) => format!("a value of {}", e.name),
            Some(Kind::List(_)) => "a list".to_owned(),
            Some(Kind::Map(..)) => "a map".to_owned(),
            None | Some(Kind::Record(_) | Kind::Union(_)) => "a map with the fields of a struct".to_owned(),
            _ => "a value of another type".to_owned(),
        }
    }

    /// The symbol of an enum that a name means: `Color.RED`, `file.Color.RED`.
    fn find_symbol(&self, unit: usize, name: &str) -> Option<(TypeId, usize)> {
        let (e, symbol) = name.rsplit_once('.')?;
        let mut item = self.find_type(unit, e)?;
        for _ in 0..MOST_NESTING {
            match &self.item(item).what {
                What::Typedef(TypeRef { expr: TypeExpr::Named(name), .. }) => item = self.find_type(item.0, name)?,
                _ => break,
            }
        }
        let id = *self.defined.get(&item)?;
        Some((id, *self.enums.get(&id)?.by_ident.get(symbol)?))
    }

    fn find_constant(&self, unit: usize, name: &str) -> Option<ItemId> {
        let here = |unit: usize, name: &str| Some((unit, *self.units[unit].constants.get(name)?));
        match name.rsplit_once('.') {
            None => here(unit, name),
            Some((file, name)) => here(*self.units[unit].includes.get(file)?, name),
        }
    }

    /// Checks all constants, and gives the lines that keep those of the first unit.
    pub(super) fn constants(&mut self) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        for unit in 0..self.units.len() {
            for item in 0..self.units[unit].file.items.len() {
                let Item { name, head, what } = self.item((unit, item));
                let What::Const(ty, value) = what else { continue };
                let resolved = self.resolve(unit, ty, &name.text, 0)?;
                self.json(unit, value, resolved.id, 0)?;
                if unit == 0 {
                    let mut line = format!("const {} {} = ", self.type_text(unit, ty), name.text);
                    self.value_text(unit, value, &mut line);
                    // One line can be kept beside it.
                    if let Some(doc) = head.doc.as_ref().and_then(|doc| doc.lines().next()) {
                        line.push_str(&format!(" // {doc}"));
                    }
                    lines.push(line);
                }
            }
        }
        Ok(lines)
    }

    /// A type with the full names of the model.
    fn type_text(&self, unit: usize, ty: &TypeRef) -> String {
        let cpp = ty.cpp_type.as_ref().map_or(String::new(), |cpp| format!(" cpp_type \"{}\" ", escape(cpp)));
        let mut text = match &ty.expr {
            TypeExpr::Base(base) => base.name().to_owned(),
            TypeExpr::Named(name) => match self.find_type(unit, name) {
                Some(item) => self.full_name(item.0, &self.item(item).name.text, &self.item(item).head.notes),
                None => name.clone(),
            },
            TypeExpr::List(item) => format!("list{cpp}<{}>", self.type_text(unit, item)),
            TypeExpr::Set(item) => format!("set{cpp}<{}>", self.type_text(unit, item)),
            TypeExpr::Map(key, value) => {
                format!("map{cpp}<{}, {}>", self.type_text(unit, key), self.type_text(unit, value))
            }
        };
        annotations_text(&ty.annotations, &mut text);
        text
    }

    fn value_text(&self, unit: usize, value: &Value, out: &mut String) {
        match &value.what {
            Literal::Name(name) => match self.find_symbol(unit, name) {
                Some((e, position)) => {
                    let symbols = &self.enums[&e];
                    out.push_str(&format!("{}.{}", symbols.full_name, symbols.names[position]));
                }
                None => out.push_str(name),
            },
            literal => super::super::values::write(literal, out, &mut |value, out| self.value_text(unit, value, out)),
        }
    }
}
