//! Where each named type is declared, and under which name.

use std::collections::{HashMap, HashSet};

use wirewise_core::{Enum, Field, Kind, Record, Schema, Type, TypeId};
use wirewise_formats::protobuf::notes;

use crate::names::{Case, identifier};
use crate::{MemoryFiles, Result};

use super::super::ast::{Syntax, TypeRef};
use super::super::lexer::LONGEST_WORD;
use super::super::{check, load, model, names, symbols::Symbols, wkt};
use super::syntax;

/// Where a named type is declared.
#[derive(Debug, Clone)]
pub(super) enum Home {
    /// In the file, under this name.
    Top(String),
    /// Inside the message of another type, under this name.
    Inside(TypeId, String),
    /// In a standard file, whose path this is.
    Imported(&'static str),
}

impl Home {
    pub(super) fn is_declared(&self) -> bool {
        !matches!(self, Home::Imported(_))
    }
}

/// The names of everything.
pub(super) struct Homes<'a> {
    schema: &'a Schema,
    pub(super) package: String,
    /// Whether names are kept as they are: the schema was read from Protobuf.
    pub(super) keep: bool,
    homes: HashMap<TypeId, Home>,
    named: HashMap<&'a str, TypeId>,
    scopes: HashMap<Option<TypeId>, Taken>,
    /// Names of fields, by record and position; of branches too.
    fields: HashMap<(TypeId, usize), String>,
    oneofs: HashMap<(TypeId, usize), String>,
    /// Names of fields in JSON.
    json: HashMap<TypeId, HashSet<String>>,
    symbols: HashMap<(TypeId, usize), String>,
}

/// Names that are given out in one scope.
#[derive(Default)]
pub(super) struct Taken {
    names: HashSet<String>,
    /// The next number to try after a name that was taken before.
    next: HashMap<String, u32>,
}

impl Taken {
    /// The name itself, or with the smallest number after it that makes it free.
    pub(super) fn take(&mut self, name: &str) -> String {
        self.take_if(name, |_| true)
    }

    fn take_if(&mut self, name: &str, mut is_free: impl FnMut(&str) -> bool) -> String {
        if is_free(name) && self.names.insert(name.to_owned()) {
            return name.to_owned();
        }
        let count = self.next.entry(name.to_owned()).or_insert(2);
        loop {
            let free = format!("{name}{count}");
            *count += 1;
            if is_free(&free) && self.names.insert(free.clone()) {
                return free;
            }
        }
    }
}

/// How deep messages may lie inside each other.
const DEEPEST: usize = 30;

pub(super) fn is_identifier(name: &str) -> bool {
    crate::names::is_identifier(name) && name.len() <= LONGEST_WORD
}

/// The beginning of a name, to make another one of it that is not too long.
pub(super) fn limited(name: &str) -> &str {
    name.char_indices().nth(200).map_or(name, |(end, _)| &name[..end])
}

impl<'a> Homes<'a> {
    pub(super) fn new(schema: &'a Schema, syntax: Syntax) -> Result<Homes<'a>> {
        let package = super::package(schema);
        let package = if super::is_package(package) { package.to_owned() } else { String::new() };
        let mut homes = Homes {
            schema,
            package,
            keep: schema.notes().has(notes::SYNTAX),
            homes: HashMap::new(),
            named: schema.named_types().filter_map(|id| Some((schema.name(id)?, id))).collect(),
            scopes: HashMap::new(),
            fields: HashMap::new(),
            oneofs: HashMap::new(),
            json: HashMap::new(),
            symbols: HashMap::new(),
        };
        // A package of this name comes in with every standard file.
        homes.scope(None).take("google");
        homes.import()?;
        homes.name_fields(syntax);
        homes.name_types();
        homes.name_symbols(syntax);
        Ok(homes)
    }

    pub(super) fn of(&self, id: TypeId) -> &Home {
        &self.homes[&id]
    }

    /// How many messages a type lies in.
    pub(super) fn depth(&self, id: TypeId) -> usize {
        let mut depth = 0;
        let mut at = id;
        while let Some(Home::Inside(parent, _)) = self.homes.get(&at) {
            depth += 1;
            at = *parent;
        }
        depth
    }

    pub(super) fn scope(&mut self, around: Option<TypeId>) -> &mut Taken {
        self.scopes.entry(around).or_default()
    }

    /// The paths of the standard files that are used.
    pub(super) fn imports(&self) -> impl Iterator<Item = &'static str> {
        let path = |home: &Home| if let Home::Imported(path) = home { Some(*path) } else { None };
        self.homes.values().filter_map(path)
    }

