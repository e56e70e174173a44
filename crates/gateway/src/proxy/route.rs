//! Paths with segments that may be anything.

use crate::{Error, Result};

/// A path such as `/people/*`: a `*` stands for one segment, and at the end for all that follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    segments: Vec<String>,
    is_open: bool,
}

impl Pattern {
    /// # Errors
    /// When it is no path.
    pub(super) fn parse(text: &str) -> Result<Pattern> {
        let wrong = || Error::new(format!("{text:?} is no path")).hint("write it like /people/*");
        let rest = text.strip_prefix('/').filter(|_| !text.contains(['?', '#'])).ok_or_else(wrong)?;
        let mut segments: Vec<String> = rest.split('/').map(str::to_owned).collect();
        let is_open = segments.last().is_some_and(|last| last == "*");
        if is_open {
            segments.pop();
        }
        Ok(Pattern { segments, is_open })
    }

    /// Whether a path is one of these.
    pub(super) fn matches(&self, path: &str) -> bool {
        let Some(rest) = path.strip_prefix('/') else { return false };
        let mut given = rest.split('/');
        let starts =
            self.segments.iter().all(|wanted| given.next().is_some_and(|given| wanted == "*" || wanted == given));
        starts && if self.is_open { given.next().is_some_and(|next| !next.is_empty()) } else { given.next().is_none() }
    }
}

/// What stands for the paths of one kind of thing: numbers, ids and long words of segments as `*`.
pub(super) fn kind(path: &str) -> String {
    let is_id = |segment: &str| {
        let digits = segment.bytes().filter(u8::is_ascii_digit).count();
        let is_version = segment.starts_with('v') && digits + 1 == segment.len() && digits < 3;
        let is_plain = segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
        !is_version && (digits > 0 || !is_plain || segment.len() > 40)
    };
    let segments = path.split('/').map(|segment| if !segment.is_empty() && is_id(segment) { "*" } else { segment });
    segments.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_segments() {
        for (pattern, path, expected) in [
            ("/people", "/people", true),
            ("/people", "/people/", false),
            ("/people", "/people/5", false),
            ("/people/*", "/people/5", true),
            ("/people/*", "/people/5/address", true),
            ("/people/*", "/people", false),
            ("/people/*", "/people/", false),
            ("/people/*/address", "/people/5/address", true),
            ("/people/*/address", "/people/5/name", false),
            ("/*", "/anything", true),
        ] {
            assert_eq!(Pattern::parse(pattern).unwrap().matches(path), expected, "{pattern} {path}");
        }
        assert!(Pattern::parse("people").is_err() && Pattern::parse("/a?b").is_err());
    }

    #[test]
    fn ids_are_of_one_kind() {
        assert_eq!(kind("/api/v2/people/17/notes"), "/api/v2/people/*/notes");
        assert_eq!(kind("/x/6b5fcfe2-25bd-523d-97b4-38ea44c09698"), "/x/*");
        assert_eq!(kind("/geo-points/"), "/geo-points/");
        assert_eq!(kind("/a%20b"), "/*");
    }
}
