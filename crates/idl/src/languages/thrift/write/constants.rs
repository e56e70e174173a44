//! Constants, as they are kept in a note.

use std::collections::HashSet;

use wirewise_core::Kind;
use wirewise_formats::thrift::{self, notes};

use super::super::ast::{Item, Literal, TypeExpr, TypeRef, Value, What};
use super::super::parser::{annotations_text, escape, parse_const};
use super::super::{comments, values};
use super::Writer;

impl Writer<'_> {
    /// The constants, and whether these are all: others name what is no longer there.
    pub(super) fn constants(&mut self) -> (String, bool) {
        let text = self.schema.notes().get(notes::CONSTANTS).unwrap_or_default().to_owned();
        let (mut out, mut all) = (String::new(), true);
        let mut known: HashSet<String> = HashSet::new();
        for line in text.lines() {
            let constant = parse_const(line).and_then(|Item { name, head, what }| {
                let What::Const(ty, value) = what else { return None };
                let mut text = String::new();
                if let Some(doc) = &head.doc {
                    comments::write(std::slice::from_ref(doc), "", &mut text);
                }
                text.push_str(&format!("const {} {} = ", self.constant_type(&ty)?, name.text));
                self.constant_value(&value, &known, &mut text)?;
                text.push_str("\n\n");
                Some((name.text, text))
            });
            match constant {
                Some((name, text)) => {
                    known.insert(name);
                    out.push_str(&text);
                }
                None => all = false,
            }
        }
        (out, all)
    }

    /// A type with full names in the words of this file.
    fn constant_type(&self, ty: &TypeRef) -> Option<String> {
        let cpp = ty.cpp_type.as_ref().map_or(String::new(), |cpp| format!(" cpp_type \"{}\" ", escape(cpp)));
        let mut text = match &ty.expr {
            TypeExpr::Base(base) => base.name().to_owned(),
            TypeExpr::Named(name) => match (self.typedefs.get(name), self.idents.named(name)) {
                (Some((_, ident)), _) => ident.clone(),
                (None, Some(id)) => self.idents.of(id).to_owned(),
                (None, None) => return None,
            },
            TypeExpr::List(item) => format!("list{cpp}<{}>", self.constant_type(item)?),
            TypeExpr::Set(item) => format!("set{cpp}<{}>", self.constant_type(item)?),
            TypeExpr::Map(key, value) => {
                format!("map{cpp}<{}, {}>", self.constant_type(key)?, self.constant_type(value)?)
            }
        };
        annotations_text(&ty.annotations, &mut text);
        Some(text)
    }

    fn constant_value(&self, value: &Value, known: &HashSet<String>, out: &mut String) -> Option<()> {
        let Literal::Name(name) = &value.what else {
            let mut whole = Some(());
            values::write(&value.what, out, &mut |inner, out| {
                if self.constant_value(inner, known, out).is_none() {
                    whole = None;
                }
            });
            return whole;
        };
        if known.contains(name) {
            out.push_str(name);
            return Some(());
        }
        let (e, symbol) = name.rsplit_once('.')?;
        let id = self.idents.named(e)?;
        let Kind::Enum(kind) = self.schema.kind(id) else { return None };
        let position = kind.position_of(symbol.as_bytes()).filter(|_| !thrift::is_wide(kind))?;
        out.push_str(&format!("{}.{}", self.idents.of(id), self.idents.members(id)[position]));
        Some(())
    }
}
