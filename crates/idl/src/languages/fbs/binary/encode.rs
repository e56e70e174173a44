//! A schema to bytes.

use wirewise_core::{Arena, Cell, Document, Float, Int, Kind, Limits, Losses, Notes, Schema as Model};
use wirewise_formats::flatbuffers::notes;

use super::{INTEGERS, base, codec};
use crate::languages::fbs::ir::{
    Attributes, Default, Definition, Enum, EnumValue, Field, Layout, Object, Schema, Type,
};
use crate::languages::fbs::print::parts;
use crate::languages::fbs::write::append;
use crate::{Error, Result};

/// Writes a binary schema.
pub(in super::super) fn encode(schema: &Schema) -> Result<Vec<u8>> {
    let codec = codec()?;
    let mut arena = Arena::new(Limits::default());
    arena.begin(b"")?;
    let mut writer = Writer::new(schema, codec.schema(), arena);
    let root = writer.schema()?;
    writer.arena.set_root(root);
    let document = Document::new(codec.schema(), b"", &writer.arena);
    let mut out = Vec::new();
    codec.encode(&document, &mut out, &mut Losses::none())?;
    Ok(out)
}

/// A union is two fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Types,
    Value,
}

struct Writer<'a> {
    schema: &'a Schema,
    model: &'a Model,
    arena: Arena,
    /// Indices of objects and enums by name, and the other way round.
    objects: Vec<usize>,
    enums: Vec<usize>,
    object_ranks: Vec<usize>,
    enum_ranks: Vec<usize>,
    layouts: Vec<Option<Layout>>,
}

/// Indices by name, and the rank of each index.
fn ranked<T>(all: &[T], name: impl Fn(&T) -> &str) -> (Vec<usize>, Vec<usize>) {
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|&index| name(&all[index]));
    let mut ranks = vec![0; all.len()];
    order.iter().enumerate().for_each(|(rank, &index)| ranks[index] = rank);
    (order, ranks)
}

impl<'a> Writer<'a> {
    fn new(schema: &'a Schema, model: &'a Model, arena: Arena) -> Self {
        let (objects, object_ranks) = ranked(&schema.objects, |object| &object.name);
        let (enums, enum_ranks) = ranked(&schema.enums, |e| &e.name);
        let mut layouts: Vec<Option<Layout>> = vec![None; schema.objects.len()];
        for definition in &schema.order {
            if let Definition::Object(index) = *definition
                && schema.objects[index].is_struct
            {
                layouts[index] = schema.layout(&schema.objects[index], &layouts);
            }
        }
        Writer { schema, model, arena, objects, enums, object_ranks, enum_ranks, layouts }
    }

    /// A table of reflection with these fields; those that are not given are zero or absent.
    fn table(&mut self, name: &str, given: &[(&str, Cell)]) -> Result<Cell> {
        let id = self.model.named(&format!("reflection.{name}"));
        let id = id.ok_or_else(|| Error::new(format!("reflection.fbs has no table {name}")))?;
        let Kind::Record(record) = self.model.kind(id) else { unreachable!("all of these are tables") };
        let run = self.arena.record(record)?;
        for (position, field) in record.fields.iter().enumerate() {
            match given.iter().find(|(name, _)| *name == field.name) {
                Some((_, cell)) => self.arena.set_field(record, run, position, *cell),
                None if field.is_optional() => {}
                None => self.arena.set_field(record, run, position, Cell::EMPTY),
            }
        }
        Ok(Cell::index(run))
    }

    fn list(&mut self, cells: &[Cell]) -> Result<Cell> {
        let mark = self.arena.mark();
        for &cell in cells {
            self.arena.push(cell)?;
        }
        Ok(self.arena.list(mark)?)
    }

    fn text(&mut self, text: &str) -> Result<Cell> {
        Ok(self.arena.text_with(|out| {
            out.extend_from_slice(text.as_bytes());
            Ok(())
        })?)
    }

    fn schema(&mut self) -> Result<Cell> {
        let schema = self.schema;
        let mut objects = Vec::new();
        for index in self.objects.clone() {
            objects.push(self.object(index, &schema.objects[index])?);
        }
        let mut enums = Vec::new();
        for index in self.enums.clone() {
            enums.push(self.enumeration(index, &schema.enums[index])?);
        }
        let mut given = vec![("objects", self.list(&objects)?), ("enums", self.list(&enums)?)];
        // flatc writes both, empty where there is none.
        given.push(("file_ident", self.text(schema.identifier.as_deref().unwrap_or_default())?));
        given.push(("file_ext", self.text(schema.extension.as_deref().unwrap_or_default())?));
        if let Some(root) = schema.root {
            given.push(("root_table", objects[self.object_ranks[root]]));
        }
        given.push(("advanced_features", Cell::uint(self.features())));
        self.table("Schema", &given)
    }

