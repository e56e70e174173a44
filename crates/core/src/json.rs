//! JSON text as a tree that knows where each of its values stands: what schema files that are JSON are read from.
//!
//! Stricter than JSON alone: an object must not have a member twice, and values nest at most [`MOST_NESTING`] deep.

use serde_json::{Number, Value as Json};

/// How deep values may nest.
pub const MOST_NESTING: usize = 256;

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Offset of its first byte.
    pub at: usize,
    /// What it is.
    pub value: Value,
}

/// What a [`Node`] is.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string, its escapes resolved.
    String(String),
    /// An array.
    Array(Vec<Node>),
    /// An object.
    Object(Box<Object>),
}

/// The members of an object.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Object {
    members: Vec<Member>,
    /// Positions of members, in the order of their names.
    sorted: Vec<u32>,
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Offset of its name's opening quote.
    pub at: usize,
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Node,
}

/// Why a text is no JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Offset of the byte that is wrong.
    pub at: usize,
    /// What was found there, and what was expected.
    pub what: String,
    /// Of a member that comes twice: where the first one is.
    pub first: Option<usize>,
}

impl Object {
    /// The members as they stand in the text.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The member with this name.
    pub fn member(&self, name: &str) -> Option<&Member> {
        let name_at = |&place: &u32| self.members[place as usize].name.as_str();
        let place = self.sorted.binary_search_by(|place| name_at(place).cmp(name)).ok()?;
        Some(&self.members[self.sorted[place] as usize])
    }

    /// The value of the member with this name.
    pub fn get(&self, name: &str) -> Option<&Node> {
        self.member(name).map(|member| &member.value)
    }
}

impl Node {
    /// Reads a text that is one value.
    ///
    /// # Errors
    /// At the first byte that is wrong.
    pub fn parse(text: &str) -> Result<Node, Problem> {
        let mut parser = Parser { text, pos: 0 };
        let node = parser.value(0)?;
        parser.space();
        match parser.peek() {
            None => Ok(node),
            Some(_) => Err(parser.expected("the end of the file")),
        }
    }

