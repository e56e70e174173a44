//! What a shape is.

use std::fmt;

use wirewise_core::{Cell, Document, Error, ErrorKind, Kind, Result, Schema, TypeId};

use crate::slot::Slot;
use crate::types::Types;
use crate::walk::Rewrite;

/// What is said of a shape to people.
#[derive(Debug)]
pub struct Info {
    /// Its name in options and schema files.
    pub name: &'static str,
    /// What it does, for one line.
    pub about: &'static str,
    /// What it changes: for messages.
    pub takes: &'static str,
    /// Its parameters, with what they say.
    pub params: &'static [(&'static str, &'static str)],
    /// Whether what lies in the type has another slot afterwards.
    pub moves: bool,
    /// Whether values may come back as others, within a bound: then it is only used when asked for.
    pub lossy: bool,
}

/// A reversible change of one type, and of its values. One file in `shapes/`, and a line in [`SHAPES`](crate::SHAPES).
pub trait Shape: Send + Sync {
    /// What is said of it.
    fn info(&self) -> &'static Info;

    /// What it makes of the type of a slot.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`] when it is none of those that it takes, or a parameter is missing.
    fn plan(&self, site: &Site<'_>, params: &Params, types: &mut Types<'_>) -> Result<Planned>;

    /// With which parameters it holds the values of a slot, if it does, and is likely to make them smaller.
    fn propose(&self, site: &Site<'_>, values: &Values<'_, '_>) -> Option<Params>;
}

/// Where a shape is to be used.
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    /// The schema that it changes.
    pub schema: &'a Schema,
    /// The slot.
    pub slot: &'a Slot,
    /// Its type, without null.
    pub ty: TypeId,
}

impl Site<'_> {
    /// What the values are.
    pub fn kind(&self) -> &Kind {
        self.schema.kind(self.ty)
    }

    /// What the elements are, of a list whose elements are never null.
    pub fn element(&self) -> Option<(TypeId, &Kind)> {
        match self.kind() {
            Kind::List(item) => Some((*item, self.schema.kind(*item))),
            _ => None,
        }
    }

    /// The error that a shape does not take the type.
    pub fn refuse(&self, shape: &Info) -> Error {
        let found = self.schema.describe(self.ty);
        Error::new(ErrorKind::Schema, format!("{} takes {}, and {} is {found}", shape.name, shape.takes, self.slot))
    }
}

/// A new type, and how values become values of it.
pub struct Planned {
    /// The id in the new schema.
    pub ty: TypeId,
    /// What is done with the values.
    pub rewrite: Box<dyn Rewrite>,
}

/// The values of a slot in samples.
pub struct Values<'v, 'd> {
    /// The messages.
    pub documents: &'v [Document<'d>],
    /// Places of messages, and cells in them; not null.
    pub cells: &'v [(u32, Cell)],
}

impl<'d> Values<'_, 'd> {
    /// The values with their documents.
    pub fn iter(&self) -> impl Iterator<Item = (&Document<'d>, Cell)> {
        self.cells.iter().map(|&(message, cell)| (&self.documents[message as usize], cell))
    }

    /// The bytes of texts.
    pub fn bytes(&self) -> impl Iterator<Item = &'d [u8]> {
        self.iter().map(|(document, cell)| document.bytes(cell))
    }

    /// The elements of lists.
    pub fn elements(&self) -> impl Iterator<Item = (&Document<'d>, &'d [Cell])> {
        self.iter().map(|(document, cell)| (document, document.list(cell)))
    }

    /// Whether there is a value, and all are as this says.
    pub fn all(&self, is: impl FnMut((&Document<'d>, Cell)) -> bool) -> bool {
        !self.cells.is_empty() && self.iter().all(is)
    }
}

/// Names and values of parameters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Params(Vec<(String, Param)>);

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Param {
    /// Written `scale=2`.
    Number(u32),
    /// Written `symbols=["a","b"]`.
    Texts(Vec<String>),
}

impl fmt::Display for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Param::Number(number) => write!(f, "{number}"),
            Param::Texts(texts) => write!(f, "{}", serde_json::Value::from(&texts[..])),
        }
    }
}

impl Params {
    /// One parameter that is a number.
    pub fn one(name: &str, value: u32) -> Params {
        Params(vec![(name.to_owned(), Param::Number(value))])
    }

    /// One parameter that is texts.
    pub fn of_texts<'t>(name: &str, texts: impl IntoIterator<Item = &'t str>) -> Params {
        let texts = texts.into_iter().map(str::to_owned).collect();
        Params(vec![(name.to_owned(), Param::Texts(texts))])
    }

    /// Adds a parameter that is a number.
    pub fn set(&mut self, name: &str, value: u32) {
        self.add(name, Param::Number(value));
    }

    /// Adds a parameter.
    pub fn add(&mut self, name: &str, value: Param) {
        self.0.retain(|(known, _)| known != name);
        self.0.push((name.to_owned(), value));
    }

    fn find(&self, name: &str) -> Option<&Param> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The value of a parameter that is a number.
    pub fn get(&self, name: &str) -> Option<u32> {
        if let Some(Param::Number(number)) = self.find(name) { Some(*number) } else { None }
    }

    /// The value of a parameter that is texts.
    pub fn texts(&self, name: &str) -> Option<&[String]> {
        if let Some(Param::Texts(texts)) = self.find(name) { Some(texts) } else { None }
    }

    /// The value of one that has to be there.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`] when it is not.
    pub fn need(&self, shape: &Info, name: &str) -> Result<u32> {
        self.get(name).ok_or_else(|| {
            Error::new(ErrorKind::Schema, format!("{} needs {name}", shape.name))
                .hint(format!("write for example {}@SLOT,{name}=2", shape.name))
        })
    }

    /// All, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Param)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }
}
