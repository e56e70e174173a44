//! Names that Protobuf makes from others.

/// The name in JSON of a field called `name`, unless the option `json_name` gives another.
pub fn json(name: &str) -> String {
    let mut out = String::new();
    let mut capital = false;
    for c in name.chars() {
        if c == '_' {
            capital = true;
        } else {
            out.push(if capital { c.to_ascii_uppercase() } else { c });
            capital = false;
        }
    }
    out
}
