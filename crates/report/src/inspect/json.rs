//! The stable JSON forms, documented in `docs/inspect-json.md`.

use serde_json::{Map, Value, json};
use wirewise_core::{Error, Role};
use wirewise_inspect::layers::Layer;
use wirewise_inspect::{ByField, Item, Kind, Label, Place, Row};

/// A layer that was peeled off.
pub fn layer_json(layer: &Layer) -> Value {
    let rows: Vec<_> = layer.rows().iter().map(|known| row(known, &layer.packed, 0)).collect();
    let mut out = json!({ "name": layer.name, "bytes": layer.packed.len(), "rows": rows });
    match &layer.error {
        None => out["decompressed"] = layer.unpacked.len().into(),
        Some(error) => out["error"] = broken(error, 0, layer.packed.len()),
    }
    out
}

/// An item, as text: as values in memory, the rows of a large message would take many times their size.
pub fn item_json(item: &Item<'_>) -> String {
    let mut out = Map::new();
    let mut put = |name: &str, value: Value| drop(out.insert(name.to_owned(), value));
    match item.label {
        Label::Framing => put("item", "framing".into()),
        Label::Packed { unpacked } => {
            put("item", "compressed".into());
            put("decompressed", unpacked.into());
        }
        Label::Message { index } => {
            put("item", "message".into());
            put("record", index.into());
        }
    }
    put("offset", item.offset.into());
    if let Some(within) = item.within {
        put("within", within.into());
    }
    put("bytes", item.bytes.len().into());
    put("rows", Value::Array(Vec::new()));
    if item.truncated {
        put("truncated", true.into());
    }
    if let Some(error) = &item.error {
        put("error", broken(error, item.offset, item.bytes.len()));
    }
    let whole = Value::Object(out).to_string();
    // Inside of a text its quotes would be escaped.
    let (before, after) = whole.split_once(NO_ROWS).expect("it was put there");
    let mut text = format!("{before}\"rows\":[");
    for (i, known) in item.rows.iter().enumerate() {
        text.push_str(if i > 0 { "," } else { "" });
        text.push_str(&row(known, item.bytes, item.offset).to_string());
    }
    text.push(']');
    text.push_str(after);
    text
}

/// The rows of an item before they are filled in.
const NO_ROWS: &str = "\"rows\":[]";

/// What is wrong with `len` bytes at `offset`.
fn broken(error: &Error, offset: u64, len: usize) -> Value {
    let mut out = json!({ "message": error.message() });
    if let Some(at) = error.offset() {
        out["offset"] = (offset + at.min(len) as u64).into();
    }
    for (name, text) in [("path", error.path()), ("hint", error.advice().map(str::to_owned))] {
        if let Some(text) = text {
            out[name] = text.into();
        }
    }
    out
}

fn row(row: &Row, bytes: &[u8], offset: u64) -> Value {
    let hex: String = bytes[row.bytes.clone()].iter().map(|byte| format!("{byte:02x}")).collect();
    let at = offset + row.bytes.start as u64;
    let mut out = json!({ "offset": at, "bytes": hex, "role": row.kind.name(), "what": row.what });
    for (name, text) in [("path", &row.path), ("value", &row.value)] {
        if !text.is_empty() {
            out[name] = text.as_str().into();
        }
    }
    out
}

/// Where the bytes go.
pub fn fields_json(by_field: &ByField) -> Value {
    let place = |place: &Place| {
        let overhead: Map<String, Value> = Kind::all()
            .filter(|kind| !matches!(kind, Kind::Role(Role::Payload | Role::Unknown)))
            .filter(|kind| place.bytes[kind.index()] > 0)
            .map(|kind| (kind.name().to_owned(), place.bytes[kind.index()].into()))
            .collect();
        let share = if by_field.bytes == 0 { 0.0 } else { place.total() as f64 / by_field.bytes as f64 };
        json!({
            "count": place.count,
            "bytes": place.total(),
            "share": share,
            "payload": place.payload(),
            "unknown": place.bytes[Kind::Role(Role::Unknown).index()],
            "overhead": overhead,
        })
    };
    let fields: Vec<_> = by_field
        .places()
        .into_iter()
        .map(|field| {
            let mut out = place(field);
            out["field"] = field.place.as_str().into();
            out
        })
        .collect();
    json!({
        "messages": by_field.messages,
        "bytes": by_field.bytes,
        "fields": fields,
        "around": place(&by_field.framing),
        "compressed": { "bytes": by_field.packed, "decompressed": by_field.unpacked },
    })
}
