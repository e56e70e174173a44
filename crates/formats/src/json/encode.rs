//! Writing JSON.

use wirewise_core::{
    Cell, Document, Error, ErrorKind, Float, Kind, Logical, LossKind, LossName, Losses, Out, Record, Result, State,
    TypeId, Union, text,
};

use super::JsonCodec;
use super::number;
use super::plan::{Node, Other, RecordPlan};
use super::scan;
use super::simd::{is_plain, special};
use crate::dynamic::{UnionPlan, check_oneofs, positional_null};

pub(super) fn write(codec: &JsonCodec, document: &Document<'_>, out: &mut Vec<u8>, losses: &mut Losses) -> Result<()> {
    let root = codec.schema.root();
    let (node, cell) = (codec.types.nodes[root.index()], document.root());
    let out = Out::new(out);
    if codec.pretty {
        Writer::<true> { codec, document, losses, out }.node(node, root, cell, Some(0))
    } else {
        Writer::<false> { codec, document, losses, out }.node(node, root, cell, None)
    }
}

/// `PRETTY` says whether there are lines and spaces. It is known already when this is compiled, so that text without them
/// is not held up by such questions.
struct Writer<'a, 'o, const PRETTY: bool> {
    codec: &'a JsonCodec,
    document: &'a Document<'a>,
    losses: &'a mut Losses,
    out: Out<'o>,
}

/// How deep the values of a list or object are when they are indented.
#[inline(always)]
fn inside<const PRETTY: bool>(indent: Option<usize>) -> Option<usize> {
    if PRETTY { indent.map(|depth| depth + 1) } else { None }
}

impl<const PRETTY: bool> Writer<'_, '_, PRETTY> {
    /// A value whose type's node is at hand: the usual ones without a call. `indent` is the current depth when pretty.
    #[inline(always)]
    fn node(&mut self, node: Node, ty: TypeId, cell: Cell, indent: Option<usize>) -> Result<()> {
        match node {
            Node::String => write_text(self.document, cell, &mut self.out),
            Node::Int(int) if int.signed() => number::write_i64(cell.as_i64(), &mut self.out),
            Node::Int(_) => number::write_u64(cell.as_u64(), &mut self.out),
            Node::Double(integral) if cell.as_f64().is_finite() => {
                if integral {
                    number::write_number(cell.as_f64(), &mut self.out);
                } else {
                    number::write_f64(cell.as_f64(), &mut self.out);
                }
            }
            Node::Bool => write_bool(cell.as_bool(), &mut self.out),
            Node::Record(place) if !self.codec.style.positional => {
                return self.object_records(place, &[cell], indent, false);
            }
            Node::List(item) => return self.list(item, cell, indent),
            _ => return self.value(ty, cell, indent),
        }
        Ok(())
    }

    #[inline(never)]
    fn value(&mut self, ty: TypeId, cell: Cell, indent: Option<usize>) -> Result<()> {
        let document = self.document;
        let schema = &self.codec.schema;
        let out = &mut self.out;
        match schema.kind(ty) {
            Kind::Null => out.bytes(b"null"),
            Kind::Bool => write_bool(cell.as_bool(), out),
            Kind::Int(int) => match schema.logical(ty) {
                Some(logical) => return out.with(|out| write_time(cell, logical, out)),
                None if int.signed() => number::write_i64(cell.as_i64(), out),
                None => number::write_u64(cell.as_u64(), out),
            },
            Kind::Float(float) => return self.float(ty, *float, cell),
            Kind::String if schema.logical(ty) == Some(Logical::Number) => {
                return write_literal(document.bytes(cell), out);
            }
            Kind::String => write_text(document, cell, out),
            Kind::Bytes | Kind::Fixed(_) => {
                let bytes = document.bytes(cell);
                out.byte(b'"');
                out.with(|out| match <&[u8; 16]>::try_from(bytes) {
                    Ok(uuid) if schema.logical(ty) == Some(Logical::Uuid) => text::uuid::write(uuid, out),
                    _ => text::base64::encode(bytes, out),
                });
                out.byte(b'"');
            }
            Kind::Enum(e) => match e.position(cell.as_i64()) {
                Some(position) => write_string(e.symbols[position].name.as_bytes(), out),
                None => number::write_i64(cell.as_i64(), out),
            },
            Kind::List(item) => return self.list(*item, cell, indent),
            Kind::Map(key, value) => return self.map(*key, *value, cell, indent),
            Kind::Nullable(inner) => match document.boxed(cell) {
                None => out.bytes(b"null"),
                Some(cell) => return self.value(*inner, cell, indent),
            },
            Kind::Record(_) => {
                let Node::Record(place) = self.codec.types.nodes[ty.index()] else {
                    unreachable!("planned as a record")
                };
                return if self.codec.style.positional {
                    self.array_record(place, cell)
                } else {
                    self.object_records(place, &[cell], indent, false)
                };
            }
            Kind::Union(union) => return self.union(ty, union, cell, indent),
            Kind::Any => {
                let mut not_finite = || self.losses.note(LossKind::NotFinite, ty, LossName::Name(""));
                return super::any::write(document, cell, indent, &mut not_finite, out);
            }
        }
        Ok(())
    }

