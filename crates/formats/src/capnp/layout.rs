//! Where the fields of a struct lie: the algorithm of the `capnp` compiler (`compiler/node-translator.c++`), which is
//! the only definition of Cap'n Proto's layout.
//!
//! Fields get their places in the order of their ordinals, so that fields added later never move earlier ones. A data
//! field of 2^n bits is aligned to its size and goes into the smallest hole that earlier fields left, or into a new
//! word. The members of a union share their space: the union keeps a list of *locations* (data and pointers) that it
//! asked its parent for; each member fills locations on its own, and a location that is too small is grown where the
//! space after it is still free. A union asks for its discriminant (16 bits) when a second member gets its first
//! field, so that a lone field can be made a union later.

use std::collections::BTreeMap;

use wirewise_core::{Error, ErrorKind, Result};

pub(super) use super::shape::Size;

/// A member of a struct, group or union.
#[derive(Debug, Clone)]
pub(super) enum Member {
    /// A field.
    Slot { ordinal: u32, size: Size },
    /// A group, which lies in its parent like the parent's own fields.
    Group(Vec<Member>),
    /// A union; it has an ordinal when its schema says so, for its discriminant.
    Union { ordinal: Option<u32>, members: Vec<Member> },
}

/// A struct, laid out.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub(super) data_words: u32,
    pub(super) pointers: u32,
    /// Of each field, by ordinal: its offset in multiples of its size, or the number of its pointer.
    pub(super) offsets: BTreeMap<u32, u32>,
    /// The unions, outer before inner, in the order of declaration.
    pub(super) unions: Vec<PlacedUnion>,
}

/// Where a union's discriminant lies, and what its values are.
#[derive(Debug, Default)]
pub(super) struct PlacedUnion {
    /// In multiples of 16 bits.
    pub(super) discriminant: u32,
    /// The discriminant of each member, in the order of declaration: they count up in the order of the ordinals.
    pub(super) values: Vec<u16>,
}

/// Lays out a struct with these members.
///
/// # Errors
/// [`ErrorKind::Unsupported`] for the few nested unions that the compiler refuses too, because versions before 0.6
/// laid them out wrongly.
pub(super) fn layout(members: &[Member]) -> Result<Layout> {
    let mut struct_ = Struct::default();
    let mut entries = BTreeMap::new();
    let mut path = Vec::new();
    struct_.traverse(members, Scope::Top, &mut path, &mut entries);
    let mut out = Layout::default();
    let mut values: Vec<Vec<Option<u16>>> = vec![Vec::new(); struct_.unions.len()];
    let mut counts = vec![0; struct_.unions.len()];
    for (ordinal, entry) in entries {
        for &(union, member) in &entry.path {
            if values[union].len() <= member {
                values[union].resize(member + 1, None);
            }
            values[union][member].get_or_insert_with(|| {
                counts[union] += 1;
                counts[union] - 1
            });
        }
        match entry.what {
            Entry::Slot(scope, size) => {
                out.offsets.insert(ordinal, struct_.add(scope, size)?);
            }
            Entry::Union(union) => struct_.add_discriminant(union)?,
        }
    }
    for union in 0..struct_.unions.len() {
        struct_.add_discriminant(union)?;
    }
    out.data_words = struct_.data_words;
    out.pointers = struct_.pointers;
    out.unions = struct_
        .unions
        .iter()
        .zip(values)
        .map(|(union, values)| PlacedUnion {
            discriminant: union.discriminant.unwrap_or_default(),
            values: values.into_iter().map(Option::unwrap_or_default).collect(),
        })
        .collect();
    Ok(out)
}

/// What is to be placed when an ordinal comes up, and the unions it is in: `(union, its member)`.
struct Place {
    what: Entry,
    path: Vec<(usize, usize)>,
}

enum Entry {
    Slot(Scope, Size),
    Union(usize),
}

/// Where a field is added.
#[derive(Debug, Clone, Copy)]
enum Scope {
    Top,
    Group(usize),
}

/// The free space inside of what is taken: at most one hole of each size from 1 to 32 bits, its offset a multiple of
/// its size. No hole can be at offset 0, which is always taken first: 0 means none.
#[derive(Debug, Clone, Default)]
struct Holes([u32; 6]);

impl Holes {
    /// Takes 2^`lg` bits, splitting a larger hole if need be.
    fn take(&mut self, lg: usize) -> Option<u32> {
        let hole = *self.0.get(lg)?;
        if hole != 0 {
            self.0[lg] = 0;
            return Some(hole);
        }
        let offset = self.take(lg + 1)? * 2;
        self.0[lg] = offset + 1;
        Some(offset)
    }

    /// The space after a field at the start of a new block of 2^`end` bits becomes holes.
    fn add_after(&mut self, mut lg: usize, mut offset: u32, end: usize) {
        while lg < end {
            self.0[lg] = offset;
            lg += 1;
            offset = offset.div_ceil(2);
        }
    }

