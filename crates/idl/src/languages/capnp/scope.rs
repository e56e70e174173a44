//! Names to what they mean: declarations, aliases, types and their arguments.

use std::collections::HashMap;

use wirewise_core::{Float, Int};

use super::ast::{Base, Decl, Expr, ExprForm, Name, Part, Path, What};
use super::parser::shortened;
use super::unit::Unit;
use crate::{Error, Result};

/// The place of a declaration in [`Scopes`].
pub(super) type NodeId = usize;

/// The place of a type in [`Scopes`]: equal types have one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct TyId(pub(super) usize);

/// A type, with its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Ty {
    Void,
    Bool,
    Int(Int),
    Float(Float),
    Text,
    Data,
    List(TyId),
    Enum(NodeId),
    /// With arguments for the parameters of all declarations around it, the outermost first.
    Struct(NodeId, Vec<TyId>),
    /// A pointer that the model cannot say, as the file calls it.
    Pointer(String),
}

/// A declaration, or a file.
pub(super) struct Node<'a> {
    pub(super) unit: usize,
    pub(super) parent: Option<NodeId>,
    /// None has only a file.
    pub(super) decl: Option<&'a Decl>,
    pub(super) children: HashMap<&'a str, NodeId>,
    /// Parameters of the declarations around it.
    pub(super) outer_params: usize,
}

impl<'a> Node<'a> {
    pub(super) fn params(&self) -> &'a [Name] {
        self.decl.map_or(&[], |decl| &decl.params)
    }
}

/// Where something is said: names are looked up from there, and parameters have these values.
#[derive(Debug, Clone)]
pub(super) struct Env {
    pub(super) node: NodeId,
    pub(super) args: Vec<TyId>,
}

/// What a name means.
#[derive(Debug, Clone)]
pub(super) enum Meaning {
    /// A declaration, with arguments as far as they are known.
    Node(NodeId, Vec<TyId>),
    Type(TyId),
    /// `List`, which needs an argument.
    List,
}

/// All declarations of all files.
pub(super) struct Scopes<'a> {
    pub(super) units: &'a [Unit],
    pub(super) nodes: Vec<Node<'a>>,
    types: Vec<(Ty, String, usize)>,
    known: HashMap<Ty, TyId>,
    aliases: HashMap<NodeId, Meaning>,
}

/// How often one alias may lead to another.
const MOST_ALIASES: usize = 64;

/// The longest text of a type with its arguments: those in each other can double it again and again.
const LONGEST_TYPE: usize = 1000;

impl<'a> Scopes<'a> {
    pub(super) fn new(units: &'a [Unit]) -> Result<Self> {
        let mut scopes =
            Scopes { units, nodes: Vec::new(), types: Vec::new(), known: HashMap::new(), aliases: HashMap::new() };
        // Files come first: the node of a file is the place of its unit.
        for unit in 0..units.len() {
            let children = HashMap::new();
            scopes.nodes.push(Node { unit, parent: None, decl: None, children, outer_params: 0 });
        }
        for (unit, file) in units.iter().enumerate() {
            scopes.declare(unit, &file.file.decls)?;
        }
        Ok(scopes)
    }

    fn declare(&mut self, parent: NodeId, decls: &'a [Decl]) -> Result<()> {
        let unit = self.nodes[parent].unit;
        let outer_params = self.nodes[parent].outer_params + self.nodes[parent].params().len();
        for decl in decls {
            let id = self.nodes.len();
            let children = HashMap::new();
            self.nodes.push(Node { unit, parent: Some(parent), decl: Some(decl), children, outer_params });
            if let Some(first) = self.nodes[parent].children.insert(&decl.name.text, id) {
                let first = self.nodes[first].decl.map_or(0, |decl| decl.name.at);
                return Err(self.twice(unit, &decl.name, first));
            }
            self.declare(id, &decl.nested)?;
        }
        Ok(())
    }

    /// The error of a name that is taken.
    #[cold]
    pub(super) fn twice(&self, unit: usize, name: &Name, first: usize) -> Error {
        let unit = &self.units[unit];
        unit.error(name.at, format!("{:?} is declared twice in this scope", shortened(&name.text)))
            .related(unit.place(first), "first declared")
    }

    /// Something wrong in the file of a node.
    #[cold]
    pub(super) fn error(&self, node: NodeId, at: usize, what: impl Into<String>) -> Error {
        self.units[self.nodes[node].unit].error(at, what)
    }

    pub(super) fn ty(&self, id: TyId) -> &Ty {
        &self.types[id.0].0
    }

    /// A type as files write it, without spaces.
    pub(super) fn text(&self, id: TyId) -> &str {
        &self.types[id.0].1
    }

    /// The names of the declarations around a node, and its own, with dots.
    pub(super) fn path(&self, node: NodeId) -> String {
        let mut names = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at {
            names.extend(self.nodes[node].decl.map(|decl| decl.name.text.as_str()));
            at = self.nodes[node].parent;
        }
        names.reverse();
        names.join(".")
    }

