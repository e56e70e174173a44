//! JSON that is written: members keep their order, numbers their text.

use std::fmt::Write;

use crate::json::{Node, Value};

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tree {
    /// A number, `true`, `false` or `null`, as its text.
    Word(String),
    Text(String),
    Array(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

impl Tree {
    pub(super) fn text(text: impl Into<String>) -> Tree {
        Tree::Text(text.into())
    }

    pub(super) fn word(word: impl ToString) -> Tree {
        Tree::Word(word.to_string())
    }

    /// An object of these members.
    pub(super) fn object<const N: usize>(members: [(&str, Tree); N]) -> Tree {
        Tree::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    pub(super) fn texts<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Tree {
        Tree::Array(texts.into_iter().map(Tree::text).collect())
    }

    /// The value at `node`, whose numbers stand in `source`.
    pub(super) fn of(node: &Node, source: &str) -> Tree {
        match &node.value {
            Value::Null => Tree::word("null"),
            Value::Bool(value) => Tree::word(value),
            Value::Number(_) => Tree::word(number_text(node, source)),
            Value::String(text) => Tree::text(text),
            Value::Array(items) => Tree::Array(items.iter().map(|item| Tree::of(item, source)).collect()),
            Value::Object(object) => {
                let member = |member: &crate::json::Member| (member.name.clone(), Tree::of(&member.value, source));
                Tree::Object(object.members().iter().map(member).collect())
            }
        }
    }

    /// The value that a text of JSON is. `None`: it is none.
    pub(super) fn parse(text: &str) -> Option<Tree> {
        Node::parse(text).ok().map(|node| Tree::of(&node, text))
    }

    pub(super) fn json(json: &serde_json::Value) -> Tree {
        let text = json.to_string();
        Tree::parse(&text).unwrap_or(Tree::Word(text))
    }

    /// In one line, without spaces: what notes keep.
    pub(super) fn compact(&self) -> String {
        let mut out = String::new();
        self.line(&mut out, "");
        out
    }

    /// In lines of two spaces of indentation; what is short and holds no objects is in one line.
    pub(super) fn pretty(&self) -> String {
        let mut out = String::new();
        self.lines(0, 0, &mut out);
        out.push('\n');
        out
    }

    fn line(&self, out: &mut String, space: &str) {
        match self {
            Tree::Word(word) => out.push_str(word),
            Tree::Text(text) => out.push_str(&quoted(text)),
            Tree::Array(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        let _ = write!(out, ",{space}");
                    }
                    item.line(out, space);
                }
                out.push(']');
            }
            Tree::Object(members) => {
                out.push('{');
                for (i, (name, value)) in members.iter().enumerate() {
                    if i > 0 {
                        let _ = write!(out, ",{space}");
                    }
                    let _ = write!(out, "{}:{space}", quoted(name));
                    value.line(out, space);
                }
                out.push('}');
            }
        }
    }

    /// `used` is how much of the line is taken already.
    fn lines(&self, depth: usize, used: usize, out: &mut String) {
        const WIDTH: usize = 100;
        if self.is_flat() {
            let mut line = String::new();
            self.line(&mut line, " ");
            if used + line.len() <= WIDTH || !matches!(self, Tree::Array(_) | Tree::Object(_)) {
                out.push_str(&line);
                return;
            }
        }
        let new_line = |depth: usize, out: &mut String| {
            out.push('\n');
            out.extend(std::iter::repeat_n("  ", depth));
        };
        match self {
            Tree::Word(_) | Tree::Text(_) => {}
            Tree::Array(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    out.push_str(if i > 0 { "," } else { "" });
                    new_line(depth + 1, out);
                    item.lines(depth + 1, 2 * depth + 3, out);
                }
                new_line(depth, out);
                out.push(']');
            }
            Tree::Object(members) => {
                out.push('{');
                for (i, (name, value)) in members.iter().enumerate() {
                    out.push_str(if i > 0 { "," } else { "" });
                    new_line(depth + 1, out);
                    let name = quoted(name);
                    let _ = write!(out, "{name}: ");
                    value.lines(depth + 1, 2 * depth + name.len() + 5, out);
                }
                new_line(depth, out);
                out.push('}');
            }
        }
    }

    /// Whether it has nothing in it but scalars and lists of scalars.
    fn is_flat(&self) -> bool {
        let scalar = |tree: &Tree| matches!(tree, Tree::Word(_) | Tree::Text(_));
        let list = |tree: &Tree| matches!(tree, Tree::Array(items) if items.iter().all(scalar));
        match self {
            Tree::Object(members) => members.iter().all(|(_, value)| scalar(value) || list(value)),
            tree => scalar(tree) || list(tree),
        }
    }
}

/// The text of the number at `node`: the tree of [`Node`] has it rounded where it is large.
pub(super) fn number_text<'a>(node: &Node, source: &'a str) -> &'a str {
    let rest = &source[node.at..];
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c));
    &rest[..end.unwrap_or(rest.len())]
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_numbers_stay() {
        let text = r#"{"b":1.50,"a":[36893488147419103232,-0,true,null],"c":{"x":{"y":"é\n"}}}"#;
        let tree = Tree::parse(text).unwrap();
        assert_eq!(tree.compact(), text);
        let pretty = "{\n  \"b\": 1.50,\n  \"a\": [36893488147419103232, -0, true, null],\n  \"c\": {\n    \"x\": \
                      {\"y\": \"é\\n\"}\n  }\n}\n";
        assert_eq!(tree.pretty(), pretty);
        assert_eq!(Tree::parse(pretty), Some(tree));
        assert_eq!(Tree::Object(Vec::new()).pretty(), "{}\n");
    }
}
