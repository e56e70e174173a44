//! The schema model: one graph of types for every schema language.
//!
//! Types live in one table and refer to each other by [`TypeId`], so recursion is natural and a codec can keep its own
//! table beside this one, indexed alike. What a format cannot express directly it lowers itself, when it plans.
//!
//! Three things that other models mix up are kept apart here:
//! * a field may be **optional** ([`Presence::Optional`]): a message may come without it;
//! * a value may be **nullable** ([`Kind::Nullable`]): it is there, and it is null;
//! * a field may have a **default** ([`Field::default`]): what readers take when it is not there.
//!
//! What only one schema language or format knows (`sint32`, a struct that is no table, a custom option) is kept in
//! [`Notes`], which that language and format read and all others carry along.

mod build;
mod file;
mod notes;
#[cfg(test)]
mod tests;

pub use build::SchemaBuilder;
pub use file::{FILE_VERSION, MOST_NESTING, Offsets, is_built_in};
pub use notes::Notes;

use std::ops::RangeInclusive;

use serde_json::Value as Json;

/// The place of a type in its [`Schema`]'s table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(u32);

impl TypeId {
    /// The index in the table, from 0: for tables kept beside the schema's.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The id of the type at `index`.
    pub fn from_index(index: usize) -> Self {
        TypeId(u32::try_from(index).expect("a schema has fewer than 2^32 types"))
    }
}

/// A part of a schema that can have a place in a file, and be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// A type.
    Type(TypeId),
    /// A field, by its position in its record.
    Field(TypeId, usize),
    /// A symbol, by its position in its enum.
    Symbol(TypeId, usize),
    /// A branch, by its position in its union.
    Branch(TypeId, usize),
    /// A oneof, by its position in its record.
    Oneof(TypeId, usize),
}

/// A complete, checked schema. Built by [`SchemaBuilder`] or [`Schema::parse`]; immutable afterwards.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    types: Vec<Type>,
    root: TypeId,
    notes: Notes,
    /// The named types by length of name, then by name: so that asking for the many beginnings of a long name compares
    /// little.
    by_name: Vec<TypeId>,
}

/// One entry of the type table.
#[derive(Debug, Clone, PartialEq)]
pub struct Type {
    /// What its values are.
    pub kind: Kind,
    /// What they mean, where they mean more than their kind says.
    pub logical: Option<Logical>,
    /// What single languages and formats know of it.
    pub notes: Notes,
}

impl From<Kind> for Type {
    fn from(kind: Kind) -> Self {
        Type { kind, logical: None, notes: Notes::default() }
    }
}

/// What the values of a type are.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Always null.
    Null,
    /// True or false.
    Bool,
    /// An integer of exactly this width.
    Int(Int),
    /// A binary floating point number of exactly this width.
    Float(Float),
    /// UTF-8 text.
    String,
    /// Any bytes.
    Bytes,
    /// Exactly this many bytes.
    Fixed(u32),
    /// Any number of values of one type.
    List(TypeId),
    /// Any number of values under distinct keys; keys are strings, integers or booleans. Their order means nothing.
    Map(TypeId, TypeId),
    /// A value of the type, or null. Never of a nullable, `Null` or `Any`, which have null already.
    Nullable(TypeId),
    /// Named fields.
    Record(Record),
    /// One of named numbers.
    Enum(Enum),
    /// A value of one of several types. No branch is nullable: it is the union that is.
    Union(Union),
    /// Any JSON-like value, carried with its own type: native in self-describing formats, JSON text in the others.
    Any,
}

/// Integer widths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Int {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
}

impl Int {
    /// Size in bits: 8, 16, 32 or 64.
    pub fn bits(self) -> u32 {
        match self {
            Int::I8 | Int::U8 => 8,
            Int::I16 | Int::U16 => 16,
            Int::I32 | Int::U32 => 32,
            Int::I64 | Int::U64 => 64,
        }
    }

    /// Whether it has negative values.
    pub fn signed(self) -> bool {
        matches!(self, Int::I8 | Int::I16 | Int::I32 | Int::I64)
    }

    /// Whether `value` is one of its values.
    #[inline]
    pub fn holds(self, value: i128) -> bool {
        let (min, max) = self.range();
        (min..=max).contains(&value)
    }

    /// Smallest and largest value.
    pub fn range(self) -> (i128, i128) {
        let bits = self.bits();
        if self.signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
    }
}

/// Floating point widths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Float {
    F32,
    F64,
}

