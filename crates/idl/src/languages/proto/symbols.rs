//! Every name that is declared, and the rules by which one is found.

use std::collections::HashMap;

use wirewise_formats::protobuf::notes::EXTENSION;

use crate::{Error, Place, Result, docs, keys};

use super::ast::{At, Enum, Field, File, Item, Message, TypeRef};
use super::features::Features;
use super::load::Loaded;
use super::names;

/// All declarations of some files.
pub(super) struct Symbols<'a> {
    pub(super) loaded: &'a Loaded,
    scopes: Vec<Scope<'a>>,
    names: HashMap<(ScopeId, &'a str), Symbol>,
    /// The files that a package, by its scope, is in.
    packages: HashMap<ScopeId, Vec<usize>>,
    /// Messages and enums, each before those inside it.
    pub(super) types: Vec<Decl<'a>>,
    pub(super) extensions: Vec<Extension<'a>>,
}

/// A package or message, which has names inside.
pub(super) type ScopeId = u32;

/// What is around everything.
const ROOT: ScopeId = 0;

struct Scope<'a> {
    parent: ScopeId,
    name: &'a str,
}

#[derive(Debug, Clone, Copy)]
struct Symbol {
    what: What,
    file: usize,
    at: At,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Package(ScopeId),
    /// By its place in [`Symbols::types`].
    Type(usize),
    Extension(usize),
    /// A field, a oneof, an enum's value, a service.
    Other,
}

/// A message or enum.
pub(super) struct Decl<'a> {
    pub(super) file: usize,
    /// Its own scope; that around it for an enum.
    pub(super) scope: ScopeId,
    pub(super) node: Node<'a>,
    pub(super) full_name: String,
    /// Its name in the model, which a note may say.
    pub(super) model_name: String,
    pub(super) features: Features,
}

#[derive(Clone, Copy)]
pub(super) enum Node<'a> {
    Message(&'a Message),
    Enum(&'a Enum),
}

/// An extension.
pub(super) struct Extension<'a> {
    pub(super) file: usize,
    /// Where it is declared.
    pub(super) scope: ScopeId,
    pub(super) field: &'a Field,
    pub(super) full_name: String,
    /// Its full name in the model, which a note may say.
    pub(super) model_name: String,
    pub(super) features: Features,
    /// The message that it extends.
    pub(super) extendee: usize,
}

/// What a note in a comment says.
fn noted(comment: &Option<String>, key: &str) -> Option<String> {
    let comment = comment.as_deref().filter(|comment| comment.contains(docs::MARK))?;
    docs::split(comment).1.take(key)
}

impl<'a> Symbols<'a> {
    /// Collects the declarations of all files, and finds what extensions extend.
    pub(super) fn new(loaded: &'a Loaded) -> Result<Symbols<'a>> {
        let mut symbols = Symbols {
            loaded,
            scopes: vec![Scope { parent: ROOT, name: "" }],
            names: HashMap::new(),
            packages: HashMap::new(),
            types: Vec::new(),
            extensions: Vec::new(),
        };
        for (file, node) in loaded.files.iter().enumerate() {
            let mut scope = ROOT;
            if let Some(package) = &node.package {
                for part in package.text.split('.') {
                    scope = symbols.package(scope, part, file, package.at)?;
                }
            }
            symbols.packages.entry(scope).or_default().push(file);
            let features = Features::of(node.syntax).with(&node.options, node)?;
            symbols.items(&node.items, scope, file, features)?;
            for service in &node.services {
                symbols.declare(scope, &service.text, What::Other, file, service.at)?;
            }
        }
        for place in 0..symbols.extensions.len() {
            let Extension { file, scope, field, .. } = symbols.extensions[place];
            let name = field.extendee.as_ref().expect("an extension extends something");
            let found = symbols.resolve(file, scope, name)?;
            if let Node::Enum(_) = symbols.types[found].node {
                return Err(symbols.error(file, name.at, format!("{:?} is an enum, expected a message", name.text)));
            }
            symbols.extensions[place].extendee = found;
        }
        Ok(symbols)
    }

    pub(super) fn file(&self, file: usize) -> &'a File {
        &self.loaded.files[file]
    }

    pub(super) fn place(&self, file: usize, at: At) -> Place {
        self.file(file).origin.place(at)
    }

    pub(super) fn error(&self, file: usize, at: At, what: impl Into<String>) -> Error {
        Error::at(self.place(file, at), what)
    }

    fn new_scope(&mut self, parent: ScopeId, name: &'a str) -> ScopeId {
        self.scopes.push(Scope { parent, name });
        (self.scopes.len() - 1) as ScopeId
    }

    fn package(&mut self, parent: ScopeId, name: &'a str, file: usize, at: At) -> Result<ScopeId> {
        let scope = match self.names.get(&(parent, name)) {
            Some(Symbol { what: What::Package(scope), .. }) => *scope,
            _ => {
                let scope = self.new_scope(parent, name);
                self.declare(parent, name, What::Package(scope), file, at)?;
                scope
            }
        };
        let files = self.packages.entry(scope).or_default();
        if files.last() != Some(&file) {
            files.push(file);
        }
        Ok(scope)
    }

