//! Formulas as data: arithmetic over names, in a notation that is also JavaScript, so that the library, the documentation
//! and a report's page all have the same text.
//!
//! Numbers, names, `+ - * /`, comparisons, `&& || !`, parentheses, and the functions `min`, `max`, `ceil` and `ln`.
//! Truth is 1 and falsehood 0.

use std::collections::BTreeMap;

/// Values by name.
pub type Values = BTreeMap<String, f64>;

/// A formula that was read.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// A number.
    Number(f64),
    /// The value of a name.
    Name(String),
    /// A function or operator, and what it is applied to.
    Apply(Op, Vec<Expr>),
}

/// Functions and operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Op {
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
    Not,
    Min,
    Max,
    Ceil,
    Ln,
}

/// Functions by name, with the number of their arguments.
const FUNCTIONS: [(&str, Op, usize); 4] =
    [("min", Op::Min, 2), ("max", Op::Max, 2), ("ceil", Op::Ceil, 1), ("ln", Op::Ln, 1)];

/// Operators between two values, those that bind weakest first.
const LEVELS: [&[(&str, Op)]; 6] = [
    &[("||", Op::Or)],
    &[("&&", Op::And)],
    &[("==", Op::Equal), ("!=", Op::NotEqual)],
    &[("<=", Op::LessEqual), (">=", Op::GreaterEqual), ("<", Op::Less), (">", Op::Greater)],
    &[("+", Op::Add), ("-", Op::Subtract)],
    &[("*", Op::Multiply), ("/", Op::Divide)],
];

/// How deep parentheses may nest.
const MOST_DEPTH: usize = 32;

impl Expr {
    /// Reads a formula.
    ///
    /// # Errors
    /// What is wrong, and at which byte.
    pub fn parse(text: &str) -> Result<Expr, String> {
        let mut parser = Parser { text, at: 0, depth: 0 };
        let expr = parser.level(0)?;
        parser.space();
        if parser.at < text.len() {
            return Err(format!("{:?} is not expected at byte {} of {text:?}", &text[parser.at..], parser.at));
        }
        Ok(expr)
    }

    /// Its value.
    ///
    /// # Errors
    /// The first name that has no value.
    pub fn value(&self, values: &Values) -> Result<f64, String> {
        match self {
            Expr::Number(number) => Ok(*number),
            Expr::Name(name) => values.get(name).copied().ok_or_else(|| format!("{name} has no value")),
            Expr::Apply(op, inner) => {
                let inner: Vec<f64> = inner.iter().map(|expr| expr.value(values)).collect::<Result<_, _>>()?;
                Ok(op.apply(&inner))
            }
        }
    }

    /// The names in it, in their order.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Expr::Number(_) => Vec::new(),
            Expr::Name(name) => vec![name],
            Expr::Apply(_, inner) => inner.iter().flat_map(Expr::names).collect(),
        }
    }
}

