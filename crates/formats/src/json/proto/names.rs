//! Names of fields in ProtoJSON.

use std::collections::HashMap;

use wirewise_core::{Field, Notes};

use crate::json::encode;
use crate::protobuf::{names, notes};

/// The names of a record's fields, or of a union's branches.
pub(super) struct Names {
    /// The name that is written, with a comma before it, quotes and a colon, by position.
    pub(super) keys: Vec<Vec<u8>>,
    /// The same without, to compare with.
    pub(super) written: Vec<Vec<u8>>,
    /// Positions by every name that is read.
    pub(super) read: HashMap<Vec<u8>, usize>,
}

impl Names {
    /// Of a record's fields.
    pub(super) fn of_fields(fields: &[Field]) -> Names {
        let extension = |field: &Field| field.notes.get(notes::EXTENSION).map(|name| format!("[{name}]"));
        let fields: Vec<_> = fields.iter().map(|field| (&*field.name, &field.notes, extension(field))).collect();
        Names::new(&fields)
    }

    /// Of names alone.
    pub(super) fn of_names<'a>(names: impl Iterator<Item = (&'a str, &'a Notes)>) -> Names {
        Names::new(&names.map(|(name, notes)| (name, notes, None)).collect::<Vec<_>>())
    }

    /// Of names, notes, and names of extensions. Two fields of a schema that comes from elsewhere may have the same name
    /// in JSON: they keep their own.
    fn new(fields: &[(&str, &Notes, Option<String>)]) -> Names {
        let wanted: Vec<String> = fields
            .iter()
            .map(|(name, said, extension)| match (extension, said.get(notes::JSON_NAME)) {
                (Some(extension), _) => extension.clone(),
                (None, Some(json)) => json.to_owned(),
                (None, None) if is_identifier(name) => names::json(name),
                (None, None) => (*name).to_owned(),
            })
            .collect();
        let mut owners: HashMap<&str, Option<usize>> = HashMap::new();
        for (position, wanted) in wanted.iter().enumerate() {
            owners.entry(wanted).and_modify(|owner| *owner = None).or_insert(Some(position));
        }
        for (position, (name, ..)) in fields.iter().enumerate() {
            owners.entry(name).and_modify(|owner| *owner = owner.filter(|&owner| owner == position));
        }
        let (mut written, mut read): (Vec<Vec<u8>>, HashMap<Vec<u8>, usize>) = (Vec::new(), HashMap::new());
        for (position, (name, _, extension)) in fields.iter().enumerate() {
            let free = owners[&*wanted[position]] == Some(position);
            let chosen = if free { &wanted[position] } else { *name };
            if extension.is_none() || !free {
                read.insert(name.as_bytes().to_vec(), position);
            }
            read.insert(chosen.as_bytes().to_vec(), position);
            written.push(chosen.as_bytes().to_vec());
        }
        Names { keys: written.iter().map(|name| encode::key(name)).collect(), written, read }
    }
}

fn is_identifier(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(names: &[&str]) -> Vec<String> {
        let none = Notes::default();
        let names = Names::of_names(names.iter().map(|name| (*name, &none)));
        names.written.into_iter().map(|name| String::from_utf8(name).unwrap()).collect()
    }

    #[test]
    fn names_that_would_be_the_same_stay_apart() {
        assert_eq!(written(&["user_id", "name"]), ["userId", "name"]);
        assert_eq!(written(&["a_b", "aB"]), ["a_b", "aB"]);
        assert_eq!(written(&["a_b", "a__b", "c_d"]), ["a_b", "a__b", "cD"]);
        assert_eq!(written(&["a_b", "aB", "a_B"]), ["a_b", "aB", "a_B"]);
        assert_eq!(written(&["a b_c", "9_a", "é_a"]), ["a b_c", "9_a", "é_a"]);
    }
}