    /// The string that it is.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::String(text) = &self.value { Some(text) } else { None }
    }

    /// The boolean that it is.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(value) = self.value { Some(value) } else { None }
    }

    /// The number that it is.
    pub fn as_number(&self) -> Option<&Number> {
        if let Value::Number(number) = &self.value { Some(number) } else { None }
    }

    /// The integer that it is.
    pub fn as_u64(&self) -> Option<u64> {
        self.as_number().and_then(Number::as_u64)
    }

    /// The integer that it is.
    pub fn as_i64(&self) -> Option<i64> {
        self.as_number().and_then(Number::as_i64)
    }

    /// The elements of the array that it is.
    pub fn as_array(&self) -> Option<&[Node]> {
        if let Value::Array(items) = &self.value { Some(items) } else { None }
    }

    /// The object that it is.
    pub fn as_object(&self) -> Option<&Object> {
        if let Value::Object(object) = &self.value { Some(object) } else { None }
    }

    /// The value of this member, of an object.
    pub fn get(&self, name: &str) -> Option<&Node> {
        self.as_object().and_then(|object| object.get(name))
    }

    /// What it is, for messages: `a string`, `an object`.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
        }
    }

    /// The value without places.
    pub fn to_json(&self) -> Json {
        match &self.value {
            Value::Null => Json::Null,
            Value::Bool(value) => Json::Bool(*value),
            Value::Number(number) => Json::Number(number.clone()),
            Value::String(text) => Json::String(text.clone()),
            Value::Array(items) => items.iter().map(Node::to_json).collect(),
            Value::Object(object) => {
                object.members.iter().map(|member| (member.name.clone(), member.value.to_json())).collect()
            }
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    pos: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.pos += 1;
        }
    }

    fn problem(&self, what: String) -> Problem {
        Problem { at: self.pos, what, first: None }
    }

    fn expected(&self, what: &str) -> Problem {
        let found = match self.text[self.pos..].chars().next() {
            None => "the end of the file".to_owned(),
            Some(c) => format!("{c:?}"),
        };
        self.problem(format!("found {found}, expected {what}"))
    }

    fn value(&mut self, depth: usize) -> Result<Node, Problem> {
        self.space();
        let at = self.pos;
        if depth > MOST_NESTING {
            return Err(self.problem(format!("values nest deeper than {MOST_NESTING}")));
        }
        let value = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'a'..=b'z') => self.word()?,
            _ => return Err(self.expected("a JSON value")),
        };
        Ok(Node { at, value })
    }

    fn word(&mut self) -> Result<Value, Problem> {
        let rest = &self.text.as_bytes()[self.pos..];
        let len = rest.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let value = match &rest[..len] {
            b"null" => Value::Null,
            b"true" => Value::Bool(true),
            b"false" => Value::Bool(false),
            _ => return Err(self.expected("a JSON value")),
        };
        self.pos += len;
        Ok(value)
    }

    fn number(&mut self) -> Result<Value, Problem> {
        let rest = &self.text.as_bytes()[self.pos..];
        let part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        let len = rest.iter().position(|byte| !part(byte)).unwrap_or(rest.len());
        let number = serde_json::from_str(&self.text[self.pos..self.pos + len]);
        let number = number.map_err(|_| self.problem("this is no number that JSON has".to_owned()))?;
        self.pos += len;
        Ok(Value::Number(number))
    }

    fn string(&mut self) -> Result<String, Problem> {
        let bytes = self.text.as_bytes();
        let start = self.pos;
        let mut end = start + 1;
        let mut escapes = false;
        loop {
            match bytes.get(end) {
                None => {
                    self.pos = bytes.len();
                    return Err(self.expected("the string's closing quote"));
                }
                Some(b'"') => break,
                Some(b'\\') => {
                    escapes = true;
                    end += 1 + usize::from(end + 1 < bytes.len());
                }
                Some(0..0x20) => {
                    self.pos = end;
                    return Err(self.problem("a string must escape control characters (such as a line end)".to_owned()));
                }
                Some(_) => end += 1,
            }
        }
        self.pos = end + 1;
        if !escapes {
            return Ok(self.text[start + 1..end].to_owned());
        }
        serde_json::from_str(&self.text[start..=end]).map_err(|error| {
            let mut at = (start + error.column().saturating_sub(1)).min(end);
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            Problem { at, what: "a string has an escape that JSON does not have".to_owned(), first: None }
        })
    }

    fn array(&mut self, depth: usize) -> Result<Value, Problem> {
        self.pos += 1;
        let mut items = Vec::new();
        self.space();
        if self.peek() == Some(b']') {
            self.pos += 1;
            return Ok(Value::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.space();
            match self.peek() {
                Some(b',') => self.pos += 1,
                Some(b']') => break,
                _ => return Err(self.expected("',' or ']'")),
            }
        }
        self.pos += 1;
        items.shrink_to_fit();
        Ok(Value::Array(items))
    }

    fn object(&mut self, depth: usize) -> Result<Value, Problem> {
        self.pos += 1;
        let mut members = Vec::new();
        self.space();
        if self.peek() == Some(b'}') {
            self.pos += 1;
            return Ok(Value::Object(Box::default()));
        }
        loop {
            self.space();
            let at = self.pos;
            if self.peek() != Some(b'"') {
                return Err(self.expected("the name of a member, in double quotes"));
            }
            let name = self.string()?;
            self.space();
            if self.peek() != Some(b':') {
                return Err(self.expected("':'"));
            }
            self.pos += 1;
            let value = self.value(depth + 1)?;
            members.push(Member { at, name, value });
            self.space();
            match self.peek() {
                Some(b',') => self.pos += 1,
                Some(b'}') => break,
                _ => return Err(self.expected("',' or '}'")),
            }
        }
        self.pos += 1;
        members.shrink_to_fit();
        let mut sorted: Vec<u32> = (0..members.len() as u32).collect();
        // Stable, so that of two members with one name the first comes first.
        sorted.sort_by_key(|&place| &members[place as usize].name);
        let twice = sorted.windows(2).map(|pair| (&members[pair[0] as usize], &members[pair[1] as usize]));
        if let Some((first, second)) = twice.filter(|(a, b)| a.name == b.name).min_by_key(|(_, second)| second.at) {
            let what = format!("the object has two members {:?}", second.name.chars().take(100).collect::<String>());
            return Err(Problem { at: second.at, what, first: Some(first.at) });
        }
        Ok(Value::Object(Box::new(Object { members, sorted })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_where_they_are() {
        let text = "{\"b\": [1, -2.5e3, true],\n \"a\\u00e9\": {\"x\": null, \"y\": \"z\\n\"}}";
        let node = Node::parse(text).unwrap();
        assert_eq!(node.to_json(), serde_json::from_str::<Json>(text).unwrap());
        let object = node.as_object().unwrap();
        assert_eq!(object.members().iter().map(|member| member.at).collect::<Vec<_>>(), [1, 26]);
        let array = node.get("b").unwrap();
        assert_eq!((array.at, array.as_array().unwrap()[1].at), (6, 10));
        assert_eq!(node.get("aé").unwrap().get("y").unwrap().as_str(), Some("z\n"));
        assert!(node.get("c").is_none());
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        for (text, at, what) in [
            ("", 0, "found the end of the file, expected a JSON value"),
            ("{\"a\": }", 6, "found '}', expected a JSON value"),
            ("{\"a\" 1}", 5, "found '1', expected ':'"),
            ("{a: 1}", 1, "found 'a', expected the name of a member, in double quotes"),
            ("[1 2]", 3, "found '2', expected ',' or ']'"),
            ("[1,]", 3, "found ']', expected a JSON value"),
            ("[01]", 1, "this is no number that JSON has"),
            ("[1e999]", 1, "this is no number that JSON has"),
            ("nul", 0, "found 'n', expected a JSON value"),
            ("1 é", 2, "found 'é', expected the end of the file"),
            ("\"a\nb\"", 2, "a string must escape control characters (such as a line end)"),
            ("\"a\\", 3, "found the end of the file, expected the string's closing quote"),
            ("{\"a\": 1, \"a\": 2}", 9, "the object has two members \"a\""),
        ] {
            let problem = Node::parse(text).unwrap_err();
            assert_eq!((problem.at, problem.what.as_str()), (at, what), "{text}");
        }
        assert_eq!(Node::parse("{\"a\": 1, \"a\": 2}").unwrap_err().first, Some(1));
        assert!(Node::parse("\"ab\\q\"").unwrap_err().at >= 3);
        let deep = |depth| "[".repeat(depth) + &"]".repeat(depth);
        assert!(Node::parse(&deep(MOST_NESTING + 1)).is_ok());
        assert!(Node::parse(&deep(MOST_NESTING + 2)).is_err());
        assert!(Node::parse(&"[".repeat(10_000_000)).is_err());
    }
}
