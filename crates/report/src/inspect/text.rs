//! Annotated bytes, in columns.

use std::fmt::Write;

use wirewise_inspect::layers::Layer;
use wirewise_inspect::{Item, Kind, Label, Row};

use super::style::{self, ERROR, FAINT, HEAD};
use crate::units::counted;

/// Bytes in a line.
const WIDTH: usize = 8;

/// How much of long values is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lines {
    /// The first few lines, and how much is left.
    Few,
    /// All.
    All,
}

/// Lines of a value, where not all are shown.
const FEW: usize = 8;

/// Longest value, in characters, where not all is shown.
const SHORT: usize = 72;

/// Columns are at least as wide as what came before needs, up to this: a path that is longer stands out.
const WIDEST: usize = 44;

/// Writes items as text, with the colours of a terminal.
#[derive(Debug)]
pub struct Text {
    lines: Lines,
    path: usize,
    what: usize,
    /// Whether something was written: what comes next is set off.
    begun: bool,
}

// Writing to a String cannot fail, so the results of `write!` are dropped.

impl Text {
    /// Nothing written yet.
    pub fn new(lines: Lines) -> Self {
        Text { lines, path: 8, what: 16, begun: false }
    }

    /// A layer that was peeled off.
    pub fn layer(&mut self, layer: &Layer, packed: &[u8]) -> String {
        let mut out = String::new();
        let unpacked = counted(layer.unpacked.len() as u64, "byte");
        let title = format!("{}: {}, decompressed {unpacked}", layer.name, counted(packed.len() as u64, "byte"));
        self.title(&title, &mut out);
        for span in &layer.spans {
            let row = Row {
                bytes: span.bytes.clone(),
                kind: Kind::Role(span.role),
                path: String::new(),
                place: String::new(),
                what: span.what.clone(),
                value: span.value.clone(),
            };
            self.row(&row, packed, 0, &mut out);
        }
        out
    }

    /// An item.
    pub fn item(&mut self, item: &Item<'_>) -> String {
        let mut out = String::new();
        let bytes = counted(item.bytes.len() as u64, "byte");
        let place = match item.within {
            Some(within) => format!("{bytes} at {:#x} of {within}", item.offset),
            None => format!("{bytes} at {:#x}", item.offset),
        };
        match item.label {
            Label::Message { index } => self.title(&format!("message {}: {place}", index + 1), &mut out),
            Label::Packed { unpacked } => {
                self.title(&format!("compressed: {place}, decompressed {}", counted(unpacked, "byte")), &mut out);
            }
            Label::Framing => {}
        }
        self.fit(&item.rows);
        let stop = item.error.as_ref().map(|error| error.offset().unwrap_or(0).min(item.bytes.len()));
        let mut told = false;
        for row in &item.rows {
            if let (Some(error), Some(stop), false) = (&item.error, stop, told)
                && row.bytes.start >= stop
                && row.kind == Kind::Unread
            {
                told = true;
                broken(error, item.offset + stop as u64, &mut out);
            }
            self.row(row, item.bytes, item.offset, &mut out);
        }
        if let (Some(error), Some(stop), false) = (&item.error, stop, told) {
            broken(error, item.offset + stop as u64, &mut out);
        }
        if item.truncated {
            let _ = writeln!(out, "{FAINT}(there is more to say than fits in memory){FAINT:#}");
        }
        self.begun = true;
        out
    }

    fn title(&mut self, title: &str, out: &mut String) {
        if std::mem::replace(&mut self.begun, true) {
            out.push('\n');
        }
        let _ = writeln!(out, "{HEAD}{}{HEAD:#}", printable(title));
    }

    /// Makes the columns wide enough.
    fn fit(&mut self, rows: &[Row]) {
        for row in rows {
            self.path = self.path.max(row.path.chars().count().min(WIDEST));
            self.what = self.what.max(row.what.chars().count().min(WIDEST));
        }
    }

    fn row(&self, row: &Row, bytes: &[u8], offset: u64, out: &mut String) {
        let color = style::of(row.kind);
        let mut chunks = bytes[row.bytes.clone()].chunks(WIDTH).enumerate();
        let Some((_, first)) = chunks.next() else { return };
        let start = offset + row.bytes.start as u64;
        let (path, what) = (self.path, self.what);
        let mut line = format!("{FAINT}{start:08x}{FAINT:#}  {color}{:<1$}", hex(first), 3 * WIDTH);
        let _ = write!(line, "  {:<11}{color:#}", row.kind.name());
        let _ = write!(line, "  {:<path$}  {:<what$}", printable(&row.path), printable(&row.what));
        let value = printable(&row.value);
        let short = value.chars().count() > SHORT && self.lines == Lines::Few;
        let shown: String = if short { value.chars().take(SHORT - 3).chain("...".chars()).collect() } else { value };
        let _ = writeln!(out, "{}", format!("{line}  {shown}").trim_end());
        for (i, chunk) in chunks {
            let left = row.bytes.len() - i * WIDTH;
            if self.lines == Lines::Few && i == FEW - 1 && left > WIDTH {
                let _ = writeln!(out, "{:>8}  {FAINT}... {}{FAINT:#}", "", counted(left as u64, "more byte"));
                break;
            }
            let at = start + (i * WIDTH) as u64;
            let _ = writeln!(out, "{FAINT}{at:08x}{FAINT:#}  {color}{}{color:#}", hex(chunk));
        }
    }
}

/// What is wrong, where it is wrong.
fn broken(error: &wirewise_core::Error, at: u64, out: &mut String) {
    let path = error.path().map(|path| format!(", at {path}")).unwrap_or_default();
    let what = printable(&format!("{}{path}", error.message()));
    let _ = writeln!(out, "{ERROR}{at:08x}  ^ it stops being valid here: {what}{ERROR:#}");
}

fn hex(bytes: &[u8]) -> String {
    let digits: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.join(" ")
}

/// Text that does nothing to a terminal but be shown.
pub(super) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() {
            let _ = write!(out, "\\u{:04x}", character as u32);
        } else {
            out.push(character);
        }
    }
    out
}
