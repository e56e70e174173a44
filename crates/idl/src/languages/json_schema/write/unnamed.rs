//! Types without a name of their own.

use wirewise_core::{Float, Int, Kind, Logical, Notes, TypeId, Unit};

use super::super::keywords::{About, DEF, Form};
use super::super::tree::Tree;
use super::notes::{Place, keywords, move_references};
use super::{Inline, Members, Writer};

/// Lower-case names of the integers, as formats have them.
pub(in crate::languages::json_schema) const WIDTHS: [(&str, Int); 8] = [
    ("int8", Int::I8),
    ("int16", Int::I16),
    ("int32", Int::I32),
    ("int64", Int::I64),
    ("uint8", Int::U8),
    ("uint16", Int::U16),
    ("uint32", Int::U32),
    ("uint64", Int::U64),
];

impl Writer<'_> {
    /// A type, and whether it is read as the same again.
    pub(super) fn unnamed(&mut self, id: TypeId, bare: bool) -> (Inline, bool) {
        let schema = self.schema;
        let logical = schema.logical(id);
        let mut notes = schema.type_notes(id).clone();
        notes.take(DEF);
        let mut members = Members::new();
        let mut exact = true;
        let mut except: &[&str] = &[];
        let about = match schema.kind(id) {
            Kind::Null => kind(&mut members, "null", About::All),
            Kind::Bool => kind(&mut members, "boolean", About::All),
            Kind::Int(_) if logical.is_some() => {
                exact = false;
                except = &["format"];
                kind(&mut members, "string", About::String);
                let format = if logical == Some(Logical::Date) { "date" } else { "date-time" };
                push(&mut members, "format", Tree::text(format));
                About::String
            }
            Kind::Int(int) => {
                kind(&mut members, "integer", About::Number);
                exact = self.integer(*int, &notes, &mut members);
                About::Number
            }
            Kind::Float(float) => {
                kind(&mut members, "number", About::Number);
                match float {
                    Float::F32 => push(&mut members, "format", Tree::text("float")),
                    Float::F64 if logical.is_none() => push(&mut members, "format", Tree::text("double")),
                    Float::F64 => exact = !matches!(notes.get("json-schema.format"), Some("float" | "double")),
                }
                About::Number
            }
            Kind::String if logical == Some(Logical::Number) => {
                exact = false;
                kind(&mut members, "number", About::Number)
            }
            Kind::String => {
                kind(&mut members, "string", About::String);
                match logical {
                    Some(Logical::Uuid) => push(&mut members, "format", Tree::text("uuid")),
                    Some(Logical::Date) => push(&mut members, "format", Tree::text("date")),
                    Some(Logical::Timestamp(unit)) => {
                        exact = unit == Unit::Millis;
                        push(&mut members, "format", Tree::text("date-time"));
                    }
                    Some(_) => {
                        exact = false;
                        push(&mut members, "contentEncoding", Tree::text("base64"));
                    }
                    None => exact = !is_meant(&notes) && !notes.has("json-schema.enum"),
                }
                exact &= notes.get("json-schema.contentEncoding") != Some("base64");
                About::String
            }
            Kind::Bytes => {
                kind(&mut members, "string", About::String);
                push(&mut members, "contentEncoding", Tree::text("base64"));
                exact = notes.get("json-schema.format") != Some("byte") && !notes.has("json-schema.enum");
                About::String
            }
            Kind::Fixed(size) => {
                exact = false;
                kind(&mut members, "string", About::String);
                if logical == Some(Logical::Uuid) {
                    push(&mut members, "format", Tree::text("uuid"));
                } else {
                    push(&mut members, "contentEncoding", Tree::text("base64"));
                    push(&mut members, "pattern", Tree::text(base64_pattern(*size)));
                }
                About::String
            }
            Kind::List(item) => {
                kind(&mut members, "array", About::Array);
                let tuple = ["items", "prefixItems", "additionalItems"];
                if tuple.iter().any(|name| notes.has(&format!("json-schema.{name}"))) {
                    exact = false;
                } else {
                    let item = self.inline(*item, true).tree();
                    push(&mut members, "items", item);
                }
                About::Array
            }
            Kind::Map(key, value) => {
                kind(&mut members, "object", About::Object);
                // A key that is more than a string.
                exact = schema.type_json(*key) == "string";
                match schema.kind(*key) {
                    Kind::String => {}
                    Kind::Bool => {
                        push(&mut members, "propertyNames", Tree::object([("enum", Tree::texts(["true", "false"]))]))
                    }
                    Kind::Int(int) => {
                        let pattern = if int.signed() { "^(0|-?[1-9][0-9]*)$" } else { "^(0|[1-9][0-9]*)$" };
                        push(&mut members, "propertyNames", Tree::object([("pattern", Tree::text(pattern))]));
                    }
                    _ => {}
                }
                let free = ["patternProperties", "additionalProperties"];
                if free.iter().any(|name| notes.has(&format!("json-schema.{name}"))) {
                    exact = false;
                } else {
                    let value = self.inline(*value, true).tree();
                    push(&mut members, "additionalProperties", value);
                }
                About::Object
            }
            Kind::Nullable(inner) => return self.nullable(*inner, notes, bare),
            // What says something about values of one kind would be taken to say that they are of that kind.
            Kind::Any => {
                except = &["const", "enum"];
                About::All
            }
            Kind::Record(_) | Kind::Enum(_) | Kind::Union(_) => unreachable!("it has a name"),
        };
        let place = Place { about, annotations: bare, except };
        let (inline, said) = self.with_keywords(members, &notes, place);
        (inline, exact && said)
    }

    fn with_keywords(&self, mut members: Members, notes: &Notes, place: Place) -> (Inline, bool) {
        let (rest, kept) = keywords(notes, place, &|name| self.is_defined(name), &mut members);
        for (name, value) in &mut members {
            move_references(value, Form::Schema.of_part(Some(name)), self.defs_at);
        }
        let mut inline = Inline { members, extension: Members::new() };
        if !kept.is_empty() {
            push(&mut inline.extension, "kept", Tree::texts(kept));
        }
        (inline, rest.is_empty())
    }

    /// Bounds, unless notes have others; then a format says the width.
    fn integer(&self, int: Int, notes: &Notes, members: &mut Members) -> bool {
        let noted = ["minimum", "maximum"].map(|name| notes.get(&format!("json-schema.{name}")));
        let (min, max) = int.range();
        let format = notes.get("json-schema.format");
        let known = format.is_some_and(|format| WIDTHS.iter().any(|(name, _)| *name == format));
        if noted == [None, None] {
            push(members, "minimum", Tree::word(min));
            push(members, "maximum", Tree::word(max));
            return !known;
        }
        let exact = |(_, int): &(&str, Int)| {
            let (min, max) = int.range();
            noted == [Some(&*min.to_string()), Some(&*max.to_string())]
        };
        let misread = WIDTHS.iter().any(exact);
        if int == Int::I64 {
            return !known && !misread;
        }
        if format.is_none() {
            let name = WIDTHS.iter().find(|(_, width)| *width == int).map_or("", |(name, _)| name);
            push(members, "format", Tree::text(name));
        }
        format.is_none() && !misread
    }

    fn nullable(&mut self, inner: TypeId, notes: Notes, bare: bool) -> (Inline, bool) {
        let null = || Tree::object([("type", Tree::text("null"))]);
        let inner_notes = self.schema.type_notes(inner);
        let listed = matches!(
            self.schema.kind(inner),
            Kind::Bool
                | Kind::Int(_)
                | Kind::Float(_)
                | Kind::String
                | Kind::Bytes
                | Kind::Fixed(_)
                | Kind::List(_)
                | Kind::Map(..)
        );
        if listed && notes.is_empty() && !inner_notes.has(DEF) && inner_notes.iter().all(|(key, _)| is_of_one_kind(key))
        {
            let (mut inline, exact) = self.unnamed(inner, false);
            for (name, value) in &mut inline.members {
                if let (true, Tree::Text(kind)) = (name == "type", &*value) {
                    *value = Tree::texts([kind.as_str(), "null"]);
                }
            }
            return (inline, exact);
        }
        let inner = self.inline(inner, true).tree();
        let members = vec![("anyOf".to_owned(), Tree::Array(vec![inner, null()]))];
        let place = Place { about: About::All, annotations: bare, except: &["const", "enum"] };
        self.with_keywords(members, &notes, place)
    }
}

pub(super) fn push(members: &mut Members, name: &str, value: Tree) {
    members.push((name.to_owned(), value));
}

fn kind(members: &mut Members, name: &str, about: About) -> About {
    push(members, "type", Tree::text(name));
    about
}

/// Whether a keyword says something about values of one kind only: it may stand where null is allowed as well.
fn is_of_one_kind(key: &str) -> bool {
    let about = key.strip_prefix("json-schema.").and_then(super::super::keywords::find).map(|(about, _)| about);
    !matches!(about, Some(About::All | About::Nothing))
}

/// Whether a plain string's format would be read as a meaning.
fn is_meant(notes: &Notes) -> bool {
    matches!(notes.get("json-schema.format"), Some("uuid" | "date" | "date-time" | "byte"))
}

/// What the base64 of exactly this many bytes looks like.
fn base64_pattern(size: u32) -> String {
    const DIGIT: &str = "[A-Za-z0-9+/]";
    let end = match size % 3 {
        0 => String::new(),
        1 => format!("{DIGIT}[AQgw]=="),
        _ => format!("{DIGIT}{{2}}[AEIMQUYcgkosw048]="),
    };
    format!("^{DIGIT}{{{}}}{end}$", size / 3 * 4)
}
