//! Where in the text of a configuration something stands.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

/// Where the value of a key stands, in bytes; or that of the innermost table around it that there is.
pub fn place(text: &str, key: &[String]) -> Option<Range<usize>> {
    let root = DeTable::parse(text).ok()?;
    let mut table = root.get_ref();
    let mut found = None;
    for part in key {
        let Some((name, value)) = table.iter().find(|(name, _)| name.get_ref() == part) else { break };
        match value.get_ref() {
            DeValue::Table(inner) => {
                found = Some(name.span());
                table = inner;
            }
            _ => {
                found = Some(value.span());
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_however_they_are_written() {
        let text = "listen = '127.0.0.1:1'\n[tls]\nkey = 'a'\n[resources.places]\nsource.file = { path = 'x.json' }\n";
        let at = |key: &[&str]| {
            let key: Vec<String> = key.iter().map(|&part| part.to_owned()).collect();
            place(text, &key).map(|span| &text[span])
        };
        assert_eq!(at(&["tls", "key"]), Some("'a'"));
        assert_eq!(at(&["resources", "places", "source", "file", "path"]), Some("'x.json'"));
        assert_eq!(at(&["resources", "places", "schema"]), Some("places"));
        assert_eq!(at(&["tls", "key", "more"]), Some("'a'"));
        assert_eq!(at(&["nothing"]), None);
    }
}
