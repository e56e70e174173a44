//! Where the bytes go, as a table.

use std::fmt::Write;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use wirewise_core::Role;
use wirewise_inspect::{ByField, Kind, Place};

use super::text::printable;
use crate::units::{counted, grouped, percent};

/// The fields of a stream, those with the most bytes first.
pub fn fields(by_field: &ByField) -> String {
    let places = by_field.places();
    // Only what something is spent on.
    let kinds: Vec<_> = Kind::all()
        .filter(|kind| *kind != Kind::Role(Role::Payload))
        .filter(|kind| places.iter().chain([&&by_field.framing]).any(|place| place.bytes[kind.index()] > 0))
        .collect();
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let mut heads = vec!["field", "values", "bytes", "share", "payload", "overhead"];
    heads.extend(kinds.iter().map(|kind| kind.name()));
    let columns = heads.len();
    table.set_header(heads);
    for column in 1..columns {
        table.column_mut(column).expect("the header has it").set_cell_alignment(CellAlignment::Right);
    }
    let row = |name: &str, count: String, place: &Place| {
        let share = if by_field.bytes == 0 { 0.0 } else { place.total() as f64 / by_field.bytes as f64 };
        let mut cells = vec![printable(name), count, grouped(place.total()), percent(share)];
        cells.extend([grouped(place.payload()), grouped(place.overhead())]);
        cells.extend(kinds.iter().map(|kind| match place.bytes[kind.index()] {
            0 => "-".to_owned(),
            bytes => grouped(bytes),
        }));
        cells
    };
    let mut total = Place::default();
    for place in places.iter().copied().chain([&by_field.framing]) {
        for (sum, bytes) in total.bytes.iter_mut().zip(place.bytes) {
            *sum += bytes;
        }
    }
    for place in &places {
        table.add_row(row(&place.place, grouped(place.count), place));
    }
    if by_field.framing.total() > 0 {
        table.add_row(row("(framing)", String::new(), &by_field.framing));
    }
    table.add_row(row("all", String::new(), &total));
    let mut out = String::new();
    let (messages, bytes) = (counted(by_field.messages, "message"), counted(by_field.bytes, "byte"));
    let _ = writeln!(out, "{messages}, {bytes}\n");
    for line in table.to_string().lines() {
        let _ = writeln!(out, "{}", line.trim_end());
    }
    if by_field.packed > 0 {
        let (packed, unpacked) = (counted(by_field.packed, "byte"), counted(by_field.unpacked, "byte"));
        let _ =
            writeln!(out, "\nInside of it {packed} are compressed, and {unpacked} decompressed, as they are counted.");
    }
    out
}
