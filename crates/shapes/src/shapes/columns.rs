//! Rows to columns: a list of records becomes a record of lists.

use wirewise_core::{Arena, Cell, Error, ErrorKind, Field, Int, Kind, Record, Result, State, Type};

use super::data;
use crate::shape::{Info, Params, Planned, Shape, Site, Values};
use crate::types::Types;
use crate::walk::{NodeId, Rewrite, Walk};

pub(super) struct Columns;

static INFO: Info = Info {
    name: "columns",
    about: "a list of records as a record of lists, so that values of one kind lie together",
    takes: "lists of records without oneofs",
    params: &[],
    moves: true,
    lossy: false,
};

/// Elements that make it worth while.
const MANY: usize = 8;

impl Shape for Columns {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, site: &Site<'_>, _: &Params, types: &mut Types<'_>) -> Result<Planned> {
        let Some((_, Kind::Record(record))) = site.element() else { return Err(site.refuse(&INFO)) };
        if !record.oneofs.is_empty() {
            return Err(Error::new(
                ErrorKind::Schema,
                format!("{} has a oneof, which columns cannot hold", record.name),
            ));
        }
        let mut made = Record::new(types.name(&format!("{}Columns", record.name)), Vec::new());
        made.doc = Some(format!("Lists of {}, field by field.", record.name));
        let has_null = |field: &Field| has_null(site.schema.kind(field.value_type()));
        let boxed = |field: &Field| field.is_stateful() && !has_null(field);
        for field in &record.fields {
            let mut item = types.same(field.value_type());
            if boxed(field) {
                item = types.add(Kind::Nullable(item));
            }
            let list = types.add(Kind::List(item));
            let mut column = Field::new(field.number, &field.name, list);
            (column.doc, column.aliases) = (field.doc.clone(), field.aliases.clone());
            made.fields.push(column);
        }
        let mut columns = Vec::new();
        let mut next = record.fields.iter().map(|field| field.number).max().unwrap_or(0);
        for field in &record.fields {
            let mut states = None;
            // Null alone does not say whether it is absent.
            if field.is_optional() && (field.is_nullable() || has_null(field)) {
                next += 1;
                let item = types.add(Kind::Int(Int::U8));
                let list = types.add(Kind::List(item));
                let mut column = Field::new(next, free_name(&made, &format!("{}_state", field.name)), list);
                column.doc = Some(format!("Of {}: 0 for absent, 1 for null, 2 for a value.", field.name));
                states = Some(made.fields.len());
                made.fields.push(column);
            }
            columns.push(Column { boxed: boxed(field), states });
        }
        if made.fields.is_empty() {
            let count = types.add(Kind::Int(Int::U32));
            made.fields.push(Field::new(1, "count", count));
        }
        let cells = made.fields.len();
        let ty = types.add(Type::from(Kind::Record(made)));
        Ok(Planned { ty, rewrite: Box::new(Lists { base: record.clone(), columns, cells }) })
    }

    fn propose(&self, site: &Site<'_>, values: &Values<'_, '_>) -> Option<Params> {
        let Some((_, Kind::Record(record))) = site.element() else { return None };
        let all: usize = values.elements().map(|(_, cells)| cells.len()).sum();
        (record.oneofs.is_empty() && !record.fields.is_empty() && all >= MANY * values.cells.len().max(1))
            .then(Params::default)
    }
}

/// Whether null is a value of a type.
fn has_null(kind: &Kind) -> bool {
    matches!(kind, Kind::Any | Kind::Null)
}

fn free_name(record: &Record, wanted: &str) -> String {
    let mut name = wanted.to_owned();
    while record.position(&name).is_some() {
        name.push('_');
    }
    name
}

/// What is known of a field.
struct Column {
    /// Null is an element of the list.
    boxed: bool,
    /// The field with the states, where null is not all that they say.
    states: Option<usize>,
}

struct Lists {
    base: Record,
    columns: Vec<Column>,
    cells: usize,
}

