//! Notes: what one schema language or format knows of a thing, and all others carry along.

use std::fmt;

/// Keys and texts, sorted by key.
///
/// A key with a dot belongs to the format or language before the dot, which alone gives it meaning:
/// `protobuf.type` = `sint32`. A key without a dot is for every language: it keeps a fact of the model that the
/// language at hand has no words for (`name`, `number`, `type`).
///
/// As text, notes are one line, so that they fit into a comment: `name=firstName; protobuf.type=sint32`. Keys and texts
/// with other characters than `[A-Za-z0-9_.,:+/-]` are JSON strings.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct Notes(Vec<(String, String)>);

impl Notes {
    /// The note with this key.
    pub fn get(&self, key: &str) -> Option<&str> {
        let place = self.0.binary_search_by(|(known, _)| known.as_str().cmp(key)).ok()?;
        Some(&self.0[place].1)
    }

    /// Whether there is a note with this key.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Adds a note, or replaces the one with this key.
    pub fn set(&mut self, key: impl Into<String>, text: impl Into<String>) {
        let key = key.into();
        match self.0.binary_search_by(|(known, _)| known.cmp(&key)) {
            Ok(place) => self.0[place].1 = text.into(),
            Err(place) => self.0.insert(place, (key, text.into())),
        }
    }

    /// The same with one more note.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, text: impl Into<String>) -> Self {
        self.set(key, text);
        self
    }

    /// Takes the note with this key out.
    pub fn take(&mut self, key: &str) -> Option<String> {
        let place = self.0.binary_search_by(|(known, _)| known.as_str().cmp(key)).ok()?;
        Some(self.0.remove(place).1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keys and texts, in the order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, text)| (key.as_str(), text.as_str()))
    }

    /// The notes that do not belong to `owner` (`protobuf`): those that its language must write down as notes.
    #[must_use]
    pub fn without(&self, owner: &str) -> Notes {
        let owned = |key: &str| key.strip_prefix(owner).is_some_and(|rest| rest.starts_with('.'));
        Notes(self.0.iter().filter(|(key, _)| !owned(key)).cloned().collect())
    }

    /// Adds all notes of `other`; where both have a key, `other` wins.
    pub fn extend(&mut self, other: &Notes) {
        for (key, text) in other.iter() {
            self.set(key, text);
        }
    }

    /// Reads what [`fmt::Display`] writes. `None` when it is something else.
    pub fn parse(text: &str) -> Option<Notes> {
        let mut notes = Notes::default();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (key, after) = word(rest)?;
            if after.len() == rest.len() {
                return None;
            }
            let (text, after) = word(after.strip_prefix('=')?)?;
            notes.set(key, text);
            rest = after.trim_start();
            if !rest.is_empty() {
                rest = rest.strip_prefix(';')?.trim_start();
            }
        }
        Some(notes)
    }
}

/// A key or text, and what comes after it.
fn word(text: &str) -> Option<(String, &str)> {
    if text.starts_with('"') {
        let mut stream = serde_json::Deserializer::from_str(text).into_iter::<String>();
        let word = stream.next()?.ok()?;
        return Some((word, &text[stream.byte_offset()..]));
    }
    let end = text.bytes().position(|byte| !is_plain(byte)).unwrap_or(text.len());
    Some((text[..end].to_owned(), &text[end..]))
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.,:+/-".contains(&byte)
}

/// A JSON string without any control character, for which comments have no place.
fn quoted(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for c in serde_json::Value::from(text).to_string().chars() {
        if c.is_control() {
            write!(f, "\\u{:04x}", u32::from(c))?;
        } else {
            write!(f, "{c}")?;
        }
    }
    Ok(())
}

impl fmt::Display for Notes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (key, text)) in self.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            if !key.is_empty() && key.bytes().all(is_plain) {
                write!(f, "{key}=")?;
            } else {
                quoted(key, f)?;
                f.write_str("=")?;
            }
            if text.bytes().all(is_plain) {
                f.write_str(text)?;
            } else {
                quoted(text, f)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_there_and_back() {
        let notes = Notes::default()
            .with("protobuf.type", "sint32")
            .with("name", "first name; \"odd\" = yes\n")
            .with("empty", "")
            .with("json-schema.$id", "a")
            .with("= \"odd\";", "b")
            .with("", "c")
            .with("control", "\u{7f}\u{85}\0")
            .with("type", r#"{"list":"int32"}"#);
        let text = notes.to_string();
        assert!(!text.contains(char::is_control), "{text}");
        assert_eq!(Notes::parse(&text), Some(notes));
        assert_eq!(Notes::parse(""), Some(Notes::default()));
        for bad in ["x", "=1", "a=1 b=2", "a=\"x", "a=1;;b=2", "a b=1"] {
            assert_eq!(Notes::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_owner_keeps_its_own() {
        let notes = Notes::default().with("avro.order", "ignore").with("avrox.a", "1").with("name", "x");
        assert_eq!(notes.without("avro").to_string(), "avrox.a=1; name=x");
    }
}
