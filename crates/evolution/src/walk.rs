//! Along both schemas at once.
//!
//! The walk pairs the writer's types with the reader's, beginning at the messages, and asks every rule at every pair. A
//! pair of named types is visited once, by the first way that leads to it; that way is where witnesses have their
//! values. What has no name is asked about at every field that has it.

use std::collections::HashSet;

use wirewise_core::{Kind, Schema, TypeId};
use wirewise_idl::{Element, Module};

use crate::groups::Leaf;
use crate::mode::Level;
use crate::rule::{At, Check, FieldAt, Found, Hop, Meeting, Rule, Ruleset};

/// Everything that the rules of these levels find between a writer's and a reader's module.
///
/// `types` are the types of the messages; where they are not given, those of the modules, and by name all others where the
/// format allows any type to be a message.
pub(crate) fn walk(
    ruleset: &'static Ruleset,
    levels: &dyn Fn(Level) -> bool,
    writer: &Module,
    reader: &Module,
    types: Option<(TypeId, TypeId)>,
) -> Vec<Found> {
    let rules: Vec<&'static Rule> = ruleset.rules.iter().filter(|rule| levels(rule.level)).collect();
    let roots = roots(ruleset, writer, reader, types);
    let Some(&first) = roots.first() else { return Vec::new() };
    let elements = (Element::Type(first.0), Element::Type(first.1));
    let mut walk = Walk { ruleset, rules, writer, reader, found: Vec::new(), seen: HashSet::new(), elements };
    {
        walk.ask(first, &[], |at, check| {
            if let Check::Modules(check) = check {
                check(at);
            }
        });
    }
    for root in roots {
        // A list of work instead of recursion: schemas may nest deeper than the stack.
        let elements = (Element::Type(root.0), Element::Type(root.1));
        let mut todo = vec![(root, Vec::new(), elements)];
        while let Some((pair, trail, elements)) = todo.pop() {
            walk.elements = elements;
            let mut next = walk.pair(root, pair, &trail);
            next.reverse();
            todo.extend(next);
        }
    }
    walk.found
}

/// The pairs of types that messages may have.
fn roots(
    ruleset: &Ruleset,
    writer: &Module,
    reader: &Module,
    types: Option<(TypeId, TypeId)>,
) -> Vec<(TypeId, TypeId)> {
    if let Some(types) = types {
        return vec![types];
    }
    let mut roots = Vec::new();
    if let (Some(written), Some(read)) = (writer.root, reader.root) {
        roots.push((written, read));
        if !ruleset.any_type_is_root {
            return roots;
        }
    }
    let inside = (ruleset.groups(&writer.schema), ruleset.groups(&reader.schema));
    let ids = ruleset.type_ids(&reader.schema);
    for id in writer.schema.named_types().filter(|id| !inside.0.contains(id)) {
        let name = writer.schema.name(id).unwrap_or_default();
        let same_id = ruleset.type_id(&writer.schema, id).and_then(|id| ids.get(id).copied());
        if let Some(other) = same_id.or_else(|| reader.schema.named(name)).filter(|id| !inside.1.contains(id)) {
            roots.push((id, other));
        }
    }
    // Messages that were renamed: the only one here and the only one there.
    if roots.is_empty()
        && let (Ok(written), Ok(read)) = (writer.schema_of(None), reader.schema_of(None))
    {
        let name = |schema: &wirewise_core::Schema| schema.name(schema.root()).map(str::to_owned);
        let id = |module: &Module, name: Option<String>| name.and_then(|name| module.schema.named(&name));
        roots.extend(id(writer, name(&written)).zip(id(reader, name(&read))));
    }
    roots
}

struct Walk<'a> {
    ruleset: &'static Ruleset,
    rules: Vec<&'static Rule>,
    writer: &'a Module,
    reader: &'a Module,
    found: Vec<Found>,
    seen: HashSet<Seen>,
    elements: (Element, Element),
}

/// A pair of types inside another, the way to it, and the last elements on the way.
type Next = (Pair, Vec<Hop>, (Element, Element));