impl Op {
    fn apply(self, inner: &[f64]) -> f64 {
        let truth = |is: bool| f64::from(u8::from(is));
        match (self, inner) {
            (Op::Add, [a, b]) => a + b,
            (Op::Subtract, [a, b]) => a - b,
            (Op::Multiply, [a, b]) => a * b,
            (Op::Divide, [a, b]) => a / b,
            (Op::Negate, [a]) => -a,
            (Op::Less, [a, b]) => truth(a < b),
            (Op::LessEqual, [a, b]) => truth(a <= b),
            (Op::Greater, [a, b]) => truth(a > b),
            (Op::GreaterEqual, [a, b]) => truth(a >= b),
            (Op::Equal, [a, b]) => truth(a == b),
            (Op::NotEqual, [a, b]) => truth(a != b),
            (Op::And, [a, b]) => truth(*a != 0.0 && *b != 0.0),
            (Op::Or, [a, b]) => truth(*a != 0.0 || *b != 0.0),
            (Op::Not, [a]) => truth(*a == 0.0),
            (Op::Min, [a, b]) => a.min(*b),
            (Op::Max, [a, b]) => a.max(*b),
            (Op::Ceil, [a]) => a.ceil(),
            (Op::Ln, [a]) => a.ln(),
            _ => unreachable!("the parser gives every function as many arguments as it takes"),
        }
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn take(&mut self, token: &str) -> bool {
        self.space();
        let found = self.text[self.at..].starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn need(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) { Ok(()) } else { Err(format!("expected {token} at byte {} of {:?}", self.at, self.text)) }
    }

    /// Operators of this level and those that bind tighter; the left ones first.
    fn level(&mut self, level: usize) -> Result<Expr, String> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.level(level + 1)?;
        while let Some((_, op)) = operators.iter().find(|(token, _)| self.take(token)) {
            let right = self.level(level + 1)?;
            left = Expr::Apply(*op, vec![left, right]);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, String> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(format!("{:?} nests deeper than {MOST_DEPTH}", self.text));
        }
        let expr = if self.take("-") {
            Expr::Apply(Op::Negate, vec![self.unary()?])
        } else if self.take("!") {
            Expr::Apply(Op::Not, vec![self.unary()?])
        } else if self.take("(") {
            let inner = self.level(0)?;
            self.need(")")?;
            inner
        } else {
            self.word()?
        };
        self.depth -= 1;
        Ok(expr)
    }

    /// A number, a name or a call.
    fn word(&mut self) -> Result<Expr, String> {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.').unwrap_or(rest.len());
        let word = &rest[..end];
        let start = self.at;
        self.at += end;
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let number = word.parse().map_err(|_| format!("{word:?} is no number at byte {start} of {:?}", self.text));
            return number.map(Expr::Number);
        }
        if word.is_empty() {
            return Err(format!("expected a value at byte {start} of {:?}", self.text));
        }
        if !self.take("(") {
            return Ok(Expr::Name(word.to_owned()));
        }
        let Some((_, op, count)) = FUNCTIONS.iter().find(|(name, ..)| *name == word) else {
            return Err(format!("there is no function {word:?} at byte {start} of {:?}", self.text));
        };
        let mut arguments = Vec::new();
        for i in 0..*count {
            if i > 0 {
                self.need(",")?;
            }
            arguments.push(self.level(0)?);
        }
        self.need(")")?;
        Ok(Expr::Apply(*op, arguments))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value(text: &str) -> f64 {
        let values = Values::from([("a".to_owned(), 2.0), ("b".to_owned(), 0.5)]);
        Expr::parse(text).unwrap().value(&values).unwrap()
    }

    #[test]
    fn operators_bind_as_in_javascript() {
        for (text, expected) in [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3", 9.0),
            ("8 / 4 / a", 1.0),
            ("10 - 4 - 3", 3.0),
            ("-a * -b", 1.0),
            ("max(a, min(3, 4)) + ceil(b)", 4.0),
            ("ln(1)", 0.0),
            ("a > 1 && b < 1 || 0", 1.0),
            ("!(a == 2)", 0.0),
            ("a >= 2 && a != 3", 1.0),
            ("1e3 + 1", 1001.0),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn mistakes_are_placed() {
        for (text, expected) in [
            ("1 +", "expected a value at byte 3 of \"1 +\""),
            ("(1", "expected ) at byte 2 of \"(1\""),
            ("1 2", "\"2\" is not expected at byte 2 of \"1 2\""),
            ("sin(1)", "there is no function \"sin\" at byte 0 of \"sin(1)\""),
            ("1x", "\"1x\" is no number at byte 0 of \"1x\""),
        ] {
            assert_eq!(Expr::parse(text).unwrap_err(), expected);
        }
        assert_eq!(Expr::parse("a + c").unwrap().value(&Values::new()).unwrap_err(), "a has no value");
        assert!(Expr::parse(&"(".repeat(1000)).is_err());
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[a-z0-9+*/()<>=&|!., -]{0,40}") {
            if let Ok(expr) = Expr::parse(&text) {
                let _ = expr.value(&Values::new());
                let _ = expr.names();
            }
        }
    }
}
