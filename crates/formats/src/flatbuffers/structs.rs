//! Structs: records of fixed size that lie where they are used.

use wirewise_core::{Error, ErrorKind, Kind, Record, Result, Schema, TypeId};

use super::notes;
use super::plan::{Scalar, scalar};

/// A struct, laid out.
pub(super) struct Struct {
    /// The record.
    pub(super) ty: TypeId,
    pub(super) size: usize,
    pub(super) align: usize,
    /// In the order of the fields' numbers.
    pub(super) members: Vec<Member>,
    /// Position of the field that vectors are sorted by.
    pub(super) key: Option<usize>,
}

/// A field of a struct.
pub(super) struct Member {
    pub(super) position: usize,
    /// Where it starts in the struct.
    pub(super) at: usize,
    pub(super) part: Part,
    /// How many lie one after the other; `None`: the field is one itself.
    pub(super) count: Option<usize>,
}

/// What a field of a struct, or an element of its array, is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    Scalar(Scalar, TypeId),
    Bytes(usize),
    Struct(usize),
}

/// The structs of a schema, by the order in which they were asked for.
pub(super) struct Structs<'a> {
    schema: &'a Schema,
    by_type: Vec<Option<usize>>,
    pub(super) all: Vec<Struct>,
}

/// How deep structs may lie in each other.
const DEEPEST: usize = 64;

/// The largest alignment that can be asked for.
const MOST_ALIGNMENT: usize = 256;

impl<'a> Structs<'a> {
    pub(super) fn new(schema: &'a Schema) -> Self {
        Structs { schema, by_type: vec![None; schema.types().len()], all: Vec::new() }
    }

    /// Whether this type is a struct.
    pub(super) fn has(&self, ty: TypeId) -> bool {
        matches!(self.schema.kind(ty), Kind::Record(_)) && self.schema.type_notes(ty).has(notes::STRUCT)
    }

    /// The index of a struct in [`Structs::all`].
    pub(super) fn get(&mut self, ty: TypeId) -> Result<usize> {
        self.get_within(ty, 0)
    }

    fn get_within(&mut self, ty: TypeId, depth: usize) -> Result<usize> {
        if let Some(index) = self.by_type[ty.index()] {
            return Ok(index);
        }
        let Kind::Record(record) = self.schema.kind(ty) else { unreachable!("asked for as a struct") };
        if depth > DEEPEST {
            return Err(unsupported(format!("structs nest deeper than {DEEPEST}: {}", record.name)));
        }
        let laid_out = self.layout(ty, record, depth)?;
        self.all.push(laid_out);
        self.by_type[ty.index()] = Some(self.all.len() - 1);
        Ok(self.all.len() - 1)
    }

    fn layout(&mut self, ty: TypeId, record: &Record, depth: usize) -> Result<Struct> {
        let (mut size, mut align, mut key, mut members) = (0usize, 1, None, Vec::new());
        for position in record.by_number() {
            let field = &record.fields[position];
            let wrong = |what: &str| {
                let (name, ty) = (&record.name, self.schema.describe(field.ty));
                unsupported(format!("{name} is a FlatBuffers struct, which cannot have {what} {ty}"))
                    .in_field(&field.name)
            };
            if field.is_stateful() {
                return Err(wrong("an optional"));
            }
            let (part, count) = match self.schema.kind(field.ty) {
                Kind::List(item) => {
                    let count = self.schema.type_notes(field.ty).get(notes::ARRAY).and_then(|n| n.parse().ok());
                    match (count, self.part(*item, depth)?) {
                        (Some(count @ 1..=65535), Some(part)) => (part, Some(count)),
                        _ => return Err(wrong("a")),
                    }
                }
                _ => (self.part(field.ty, depth)?.ok_or_else(|| wrong("a"))?, None),
            };
            let (part_size, part_align) = self.extent(part);
            align = align.max(part_align);
            let at = size.next_multiple_of(part_align);
            size = part_size.saturating_mul(count.unwrap_or(1)).saturating_add(at);
            if size > MOST_BYTES {
                return Err(unsupported(format!("struct {} is larger than {MOST_BYTES} bytes", record.name)));
            }
            if field.notes.has(notes::KEY) && count.is_none() && matches!(part, Part::Scalar(..)) {
                key = Some(position);
            }
            members.push(Member { position, at, part, count });
        }
        if let Some(forced) = self.schema.type_notes(ty).get(notes::FORCE_ALIGN) {
            align = align.max(alignment(forced, &record.name)?);
        }
        if members.is_empty() {
            return Err(unsupported(format!("{} is a FlatBuffers struct, which must have fields", record.name)));
        }
        Ok(Struct { ty, size: size.next_multiple_of(align), align, members, key })
    }

    fn part(&mut self, ty: TypeId, depth: usize) -> Result<Option<Part>> {
        if self.has(ty) {
            return Ok(Some(Part::Struct(self.get_within(ty, depth + 1)?)));
        }
        Ok(match self.schema.kind(ty) {
            Kind::Fixed(size @ 1..=65535) => Some(Part::Bytes(*size as usize)),
            _ => scalar(self.schema, ty).map(|scalar| Part::Scalar(scalar, ty)),
        })
    }

    /// Size and alignment.
    fn extent(&self, part: Part) -> (usize, usize) {
        match part {
            Part::Scalar(scalar, _) => (scalar.size(), scalar.size()),
            Part::Bytes(size) => (size, 1),
            Part::Struct(index) => (self.all[index].size, self.all[index].align),
        }
    }
}

/// The largest struct: any one that a table or a vector of a buffer can hold is far smaller.
const MOST_BYTES: usize = 1 << 30;

/// The alignment that a note asks for.
pub(super) fn alignment(text: &str, of: &str) -> Result<usize> {
    let value = text.parse().ok().filter(|&n: &usize| n.is_power_of_two() && n <= MOST_ALIGNMENT);
    value.ok_or_else(|| unsupported(format!("{of} has the alignment {text:?}: expected a power of two up to 256")))
}

pub(super) fn unsupported(message: String) -> Error {
    Error::new(ErrorKind::Unsupported, message)
}