/// What a value means beyond its kind. It decides the JSON text of a value; other formats carry the kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Logical {
    /// A UUID: 36 lower-case characters in a string, or 16 bytes (`Fixed(16)`) whose JSON text is those characters.
    Uuid,
    /// An instant: RFC 3339 text in UTC in a string, or ticks since 1970-01-01T00:00:00Z in an integer, whose JSON
    /// text is RFC 3339 with exactly the unit's fraction digits.
    Timestamp(Unit),
    /// A day: `YYYY-MM-DD` in a string, or days since 1970-01-01 in an integer, whose JSON text is that.
    Date,
    /// A JSON number. On `Float(F64)`: integral values are written without a fraction (`52`, as JavaScript does).
    /// On `String`: a number of any size and precision, kept as its text and written without quotes.
    Number,
    /// Text that is standard padded base64 (RFC 4648, section 4). (`Bytes` are written to JSON that way anyway.)
    Base64,
}

/// Resolution of a timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Unit {
    Seconds,
    Millis,
    Micros,
    Nanos,
}

/// Named fields, in the order of their slots in a document (which need not be that of their numbers).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    /// Unique among the schema's named types.
    pub name: String,
    /// Documentation, without comment marks.
    pub doc: Option<String>,
    /// Names and numbers are unique within the record.
    pub fields: Vec<Field>,
    /// Groups of fields of which a message has at most one; names are unique within the record.
    pub oneofs: Vec<Oneof>,
    /// Numbers that must not be given out again, sorted.
    pub reserved_numbers: Vec<RangeInclusive<u32>>,
    /// Names that must not be given out again.
    pub reserved_names: Vec<String>,
    pub(crate) state_words: u32,
    pub(crate) id: u32,
}

impl Record {
    /// A record with the given fields and nothing else.
    pub fn new(name: impl Into<String>, fields: Vec<Field>) -> Self {
        Record { name: name.into(), fields, ..Record::default() }
    }

    /// Cells at the start of a record's run that hold the states of its fields, 2 bits each: 0 when no field is
    /// optional or nullable.
    pub fn state_words(&self) -> usize {
        self.state_words as usize
    }

    /// Cells in a record's run, states included.
    pub fn cells(&self) -> usize {
        self.state_words() + self.fields.len()
    }

    /// Its place in the schema's table.
    pub fn type_id(&self) -> TypeId {
        TypeId(self.id)
    }

    /// The position of the field with this name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }

    /// The position of the field with this number.
    pub fn position_of_number(&self, number: u32) -> Option<usize> {
        self.fields.iter().position(|field| field.number == number)
    }

    /// Positions of the fields in the order of their numbers.
    pub fn by_number(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.fields.len()).collect();
        order.sort_by_key(|&i| self.fields[i].number);
        order
    }
}

/// A field of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Stable number, at least 1: it names the field on the wire of formats that use numbers.
    pub number: u32,
    /// Its name in JSON; any non-empty text.
    pub name: String,
    /// Type of the value; [`Kind::Nullable`] when it may be null.
    pub ty: TypeId,
    /// Whether messages may come without it.
    pub presence: Presence,
    /// What readers take when it is not there: a JSON scalar, or an empty list or object. An enum's is the name of a symbol,
    /// or, of an open one, a number. `None`: no default, though formats without presence still read a missing scalar as
    /// zero.
    pub default: Option<Json>,
    /// Documentation, without comment marks.
    pub doc: Option<String>,
    /// Former names.
    pub aliases: Vec<String>,
    /// Position in [`Record::oneofs`] of the group it belongs to; such a field is optional and has no default.
    pub oneof: Option<usize>,
    /// What single languages and formats know of it.
    pub notes: Notes,
    pub(crate) nullable: bool,
    pub(crate) value_type: u32,
}

impl Field {
    /// A required field without a default.
    pub fn new(number: u32, name: impl Into<String>, ty: TypeId) -> Self {
        Field {
            number,
            name: name.into(),
            ty,
            presence: Presence::Required,
            default: None,
            doc: None,
            aliases: Vec::new(),
            oneof: None,
            notes: Notes::default(),
            nullable: false,
            value_type: 0,
        }
    }

    /// The same, optional.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.presence = Presence::Optional;
        self
    }

    /// Whether messages may come without it.
    pub fn is_optional(&self) -> bool {
        self.presence == Presence::Optional
    }

    /// Whether its value may be null.
    pub fn is_nullable(&self) -> bool {
        self.nullable
    }

    /// Whether it can be absent or null, so that a document keeps a state for it.
    pub fn is_stateful(&self) -> bool {
        self.is_optional() || self.is_nullable()
    }

    /// The type of its value when it has one: [`Field::ty`] with [`Kind::Nullable`] taken off.
    pub fn value_type(&self) -> TypeId {
        TypeId(self.value_type)
    }
}