    /// What readers must know of, as flatc says it.
    fn features(&self) -> u64 {
        let (mut arrays, mut unions, mut optional) = (0, 0, 0);
        for field in self.schema.objects.iter().flat_map(|object| &object.fields) {
            match &field.ty {
                Type::Array(..) => arrays = 1,
                Type::Vector(item) if matches!(**item, Type::Union(_)) => unions = 2,
                ty if ty.is_scalar() && field.default == Default::Null => optional = 4,
                _ => {}
            }
        }
        let values = self.schema.enums.iter().flat_map(|e| &e.values).filter_map(|value| value.ty.as_ref());
        let plain = |ty: &Type| matches!(ty, Type::Object(index) if !self.schema.objects[*index].is_struct);
        if values.into_iter().any(|ty| !plain(ty)) {
            unions = 2;
        }
        arrays | unions | optional
    }

    fn said(
        &mut self,
        name: &str,
        doc: &[String],
        attributes: &Attributes,
        given: &mut Vec<(&str, Cell)>,
    ) -> Result<()> {
        given.push(("name", self.text(name)?));
        if !doc.is_empty() {
            let mut lines = Vec::new();
            for line in doc {
                let space = if line.is_empty() { "" } else { " " };
                lines.push(self.text(&format!("{space}{line}"))?);
            }
            given.push(("documentation", self.list(&lines)?));
        }
        if !attributes.0.is_empty() {
            let mut pairs = Vec::new();
            for (key, value) in &attributes.0 {
                let pair = [("key", self.text(key)?), ("value", self.text(value.as_deref().unwrap_or("0"))?)];
                pairs.push(self.table("KeyValue", &pair)?);
            }
            given.push(("attributes", self.list(&pairs)?));
        }
        Ok(())
    }

    fn object(&mut self, index: usize, object: &Object) -> Result<Cell> {
        let layout = self.layouts[index].clone().unwrap_or_default();
        let mut fields: Vec<(String, Cell)> = Vec::new();
        for (position, field) in object.fields.iter().enumerate() {
            let end = layout.offsets.get(position + 1).copied().unwrap_or(layout.size);
            let at = layout.offsets.get(position).copied();
            fields.push((field.name.clone(), self.field(object, field, at.map(|at| (at, end)), Part::Value)?));
            if let Some(types) = types_of(field) {
                fields.push((types.name.clone(), self.field(object, &types, None, Part::Types)?));
            }
        }
        fields.sort_by(|(a, _), (b, _)| a.cmp(b));
        let cells: Vec<Cell> = fields.into_iter().map(|(_, cell)| cell).collect();
        let mut given = vec![("fields", self.list(&cells)?)];
        self.said(&object.name, &object.doc, &object.attributes, &mut given)?;
        given.push(("is_struct", Cell::bool(object.is_struct)));
        given.push(("minalign", Cell::int(if object.is_struct { layout.align as i64 } else { 1 })));
        given.push(("bytesize", Cell::int(layout.size as i64)));
        self.table("Object", &given)
    }

    /// A field; of a struct with where it starts, and where the next one does.
    fn field(&mut self, object: &Object, field: &Field, place: Option<(u64, u64)>, part: Part) -> Result<Cell> {
        let mut attributes = field.attributes.clone();
        let id = object.explicit_ids.then(|| field.id.to_string());
        // flatc looks for it in the namespace of the table only.
        let (space, mut doc) = (parts(&object.name).0, field.doc.clone());
        let nested = field.nested.map(|index| self.schema.objects[index].name.as_str());
        let relative = nested
            .and_then(|full| if space.is_empty() { Some(full) } else { full.strip_prefix(space)?.strip_prefix('.') });
        if let (Some(full), None) = (nested, relative) {
            append(&mut doc, &Notes::default().with(notes::NESTED, full));
        }
        let nested = relative.map(str::to_owned);
        let said = [("id", id), ("nested_flatbuffer", nested)];
        for (name, value) in said.into_iter().filter_map(|(name, value)| Some((name, value?))) {
            attributes.add(name, Some(value));
        }
        for (name, has) in [("deprecated", field.deprecated), ("required", field.required), ("key", field.key)] {
            if has {
                attributes.add(name, None);
            }
        }
        let mut given = vec![("type", self.ty(&field.ty, part)?)];
        self.said(&field.name, &doc, &attributes, &mut given)?;
        let (offset, padding) = match place {
            Some((at, end)) => {
                (at, end - at - self.schema.extent(&field.ty, &self.layouts).map_or(0, |(size, _)| size))
            }
            None => (4 + 2 * u64::from(field.id), 0),
        };
        let (mut integer, mut real) = (0i64, 0.0);
        match field.default {
            Default::Int(number) => integer = number as i64,
            Default::Float(value) => real = value,
            _ => {}
        }
        let scalar = field.ty.is_scalar() || part == Part::Types && !matches!(field.ty, Type::Vector(_));
        let optional = if scalar { field.default == Default::Null } else { !field.required };
        given.extend([
            ("id", Cell::uint(field.id.into())),
            ("offset", Cell::uint(offset & 0xFFFF)),
            ("default_integer", Cell::int(integer)),
            ("default_real", Cell::f64(real)),
            ("deprecated", Cell::bool(field.deprecated)),
            ("required", Cell::bool(field.required)),
            ("key", Cell::bool(field.key)),
            ("optional", Cell::bool(optional)),
            ("padding", Cell::uint(padding & 0xFFFF)),
        ]);
        self.table("Field", &given)
    }