    /// The place of a type; `at` says where it is used, for the error of one that is too large.
    pub(super) fn intern(&mut self, ty: Ty, node: NodeId, at: usize) -> Result<TyId> {
        if let Some(&id) = self.known.get(&ty) {
            return Ok(id);
        }
        let (text, depth) = match &ty {
            Ty::Void => ("Void".to_owned(), 0),
            Ty::Bool => ("Bool".to_owned(), 0),
            Ty::Int(int) => (format!("{}Int{}", if int.signed() { "" } else { "U" }, int.bits()), 0),
            Ty::Float(float) => (format!("Float{}", if *float == Float::F32 { 32 } else { 64 }), 0),
            Ty::Text => ("Text".to_owned(), 0),
            Ty::Data => ("Data".to_owned(), 0),
            Ty::List(item) => (format!("List({})", self.text(*item)), self.types[item.0].2 + 1),
            Ty::Enum(node) => (self.path(*node), 0),
            Ty::Struct(node, args) => {
                let depth = args.iter().map(|arg| self.types[arg.0].2 + 1).max().unwrap_or(0);
                (self.struct_text(*node, args), depth)
            }
            Ty::Pointer(text) => (text.clone(), 0),
        };
        if text.len() > LONGEST_TYPE || depth > super::parser::DEEPEST {
            return Err(self
                .error(node, at, "this type is too large, with all its arguments")
                .hint("a generic type must not use itself with ever more arguments"));
        }
        let id = TyId(self.types.len());
        self.types.push((ty.clone(), text, depth));
        self.known.insert(ty, id);
        Ok(id)
    }

    fn struct_text(&self, node: NodeId, args: &[TyId]) -> String {
        let mut chain = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at {
            chain.push(node);
            at = self.nodes[node].parent;
        }
        let mut text = String::new();
        for node in chain.into_iter().rev() {
            let node = &self.nodes[node];
            let Some(decl) = node.decl else { continue };
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(&decl.name.text);
            let own = args.get(node.outer_params..).unwrap_or_default();
            let own: Vec<&str> = own.iter().take(decl.params.len()).map(|&arg| self.text(arg)).collect();
            if !own.is_empty() && own.iter().any(|arg| *arg != "AnyPointer") {
                text.push_str(&format!("({})", own.join(",")));
            }
        }
        text
    }

    /// The type that an expression is.
    pub(super) fn type_of(&mut self, env: &Env, expr: &Expr) -> Result<TyId> {
        let ExprForm::Path(path) = &expr.form else {
            return Err(self.error(env.node, expr.at, "found a value, expected a type"));
        };
        let meaning = self.meaning(env, path, expr.at, 0)?;
        self.as_type(meaning, env.node, expr.at)
    }

    fn as_type(&mut self, meaning: Meaning, user: NodeId, at: usize) -> Result<TyId> {
        let (node, mut args) = match meaning {
            Meaning::Type(ty) => return Ok(ty),
            Meaning::List => return Err(self.error(user, at, "found List alone, expected List(T)")),
            Meaning::Node(node, args) => (node, args),
        };
        let ty = match self.nodes[node].decl.map(|decl| &decl.what) {
            Some(What::Struct(_)) => {
                let any = self.intern(Ty::Pointer("AnyPointer".to_owned()), user, at)?;
                args.resize(self.nodes[node].outer_params + self.nodes[node].params().len(), any);
                Ty::Struct(node, args)
            }
            // The model has no enums without symbols.
            Some(What::Enum(members)) if members.is_empty() => Ty::Int(Int::U16),
            Some(What::Enum(_)) => Ty::Enum(node),
            Some(What::Interface) => Ty::Pointer(self.path(node)),
            other => {
                let found = match other {
                    None => "a file",
                    Some(What::Const { .. }) => "a constant",
                    _ => "an annotation",
                };
                return Err(self.error(user, at, format!("found {found}, expected a type")));
            }
        };
        self.intern(ty, user, at)
    }

    /// What a name means.
    pub(super) fn meaning(&mut self, env: &Env, path: &Path, at: usize, aliases: usize) -> Result<Meaning> {
        let mut meaning = match &path.base {
            Base::Import(file) => match self.units[self.nodes[env.node].unit].imports.get(file) {
                Some(&unit) => Meaning::Node(unit, Vec::new()),
                None => return Err(self.error(env.node, at, "there is no such file to import")),
            },
            Base::Absolute(name) => {
                let file = self.nodes[env.node].unit;
                match self.nodes[file].children.get(name.as_str()) {
                    Some(&child) => self.follow(child, &[], aliases, env.node, at)?,
                    None => return Err(self.unknown(env.node, at, name)),
                }
            }
            Base::Name(name) => self.lookup(env, name, at, aliases)?,
        };
        for part in &path.parts {
            meaning = match part {
                Part::Member(name) => match meaning {
                    Meaning::Node(node, args) => match self.nodes[node].children.get(name.text.as_str()) {
                        Some(&child) => self.follow(child, &args, aliases, env.node, name.at)?,
                        None => return Err(self.unknown(env.node, name.at, &name.text)),
                    },
                    Meaning::Type(_) | Meaning::List => return Err(self.unknown(env.node, name.at, &name.text)),
                },
                Part::Apply(arguments, at) => self.apply(env, meaning, arguments, *at)?,
            };
        }
        Ok(meaning)
    }

