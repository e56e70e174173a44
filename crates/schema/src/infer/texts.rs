//! The texts of a place, and what they mean.

use wirewise_core::{Int, Kind, Logical, TypeId, Unit, text};

use super::LogicalStyle;

/// Shortest text that may be taken for base64: words, identifiers and numbers are mostly shorter.
const BASE64_LENGTH: usize = 16;

/// What was seen.
#[derive(Debug, Clone, Default)]
pub(super) struct Texts {
    /// Whether there was a text.
    pub(super) text: bool,
    /// Whether there were bytes that are no text (never in JSON).
    pub(super) bytes: bool,
    /// Whether a text was written with escapes: types that are parsed from the text do not take these.
    escaped: bool,
    /// What all texts so far are.
    meaning: Meaning,
    base64: Base64,
    /// The type in the schema at hand.
    known: Option<Box<Known>>,
    /// Whether a text came that the known type does not hold.
    broken: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
enum Meaning {
    /// There was no text yet.
    #[default]
    Unknown,
    One(Logical),
    None,
}

/// A type with which a place began.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Known {
    /// String, bytes or fixed, or an integer that stands for a text.
    Type(Kind, Option<Logical>),
    /// The enum with this id in the schema at hand.
    Enum(TypeId),
}

/// The type that a place's texts need.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TextPlan {
    /// There are none.
    None,
    Type(Kind, Option<Logical>),
    Enum(TypeId),
    /// Texts and bytes, which JSON cannot tell apart.
    Any,
}

/// Evidence that texts are base64, over all of them.
#[derive(Debug, Clone, Copy, Default)]
struct Base64 {
    upper: bool,
    lower: bool,
    digit: bool,
    /// Neighbours of different classes (upper case, lower case, digit, other): rare in words, paths and hexadecimal
    /// digits, two of three in random base64.
    switches: u64,
    length: u64,
}

impl Base64 {
    fn add(&mut self, bytes: &[u8]) {
        let class = |byte: u8| match byte {
            b'A'..=b'Z' => 0,
            b'a'..=b'z' => 1,
            b'0'..=b'9' => 2,
            _ => 3,
        };
        for &byte in bytes {
            match class(byte) {
                0 => self.upper = true,
                1 => self.lower = true,
                2 => self.digit = true,
                _ => {}
            }
        }
        self.switches += bytes.windows(2).filter(|pair| class(pair[0]) != class(pair[1])).count() as u64;
        self.length += bytes.len() as u64;
    }

    fn merge(&mut self, other: Base64) {
        self.upper |= other.upper;
        self.lower |= other.lower;
        self.digit |= other.digit;
        self.switches += other.switches;
        self.length += other.length;
    }

    fn is_convincing(&self) -> bool {
        self.upper && self.lower && self.digit && self.switches * 5 >= self.length * 2
    }
}

impl Texts {
    pub(super) fn know(&mut self, known: Known) {
        self.known = Some(Box::new(known));
    }

    /// The enum of the schema at hand, as long as all texts fit it.
    pub(super) fn known_enum(&self) -> Option<TypeId> {
        match self.known.as_deref() {
            Some(Known::Enum(id)) if !self.broken => Some(*id),
            _ => None,
        }
    }

    /// A text came that the known type does not hold.
    pub(super) fn break_known(&mut self) {
        self.broken = true;
    }

    /// Adds a text; `escaped` says whether it was written with escapes.
    pub(super) fn add(&mut self, bytes: &[u8], escaped: bool) {
        self.text = true;
        self.escaped |= escaped;
        match self.known.as_deref() {
            Some(_) if self.broken => {}
            Some(Known::Type(Kind::String, None) | Known::Enum(_)) => {}
            Some(Known::Type(kind, logical)) => {
                self.broken = !fits(kind, *logical, bytes) || (escaped && *kind != Kind::String);
            }
            None => self.narrow(bytes),
        }
    }

    /// Adds bytes that are no text.
    pub(super) fn add_bytes(&mut self, bytes: &[u8]) {
        self.bytes |= match self.known.as_deref() {
            Some(Known::Type(Kind::Bytes, _)) => false,
            Some(Known::Type(Kind::Fixed(size), _)) => *size as usize != bytes.len(),
            _ => true,
        };
    }