    /// The full name of something inside a message, or in the file.
    pub(super) fn inside(&self, around: Option<TypeId>, name: &str) -> String {
        match around {
            Some(id) => format!("{}.{name}", self.full_name(id)),
            None if self.package.is_empty() => name.to_owned(),
            None => format!("{}.{name}", self.package),
        }
    }

    /// The full name of a type in the file.
    pub(super) fn full_name(&self, id: TypeId) -> String {
        match &self.homes[&id] {
            Home::Top(name) => self.inside(None, name),
            Home::Inside(parent, name) => self.inside(Some(*parent), name),
            Home::Imported(_) => self.schema.name(id).unwrap_or_default().to_owned(),
        }
    }

    pub(super) fn field(&self, id: TypeId, position: usize) -> &str {
        &self.fields[&(id, position)]
    }

    pub(super) fn oneof(&self, id: TypeId, position: usize) -> &str {
        &self.oneofs[&(id, position)]
    }

    pub(super) fn symbol(&self, id: TypeId, position: usize) -> &str {
        &self.symbols[&(id, position)]
    }

    /// Finds the types that are those of the standard files.
    fn import(&mut self) -> Result<()> {
        let standard = |name: &str| name.starts_with("google.protobuf.");
        if self.package == "google.protobuf" || !self.named.keys().any(|name| standard(name)) {
            return Ok(());
        }
        let mut files = MemoryFiles::none();
        let mut all = String::from("syntax = \"proto3\";\n");
        for (path, text) in wkt::all() {
            files.add(path, text);
            all += &format!("import \"{path}\";\n");
        }
        let loaded = load::load(&crate::Source::new("all.proto", all), &files)?;
        let symbols = Symbols::new(&loaded)?;
        check::check(&symbols)?;
        let known = model::build(&symbols, None)?.schema;
        // A type is a standard one when it says the same, and all types in it are standard ones.
        let mut same: HashMap<TypeId, &'static str> = HashMap::new();
        for id in known.named_types() {
            let Some(&ours) = known.name(id).and_then(|name| self.named.get(name)) else { continue };
            let path = symbols.types.iter().find(|decl| Some(decl.full_name.as_str()) == known.name(id));
            let path = path.map(|decl| loaded.files[decl.file].path.as_str());
            let path = wkt::all().map(|(known, _)| known).find(|known| Some(*known) == path);
            if let Some(path) = path
                && bare(self.schema, ours) == bare(&known, id)
            {
                same.insert(ours, path);
            }
        }
        loop {
            let differs = same.keys().copied().find(|&id| {
                let mut parts = self.schema.parts(id);
                let mut inner: Vec<TypeId> = Vec::new();
                while let Some(part) = parts.pop() {
                    if self.schema.name(part).is_some() {
                        inner.push(part)
                    } else {
                        parts.extend(self.schema.parts(part))
                    }
                }
                inner.iter().any(|part| !same.contains_key(part))
            });
            match differs {
                Some(id) => same.remove(&id),
                None => break,
            };
        }
        self.homes.extend(same.into_iter().map(|(id, path)| (id, Home::Imported(path))));
        Ok(())
    }

    fn name_fields(&mut self, syntax: Syntax) {
        let schema = self.schema;
        for id in schema.named_types().filter(|id| !self.homes.contains_key(id)).collect::<Vec<_>>() {
            let mut json = HashSet::new();
            match schema.kind(id) {
                Kind::Record(record) => {
                    // What was chosen comes first.
                    json.extend(
                        record.fields.iter().filter_map(|field| field.notes.get(notes::JSON_NAME)).map(str::to_owned),
                    );
                    self.scopes.entry(Some(id)).or_default().names.extend(record.reserved_names.iter().cloned());
                    for (position, field) in record.fields.iter().enumerate() {
                        if is_extension(schema, id, field, syntax) {
                            continue;
                        }
                        let custom = field.notes.has(notes::JSON_NAME);
                        let name = self.field_name(id, &field.name, custom, &mut json);
                        self.fields.insert((id, position), name);
                    }
                    for (position, oneof) in record.oneofs.iter().enumerate() {
                        let name = self.lower_case(&oneof.name);
                        let name = self.scope(Some(id)).take(&name);
                        self.oneofs.insert((id, position), name);
                    }
                }
                Kind::Union(union) => {
                    for (position, branch) in union.branches.iter().enumerate() {
                        let name = self.field_name(id, &branch.name, false, &mut json);
                        self.fields.insert((id, position), name);
                    }
                    let name = self.scope(Some(id)).take("value");
                    self.oneofs.insert((id, 0), name);
                }
                _ => {}
            }
            self.json.insert(id, json);
        }
    }

