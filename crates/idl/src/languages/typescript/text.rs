//! Names, strings and comments.

/// A property's name: quoted unless it is an identifier.
pub(super) fn property(name: &str) -> String {
    let mut chars = name.chars();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let starts = chars.next().is_some_and(|c| plain(c) && !c.is_ascii_digit());
    if starts && chars.all(plain) { name.to_owned() } else { string(name) }
}

/// A string: what JSON writes is TypeScript, too.
pub(super) fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A documentation comment, with a line end; nothing when there is nothing to say.
pub(super) fn comment(lines: &[String], indent: &str) -> String {
    let safe = |line: &String| line.replace("*/", "*\\/").trim_end().to_owned();
    match lines {
        [] => String::new(),
        [line] => format!("{indent}/** {} */\n", safe(line)),
        lines => {
            let mut out = format!("{indent}/**\n");
            for line in lines {
                out.push_str(format!("{indent} * {}", safe(line)).trim_end());
                out.push('\n');
            }
            out + indent + " */\n"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_comments_are_safe() {
        assert_eq!(
            ["a$1", "1a", "a-b", "", "é", "new"].map(property),
            ["a$1", "\"1a\"", "\"a-b\"", "\"\"", "\"é\"", "new"]
        );
        assert_eq!(comment(&["a */ b".to_owned()], "  "), "  /** a *\\/ b */\n");
        assert_eq!(comment(&["a".to_owned(), String::new(), " b ".to_owned()], ""), "/**\n * a\n *\n *  b\n */\n");
        assert_eq!(comment(&[], ""), "");
    }
}
