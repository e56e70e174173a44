//! Bytes to a schema.

use std::collections::{HashMap, HashSet};

use wirewise_core::{Arena, Cell, Document, Float, Int, Kind, Limits, LossKind, Losses, Record, TypeId};

use super::{INTEGERS, LIFTED, base, codec};
use crate::languages::fbs::check;
use crate::languages::fbs::ir::{
    Attributes, Default, Definition, Enum, EnumValue, Field, Layout, Object, Schema, Type,
};
use crate::languages::fbs::write::order;
use crate::{Error, Place, Result, Source};

/// Reads a binary schema.
pub(in super::super) fn decode(source: &Source) -> Result<Schema> {
    let place = Place::file(&source.name);
    let codec = codec()?;
    let mut arena = Arena::new(Limits::default());
    // Later versions have more fields.
    let mut losses = Losses::allowing([LossKind::UnknownField]);
    let document = codec.decode(&source.bytes, &mut arena, &mut losses);
    let document = document.map_err(|error| Error::at(place.clone(), error.to_string()))?;
    let root = View::new(&document, document.schema().root(), document.root());
    let mut reader = Reader { place, schema: Schema::default() };
    reader.schema(&root)?;
    check::check(&reader.schema, false)?;
    Ok(reader.schema)
}

/// A table of the document.
#[derive(Clone, Copy)]
struct View<'d> {
    document: &'d Document<'d>,
    record: &'d Record,
    cell: Cell,
}

impl<'d> View<'d> {
    fn new(document: &'d Document<'d>, ty: TypeId, cell: Cell) -> Self {
        let Kind::Record(record) = document.schema().kind(ty) else { unreachable!("only tables are viewed") };
        View { document, record, cell }
    }

    /// Type and cell of a field; `None` when it is not there.
    fn get(&self, name: &str) -> Option<(TypeId, Cell)> {
        let position = self.record.position(name).expect("reflection.fbs has the field");
        let view = self.document.record(self.record, self.cell);
        (!view.is_absent(position)).then(|| (self.record.fields[position].value_type(), view.cell(position)))
    }

    fn int(&self, name: &str) -> i64 {
        self.get(name).map_or(0, |(_, cell)| cell.as_i64())
    }

    fn flag(&self, name: &str) -> bool {
        self.get(name).is_some_and(|(_, cell)| cell.as_bool())
    }

    fn text(&self, name: &str) -> Option<&'d str> {
        self.get(name).map(|(_, cell)| self.document.str(cell))
    }

    fn name(&self) -> &'d str {
        self.text("name").unwrap_or_default()
    }

    fn table(&self, name: &str) -> Option<View<'d>> {
        self.get(name).map(|(ty, cell)| View::new(self.document, ty, cell))
    }

    fn list(&self, name: &str) -> Vec<View<'d>> {
        let Some((ty, cell)) = self.get(name) else { return Vec::new() };
        let Kind::List(item) = self.document.schema().kind(ty) else { unreachable!("asked for as a list") };
        self.document.list(cell).iter().map(|&cell| View::new(self.document, *item, cell)).collect()
    }

    fn doc(&self) -> Vec<String> {
        let Some((_, cell)) = self.get("documentation") else { return Vec::new() };
        let lines = self.document.list(cell).iter().map(|&cell| self.document.str(cell));
        // Of `/// text` flatc keeps the space.
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned()).collect()
    }

    fn attributes(&self) -> Attributes {
        let mut attributes = Attributes::default();
        // In the order in which all are written.
        let mut pairs = self.list("attributes");
        pairs.sort_by_key(|pair| pair.text("key"));
        pairs.dedup_by_key(|pair| pair.text("key"));
        for pair in pairs {
            // Those without a value have the value 0.
            let value = pair.text("value").or(Some("0")).filter(|value| *value != "0" || !is_flag(pair.text("key")));
            attributes.0.push((pair.text("key").unwrap_or_default().to_owned(), value.map(str::to_owned)));
        }
        attributes
    }
}

/// Whether an attribute of flatc never has a value.
fn is_flag(key: Option<&str>) -> bool {
    let flags = ["deprecated", "required", "key", "shared", "bit_flags", "original_order", "flexbuffer", "private"];
    key.is_some_and(|key| flags.contains(&key))
}

struct Reader {
    place: Place,
    schema: Schema,
}

impl Reader {
    fn wrong(&self, what: impl Into<String>) -> Error {
        Error::at(self.place.clone(), what)
    }

    /// Names are those of a file in the language; those of types have a namespace before them.
    fn check_name(&self, named: &View<'_>, between: Option<char>) -> Result<()> {
        let name = named.name();
        let part = |part: &str| crate::names::is_identifier(part);
        if between.map_or_else(|| part(name), |between| name.split(between).all(part)) {
            return Ok(());
        }
        Err(self
            .wrong(format!("the name {name:?} is no identifier: flatc writes letters, digits and underscores only")))
    }

