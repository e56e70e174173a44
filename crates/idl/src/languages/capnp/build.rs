//! Declarations to a module of the model.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::{Map, Value as Json};
use wirewise_core::{Notes, TypeId};
use wirewise_formats::capnp::notes;

use super::ast::{Form, Member, What};
use super::check::Declared;
use super::record::{In, Record, set_notes, take_json};
use super::scope::{Env, NodeId, Scopes, Ty, TyId};
use super::unit::Unit;
use super::value::{Values, members_of, wrong_note};
use crate::{Element, Module, Place, Places, Result, docs};

/// Makes a module of files.
pub(super) fn build(units: &[Unit]) -> Result<Module> {
    let mut build = Build {
        scopes: Scopes::new(units)?,
        values: Values::default(),
        types: Vec::new(),
        taken: HashSet::new(),
        names: HashMap::new(),
        queue: VecDeque::new(),
        used: HashSet::new(),
        ordinals: HashSet::new(),
        places: Places::default(),
        notices: Vec::new(),
        file_notes: Notes::default(),
        namespace: String::new(),
        endless: Vec::new(),
        defaults: HashMap::new(),
        remembered: Vec::new(),
        declared: HashMap::new(),
    };
    build.file()?;
    build.finish()
}

/// A module that is being made. Types are kept in the form of the schema file, which [`Schema::parse`] reads.
pub(super) struct Build<'a> {
    pub(super) scopes: Scopes<'a>,
    pub(super) values: Values<'a>,
    pub(super) types: Vec<Json>,
    /// Names of types that are given away.
    pub(super) taken: HashSet<String>,
    /// Names of the types that are made or will be.
    pub(super) names: HashMap<TyId, String>,
    pub(super) queue: VecDeque<TyId>,
    /// Generic declarations that are used with arguments.
    pub(super) used: HashSet<NodeId>,
    /// Declarations whose ordinals have been checked.
    pub(super) ordinals: HashSet<NodeId>,
    pub(super) places: Places,
    pub(super) notices: Vec<String>,
    pub(super) file_notes: Notes,
    /// What the file says that its types' names begin with.
    pub(super) namespace: String,
    /// Unions that are always there unless the default of a struct has no end: type, oneof, struct.
    pub(super) endless: Vec<(usize, usize, TyId)>,
    /// The structs that the default of a struct consists of.
    pub(super) defaults: HashMap<TyId, Vec<TyId>>,
    /// What structs declare of which comments say more: type, declaration, fields.
    pub(super) remembered: Vec<(usize, NodeId, Vec<Declared>)>,
    /// The names under which annotations are kept.
    pub(super) declared: HashMap<NodeId, String>,
}

impl<'a> Build<'a> {
    pub(super) fn place(&self, node: NodeId, at: usize) -> Place {
        self.scopes.units[self.scopes.nodes[node].unit].place(at)
    }

    /// A name for a type that no other has.
    pub(super) fn claim(&mut self, name: String) -> String {
        let mut free = name.clone();
        let mut count = 2;
        while !self.taken.insert(free.clone()) {
            free = format!("{name}{count}");
            count += 1;
        }
        free
    }

    fn file(&mut self) -> Result<()> {
        let file = &self.scopes.units[0].file;
        let (_, comments) = docs::split(file.doc.as_deref().unwrap_or_default());
        self.file_notes = comments;
        self.namespace = self.file_notes.take("namespace").unwrap_or_default();
        if let Some(id) = file.id {
            self.file_notes.set(notes::ID, format!("{id:#018x}"));
        }
        // Types that are no instances of generic ones, in the order of the files.
        let all: Vec<NodeId> = (self.scopes.units.len()..self.scopes.nodes.len()).collect();
        let mut generic = Vec::new();
        for &node in &all {
            let Some(decl) = self.scopes.nodes[node].decl else { continue };
            if self.scopes.units[self.scopes.nodes[node].unit].alias.is_some() {
                continue;
            }
            let is_generic = self.scopes.nodes[node].outer_params + decl.params.len() > 0;
            match &decl.what {
                What::Struct(_) if is_generic => generic.push(node),
                What::Struct(_) => {
                    let ty = self.scopes.intern(Ty::Struct(node, Vec::new()), node, decl.name.at)?;
                    self.name_of(ty);
                }
                What::Enum(members) if members.is_empty() => {
                    let name = self.scopes.path(node);
                    self.notices.push(format!("enum {name} has no enumerants: its values are read as numbers"));
                }
                What::Enum(_) => {
                    let ty = self.scopes.intern(Ty::Enum(node), node, decl.name.at)?;
                    self.name_of(ty);
                }
                What::Interface => {
                    let name = self.scopes.path(node);
                    self.notices.push(format!("interface {name} was passed over: it has no data"));
                }
                _ => {}
            }
        }
        self.constants(&all)?;
        let env = Env { node: 0, args: Vec::new() };
        let mut file_notes = std::mem::take(&mut self.file_notes);
        self.annotations(&env, &file.annotations, &mut file_notes)?;
        self.file_notes.extend(&file_notes);
        self.run()?;
        // Generic types that nobody uses are of pointers to anything.
        for node in generic {
            if self.used.contains(&node) {
                continue;
            }
            let at = self.scopes.nodes[node].decl.map_or(0, |decl| decl.name.at);
            let any = self.scopes.intern(Ty::Pointer("AnyPointer".to_owned()), node, at)?;
            let count = self.scopes.nodes[node].outer_params + self.scopes.nodes[node].params().len();
            let ty = self.scopes.intern(Ty::Struct(node, vec![any; count]), node, at)?;
            self.name_of(ty);
            self.run()?;
        }
        Ok(())
    }