/// Fields of one record of which a message has at most one: a `oneof` of Protobuf, a union inside a struct of Cap'n
/// Proto. Unlike a [`Union`], which is a value, its members are fields of the record itself.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Oneof {
    /// Unique in its record; not the name of a field.
    pub name: String,
    /// Documentation, without comment marks.
    pub doc: Option<String>,
    /// Whether a message always has exactly one of them.
    pub required: bool,
    /// What single languages and formats know of it.
    pub notes: Notes,
}

/// Whether messages may come without a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Every message has it. A format whose wire omits zero values still counts as having it.
    Required,
    /// A message may come without it, and readers can tell.
    Optional,
}

/// Named numbers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Enum {
    /// Unique among the schema's named types.
    pub name: String,
    /// Documentation, without comment marks.
    pub doc: Option<String>,
    /// At least one; names are unique.
    pub symbols: Vec<Symbol>,
    /// Whether numbers without a symbol are errors. Open enums carry them through.
    pub closed: bool,
    /// Numbers that must not be given out again, sorted.
    pub reserved_numbers: Vec<RangeInclusive<i64>>,
    /// Names that must not be given out again.
    pub reserved_names: Vec<String>,
}

impl Enum {
    /// Position of the symbol with this number.
    pub fn position(&self, number: i64) -> Option<usize> {
        let is = |i: usize| self.symbols.get(i).is_some_and(|symbol| symbol.number == number);
        // Most enums are numbered 0, 1, 2, ..., and most others at least in order. Of two names for one number the
        // first is the one that is written.
        let direct = usize::try_from(number).ok().filter(|&i| is(i) && (i == 0 || !is(i - 1)));
        let sorted = || Some(self.symbols.partition_point(|symbol| symbol.number < number)).filter(|&i| is(i));
        direct.or_else(sorted).or_else(|| self.symbols.iter().position(|symbol| symbol.number == number))
    }

    /// Position of the symbol with this name.
    pub fn position_of(&self, name: &[u8]) -> Option<usize> {
        self.symbols.iter().position(|symbol| symbol.name.as_bytes() == name)
    }
}

/// One name of an [`Enum`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Symbol {
    /// Unique in its enum.
    pub name: String,
    /// What goes over the wire of formats that use numbers.
    pub number: i64,
    /// Documentation, without comment marks.
    pub doc: Option<String>,
    /// What single languages and formats know of it.
    pub notes: Notes,
}

impl Symbol {
    /// A symbol without documentation.
    pub fn new(name: impl Into<String>, number: i64) -> Self {
        Symbol { name: name.into(), number, ..Symbol::default() }
    }
}

/// One of several types.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Union {
    /// Unique among the schema's named types.
    pub name: String,
    /// Documentation, without comment marks.
    pub doc: Option<String>,
    /// At least one; names and numbers are unique.
    pub branches: Vec<Branch>,
}

/// One alternative of a [`Union`].
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    /// Stable number, at least 1.
    pub number: u32,
    /// Its name, where a format needs one.
    pub name: String,
    /// Never nullable, `Null` or another union.
    pub ty: TypeId,
    /// Documentation, without comment marks.
    pub doc: Option<String>,
    /// What single languages and formats know of it.
    pub notes: Notes,
}

impl Branch {
    /// A branch without documentation.
    pub fn new(number: u32, name: impl Into<String>, ty: TypeId) -> Self {
        Branch { number, name: name.into(), ty, doc: None, notes: Notes::default() }
    }
}

impl Schema {
    /// The type of a message.
    pub fn root(&self) -> TypeId {
        self.root
    }

    /// The types, in table order.
    pub fn types(&self) -> &[Type] {
        &self.types
    }

    /// The type with this id.
    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// What the values of this type are.
    pub fn kind(&self, id: TypeId) -> &Kind {
        &self.types[id.index()].kind
    }

    /// What the values of this type mean.
    pub fn logical(&self, id: TypeId) -> Option<Logical> {
        self.types[id.index()].logical
    }

    /// What single languages and formats know of the type with this id.
    pub fn type_notes(&self, id: TypeId) -> &Notes {
        &self.types[id.index()].notes
    }

    /// What single languages know of the schema as a whole (of the file it was in).
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    /// The same with other notes as a whole.
    #[must_use]
    pub fn with_notes(&self, notes: Notes) -> Schema {
        Schema { notes, ..self.with_root(self.root) }
    }

    /// The same types with another root, such as a named type of a larger schema.
    #[must_use]
    pub fn with_root(&self, root: TypeId) -> Schema {
        Schema { types: self.types.clone(), root, notes: self.notes.clone(), by_name: self.by_name.clone() }
    }

