//! Literals and constants to values, as JSON: of defaults, and of what annotations say.

use std::collections::HashMap;

use serde_json::{Map, Value as Json};
use wirewise_core::{Float, text::base64};

use super::ast::{Base, Expr, ExprForm, Form, Member, Name, What};
use super::parser::shortened;
use super::scope::{Env, Meaning, NodeId, Scopes, Ty, TyId};
use crate::{Error, Result, docs};

/// Evaluates what a file says.
#[derive(Default)]
pub(super) struct Values<'a> {
    /// The members of structs and groups by name; structs are known by where their members lie in memory.
    members: HashMap<usize, HashMap<&'a str, Found<'a>>>,
    /// Values so far: constants in each other can multiply them.
    count: usize,
}

/// A member, and the unnamed union it is in.
#[derive(Clone, Copy)]
struct Found<'a> {
    member: &'a Member,
    in_union: bool,
}

/// Most values in the defaults and constants of a schema.
const MOST_VALUES: usize = 1_000_000;

/// How often a constant may lead to another.
const MOST_CONSTANTS: usize = 64;

impl<'a> Values<'a> {
    /// The value of an expression of this type.
    pub(super) fn eval(&mut self, scopes: &mut Scopes<'a>, env: &Env, ty: TyId, expr: &'a Expr) -> Result<Json> {
        self.value(scopes, env, ty, expr, 0)
    }

    fn count(&mut self, scopes: &Scopes<'a>, env: &Env, at: usize) -> Result<()> {
        self.count += 1;
        if self.count > MOST_VALUES {
            return Err(scopes.error(env.node, at, format!("these are more than {MOST_VALUES} values")));
        }
        Ok(())
    }

