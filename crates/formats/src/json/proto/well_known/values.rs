//! Messages that are one value in JSON: any JSON value, wrapped scalars, text.

use wirewise_core::{Cell, Error, Float, Kind, Out, Record, Result, Role, Tracer, TypeId};

use super::super::read::Reader;
use super::super::write::{Writer, unsayable};
use super::{ValueFields, WellKnown, cell, field_mask, time};
use crate::json::{encode, number};

impl<T: Tracer> Reader<'_, T> {
    /// Reads a message with a form of its own.
    pub(in super::super) fn well_known(
        &mut self,
        known: WellKnown,
        ty: TypeId,
        record: &Record,
        depth: usize,
    ) -> Result<Cell> {
        let at = self.scan.pos;
        match known {
            WellKnown::Timestamp(seconds, nanos) => {
                let parsed = time::parse_timestamp(&self.token(ty)?);
                let what = "expected an instant such as \"2026-11-21T12:00:00.5Z\" in the years 0001 to 9999";
                self.time(parsed.ok_or_else(|| Error::data(at, what))?, record, seconds, nanos, at)
            }
            WellKnown::Duration(seconds, nanos) => {
                let parsed = time::parse_duration(&self.token(ty)?);
                let what = "expected a duration such as \"1.5s\", of at most 315576000000 seconds";
                self.time(parsed.ok_or_else(|| Error::data(at, what))?, record, seconds, nanos, at)
            }
            WellKnown::FieldMask(paths) => self.field_mask(ty, record, paths),
            WellKnown::Wrapper(position) => {
                let value = self.value(record.fields[position].value_type(), depth + 1)?;
                self.holding(record, position, value)
            }
            WellKnown::Struct(position) => {
                let members = record.fields[position].value_type();
                let Kind::Map(key, value) = self.codec.schema.kind(members) else { unreachable!("it was checked") };
                let map = self.map(ty, *key, *value, depth)?;
                self.holding(record, position, map)
            }
            WellKnown::ListValue(position) => {
                let values = record.fields[position].value_type();
                let Kind::List(item) = self.codec.schema.kind(values) else { unreachable!("it was checked") };
                let list = self.list(ty, *item, depth)?;
                self.holding(record, position, list)
            }
            WellKnown::Value(fields) => self.json_value(ty, record, fields, depth),
            WellKnown::Any(url, value) => self.any(ty, record, url, value, depth),
        }
    }

    /// A record with one field.
    fn holding(&mut self, record: &Record, position: usize, value: Cell) -> Result<Cell> {
        let at = self.arena.record(record)?;
        self.arena.set_field(record, at, position, value);
        Ok(Cell::index(at))
    }

    fn time(
        &mut self,
        (seconds, nanos): (i64, i32),
        record: &Record,
        first: usize,
        second: usize,
        at: usize,
    ) -> Result<Cell> {
        self.scan.trace_token(at, Role::Payload);
        let run = self.arena.record(record)?;
        self.arena.set_field(record, run, first, Cell::int(seconds));
        self.arena.set_field(record, run, second, Cell::int(nanos.into()));
        Ok(Cell::index(run))
    }

    fn field_mask(&mut self, ty: TypeId, record: &Record, position: usize) -> Result<Cell> {
        let at = self.scan.pos;
        let token = self.token(ty)?;
        self.scan.trace_token(at, Role::Payload);
        let mark = self.arena.mark();
        for path in token.split(|&byte| byte == b',').filter(|_| !token.is_empty()) {
            let text = self.arena.text_with(|out| match std::str::from_utf8(path) {
                Ok(_) if field_mask::parse_path(path, out) => Ok(()),
                _ => Err(Error::data(at, "expected paths in lowerCamelCase with commas between them")),
            })?;
            self.arena.push(text)?;
        }
        let list = if self.arena.mark() == mark { Cell::EMPTY } else { self.arena.list(mark)? };
        self.holding(record, position, list)
    }

    fn json_value(&mut self, ty: TypeId, record: &Record, fields: ValueFields, depth: usize) -> Result<Cell> {
        let start = self.scan.pos;
        let (position, value) = match self.scan.peek_value()? {
            b'n' => {
                self.scan.word("null")?;
                (fields.null, Cell::EMPTY)
            }
            b't' => {
                self.scan.word("true")?;
                (fields.boolean, Cell::bool(true))
            }
            b'f' => {
                self.scan.word("false")?;
                (fields.boolean, Cell::bool(false))
            }
            b'"' => (fields.string, self.scan.string(self.arena)?),
            b'-' | b'0'..=b'9' => {
                let number = record.fields[fields.number].value_type();
                (fields.number, Cell::f64(self.finite(number, Float::F64)?))
            }
            open @ (b'{' | b'[') => {
                let position = if open == b'{' { fields.object } else { fields.array };
                let value = self.value(record.fields[position].value_type(), depth + 1)?;
                return self.holding(record, position, value);
            }
            _ => return Err(self.mismatch(ty)),
        };
        self.scan.trace_token(start, Role::Payload);
        self.holding(record, position, value)
    }
}

impl Writer<'_> {
    /// Writes a message with a form of its own.
    pub(in super::super) fn well_known(
        &mut self,
        known: WellKnown,
        record: &Record,
        message: Cell,
        out: &mut Out<'_>,
    ) -> Result<()> {
        let view = self.document.record(record, message);
        match known {
            WellKnown::Timestamp(seconds, nanos) | WellKnown::Duration(seconds, nanos) => {
                let write = match known {
                    WellKnown::Timestamp(..) => time::write_timestamp,
                    _ => time::write_duration,
                };
                out.byte(b'"');
                let (seconds, nanos) = (cell(&view, seconds).as_i64(), cell(&view, nanos).as_i64() as i32);
                out.with(|out| write(seconds, nanos, out)).map_err(unsayable)?;
                out.byte(b'"');
                Ok(())
            }
            WellKnown::FieldMask(paths) => {
                let mut text = Vec::new();
                for (i, &path) in self.document.list(cell(&view, paths)).iter().enumerate() {
                    if i > 0 {
                        text.push(b',');
                    }
                    field_mask::write_path(self.document.bytes(path), &mut text).map_err(unsayable)?;
                }
                encode::write_string(&text, out);
                Ok(())
            }
            WellKnown::Wrapper(position) => {
                self.value(record.fields[position].value_type(), cell(&view, position), out)
            }
            WellKnown::Struct(position) | WellKnown::ListValue(position) => {
                self.value(record.fields[position].value_type(), cell(&view, position), out)
            }
            WellKnown::Value(fields) => {
                crate::dynamic::check_oneofs(record, &view)?;
                let there = (0..record.fields.len()).find(|&position| view.get(position).is_some());
                let Some(position) = there else { return Err(unsayable("a google.protobuf.Value has no value")) };
                let value = view.cell(position);
                if position == fields.number {
                    if !value.as_f64().is_finite() {
                        return Err(unsayable("a google.protobuf.Value is not finite"));
                    }
                    number::write_number(value.as_f64(), out);
                    return Ok(());
                }
                self.value(record.fields[position].value_type(), value, out)
            }
            WellKnown::Any(url, value) => {
                self.any(self.document.bytes(cell(&view, url)), self.document.bytes(cell(&view, value)), out)
            }
        }
    }
}
