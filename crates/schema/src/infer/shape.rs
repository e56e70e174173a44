//! What the type of a place has to be made of.

use wirewise_core::{Float, Int, Kind, Logical, Record, TypeId};

use super::LogicalStyle;
use super::graph::{Body, BodyId, Graph, ObjectId, Position, Slot};
use super::known::{Imported, is_tagged, shapes};
use super::numbers::NumberPlan;
use super::texts::TextPlan;

/// What a body's type is made of.
pub(super) enum Shape {
    Any,
    /// Nothing but null was seen.
    Nothing,
    One(Part),
    Union(Vec<(Slot, Part)>),
    /// Branches by position, as in the union of the schema at hand.
    Tagged(Vec<Part>),
}

#[derive(Clone)]
pub(super) enum Part {
    /// In a tagged union only.
    Any,
    Scalar(Kind, Option<Logical>),
    Enum(TypeId),
    List(Position),
    Object(ObjectId),
}

impl Part {
    /// What a branch of this type is called.
    pub(super) fn name(&self, graph: &Graph) -> &'static str {
        match self {
            Part::Any => "any",
            Part::Scalar(Kind::Bool, _) => "bool",
            Part::Scalar(Kind::Int(_), None) => "int",
            Part::Scalar(Kind::Float(_), _) => "float",
            Part::Scalar(Kind::String, Some(Logical::Number)) => "number",
            Part::Scalar(Kind::Bytes, None) => "bytes",
            Part::Scalar(..) | Part::Enum(_) => "string",
            Part::List(_) => "list",
            Part::Object(id) if graph.object(*id).map.is_some() => "map",
            Part::Object(_) => "record",
        }
    }
}

/// Everything that decides a shape.
#[derive(Clone, Copy)]
pub(super) struct Shaper<'a> {
    pub(super) graph: &'a Graph,
    pub(super) imported: &'a Imported,
    pub(super) style: LogicalStyle,
}

impl Shaper<'_> {
    /// What the type of a body is made of.
    pub(super) fn shape(&self, body: BodyId) -> Shape {
        let body = self.graph.body(body);
        if body.any {
            return Shape::Any;
        }
        if body.known.as_ref().is_some_and(|union| union.tagged) {
            return self.tagged(body);
        }
        let numbers = body.numbers.plan();
        let texts = body.texts.plan(self.style);
        let slots = body.slots();
        let mut parts: Vec<(Slot, Part)> = Vec::new();
        for &slot in &slots {
            let part = match slot {
                Slot::Bool => Part::Scalar(Kind::Bool, None),
                Slot::Int | Slot::Float => {
                    let first = !parts.iter().any(|(slot, _)| matches!(slot, Slot::Int | Slot::Float));
                    match number_part(numbers, slot, first) {
                        Some(part) => part,
                        None => continue,
                    }
                }
                Slot::Text => match &texts {
                    TextPlan::None => continue,
                    TextPlan::Any => return Shape::Any,
                    // An enum's values may be integers in JSON, too: those of the other branch would be taken for them.
                    TextPlan::Enum(_) if slots.contains(&Slot::Int) || numbers == NumberPlan::Mixed => {
                        Part::Scalar(Kind::String, None)
                    }
                    TextPlan::Enum(_) if numbers == NumberPlan::Text => Part::Scalar(Kind::String, None),
                    TextPlan::Enum(id) => Part::Enum(*id),
                    TextPlan::Type(kind, logical) => Part::Scalar(kind.clone(), *logical),
                },
                Slot::List => match body.list {
                    Some(item) => Part::List(item),
                    None => continue,
                },
                Slot::Object => match body.object {
                    Some(object) => Part::Object(self.graph.object_id(object)),
                    None => continue,
                },
            };
            parts.push((slot, part));
        }
        match parts.len() {
            0 => Shape::Nothing,
            1 if body.known.is_none() => Shape::One(parts.swap_remove(0).1),
            _ => Shape::Union(parts),
        }
    }

    /// A union of the schema at hand whose branches JSON shows: it stays one only as long as two of them look alike. A
    /// branch that needs more than one type is `any`.
    fn tagged(&self, body: &Body) -> Shape {
        let branches = body.known.iter().flat_map(|union| &union.branches);
        let parts: Vec<Part> = branches
            .map(|branch| match self.shape(branch.body) {
                Shape::One(part) => part,
                _ => Part::Any,
            })
            .collect();
        let shapes = parts.iter().map(|part| match part {
            Part::Any => 0,
            Part::Scalar(kind, logical) => shapes(kind, *logical),
            Part::Enum(id) => shapes(&Kind::Enum(self.imported.enums.get(*id).clone()), None),
            Part::List(_) => shapes(&Kind::List(TypeId::from_index(0)), None),
            Part::Object(_) => shapes(&Kind::Record(Record::default()), None),
        });
        if is_tagged(shapes) { Shape::Tagged(parts) } else { Shape::Any }
    }
}

/// The part for the numbers of one slot; `first` says that the other slot for numbers has none yet.
fn number_part(plan: NumberPlan, slot: Slot, first: bool) -> Option<Part> {
    let int = |int: Int| (slot == Slot::Int).then_some(Part::Scalar(Kind::Int(int), None));
    let float = |float: Float| (slot == Slot::Float).then_some(Part::Scalar(Kind::Float(float), None));
    match plan {
        NumberPlan::None => None,
        NumberPlan::Int(a) => int(a),
        NumberPlan::Float(b) => float(b),
        NumberPlan::Both(a, b) => int(a).or(float(b)),
        NumberPlan::Mixed => first.then_some(Part::Scalar(Kind::Float(Float::F64), Some(Logical::Number))),
        NumberPlan::Text => first.then_some(Part::Scalar(Kind::String, Some(Logical::Number))),
    }
}