    fn run(&mut self) -> Result<()> {
        while let Some(ty) = self.queue.pop_front() {
            self.define(ty)?;
        }
        Ok(())
    }

    fn define(&mut self, ty: TyId) -> Result<()> {
        let (node, args) = match self.scopes.ty(ty) {
            Ty::Struct(node, args) => (*node, args.clone()),
            Ty::Enum(node) => (*node, Vec::new()),
            _ => return Ok(()),
        };
        let Some(decl) = self.scopes.nodes[node].decl else { return Ok(()) };
        let members = members_of(&self.scopes, node);
        self.check_ordinals(node, members)?;
        let (doc, mut notes) = docs::split(decl.doc.as_deref().unwrap_or_default());
        notes.take("name");
        let is_generic = !args.is_empty();
        let env = Env { node, args };
        let outer = Env { node: self.scopes.nodes[node].parent.unwrap_or(node), args: Vec::new() };
        self.annotations(&outer, &decl.annotations, &mut notes)?;
        if let (Some(id), false) = (decl.id, is_generic) {
            notes.set(notes::ID, format!("{id:#018x}"));
        }
        let wrong = |build: &Self, key: &str| wrong_note(&build.scopes, node, decl.name.at, key);
        let mut extra = Map::new();
        let noted = take_json(&mut notes, "doc").transpose().map_err(|key| wrong(self, &key))?;
        if let Some(doc) = noted.or(doc.map(Json::from)) {
            extra.insert("doc".to_owned(), doc);
        }
        for key in ["reserved_numbers", "reserved_names"] {
            if let Some(json) = take_json(&mut notes, key) {
                extra.insert(key.to_owned(), json.map_err(|key| wrong(self, &key))?);
            }
        }
        let name = self.names.get(&ty).cloned().unwrap_or_default();
        let place = self.place(node, decl.name.at);
        if matches!(decl.what, What::Enum(_)) {
            return self.enumeration(name, node, members, extra, notes, place);
        }
        let (order, oneof_order) = (notes.take("order"), notes.take("oneof_order"));
        match notes.take("wrapper").as_deref() {
            Some("union") => return self.union(name, &env, members, extra, notes, order, place),
            // What a struct around a value is, says the type of the field that has it.
            Some(_) => return Ok(()),
            None => {}
        }
        if is_generic && self.scopes.text(ty).contains('(') {
            notes.set(notes::GENERIC, self.scopes.text(ty));
        }
        let index = self.reserve();
        let mut record = Record::new(name);
        self.members(&mut record, In { env: &env, oneof: None, is_unnamed: false }, members)?;
        self.remember(index, &env, members)?;
        let structs = self.default_structs(&env, members)?;
        self.defaults.insert(ty, structs);
        if let Some(order) = order {
            let sorted = reorder(&mut record.fields, &order) && reorder(&mut record.places, &order);
            sorted.then_some(()).ok_or_else(|| wrong(self, "order"))?;
        }
        if let Some(order) = oneof_order {
            let mut places: Vec<usize> = (0..record.oneofs.len()).collect();
            let sorted = reorder(&mut record.oneofs, &order)
                && reorder(&mut record.oneof_places, &order)
                && reorder(&mut places, &order);
            sorted.then_some(()).ok_or_else(|| wrong(self, "oneof_order"))?;
            for (oneof, _) in &mut record.endless {
                *oneof = places.iter().position(|place| place == oneof).unwrap_or_default();
            }
        }
        self.add_record(index, record, extra, notes, place);
        Ok(())
    }

    /// A place for a record, before the records of its groups.
    pub(super) fn reserve(&mut self) -> usize {
        self.types.push(Json::Null);
        self.types.len() - 1
    }

