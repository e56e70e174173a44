//! Copying a document from one arena to another, with other values where a schema was changed.

use std::collections::HashMap;

use wirewise_core::{AnyTag, AnyValue, Arena, Cell, Document, Kind, Limits, Record, Result, Schema, State, TypeId};

use crate::slot::{Slot, value_type};

/// A part of a schema as a document is copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeId(u32);

/// How values of a type are copied.
#[derive(Debug, Clone)]
pub(crate) enum Node {
    /// The cell is the value.
    Word,
    /// The cell says where the bytes are.
    Text,
    Any,
    List(NodeId),
    Map(NodeId, NodeId),
    /// Null, or a value, outside fields.
    Boxed(NodeId),
    Record(TypeId, Vec<NodeId>),
    Union(Vec<NodeId>),
    /// The values here are changed by the rewrite at this place; it finds what they were in the node.
    Changed(usize, NodeId),
}

/// How documents of a schema are copied.
#[derive(Debug)]
pub(crate) struct Plan {
    nodes: Vec<Node>,
    root: NodeId,
}

impl Plan {
    /// `changed` are the slots whose values are others, with the places of their rewrites.
    pub(crate) fn new(schema: &Schema, changed: &HashMap<Slot, usize>) -> Plan {
        let mut maker = Maker { schema, changed, nodes: Vec::new(), named: HashMap::new() };
        let root = maker.node(&Slot::root(), schema.root());
        Plan { nodes: maker.nodes, root }
    }
}

struct Maker<'a> {
    schema: &'a Schema,
    changed: &'a HashMap<Slot, usize>,
    nodes: Vec<Node>,
    named: HashMap<TypeId, NodeId>,
}

impl Maker<'_> {
    fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// The node of what stands in a slot.
    fn node(&mut self, slot: &Slot, ty: TypeId) -> NodeId {
        let inner = value_type(self.schema, ty);
        let mut node = self.plain(slot, inner);
        if let Some(&rewrite) = self.changed.get(slot) {
            node = self.add(Node::Changed(rewrite, node));
        }
        if inner == ty { node } else { self.add(Node::Boxed(node)) }
    }

    fn plain(&mut self, slot: &Slot, ty: TypeId) -> NodeId {
        let schema = self.schema;
        match schema.kind(ty) {
            Kind::Null | Kind::Bool | Kind::Int(_) | Kind::Float(_) | Kind::Enum(_) => self.add(Node::Word),
            Kind::String | Kind::Bytes | Kind::Fixed(_) => self.add(Node::Text),
            Kind::Any => self.add(Node::Any),
            Kind::Nullable(_) => unreachable!("taken off, and never twice"),
            Kind::List(item) => {
                let item = self.node(&slot.element(), *item);
                self.add(Node::List(item))
            }
            Kind::Map(key, value) => {
                let key = self.plain(slot, *key);
                let value = self.node(&slot.value(), *value);
                self.add(Node::Map(key, value))
            }
            Kind::Record(_) | Kind::Union(_) => self.named(ty),
        }
    }

    fn named(&mut self, ty: TypeId) -> NodeId {
        if let Some(&node) = self.named.get(&ty) {
            return node;
        }
        // It may refer to itself.
        let node = self.add(Node::Word);
        self.named.insert(ty, node);
        let schema = self.schema;
        let made = match schema.kind(ty) {
            Kind::Record(record) => {
                let field = |field: &wirewise_core::Field| {
                    self.node(&Slot::member(&record.name, &field.name), field.value_type())
                };
                Node::Record(ty, record.fields.iter().map(field).collect())
            }
            Kind::Union(union) => {
                let branch = |branch: &wirewise_core::schema::Branch| {
                    self.node(&Slot::member(&union.name, &branch.name), branch.ty)
                };
                Node::Union(union.branches.iter().map(branch).collect())
            }
            _ => unreachable!("a record or a union"),
        };
        self.nodes[node.0 as usize] = made;
        node
    }
}

/// What a shape that is not exact has lost.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Lost {
    /// How many values come back as others.
    pub values: u64,
    /// The largest difference between a value and what comes back.
    pub largest_error: f64,
}

/// What values of a changed slot become, and what they were.
pub trait Rewrite: Send + Sync {
    /// The value in the new type.
    ///
    /// # Errors
    /// When the new type cannot hold it, so that it came back the same; or at a limit.
    fn apply(&self, walk: &mut Walk<'_, '_>, from: NodeId, cell: Cell) -> Result<Cell>;

    /// The value in the old type.
    ///
    /// # Errors
    /// When no value of the old type becomes it; or at a limit.
    fn undo(&self, walk: &mut Walk<'_, '_>, from: NodeId, cell: Cell) -> Result<Cell>;

    /// What was lost so far; `None` where nothing ever is.
    fn lost(&self) -> Option<Lost> {
        None
    }
}

/// A document that is being copied.
pub struct Walk<'a, 'd> {
    /// What is copied.
    pub from: Document<'d>,
    /// What it is copied to.
    pub to: &'a mut Arena,
    plan: &'a Plan,
    rewrites: &'a [Box<dyn Rewrite>],
    undo: bool,
}

/// Copies a document, which has the schema of the plan, into an arena.
pub(crate) fn copy(
    document: Document<'_>,
    to: &mut Arena,
    plan: &Plan,
    rewrites: &[Box<dyn Rewrite>],
    undo: bool,
) -> Result<()> {
    to.begin(document.input())?;
    let mut walk = Walk { from: document, to, plan, rewrites, undo };
    let root = walk.copy(plan.root, document.root())?;
    to.set_root(root);
    Ok(())
}