    fn narrow(&mut self, bytes: &[u8]) {
        self.meaning = match self.meaning {
            Meaning::None => return,
            Meaning::Unknown => meaning(bytes).map_or(Meaning::None, Meaning::One),
            Meaning::One(logical) if fits(&Kind::String, Some(logical), bytes) => self.meaning,
            Meaning::One(_) => Meaning::None,
        };
        if self.meaning == Meaning::One(Logical::Base64) {
            self.base64.add(bytes);
        }
    }

    pub(super) fn merge(&mut self, other: &Texts) {
        debug_assert!(self.known.is_none() && other.known.is_none());
        self.meaning = match (self.meaning, other.meaning) {
            (Meaning::Unknown, one) | (one, Meaning::Unknown) => one,
            (a, b) if a == b => a,
            _ => Meaning::None,
        };
        self.base64.merge(other.base64);
        self.text |= other.text;
        self.bytes |= other.bytes;
        self.escaped |= other.escaped;
    }

    pub(super) fn plan(&self, style: LogicalStyle) -> TextPlan {
        let plain = TextPlan::Type(Kind::String, None);
        match self.known.as_deref() {
            _ if self.bytes && (self.text || self.known.is_some()) => TextPlan::Any,
            Some(_) if self.broken => plain,
            Some(Known::Type(kind, logical)) => TextPlan::Type(kind.clone(), *logical),
            Some(Known::Enum(id)) => TextPlan::Enum(*id),
            None if self.bytes => TextPlan::Type(Kind::Bytes, None),
            None if !self.text => TextPlan::None,
            None => match self.meaning {
                Meaning::One(Logical::Base64) if !self.base64.is_convincing() => plain,
                Meaning::One(logical) if style == LogicalStyle::Stored && !self.escaped => stored(logical),
                Meaning::One(logical) => TextPlan::Type(Kind::String, Some(logical)),
                _ => plain,
            },
        }
    }
}

fn stored(logical: Logical) -> TextPlan {
    match logical {
        Logical::Uuid => TextPlan::Type(Kind::Fixed(16), Some(logical)),
        Logical::Timestamp(_) => TextPlan::Type(Kind::Int(Int::I64), Some(logical)),
        Logical::Date => TextPlan::Type(Kind::Int(Int::I32), Some(logical)),
        Logical::Base64 => TextPlan::Type(Kind::Bytes, None),
        Logical::Number => TextPlan::Type(Kind::String, None),
    }
}

/// What a text by itself seems to be.
fn meaning(bytes: &[u8]) -> Option<Logical> {
    match bytes.len() {
        36 if text::uuid::parse(bytes).is_some() => Some(Logical::Uuid),
        10 if text::time::parse_date(bytes).is_some() => Some(Logical::Date),
        20 | 24 | 27 | 30 if text::time::timestamp_unit(bytes).is_some() => {
            text::time::timestamp_unit(bytes).map(Logical::Timestamp)
        }
        len if len >= BASE64_LENGTH && is_base64(bytes) => Some(Logical::Base64),
        _ => None,
    }
}

fn is_base64(bytes: &[u8]) -> bool {
    bytes.len().is_multiple_of(4) && text::base64::decode(bytes, &mut Vec::new())
}

/// Whether a type holds a text, and gives it back as it is.
fn fits(kind: &Kind, logical: Option<Logical>, bytes: &[u8]) -> bool {
    match (kind, logical) {
        (Kind::String, Some(Logical::Base64)) => bytes.len() >= BASE64_LENGTH && is_base64(bytes),
        (_, Some(Logical::Uuid)) => text::uuid::parse(bytes).is_some(),
        (_, Some(Logical::Date)) => text::time::parse_date(bytes).is_some(),
        (_, Some(Logical::Timestamp(unit))) => is_timestamp(bytes, unit),
        (Kind::Bytes, _) => text::base64::decode(bytes, &mut Vec::new()),
        (Kind::Fixed(size), _) => {
            let mut out = Vec::new();
            text::base64::decode(bytes, &mut out) && out.len() == *size as usize
        }
        _ => true,
    }
}

fn is_timestamp(bytes: &[u8], unit: Unit) -> bool {
    text::time::timestamp_unit(bytes) == Some(unit)
}
