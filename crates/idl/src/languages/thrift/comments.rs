//! Documentation comments: what they say, and how they are written.

use super::lexer::{Comment, Style};
use crate::docs;

/// The documentation in the comments before something that begins on `line`, after something that ended on `after`: the
/// last `/** */`, or else the lines of `//` and `#` that stand directly above.
pub(super) fn above(comments: &[Comment<'_>], after: u32, line: u32) -> Option<String> {
    if let Some(comment) = comments.iter().rev().find(|comment| comment.style == Style::Doc) {
        return Some(block(comment.text));
    }
    let mut first = comments.len();
    let mut next = line;
    while let Some(comment) = first.checked_sub(1).map(|before| &comments[before]) {
        // What follows something on its line is about that.
        if !is_line(comment) || comment.last_line + 1 != next || comment.first_line == after {
            break;
        }
        next = comment.first_line;
        first -= 1;
    }
    lines(&comments[first..])
}

/// The documentation in a comment that follows something on the line on which it ends.
pub(super) fn beside(comments: &[Comment<'_>], line: u32) -> Option<String> {
    let first = comments.first().filter(|comment| is_line(comment) && comment.first_line == line)?;
    lines(std::slice::from_ref(first))
}

/// The comments before the first word of a file that are not directly above it.
pub(super) fn at_start<'c, 'a>(comments: &'c [Comment<'a>], line: u32) -> impl Iterator<Item = &'a str> + 'c {
    let mut first = comments.len();
    let mut next = line;
    while first > 0 && comments[first - 1].last_line + 1 == next {
        next = comments[first - 1].first_line;
        first -= 1;
    }
    comments[..first].iter().filter(|comment| comment.style == Style::Hash).map(|comment| comment.text.trim())
}

fn is_line(comment: &Comment<'_>) -> bool {
    matches!(comment.style, Style::Slashes | Style::Hash)
}

fn lines(comments: &[Comment<'_>]) -> Option<String> {
    if comments.is_empty() {
        return None;
    }
    let text = |comment: &Comment<'_>| {
        let text = comment.text.strip_suffix('\r').unwrap_or(comment.text);
        text.strip_prefix(' ').unwrap_or(text).to_owned()
    };
    Some(comments.iter().map(text).collect::<Vec<_>>().join("\n"))
}

/// What stands between `/**` and `*/`, without the stars at the start of lines.
fn block(text: &str) -> String {
    let text = text.strip_suffix('*').unwrap_or(text);
    if !text.contains('\n') {
        return text.trim().to_owned();
    }
    let line = |(i, line): (usize, &str)| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if i == 0 {
            return line.trim().to_owned();
        }
        let bare = line.trim_start();
        match bare.strip_prefix('*') {
            Some(rest) => rest.strip_prefix(' ').unwrap_or(rest).to_owned(),
            None => bare.to_owned(),
        }
    };
    let mut lines: Vec<String> = text.split('\n').enumerate().map(line).collect();
    // The lines of the marks.
    if lines.first().is_some_and(String::is_empty) {
        lines.remove(0);
    }
    if lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    lines.join("\n")
}

/// Writes a comment that says exactly these lines, which are at least one.
pub(super) fn write(lines: &[String], indent: &str, out: &mut String) {
    let mut push = |parts: &[&str]| {
        let line = parts.concat();
        out.push_str(line.trim_end());
        out.push('\n');
    };
    // The Thrift compiler takes documentation comments apart, and ends in a segmentation fault when nothing is in them.
    let plain = lines.iter().any(|line| line.contains(|c: char| c.is_alphanumeric()));
    if !plain || lines.iter().any(|line| line.contains("*/") || line.contains("/*")) {
        lines.iter().for_each(|line| push(&[indent, "// ", line]));
    } else if let [line] = lines {
        push(&[indent, "/** ", line, " */"]);
    } else {
        push(&[indent, "/**"]);
        lines.iter().for_each(|line| push(&[indent, " * ", line]));
        push(&[indent, " */"]);
    }
}

/// Whether a comment of these lines says the same documentation to our reader.
pub(super) fn reads_back(lines: &[String], indent: &str, doc: Option<&str>) -> bool {
    let mut text = String::new();
    write(lines, indent, &mut text);
    let file = "".into();
    let mut lexer = super::lexer::Lexer::new(&file, &text);
    let Ok((_, at)) = lexer.next() else { return false };
    let read = above(&lexer.comments, 0, at.line).unwrap_or_default();
    docs::split(&read).0.as_deref() == doc
}