/// A copy of a document that needs nothing of its input: with an empty one, its document is that of the arena.
///
/// # Errors
/// At a limit.
pub fn keep(document: &Document<'_>, limits: Limits) -> Result<Arena> {
    let plan = Plan::new(document.schema(), &HashMap::new());
    let mut to = Arena::new(limits);
    to.begin(b"")?;
    let mut walk = Walk { from: *document, to: &mut to, plan: &plan, rewrites: &[], undo: false };
    let root = walk.copy(plan.root, document.root())?;
    to.set_root(root);
    Ok(to)
}

impl<'d> Walk<'_, 'd> {
    /// What is in a list here, if this is a list.
    pub fn element(&self, node: NodeId) -> Option<NodeId> {
        if let Node::List(item) = self.node(node) { Some(*item) } else { None }
    }

    /// What is here when it is not null.
    pub fn boxed(&self, node: NodeId) -> NodeId {
        if let Node::Boxed(inner) = self.node(node) { *inner } else { node }
    }

    /// The record that is here, if this is one, and the nodes of its fields.
    pub fn fields(&self, node: NodeId) -> Option<(&'d Record, Vec<NodeId>)> {
        let Node::Record(ty, fields) = self.node(node) else { return None };
        let Kind::Record(record) = self.from.schema().kind(*ty) else { return None };
        Some((record, fields.clone()))
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.plan.nodes[node.0 as usize]
    }

    /// Copies a value.
    ///
    /// # Errors
    /// As the rewrites of what is in it, with the path.
    pub fn copy(&mut self, node: NodeId, cell: Cell) -> Result<Cell> {
        let plan = self.plan;
        match &plan.nodes[node.0 as usize] {
            Node::Word => Ok(cell),
            Node::Text => self.to.text(self.from.bytes(cell)),
            Node::Any => self.any(cell),
            Node::List(item) => self.list(*item, self.from.list(cell)),
            Node::Map(key, value) => {
                let mark = self.to.mark();
                for pair in self.from.map(cell).chunks_exact(2) {
                    let to = self.copy(*key, pair[0])?;
                    self.to.push(to)?;
                    let to = self.copy(*value, pair[1])?;
                    self.to.push(to)?;
                }
                self.to.map(mark)
            }
            Node::Boxed(inner) => match self.from.boxed(cell) {
                None => Ok(Cell::NULL),
                Some(cell) => {
                    let cell = self.copy(*inner, cell)?;
                    self.to.boxed(cell)
                }
            },
            Node::Record(ty, fields) => {
                let Kind::Record(record) = self.from.schema().kind(*ty) else { unreachable!("planned as a record") };
                self.record(record, fields, cell)
            }
            Node::Union(branches) => {
                let (branch, value) = self.from.union(cell);
                let value = self.copy(branches[branch], value)?;
                self.to.union(branch, value)
            }
            Node::Changed(rewrite, inner) => {
                let rewrite = &*self.rewrites[*rewrite];
                if self.undo { rewrite.undo(self, *inner, cell) } else { rewrite.apply(self, *inner, cell) }
            }
        }
    }

    /// Copies the elements of a list.
    ///
    /// # Errors
    /// As [`Walk::copy`].
    pub fn list(&mut self, item: NodeId, cells: &[Cell]) -> Result<Cell> {
        let mark = self.to.mark();
        if matches!(self.node(item), Node::Word) {
            cells.iter().try_for_each(|&cell| self.to.push(cell))?;
            return self.to.list(mark);
        }
        for (i, &cell) in cells.iter().enumerate() {
            let cell = self.copy(item, cell).map_err(|error| error.in_index(i))?;
            self.to.push(cell)?;
        }
        self.to.list(mark)
    }

    fn record(&mut self, record: &Record, fields: &[NodeId], cell: Cell) -> Result<Cell> {
        let at = self.to.record(record)?;
        let view = self.from.record(record, cell);
        for (position, &node) in fields.iter().enumerate() {
            let state = view.state(position);
            if record.fields[position].is_stateful() {
                self.to.set_state(record, at, position, state);
            }
            // What is not there has no cell that means anything.
            if state == State::Present {
                let cell = self.copy(node, view.cell(position));
                let cell = cell.map_err(|error| error.in_field(&record.fields[position].name))?;
                self.to.set_field(record, at, position, cell);
            }
        }
        Ok(Cell::index(at))
    }

    fn any(&mut self, cell: Cell) -> Result<Cell> {
        let (tag, value) = match self.from.any(cell) {
            AnyValue::Null => (AnyTag::Null, Cell::EMPTY),
            AnyValue::Bool(value) => (AnyTag::Bool, Cell::bool(value)),
            AnyValue::Int(value) => (AnyTag::Int, Cell::int(value)),
            AnyValue::Uint(value) => (AnyTag::Uint, Cell::uint(value)),
            AnyValue::Float(value) => (AnyTag::Float, Cell::f64(value)),
            AnyValue::Number(text) => (AnyTag::Number, self.to.text(text)?),
            AnyValue::String(text) => (AnyTag::String, self.to.text(text)?),
            AnyValue::Bytes(bytes) => (AnyTag::Bytes, self.to.text(bytes)?),
            AnyValue::List(cells) => {
                let mark = self.to.mark();
                self.all(cells)?;
                (AnyTag::List, self.to.list(mark)?)
            }
            AnyValue::Map(cells) => {
                let mark = self.to.mark();
                self.all(cells)?;
                (AnyTag::Map, self.to.map(mark)?)
            }
            AnyValue::Tagged(tag, value) => {
                let value = self.any(value)?;
                return self.to.tagged(tag, value);
            }
        };
        self.to.any(tag, value)
    }

    fn all(&mut self, cells: &[Cell]) -> Result<()> {
        cells.iter().try_for_each(|&cell| {
            let cell = self.any(cell)?;
            self.to.push(cell)
        })
    }
}
