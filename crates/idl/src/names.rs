//! Names: from those of the model to those that a language can have, and that its users expect.

use std::collections::{HashMap, HashSet};

use wirewise_core::{Schema, TypeId};

/// How the words of a name are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// As it is; only characters that cannot be in an identifier become `_`.
    Keep,
    /// `first_name`
    Snake,
    /// `firstName`
    Camel,
    /// `FirstName`
    Pascal,
    /// `FIRST_NAME`
    Upper,
}

/// An identifier `[A-Za-z_][A-Za-z0-9_]*` made from any text. Never empty, and the same text always gives the same.
pub fn identifier(name: &str, case: Case) -> String {
    let joined = match case {
        Case::Keep => name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect(),
        Case::Snake => words(name).join("_").to_ascii_lowercase(),
        Case::Upper => words(name).join("_").to_ascii_uppercase(),
        Case::Pascal => words(name).iter().map(|word| capital(word)).collect(),
        Case::Camel => {
            let words = words(name);
            let rest = words.iter().skip(1).map(|word| capital(word));
            words.first().map(|word| word.to_ascii_lowercase()).into_iter().chain(rest).collect()
        }
    };
    match joined.chars().next() {
        None => "_".to_owned(),
        Some(c) if c.is_ascii_digit() && matches!(case, Case::Pascal) => format!("N{joined}"),
        Some(c) if c.is_ascii_digit() && matches!(case, Case::Camel) => format!("n{joined}"),
        Some(c) if c.is_ascii_digit() => format!("_{joined}"),
        Some(_) => joined,
    }
}

/// Whether a name is an identifier `[A-Za-z_][A-Za-z0-9_]*`, as most languages have them.
pub fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    // A word in capitals (`URL`) becomes `Url`.
    let rest = if rest.chars().any(|c| c.is_ascii_lowercase()) { rest.to_owned() } else { rest.to_ascii_lowercase() };
    first.to_ascii_uppercase() + &rest
}

/// The words of a name: `HTTPServerName_2nd` has HTTP, Server, Name and 2nd.
fn words(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for (i, &c) in chars.iter().enumerate() {
        if !c.is_ascii_alphanumeric() {
            open = false;
            continue;
        }
        let before = i.checked_sub(1).map(|i| chars[i]);
        let after = chars.get(i + 1);
        let starts = c.is_ascii_uppercase()
            && before.is_some_and(|before| {
                before.is_ascii_lowercase()
                    || before.is_ascii_digit()
                    || before.is_ascii_uppercase() && after.is_some_and(char::is_ascii_lowercase)
            });
        if !open || starts {
            words.push(String::new());
            open = true;
        }
        if let Some(word) = words.last_mut() {
            word.push(c);
        }
    }
    words
}

/// Gives out names that differ from each other and from the words that a language keeps for itself.
#[derive(Debug, Default)]
pub struct Scope {
    taken: HashSet<String>,
    /// The next number to try after a name that was taken before.
    next: HashMap<String, u32>,
}

impl Scope {
    /// A scope where these words cannot be names.
    pub fn new(reserved: &[&str]) -> Scope {
        Scope { taken: reserved.iter().map(|&word| word.to_owned()).collect(), next: HashMap::new() }
    }

    /// The name itself, or with the smallest number after it that makes it free: `value`, `value2`, or `value_` for a
    /// reserved word is never made.
    pub fn take(&mut self, name: &str) -> String {
        if self.taken.insert(name.to_owned()) {
            return name.to_owned();
        }
        let count = self.next.entry(name.to_owned()).or_insert(2);
        loop {
            let free = format!("{name}{count}");
            *count += 1;
            if self.taken.insert(free.clone()) {
                return free;
            }
        }
    }
}

/// Full name of a type, its namespace and its name inside that: `com.acme.Outer.Inner` is in the namespace `com.acme` when
/// `com.acme.Outer` is a type, and in `com.acme.Outer` when it is not.
pub fn namespace(schema: &Schema, id: TypeId) -> (&str, &str) {
    let full = schema.name(id).unwrap_or_default();
    let mut start = full.len();
    // The outermost type that it lies in, or itself.
    for (dot, _) in full.match_indices('.') {
        if schema.named(&full[..dot]).is_some() {
            start = dot;
            break;
        }
    }
    match full[..start].rfind('.') {
        Some(dot) => (&full[..dot], &full[dot + 1..]),
        None => ("", full),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases() {
        let all = |name| [Case::Keep, Case::Snake, Case::Camel, Case::Pascal, Case::Upper].map(|c| identifier(name, c));
        assert_eq!(all("firstName"), ["firstName", "first_name", "firstName", "FirstName", "FIRST_NAME"]);
        assert_eq!(
            all("HTTPServer2x"),
            ["HTTPServer2x", "http_server2x", "httpServer2x", "HttpServer2x", "HTTP_SERVER2X"]
        );
        assert_eq!(all("a-b c"), ["a_b_c", "a_b_c", "aBC", "ABC", "A_B_C"]);
        assert_eq!(all("2nd"), ["_2nd", "_2nd", "n2nd", "N2nd", "_2ND"]);
        assert_eq!(all("日本"), ["__", "_", "_", "_", "_"]);
        assert_eq!(all(""), ["_", "_", "_", "_", "_"]);
    }

    #[test]
    fn names_are_given_out_once() {
        let mut scope = Scope::new(&["class"]);
        assert_eq!(
            [scope.take("a"), scope.take("a"), scope.take("a2"), scope.take("class")],
            ["a", "a2", "a22", "class2"]
        );
    }
}