    fn declare(&mut self, scope: ScopeId, name: &'a str, what: What, file: usize, at: At) -> Result<()> {
        if let Some(first) = self.names.insert((scope, name), Symbol { what, file, at }) {
            let around = self.full_name(scope);
            let around = if around.is_empty() { String::new() } else { format!(" in {around}") };
            let error = self.error(file, at, format!("{name:?} is declared twice{around}"));
            return Err(error.related(self.place(first.file, first.at), "first declared"));
        }
        Ok(())
    }

    /// The full name of a scope; empty for what is around everything.
    pub(super) fn full_name(&self, mut scope: ScopeId) -> String {
        let mut parts = Vec::new();
        while scope != ROOT {
            parts.push(self.scopes[scope as usize].name);
            scope = self.scopes[scope as usize].parent;
        }
        parts.reverse();
        parts.join(".")
    }

    fn inside(&self, scope: ScopeId, name: &str) -> String {
        let around = self.full_name(scope);
        if around.is_empty() { name.to_owned() } else { format!("{around}.{name}") }
    }

    fn full_name_of(&self, scope: ScopeId, name: &str, file: usize, at: At) -> Result<String> {
        const LONGEST: usize = 2048;
        let full = self.inside(scope, name);
        if full.len() > LONGEST {
            return Err(self.error(file, at, format!("the full name is longer than {LONGEST}")));
        }
        Ok(full)
    }

