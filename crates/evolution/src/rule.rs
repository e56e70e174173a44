//! What a rule is.

use std::sync::Arc;

use wirewise_core::{Record, Result, Schema, TypeId};
use wirewise_formats::Codec;
use wirewise_idl::{Element, Module};

use crate::json_schema::Asked;
use crate::mode::Level;
use crate::sample::Provoke;

/// The rules of a format, and what a reader of it does.
#[derive(Debug)]
pub struct Ruleset {
    /// Name of the format: `protobuf`.
    pub format: &'static str,
    /// Its name in prose.
    pub title: &'static str,
    /// The variant that witnesses are written in.
    pub variant: &'static str,
    /// End of the names of its schema files, for the examples of its rules: `proto`.
    pub extension: &'static str,
    /// What its rules look at.
    pub engine: Engine,
    /// Its rules. Each has a folder of its name with an example in `rules/FORMAT/`.
    pub rules: &'static [Rule],
    /// Which of the reader's fields takes what the writer wrote into one of its fields.
    pub match_field: fn(&Schema, &Record, usize, &Schema, &Record) -> Option<usize>,
    /// What of two types at one place, which are no two records, meets inside them.
    pub inside: Inside,
    /// Whether enums are matched by the names of their symbols (Avro), or by their numbers.
    pub symbols_by_name: bool,
    /// Whether a field that is not there means the same as one with its default or zero: so it is in formats that leave
    /// such values out.
    pub absent_is_default: bool,
    /// Whether any named type may be a message by itself, or only the root.
    pub any_type_is_root: bool,
    /// Where a record may lie in the one around it, as Cap'n Proto's groups do: whether this field's does.
    pub groups: Option<fn(&Schema, &wirewise_core::Field) -> bool>,
    /// Where an enum may say which symbol readers take for those that they do not know: its name.
    pub substitute: Option<fn(&Schema, TypeId) -> Option<&str>>,
    /// A codec that reads what `writer` wrote as `reader` (both the schema of a message).
    pub reader: Reader,
}

/// The pairs of types inside a writer's and a reader's type: of elements, values of maps, and branches of unions. The types
/// are those of values: no nullables.
pub type Inside = fn(&Schema, TypeId, &Schema, TypeId) -> Vec<Meeting>;

/// A pair of types inside another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meeting {
    /// The step to it in the writer's schema; `None` where only the reader has something around it.
    pub hop: Option<Hop>,
    /// The writer's type and the reader's.
    pub types: (TypeId, TypeId),
    /// The position of the branch that it is in a union of the writer's, and of the reader's.
    pub branches: (Option<usize>, Option<usize>),
}

impl Meeting {
    /// Types that are no branches.
    pub fn of(hop: Hop, writer: TypeId, reader: TypeId) -> Meeting {
        Meeting { hop: Some(hop), types: (writer, reader), branches: (None, None) }
    }
}

/// What rules look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// The types of both schemas, along which [`walk`](crate::walk) goes. Codecs are the judge.
    Types,
    /// The schema files themselves, which say more than types do: those of JSON Schema. A validator is the judge.
    Documents,
}

/// Makes a codec of a variant that reads, with the second schema, what was written with the first.
pub type Reader = fn(writer: &Arc<Schema>, reader: &Arc<Schema>, variant: &str) -> Result<Box<dyn Codec>>;

/// Something that must not change, or not in this way.
#[derive(Debug)]
pub struct Rule {
    /// Name, unique in its ruleset: `field-type`.
    pub name: &'static str,
    /// What must hold, in a sentence.
    pub title: &'static str,
    /// From which level on it is asked for.
    pub level: Level,
    /// Why it matters, in a few sentences for the documentation.
    pub why: &'static str,
    /// Looks for what breaks it.
    pub check: Check,
}