    /// Adds a record to the types.
    pub(super) fn add_record(
        &mut self,
        index: usize,
        record: Record,
        extra: Map<String, Json>,
        notes: Notes,
        place: Place,
    ) {
        let id = TypeId::from_index(index);
        self.places.set(Element::Type(id), place);
        self.set_places(id, &record);
        self.endless.extend(record.endless.iter().map(|&(oneof, ty)| (index, oneof, ty)));
        self.types[index] = record.json(extra, notes);
    }

    fn enumeration(
        &mut self,
        name: String,
        node: NodeId,
        members: &'a [Member],
        mut e: Map<String, Json>,
        mut enum_notes: Notes,
        place: Place,
    ) -> Result<()> {
        let id = TypeId::from_index(self.types.len());
        let env = Env { node, args: Vec::new() };
        let mut sorted: Vec<&Member> = members.iter().collect();
        sorted.sort_by_key(|member| member.ordinal);
        let mut symbols = Vec::with_capacity(sorted.len());
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for (i, member) in sorted.into_iter().enumerate() {
            let Some(own) = &member.name else { continue };
            if let Some(first) = seen.insert(&own.text, own.at) {
                return Err(self.scopes.twice(self.scopes.nodes[node].unit, own, first));
            }
            let wrong = |build: &Self, key: &str| wrong_note(&build.scopes, node, member.at, key);
            let (doc, mut notes) = docs::split(member.doc.as_deref().unwrap_or_default());
            self.annotations(&env, &member.annotations, &mut notes)?;
            let number = match notes.take("number") {
                Some(text) => text.parse().map_err(|_| wrong(self, "number"))?,
                None => i as i64,
            };
            let mut symbol = Map::new();
            symbol.insert("number".to_owned(), Json::from(number));
            symbol.insert("name".to_owned(), Json::from(notes.take("name").unwrap_or_else(|| own.text.clone())));
            let noted = take_json(&mut notes, "doc").transpose().map_err(|key| wrong(self, &key))?;
            if let Some(doc) = noted.or(doc.map(Json::from)) {
                symbol.insert("doc".to_owned(), doc);
            }
            set_notes(&mut symbol, &notes);
            symbols.push(Json::Object(symbol));
            self.places.set(Element::Symbol(id, i), self.place(node, member.at));
        }
        e.insert("enum".to_owned(), Json::from(name));
        e.insert("symbols".to_owned(), Json::Array(symbols));
        if enum_notes.take("closed").is_some() {
            e.insert("closed".to_owned(), Json::from(true));
        }
        set_notes(&mut e, &enum_notes);
        self.places.set(Element::Type(id), place);
        self.types.push(Json::Object(e));
        Ok(())
    }

    /// A union that is a value of the model: a struct with nothing but a union, or a single field.
    #[expect(clippy::too_many_arguments, reason = "what is known of one type")]
    fn union(
        &mut self,
        name: String,
        env: &Env,
        members: &'a [Member],
        mut union: Map<String, Json>,
        notes: Notes,
        order: Option<String>,
        place: Place,
    ) -> Result<()> {
        let inside = match members {
            [Member { name: None, form: Form::Union(inside), .. }] => inside,
            fields => fields,
        };
        let mut record = Record::new(name.clone());
        let at = In { env, oneof: Some(""), is_unnamed: false };
        self.members(&mut record, at, inside)?;
        if let Some(order) = order {
            let sorted = reorder(&mut record.fields, &order) && reorder(&mut record.places, &order);
            sorted.then_some(()).ok_or_else(|| self.scopes.error(env.node, 0, "the note order cannot be read"))?;
        }
        let branches = record.fields.iter_mut().map(|field| {
            if let Some(field) = field.as_object_mut() {
                field.remove("oneof");
                field.remove("presence");
            }
            field.take()
        });
        let branches: Vec<Json> = branches.collect();
        let id = TypeId::from_index(self.types.len());
        for (i, place) in record.places.iter().enumerate() {
            self.places.set(Element::Branch(id, i), place.clone());
        }
        union.insert("union".to_owned(), Json::from(name));
        union.insert("branches".to_owned(), Json::Array(branches));
        set_notes(&mut union, &notes);
        self.places.set(Element::Type(id), place);
        self.types.push(Json::Object(union));
        Ok(())
    }
}

/// Puts things into the order that a note says: for each place, where it is now.
fn reorder<T>(things: &mut Vec<T>, order: &str) -> bool {
    let Some(order) = order.split(',').map(|place| place.parse().ok()).collect::<Option<Vec<usize>>>() else {
        return false;
    };
    let mut slots: Vec<Option<T>> = things.drain(..).map(Some).collect();
    let count = slots.len();
    things.extend(order.into_iter().filter_map(|place| slots.get_mut(place)?.take()));
    things.len() == count
}
