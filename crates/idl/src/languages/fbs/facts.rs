//! Facts of the model that FlatBuffers has no words for: notes in documentation, which only we read.

use wirewise_core::Notes;

use crate::docs;

/// The name in the model, where the identifier is another.
pub(super) const NAME: &str = "name";
/// The number of a field or branch, where it does not follow from the id.
pub(super) const NUMBER: &str = "number";
/// The type in the model, as a type expression.
pub(super) const TYPE: &str = "type";
/// `required` or `optional`, where it does not follow.
pub(super) const PRESENCE: &str = "presence";
/// The default as JSON, or `none`, where it does not follow. On a table: `none` when its scalars have none but those
/// that are written.
pub(super) const DEFAULT: &str = "default";
/// The oneof that a field is a member of.
pub(super) const ONEOF: &str = "oneof";
/// On a table: all of its oneofs, where there is more to say than names.
pub(super) const ONEOFS: &str = "oneofs";
/// Former names of a field, as a JSON list.
pub(super) const ALIASES: &str = "aliases";
/// Reserved numbers and names, as JSON.
pub(super) const RESERVED: &str = "reserved";
/// `true` on a closed enum.
pub(super) const CLOSED: &str = "closed";
/// On a table: fields that nothing is written of, as JSON.
pub(super) const FIELDS: &str = "fields";
/// On an enum: second names for numbers, as JSON.
pub(super) const SYMBOLS: &str = "symbols";
/// On a table or field that only the format needs: it is no type or field of the model.
pub(super) const WRAPPER: &str = "wrapper";
/// The position among the fields or symbols, where the file has another order.
pub(super) const POSITION: &str = "position";
/// Documentation that a comment cannot hold.
pub(super) const DOC: &str = "doc";
/// On a definition of a binary schema: the notes of the file, which have no place of their own there.
pub(super) const FILE: &str = "file";

/// Lines of documentation as documentation and notes.
pub(super) fn split(lines: &[String]) -> (Option<String>, Notes) {
    let (doc, mut notes) = docs::split(&lines.join("\n"));
    let kept = notes.take(DOC);
    (kept.or(doc), notes)
}

/// Documentation and notes as lines, from which [`split`] gets the same.
pub(super) fn join(doc: Option<&str>, notes: &Notes) -> Vec<String> {
    let lines = docs::join(doc, notes);
    let plain = lines.iter().all(|line| !line.contains(|c: char| c.is_control() && c != '\t'));
    let same = || {
        let (again, found) = split(&lines);
        again.as_deref() == doc && found == *notes
    };
    match doc {
        Some(text) if !plain || !same() => docs::join(None, &notes.clone().with(DOC, text)),
        _ => lines,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_documentation_comes_back() {
        let notes = Notes::default().with("number", "3");
        for doc in ["plain", "two\nlines", "\n\nlate", "trailing \n", "a\u{0}b", "", "@wirewise number=4", " \r\n"] {
            for notes in [&notes, &Notes::default()] {
                let lines = join(Some(doc), notes);
                assert_eq!(split(&lines), (Some(doc.to_owned()), notes.clone()), "{lines:?}");
                assert!(lines.iter().all(|line| !line.contains(['\n', '\r', '\0'])));
            }
        }
    }
}