/// What a rule looks at. The functions are called with the place and add what they find to it.
#[derive(Debug)]
pub enum Check {
    /// Types at the same place; of fields those of their values.
    Types(fn(&mut At<'_>, TypeId, TypeId)),
    /// Records at the same place.
    Records(fn(&mut At<'_>, TypeId, TypeId)),
    /// A field of the writer and the reader's field that takes it.
    Fields(fn(&mut At<'_>, FieldAt<'_>, FieldAt<'_>)),
    /// A field of the writer that the reader does not have, in the reader's record.
    OnlyWritten(fn(&mut At<'_>, FieldAt<'_>, TypeId)),
    /// A field of the reader that the writer does not have, in the writer's record.
    OnlyRead(fn(&mut At<'_>, FieldAt<'_>, TypeId)),
    /// Enums at the same place.
    Enums(fn(&mut At<'_>, TypeId, TypeId)),
    /// Unions at the same place.
    Unions(fn(&mut At<'_>, TypeId, TypeId)),
    /// The modules as a whole: types that come or go.
    Modules(fn(&mut At<'_>)),
    /// A schema of the reader's file, and what the writer's files say of values there: of rulesets with that
    /// [engine](Engine::Documents), which have no others.
    Documents(fn(&mut Asked<'_, '_>)),
}

/// A field in its record.
#[derive(Debug, Clone, Copy)]
pub struct FieldAt<'a> {
    /// The schema it is in.
    pub schema: &'a Schema,
    /// The type of its record.
    pub ty: TypeId,
    /// Its record.
    pub record: &'a Record,
    /// Its position there.
    pub position: usize,
}

impl<'a> FieldAt<'a> {
    /// The field.
    pub fn field(&self) -> &'a wirewise_core::Field {
        &self.record.fields[self.position]
    }

    /// The element, for its place.
    pub fn element(&self) -> Element {
        Element::Field(self.ty, self.position)
    }

    /// Name and number for messages: `zip = 3`.
    pub fn label(&self) -> String {
        format!("{:?} (number {})", self.field().name, self.field().number)
    }
}

/// A step from a value of the writer's schema to one inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hop {
    /// To a field's value, by its position.
    Field(usize),
    /// To an element of a list.
    Item,
    /// To a value of a map.
    Value,
    /// To what a nullable, outside a field, holds.
    Inner,
    /// To a branch of a union, by its position.
    Branch(usize),
    /// Nowhere: the reader has a list where the writer has this one value, and takes it as an element.
    AsItem,
}

/// Where a rule looks, and what was found so far.
pub struct At<'a> {
    /// The writer's types.
    pub writer: &'a Module,
    /// The reader's types.
    pub reader: &'a Module,
    /// The rules it belongs to.
    pub ruleset: &'static Ruleset,
    /// The types of the messages: the writer's and the reader's.
    pub roots: (TypeId, TypeId),
    /// The way from the writer's root to the types, or to the record that the fields are in.
    pub trail: &'a [Hop],
    /// The last fields, branches or types with places on that way: the writer's and the reader's.
    pub elements: (Element, Element),
    pub(crate) rule: &'static Rule,
    pub(crate) found: &'a mut Vec<Found>,
}

/// What a rule found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) rule: &'static Rule,
    pub(crate) roots: (TypeId, TypeId),
    pub(crate) trail: Vec<Hop>,
    pub(crate) what: String,
    pub(crate) fix: String,
    pub(crate) writer: Option<Element>,
    pub(crate) reader: Option<Element>,
    pub(crate) provoke: Vec<Provoke>,
}

impl At<'_> {
    /// Reports that the rule is broken: `what` changes how, and the `fix` that would make it safe.
    ///
    /// The result takes the elements that it is about and what a witness needs.
    pub fn broken(&mut self, what: impl Into<String>, fix: impl Into<String>) -> Report<'_> {
        self.found.push(Found {
            rule: self.rule,
            roots: self.roots,
            trail: self.trail.to_vec(),
            what: what.into(),
            fix: fix.into(),
            writer: Some(self.elements.0),
            reader: Some(self.elements.1),
            provoke: Vec::new(),
        });
        Report(self.found.last_mut().expect("it was just pushed"))
    }
}

/// What was just reported, to say more about it.
pub struct Report<'a>(&'a mut Found);

impl Report<'_> {
    /// It is about this element of the writer's schema.
    pub fn writer(self, element: Element) -> Self {
        self.0.writer = Some(element);
        self
    }

    /// It is about this element of the reader's schema.
    pub fn reader(self, element: Element) -> Self {
        self.0.reader = Some(element);
        self
    }

    /// It is about these two fields; the witness has the writer's.
    pub fn fields(self, writer: FieldAt<'_>, reader: FieldAt<'_>) -> Self {
        self.writer(writer.element()).reader(reader.element()).hop(Hop::Field(writer.position))
    }

    /// It is one step further than the place where the rule looked.
    pub fn hop(self, hop: Hop) -> Self {
        self.0.trail.push(hop);
        self
    }

    /// It is about what the place is in: the list around an element.
    pub fn up(self) -> Self {
        self.0.trail.pop();
        self
    }

    /// A message with this at the place shows it. Where several are given, they are tried in turn; where none is, the
    /// extreme values of the type are.
    pub fn provoke(self, provoke: Provoke) -> Self {
        self.0.provoke.push(provoke);
        self
    }
}
