//! Constants and annotations: kept as notes, in words that our own files can have.

use wirewise_core::Notes;
use wirewise_formats::capnp::notes;

use super::ast::{Applied, ExprForm, What};
use super::build::Build;
use super::scope::{Env, Meaning, NodeId, Ty};
use crate::{Result, names};

impl<'a> Build<'a> {
    /// The constants that the file declares, and all annotations, as notes.
    pub(super) fn constants(&mut self, all: &[NodeId]) -> Result<()> {
        for &node in all {
            let (unit, parent) = (self.scopes.nodes[node].unit, self.scopes.nodes[node].parent.unwrap_or(node));
            let Some(decl) = self.scopes.nodes[node].decl else { continue };
            let env = Env { node: parent, args: Vec::new() };
            let id = decl.id.map(|id| format!("@{id:#018x} ")).unwrap_or_default();
            match &decl.what {
                What::Using(target) => {
                    // An alias that nobody uses must mean something too.
                    if let ExprForm::Path(path) = &target.form {
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
}
