//! The stable JSON forms, documented in `docs/inspect-json.md`.

use serde_json::{Map, Value, json};
use wirewise_core::Role;
use wirewise_inspect::layers::Layer;
use wirewise_inspect::{ByField, Item, Kind, Label, Place, Row};

/// A layer that was peeled off.
pub fn layer_json(layer: &Layer, packed: &[u8]) -> Value {
    let rows: Vec<_> = layer
        .spans
        .iter()
        .map(|span| {
            row(span.bytes.start as u64, &packed[span.bytes.clone()], span.role.name(), "", &span.what, &span.value)
        })
        .collect();
    json!({ "name": layer.name, "bytes": packed.len(), "decompressed": layer.unpacked.len(), "rows": rows })
}

/// An item.
pub fn item_json(item: &Item<'_>) -> Value {
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
    let show = |known: &Row| {
        let at = item.offset + known.bytes.start as u64;
        row(at, &item.bytes[known.bytes.clone()], known.kind.name(), &known.path, &known.what, &known.value)
    };
    put("rows", item.rows.iter().map(show).collect());
    if item.truncated {
        put("truncated", true.into());
    }
    if let Some(error) = &item.error {
        let mut broken = json!({ "message": error.message() });
        if let Some(offset) = error.offset() {
            broken["offset"] = (item.offset + offset.min(item.bytes.len()) as u64).into();
        }
        for (name, text) in [("path", error.path()), ("hint", error.advice().map(str::to_owned))] {
            if let Some(text) = text {
                broken[name] = text.into();
            }
        }
        put("error", broken);
    }
    Value::Object(out)
}

fn row(offset: u64, bytes: &[u8], role: &str, path: &str, what: &str, value: &str) -> Value {
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut out = json!({ "offset": offset, "bytes": hex, "role": role, "what": what });
    for (name, text) in [("path", path), ("value", value)] {
        if !text.is_empty() {
            out[name] = text.into();
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
        "framing": place(&by_field.framing),
        "compressed": { "bytes": by_field.packed, "decompressed": by_field.unpacked },
    })
}
