//! Writing ProtoJSON.

use wirewise_core::{
    Cell, Document, Error, ErrorKind, Float, Int, Kind, Logical, LossKind, LossName, Losses, Out, Record, Result,
    State, TypeId, text,
};

use super::ProtoJsonCodec;
use super::plan::{RecordPlan, TypePlan};
use crate::dynamic::check_oneofs;
use crate::json::encode::{write_bool, write_literal, write_string, write_text, write_time};
use crate::json::{any, number};

pub(super) fn write(
    codec: &ProtoJsonCodec,
    document: &Document<'_>,
    out: &mut Vec<u8>,
    losses: &mut Losses,
) -> Result<()> {
    let mut writer = Writer { codec, document, losses, depth: 0 };
    writer.value(codec.schema.root(), document.root(), &mut Out::new(out))
}

pub(super) struct Writer<'a> {
    pub(super) codec: &'a ProtoJsonCodec,
    pub(super) document: &'a Document<'a>,
    pub(super) losses: &'a mut Losses,
    /// How deep the message is that is being written: what an `Any` holds was not measured by the decoder.
    pub(super) depth: usize,
}

impl Writer<'_> {
    pub(super) fn value(&mut self, ty: TypeId, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let document = self.document;
        let codec = self.codec;
        let schema = &codec.schema;
        match schema.kind(ty) {
            Kind::Null => out.bytes(b"null"),
            Kind::Bool => write_bool(cell.as_bool(), out),
            Kind::Int(int) => match schema.logical(ty) {
                Some(logical) => return out.with(|out| write_time(cell, logical, out)),
                None => write_integer(*int, cell, out),
            },
            Kind::Float(float) => return self.float(ty, *float, cell, out),
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
            Kind::Enum(e) => match (&codec.types[ty.index()], e.position(cell.as_i64())) {
                (TypePlan::Enum { null: true, .. }, Some(_)) => out.bytes(b"null"),
                (_, Some(position)) => write_string(e.symbols[position].name.as_bytes(), out),
                (_, None) => number::write_i64(cell.as_i64(), out),
            },
            Kind::List(item) => return self.list(*item, cell, out),
            Kind::Map(key, value) => return self.map(*key, *value, cell, out),
            Kind::Nullable(inner) => match document.boxed(cell) {
                None => out.bytes(b"null"),
                Some(cell) => return self.value(*inner, cell, out),
            },
            Kind::Record(record) => {
                self.depth += 1;
                match &codec.types[ty.index()] {
                    TypePlan::Record(plan) => {
                        out.byte(b'{');
                        self.members(record, plan, cell, true, out)?;
                        out.byte(b'}');
                    }
                    TypePlan::WellKnown(known) => self.well_known(*known, record, cell, out)?,
                    _ => unreachable!("planned as a record"),
                }
                self.depth -= 1;
            }
            Kind::Union(union) => {
                let TypePlan::Union(names) = &codec.types[ty.index()] else { unreachable!("planned as a union") };
                let (position, value) = document.union(cell);
                let branch = &union.branches[position];
                out.byte(b'{');
                out.bytes(&names.keys[position][1..]);
                self.value(branch.ty, value, out).map_err(|error| error.in_field(&branch.name))?;
                out.byte(b'}');
            }
            Kind::Any => {
                let mut not_finite = || self.losses.note(LossKind::NotFinite, ty, LossName::Name(""));
                return any::write(document, cell, None, &mut not_finite, out);
            }
        }
        Ok(())
    }

    fn float(&mut self, ty: TypeId, float: Float, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let (value, usual) = match float {
            Float::F64 => (cell.as_f64(), cell == Cell::f64(f64::NAN)),
            Float::F32 => (f64::from(cell.as_f32()), cell == Cell::f32(f32::NAN)),
        };
        match float {
            _ if value.is_nan() => {
                if !usual {
                    self.odd_nan(ty)?;
                }
                out.bytes(b"\"NaN\"");
            }
            _ if value == f64::INFINITY => out.bytes(b"\"Infinity\""),
            _ if value == f64::NEG_INFINITY => out.bytes(b"\"-Infinity\""),
            Float::F64 if self.codec.schema.logical(ty) == Some(Logical::Number) => number::write_number(value, out),
            Float::F64 => number::write_f64(value, out),
            Float::F32 => number::write_f32(cell.as_f32(), out),
        }
        Ok(())
    }

    /// A NaN with a sign or a payload, which its name does not say.
    #[cold]
    fn odd_nan(&mut self, ty: TypeId) -> Result<()> {
        let kind = LossKind::NotFinite;
        if self.losses.allows(kind) {
            return self.losses.note(kind, ty, LossName::Name(""));
        }
        Err(Error::new(ErrorKind::Loss(kind), "this NaN has a sign or a payload, and JSON would say NaN alone")
            .hint(format!("--lossy {kind} drops it and counts what was dropped")))
    }

    pub(super) fn list(&mut self, item: TypeId, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        out.byte(b'[');
        for (i, &cell) in self.document.list(cell).iter().enumerate() {
            if i > 0 {
                out.byte(b',');
            }
            self.value(item, cell, out).map_err(|error| error.in_index(i))?;
        }
        out.byte(b']');
        Ok(())
    }

    pub(super) fn map(&mut self, key: TypeId, value: TypeId, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        out.byte(b'{');
        for (i, pair) in self.document.map(cell).chunks_exact(2).enumerate() {
            if i > 0 {
                out.byte(b',');
            }
            let start = out.len();
            match self.codec.schema.kind(key) {
                Kind::String => write_text(self.document, pair[0], out),
                Kind::Bool => write_string(pair[0].as_bool().to_string().as_bytes(), out),
                Kind::Int(int) if int.signed() => write_string(pair[0].as_i64().to_string().as_bytes(), out),
                _ => write_string(pair[0].as_u64().to_string().as_bytes(), out),
            }
            let end = out.len();
            out.byte(b':');
            self.value(value, pair[1], out).map_err(|error| error.in_key(&out.written()[start + 1..end - 1]))?;
        }
        out.byte(b'}');
        Ok(())
    }

    /// Writes the fields of a message; `first` when nothing is in its object yet.
    pub(super) fn members(
        &mut self,
        record: &Record,
        plan: &RecordPlan,
        cell: Cell,
        mut first: bool,
        out: &mut Out<'_>,
    ) -> Result<()> {
        let view = self.document.record(record, cell);
        check_oneofs(record, &view)?;
        for (position, field) in record.fields.iter().enumerate() {
            let (state, cell) = (view.state(position), view.cell(position));
            if state == State::Absent || plan.fields[position].implicit && self.is_zero(field.value_type(), cell) {
                continue;
            }
            // The comma stands before the name.
            out.bytes(&plan.names.keys[position][usize::from(first)..]);
            first = false;
            if state == State::Null {
                out.bytes(b"null");
                continue;
            }
            self.value(field.value_type(), cell, out).map_err(|error| error.in_field(&field.name))?;
        }
        Ok(())
    }

    /// Whether a field that may be left out is zero or empty. Minus zero is not zero.
    fn is_zero(&self, ty: TypeId, cell: Cell) -> bool {
        match self.codec.schema.kind(ty) {
            Kind::String | Kind::Bytes | Kind::Fixed(_) | Kind::List(_) | Kind::Map(..) => cell.is_empty(),
            Kind::Null => true,
            _ => cell == Cell::EMPTY,
        }
    }
}

/// Those of 64 bits are strings: JavaScript would round the large ones.
fn write_integer(int: Int, cell: Cell, out: &mut Out<'_>) {
    let quoted = int.bits() == 64;
    if quoted {
        out.byte(b'"');
    }
    if int.signed() {
        number::write_i64(cell.as_i64(), out)
    } else {
        number::write_u64(cell.as_u64(), out)
    }
    if quoted {
        out.byte(b'"');
    }
}

/// The error of a value that its JSON form cannot say.
#[cold]
pub(super) fn unsayable(what: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format!("{what}, and so has no form in Protobuf's JSON"))
}
