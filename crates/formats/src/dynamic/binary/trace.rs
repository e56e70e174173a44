//! What a traced reader says about the bytes that it reads. Nothing here is called, or compiled, where nobody listens.

use std::fmt::Display;

use wirewise_core::{Float, Kind, Role, Schema, Tracer, TypeId, Union};

use super::decode::{Reader, integer_value};
use super::{Head, Input, Wire};
use crate::dynamic::show::{Bytes, Integer, Real, Text, value_type};

/// What a reader is in the middle of, as far as it says what bytes are for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Within {
    #[default]
    Value,
    /// A key, or the text of a symbol.
    Name,
    /// Something that the schema does not know.
    Unknown,
}

impl Within {
    fn payload(self) -> Role {
        match self {
            Within::Value => Role::Payload,
            Within::Name => Role::Name,
            Within::Unknown => Role::Unknown,
        }
    }

    fn or_unknown(self, role: Role) -> Role {
        if self == Within::Unknown { Role::Unknown } else { role }
    }
}

impl<W: Wire, T: Tracer> Reader<'_, W, T> {
    /// Says what the head from `start` to here is, of a value of type `ty` where that is known.
    #[cold]
    pub(super) fn trace_head(&mut self, start: usize, head: Head, ty: Option<TypeId>) {
        let Some(&first) = self.input.bytes.get(start) else { return };
        let end = self.input.pos;
        let schema = &self.codec.schema;
        let what = W::describe(first);
        let (role, value): (Role, &dyn Display) = match head {
            Head::Null => (self.within.payload(), &"null"),
            Head::Simple(_) => (self.within.payload(), &head.describe()),
            Head::Bool(true) => (self.within.payload(), &"true"),
            Head::Bool(false) => (self.within.payload(), &"false"),
            Head::Uint(_) | Head::Negative(_) => {
                let ty = ty.unwrap_or(schema.root());
                (self.within.payload(), &Integer { schema, ty, value: integer_value(head) })
            }
            Head::Float(value) => (self.within.payload(), &Real(value, width(schema, ty, end - start))),
            Head::String(Some(len)) | Head::Bytes(Some(len)) => (Role::Length, &counted(len, "byte")),
            Head::List(Some(len)) => (Role::Length, &counted(len, "element")),
            Head::Map(Some(len)) => (Role::Length, &counted(len, "entry")),
            Head::String(None) | Head::Bytes(None) | Head::List(None) | Head::Map(None) => {
                (Role::Length, &"up to a break")
            }
            Head::Extension(kind, len) => (Role::Tag, &format!("type {kind}, {}", counted(len, "byte"))),
            Head::Tag(tag) => (Role::Tag, &format!("tag {tag}")),
            Head::Break => (Role::Syntax, &""),
        };
        // The first byte of a number says what it is, the others are the number.
        let mut start = start;
        if matches!(head, Head::Uint(_) | Head::Negative(_) | Head::Float(_)) && end > start + 1 {
            let role = self.within.or_unknown(Role::Tag);
            self.tracer.span(start..start + 1, role, format_args!("{what}"), format_args!(""));
            start += 1;
        }
        let role = self.within.or_unknown(role);
        self.tracer.span(start..end, role, format_args!("{what}"), format_args!("{value}"));
    }

    /// Says that the `len` bytes before here are the text of a string.
    #[cold]
    pub(super) fn trace_text(&mut self, len: usize) {
        let end = self.input.pos;
        let value = Text(&self.input.bytes[end - len..end]);
        self.tracer.span(end - len..end, self.within.payload(), format_args!("text"), format_args!("{value}"));
    }

    /// Says that the `len` bytes before here are bytes.
    #[cold]
    pub(super) fn trace_bytes(&mut self, len: usize) {
        let end = self.input.pos;
        let value = Bytes(&self.input.bytes[end - len..end], None);
        self.tracer.span(end - len..end, self.within.payload(), format_args!("bytes"), format_args!("{value}"));
    }

    /// Says that the `len` bytes before here are an instant that reads as this number.
    #[cold]
    pub(super) fn trace_timestamp(&mut self, len: usize, ty: TypeId, value: i128) {
        let end = self.input.pos;
        let value = Integer { schema: &self.codec.schema, ty: value_type(&self.codec.schema, ty), value };
        self.tracer.span(end - len..end, self.within.payload(), format_args!("timestamp"), format_args!("{value}"));
    }

    /// Says that the `len` bytes before here are a key in its usual encoding: a head, and this name.
    #[cold]
    pub(super) fn trace_field_key(&mut self, len: usize, name: &str) {
        let (start, text) = (self.input.pos - len, self.input.pos - name.len());
        let what = W::describe(self.input.bytes[start]);
        let count = counted(name.len(), "byte");
        self.tracer.span(start..text, Role::Length, format_args!("{what}"), format_args!("{count}"));
        let value = Text(name.as_bytes());
        self.tracer.span(text..self.input.pos, Role::Name, format_args!("text"), format_args!("{value}"));
    }

    /// Says what the pieces of a string are, up to the mark of its end or to what is wrong.
    #[cold]
    pub(super) fn trace_chunks(&mut self, utf8: bool) {
        let start = self.input.pos;
        loop {
            let at = self.input.pos;
            let Ok(head) = W::head(&mut self.input) else { break };
            let len = match head {
                Head::String(Some(len)) if utf8 => len,
                Head::Bytes(Some(len)) if !utf8 => len,
                Head::Break => {
                    self.trace_head(at, head, None);
                    break;
                }
                _ => break,
            };
            self.trace_head(at, head, None);
            match self.input.take(len) {
                Ok(_) if utf8 => self.trace_text(len),
                Ok(_) => self.trace_bytes(len),
                Err(_) => break,
            }
        }
        self.input.pos = start;
    }

    /// The name of the union's branch whose number or name comes next.
    #[cold]
    pub(super) fn peek_branch(&self, union: &Union) -> String {
        let (key, is_name) = self.peek_key();
        let key = String::from_utf8_lossy(&key).into_owned();
        let numbered = || union.branches.iter().find(|branch| branch.number.to_string() == key);
        match if is_name { None } else { numbered() } {
            Some(branch) => branch.name.clone(),
            None => key,
        }
    }

    /// Reads a key ahead of time, as text for a path: the bytes of a key already belong to its entry. The flag says
    /// whether it is a string, and so a name.
    #[cold]
    pub(super) fn peek_key(&self) -> (Vec<u8>, bool) {
        let mut input = Input { bytes: self.input.bytes, pos: self.input.pos };
        loop {
            match W::head(&mut input) {
                Ok(Head::Tag(_)) => {}
                Ok(Head::String(Some(len))) => return (input.take(len).unwrap_or_default().to_vec(), true),
                Ok(Head::String(None)) => {
                    let mut text = Vec::new();
                    while let Ok(Head::String(Some(len))) = W::head(&mut input) {
                        text.extend_from_slice(input.take(len).unwrap_or_default());
                    }
                    return (text, true);
                }
                Ok(Head::Bool(value)) => return (value.to_string().into_bytes(), false),
                Ok(head @ (Head::Uint(_) | Head::Negative(_))) => {
                    return (integer_value(head).to_string().into_bytes(), false);
                }
                _ => return (b"(key)".to_vec(), false),
            }
        }
    }

    /// Enters the entry whose key comes next, of a map whose keys may be anything: a name is a step as a field's.
    #[cold]
    pub(super) fn enter_any_key(&mut self) {
        match self.peek_key() {
            (key, true) => self.tracer.field(&String::from_utf8_lossy(&key)),
            (key, false) => self.tracer.key(&key),
        }
    }
}

/// A number of things.
fn counted(count: usize, thing: &str) -> String {
    match (count, thing) {
        (1, _) => format!("1 {thing}"),
        (_, "entry") => format!("{count} entries"),
        _ => format!("{count} {thing}s"),
    }
}

/// The width in which a float is shown: that of its type, or that of its encoding in so many bytes.
fn width(schema: &Schema, ty: Option<TypeId>, bytes: usize) -> Float {
    match ty.map(|ty| schema.kind(value_type(schema, ty))) {
        Some(Kind::Float(float)) => *float,
        _ if bytes <= 5 => Float::F32,
        _ => Float::F64,
    }
}
