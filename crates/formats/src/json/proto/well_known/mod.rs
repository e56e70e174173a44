//! Messages of Protobuf's own files that have a form of their own in JSON.
//!
//! * [`time`]: `Timestamp` and `Duration` are text;
//! * [`field_mask`]: so is `FieldMask`;
//! * [`values`]: `Value`, `Struct` and `ListValue` are the JSON that they describe, wrappers what they wrap;
//! * [`any`]: `Any` is the message that it holds, with its type.

mod any;
mod field_mask;
mod time;
mod values;

use wirewise_core::{Cell, Enum, Int, Kind, Record, RecordView, Schema};

/// A message with a form of its own. The numbers are positions of fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WellKnown {
    /// Seconds and nanoseconds.
    Timestamp(usize, usize),
    /// Seconds and nanoseconds.
    Duration(usize, usize),
    /// The list of paths.
    FieldMask(usize),
    /// The map of members.
    Struct(usize),
    Value(ValueFields),
    /// The list of values.
    ListValue(usize),
    /// The value, of a scalar that may be absent.
    Wrapper(usize),
    /// The type URL and the bytes.
    Any(usize, usize),
}

/// The fields of a `Value`: null, a number, text, a boolean, an object, an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ValueFields {
    null: usize,
    number: usize,
    string: usize,
    boolean: usize,
    object: usize,
    array: usize,
}

/// The package of all of them.
const PACKAGE: &str = "google.protobuf.";

impl WellKnown {
    /// Which one a record is: it has the name and the fields.
    pub(super) fn of(schema: &Schema, record: &Record) -> Option<WellKnown> {
        let name = record.name.strip_prefix(PACKAGE)?;
        let field = |number: u32, fits: &dyn Fn(&Kind) -> bool| {
            let position = record.position_of_number(number)?;
            fits(schema.kind(record.fields[position].value_type())).then_some(position)
        };
        let is = |kind: Kind| move |found: &Kind| *found == kind;
        let string = |number| field(number, &is(Kind::String));
        let long = |number| field(number, &is(Kind::Int(Int::I64)));
        let int = |number| field(number, &is(Kind::Int(Int::I32)));
        let named = |ty, wanted: &str| schema.name(ty).and_then(|name| name.strip_prefix(PACKAGE)) == Some(wanted);
        let count = |expected: usize| (record.fields.len() == expected).then_some(());
        Some(match name {
            "Timestamp" => {
                count(2)?;
                WellKnown::Timestamp(long(1)?, int(2)?)
            }
            "Duration" => {
                count(2)?;
                WellKnown::Duration(long(1)?, int(2)?)
            }
            "FieldMask" => {
                count(1)?;
                let texts = |kind: &Kind| matches!(kind, Kind::List(item) if *schema.kind(*item) == Kind::String);
                WellKnown::FieldMask(field(1, &texts)?)
            }
            "Struct" => {
                count(1)?;
                let members = |kind: &Kind| {
                    matches!(kind, Kind::Map(key, value)
                        if *schema.kind(*key) == Kind::String && named(*value, "Value"))
                };
                WellKnown::Struct(field(1, &members)?)
            }
            "ListValue" => {
                count(1)?;
                WellKnown::ListValue(field(1, &|kind| matches!(kind, Kind::List(item) if named(*item, "Value")))?)
            }
            "Value" => {
                count(6)?;
                if record.oneofs.len() != 1 || record.fields.iter().any(|field| field.oneof != Some(0)) {
                    return None;
                }
                let message = |number, wanted: &str| {
                    let position = record.position_of_number(number)?;
                    named(record.fields[position].value_type(), wanted).then_some(position)
                };
                WellKnown::Value(ValueFields {
                    null: field(1, &|kind| matches!(kind, Kind::Enum(e) if is_null_value(e)))?,
                    number: field(2, &|kind| matches!(kind, Kind::Float(wirewise_core::Float::F64)))?,
                    string: string(3)?,
                    boolean: field(4, &is(Kind::Bool))?,
                    object: message(5, "Struct")?,
                    array: message(6, "ListValue")?,
                })
            }
            "Any" => {
                count(2)?;
                WellKnown::Any(string(1)?, field(2, &is(Kind::Bytes))?)
            }
            "DoubleValue" | "FloatValue" | "Int64Value" | "UInt64Value" | "Int32Value" | "UInt32Value"
            | "BoolValue" | "StringValue" | "BytesValue" => {
                count(1)?;
                let scalar = |kind: &Kind| {
                    matches!(kind, Kind::Bool | Kind::Int(_) | Kind::Float(_) | Kind::String | Kind::Bytes)
                };
                WellKnown::Wrapper(field(1, &scalar)?)
            }
            _ => return None,
        })
    }
}

/// Whether an enum is `google.protobuf.NullValue`.
pub(super) fn is_null_value(e: &Enum) -> bool {
    e.name.strip_prefix(PACKAGE) == Some("NullValue") && e.symbols.len() == 1 && e.symbols[0].number == 0
}

/// The cell of a field; that of zero where it is absent.
fn cell(view: &RecordView<'_>, position: usize) -> Cell {
    view.get(position).unwrap_or_default()
}
