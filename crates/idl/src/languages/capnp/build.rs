//! Declarations to a module of the model.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::{Map, Value as Json, json};
use wirewise_core::{Float, Notes, Schema, TypeId};
use wirewise_formats::capnp::notes;

use super::ast::{Applied, Form, Member, What};
use super::record::{In, Record, least_ordinal, set_notes, take_json};
use super::scope::{Env, Meaning, NodeId, Scopes, Ty, TyId};
use super::unit::Unit;
use super::value::{Values, members_of, wrong_note};
use crate::{Element, Error, Module, Place, Places, Result, docs, names};

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
        declared: HashMap::new(),
    };
    build.file()?;
    build.finish()
}

/// A module that is being made. Types are kept in the form of the schema file, which [`Schema::parse`] reads.
pub(super) struct Build<'a> {
    pub(super) scopes: Scopes<'a>,
    pub(super) values: Values<'a>,
    types: Vec<Json>,
    /// Names of types that are given away.
    taken: HashSet<String>,
    /// Names of the types that are made or will be.
    names: HashMap<TyId, String>,
    queue: VecDeque<TyId>,
    /// Generic declarations that are used with arguments.
    used: HashSet<NodeId>,
    /// Declarations whose ordinals have been checked.
    ordinals: HashSet<NodeId>,
    pub(super) places: Places,
    notices: Vec<String>,
    file_notes: Notes,
    /// What the file says that its types' names begin with.
    namespace: String,
    /// Unions that are always there unless the default of a struct has no end: type, oneof, struct.
    endless: Vec<(usize, usize, TyId)>,
    /// The structs that the default of a struct consists of.
    defaults: HashMap<TyId, Vec<TyId>>,
    /// The names under which annotations are kept.
    declared: HashMap<NodeId, String>,
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

    /// The constants that the file declares, and all annotations, as notes.
    fn constants(&mut self, all: &[NodeId]) -> Result<()> {
        for &node in all {
            let (unit, parent) = (self.scopes.nodes[node].unit, self.scopes.nodes[node].parent.unwrap_or(node));
            let Some(decl) = self.scopes.nodes[node].decl else { continue };
            let env = Env { node: parent, args: Vec::new() };
            let id = decl.id.map(|id| format!("@{id:#018x} ")).unwrap_or_default();
            match &decl.what {
                What::Using(target) => {
                    // An alias that nobody uses must mean something too.
                    if let super::ast::ExprForm::Path(path) = &target.form {
                        self.scopes.meaning(&env, path, target.at, 0)?;
                    }
                }
                What::Const { ty, value } => {
                    let ty = self.scopes.type_of(&env, ty)?;
                    if !matches!(self.scopes.ty(ty), Ty::Pointer(_)) {
                        self.values.eval(&mut self.scopes, &env, ty, value)?;
                    }
                    if unit == 0 {
                        let mut text = format!("{id}:{} = ", self.scopes.text(ty));
                        self.values.text(&mut self.scopes, &env, value, 0, &mut text)?;
                        let key = format!("{}{}", notes::CONSTANT, self.scopes.path(node));
                        self.file_notes.set(key, text);
                    }
                }
                What::Annotation { targets, ty } if self.scopes.units[unit].alias.is_none() => {
                    let ty = self.scopes.type_of(&env, ty)?;
                    let mut name = self.scopes.path(node);
                    if unit != 0 && self.file_notes.has(&format!("{}{name}", notes::ANNOTATION)) {
                        let stem = format!("{} {name}", self.scopes.units[unit].stem());
                        name = names::identifier(&stem, names::Case::Camel);
                    }
                    let text = format!("{id}({}) :{}", targets.join(", "), self.scopes.text(ty));
                    self.file_notes.set(format!("{}{name}", notes::ANNOTATION), text);
                    self.declared.insert(node, name);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Keeps annotations as the files write them, with names that our own files have.
    pub(super) fn annotations(&mut self, env: &Env, all: &'a [Applied], out: &mut Notes) -> Result<()> {
        let mut texts = Vec::new();
        for applied in all {
            let meaning = self.scopes.meaning(env, &applied.name, applied.at, 0)?;
            let node = match meaning {
                Meaning::Node(node, _) => node,
                _ => return Err(self.scopes.error(env.node, applied.at, "found a type, expected an annotation")),
            };
            let Some(What::Annotation { ty, .. }) = self.scopes.nodes[node].decl.map(|decl| &decl.what) else {
                return Err(self.scopes.error(env.node, applied.at, "this is no annotation"));
            };
            let parent = self.scopes.nodes[node].parent.unwrap_or(node);
            let ty = self.scopes.type_of(&Env { node: parent, args: Vec::new() }, ty)?;
            let alias = self.scopes.units[self.scopes.nodes[node].unit].alias;
            let name = match (alias, self.declared.get(&node)) {
                (Some(alias), _) => format!("{alias}.{}", self.scopes.path(node)),
                (None, Some(name)) => name.clone(),
                (None, None) => self.scopes.path(node),
            };
            let mut text = format!("${name}");
            if let Some(value) = &applied.value {
                if !matches!(self.scopes.ty(ty), Ty::Pointer(_)) {
                    self.values.eval(&mut self.scopes, env, ty, value)?;
                }
                let mut inside = String::new();
                self.values.text(&mut self.scopes, env, value, 0, &mut inside)?;
                text.push_str(&if inside.starts_with('(') { inside } else { format!("({inside})") });
            }
            texts.push(text);
        }
        if !texts.is_empty() {
            out.set(notes::ANNOTATIONS, texts.join(" "));
        }
        Ok(())
    }

    /// The name of a struct or enum, which is made later when it is new.
    fn name_of(&mut self, ty: TyId) -> String {
        if let Some(name) = self.names.get(&ty) {
            return name.clone();
        }
        let (node, args) = match self.scopes.ty(ty) {
            Ty::Struct(node, args) => (*node, args.clone()),
            Ty::Enum(node) => (*node, Vec::new()),
            _ => return String::new(),
        };
        let decl = self.scopes.nodes[node].decl;
        let noted = decl.and_then(|decl| docs::split(decl.doc.as_deref().unwrap_or_default()).1.take("name"));
        let name = match noted.filter(|_| args.is_empty()) {
            Some(name) => self.claim(name),
            None => {
                let mut path = self.path_of(node, &args);
                if !self.namespace.is_empty() {
                    path = format!("{}.{path}", self.namespace);
                }
                if self.taken.contains(&path) && self.scopes.nodes[node].unit != 0 {
                    path = format!("{}.{path}", self.scopes.units[self.scopes.nodes[node].unit].stem());
                }
                self.claim(path)
            }
        };
        self.used.insert(node);
        self.names.insert(ty, name.clone());
        self.queue.push_back(ty);
        name
    }

    /// The path of a struct with its arguments as words: `MapOfTextAndPerson.Entry`.
    fn path_of(&self, node: NodeId, args: &[TyId]) -> String {
        let mut parts = Vec::new();
        let mut at = Some(node);
        while let Some(id) = at {
            let node = &self.scopes.nodes[id];
            if let Some(decl) = node.decl {
                let own = args.get(node.outer_params..).unwrap_or_default();
                let own: Vec<&TyId> = own.iter().take(decl.params.len()).collect();
                let is_bound = own.iter().any(|&&arg| self.scopes.text(arg) != "AnyPointer");
                let words: Vec<String> = own.iter().map(|&&arg| self.word_of(arg)).collect();
                let of = if is_bound { format!("Of{}", words.join("And")) } else { String::new() };
                parts.push(format!("{}{of}", decl.name.text));
            }
            at = node.parent;
        }
        parts.reverse();
        parts.join(".")
    }

    fn word_of(&self, ty: TyId) -> String {
        match self.scopes.ty(ty) {
            Ty::List(item) => format!("ListOf{}", self.word_of(*item)),
            Ty::Struct(node, args) => self.path_of(*node, args).replace('.', ""),
            Ty::Pointer(text) => names::identifier(text, names::Case::Pascal),
            _ => self.scopes.text(ty).replace('.', ""),
        }
    }

    /// The type as schema files write it.
    pub(super) fn type_json(&mut self, ty: TyId) -> Json {
        match *self.scopes.ty(ty) {
            Ty::Void => Json::from("null"),
            Ty::Bool => Json::from("bool"),
            Ty::Int(int) => Json::from(format!("{}int{}", if int.signed() { "" } else { "u" }, int.bits())),
            Ty::Float(float) => Json::from(if float == Float::F32 { "float32" } else { "float64" }),
            Ty::Text => Json::from("string"),
            Ty::Data => Json::from("bytes"),
            Ty::List(item) => json!({"list": self.type_json(item)}),
            Ty::Enum(_) | Ty::Struct(..) => Json::from(self.name_of(ty)),
            Ty::Pointer(_) => Json::from("any"),
        }
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

    /// Ordinals count from 0 without gaps, each once.
    fn check_ordinals(&mut self, node: NodeId, members: &[Member]) -> Result<()> {
        if !self.ordinals.insert(node) {
            return Ok(());
        }
        let mut all = Vec::new();
        ordinals(members, &mut all);
        all.sort_unstable();
        for (expected, window) in all.iter().enumerate() {
            let (ordinal, at) = *window;
            if ordinal as usize == expected {
                continue;
            }
            if expected > 0 && all[expected - 1].0 == ordinal {
                let first = self.place(node, all[expected - 1].1);
                let what = format!("found @{ordinal}, which is taken");
                return Err(self.scopes.error(node, at, what).related(first, "first used"));
            }
            let what = format!("found @{ordinal}, expected @{expected}: numbers have no gaps");
            return Err(self.scopes.error(node, at, what));
        }
        Ok(())
    }

    /// The structs that the default of these members has behind pointers: those that a union begins with.
    fn default_structs(&mut self, env: &Env, members: &'a [Member]) -> Result<Vec<TyId>> {
        let mut all = Vec::new();
        for member in members {
            match &member.form {
                Form::Group(members) => all.extend(self.default_structs(env, members)?),
                Form::Union(members) => {
                    let first = members.iter().min_by_key(|member| least_ordinal(std::slice::from_ref(*member)));
                    let Some(first) = first else { continue };
                    match &first.form {
                        Form::Group(members) => all.extend(self.default_structs(env, members)?),
                        Form::Union(_) => all.extend(self.default_structs(env, std::slice::from_ref(first))?),
                        _ => all.extend(self.default_struct(env, first)?),
                    }
                }
                _ => {}
            }
        }
        Ok(all)
    }

    /// The struct that a field is of, when its default is that struct's.
    pub(super) fn default_struct(&mut self, env: &Env, member: &'a Member) -> Result<Option<TyId>> {
        let Form::Field { ty, default: None } = &member.form else { return Ok(None) };
        let ty = self.scopes.type_of(env, ty)?;
        Ok(matches!(self.scopes.ty(ty), Ty::Struct(..)).then_some(ty))
    }

    fn finish(mut self) -> Result<Module> {
        // A union that begins with a struct that begins with a union, and so on without end, may have no member.
        let mut ends: HashSet<TyId> = HashSet::new();
        let mut users: HashMap<TyId, Vec<TyId>> = HashMap::new();
        let mut open: HashMap<TyId, usize> = HashMap::new();
        for (&ty, structs) in &self.defaults {
            open.insert(ty, structs.len());
            structs.iter().for_each(|&inner| users.entry(inner).or_default().push(ty));
        }
        let mut todo: Vec<TyId> = open.iter().filter(|(_, count)| **count == 0).map(|(&ty, _)| ty).collect();
        while let Some(ty) = todo.pop() {
            ends.insert(ty);
            for &user in users.get(&ty).into_iter().flatten() {
                let count = open.entry(user).or_default();
                *count -= 1;
                if *count == 0 {
                    todo.push(user);
                }
            }
        }
        for &(ty, oneof, inner) in &self.endless {
            if self.defaults.contains_key(&inner) && !ends.contains(&inner) {
                self.types[ty]["oneofs"][oneof]["required"] = Json::from(false);
            }
        }
        let noted_root = take_json(&mut self.file_notes, "root");
        let unit = &self.scopes.units[0];
        let root = match noted_root {
            Some(root) => Some(root.map_err(|_| unit.error(0, "the note root cannot be read"))?),
            None => None,
        };
        let first = self.types.iter().position(|ty| ty.get("record").is_some()).unwrap_or_default();
        let Some(default) = self.types.get(first) else {
            return Err(unit.error(0, "the file declares no type"));
        };
        let default = name_of(default).map(Json::from);
        let named = self.types.iter().filter_map(name_of);
        let of_root = root.as_ref().and_then(Json::as_str).filter(|root| named.clone().any(|name| name == *root));
        if unit.file.id == Some(super::derived_id(of_root, named.clone())) {
            self.file_notes.take(notes::ID);
        }
        let mut file = json!({
            "wirewise": wirewise_core::schema::FILE_VERSION,
            "root": root.clone().or(default),
            "types": self.types,
        });
        if let Json::Object(file) = &mut file {
            set_notes(file, &self.file_notes);
        }
        let schema = Schema::parse(&file.to_string()).map_err(|error| self.placed(error))?;
        let module_root = root.map(|_| schema.root());
        Ok(Module { root: module_root, schema, places: self.places, notices: self.notices })
    }

    /// An error of the model at the place of the type or field that it names.
    fn placed(&self, error: wirewise_core::Error) -> Error {
        let text = error.to_string();
        let number = |after: &str| {
            let rest = &text[text.find(after)? + after.len()..];
            rest[..rest.find(']')?].parse::<usize>().ok()
        };
        let named = |what: &str| {
            let rest = &text[text.find(what)? + what.len()..];
            let name = rest.split([' ', '"', ',']).next()?;
            self.types.iter().position(|ty| ty.get("record").or(ty.get("enum")).is_some_and(|known| known == name))
        };
        let ty = number("$.types[").or_else(|| named("record ")).or_else(|| named("enum "));
        let place = ty.and_then(|ty| {
            let id = TypeId::from_index(ty);
            let element = number(".fields[").map_or(Element::Type(id), |field| Element::Field(id, field));
            self.places.get(element).cloned()
        });
        Error::from(error).or_at(place.unwrap_or_else(|| self.scopes.units[0].place(0)))
    }
}

/// The name of a type in the form of the schema file.
fn name_of(ty: &Json) -> Option<&str> {
    ["record", "enum", "union"].iter().find_map(|what| ty.get(what)?.as_str())
}

fn ordinals(members: &[Member], all: &mut Vec<(u32, usize)>) {
    for member in members {
        all.extend(member.ordinal);
        if let Form::Group(members) | Form::Union(members) = &member.form {
            ordinals(members, all);
        }
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
