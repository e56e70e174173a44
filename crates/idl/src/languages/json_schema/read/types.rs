//! From alternatives to a type: null makes it nullable, alternatives of one kind are made one type, and those of several
//! kinds a union.

use wirewise_core::{Kind, Type};

use super::alternatives::Alternative;
use super::documents::At;
use super::kinds::Kinds;
use super::slots::{Keywords, Slot, part};
use super::{Reader, Where};
use crate::Result;
use crate::json::Node;

/// The kinds of value that can be told apart in JSON, and what the branches of unions are called that have them.
const CLASSES: [(Kinds, &str); 5] = [
    (Kinds::BOOL, "bool"),
    (Kinds::NUMBER, "number"),
    (Kinds::STRING, "string"),
    (Kinds::ARRAY, "list"),
    (Kinds::OBJECT, "object"),
];

impl<'a> Reader<'a> {
    /// Makes the type of values that satisfy one of the alternatives.
    pub(super) fn resolve(&mut self, alternatives: Vec<Alternative<'a>>, place: Where<'a, '_>) -> Result<()> {
        if let [Alternative { reference: Some(target), .. }] = alternatives[..] {
            let same = self.reference(target)?;
            return self.same(same, place);
        }
        let mut shared = Shared { layers: common_layers(&alternatives), taken: false };
        let mut kinds = Vec::new();
        for alternative in &alternatives {
            kinds.push(self.kinds(alternative, 0)?);
        }
        if kinds.contains(&Kinds::ALL) {
            let mut notes = self.said_by(&shared.layers, Kinds::NONE, &Shared::default())?;
            if alternatives.len() > 1 {
                self.notice(place.at, "one alternative allows any value, so that the type is any");
                notes.extend(self.kept_alternatives(place.at)?);
            }
            return self.finish_type(Kind::Any, notes, place);
        }
        let nullable = kinds.iter().any(|kinds| kinds.has(Kinds::NULL));
        let mut rest: Vec<(Alternative<'a>, Kinds)> = Vec::new();
        for (alternative, kinds) in alternatives.into_iter().zip(kinds) {
            if !kinds.without(Kinds::NULL).is_empty() {
                rest.push((alternative, kinds));
            }
        }
        if rest.is_empty() {
            if !nullable {
                return Err(
                    self.wrong(place.at, "no value can satisfy this schema: what it asks for excludes each other")
                );
            }
            let notes = self.said_by(&shared.layers, Kinds::NONE, &Shared::default())?;
            return self.finish_type(Kind::Null, notes, place);
        }
        if let ([(Alternative { reference: Some(target), .. }, kinds)], true) = (&rest[..], nullable) {
            // What is referred to may be nullable itself.
            let inner = self.reference(*target)?;
            if kinds.has(Kinds::NULL) {
                return self.same(inner, place);
            }
            return self.finish_type(Kind::Nullable(part(inner)), Keywords::default(), place);
        }
        let all = rest.iter().map(|(_, kinds)| *kinds).fold(Kinds::NONE, Kinds::or);
        let classes = CLASSES.iter().filter(|(class, _)| all.has(*class)).count();
        let mut outer = Keywords::default();
        if nullable || rest.len() > 1 || classes > 1 {
            outer = self.said_by(&shared.layers, Kinds::NONE, &shared)?;
            shared.taken = true;
        }
        if !nullable {
            return self.not_null(rest, &shared, outer, place);
        }
        let inner = self.slots.declare();
        self.not_null(rest, &shared, Keywords::default(), Where { slot: inner, bare: false, ..place })?;
        self.finish_type(Kind::Nullable(part(inner)), outer, place)
    }

    /// The same for values that are not null. `outer` is what is said about values of every kind.
    fn not_null(
        &mut self,
        rest: Vec<(Alternative<'a>, Kinds)>,
        shared: &Shared<'a>,
        outer: Keywords<'a>,
        place: Where<'a, '_>,
    ) -> Result<()> {
        let all = rest.iter().map(|(_, kinds)| *kinds).fold(Kinds::NONE, Kinds::or).without(Kinds::NULL);
        if all.only(Kinds::STRING.or(Kinds::INT)) && all.has(Kinds::STRING) {
            let alternatives: Vec<&Alternative<'a>> = rest.iter().map(|(alternative, _)| alternative).collect();
            if self.enumeration(&alternatives, shared, place)? {
                self.slots.note(place.slot, outer);
                return Ok(());
            }
        }
        let mut classes: Vec<(Kinds, &str)> = CLASSES.iter().filter(|(class, _)| all.has(*class)).copied().collect();
        if let [(class, _)] = classes[..] {
            let alternatives = rest.into_iter().map(|(alternative, _)| alternative).collect();
            self.of_class(class, alternatives, shared, false, place)?;
            if !outer.is_empty() && matches!(self.slots.get(place.slot), Slot::Made(_)) {
                self.slots.note(place.slot, outer);
            }
            return Ok(());
        }
        // In the order in which the schema names them.
        let first = |class: Kinds| rest.iter().position(|(_, kinds)| kinds.has(class));
        classes.sort_by_key(|(class, _)| (first(*class), self.place_in_list(&shared.layers, *class)));
        let numbers = classes.iter().any(|(class, _)| *class == Kinds::NUMBER);
        let mut branches = Vec::new();
        let name = self.name_of(place);
        for (class, what) in classes {
            let slot = self.slots.declare();
            let of_it = rest.iter().filter(|(_, kinds)| kinds.has(class)).map(|(one, _)| one.clone()).collect();
            let branch_name = format!("{name}.{}{}", what[..1].to_ascii_uppercase(), &what[1..]);
            let branch = Where { slot, named_by: slot, name: &branch_name, bare: false, ..place };
            self.of_class(class, of_it, shared, numbers, branch)?;
            let what = if class == Kinds::NUMBER && all.and(Kinds::NUMBER) == Kinds::INT { "int" } else { what };
            branches.push((what, slot));
        }
        self.union(name, branches, outer, place)
    }

    /// Makes the type of the values of one kind that satisfy one of the alternatives. `numbers`: it is a branch beside
    /// one of numbers.
    fn of_class(
        &mut self,
        class: Kinds,
        alternatives: Vec<Alternative<'a>>,
        shared: &Shared<'a>,
        numbers: bool,
        place: Where<'a, '_>,
    ) -> Result<()> {
        if let [one] = &alternatives[..] {
            let kinds = self.kinds(one, 0)?;
            if let (Some(target), true) = (one.reference, kinds.only(class)) {
                // An enum may be a number, so that it could not be told from one.
                if !(numbers && class == Kinds::STRING) {
                    let same = self.reference(target)?;
                    return self.same(same, place);
                }
            }
            if let [layer] = one.layers[..] {
                let whole = layer.key() != place.at.key() && shared.layers.is_empty();
                if whole && kinds.only(class) && !(numbers && class == Kinds::STRING) {
                    let same = self.node(layer, place.name, true, place.depth + 1)?;
                    return self.same(same, place);
                }
            }
        }
        let mut open = Vec::new();
        for alternative in alternatives {
            for one in self.opened(alternative, 0)? {
                if self.kinds(&one, 0)?.has(class) {
                    open.push(one);
                }
            }
        }
        if class == Kinds::STRING && !numbers {
            let all: Vec<&Alternative<'a>> = open.iter().collect();
            if self.enumeration(&all, shared, place)? {
                return Ok(());
            }
        }
        match class {
            Kinds::BOOL => self.boolean(open, shared, place),
            Kinds::NUMBER => self.number(open, shared, place),
            Kinds::STRING => self.string(open, shared, place),
            Kinds::ARRAY => self.array(open, shared, place),
            _ => self.object_type(open, shared, place),
        }
    }

    fn place_in_list(&self, layers: &[At<'a>], class: Kinds) -> Option<usize> {
        let list = layers.iter().find_map(|at| at.node.get("type")?.as_array())?;
        let name = |node: &Node| match node.as_str() {
            Some("boolean") => Kinds::BOOL,
            Some("integer" | "number") => Kinds::NUMBER,
            Some("string") => Kinds::STRING,
            Some("array") => Kinds::ARRAY,
            Some("object") => Kinds::OBJECT,
            _ => Kinds::NONE,
        };
        list.iter().position(|node| name(node) == class)
    }

    /// The type is that of another slot.
    fn same(&mut self, slot: usize, place: Where<'a, '_>) -> Result<()> {
        self.slots.define(place.slot, Slot::Same(slot));
        if place.bare && !self.annotations(place.at, &[])?.is_empty() {
            self.notice(place.at, "this is another type's second name: what it says to people is left out");
        }
        Ok(())
    }

    /// Puts a type into its place, with what is said about it.
    pub(super) fn finish_type(&mut self, ty: impl Into<Type>, notes: Keywords<'a>, place: Where<'a, '_>) -> Result<()> {
        self.slots.define(place.slot, Slot::Made(ty.into()));
        self.slots.note(place.slot, notes);
        if place.bare {
            let annotations = self.annotations(place.at, &[])?;
            self.slots.note(place.slot, annotations);
        }
        Ok(())
    }
}

/// What holds whichever alternative is taken.
#[derive(Default)]
pub(super) struct Shared<'a> {
    pub(super) layers: Vec<At<'a>>,
    /// What they say about values of every kind is said elsewhere.
    pub(super) taken: bool,
}

/// The layers that all alternatives have: what is said whichever it is.
fn common_layers<'a>(alternatives: &[Alternative<'a>]) -> Vec<At<'a>> {
    let alternatives: Vec<&Alternative<'a>> = alternatives.iter().filter(|one| !one.null).collect();
    let Some((first, rest)) = alternatives.split_first() else { return Vec::new() };
    let everywhere = |at: &At<'a>| rest.iter().all(|other| other.layers.iter().any(|layer| layer.key() == at.key()));
    first.layers.iter().filter(|at| everywhere(at)).copied().collect()
}
