//! What schemas say about Cap'n Proto only: the keys of [notes](wirewise_core::Notes), and their texts.
//!
//! The codec obeys them, so that a schema that was read from a `.capnp` file has the layout that the file's own compiler
//! gives it. The help page explains each.

/// On a schema: the id of its file. On a type: its id, where the file says it. Text: `0x` and 16 hexadecimal digits.
pub const ID: &str = "capnp.id";
/// On a field whose type is a record: its fields lie in the struct around it, and their numbers count there.
pub const GROUP: &str = "capnp.group";
/// On a oneof: a union as Cap'n Proto has them, without a member `none`. Of a record that is a group and has no fields
/// beside it, it is the group's own.
pub const UNNAMED: &str = "capnp.unnamed";
/// On such a oneof: the number of the discriminant (its ordinal, plus one), where the file gives it one.
pub const NUMBER: &str = "capnp.number";
/// On a field: a default that the model has no place for, as JSON.
pub const DEFAULT: &str = "capnp.default";
/// On a record: its fields that the model cannot say, which have their places all the same. See [`Skipped`].
pub const SKIPPED: &str = "capnp.skipped";
/// On a record: the generic type that it was made from, with its arguments: `Map(Text, Person)`.
pub const GENERIC: &str = "capnp.generic";
/// On anything: the annotations applied to it, as in the file: `$Cxx.namespace("acme")`.
pub const ANNOTATIONS: &str = "capnp.annotations";
/// On a schema, with the annotation's name after it: a declaration, without its name: `(field) :Text`.
pub const ANNOTATION: &str = "capnp.annotation.";
/// On a schema, with the constant's name after it: its declaration, without its name: `:Float64 = 3.14`.
pub const CONSTANT: &str = "capnp.const.";

/// A field that the model cannot say: a pointer to anything, or to what only RPC gives meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Its ordinal, plus one.
    pub number: u32,
    /// Its name in the file.
    pub name: String,
    /// Its type in the file, without spaces.
    pub ty: String,
    /// Whether it is a member of the record's unnamed union.
    pub in_union: bool,
}

impl Skipped {
    /// Reads the text of the note: `4 anything AnyPointer; 7 server Server union`. `None` when it is something else.
    pub fn parse(text: &str) -> Option<Vec<Skipped>> {
        text.split(';')
            .map(|entry| {
                let mut words = entry.split_whitespace();
                let number = words.next()?.parse().ok().filter(|number| (1..=65536).contains(number))?;
                let (name, ty) = (words.next()?.to_owned(), words.next()?.to_owned());
                let in_union = match words.next() {
                    None => false,
                    Some("union") => true,
                    Some(_) => return None,
                };
                words.next().is_none().then_some(Skipped { number, name, ty, in_union })
            })
            .collect()
    }

    /// The text of the note.
    pub fn text(all: &[Skipped]) -> String {
        let entry = |skipped: &Skipped| {
            let union = if skipped.in_union { " union" } else { "" };
            format!("{} {} {}{union}", skipped.number, skipped.name, skipped.ty)
        };
        all.iter().map(entry).collect::<Vec<_>>().join("; ")
    }
}
