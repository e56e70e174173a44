//! Fields of tables and structs.

use super::*;

impl Writer<'_> {
    /// The fields of a record in their order, and those that nothing is written of.
    pub(super) fn fields(
        &mut self,
        id: TypeId,
        record: &Record,
        is_struct: bool,
        said: &mut Notes,
    ) -> Result<(Vec<ir::Field>, Vec<Json>)> {
        let owner = self.names.full(id).to_owned();
        let names = self.field_names(record);
        let plain = self.scalars_have_no_defaults(record) && !is_struct;
        if plain {
            said.set(facts::DEFAULT, "none");
        }
        let (mut unwritten, mut made) = (Vec::new(), Vec::new());
        let mut next = 0;
        // Ids follow the numbers; the order of the file is that of the record, but in structs it is that of the bytes.
        for (rank, position) in record.by_number().into_iter().enumerate() {
            let field = &record.fields[position];
            let path = format!("{}.{}", record.name, field.name);
            let ty = if is_struct {
                Some(self.inline(field.ty, &path)?)
            } else {
                self.ty(field.value_type(), &self.field_use(&owner, field))?
            };
            let ty = match ty {
                None if field.is_optional() => Type::Bool,
                None => {
                    self.lose(&path, "a field that is always null has no place");
                    unwritten.push(unwritten_row(self.model.type_json(field.ty), field, position));
                    continue;
                }
                Some(ty) => ty,
            };
            let mut new = plain_field(&names[position], ty, 0);
            let mut said = field.notes.clone();
            let types = u32::from(new.ty.has_types());
            new.id = match said.take(notes::ID).filter(|_| !is_struct) {
                None => next + types,
                Some(text) => {
                    let id = text.parse().ok().filter(|id: &u32| *id >= types && *id <= 0x7FFF);
                    id.ok_or_else(|| unwritable(format!("{path} has the id {text:?}")))?
                }
            };
            next = new.id + 1;
            if is_struct && rank != position {
                said.set(facts::POSITION, position.to_string());
            }
            self.finish_field(record, field, new, said, (is_struct, plain), &path)
                .map(|new| made.push((position, new)))?;
        }
        if !is_struct {
            made.sort_by_key(|(position, _)| *position);
        }
        let fields: Vec<ir::Field> = made.into_iter().map(|(_, field)| field).collect();
        let mut taken = HashSet::new();
        if let Some(field) = fields.iter().find(|field| !field.ids().all(|id| taken.insert(id))) {
            return Err(unwritable(format!("{}.{} has the id {}, which is taken", record.name, field.name, field.id)));
        }
        Ok((fields, unwritten))
    }

    /// Presence, default, attributes and documentation.
    fn finish_field(
        &mut self,
        record: &Record,
        field: &Field,
        mut new: ir::Field,
        mut said: Notes,
        (is_struct, plain): (bool, bool),
        path: &str,
    ) -> Result<ir::Field> {
        self.heed(field, &mut new, &mut said);
        if let Some(text) = self.type_note(field.ty, &new.ty) {
            said.set(facts::TYPE, text);
        }
        let identical = identifier(&new.name, Case::Snake) == new.name;
        if new.name != field.name {
            said.set(facts::NAME, field.name.as_str());
        } else if said.get(notes::NAME) == Some(&new.name) && !identical {
            said.take(notes::NAME);
        } else if !identical {
            said.set(facts::NAME, field.name.as_str());
        }
        if field.number != new.id + 1 {
            said.set(facts::NUMBER, field.number.to_string());
        }
        let scalar = new.ty.is_scalar();
        // What a reader takes the field for without notes.
        let (mut optional, mut default) = (false, None);
        if is_struct {
        } else if scalar && (field.is_stateful() || *self.model.kind(field.ty) == Kind::Null) {
            new.default = Default::Null;
            optional = true;
        } else if scalar {
            self.scalar_default(field, &mut new, path)?;
            let written = new.default != Default::Zero;
            default = if plain && !written { None } else { self.default_as_read(&new) };
        } else {
            new.required = !field.is_stateful();
            if new.key && new.ty == Type::String {
                new.required = true;
            }
            optional = !new.required;
        }
        if field.is_optional() != optional {
            said.set(facts::PRESENCE, if field.is_optional() { "optional" } else { "required" });
        }
        if field.default != default {
            let text = field.default.as_ref().map_or_else(|| "none".to_owned(), Json::to_string);
            said.set(facts::DEFAULT, text);
            if field.default.is_some() && (optional || !scalar) {
                self.lose(path, "the default is kept in a comment only: readers find nothing");
            }
        }
        if !field.aliases.is_empty() {
            said.set(facts::ALIASES, json!(field.aliases).to_string());
        }
        if let Some(oneof) = field.oneof {
            said.set(facts::ONEOF, record.oneofs[oneof].name.as_str());
        }
        if field.is_optional() && field.is_nullable() {
            self.lose(path, "null cannot be told from absent");
        }
        match self.model.kind(field.value_type()) {
            Kind::Any => self.lose(path, "a value of any type becomes a string of JSON text"),
            Kind::Fixed(size) if !is_struct => {
                self.lose(path, format!("readers do not check that there are {size} bytes"))
            }
            _ => {}
        }
        new.doc = facts::join(field.doc.as_deref(), &said);
        Ok(new)
    }

    /// What notes of ours say, as attributes.
    fn heed(&mut self, field: &Field, new: &mut ir::Field, said: &mut Notes) {
        new.attributes = attributes_of(said);
        let can_be_key = new.ty.is_scalar() && !field.is_stateful() || new.ty == Type::String && !field.is_stateful();
        if can_be_key && said.take(notes::KEY).is_some() {
            new.key = true;
        }
        // flatc takes the attribute for strings only.
        if new.ty == Type::String && said.get(notes::SHARED) == Some("true") {
            said.take(notes::SHARED);
            new.attributes.add("shared", None);
        }
        if let Some(align) = said.take(notes::FORCE_ALIGN) {
            new.attributes.add("force_align", Some(align));
        }
        if new.ty.is_bytes() {
            if said.take(notes::FLEXBUFFER).is_some() {
                new.attributes.add("flexbuffer", None);
            }
            new.nested = said.get(notes::NESTED).and_then(|full| self.object_called(full));
            if new.nested.is_some() {
                said.take(notes::NESTED);
            }
        }
    }

    /// The default that the codec leaves out, as the file must say it.
    fn scalar_default(&mut self, field: &Field, new: &mut ir::Field, path: &str) -> Result<()> {
        new.default = match (&field.default, &new.ty) {
            (None, ty) => self.usual_default(ty),
            (Some(default), Type::Enum(index)) => {
                let Kind::Enum(e) = self.model.kind(field.ty) else { unreachable!("written as an enum") };
                let named = default.as_str().and_then(|name| e.position_of(name.as_bytes()));
                let number = named.map_or(default.as_i64().unwrap_or(0), |i| e.symbols[i].number);
                let known = self.out.enums[*index].is_bit_flags() || e.position(number).is_some();
                if !known {
                    return Err(unwritable(format!(
                        "{path} has the default {number}, which is no value of {}",
                        e.name
                    )));
                }
                Default::Int(self.enum_number(*index, number))
            }
            (Some(Json::Bool(value)), _) => Default::Int((*value).into()),
            (Some(default), Type::Float(_)) => Default::Float(match default.as_str() {
                Some("Infinity") => f64::INFINITY,
                Some("-Infinity") => f64::NEG_INFINITY,
                Some(_) => f64::NAN,
                None => default.as_f64().unwrap_or_default(),
            }),
            (Some(default), _) => {
                let wide = default.as_i64().map(i128::from).or_else(|| default.as_u64().map(i128::from));
                Default::Int(wide.unwrap_or_default())
            }
        };
        // Zero need not be written.
        let zero = match &new.default {
            Default::Int(number) => *number == 0,
            Default::Float(value) => value.to_bits() == 0,
            _ => true,
        };
        if zero {
            new.default = Default::Zero;
        }
        Ok(())
    }

    /// The default that a reader finds in the file.
    fn default_as_read(&self, new: &ir::Field) -> Option<Json> {
        let number = match &new.default {
            Default::Float(value) if value.is_nan() => return Some(Json::from("NaN")),
            Default::Float(value) if value.is_infinite() => {
                return Some(Json::from(if *value > 0.0 { "Infinity" } else { "-Infinity" }));
            }
            Default::Float(value) => return Some(Json::from(*value)),
            Default::Int(number) => *number,
            _ => 0,
        };
        Some(match new.ty {
            Type::Bool => Json::from(number != 0),
            Type::Float(_) => Json::from(0.0),
            Type::Enum(index) => {
                let Kind::Enum(e) = self.model.kind(self.enum_types[index]) else { return None };
                match e.symbols.iter().find(|symbol| symbol.number == number as i64) {
                    Some(symbol) => Json::from(symbol.name.as_str()),
                    None => Json::from(number as i64),
                }
            }
            _ => i64::try_from(number).map(Json::from).unwrap_or_else(|_| Json::from(number as u64)),
        })
    }

    /// Whether most scalars of a record that have no default of their own have none at all, rather than zero.
    fn scalars_have_no_defaults(&self, record: &Record) -> bool {
        let scalars = record.fields.iter().filter(|field| {
            let kind = self.model.kind(field.ty);
            !field.is_stateful() && matches!(kind, Kind::Bool | Kind::Int(_) | Kind::Float(_) | Kind::Enum(_))
        });
        let (mut none, mut zero) = (0, 0);
        for field in scalars {
            match &field.default {
                None => none += 1,
                Some(_) => zero += 1,
            }
        }
        none > zero
    }

    /// Names of the fields in files.
    fn field_names(&self, record: &Record) -> Vec<String> {
        let mut scope = Scope::default();
        // What flatc makes functions of for other fields, and the names given out.
        let (mut made, mut taken) = (HashSet::new(), HashSet::new());
        let mut names = Vec::new();
        for field in &record.fields {
            let said = field.notes.get(notes::NAME).filter(|name| crate::names::is_identifier(name));
            let wanted = said.map_or_else(|| identifier(&field.name, Case::Snake), str::to_owned);
            let suffixes = self.made_suffixes(field);
            let clashes = |name: &String, made: &HashSet<String>, taken: &HashSet<String>| {
                let mut new = suffixes.iter().map(|suffix| format!("{name}{suffix}"));
                self.names.has_short(name) || made.contains(name) || new.any(|new| taken.contains(&new))
            };
            let mut name = scope.take(&wanted);
            while clashes(&name, &made, &taken) {
                name = scope.take(&format!("{wanted}_"));
            }
            made.extend(suffixes.iter().map(|suffix| format!("{name}{suffix}")));
            taken.insert(name.clone());
            names.push(name);
        }
        names
    }

    /// With what behind its name flatc makes functions of a field.
    fn made_suffixes(&self, field: &Field) -> &'static [&'static str] {
        match self.model.kind(field.value_type()) {
            Kind::Union(_) => &["_type", "Type"],
            Kind::List(_) => &["_type", "_length", "Length"],
            Kind::Bytes | Kind::Fixed(_) | Kind::Map(..) => &["_length", "Length"],
            Kind::String | Kind::Any => &["_byte_vector", "ByteVector"],
            _ => &[],
        }
    }
}

fn unwritten_row(ty: Json, field: &Field, position: usize) -> Json {
    let mut row = json!({"position": position, "number": field.number, "name": field.name, "type": ty});
    if let Some(default) = &field.default {
        row["default"] = default.clone();
    }
    if let Some(doc) = &field.doc {
        row["doc"] = Json::from(doc.as_str());
    }
    if !field.aliases.is_empty() {
        row["aliases"] = json!(field.aliases);
    }
    if !field.notes.is_empty() {
        row["notes"] = Json::from(field.notes.to_string());
    }
    row
}