    fn float(&mut self, ty: TypeId, float: Float, cell: Cell) -> Result<()> {
        let value = match float {
            Float::F64 => cell.as_f64(),
            Float::F32 => f64::from(cell.as_f32()),
        };
        if !value.is_finite() {
            self.losses.note(LossKind::NotFinite, ty, LossName::Name(""))?;
            self.out.bytes(b"null");
            return Ok(());
        }
        match float {
            Float::F64 if self.codec.schema.logical(ty) == Some(Logical::Number) => {
                number::write_number(value, &mut self.out);
            }
            Float::F64 => number::write_f64(value, &mut self.out),
            Float::F32 => number::write_f32(cell.as_f32(), &mut self.out),
        }
        Ok(())
    }

    fn list(&mut self, item: TypeId, cell: Cell, indent: Option<usize>) -> Result<()> {
        let node = self.codec.types.nodes[item.index()];
        let inner = inside::<PRETTY>(indent);
        let items = self.document.list(cell);
        self.out.byte(b'[');
        if let Node::Record(place) = node
            && !self.codec.style.positional
        {
            self.object_records(place, items, inner, true)?;
            close(b']', items.is_empty(), indent, &mut self.out);
            return Ok(());
        }
        for (i, &cell) in items.iter().enumerate() {
            separate(i == 0, inner, &mut self.out);
            self.node(node, item, cell, inner).map_err(|error| error.in_index(i))?;
        }
        close(b']', items.is_empty(), indent, &mut self.out);
        Ok(())
    }

    fn map(&mut self, key: TypeId, value: TypeId, cell: Cell, indent: Option<usize>) -> Result<()> {
        let document = self.document;
        let node = self.codec.types.nodes[value.index()];
        let inner = inside::<PRETTY>(indent);
        let pairs = document.map(cell);
        self.out.byte(b'{');
        for (i, pair) in pairs.chunks_exact(2).enumerate() {
            separate(i == 0, inner, &mut self.out);
            let start = self.out.len();
            match self.codec.schema.kind(key) {
                Kind::String => write_text(document, pair[0], &mut self.out),
                Kind::Bool => write_string(pair[0].as_bool().to_string().as_bytes(), &mut self.out),
                Kind::Int(int) if int.signed() => {
                    write_string(pair[0].as_i64().to_string().as_bytes(), &mut self.out);
                }
                _ => write_string(pair[0].as_u64().to_string().as_bytes(), &mut self.out),
            }
            let end = self.out.len();
            colon(inner, &mut self.out);
            let written = self.node(node, value, pair[1], inner);
            written.map_err(|error| error.in_key(&self.out.written()[start + 1..end - 1]))?;
        }
        close(b'}', pairs.is_empty(), indent, &mut self.out);
        Ok(())
    }

    fn record_of(&self, plan: &RecordPlan) -> &Record {
        let Kind::Record(record) = self.codec.schema.kind(plan.ty) else { unreachable!("planned as a record") };
        record
    }