    fn value(
        &mut self,
        scopes: &mut Scopes<'a>,
        env: &Env,
        ty: TyId,
        expr: &'a Expr,
        constants: usize,
    ) -> Result<Json> {
        self.count(scopes, env, expr.at)?;
        let kind = scopes.ty(ty).clone();
        let wrong = |scopes: &Scopes<'a>| {
            let found = match &expr.form {
                ExprForm::Path(_) => "a name",
                ExprForm::Int { .. } | ExprForm::Float(_) => "a number",
                ExprForm::Text(_) => "a text",
                ExprForm::Data(_) => "a data literal",
                ExprForm::List(_) => "a list",
                ExprForm::Tuple(_) => "a list of named values",
                ExprForm::Embed => "the content of a file",
            };
            let expected = scopes.text(ty);
            scopes.error(env.node, expr.at, format!("found {found}, expected a value of type {expected}"))
        };
        Ok(match (&expr.form, &kind) {
            (ExprForm::Embed, _) => {
                return Err(scopes
                    .error(env.node, expr.at, "embed is not supported")
                    .hint("write the value as a literal, such as 0x\"00 ff\""));
            }
            (ExprForm::Path(path), _) => {
                if let (Base::Name(name), true) = (&path.base, path.parts.is_empty())
                    && let Some(value) = self.word(scopes, &kind, name)
                {
                    return Ok(value);
                }
                return self.constant(scopes, env, ty, expr, constants);
            }
            (&ExprForm::Int { is_negative, value }, Ty::Int(int)) => {
                let number = if is_negative { -i128::from(value) } else { i128::from(value) };
                if !int.holds(number) {
                    let what = format!("found {number}, which is no value of type {}", scopes.text(ty));
                    return Err(scopes.error(env.node, expr.at, what));
                }
                if number < 0 { Json::from(number as i64) } else { Json::from(number as u64) }
            }
            (&ExprForm::Int { is_negative, value }, Ty::Float(float)) => {
                let value = value as f64;
                number(if is_negative { -value } else { value }, *float)
            }
            (ExprForm::Float(value), Ty::Float(float)) => number(*value, *float),
            (ExprForm::Text(bytes), Ty::Text) => match std::str::from_utf8(bytes) {
                Ok(text) => Json::from(text),
                Err(_) => return Err(scopes.error(env.node, expr.at, "this text is not valid UTF-8")),
            },
            (ExprForm::Text(bytes) | ExprForm::Data(bytes), Ty::Data) => {
                let mut text = Vec::new();
                base64::encode(bytes, &mut text);
                Json::from(String::from_utf8(text).unwrap_or_default())
            }
            (ExprForm::List(items), Ty::List(item)) => {
                let items = items.iter().map(|expr| self.value(scopes, env, *item, expr, constants));
                Json::Array(items.collect::<Result<_>>()?)
            }
            (ExprForm::Tuple(fields), Ty::Struct(node, args)) => {
                let inner = Env { node: *node, args: args.clone() };
                let members = members_of(scopes, *node);
                self.fields(scopes, env, &inner, (members, false), fields, constants)?
            }
            _ => return Err(wrong(scopes)),
        })
    }

    /// What a word means that is no constant.
    fn word(&mut self, scopes: &Scopes<'a>, ty: &Ty, name: &str) -> Option<Json> {
        match (ty, name) {
            (Ty::Void, "void") => Some(Json::Null),
            (Ty::Bool, "true") => Some(Json::from(true)),
            (Ty::Bool, "false") => Some(Json::from(false)),
            (Ty::Float(_), "inf") => Some(Json::from("Infinity")),
            (Ty::Float(_), "nan") => Some(Json::from("NaN")),
            (Ty::Enum(node), _) => {
                let members = members_of(scopes, *node);
                let known = self.members.entry(members.as_ptr() as usize).or_insert_with(|| index(members));
                let doc = known.get(name)?.member.doc.as_deref();
                let noted = doc.and_then(|doc| docs::split(doc).1.take("name"));
                Some(Json::from(noted.unwrap_or_else(|| name.to_owned())))
            }
            _ => None,
        }
    }

    /// The value of the constant that an expression names.
    fn constant(
        &mut self,
        scopes: &mut Scopes<'a>,
        env: &Env,
        ty: TyId,
        expr: &'a Expr,
        constants: usize,
    ) -> Result<Json> {
        let (node, value_ty, value) = constant(scopes, env, expr, constants)?;
        let json = self.value(scopes, &node, value_ty, value, constants + 1)?;
        let fits = match (scopes.ty(value_ty), scopes.ty(ty)) {
            (Ty::Int(_), Ty::Int(int)) => {
                let number = json.as_i64().map(i128::from).or_else(|| json.as_u64().map(i128::from));
                number.is_some_and(|number| int.holds(number))
            }
            (Ty::Int(_), Ty::Float(float)) => return Ok(number(json.as_f64().unwrap_or_default(), *float)),
            (Ty::Float(_), Ty::Float(Float::F32)) => {
                return Ok(json.as_f64().map_or(json, |value| number(value, Float::F32)));
            }
            (Ty::Float(_), Ty::Float(Float::F64)) => true,
            _ => ty == value_ty,
        };
        if fits {
            return Ok(json);
        }
        let (found, expected) = (scopes.text(value_ty), scopes.text(ty));
        Err(scopes.error(env.node, expr.at, format!("found a constant of type {found}, expected {expected}")))
    }

    /// The value of a struct, or of a group in one, which may be a union. `env` is where the values are said, `inner`
    /// that of the struct.
    fn fields(
        &mut self,
        scopes: &mut Scopes<'a>,
        env: &Env,
        inner: &Env,
        (members, is_union): (&'a [Member], bool),
        fields: &'a [(Option<Name>, Expr)],
        constants: usize,
    ) -> Result<Json> {
        let mut object = Map::new();
        let mut chosen: Option<&Name> = None;
        for (name, expr) in fields {
            let Some(name) = name else {
                return Err(scopes.error(env.node, expr.at, "found a value without a name, expected field = value"));
            };
            let known = self.members.entry(members.as_ptr() as usize).or_insert_with(|| index(members));
            let Some(&Found { member, in_union }) = known.get(name.text.as_str()) else {
                let what = format!("found {:?}, which is no field here", shortened(&name.text));
                return Err(scopes.error(env.node, name.at, what));
            };
            if (in_union || is_union)
                && let Some(first) = chosen.replace(name)
            {
                let what = format!("found two members of a union, {:?} and {:?}", first.text, name.text);
                return Err(scopes.error(env.node, name.at, what));
            }
            let value = match &member.form {
                Form::Field { ty, .. } => {
                    let ty = scopes.type_of(inner, ty)?;
                    if let Ty::Pointer(text) = scopes.ty(ty) {
                        let what = format!("a value of type {text} cannot be kept");
                        return Err(scopes.error(env.node, expr.at, what));
                    }
                    self.value(scopes, env, ty, expr, constants)?
                }
                Form::Group(inside) | Form::Union(inside) => {
                    self.count(scopes, env, expr.at)?;
                    let ExprForm::Tuple(fields) = &expr.form else {
                        return Err(scopes.error(
                            env.node,
                            expr.at,
                            "expected the fields of the group: (field = value)",
                        ));
                    };
                    let is_union = matches!(member.form, Form::Union(_));
                    self.fields(scopes, env, inner, (inside, is_union), fields, constants)?
                }
                Form::Enumerant => Json::Null,
            };
            let named = member.doc.as_deref().and_then(|doc| docs::split(doc).1.take("name"));
            if object.insert(named.unwrap_or_else(|| name.text.clone()), value).is_some() {
                return Err(scopes.error(env.node, name.at, format!("{:?} is given twice", shortened(&name.text))));
            }
        }
        Ok(Json::Object(object))
    }

    /// An expression as files write it, with the values of constants in place of their names.
    pub(super) fn text(
        &mut self,
        scopes: &mut Scopes<'a>,
        env: &Env,
        expr: &'a Expr,
        constants: usize,
        out: &mut String,
    ) -> Result<()> {
        self.count(scopes, env, expr.at)?;
        match &expr.form {
            ExprForm::Int { is_negative, value } => {
                out.push_str(if *is_negative { "-" } else { "" });
                out.push_str(&value.to_string());
            }
            ExprForm::Float(value) => out.push_str(&float_text(*value)),
            ExprForm::Text(bytes) => out.push_str(&quoted(bytes)),
            ExprForm::Data(bytes) => out.push_str(&data_text(bytes)),
            ExprForm::Embed => return Err(scopes.error(env.node, expr.at, "embed is not supported")),
            ExprForm::List(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    out.push_str(if i == 0 { "" } else { ", " });
                    self.text(scopes, env, item, constants, out)?;
                }
                out.push(']');
            }
            ExprForm::Tuple(fields) => {
                out.push('(');
                for (i, (name, value)) in fields.iter().enumerate() {
                    out.push_str(if i == 0 { "" } else { ", " });
                    if let Some(name) = name {
                        out.push_str(&name.text);
                        out.push_str(" = ");
                    }
                    self.text(scopes, env, value, constants, out)?;
                }
                out.push(')');
            }
            ExprForm::Path(path) => match (&path.base, path.parts.is_empty()) {
                // A word such as true, or an enumerant: constants have an enclosing scope in their names.
                (Base::Name(name), true) => out.push_str(name),
                _ => {
                    let (node, _, value) = constant(scopes, env, expr, constants)?;
                    self.text(scopes, &node, value, constants + 1, out)?;
                }
            },
        }
        Ok(())
    }
}

