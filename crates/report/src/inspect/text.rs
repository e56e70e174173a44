//! Annotated bytes, in columns.

use std::fmt::Write;

use wirewise_core::Error;
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

    /// A layer that was peeled off; with an error where it could not be.
    pub fn layer(&mut self, layer: &Layer) -> String {
        let mut out = String::new();
        self.title(layer_line(layer).trim_end(), &mut out);
        self.rows(&layer.rows(), &layer.packed, 0, layer.error.as_ref(), &mut out);
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
        self.rows(&item.rows, item.bytes, item.offset, item.error.as_ref(), &mut out);
        if item.truncated {
            let _ = writeln!(out, "{FAINT}(there is more to say than fits in memory){FAINT:#}");
        }
        self.begun = true;
        out
    }

    fn rows(&mut self, rows: &[Row], bytes: &[u8], offset: u64, error: Option<&Error>, out: &mut String) {
        self.fit(rows);
        let stop = error.map(|error| (error, error.offset().unwrap_or(0).min(bytes.len())));
        let mut told = false;
        for row in rows {
            if let Some((error, stop)) = stop
                && !told
                && row.kind == Kind::Unread
                && row.bytes.start >= stop
            {
                told = true;
                broken(error, offset + stop as u64, out);
            }
            self.row(row, bytes, offset, out);
        }
        if let Some((error, stop)) = stop
            && !told
        {
            broken(error, offset + stop as u64, out);
        }
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

/// A layer in a line.
pub fn layer_line(layer: &Layer) -> String {
    let packed = counted(layer.packed.len() as u64, "byte");
    match layer.error {
        None => format!("{}: {packed}, decompressed {}\n", layer.name, counted(layer.unpacked.len() as u64, "byte")),
        Some(_) => format!("{}: {packed}\n", layer.name),
    }
}

/// What is wrong, where it is wrong.
fn broken(error: &Error, at: u64, out: &mut String) {
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