    /// Whether no field of a message has this name in JSON.
    pub(super) fn is_free_in_json(&self, id: TypeId, name: &str) -> bool {
        self.json.get(&id).is_some_and(|taken| !taken.contains(name))
    }

    fn lower_case(&self, name: &str) -> String {
        if self.keep && is_identifier(name) { name.to_owned() } else { identifier(limited(name), Case::Snake) }
    }

    fn field_name(&mut self, id: TypeId, name: &str, custom: bool, json: &mut HashSet<String>) -> String {
        // A name in JSON that was chosen was chosen beside this name.
        let wanted = if custom && is_identifier(name) { name.to_owned() } else { self.lower_case(name) };
        // Names that differ must differ in JSON too, and as the names of a map's entries.
        let taken = self.scopes.entry(Some(id)).or_default();
        let name = taken.take_if(&wanted, |name| custom || !json.contains(&names::json(name)));
        if !custom {
            json.insert(names::json(&name));
        }
        taken.names.insert(names::entry(&name));
        name
    }

    fn name_types(&mut self) {
        let schema = self.schema;
        for id in schema.named_types().collect::<Vec<_>>() {
            self.home(id);
        }
    }

    /// Gives a type its home, after those that it lies in.
    fn home(&mut self, id: TypeId) {
        let mut chain = vec![id];
        while let Some(&last) = chain.last() {
            let name = self.schema.name(last).unwrap_or_default();
            let parent = name.rsplit_once('.').and_then(|(around, _)| self.named.get(around).copied());
            match parent {
                Some(parent) if !self.homes.contains_key(&parent) && chain.len() < 1000 => chain.push(parent),
                _ => break,
            }
        }
        for id in chain.into_iter().rev() {
            if !self.homes.contains_key(&id) {
                let home = self.new_home(id);
                self.homes.insert(id, home);
            }
        }
    }

    fn new_home(&mut self, id: TypeId) -> Home {
        let full = self.schema.name(id).unwrap_or_default();
        let (around, simple) = full.rsplit_once('.').unwrap_or(("", full));
        let parent = self.named.get(around).copied().filter(|parent| {
            let message = matches!(self.schema.kind(*parent), Kind::Record(_) | Kind::Union(_));
            let declared = self.homes.get(parent).is_some_and(Home::is_declared);
            message && declared && self.depth(*parent) < DEEPEST
        });
        let wanted = match parent {
            _ if !around.is_empty() && parent.is_none() && around != self.package => self.pascal(full),
            _ => self.pascal(simple),
        };
        let name = self.scope(parent).take(&wanted);
        match parent {
            Some(parent) => Home::Inside(parent, name),
            None => Home::Top(name),
        }
    }

    fn pascal(&self, name: &str) -> String {
        if self.keep && is_identifier(name) { name.to_owned() } else { identifier(limited(name), Case::Pascal) }
    }

    fn name_symbols(&mut self, syntax: Syntax) {
        let schema = self.schema;
        for id in schema.named_types().collect::<Vec<_>>() {
            let Kind::Enum(e) = schema.kind(id) else { continue };
            let (around, enum_name) = match &self.homes[&id] {
                Home::Top(name) => (None, name.clone()),
                Home::Inside(parent, name) => (Some(*parent), name.clone()),
                Home::Imported(_) => {
                    let names = e.symbols.iter().enumerate().map(|(i, symbol)| ((id, i), symbol.name.clone()));
                    self.symbols.extend(names);
                    continue;
                }
            };
            let given = self.symbol_names(e, around, &enum_name, syntax);
            self.symbols.extend(given.into_iter().enumerate().map(|(i, name)| ((id, i), name)));
        }
    }