/// The constant that an expression names: its scope, type and value.
fn constant<'a>(scopes: &mut Scopes<'a>, env: &Env, expr: &Expr, constants: usize) -> Result<(Env, TyId, &'a Expr)> {
    let ExprForm::Path(path) = &expr.form else { unreachable!("asked for names only") };
    if constants == MOST_CONSTANTS {
        let what = format!("constants lead to each other more than {MOST_CONSTANTS} times");
        return Err(scopes.error(env.node, expr.at, what).hint("a constant must not lead to itself"));
    }
    let Meaning::Node(node, args) = scopes.meaning(env, path, expr.at, 0)? else {
        return Err(scopes.error(env.node, expr.at, "found a type, expected a value"));
    };
    let Some(What::Const { ty, value }) = scopes.nodes[node].decl.map(|decl| &decl.what) else {
        return Err(scopes.error(env.node, expr.at, "found something else than a constant, expected a value"));
    };
    let scope = Env { node: scopes.nodes[node].parent.unwrap_or(node), args };
    let ty = scopes.type_of(&scope, ty)?;
    Ok((scope, ty, value))
}

pub(super) fn members_of<'a>(scopes: &Scopes<'a>, node: NodeId) -> &'a [Member] {
    match scopes.nodes[node].decl.map(|decl| &decl.what) {
        Some(What::Struct(members) | What::Enum(members)) => members,
        _ => &[],
    }
}

