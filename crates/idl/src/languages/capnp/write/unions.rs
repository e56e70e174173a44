//! The unions that the codec makes: of values that may not be there, of unions that are values, and the structs around
//! values that need one.

use wirewise_core::{Kind, Notes, TypeId, Union};
use wirewise_formats::capnp::shape::{Form, Member, What};

use super::Writer;
use super::comment::comment;
use super::structs::{camel, line};
use super::types::read_as;
use crate::Result;
use crate::names::Scope;

impl Writer<'_> {
    /// The members of the union of nothing and a value.
    pub(super) fn optional(&mut self, members: &[Member], from: TypeId, indent: usize, out: &mut String) -> Result<()> {
        for member in members {
            let Form::Slot { ordinal, ty } = member.form else { continue };
            match ty {
                None => line(out, indent, &format!("none @{ordinal} :Void;")),
                Some(ty) => {
                    let text = self.type_text(Some(from), ty)?;
                    line(out, indent, &format!("value @{ordinal} :{text};"));
                }
            }
        }
        Ok(())
    }

    /// The branches of a union; where it is declared with all that is known of them.
    pub(super) fn branches(
        &mut self,
        union: &Union,
        members: &[Member],
        is_declaration: bool,
        from: TypeId,
        indent: usize,
        out: &mut String,
    ) -> Result<()> {
        let schema = &self.module.schema;
        let mut scope = Scope::new(&["none"]);
        let idents: Vec<String> = union.branches.iter().map(|branch| camel(&mut scope, &branch.name)).collect();
        for member in members {
            let Form::Slot { ordinal, ty } = member.form else { continue };
            let (What::Branch(position), Some(ty)) = (member.what, ty) else {
                line(out, indent, &format!("none @{ordinal} :Void;"));
                continue;
            };
            let (branch, ident) = (&union.branches[position], &idents[position]);
            let mut notes = branch.notes.clone();
            let mut after = String::new();
            self.applied(&mut notes, &mut after);
            if *ident != branch.name {
                notes.set("name", branch.name.clone());
            }
            if ordinal + 1 != branch.number {
                notes.set("number", branch.number.to_string());
            }
            if read_as(schema, ty) != schema.type_json(ty) {
                notes.set("type", schema.type_json(ty).to_string());
            }
            let text = self.type_text(Some(from), ty)?;
            line(out, indent, &format!("{ident} @{ordinal} :{text}{after};"));
            if is_declaration {
                comment(branch.doc.as_deref(), &notes, indent, out);
            }
        }
        Ok(())
    }

    /// What a struct says that the codec puts around a value.
    pub(super) fn wrapper_body(&mut self, ty: TypeId, members: &[Member], what: &str) -> Result<String> {
        let schema = &self.module.schema;
        let mut out = String::new();
        comment(None, &Notes::default().with("wrapper", what), 1, &mut out);
        for member in members {
            let name = if member.what == What::Key { "key" } else { "value" };
            match &member.form {
                Form::Slot { ordinal, ty: Some(ty) } => {
                    let text = self.type_text(None, *ty)?;
                    line(&mut out, 1, &format!("{name} @{ordinal} :{text};"));
                }
                Form::Slot { .. } => {}
                Form::Union { members, .. } | Form::Group(members) => {
                    let inner = if let Kind::Nullable(inner) = *schema.kind(ty) { inner } else { ty };
                    let is_union = matches!(member.form, Form::Union { .. });
                    // A struct with nothing but a union needs no name for it.
                    let is_entry = matches!(schema.kind(ty), Kind::Map(..));
                    let open = match (schema.kind(inner), is_entry, is_union) {
                        (Kind::Union(_), false, true) => "union {".to_owned(),
                        (Kind::Union(_), false, false) => String::new(),
                        _ => format!("{name} :union {{"),
                    };
                    let indent = 1 + usize::from(!open.is_empty());
                    if !open.is_empty() {
                        line(&mut out, 1, &open);
                    }
                    for member in members {
                        let Form::Slot { ordinal, ty } = member.form else { continue };
                        let name = match (member.what, schema.kind(inner)) {
                            (What::Nothing, _) => "none".to_owned(),
                            (What::Branch(position), _) => format!("branch{position}"),
                            _ => "value".to_owned(),
                        };
                        let text = match ty {
                            Some(ty) => self.type_text(None, ty)?,
                            None => "Void".to_owned(),
                        };
                        line(&mut out, indent, &format!("{name} @{ordinal} :{text};"));
                    }
                    if !open.is_empty() {
                        line(&mut out, 1, "}");
                    }
                }
            }
        }
        Ok(out)
    }
}