    /// The schema of messages of type `root`, with only the types that they need, in the same order. Types get new
    /// ids.
    #[must_use]
    pub fn rooted(&self, root: TypeId) -> Schema {
        let mut reached = vec![false; self.types.len()];
        let mut todo = vec![root];
        while let Some(id) = todo.pop() {
            if !std::mem::replace(&mut reached[id.index()], true) {
                todo.extend(self.parts(id));
            }
        }
        let mut next = 0;
        let places: Vec<u32> = reached
            .iter()
            .map(|&reached| {
                next += u32::from(reached);
                next.saturating_sub(1)
            })
            .collect();
        let mut types: Vec<Type> =
            self.types.iter().zip(&reached).filter(|(_, reached)| **reached).map(|(ty, _)| ty.clone()).collect();
        let moved = |id: &mut TypeId| *id = TypeId(places[id.index()]);
        for (place, ty) in types.iter_mut().enumerate() {
            match &mut ty.kind {
                Kind::List(inner) | Kind::Nullable(inner) => moved(inner),
                Kind::Map(key, value) => {
                    moved(key);
                    moved(value);
                }
                Kind::Record(record) => {
                    record.id = place as u32;
                    for field in &mut record.fields {
                        moved(&mut field.ty);
                        field.value_type = places[field.value_type as usize];
                    }
                }
                Kind::Union(union) => union.branches.iter_mut().for_each(|branch| moved(&mut branch.ty)),
                _ => {}
            }
        }
        // Those that remain stay in their order.
        let by_name =
            self.by_name.iter().filter(|id| reached[id.index()]).map(|id| TypeId(places[id.index()])).collect();
        Schema { types, root: TypeId(places[root.index()]), notes: self.notes.clone(), by_name }
    }

    /// The types that values of this one consist of.
    pub fn parts(&self, id: TypeId) -> Vec<TypeId> {
        match self.kind(id) {
            Kind::List(inner) | Kind::Nullable(inner) => vec![*inner],
            Kind::Map(key, value) => vec![*key, *value],
            // The value's type of a nullable field is a part of the field's type.
            Kind::Record(record) => record.fields.iter().map(|field| field.ty).collect(),
            Kind::Union(union) => union.branches.iter().map(|branch| branch.ty).collect(),
            _ => Vec::new(),
        }
    }

    /// The named types (records, enums and unions), in table order.
    pub fn named_types(&self) -> impl Iterator<Item = TypeId> {
        (0..self.types.len()).map(TypeId::from_index).filter(|&id| self.name(id).is_some())
    }

    /// The schema of a list of this schema's messages: what a batch is.
    #[must_use]
    pub fn list_of(&self) -> Schema {
        let mut types = self.types.clone();
        types.push(Type::from(Kind::List(self.root)));
        let (notes, by_name) = (self.notes.clone(), self.by_name.clone());
        Schema { root: TypeId::from_index(types.len() - 1), types, notes, by_name }
    }

    /// The record, enum or union with this name.
    pub fn named(&self, name: &str) -> Option<TypeId> {
        let place = self.by_name.binary_search_by_key(&(name.len(), name), |&id| self.name_key(id)).ok()?;
        Some(self.by_name[place])
    }

    /// What [`Schema::by_name`] is sorted by.
    fn name_key(&self, id: TypeId) -> (usize, &str) {
        let name = self.name(id).unwrap_or_default();
        (name.len(), name)
    }

    fn sort_names(&mut self) {
        let mut names: Vec<TypeId> = self.named_types().collect();
        names.sort_unstable_by_key(|&id| self.name_key(id));
        self.by_name = names;
    }

    /// The name of a record, enum or union.
    pub fn name(&self, id: TypeId) -> Option<&str> {
        match self.kind(id) {
            Kind::Record(record) => Some(&record.name),
            Kind::Enum(e) => Some(&e.name),
            Kind::Union(union) => Some(&union.name),
            _ => None,
        }
    }

    /// A short description of a type for messages: `list of Person`, `int32`, `string or null`.
    pub fn describe(&self, id: TypeId) -> String {
        match self.kind(id) {
            Kind::List(item) => format!("list of {}", self.describe(*item)),
            Kind::Map(_, value) => format!("map of {}", self.describe(*value)),
            Kind::Nullable(inner) => format!("{} or null", self.describe(*inner)),
            Kind::Fixed(size) => format!("{size} bytes"),
            _ => match self.name(id) {
                Some(name) => name.to_owned(),
                None => file::scalar_name(self.kind(id)).unwrap_or("value").to_owned(),
            },
        }
    }
}
