//! Documentation comments, and the notes that travel in them.

use wirewise_core::Notes;

/// What a line of notes begins with.
pub const MARK: &str = "@wirewise ";

/// Takes documentation apart: the text for people, and the notes.
///
/// Lines that begin like notes and are none stay in the text.
pub fn split(text: &str) -> (Option<String>, Notes) {
    let mut notes = Notes::default();
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| match line.trim().strip_prefix(MARK).and_then(Notes::parse) {
            Some(found) => {
                notes.extend(&found);
                false
            }
            None => true,
        })
        .collect();
    let doc = lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n");
    let doc = doc.trim_matches('\n').trim_end();
    ((!doc.is_empty()).then(|| doc.to_owned()), notes)
}

/// Puts documentation and notes together: lines without comment marks, none when there is nothing to say.
pub fn join(doc: Option<&str>, notes: &Notes) -> Vec<String> {
    let mut lines: Vec<String> = doc.unwrap_or_default().lines().map(str::to_owned).collect();
    if !notes.is_empty() {
        lines.push(format!("{MARK}{notes}"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_travel_in_comments() {
        let notes = Notes::default().with("name", "first name").with("number", "3");
        let lines = join(Some("Who it is.\n\n  - indented"), &notes);
        assert_eq!(lines.last().map(String::as_str), Some(r#"@wirewise name="first name"; number=3"#));
        assert_eq!(split(&lines.join("\n")), (Some("Who it is.\n\n  - indented".to_owned()), notes));
        // Editors leave spaces behind.
        assert_eq!(split(" @wirewise number=3  "), (None, Notes::default().with("number", "3")));
        assert_eq!(split("@wirewise is a tool").0.as_deref(), Some("@wirewise is a tool"));
        assert_eq!(split(""), (None, Notes::default()));
        assert!(join(None, &Notes::default()).is_empty());
    }
}