    /// A record, or those of a list with what stands between them.
    #[inline(never)]
    fn object_records(&mut self, place: u32, cells: &[Cell], indent: Option<usize>, listed: bool) -> Result<()> {
        let codec = self.codec;
        let plan = &codec.types.records[place as usize];
        for (i, &cell) in cells.iter().enumerate() {
            if listed {
                separate(i == 0, if PRETTY { indent } else { None }, &mut self.out);
            }
            self.object_record(plan, cell, indent).map_err(|error| if listed { error.in_index(i) } else { error })?;
        }
        Ok(())
    }

    #[inline(always)]
    fn object_record(&mut self, plan: &RecordPlan, cell: Cell, indent: Option<usize>) -> Result<()> {
        if plan.has_oneofs {
            let record = self.record_of(plan);
            check_oneofs(record, &self.document.record(record, cell))?;
        }
        let (states, cells) = self.document.run(cell, plan.cells).split_at(plan.state_words);
        let inner = inside::<PRETTY>(indent);
        let start = self.out.len();
        if PRETTY {
            self.out.byte(b'{');
        }
        let mut empty = true;
        for (position, (field, &cell)) in plan.fields.iter().zip(cells).enumerate() {
            let state = if field.stateful { State::of(states, position) } else { State::Present };
            if state == State::Absent {
                continue;
            }
            if PRETTY {
                separate(empty, inner, &mut self.out);
                self.out.bytes(field.name());
                self.out.byte(b' ');
            } else {
                // The comma stands before the name, where the brace will be for the first.
                field.write(&mut self.out);
            }
            empty = false;
            if state == State::Null {
                self.out.array(*b"null");
                continue;
            }
            let written = self.node(field.node, field.ty, cell, inner);
            written.map_err(|error| error.in_field(&self.record_of(plan).fields[position].name))?;
        }
        if PRETTY {
            close(b'}', empty, indent, &mut self.out);
        } else if empty {
            self.out.array(*b"{}");
        } else {
            self.out.set(start, b'{');
            self.out.byte(b'}');
        }
        Ok(())
    }

    fn array_record(&mut self, place: u32, cell: Cell) -> Result<()> {
        let codec = self.codec;
        let plan = &codec.types.records[place as usize];
        let Kind::Record(record) = codec.schema.kind(plan.ty) else { unreachable!("planned as a record") };
        let view = self.document.record(record, cell);
        check_oneofs(record, &view)?;
        self.out.byte(b'[');
        for (i, &position) in plan.order.iter().enumerate() {
            separate(i == 0, None, &mut self.out);
            let field = &plan.fields[position];
            if field.maybe_null && positional_null(self.document, record, &view, position, self.losses)? {
                self.out.bytes(b"null");
                continue;
            }
            let written = self.node(field.node, field.ty, view.cell(position), None);
            written.map_err(|error| error.in_field(&record.fields[position].name))?;
        }
        self.out.byte(b']');
        Ok(())
    }

    fn union(&mut self, ty: TypeId, union: &Union, cell: Cell, indent: Option<usize>) -> Result<()> {
        let (position, value) = self.document.union(cell);
        let branch = &union.branches[position];
        match &self.codec.types.others[ty.index()] {
            Other::Union(UnionPlan::Tagged) if self.codec.style.positional => {
                self.out.byte(b'[');
                number::write_u64(branch.number.into(), &mut self.out);
                self.out.byte(b',');
                self.value(branch.ty, value, None).map_err(|error| error.in_field(&branch.name))?;
                self.out.byte(b']');
            }
            Other::Union(UnionPlan::Tagged) => {
                let inner = inside::<PRETTY>(indent);
                self.out.byte(b'{');
                separate(true, inner, &mut self.out);
                write_string(branch.name.as_bytes(), &mut self.out);
                colon(inner, &mut self.out);
                self.value(branch.ty, value, inner).map_err(|error| error.in_field(&branch.name))?;
                close(b'}', false, indent, &mut self.out);
            }
            _ => return self.value(branch.ty, value, indent),
        }
        Ok(())
    }
}