    fn ty(&mut self, ty: &Type, part: Part) -> Result<Cell> {
        let (mut element, mut count, mut size) = ((base::NONE, -1), 0, 0);
        let outer = match ty {
            Type::Vector(item) => {
                element = self.simple(item, part);
                size = match **item {
                    Type::Object(index) if self.schema.objects[index].is_struct => {
                        self.layouts[index].as_ref().map_or(0, |layout| layout.size)
                    }
                    _ => size_of_base(element.0),
                };
                (base::VECTOR, element.1)
            }
            Type::Array(item, length) => {
                element = self.simple(item, part);
                count = *length;
                size = size_of_base(element.0);
                (base::ARRAY, element.1)
            }
            _ => self.simple(ty, part),
        };
        let given = [
            ("base_type", Cell::int(outer.0)),
            ("element", Cell::int(element.0)),
            ("index", Cell::int(outer.1)),
            ("fixed_length", Cell::uint(count.into())),
            ("base_size", Cell::uint(size_of_base(outer.0))),
            ("element_size", Cell::uint(size)),
        ];
        self.table("Type", &given)
    }

    /// Base type and index.
    fn simple(&self, ty: &Type, part: Part) -> (i64, i64) {
        let integer =
            |int: Int| INTEGERS.iter().find(|(_, known)| *known == int).map_or(base::NONE, |(number, _)| *number);
        match ty {
            Type::Bool => (base::BOOL, -1),
            Type::Int(int) => (integer(*int), -1),
            Type::Float(Float::F32) => (base::FLOAT, -1),
            Type::Float(Float::F64) => (base::DOUBLE, -1),
            Type::Enum(index) => (integer(self.schema.enums[*index].underlying), self.enum_ranks[*index] as i64),
            Type::Union(index) if part == Part::Types => (base::UTYPE, self.enum_ranks[*index] as i64),
            Type::Union(index) => (base::UNION, self.enum_ranks[*index] as i64),
            Type::Object(index) => (base::OBJECT, self.object_ranks[*index] as i64),
            _ => (base::STRING, -1),
        }
    }

    fn enumeration(&mut self, index: usize, e: &Enum) -> Result<Cell> {
        let rank = self.enum_ranks[index] as i64;
        let mut values = Vec::new();
        if e.is_union {
            let none = self.type_of((base::NONE, -1))?;
            let given = [("name", self.text("NONE")?), ("union_type", none)];
            values.push(self.table("EnumVal", &given)?);
        }
        let mut sorted: Vec<&EnumValue> = e.values.iter().collect();
        let unsigned = e.underlying == Int::U64;
        sorted.sort_by_key(|value| if unsigned { i128::from(value.number as u64) } else { value.number.into() });
        for value in sorted {
            let ty = match &value.ty {
                Some(ty) => self.ty(ty, Part::Value)?,
                None => self.type_of((base::NONE, -1))?,
            };
            let mut given = vec![("value", Cell::int(value.number)), ("union_type", ty)];
            self.said(&value.name, &value.doc, &Attributes::default(), &mut given)?;
            values.push(self.table("EnumVal", &given)?);
        }
        let number = match e.is_union {
            true => base::UTYPE,
            false => self.simple(&Type::Int(e.underlying), Part::Value).0,
        };
        let underlying = self.type_of((number, rank))?;
        let mut given = vec![("values", self.list(&values)?), ("underlying_type", underlying)];
        self.said(&e.name, &e.doc, &e.attributes, &mut given)?;
        given.push(("is_union", Cell::bool(e.is_union)));
        self.table("Enum", &given)
    }

    fn type_of(&mut self, (number, index): (i64, i64)) -> Result<Cell> {
        let size = ("base_size", Cell::uint(size_of_base(number)));
        self.table("Type", &[("base_type", Cell::int(number)), ("index", Cell::int(index)), size])
    }
}

/// The field that has the types of a field's unions.
fn types_of(field: &Field) -> Option<Field> {
    if !field.ty.has_types() {
        return None;
    }
    Some(Field {
        name: format!("{}_type", field.name),
        doc: Vec::new(),
        ty: field.ty.clone(),
        default: Default::Zero,
        attributes: Attributes::default(),
        id: field.id - 1,
        deprecated: field.deprecated,
        required: field.required && matches!(field.ty, Type::Vector(_)),
        key: false,
        nested: None,
        place: field.place.clone(),
    })
}

/// Bytes of a base type in a table.
fn size_of_base(number: i64) -> u64 {
    match number {
        0..=4 => 1,
        5 | 6 => 2,
        9 | 10 | 12 => 8,
        _ => 4,
    }
}
