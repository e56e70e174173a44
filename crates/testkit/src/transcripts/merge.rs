//! Comparing expected lines, which may hold wildcards, with printed ones.

/// What stands for any part of a line.
const WILDCARD: &str = "[..]";

/// The printed lines, but with the wildcard lines of `expected` where they fit. So the result equals `expected` exactly
/// when the output is as expected, and otherwise it is both what to show and what to rewrite the expectation to.
pub(super) fn merge(expected: &[String], printed: &[String]) -> Vec<String> {
    // A longest common subsequence: a line that was added or lost must not cost the wildcards after it. `longest[e][p]`
    // is its length for the lines from `e` and `p` on.
    let mut longest = vec![vec![0_u32; printed.len() + 1]; expected.len() + 1];
    for e in (0..expected.len()).rev() {
        for p in (0..printed.len()).rev() {
            longest[e][p] = match fits(&expected[e], &printed[p]) {
                true => longest[e + 1][p + 1] + 1,
                false => longest[e + 1][p].max(longest[e][p + 1]),
            };
        }
    }

    let mut merged = Vec::with_capacity(printed.len());
    let mut e = 0;
    for (p, line) in printed.iter().enumerate() {
        while e < expected.len() && !fits(&expected[e], line) && longest[e + 1][p] == longest[e][p] {
            e += 1;
        }
        if e < expected.len() && fits(&expected[e], line) {
            merged.push(expected[e].clone());
            e += 1;
        } else {
            merged.push(line.clone());
        }
    }
    merged
}

/// Whether `line` is what `pattern` says.
fn fits(pattern: &str, line: &str) -> bool {
    let Some((first, others)) = pattern.split_once(WILDCARD) else {
        return pattern == line;
    };
    let (middle, last) = others.rsplit_once(WILDCARD).unwrap_or(("", others));
    let Some(mut rest) = line.strip_prefix(first).and_then(|rest| rest.strip_suffix(last)) else {
        return false;
    };
    // The earliest place for each part leaves the most room for the others.
    middle.split(WILDCARD).all(|part| match rest.split_once(part) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(expected: &[&str], printed: &[&str]) -> Vec<String> {
        let owned = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        merge(&owned(expected), &owned(printed))
    }

    #[test]
    fn a_wildcard_stands_for_any_part_of_a_line() {
        assert!(fits("took [..] ms", "took 3.5 ms"));
        assert!(fits("[..]", ""));
        assert!(fits("a[..]b[..]c", "a1b2b3c"));
        assert!(!fits("took [..] ms", "took 3.5 s"));
        assert!(!fits("a[..]a", "a"));
        assert!(!fits("ab[..]bc", "abc"));
        assert!(!fits("a[..]b[..]b", "ab"));
    }

    #[test]
    fn without_a_wildcard_all_must_be_equal() {
        assert!(fits("[.]", "[.]"));
        assert!(!fits("[.]", "x"));
        assert!(!fits("a", "a "));
    }

    #[test]
    fn an_output_as_expected_merges_to_the_expectation() {
        let expected = ["one", "[..]", "[..]!", ""];
        assert_eq!(merged(&expected, &["one", "two", "three!", ""]), expected);
    }

    #[test]
    fn wildcards_survive_added_lost_and_changed_lines() {
        assert_eq!(merged(&["a", "t=[..]"], &["new", "a", "t=1"]), ["new", "a", "t=[..]"]);
        assert_eq!(merged(&["a", "b", "t=[..]"], &["t=1"]), ["t=[..]"]);
        assert_eq!(merged(&["a", "t=[..]"], &["b", "t=1"]), ["b", "t=[..]"]);
    }

    #[test]
    fn a_wildcard_that_no_longer_fits_goes() {
        assert_eq!(merged(&["t=[..]"], &["u=1"]), ["u=1"]);
    }

    #[test]
    fn empty_sides_merge() {
        assert_eq!(merged(&[], &["a"]), ["a"]);
        assert_eq!(merged(&["a"], &[]), [""; 0]);
    }
}
