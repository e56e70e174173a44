//! What is wrong with a schema file.

use wirewise_core::json::{Node, Value};
use wirewise_core::{Error, ErrorKind};

/// What is wrong with an Avro schema, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// `Syntax`: it is not JSON; `Schema`: it is no Avro schema; `Unsupported`: no value can have it.
    pub kind: ErrorKind,
    /// Offset of the byte that is wrong; `None` when the schema as a whole is.
    pub at: Option<usize>,
    /// What was found, and what was expected.
    pub what: String,
    /// Where the first is of two things that must differ.
    pub first: Option<usize>,
}

impl Problem {
    #[cold]
    pub(super) fn at(node: usize, what: impl Into<String>) -> Problem {
        Problem { kind: ErrorKind::Schema, at: Some(node), what: what.into(), first: None }
    }

    /// The same for what is legal, but not for us.
    pub(super) fn unsupported(mut self) -> Problem {
        self.kind = ErrorKind::Unsupported;
        self
    }

    /// The same with the place of the first of two.
    pub(super) fn after(mut self, first: usize) -> Problem {
        self.first = Some(first);
        self
    }

    /// As an error that says the place by its path, which schemas inside other files need.
    pub(super) fn into_error(self, text: &str, tree: Option<&Node>) -> Error {
        let what = match (self.kind, self.at, tree) {
            (ErrorKind::Syntax, Some(at), _) => {
                let before = text.get(..at).unwrap_or_default();
                let line = before.matches('\n').count() + 1;
                let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
                format!("the Avro schema is not valid JSON: {}, at {line}:{column}", self.what)
            }
            (_, Some(at), Some(tree)) => format!("the Avro schema is wrong at {}: {}", path(tree, at), self.what),
            _ => format!("the Avro schema is wrong: {}", self.what),
        };
        Error::new(self.kind, what)
    }
}

impl From<wirewise_core::json::Problem> for Problem {
    fn from(problem: wirewise_core::json::Problem) -> Problem {
        Problem { kind: ErrorKind::Syntax, at: Some(problem.at), what: problem.what, first: problem.first }
    }
}

/// The path of what stands at an offset: `$.fields[0].type`.
fn path(tree: &Node, at: usize) -> String {
    let mut out = "$".to_owned();
    let mut node = tree;
    loop {
        match &node.value {
            Value::Array(items) => {
                let place = items.partition_point(|item| item.at <= at);
                let Some(item) = place.checked_sub(1) else { return out };
                out.push_str(&format!("[{item}]"));
                node = &items[item];
            }
            Value::Object(object) => {
                let place = object.members().partition_point(|member| member.at <= at);
                let Some(member) = place.checked_sub(1).map(|place| &object.members()[place]) else { return out };
                out.push('.');
                out.push_str(&member.name);
                node = &member.value;
            }
            _ => return out,
        }
    }
}