    /// Joins what lies at `offset` with the holes after it until it is 2^`factor` times as large.
    fn grow(&mut self, lg: usize, offset: u32, factor: u32) -> bool {
        if factor == 0 {
            return true;
        }
        let grows =
            self.0.get(lg).is_some_and(|&hole| hole == offset + 1) && self.grow(lg + 1, offset >> 1, factor - 1);
        if grows {
            self.0[lg] = 0;
        }
        grows
    }

    fn smallest(&self, lg: usize) -> Option<usize> {
        (lg..6).find(|&lg| self.0[lg] != 0)
    }
}

/// A block of data that a union got from its parent.
#[derive(Debug, Clone, Copy)]
struct Location {
    lg: usize,
    offset: u32,
}

#[derive(Debug)]
struct Union {
    parent: Scope,
    /// Members that have fields.
    used: u32,
    discriminant: Option<u32>,
    data: Vec<Location>,
    pointers: Vec<u32>,
}

/// A member of a union; a field that is one counts as a group of one.
#[derive(Debug)]
struct Group {
    union: usize,
    /// How much of each of the union's locations it has filled.
    usage: Vec<Usage>,
    pointers: usize,
    has_members: bool,
}

#[derive(Debug, Clone, Default)]
struct Usage {
    /// The first 2^this bits of the location are taken, but for the holes.
    used: Option<usize>,
    holes: Holes,
}

impl Usage {
    /// The smallest hole that takes 2^`lg` bits, when the location need not grow.
    fn smallest(&self, location: Location, lg: usize) -> Option<usize> {
        match self.used {
            None => (lg <= location.lg).then_some(location.lg),
            Some(used) if lg >= used => (lg < location.lg).then_some(lg),
            Some(used) => self.holes.smallest(lg).or((used < location.lg).then_some(used)),
        }
    }

    /// Takes 2^`lg` bits where [`Usage::smallest`] found room; the offset is within the struct.
    fn take(&mut self, location: Location, lg: usize) -> u32 {
        let within = match self.used {
            None => {
                self.used = Some(lg);
                0
            }
            Some(used) if lg >= used => {
                // The second half of a block twice the field's size.
                self.holes.add_after(used, 1, lg);
                self.used = Some(lg + 1);
                1
            }
            Some(used) => self.holes.take(lg).unwrap_or_else(|| {
                let offset = 1 << (used - lg);
                self.holes.add_after(lg, offset + 1, used);
                self.used = Some(used + 1);
                offset
            }),
        };
        (location.offset << (location.lg - lg)) + within
    }
}

#[derive(Debug, Default)]
struct Struct {
    data_words: u32,
    pointers: u32,
    holes: Holes,
    unions: Vec<Union>,
    groups: Vec<Group>,
}

impl Struct {
    fn traverse(
        &mut self,
        members: &[Member],
        scope: Scope,
        path: &mut Vec<(usize, usize)>,
        entries: &mut BTreeMap<u32, Place>,
    ) {
        for member in members {
            match member {
                Member::Slot { ordinal, size } => {
                    entries.insert(*ordinal, Place { what: Entry::Slot(scope, *size), path: path.clone() });
                }
                Member::Group(members) => self.traverse(members, scope, path, entries),
                Member::Union { ordinal, members } => {
                    let union = self.unions.len();
                    let (data, pointers) = (Vec::new(), Vec::new());
                    self.unions.push(Union { parent: scope, used: 0, discriminant: None, data, pointers });
                    if let Some(ordinal) = ordinal {
                        entries.insert(*ordinal, Place { what: Entry::Union(union), path: path.clone() });
                    }
                    for (i, member) in members.iter().enumerate() {
                        self.groups.push(Group { union, usage: Vec::new(), pointers: 0, has_members: false });
                        let group = Scope::Group(self.groups.len() - 1);
                        path.push((union, i));
                        self.traverse(std::slice::from_ref(member), group, path, entries);
                        path.pop();
                    }
                }
            }
        }
    }

    fn add(&mut self, scope: Scope, size: Size) -> Result<u32> {
        match size {
            Size::Void => self.add_void(scope).map(|()| 0),
            Size::Data(lg) => self.add_data(scope, lg as usize),
            Size::Pointer => self.add_pointer(scope),
        }
    }

    fn add_discriminant(&mut self, union: usize) -> Result<()> {
        if self.unions[union].discriminant.is_none() {
            let offset = self.add_data(self.unions[union].parent, 4)?;
            self.unions[union].discriminant = Some(offset);
        }
        Ok(())
    }

    fn add_member(&mut self, group: usize) -> Result<usize> {
        let union = self.groups[group].union;
        if !self.groups[group].has_members {
            self.groups[group].has_members = true;
            self.unions[union].used += 1;
            if self.unions[union].used == 2 {
                self.add_discriminant(union)?;
            }
        }
        Ok(union)
    }