type Pair = (TypeId, TypeId);

/// A pair of types, what they are in, and the elements that have them, where the types have no names.
type Seen = (Pair, u8, Option<(Element, Element)>);

impl<'a> Walk<'a> {
    /// Lets every rule look.
    fn ask(&mut self, roots: Pair, trail: &[Hop], mut look: impl FnMut(&mut At<'_>, &Check)) {
        for &rule in &self.rules {
            let (writer, reader, ruleset) = (self.writer, self.reader, self.ruleset);
            let elements = self.elements;
            let mut at = At { writer, reader, ruleset, roots, trail, elements, rule, found: &mut self.found };
            look(&mut at, &rule.check);
        }
    }

    /// Looks at one pair of types; returns the pairs inside, with the ways to them.
    fn pair(&mut self, roots: Pair, pair: Pair, trail: &[Hop]) -> Vec<Next> {
        let (writer, reader) = (&self.writer.schema, &self.reader.schema);
        let bare = |schema: &wirewise_core::Schema, ty: TypeId| match schema.kind(ty) {
            Kind::Nullable(inner) => *inner,
            _ => ty,
        };
        // In Cap'n Proto a value may be something else in a list, or alone, than in a field.
        let context = match trail.last() {
            _ if !self.ruleset.has_groups() => 0,
            Some(Hop::Field(_) | Hop::AsItem) => 0,
            Some(Hop::Item) => 1,
            Some(Hop::Value) => 2,
            _ => 3,
        };
        let elements = self.elements;
        let is_named = writer.name(pair.0).is_some() && reader.name(pair.1).is_some();
        if !self.seen.insert((pair, context, (!is_named).then_some(elements))) {
            return Vec::new();
        }
        let way = |hop: Hop| [trail, &[hop]].concat();
        self.ask(roots, trail, |at, check| {
            if let Check::Types(check) = check {
                check(at, pair.0, pair.1);
            }
        });
        let pair = (bare(writer, pair.0), bare(reader, pair.1));
        match (writer.kind(pair.0), reader.kind(pair.1)) {
            (Kind::Enum(_), Kind::Enum(_)) => {
                self.elements = (Element::Type(pair.0), Element::Type(pair.1));
                self.ask(roots, trail, |at, check| {
                    if let Check::Enums(check) = check {
                        check(at, pair.0, pair.1);
                    }
                });
                Vec::new()
            }
            (Kind::Record(_), Kind::Record(_)) => self.records(roots, pair, trail),
            kinds => {
                if let (Kind::Union(_), Kind::Union(_)) = kinds {
                    self.ask(roots, trail, |at, check| {
                        if let Check::Unions(check) = check {
                            check(at, pair.0, pair.1);
                        }
                    });
                }
                let next = (self.ruleset.inside)(writer, pair.0, reader, pair.1).into_iter().map(|meeting| {
                    let Meeting { hop, types, branches } = meeting;
                    let element = |ty, branch: Option<usize>, outside| {
                        branch.map_or(outside, |position| Element::Branch(ty, position))
                    };
                    let inside = (element(pair.0, branches.0, elements.0), element(pair.1, branches.1, elements.1));
                    (types, hop.map_or_else(|| trail.to_vec(), way), inside)
                });
                let mut next: Vec<Next> = next.collect();
                if trail.last() == Some(&Hop::Item) {
                    next.extend(self.upgraded(pair, trail));
                }
                next
            }
        }
    }

    /// The elements of a list became records on one side, with a field for what they were.
    fn upgraded(&self, pair: Pair, trail: &[Hop]) -> Option<Next> {
        let (writer, reader) = (&self.writer.schema, &self.reader.schema);
        let element = |leaf: &Leaf<'_>| Element::Field(leaf.ty, leaf.position);
        if let Some(leaf) = self.ruleset.stands_for(writer, pair.0) {
            let hops = leaf.groups.iter().chain([&leaf.position]).map(|&position| Hop::Field(position));
            let way = trail.iter().copied().chain(hops).collect();
            return Some(((leaf.field().value_type(), pair.1), way, (element(&leaf), self.elements.1)));
        }
        let leaf = self.ruleset.stands_for(reader, pair.1)?;
        let way = [trail, &[Hop::AsItem]].concat();
        Some(((pair.0, leaf.field().value_type()), way, (self.elements.0, element(&leaf))))
    }

    fn records(&mut self, roots: Pair, pair: Pair, trail: &[Hop]) -> Vec<Next> {
        let (writer, reader): (&'a Schema, &'a Schema) = (&self.writer.schema, &self.reader.schema);
        let (Kind::Record(written), Kind::Record(read)) = (writer.kind(pair.0), reader.kind(pair.1)) else {
            unreachable!("called for records")
        };
        self.elements = (Element::Type(pair.0), Element::Type(pair.1));
        self.ask(roots, trail, |at, check| {
            if let Check::Records(check) = check {
                check(at, pair.0, pair.1);
            }
        });
        let mut next = Vec::new();
        let leaves = (self.ruleset.leaves(writer, pair.0, written), self.ruleset.leaves(reader, pair.1, read));
        let others = self.ruleset.matches(writer, (written, &leaves.0), reader, (read, &leaves.1));
        let mut taken = vec![false; leaves.1.len()];
        let at =
            |schema, leaf: &Leaf<'a>| FieldAt { schema, ty: leaf.ty, record: leaf.record, position: leaf.position };
        for (leaf, other) in leaves.0.iter().zip(others) {
            let from = at(writer, leaf);
            let groups = leaf.groups.iter().map(|&position| Hop::Field(position));
            let trail: Vec<Hop> = trail.iter().copied().chain(groups).collect();
            match other {
                Some(other) => {
                    taken[other] = true;
                    let to = at(reader, &leaves.1[other]);
                    self.ask(roots, &trail, |at, check| {
                        if let Check::Fields(check) = check {
                            check(at, from, to);
                        }
                    });
                    let types = (from.field().value_type(), to.field().value_type());
                    let way = [trail.as_slice(), &[Hop::Field(leaf.position)]].concat();
                    next.push((types, way, (from.element(), to.element())));
                }
                None => self.ask(roots, &trail, |at, check| {
                    if let Check::OnlyWritten(check) = check {
                        check(at, from, pair.1);
                    }
                }),
            }
        }
        for (leaf, _) in leaves.1.iter().zip(taken).filter(|(_, taken)| !taken) {
            let to = at(reader, leaf);
            self.ask(roots, trail, |at, check| {
                if let Check::OnlyRead(check) = check {
                    check(at, to, pair.0);
                }
            });
        }
        next
    }
}

/// The way to a place, for people: `User.addresses[*].zip`.
pub(crate) fn path(module: &Module, root: TypeId, trail: &[Hop]) -> String {
    let schema = &module.schema;
    let mut ty = root;
    let mut path = schema.describe(root);
    for hop in trail.iter().filter(|hop| **hop != Hop::AsItem) {
        while let (Kind::Nullable(inner), false) = (schema.kind(ty), *hop == Hop::Inner) {
            ty = *inner;
        }
        match (schema.kind(ty), hop) {
            (Kind::Record(record), Hop::Field(position)) => {
                let field = &record.fields[*position];
                path.push('.');
                path.push_str(&field.name);
                ty = field.ty;
            }
            (Kind::List(item), Hop::Item) => {
                path.push_str("[*]");
                ty = *item;
            }
            (Kind::Map(_, value), Hop::Value) => {
                path.push_str(".*");
                ty = *value;
            }
            (Kind::Union(union), Hop::Branch(position)) => {
                let branch = &union.branches[*position];
                path.push_str(&format!("<{}>", branch.name));
                ty = branch.ty;
            }
            (Kind::Nullable(inner), Hop::Inner) => ty = *inner,
            _ => break,
        }
    }
    path
}
