//! Names of types, from the names in the samples.

/// Longest name made of one field's name, in bytes.
const MOST: usize = 60;

/// The words of a name in PascalCase: `created_at` and `createdAt` become `CreatedAt`. Empty when no letter of it can
/// stand in an identifier of every schema language, which are ASCII.
pub(super) fn pascal(name: &str) -> String {
    let mut out = String::new();
    let mut start = true;
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() {
            start = true;
            continue;
        }
        if out.is_empty() && c.is_ascii_digit() {
            out.push('N');
        }
        if out.len() >= MOST {
            break;
        }
        out.push(if start { c.to_ascii_uppercase() } else { c });
        start = c.is_ascii_digit();
    }
    out
}

/// Nouns whose plural follows no rule below, or which only look like plurals.
const IRREGULAR: &[(&str, &str)] = &[
    ("aliases", "alias"),
    ("analyses", "analysis"),
    ("axes", "axis"),
    ("buses", "bus"),
    ("caches", "cache"),
    ("children", "child"),
    ("cookies", "cookie"),
    ("crises", "crisis"),
    ("feet", "foot"),
    ("indices", "index"),
    ("lenses", "lens"),
    ("lives", "life"),
    ("matrices", "matrix"),
    ("men", "man"),
    ("movies", "movie"),
    ("news", "news"),
    ("people", "person"),
    ("series", "series"),
    ("species", "species"),
    ("teeth", "tooth"),
    ("ties", "tie"),
    ("vertices", "vertex"),
    ("women", "woman"),
];

/// Rules for the ends of all other nouns, the first that fits wins.
const ENDINGS: &[(&str, &str)] = &[
    ("ies", "y"),
    ("sses", "ss"),
    ("shes", "sh"),
    ("ches", "ch"),
    ("xes", "x"),
    ("uses", "us"),
    ("zzes", "zz"),
    ("ss", "ss"),
    ("us", "us"),
    ("is", "is"),
    ("s", ""),
];

/// The singular of the last word of a PascalCase name, as far as a few rules of English go.
pub(super) fn singular(name: &str) -> String {
    let word_at = name.rfind(|c: char| c.is_ascii_uppercase()).unwrap_or(0);
    let (before, word) = name.split_at(word_at);
    let lower = word.to_ascii_lowercase();
    if let Some((_, one)) = IRREGULAR.iter().find(|(many, _)| *many == lower) {
        return format!("{before}{}", pascal(one));
    }
    match ENDINGS.iter().find(|(many, _)| lower.ends_with(many) && word.len() > many.len() + 1) {
        Some((many, one)) if word.bytes().skip(1).all(|byte| byte.is_ascii_lowercase()) => {
            format!("{before}{}{one}", &word[..word.len() - many.len()])
        }
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers() {
        for (name, expected) in [
            ("created_at", "CreatedAt"),
            ("createdAt", "CreatedAt"),
            ("$date", "Date"),
            ("HTMLBody", "HTMLBody"),
            ("utf8text", "Utf8Text"),
            ("2nd", "N2Nd"),
            ("名前", ""),
            ("größe", "GrE"),
        ] {
            assert_eq!(pascal(name), expected);
        }
        assert!(pascal(&"x".repeat(1000)).len() <= MOST + 1);
    }

    #[test]
    fn plurals_become_singular() {
        for (many, one) in [
            ("Addresses", "Address"),
            ("Address", "Address"),
            ("Categories", "Category"),
            ("Boxes", "Box"),
            ("Branches", "Branch"),
            ("Prices", "Price"),
            ("Statuses", "Status"),
            ("Status", "Status"),
            ("SubTopicIds", "SubTopicId"),
            ("HomePeople", "HomePerson"),
            ("Children", "Child"),
            ("URLs", "URLs"),
            ("Data", "Data"),
            ("Analysis", "Analysis"),
            ("Gas", "Ga"),
            ("Is", "Is"),
        ] {
            assert_eq!(singular(many), one);
        }
    }
}