    fn add_void(&mut self, scope: Scope) -> Result<()> {
        let Scope::Group(group) = scope else { return Ok(()) };
        let union = self.add_member(group)?;
        // A union around this one counts its members too.
        self.add_void(self.unions[union].parent)
    }

    fn add_pointer(&mut self, scope: Scope) -> Result<u32> {
        let Scope::Group(group) = scope else {
            self.pointers += 1;
            return Ok(self.pointers - 1);
        };
        let union = self.add_member(group)?;
        self.groups[group].pointers += 1;
        if let Some(&pointer) = self.unions[union].pointers.get(self.groups[group].pointers - 1) {
            return Ok(pointer);
        }
        let pointer = self.add_pointer(self.unions[union].parent)?;
        self.unions[union].pointers.push(pointer);
        Ok(pointer)
    }

    fn add_data(&mut self, scope: Scope, lg: usize) -> Result<u32> {
        let Scope::Group(group) = scope else {
            return Ok(self.holes.take(lg).unwrap_or_else(|| {
                let offset = self.data_words << (6 - lg);
                self.data_words += 1;
                self.holes.add_after(lg, offset + 1, 6);
                offset
            }));
        };
        let union = self.add_member(group)?;
        let locations = self.unions[union].data.len();
        let usage = &mut self.groups[group].usage;
        usage.resize(locations, Usage::default());
        let room = |i: &usize| usage[*i].smallest(self.unions[union].data[*i], lg);
        if let Some(best) = (0..locations).filter(|i| room(i).is_some()).min_by_key(|i| room(i)) {
            return Ok(usage[best].take(self.unions[union].data[best], lg));
        }
        for i in 0..locations {
            if let Some(offset) = self.take_growing(group, i, lg)? {
                return Ok(offset);
            }
        }
        let offset = self.add_data(self.unions[union].parent, lg)?;
        self.unions[union].data.push(Location { lg, offset });
        self.groups[group].usage.push(Usage { used: Some(lg), holes: Holes::default() });
        Ok(offset)
    }

    /// Takes 2^`lg` bits from location `i` by growing it.
    fn take_growing(&mut self, group: usize, i: usize, lg: usize) -> Result<Option<u32>> {
        let union = self.groups[group].union;
        let within = match self.groups[group].usage[i].used {
            None => {
                if !self.grow_location(union, i, lg)? {
                    return Ok(None);
                }
                self.groups[group].usage[i].used = Some(lg);
                0
            }
            Some(used) => {
                let wanted = used.max(lg) + 1;
                if !self.grow_location(union, i, wanted)? {
                    return Ok(None);
                }
                let usage = &mut self.groups[group].usage[i];
                usage.holes.add_after(used, 1, wanted);
                usage.used = Some(wanted);
                usage.holes.take(lg).unwrap_or_default()
            }
        };
        let location = self.unions[union].data[i];
        Ok(Some((location.offset << (location.lg - lg)) + within))
    }

    /// Makes a union's location at least 2^`lg` bits large.
    fn grow_location(&mut self, union: usize, i: usize, lg: usize) -> Result<bool> {
        let location = self.unions[union].data[i];
        if lg <= location.lg {
            return Ok(true);
        }
        let factor = (lg - location.lg) as u32;
        let grows = self.grow(self.unions[union].parent, location.lg, location.offset, factor)?;
        if grows {
            self.unions[union].data[i] = Location { lg, offset: location.offset >> factor };
        }
        Ok(grows)
    }

    /// Grows what lies at `offset` to 2^`factor` times its size, when the space after it is free.
    fn grow(&mut self, scope: Scope, lg: usize, offset: u32, factor: u32) -> Result<bool> {
        let Scope::Group(group) = scope else {
            return Ok(self.holes.grow(lg, offset, factor));
        };
        let union = self.groups[group].union;
        // Not aligned, or more than a word.
        let misplaced = lg + factor as usize > 6 || offset & ((1 << factor) - 1) != 0;
        for i in 0..self.groups[group].usage.len() {
            let location = self.unions[union].data[i];
            if location.lg < lg || offset >> (location.lg - lg) != location.offset {
                continue;
            }
            let local = offset - (location.offset << (location.lg - lg));
            let grows = if local == 0 && self.groups[group].usage[i].used == Some(lg) {
                // Versions before 0.6 went wrong where this succeeds, and the compiler refuses it since.
                if self.grow_location(union, i, lg + factor as usize)? {
                    return Err(refused());
                }
                false
            } else {
                self.groups[group].usage[i].holes.grow(lg, local, factor)
            };
            if misplaced && grows {
                return Err(refused());
            }
            return Ok(grows);
        }
        Ok(false)
    }
}

#[cold]
fn refused() -> Error {
    Error::new(
        ErrorKind::Unsupported,
        "the Cap'n Proto compiler refuses this nesting of unions (https://github.com/capnproto/capnproto/issues/344)",
    )
    .hint("reorder the ordinals of the inner union's members")
}
