//! Names of types in the model, and types as the schema file writes them.

use serde_json::{Value as Json, json};
use wirewise_core::Float;

use super::build::Build;
use super::scope::{NodeId, Ty, TyId};
use crate::{docs, names};

impl Build<'_> {
    /// The name of a struct or enum, which is made later when it is new.
    pub(super) fn name_of(&mut self, ty: TyId) -> String {
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
}
