//! Which representation: `Accept`.

use super::list;

/// A media type with its parameters, as a representation has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaType {
    /// `application/json`.
    pub essence: String,
    /// Names in lower case, and values.
    pub parameters: Vec<(String, String)>,
}

impl MediaType {
    /// Reads `application/json;variant=compact`. `None` when it is none.
    pub fn parse(text: &str) -> Option<MediaType> {
        let (essence, parameters) = list::parameters(text.trim())?;
        let (kind, name) = essence.split_once('/')?;
        let is_token = |text: &str| {
            let special = |byte| b"!#$%&'*+-.^_`|~".contains(&byte);
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || special(byte))
        };
        (is_token(kind) && is_token(name)).then(|| MediaType { essence: essence.to_ascii_lowercase(), parameters })
    }

    /// The value of a parameter.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// The parameter of media types of shaped representations.
pub const SHAPED: &str = "shaped";

/// What a client accepts.
#[derive(Debug, Clone, Default)]
pub struct Accept {
    ranges: Vec<Range>,
}

#[derive(Debug, Clone)]
struct Range {
    media: MediaType,
    /// In thousandths.
    weight: u16,
}

impl Accept {
    /// Reads the field. What is no media range is passed over, as are weights that are none; a field in which nothing is left
    /// says nothing, as an absent one does.
    pub fn parse(text: &str) -> Accept {
        let ranges = list::elements(text).filter_map(|element| {
            let mut media = MediaType::parse(element)?;
            let weight = match media.parameters.iter().position(|(name, _)| name == "q") {
                // What follows the weight are extensions, of which there are none.
                Some(at) => {
                    let weight = list::weight(&media.parameters[at].1)?;
                    media.parameters.truncate(at);
                    weight
                }
                None => 1000,
            };
            Some(Range { media, weight })
        });
        Accept { ranges: ranges.collect() }
    }

    /// How much a representation with this media type is wanted, in thousandths; 0 when it is not acceptable. The most
    /// specific range that matches says it.
    pub fn weight(&self, media: &MediaType) -> u16 {
        if self.ranges.is_empty() {
            return if media.parameter(SHAPED).is_none() { 1000 } else { 0 };
        }
        let matching = self.ranges.iter().filter_map(|range| Some((range.specificity(media)?, range.weight)));
        matching.max().map_or(0, |(_, weight)| weight)
    }
}

impl Range {
    /// How specific the range is, if the media type is in it.
    ///
    /// A variant that is not its format's default, and a shaped representation, is chosen by whoever names it: so a range
    /// without these parameters does not match what has them, but for a variant by a range of everything.
    fn specificity(&self, media: &MediaType) -> Option<u8> {
        let shaped = media.parameter(SHAPED) == self.media.parameter(SHAPED);
        let (kind, name) = self.media.essence.split_once('/')?;
        match (kind, name) {
            ("*", "*") => shaped.then_some(0),
            (kind, "*") => (shaped && media.essence.split('/').next() == Some(kind)).then_some(1),
            _ => {
                let is_same = self.media.essence == media.essence;
                let asked = self.media.parameters.iter().filter(|(name, value)| !is_usual(name, value));
                let count = asked.clone().count();
                let has = |(name, value): &(String, String)| media.parameter(name).is_some_and(|known| known == value);
                (is_same && count == media.parameters.len() && asked.clone().all(has)).then_some(2 + count as u8)
            }
        }
    }
}

/// A parameter that changes nothing: all text is in UTF-8.
fn is_usual(name: &str, value: &str) -> bool {
    name == "charset" && value.eq_ignore_ascii_case("utf-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(accept: &str, media: &str) -> u16 {
        Accept::parse(accept).weight(&MediaType::parse(media).unwrap())
    }

    #[test]
    fn the_most_specific_range_decides() {
        // RFC 9110, 12.5.1.
        let accept =
            "text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5";
        for (media, expected) in [
            ("text/plain;format=flowed", 1000),
            ("text/plain", 700),
            ("text/html", 300),
            ("image/jpeg", 500),
            ("text/plain;format=fixed", 400),
        ] {
            assert_eq!(weight(accept, media), expected, "{media}");
        }
    }

    #[test]
    fn zero_excludes() {
        assert_eq!(weight("*/*, application/json;q=0", "application/json"), 0);
        assert_eq!(weight("application/*;q=0, application/json;q=0.1", "application/json"), 100);
        assert_eq!(weight("text/html", "application/json"), 0);
    }

    #[test]
    fn nothing_said_accepts_everything() {
        for accept in ["", " , ,", "garbage", "application/json;q=high"] {
            assert_eq!(weight(accept, "application/json"), 1000, "{accept}");
        }
    }

    #[test]
    fn shaped_ones_are_named() {
        for accept in ["", "*/*", "application/*", "application/protobuf", "application/protobuf;shaped=0"] {
            assert_eq!(weight(accept, "application/protobuf;shaped=1"), 0, "{accept}");
        }
        for accept in ["*/*;shaped=1", "application/*;shaped=1", "Application/Protobuf; Shaped=1"] {
            assert_eq!(weight(accept, "application/protobuf;shaped=1"), 1000, "{accept}");
            assert_eq!(weight(accept, "application/protobuf"), 0, "{accept}");
        }
    }

    #[test]
    fn variants_are_named_or_anything() {
        assert_eq!(weight("application/json", "application/json;variant=compact"), 0);
        assert_eq!(weight("application/json;variant=compact", "application/json;variant=compact"), 1000);
        assert_eq!(weight("application/json;variant=\"compact\"", "application/json;variant=compact"), 1000);
        assert_eq!(weight("*/*", "application/json;variant=compact"), 1000);
        assert_eq!(weight("application/json;charset=UTF-8", "application/json"), 1000);
        assert_eq!(weight("application/json;charset=latin1", "application/json"), 0);
    }
}
