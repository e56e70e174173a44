//! Texts that match a pattern: enough of regular expressions for what schemas have. What is not understood gives a text
//! that may not match; whoever asks for one looks at it afterwards.

use super::generate::Random;

/// How long a text may become.
const LONGEST: usize = 200;

/// A text that should match.
pub(super) fn sample(pattern: &str, random: &mut Random) -> String {
    let chars: Vec<char> = pattern.chars().collect();
    let mut sampler = Sampler { chars: &chars, pos: 0, random, depth: 0 };
    sampler.alternatives()
}

struct Sampler<'p> {
    chars: &'p [char],
    pos: usize,
    random: &'p mut Random,
    depth: usize,
}

impl Sampler<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.pos).copied()
    }

    /// `a|b`, up to the end or a closing parenthesis: one of them.
    fn alternatives(&mut self) -> String {
        let mut all = vec![self.sequence()];
        while self.peek() == Some('|') {
            self.pos += 1;
            all.push(self.sequence());
        }
        let chosen = self.random.below(all.len());
        all.swap_remove(chosen)
    }

    fn sequence(&mut self) -> String {
        let mut out = String::new();
        while let Some(c) = self.peek().filter(|c| !"|)".contains(*c)) {
            let start = self.pos;
            if "^$".contains(c) {
                self.pos += 1;
                continue;
            }
            let first = self.atom();
            let after = self.pos;
            let (least, most) = self.times();
            let end = self.pos;
            let more = if self.random.below(6) == 0 { 20 } else { 3 };
            let times = least + self.random.below(most.saturating_sub(least).min(more) + 1);
            for time in 0..times.min(LONGEST) {
                if out.len() > LONGEST {
                    break;
                }
                if time == 0 {
                    out.push_str(&first);
                    continue;
                }
                // Each time anew.
                self.pos = start;
                out.push_str(&self.atom());
                self.pos = after;
            }
            self.pos = end;
        }
        out
    }

    fn atom(&mut self) -> String {
        let Some(c) = self.peek() else { return String::new() };
        self.pos += 1;
        match c {
            '(' => {
                if self.peek() == Some('?') {
                    // `(?:`; what looks ahead is not understood.
                    while self.peek().is_some_and(|c| !":=!)".contains(c)) {
                        self.pos += 1;
                    }
                    self.pos += 1;
                }
                self.depth += 1;
                let inner = if self.depth < 20 { self.alternatives() } else { String::new() };
                self.depth -= 1;
                self.pos += 1;
                inner
            }
            '[' => self.class().to_string(),
            '.' => self.one_of(&['a', 'x', '7', '-']).to_string(),
            '\\' => self.escape().to_string(),
            c => c.to_string(),
        }
    }

    fn one_of(&mut self, chars: &[char]) -> char {
        chars[self.random.below(chars.len())]
    }

    fn escape(&mut self) -> char {
        let Some(c) = self.peek() else { return '\\' };
        self.pos += 1;
        match c {
            'd' => self.one_of(&['0', '1', '5', '9']),
            'w' => self.one_of(&['a', 'Z', '3', '_']),
            's' => ' ',
            'D' | 'S' => self.one_of(&['a', 'Z']),
            'W' => self.one_of(&['-', ' ']),
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            c => c,
        }
    }

    fn class(&mut self) -> char {
        let negated = self.peek() == Some('^');
        self.pos += usize::from(negated);
        let mut chars = Vec::new();
        while let Some(c) = self.peek().filter(|c| *c != ']' || chars.is_empty()) {
            self.pos += 1;
            let first = if c == '\\' { self.escape() } else { c };
            let range = self.peek() == Some('-') && self.chars.get(self.pos + 1).is_some_and(|c| *c != ']');
            if range {
                self.pos += 1;
                let last = self.peek().unwrap_or(first);
                self.pos += 1;
                let middle = char::from_u32((first as u32 + last as u32) / 2).unwrap_or(first);
                chars.extend([first, middle, last]);
            } else {
                chars.push(first);
            }
        }
        self.pos += 1;
        if negated {
            let others: Vec<char> = ['x', '0', '~', 'Q', ' '].into_iter().filter(|c| !chars.contains(c)).collect();
            return if others.is_empty() { 'é' } else { self.one_of(&others) };
        }
        if chars.is_empty() { 'x' } else { self.one_of(&chars) }
    }

    /// How often the last atom comes.
    fn times(&mut self) -> (usize, usize) {
        let (least, most) = match self.peek() {
            Some('*') => (0, 20),
            Some('+') => (1, 20),
            Some('?') => (0, 1),
            Some('{') => return self.braces(),
            _ => return (1, 1),
        };
        self.pos += 1;
        self.lazy();
        (least, most)
    }

    fn lazy(&mut self) {
        if self.peek() == Some('?') {
            self.pos += 1;
        }
    }

    fn braces(&mut self) -> (usize, usize) {
        let rest: String = self.chars[self.pos + 1..].iter().take_while(|c| **c != '}').collect();
        let (least, most) = rest.split_once(',').unwrap_or((&rest, &rest));
        let Ok(least) = least.parse::<usize>() else { return (1, 1) };
        self.pos += rest.chars().count() + 2;
        self.lazy();
        (least, most.parse().unwrap_or(least + 3).max(least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_match() {
        for pattern in [
            "^[a-z]+$",
            "^S_",
            "^\\d{3}-\\d{4}$",
            "^(foo|bar)?baz$",
            "x",
            "^[^a-c]*$",
            "^[A-Z][a-z]{2,5}(-[0-9]+)*$",
            "^$",
            "^.{3}$",
            "a|b|c",
            "[]x]",
            "\\.json$",
        ] {
            let validator = jsonschema::validator_for(&serde_json::json!({ "pattern": pattern })).unwrap();
            for seed in 0..50 {
                let text = sample(pattern, &mut Random::new(seed));
                assert!(validator.is_valid(&text.clone().into()), "{pattern} {text}");
            }
        }
    }

    #[test]
    fn nothing_is_too_hostile() {
        for pattern in
            ["(((((", "[", "[a-", "\\", "a{", "a{999999999}", "(?", "x{2", &"(a*)*".repeat(1000), &"(".repeat(10_000)]
        {
            sample(pattern, &mut Random::new(1));
        }
    }
}