    fn items(&mut self, items: &'a [Item], scope: ScopeId, file: usize, features: Features) -> Result<()> {
        for item in items {
            match item {
                Item::Message(message) => {
                    let name = &message.name;
                    let features = features.with(&message.options, self.file(file))?;
                    let inner = self.new_scope(scope, &name.text);
                    self.add(Node::Message(message), scope, inner, name, file, features)?;
                    for field in &message.fields {
                        self.declare(inner, &field.name.text, What::Other, file, field.name.at)?;
                    }
                    for oneof in &message.oneofs {
                        self.declare(inner, &oneof.name.text, What::Other, file, oneof.name.at)?;
                    }
                    self.items(&message.items, inner, file, features)?;
                    // The message that is a map's entry has a name too.
                    for field in message.fields.iter().filter(|field| matches!(field.ty, TypeRef::Map(..))) {
                        let entry = names::entry(&field.name.text);
                        if let Some(taken) = self.names.get(&(inner, entry.as_str())) {
                            let what =
                                format!("the map {:?} needs the name {entry:?} for its entries", field.name.text);
                            let error = self.error(file, field.name.at, what);
                            return Err(error.related(self.place(taken.file, taken.at), "also declared"));
                        }
                    }
                }
                Item::Enum(e) => {
                    let features = features.with(&e.options, self.file(file))?;
                    self.add(Node::Enum(e), scope, scope, &e.name, file, features)?;
                    for value in &e.values {
                        // Values stand beside their enum, not inside it.
                        self.declare(scope, &value.name.text, What::Other, file, value.name.at).map_err(|error| {
                            error.hint("the values of an enum have the scope of the enum itself, as in C++")
                        })?;
                    }
                }
                Item::Extension(field) => {
                    let name = &field.name;
                    let what = What::Extension(self.extensions.len());
                    // In notes, extensions have their full names.
                    let full_name = if name.text.contains('.') {
                        name.text.clone()
                    } else {
                        self.full_name_of(scope, &name.text, file, name.at)?
                    };
                    self.declare(scope, &name.text, what, file, name.at)?;
                    let model_name = noted(&field.comment, EXTENSION).unwrap_or_else(|| full_name.clone());
                    let extension = Extension { file, scope, field, full_name, model_name, features, extendee: 0 };
                    self.extensions.push(extension);
                }
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        node: Node<'a>,
        around: ScopeId,
        scope: ScopeId,
        name: &'a super::ast::Name,
        file: usize,
        features: Features,
    ) -> Result<()> {
        let full_name = self.full_name_of(around, &name.text, file, name.at)?;
        self.declare(around, &name.text, What::Type(self.types.len()), file, name.at)?;
        let comment = match node {
            Node::Message(message) => &message.comment,
            Node::Enum(e) => &e.comment,
        };
        let model_name = noted(comment, keys::NAME).unwrap_or_else(|| full_name.clone());
        self.types.push(Decl { file, scope, node, full_name, model_name, features });
        Ok(())
    }

    fn sees(&self, file: usize, symbol: &Symbol) -> bool {
        let visible = &self.loaded.visible[file];
        match symbol.what {
            What::Package(scope) => self.packages[&scope].iter().any(|file| visible.contains(file)),
            _ => visible.contains(&symbol.file),
        }
    }

    fn get(&self, file: usize, scope: ScopeId, name: &str) -> Option<Symbol> {
        self.names.get(&(scope, name)).copied().filter(|symbol| self.sees(file, symbol))
    }

    /// What a symbol has inside.
    fn scope_of(&self, symbol: &Symbol) -> Option<ScopeId> {
        match symbol.what {
            What::Package(scope) => Some(scope),
            What::Type(place) if matches!(self.types[place].node, Node::Message(_)) => Some(self.types[place].scope),
            _ => None,
        }
    }

    /// Follows names from a scope inwards.
    fn descend(&self, file: usize, mut scope: ScopeId, path: &str) -> Option<Symbol> {
        let mut parts = path.split('.').peekable();
        while let Some(part) = parts.next() {
            let symbol = self.get(file, scope, part)?;
            if parts.peek().is_none() {
                return Some(symbol);
            }
            scope = self.scope_of(&symbol)?;
        }
        None
    }

    /// What a name means in a scope: the innermost scope that has its first part decides, if that can have the rest
    /// inside, or is what is looked for.
    fn lookup(&self, file: usize, scope: ScopeId, name: &str, wanted: impl Fn(What) -> bool) -> Option<Symbol> {
        if let Some(full) = name.strip_prefix('.') {
            return self.descend(file, ROOT, full).filter(|symbol| wanted(symbol.what));
        }
        let (first, rest) = name.split_once('.').map_or((name, None), |(first, rest)| (first, Some(rest)));
        let mut around = scope;
        loop {
            if let Some(symbol) = self.get(file, around, first) {
                match rest {
                    None if wanted(symbol.what) => return Some(symbol),
                    Some(rest) => {
                        if let Some(inner) = self.scope_of(&symbol) {
                            return self.descend(file, inner, rest).filter(|symbol| wanted(symbol.what));
                        }
                    }
                    None => {}
                }
            }
            if around == ROOT {
                return None;
            }
            around = self.scopes[around as usize].parent;
        }
    }

    /// The message or enum that a name means in a scope.
    pub(super) fn resolve(&self, file: usize, scope: ScopeId, name: &super::ast::Name) -> Result<usize> {
        match self.lookup(file, scope, &name.text, |what| matches!(what, What::Type(_))) {
            Some(Symbol { what: What::Type(place), .. }) => Ok(place),
            _ => Err(self.unknown(file, scope, name, "type", |what| matches!(what, What::Type(_)))),
        }
    }

    /// The type that a name means, without an error.
    pub(super) fn type_named(&self, file: usize, scope: ScopeId, name: &str) -> Option<usize> {
        match self.lookup(file, scope, name, |what| matches!(what, What::Type(_)))?.what {
            What::Type(place) => Some(place),
            _ => None,
        }
    }

    /// The extension that a name means in a scope.
    pub(super) fn extension(&self, file: usize, scope: ScopeId, name: &super::ast::Name) -> Result<usize> {
        let wanted = |what| matches!(what, What::Extension(_));
        match self.lookup(file, scope, &name.text, wanted) {
            Some(Symbol { what: What::Extension(place), .. }) => Ok(place),
            _ => Err(self.unknown(file, scope, name, "custom option", wanted)),
        }
    }

    fn unknown(
        &self,
        file: usize,
        scope: ScopeId,
        name: &super::ast::Name,
        what: &str,
        wanted: impl Fn(What) -> bool,
    ) -> Error {
        let error = self.error(file, name.at, format!("there is no {what} {:?}", super::lexer::short(&name.text)));
        let hidden = self.lookup(file, ROOT, &name.text, &wanted).is_some();
        if hidden && !name.text.starts_with('.') {
            let hint = format!(
                "a nearer {:?} hides it: write .{}",
                name.text.split('.').next().unwrap_or_default(),
                name.text
            );
            return error.hint(hint);
        }
        // Perhaps it is there, and was not imported.
        let elsewhere = |other: usize| self.lookup(other, scope, &name.text, &wanted).map(|symbol| symbol.file);
        match (0..self.loaded.files.len()).find_map(elsewhere) {
            Some(other) => {
                let path = &self.file(other).path;
                error.hint(format!("it is declared in {path:?}, which this file does not import"))
            }
            None if matches!(super::names::plain_type(&name.text), Some(scalar) if scalar != name.text) => {
                error.hint(format!("did you mean {}?", super::names::plain_type(&name.text).unwrap_or_default()))
            }
            None => error,
        }
    }

    /// The scope of a file's package.
    pub(super) fn package_scope(&self, file: usize) -> ScopeId {
        let parts = self.file(file).package.iter().flat_map(|name| name.text.split('.'));
        parts.fold(ROOT, |scope, part| match self.names.get(&(scope, part)) {
            Some(Symbol { what: What::Package(inner), .. }) => *inner,
            _ => scope,
        })
    }

    /// The scope of a message that is called `name` in `scope`; that itself when there is none.
    pub(super) fn scope_named(&self, scope: ScopeId, name: &str) -> ScopeId {
        self.names.get(&(scope, name)).and_then(|symbol| self.scope_of(symbol)).unwrap_or(scope)
    }
}