    /// No two members of a type have one name.
    fn check_twice<'n>(&self, of: &str, names: impl Iterator<Item = &'n str>) -> Result<()> {
        let mut seen = HashSet::new();
        for name in names {
            if !seen.insert(name) {
                return Err(self.wrong(format!("{of:?} has two members that are called {name:?}")));
            }
        }
        Ok(())
    }

    fn schema(&mut self, root: &View<'_>) -> Result<()> {
        let (objects, enums) = (root.list("objects"), root.list("enums"));
        let mut names: HashMap<&str, usize> = HashMap::new();
        for (index, object) in objects.iter().enumerate() {
            self.check_name(object, Some('.'))?;
            self.schema.objects.push(self.object_head(object));
            if names.insert(object.name(), index).is_some() {
                return Err(self.wrong(format!("two types are called {:?}", object.name())));
            }
        }
        for e in &enums {
            self.check_name(e, Some('.'))?;
            let new = self.enum_head(e)?;
            self.schema.enums.push(new);
        }
        for (index, e) in enums.iter().enumerate() {
            self.schema.enums[index].values = self.values(e, objects.len(), enums.len())?;
        }
        for (index, object) in objects.iter().enumerate() {
            let fields = self.fields(object, &names, enums.len())?;
            self.schema.objects[index].fields = fields;
            let given = object.list("fields").iter().any(|field| field.attributes().has("id"));
            self.schema.objects[index].explicit_ids = given;
        }
        let all = (0..objects.len()).map(Definition::Object).chain((0..enums.len()).map(Definition::Enum));
        let sequence: Vec<_> = all.map(|definition| (definition, Vec::new())).collect();
        self.schema.order = order::order(&self.schema, &sequence);
        self.alignments(&objects);
        self.schema.identifier = root.text("file_ident").filter(|text| text.len() == 4).map(str::to_owned);
        self.schema.extension = root.text("file_ext").filter(|text| !text.is_empty()).map(str::to_owned);
        self.schema.root = root.table("root_table").and_then(|table| names.get(table.name()).copied());
        for service in root.list("services") {
            let name = service.name();
            self.schema.notices.push(format!("service {name} is passed over: services say nothing about data"));
        }
        Ok(())
    }

    fn object_head(&self, object: &View<'_>) -> Object {
        Object {
            name: object.name().to_owned(),
            doc: object.doc(),
            is_struct: object.flag("is_struct"),
            attributes: object.attributes(),
            fields: Vec::new(),
            explicit_ids: false,
            place: self.place.clone(),
        }
    }

    fn enum_head(&self, e: &View<'_>) -> Result<Enum> {
        let is_union = e.flag("is_union");
        let number = e.table("underlying_type").map_or(base::NONE, |ty| ty.int("base_type"));
        let underlying = INTEGERS.iter().find(|(known, _)| *known == number).map(|(_, int)| *int);
        let underlying = match underlying {
            Some(int) => int,
            None if is_union => Int::U8,
            None => return Err(self.wrong(format!("the enum {:?} is of no integer type", e.name()))),
        };
        let (doc, attributes) = (e.doc(), e.attributes());
        let name = e.name().to_owned();
        Ok(Enum { name, doc, is_union, underlying, attributes, values: Vec::new(), place: self.place.clone() })
    }

    fn values(&self, e: &View<'_>, objects: usize, enums: usize) -> Result<Vec<EnumValue>> {
        let is_union = e.flag("is_union");
        let mut values = Vec::new();
        for value in e.list("values") {
            self.check_name(&value, None)?;
            let number = value.int("value");
            if is_union && number == 0 {
                continue;
            }
            let ty = match value.table("union_type") {
                Some(ty) if is_union => Some(self.ty(&ty, objects, enums)?),
                None if is_union => return Err(self.wrong(format!("union {:?} has a value without a type", e.name()))),
                _ => None,
            };
            let of_union = matches!(ty, None | Some(Type::String | Type::Object(_)));
            if !of_union || is_union && !(1..=255).contains(&number) {
                return Err(self.wrong(format!(
                    "union {:?} has the value {:?} of a wrong type",
                    e.name(),
                    value.name()
                )));
            }
            let (name, doc) = (value.name().to_owned(), value.doc());
            values.push(EnumValue { name, doc, number, ty, place: self.place.clone() });
        }
        self.check_twice(e.name(), values.iter().map(|value| value.name.as_str()))?;
        if values.is_empty() {
            return Err(self.wrong(format!("{:?} has no values", e.name())));
        }
        Ok(values)
    }

    fn fields(&self, object: &View<'_>, names: &HashMap<&str, usize>, enums: usize) -> Result<Vec<Field>> {
        let is_struct = object.flag("is_struct");
        let mut fields = Vec::new();
        for field in object.list("fields") {
            self.check_name(&field, None)?;
            let ty = field.table("type").ok_or_else(|| self.wrong("a field has no type"))?;
            let base = (ty.int("base_type"), ty.int("element"));
            if base.0 == base::UTYPE || base == (base::VECTOR, base::UTYPE) {
                // The types of a union belong to its values.
                continue;
            }
            let ty = self.ty(&ty, names.len(), enums)?;
            let mut attributes = field.attributes();
            let nested = attributes.get("nested_flatbuffer").and_then(|name| find(names, object.name(), name));
            attributes.0.retain(|(name, _)| match name.as_str() {
                "nested_flatbuffer" => nested.is_none(),
                name => !LIFTED.contains(&name),
            });
            let id = u32::try_from(field.int("id")).unwrap_or(0);
            let required = field.flag("required") && !ty.is_scalar();
            let made = Field {
                name: field.name().to_owned(),
                doc: field.doc(),
                default: self.default(&field, &ty),
                attributes,
                id,
                deprecated: field.flag("deprecated"),
                required,
                key: field.flag("key"),
                nested,
                place: self.place.clone(),
                ty,
            };
            if made.ty.has_types() && id == 0 {
                return Err(self.wrong(format!("the union {:?} has the id 0, but its type comes before", field.name())));
            }
            check::field(&made, is_struct)?;
            fields.push(made);
        }
        self.check_twice(object.name(), fields.iter().map(|field| field.name.as_str()))?;
        fields.sort_by_key(|field| field.id);
        let taken = fields.windows(2).find(|pair| pair[0].id >= *pair[1].ids().start());
        if let Some(pair) = taken {
            let (first, second) = (&pair[0].name, &pair[1].name);
            return Err(self.wrong(format!("fields {first:?} and {second:?} of {:?} have the same id", object.name())));
        }
        Ok(fields)
    }

    fn default(&self, field: &View<'_>, ty: &Type) -> Default {
        let integer = field.int("default_integer");
        match ty {
            _ if !ty.is_scalar() => Default::Zero,
            _ if field.flag("optional") => Default::Null,
            Type::Float(_) => match field.get("default_real").map_or(0.0, |(_, cell)| cell.as_f64()) {
                zero if zero.to_bits() == 0 => Default::Zero,
                value => Default::Float(value),
            },
            _ if integer == 0 => Default::Zero,
            Type::Int(Int::U64) => Default::Int(i128::from(integer as u64)),
            Type::Enum(index) if self.schema.enums[*index].underlying == Int::U64 => {
                Default::Int(i128::from(integer as u64))
            }
            _ => Default::Int(integer.into()),
        }
    }

    fn ty(&self, ty: &View<'_>, objects: usize, enums: usize) -> Result<Type> {
        let (number, index) = (ty.int("base_type"), ty.int("index"));
        let element = || self.simple(ty.int("element"), index, objects, enums);
        match number {
            base::VECTOR => Ok(Type::Vector(element()?.into())),
            base::ARRAY => {
                let count = u32::try_from(ty.int("fixed_length")).unwrap_or(0);
                Ok(Type::Array(element()?.into(), count.max(1)))
            }
            _ => self.simple(number, index, objects, enums),
        }
    }

    fn simple(&self, number: i64, index: i64, objects: usize, enums: usize) -> Result<Type> {
        let place = usize::try_from(index).ok();
        let wrong = || self.wrong(format!("a type has the number {number} with the index {index}, which is not valid"));
        Ok(match number {
            base::BOOL => Type::Bool,
            base::FLOAT => Type::Float(Float::F32),
            base::DOUBLE => Type::Float(Float::F64),
            base::STRING => Type::String,
            base::OBJECT => Type::Object(place.filter(|&at| at < objects).ok_or_else(wrong)?),
            base::UNION => {
                let at = place.filter(|&at| at < enums && self.schema.enums[at].is_union);
                Type::Union(at.ok_or_else(wrong)?)
            }
            _ => {
                let int = INTEGERS.iter().find(|(known, _)| *known == number).ok_or_else(wrong)?.1;
                match place {
                    None => Type::Int(int),
                    Some(at) if at < enums && !self.schema.enums[at].is_union => Type::Enum(at),
                    Some(_) => return Err(wrong()),
                }
            }
        })
    }

    /// Structs whose alignment is more than their parts need say so, also where attributes of flatc are left out.
    fn alignments(&mut self, objects: &[View<'_>]) {
        let mut layouts: Vec<Option<Layout>> = vec![None; objects.len()];
        for definition in self.schema.order.clone() {
            let Definition::Object(index) = definition else { continue };
            if !self.schema.objects[index].is_struct {
                continue;
            }
            let said = objects[index].int("minalign");
            let layout = self.schema.layout(&self.schema.objects[index], &layouts);
            if let Some(layout) = &layout
                && i64::try_from(layout.align).is_ok_and(|align| said > align)
            {
                self.schema.objects[index].attributes.add("force_align", Some(said.to_string()));
            }
            layouts[index] = self.schema.layout(&self.schema.objects[index], &layouts);
        }
    }
}

/// The object that a name means inside the namespace of `of`.
fn find(names: &HashMap<&str, usize>, of: &str, name: &str) -> Option<usize> {
    let mut space = of;
    while let Some((outer, _)) = space.rsplit_once('.') {
        if let Some(&index) = names.get(format!("{outer}.{name}").as_str()) {
            return Some(index);
        }
        space = outer;
    }
    names.get(name).copied()
}