pub(super) fn write_bool(value: bool, out: &mut Out<'_>) {
    if value { out.array(*b"true") } else { out.array(*b"false") }
}

/// Goes on to the next item: with a comma before all but the first, on a line of its own when `indent` says how deep
/// this is.
#[inline(always)]
pub(super) fn separate(first: bool, indent: Option<usize>, out: &mut Out<'_>) {
    if !first {
        out.byte(b',');
    }
    if indent.is_some() {
        new_line(indent, out);
    }
}

/// What stands between a name and its value.
#[inline(always)]
pub(super) fn colon(indent: Option<usize>, out: &mut Out<'_>) {
    out.byte(b':');
    if indent.is_some() {
        out.byte(b' ');
    }
}

/// Ends a list or object that began at depth `indent`.
#[inline(always)]
pub(super) fn close(bracket: u8, empty: bool, indent: Option<usize>, out: &mut Out<'_>) {
    if indent.is_some() && !empty {
        new_line(indent, out);
    }
    out.byte(bracket);
}

fn new_line(indent: Option<usize>, out: &mut Out<'_>) {
    out.byte(b'\n');
    for _ in 0..indent.unwrap_or_default() {
        out.array(*b"  ");
    }
}

/// A name as it stands in an object, behind another member: `,"name":`.
pub(super) fn key(name: &[u8]) -> Vec<u8> {
    let mut key = Vec::new();
    let mut out = Out::new(&mut key);
    out.byte(b',');
    write_string(name, &mut out);
    out.byte(b':');
    drop(out);
    key
}

/// How a byte is written in a string: 0 as it is, otherwise the letter of its escape (`u` for `\u00XX`).
static ESCAPES: [u8; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 0x20 {
        table[i] = b'u';
        i += 1;
    }
    table[8] = b'b';
    table[12] = b'f';
    table[b'\n' as usize] = b'n';
    table[b'\r' as usize] = b'r';
    table[b'\t' as usize] = b't';
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table
};

/// Writes the text of a cell as a string.
#[inline(always)]
pub(super) fn write_text(document: &Document<'_>, cell: Cell, out: &mut Out<'_>) {
    let (base, start, len) = document.place(cell);
    if is_plain(base, start, len) {
        out.between(b'"', base, start, len);
    } else {
        write_string(&base[start..start + len], out);
    }
}

/// Writes a string, escaping only what must be.
#[inline(never)]
pub(super) fn write_string(text: &[u8], out: &mut Out<'_>) {
    out.byte(b'"');
    let mut start = 0;
    loop {
        let at = special(text, start, text.len()).at;
        out.bytes(&text[start..at]);
        let Some(&byte) = text.get(at) else { break };
        match ESCAPES[byte as usize] {
            b'u' => {
                const DIGITS: &[u8; 16] = b"0123456789abcdef";
                out.array(*b"\\u00");
                out.array([DIGITS[(byte >> 4) as usize], DIGITS[(byte & 15) as usize]]);
            }
            letter => out.array([b'\\', letter]),
        }
        start = at + 1;
    }
    out.byte(b'"');
}

/// Writes the text of a number; it may have come from a format where it is a string like any other.
pub(super) fn write_literal(literal: &[u8], out: &mut Out<'_>) -> Result<()> {
    let mut scan = scan::untraced(literal, literal);
    if scan.number().is_err() || scan.pos != literal.len() {
        let shown: String = String::from_utf8_lossy(literal).chars().take(40).collect();
        return Err(Error::new(ErrorKind::Data, format!("expected the text of a number, found {shown:?}")));
    }
    out.bytes(literal);
    Ok(())
}

pub(super) fn write_time(cell: Cell, logical: Logical, out: &mut Vec<u8>) -> Result<()> {
    out.push(b'"');
    let written = match logical {
        Logical::Timestamp(unit) => text::time::write_timestamp(cell.as_i64(), unit, out),
        _ => text::time::write_date(cell.as_i64() as i32, out),
    };
    out.push(b'"');
    if written {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Unsupported,
        format!("RFC 3339 has years 0000 to 9999 only; {} is beyond them", cell.as_i64()),
    ))
}
