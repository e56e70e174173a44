//! Numbers and values as JSON Schema compares them: by what they mean, not how they are written.

use std::cmp::Ordering;

use serde_json::{Number, Value as Json};
use wirewise_core::json::Node;

/// A number, exactly.
#[derive(Debug, Clone, Copy)]
pub(super) enum Num {
    Int(i128),
    /// With a fraction, or too large for an integer.
    Float(f64),
}

/// Floats up to this are integers that an `i128` holds.
const LARGE: f64 = 1e36;

impl Num {
    pub(super) fn of(number: &Number) -> Num {
        if let Some(int) = number.as_i64() {
            return Num::Int(int.into());
        }
        if let Some(int) = number.as_u64() {
            return Num::Int(int.into());
        }
        let float = number.as_f64().unwrap_or(f64::MAX);
        if float.fract() == 0.0 && float.abs() < LARGE { Num::Int(float as i128) } else { Num::Float(float) }
    }

    pub(super) fn at(node: &Node) -> Option<Num> {
        node.as_number().map(Num::of)
    }

    pub(super) fn cmp(self, other: Num) -> Ordering {
        match (self, other) {
            (Num::Int(a), Num::Int(b)) => a.cmp(&b),
            (Num::Float(a), Num::Float(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
            (Num::Float(_), Num::Int(_)) => other.cmp(self).reverse(),
            (Num::Int(a), Num::Float(b)) if b.abs() >= LARGE => (a as f64).partial_cmp(&b).unwrap_or(Ordering::Equal),
            // Nothing is between an integer and its floor but the fraction.
            (Num::Int(a), Num::Float(b)) => match a.cmp(&(b.floor() as i128)) {
                Ordering::Equal => Ordering::Less,
                other => other,
            },
        }
    }

    /// The smallest integer that is not smaller, or is larger.
    pub(super) fn integer_from(self, exclusive: bool) -> Num {
        match self {
            Num::Int(int) => Num::Int(int + i128::from(exclusive)),
            Num::Float(float) if float.abs() < LARGE => Num::Int(float.ceil() as i128),
            large => large,
        }
    }

    /// The largest integer that is not larger, or is smaller.
    pub(super) fn integer_to(self, exclusive: bool) -> Num {
        match self {
            Num::Int(int) => Num::Int(int - i128::from(exclusive)),
            Num::Float(float) if float.abs() < LARGE => Num::Int(float.floor() as i128),
            large => large,
        }
    }

    pub(super) fn to_json(self) -> Json {
        match self {
            Num::Int(int) => i64::try_from(int).map(Json::from).unwrap_or_else(|_| Json::from(int as f64)),
            Num::Float(float) => Json::from(float),
        }
    }

    pub(super) fn to_f64(self) -> f64 {
        match self {
            Num::Int(int) => int as f64,
            Num::Float(float) => float,
        }
    }

    /// Whether every multiple of this is a multiple of `other`.
    pub(super) fn is_multiple_of(self, other: Num) -> bool {
        let digits = |num: Num| match num {
            Num::Int(int) => Some((int, 0)),
            Num::Float(float) => {
                let text = format!("{float}");
                let (whole, fraction) = text.split_once('.')?;
                let int = format!("{whole}{fraction}").parse().ok()?;
                Some((int, u32::try_from(fraction.len()).ok()?))
            }
        };
        let (Some((a, a_scale)), Some((b, b_scale))) = (digits(self), digits(other)) else { return false };
        let scale = a_scale.max(b_scale);
        let scaled = |int: i128, from: u32| 10i128.checked_pow(scale - from).and_then(|factor| int.checked_mul(factor));
        match (scaled(a, a_scale), scaled(b, b_scale)) {
            (Some(a), Some(b)) => b != 0 && a % b == 0,
            _ => false,
        }
    }
}

/// A number of elements that a keyword says: `2`, or `2.0`.
pub(super) fn count(node: &Node) -> Option<u64> {
    match Num::at(node)? {
        Num::Int(int) => u64::try_from(int).ok(),
        Num::Float(_) => None,
    }
}

/// A text that two values share if and only if they are [the same](same_json).
pub(super) fn canonical(value: &Json) -> String {
    match value {
        Json::Number(number) => match Num::of(number) {
            Num::Int(int) => int.to_string(),
            Num::Float(float) => format!("{float:?}f"),
        },
        Json::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Json::Object(object) => {
            let mut members: Vec<String> = object
                .iter()
                .map(|(name, value)| format!("{}:{}", Json::from(name.as_str()), canonical(value)))
                .collect();
            members.sort_unstable();
            format!("{{{}}}", members.join(","))
        }
        value => value.to_string(),
    }
}

/// Whether two values are the same to JSON Schema, to which 1 is 1.0.
pub(super) fn same_json(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => Num::of(a).cmp(Num::of(b)) == Ordering::Equal,
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_json(a, b)),
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same_json(a, b)))
        }
        _ => a == b,
    }
}
