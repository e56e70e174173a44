//! Which body of a representation: `Accept-Encoding`.

use super::list;

/// The content codings that a client accepts, with their weights.
#[derive(Debug, Clone, Default)]
pub struct AcceptEncoding {
    codings: Vec<(String, u16)>,
}

impl AcceptEncoding {
    /// Reads the field; an absent one is empty. What has no weight that can be read is passed over.
    pub fn parse(text: &str) -> AcceptEncoding {
        let codings = list::elements(text).filter_map(|element| {
            let (name, parameters) = list::parameters(element)?;
            let weight = match parameters.iter().find(|(name, _)| name == "q") {
                Some((_, text)) => list::weight(text)?,
                None => 1000,
            };
            // RFC 9110, 8.4.1.3.
            let name = if name.eq_ignore_ascii_case("x-gzip") { "gzip".to_owned() } else { name.to_ascii_lowercase() };
            Some((name, weight))
        });
        AcceptEncoding { codings: codings.collect() }
    }

    /// How much a coding is wanted, in thousandths; 0 when it is not acceptable. What is not coded at all (`identity`) is
    /// acceptable unless it is excluded (RFC 9110, 12.5.3), and wanted less than anything that is named.
    pub fn weight(&self, coding: &str) -> u16 {
        let of = |wanted: &str| self.codings.iter().find(|(name, _)| name == wanted).map(|&(_, weight)| weight);
        match (of(coding), of("*")) {
            (Some(weight), _) => weight,
            (None, Some(weight)) if coding != "identity" => weight,
            (None, Some(0)) => 0,
            (None, _) if coding == "identity" => 1,
            (None, _) => 0,
        }
    }

    /// Whether the client names this coding: a dictionary is not for those who take anything.
    pub fn names(&self, coding: &str) -> bool {
        self.codings.iter().any(|(name, weight)| name == coding && *weight > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(text: &str) -> [u16; 3] {
        let accept = AcceptEncoding::parse(text);
        ["gzip", "br", "identity"].map(|coding| accept.weight(coding))
    }

    #[test]
    fn identity_is_acceptable_unless_excluded() {
        for (text, expected) in [
            ("", [0, 0, 1]),
            ("gzip", [1000, 0, 1]),
            ("x-gzip;q=0.5, BR", [500, 1000, 1]),
            ("*", [1000, 1000, 1]),
            ("*;q=0", [0, 0, 0]),
            ("gzip, *;q=0", [1000, 0, 0]),
            ("gzip;q=0.2, identity;q=0.9", [200, 0, 900]),
            ("gzip, identity;q=0", [1000, 0, 0]),
            ("*;q=0, identity", [0, 0, 1000]),
            ("gzip;q=0", [0, 0, 1]),
            ("gzip;q=x", [0, 0, 1]),
        ] {
            assert_eq!(weights(text), expected, "{text}");
        }
    }

    #[test]
    fn dictionaries_are_named() {
        assert!(AcceptEncoding::parse("gzip, dcz").names("dcz"));
        assert!(!AcceptEncoding::parse("gzip, dcz;q=0, *").names("dcz"));
    }
}
