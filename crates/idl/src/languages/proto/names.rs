//! The names that Protobuf makes from others.

pub(super) use wirewise_formats::protobuf::names::json;

/// The name of the message that is an entry of the map called `name`.
pub(super) fn entry(name: &str) -> String {
    let json = json(name);
    let mut chars = json.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).chain("Entry".chars()).collect()
}

/// What languages that drop the enum's name from its values make of one: two values of an enum must differ in it.
pub(super) fn short_value(name_of_enum: &str, value: &str) -> String {
    let plain = |text: &str| text.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase()).collect::<String>();
    let prefix = plain(name_of_enum);
    // The prefix is dropped, with the underscores in and after it, unless nothing would be left.
    let mut left = prefix.as_str();
    let mut rest = value;
    while !left.is_empty() {
        let Some(c) = rest.chars().next() else { return plain(value) };
        rest = &rest[c.len_utf8()..];
        if c == '_' {
            continue;
        }
        match left.strip_prefix(c.to_ascii_lowercase()) {
            Some(after) => left = after,
            None => return plain(value),
        }
    }
    let rest = rest.trim_start_matches('_');
    if rest.is_empty() { plain(value) } else { plain(rest) }
}

/// The scalar that somebody who knows other languages means.
pub(super) fn plain_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "int" | "integer" | "i32" | "Int32" => "int32",
        "long" | "i64" | "Int64" => "int64",
        "uint" | "u32" => "uint32",
        "u64" => "uint64",
        "boolean" | "Bool" => "bool",
        "str" | "String" | "text" => "string",
        "float32" | "f32" => "float",
        "float64" | "f64" => "double",
        "byte" | "binary" => "bytes",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_as_protoc_makes_them() {
        assert_eq!(["a_b", "_a", "aB_2c", "a__b_"].map(json), ["aB", "A", "aB2c", "aB"]);
        assert_eq!(["a_b", "_a"].map(entry), ["ABEntry", "AEntry"]);
        let short = |value| short_value("HttpCode", value);
        assert_eq!(["HTTP_CODE_OK", "httpcode_ok", "OK", "HTTP_CODE_"].map(short), ["ok", "ok", "ok", "httpcode"]);
    }
}
