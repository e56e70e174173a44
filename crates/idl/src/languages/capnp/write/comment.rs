//! Documentation comments: they follow what they document.

use wirewise_core::Notes;

use crate::docs;

/// Appends documentation and notes as comment lines.
pub(super) fn comment(doc: Option<&str>, notes: &Notes, indent: usize, out: &mut String) {
    let lines = docs::join(doc, notes);
    // What a reader makes of it.
    let read: Vec<&str> = lines.iter().map(|line| line.trim_end_matches('\r')).collect();
    if let Some(text) = doc
        && docs::split(&read.join("\n")) != (Some(text.to_owned()), notes.clone())
    {
        let text = serde_json::Value::from(text).to_string();
        let notes = notes.clone().with("doc", text);
        return comment(None, &notes, indent, out);
    }
    for line in lines {
        out.extend(std::iter::repeat_n("  ", indent));
        out.push_str(if line.is_empty() { "#" } else { "# " });
        out.push_str(&line);
        out.push('\n');
    }
}