impl Rewrite for Lists {
    fn apply(&self, walk: &mut Walk<'_, '_>, from: NodeId, cell: Cell) -> Result<Cell> {
        let document = walk.from;
        let rows = document.list(cell);
        let (record, nodes) =
            walk.element(from).and_then(|item| walk.fields(item)).expect("planned as a list of records");
        let at = walk.to.alloc(self.cells)?;
        if record.fields.is_empty() {
            walk.to.set(at as usize, Cell::uint(rows.len() as u64));
        }
        for (position, (column, &node)) in self.columns.iter().zip(&nodes).enumerate() {
            let mark = walk.to.mark();
            for (i, &row) in rows.iter().enumerate() {
                let view = document.record(record, row);
                let value = match view.state(position) {
                    State::Present => {
                        let value = walk.copy(node, view.cell(position));
                        let value = value.map_err(|error| error.in_field(&record.fields[position].name).in_index(i))?;
                        if column.boxed { walk.to.boxed(value)? } else { value }
                    }
                    _ if column.boxed => Cell::NULL,
                    _ => nothing(walk.to, document.schema().kind(record.fields[position].value_type()))?,
                };
                walk.to.push(value)?;
            }
            let list = walk.to.list(mark)?;
            walk.to.set(at as usize + position, list);
            if let Some(states) = column.states {
                let mark = walk.to.mark();
                for &row in rows {
                    let state = document.record(record, row).state(position);
                    walk.to.push(Cell::uint(state as u64))?;
                }
                let list = walk.to.list(mark)?;
                walk.to.set(at as usize + states, list);
            }
        }
        Ok(Cell::index(at))
    }

    fn undo(&self, walk: &mut Walk<'_, '_>, from: NodeId, cell: Cell) -> Result<Cell> {
        let document = walk.from;
        let (record, nodes) = walk.fields(from).expect("planned as a record");
        let view = document.record(record, cell);
        let count = match &self.columns[..] {
            [] => view.cell(0).as_u64() as usize,
            _ => view.cell(0).len(),
        };
        for (position, field) in record.fields.iter().enumerate().filter(|_| !self.columns.is_empty()) {
            let len = view.cell(position).len();
            if len != count {
                let first = &record.fields[0].name;
                return Err(data(format!("columns differ in length: {first} has {count}, {} has {len}", field.name)));
            }
        }
        let list = |position: usize| document.list(view.cell(position));
        let items: Vec<NodeId> = nodes.iter().map_while(|&node| walk.element(node)).take(self.columns.len()).collect();
        let mark = walk.to.mark();
        for i in 0..count {
            let at = walk.to.record(&self.base)?;
            for (position, column) in self.columns.iter().enumerate() {
                let field = &self.base.fields[position];
                let mut value = list(position)[i];
                let mut state = State::Present;
                if column.boxed && value == Cell::NULL {
                    state = if field.is_nullable() { State::Null } else { State::Absent };
                }
                if let Some(states) = column.states {
                    state = match (list(states)[i].as_u64(), state) {
                        (0, _) => State::Absent,
                        (1, _) => State::Null,
                        (2, State::Present) => State::Present,
                        (other, _) => {
                            let name = &record.fields[states].name;
                            return Err(data(format!("{other} is no state of this value")).in_index(i).in_field(name));
                        }
                    };
                }
                if field.is_stateful() {
                    walk.to.set_state(&self.base, at, position, state);
                }
                if state != State::Present {
                    continue;
                }
                if column.boxed {
                    value = document.boxed(value).unwrap_or_default();
                }
                let node = if column.boxed { walk.boxed(items[position]) } else { items[position] };
                let value = walk.copy(node, value).map_err(|error| error.in_index(i).in_field(&field.name))?;
                walk.to.set_field(&self.base, at, position, value);
            }
            walk.to.push(Cell::index(at))?;
        }
        walk.to.list(mark)
    }
}

/// A value where none is: of a type that has null itself.
fn nothing(to: &mut Arena, kind: &Kind) -> Result<Cell> {
    if *kind == Kind::Any { to.any(wirewise_core::AnyTag::Null, Cell::EMPTY) } else { Ok(Cell::EMPTY) }
}
