//! Whether bytes are values of a format: a walk over their structure, without a schema and without an arena.

use wirewise_core::ErrorKind;

use super::{Head, Input, Length, Wire};
use crate::{Guess, Variant};

/// How much is looked at: more says little more.
const MOST_BYTES: usize = 64 << 10;

/// As deep as a limit may be set.
const DEEPEST: usize = 512;

/// What these bytes may be; `named` and `positional` are the variants of the format.
pub(crate) fn guess<W: Wire>(input: &[u8], named: &'static Variant, positional: &'static Variant) -> Vec<Guess> {
    let survey = Survey::of::<W>(&input[..input.len().min(MOST_BYTES)]);
    let certainty = survey.certainty();
    if certainty == 0 {
        return Vec::new();
    }
    let guess = |variant: &'static Variant, certainty| Guess {
        variant,
        framing: variant.framing,
        certainty,
        why: survey.why(),
    };
    // Without a name in it, an array may well be a record.
    if survey.first == First::List && survey.names == 0 {
        return vec![guess(positional, certainty), guess(named, certainty.saturating_sub(1).max(1))];
    }
    vec![guess(named, certainty)]
}

/// What the first value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum First {
    Map,
    List,
    Text,
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// All was read.
    All,
    /// The input ends in the middle of a value.
    Cut,
    /// What follows is not of this format.
    Broken,
}

#[derive(Debug)]
struct Survey {
    len: usize,
    /// Up to where it was read.
    read: usize,
    stop: Stop,
    /// Complete values that are in no other.
    values: usize,
    first: First,
    /// Whether all values that are in no other are of the kind of the first.
    uniform: bool,
    /// Keys that are text as names are, and all keys.
    names: usize,
    keys: usize,
    /// Whether a tag that says that this is the format comes first.
    declared: bool,
}

/// A list or map, or a string in pieces, that is not read to its end.
struct Open {
    /// Values that it still has; `None` up to the mark of its end.
    left: Length,
    /// Whether the next one is a key, where it is a map.
    key: Option<bool>,
}

impl Survey {
    fn of<W: Wire>(bytes: &[u8]) -> Survey {
        let (stop, first, len) = (Stop::All, First::Other, bytes.len());
        let mut survey =
            Survey { len, read: 0, stop, values: 0, first, uniform: true, names: 0, keys: 0, declared: false };
        let mut input = Input { bytes, pos: 0 };
        let mut open = Vec::new();
        while survey.read < len || !open.is_empty() {
            match survey.step::<W>(&mut input, &mut open) {
                Ok(()) => survey.read = input.pos,
                Err(stop) => {
                    survey.stop = stop;
                    break;
                }
            }
        }
        survey
    }

    /// Reads the head of a value, with the text of a string.
    fn step<W: Wire>(&mut self, input: &mut Input<'_>, open: &mut Vec<Open>) -> Result<(), Stop> {
        let why = |error: wirewise_core::Error| match error.kind() {
            ErrorKind::End => Stop::Cut,
            _ => Stop::Broken,
        };
        let at = input.pos;
        let head = W::head(input).map_err(why)?;
        if let Head::Tag(tag) = head {
            self.declared |= at == 0 && tag == SELF_DESCRIBED;
            // The value that it is about follows.
            return if input.pos < self.len { Ok(()) } else { Err(Stop::Cut) };
        }
        if head == Head::Break {
            return match open.pop() {
                Some(Open { left: None, .. }) => {
                    self.close(open);
                    Ok(())
                }
                _ => Err(Stop::Broken),
            };
        }
        let mut key = false;
        match open.last_mut() {
            None => self.root(head),
            Some(outer) => {
                key = outer.key == Some(true);
                outer.key = outer.key.map(|key| !key);
                outer.left = outer.left.map(|left| left - 1);
            }
        }
        self.keys += usize::from(key);
        let inner = match head {
            Head::String(Some(len)) => {
                let text = std::str::from_utf8(input.take(len).map_err(why)?).map_err(|_| Stop::Broken)?;
                self.names += usize::from(key && is_name(text));
                None
            }
            Head::Bytes(Some(len)) | Head::Extension(_, len) => {
                input.take(len).map_err(why)?;
                None
            }
            Head::List(left) => Some(Open { left, key: None }),
            Head::Map(left) => Some(Open { left: left.map(|left| left.saturating_mul(2)), key: Some(true) }),
            // The pieces come as elements do.
            Head::String(None) | Head::Bytes(None) => Some(Open { left: None, key: None }),
            _ => None,
        };
        open.extend(inner);
        if open.len() > DEEPEST {
            return Err(Stop::Broken);
        }
        self.close(open);
        Ok(())
    }

    /// Ends what is complete.
    fn close(&mut self, open: &mut Vec<Open>) {
        while open.last().is_some_and(|open| open.left == Some(0)) {
            open.pop();
        }
        self.values += usize::from(open.is_empty());
    }

    fn root(&mut self, head: Head) {
        let kind = match head {
            Head::Map(_) => First::Map,
            Head::List(_) => First::List,
            Head::String(_) => First::Text,
            _ => First::Other,
        };
        if self.read == 0 || (self.declared && self.values == 0) {
            self.first = kind;
        }
        self.uniform &= self.first == kind;
    }

    /// From 0 to 100. Nearly all bytes are numbers in MessagePack, so that only structure says something.
    fn certainty(&self) -> u8 {
        if self.len == 0 {
            return 0;
        }
        let names = self.names.min(10) as u8;
        let certainty = match (self.stop, self.first) {
            (Stop::All, First::Map | First::List) if self.names > 0 && self.uniform => 65 + 3 * names,
            (Stop::All, First::Map) if self.keys > 0 && self.uniform => 55,
            (Stop::All, First::List) if self.uniform && self.len >= 4 => 52,
            (Stop::All, First::Text) if self.values == 1 && self.len > 4 => 51,
            (Stop::All, First::Map | First::List) if self.uniform => 20,
            (Stop::Cut, First::Map | First::List) if self.names > 1 && self.uniform => 60 + 3 * names,
            (Stop::Broken, First::Map | First::List) if self.names > 1 => 45 + 3 * names,
            (Stop::Broken, First::Map | First::List) if self.names == 1 => 20,
            (_, First::Map) if self.names == 1 => 30,
            (_, First::List) if self.names == 1 => 25,
            (Stop::All, _) => 5,
            (Stop::Cut, First::Map | First::List) => 10,
            _ => 0,
        };
        if self.declared && certainty > 0 { 99 } else { certainty }
    }

    fn why(&self) -> String {
        let kind = match self.first {
            First::Map => "maps",
            First::List => "arrays",
            First::Text => "strings",
            First::Other => "numbers and other scalars",
        };
        let names = match self.names {
            0 => String::new(),
            1 => " with a name".to_owned(),
            names => format!(" with {names} names"),
        };
        match self.stop {
            Stop::All if self.uniform => format!("all {} bytes are {} {kind}{names}", self.len, self.values),
            Stop::All => format!("all {} bytes are {} values{names}", self.len, self.values),
            Stop::Cut => format!("the first {} bytes are {kind}{names}", self.len),
            Stop::Broken => format!("it begins as {kind}{names}, up to byte {}", self.read),
        }
    }
}

/// The tag that says "this is CBOR".
const SELF_DESCRIBED: u64 = 55799;

fn is_name(text: &str) -> bool {
    text.len() > 1 && !text.chars().any(char::is_control)
}