/// Members by name, with those of the unnamed union.
fn index(members: &[Member]) -> HashMap<&str, Found<'_>> {
    let mut all = HashMap::new();
    for member in members {
        match (&member.name, &member.form) {
            (None, Form::Union(inner)) => {
                for member in inner {
                    let found = Found { member, in_union: true };
                    all.extend(member.name.as_ref().map(|name| (name.text.as_str(), found)));
                }
            }
            // The members of a named union lie in a group of their own.
            (Some(name), _) => {
                all.insert(name.text.as_str(), Found { member, in_union: false });
            }
            (None, _) => {}
        }
    }
    all
}

/// A number as the model keeps defaults.
fn number(value: f64, float: Float) -> Json {
    let is_finite = if float == Float::F32 { (value as f32).is_finite() } else { value.is_finite() };
    match value {
        _ if is_finite => Json::from(value),
        _ if value.is_nan() => Json::from("NaN"),
        _ if value > 0.0 => Json::from("Infinity"),
        _ => Json::from("-Infinity"),
    }
}

/// A number as files write it.
pub(super) fn float_text(value: f64) -> String {
    match value {
        _ if value.is_nan() => "nan".to_owned(),
        f64::INFINITY => "inf".to_owned(),
        f64::NEG_INFINITY => "-inf".to_owned(),
        _ => {
            let plain = format!("{value:?}");
            // The language has no sign before an exponent's digits other than these.
            if plain.contains('e') { format!("{value:e}") } else { plain }
        }
    }
}

/// A text as files write it.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    let mut rest = bytes;
    while !rest.is_empty() {
        let (valid, after) = match std::str::from_utf8(rest) {
            Ok(text) => (text, &[][..]),
            Err(error) => {
                let (valid, after) = rest.split_at(error.valid_up_to());
                (std::str::from_utf8(valid).unwrap_or_default(), after)
            }
        };
        for c in valid.chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                '\r' => out.push_str("\\r"),
                c if c.is_ascii_control() => out.push_str(&format!("\\x{:02x}", c as u32)),
                c => out.push(c),
            }
        }
        rest = after;
        if let Some((byte, after)) = rest.split_first() {
            out.push_str(&format!("\\x{byte:02x}"));
            rest = after;
        }
    }
    out.push('"');
    out
}

/// Bytes as files write them.
pub(super) fn data_text(bytes: &[u8]) -> String {
    // The grammar has no empty `0x""`.
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    if digits.is_empty() { "\"\"".to_owned() } else { format!("0x\"{}\"", digits.join(" ")) }
}

/// Something wrong with a note.
#[cold]
pub(super) fn wrong_note(scopes: &Scopes<'_>, node: NodeId, at: usize, key: &str) -> Error {
    scopes.error(node, at, format!("the note {key} in the comment cannot be read"))
}