    fn symbol_names(&mut self, e: &Enum, around: Option<TypeId>, enum_name: &str, syntax: Syntax) -> Vec<String> {
        let wanted: Vec<String> = e
            .symbols
            .iter()
            .map(|symbol| {
                if is_identifier(&symbol.name) {
                    symbol.name.clone()
                } else {
                    identifier(limited(&symbol.name), Case::Upper)
                }
            })
            .collect();
        let reserved: HashSet<&str> = e.reserved_names.iter().map(String::as_str).collect();
        let keep = self.keep;
        let taken = self.scope(around);
        // Values of all enums of a scope share it: where that is too narrow they get the name of the enum in front.
        let clash = wanted.iter().any(|name| taken.names.contains(name))
            || wanted.iter().collect::<HashSet<_>>().len() < wanted.len();
        let prefix = if clash { format!("{}_", identifier(enum_name, Case::Upper)) } else { String::new() };
        let mut short: HashMap<String, i64> = HashMap::new();
        let mut given = Vec::with_capacity(wanted.len());
        for (name, symbol) in wanted.iter().zip(&e.symbols) {
            let is_free = |name: &str| {
                let other = short.get(&names::short_value(enum_name, name));
                !reserved.contains(name)
                    && (keep && syntax == Syntax::Proto2 || other.is_none_or(|number| *number == symbol.number))
            };
            let name = taken.take_if(&format!("{prefix}{name}"), is_free);
            short.insert(names::short_value(enum_name, &name), symbol.number);
            given.push(name);
        }
        given
    }

    /// Where an extension with this full name is declared, and its name there.
    pub(super) fn extension(&mut self, full_name: &str) -> (Option<TypeId>, String) {
        let (around, simple) = full_name.rsplit_once('.').unwrap_or(("", full_name));
        let parent =
            self.named.get(around).copied().filter(|parent| {
                self.homes[parent].is_declared() && matches!(self.schema.kind(*parent), Kind::Record(_))
            });
        let wanted = match parent {
            None if around != self.package => self.lower_case(&full_name.replace('.', "_")),
            _ => self.lower_case(simple),
        };
        (parent, self.scope(parent).take(&wanted))
    }

    /// Replaces full names of the model by those of the file; false when there is no such type.
    pub(super) fn translate(&self, ty: &mut TypeRef) -> bool {
        match ty {
            TypeRef::Scalar(_) => true,
            TypeRef::Map(_, _, value) => self.translate(value),
            TypeRef::Named(name) => {
                let full = name.text.strip_prefix('.').unwrap_or(&name.text);
                match self.named.get(full) {
                    Some(&id) => {
                        name.text = format!(".{}", self.full_name(id));
                        true
                    }
                    // The descriptors' own types come with the file that declares options.
                    None => full.starts_with("google.protobuf.") && full.matches('.').count() >= 2,
                }
            }
        }
    }
}

/// Whether a field is written as an extension of its record.
pub(super) fn is_extension(schema: &Schema, id: TypeId, field: &Field, syntax: Syntax) -> bool {
    let Some(ranges) = schema.type_notes(id).get(notes::EXTENSIONS) else { return false };
    let is_map = matches!(schema.kind(field.ty), Kind::Map(..));
    if syntax == Syntax::Proto3 || !field.notes.has(notes::EXTENSION) || field.oneof.is_some() || is_map {
        return false;
    }
    super::types::extension_ranges(ranges).is_some_and(|all| {
        all.iter().flat_map(|ranges| &ranges.ranges).any(|range| range.numbers.contains(&i64::from(field.number)))
    }) && !syntax::is_labelled(field)
}

/// A type without documentation, and with names in place of ids: what says whether two are the same.
fn bare(schema: &Schema, id: TypeId) -> Option<(Type, Vec<String>)> {
    let mut ty = schema.ty(id).clone();
    ty.notes = wirewise_core::Notes::default();
    let names = schema.parts(id).iter().map(|&part| schema.type_json(part).to_string()).collect();
    match &mut ty.kind {
        Kind::Record(record) => {
            let mut plain = Record::new(record.name.clone(), Vec::new());
            plain.oneofs = record.oneofs.clone();
            for field in &record.fields {
                let mut bare = Field::new(field.number, field.name.clone(), TypeId::from_index(0));
                (bare.presence, bare.oneof, bare.default) = (field.presence, field.oneof, field.default.clone());
                plain.fields.push(bare);
            }
            plain.oneofs.iter_mut().for_each(|oneof| oneof.doc = None);
            ty.kind = Kind::Record(plain);
        }
        Kind::Enum(e) => {
            e.doc = None;
            e.symbols.iter_mut().for_each(|symbol| {
                symbol.doc = None;
                symbol.notes = wirewise_core::Notes::default();
            });
        }
        _ => return None,
    }
    Some((ty, names))
}