    #[cold]
    fn unknown(&self, node: NodeId, at: usize, name: &str) -> Error {
        self.error(node, at, format!("found {:?}, which is not declared here", shortened(name)))
    }

    fn lookup(&mut self, env: &Env, name: &str, at: usize, aliases: usize) -> Result<Meaning> {
        let mut scope = Some(env.node);
        while let Some(id) = scope {
            let node = &self.nodes[id];
            if let Some(&child) = node.children.get(name) {
                return self.follow(child, &env.args, aliases, env.node, at);
            }
            if let Some(param) = node.params().iter().position(|param| param.text == name) {
                return match env.args.get(node.outer_params + param) {
                    Some(&ty) => Ok(Meaning::Type(ty)),
                    None => self.intern(Ty::Pointer("AnyPointer".to_owned()), env.node, at).map(Meaning::Type),
                };
            }
            scope = node.parent;
        }
        let ty = match name {
            "List" => return Ok(Meaning::List),
            "Void" => Ty::Void,
            "Bool" => Ty::Bool,
            "Int8" => Ty::Int(Int::I8),
            "Int16" => Ty::Int(Int::I16),
            "Int32" => Ty::Int(Int::I32),
            "Int64" => Ty::Int(Int::I64),
            "UInt8" => Ty::Int(Int::U8),
            "UInt16" => Ty::Int(Int::U16),
            "UInt32" => Ty::Int(Int::U32),
            "UInt64" => Ty::Int(Int::U64),
            "Float32" => Ty::Float(Float::F32),
            "Float64" => Ty::Float(Float::F64),
            "Text" => Ty::Text,
            "Data" => Ty::Data,
            "AnyPointer" | "AnyStruct" | "AnyList" | "Capability" => Ty::Pointer(name.to_owned()),
            _ => return Err(self.unknown(env.node, at, name)),
        };
        self.intern(ty, env.node, at).map(Meaning::Type)
    }

    /// A declaration, or what it is an alias of. `args` are those of the scope that it was found in, or more.
    fn follow(&mut self, node: NodeId, args: &[TyId], aliases: usize, user: NodeId, at: usize) -> Result<Meaning> {
        let count = self.nodes[node].outer_params;
        let args = args[..args.len().min(count)].to_vec();
        let Some(What::Using(target)) = self.nodes[node].decl.map(|decl| &decl.what) else {
            return Ok(Meaning::Node(node, args));
        };
        if let Some(meaning) = self.aliases.get(&node) {
            return Ok(meaning.clone());
        }
        if aliases == MOST_ALIASES {
            let what = format!("aliases lead to each other more than {MOST_ALIASES} times");
            return Err(self.error(user, at, what).hint("an alias must not lead to itself"));
        }
        let ExprForm::Path(path) = &target.form else {
            return Err(self.error(node, target.at, "found a value, expected a name"));
        };
        let scope = self.nodes[node].parent.unwrap_or(node);
        let env = Env { node: scope, args };
        let meaning = self.meaning(&env, path, target.at, aliases + 1)?;
        if count == 0 {
            self.aliases.insert(node, meaning.clone());
        }
        Ok(meaning)
    }

    fn apply(&mut self, env: &Env, meaning: Meaning, arguments: &[(Option<Name>, Expr)], at: usize) -> Result<Meaning> {
        let mut types = Vec::with_capacity(arguments.len());
        for (name, argument) in arguments {
            if let Some(name) = name {
                return Err(self.error(env.node, name.at, "arguments of types have no names"));
            }
            types.push((self.type_of(env, argument)?, argument.at));
        }
        let expected = match &meaning {
            Meaning::List => 1,
            Meaning::Node(node, _) => self.nodes[*node].params().len(),
            Meaning::Type(_) => 0,
        };
        if types.len() != expected || expected == 0 {
            let what = format!("found {} arguments, expected {expected}", types.len());
            return Err(self.error(env.node, at, what));
        }
        let (node, mut args) = match meaning {
            Meaning::Node(node, args) => (node, args),
            _ => {
                let item = types[0].0;
                let ty = match self.ty(item) {
                    Ty::Pointer(text) => Ty::Pointer(format!("List({text})")),
                    _ => Ty::List(item),
                };
                return self.intern(ty, env.node, at).map(Meaning::Type);
            }
        };
        for &(ty, at) in &types {
            if !matches!(self.ty(ty), Ty::Text | Ty::Data | Ty::List(_) | Ty::Struct(..) | Ty::Pointer(_)) {
                let what = format!("found {}, but only types behind pointers can be arguments", self.text(ty));
                return Err(self.error(env.node, at, what));
            }
        }
        let any = self.intern(Ty::Pointer("AnyPointer".to_owned()), env.node, at)?;
        args.resize(self.nodes[node].outer_params, any);
        args.extend(types.into_iter().map(|(ty, _)| ty));
        Ok(Meaning::Node(node, args))
    }
}
