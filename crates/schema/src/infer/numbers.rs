//! The numbers of a place, and the type that gives all of them back as they were.

use wirewise_core::{AnyValue, Float, Int, Kind, Logical};

/// Integers up to this are doubles that `Float(F64)` with [`Logical::Number`] writes as integers.
const EXACT: i128 = 1 << 53;

/// An integer literal within ±2^53.
const SMALL: u8 = 1;
/// Any other integer of 64 bits.
const LARGE: u8 = 2;
/// A float literal within ±2^53 without a fraction: `1.0`, `1e5`, `-0.0`.
const INTEGRAL: u8 = 4;
/// Any other double.
const FRACTION: u8 = 8;
/// The literal `-0`: the only integer literal that is no integer.
const MINUS_ZERO: u8 = 16;
/// A literal that neither an integer nor a double can hold.
const TEXT: u8 = 32;

/// What was seen. Everything here only grows, so that two places can be merged in any order.
#[derive(Debug, Clone, Default)]
pub(super) struct Numbers {
    seen: u8,
    min: i128,
    max: i128,
    /// Whether a double was seen whose text no `f32` gives back.
    wide: bool,
    /// The integer type of the schema at hand.
    known_int: Option<Int>,
    /// Whether floats were `f32` in the schema at hand.
    known_f32: bool,
}

/// The types that a place's numbers need.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum NumberPlan {
    /// There are none.
    None,
    Int(Int),
    Float(Float),
    /// A float that is written without a fraction where it has none.
    Mixed,
    Both(Int, Float),
    Text,
}

impl Numbers {
    /// Adds a number; other values are none of its business.
    pub(super) fn add(&mut self, value: &AnyValue<'_>) {
        match *value {
            AnyValue::Int(value) => self.integers(value.into(), value.into()),
            AnyValue::Uint(value) => self.integers(value.into(), value.into()),
            AnyValue::Float(value) => {
                self.seen |= if value.trunc() == value && value.abs() <= EXACT as f64 { INTEGRAL } else { FRACTION };
                if self.known_f32 && !self.wide {
                    // What is printed for the nearest `f32` must be this double again.
                    let narrow = value as f32;
                    self.wide = value.is_finite() && narrow.to_string().parse() != Ok(value);
                }
            }
            AnyValue::Number(b"-0") => self.seen |= MINUS_ZERO,
            AnyValue::Number(_) => self.seen |= TEXT,
            _ => {}
        }
    }

    fn integers(&mut self, min: i128, max: i128) {
        if self.seen & (SMALL | LARGE) == 0 {
            (self.min, self.max) = (min, max);
        } else {
            (self.min, self.max) = (self.min.min(min), self.max.max(max));
        }
        self.seen |= if min >= -EXACT && max <= EXACT { SMALL } else { LARGE };
    }

    /// Adds all values of a type: it may have held any of them.
    pub(super) fn know(&mut self, kind: &Kind, logical: Option<Logical>) {
        match (kind, logical) {
            (Kind::Int(int), _) => {
                let (min, max) = int.range();
                self.integers(min, max);
                self.known_int = Some(*int);
            }
            (Kind::Float(Float::F64), Some(_)) => self.seen |= SMALL | FRACTION | MINUS_ZERO,
            (Kind::Float(float), _) => {
                self.seen |= INTEGRAL | FRACTION;
                self.known_f32 = *float == Float::F32;
            }
            _ => self.seen |= TEXT,
        }
    }

    pub(super) fn merge(&mut self, other: &Numbers) {
        debug_assert!(self.known_int.is_none() && other.known_int.is_none() && !self.known_f32 && !other.known_f32);
        if other.seen & (SMALL | LARGE) != 0 {
            self.integers(other.min, other.max);
        }
        self.seen |= other.seen;
    }

    fn int(&self) -> Option<Int> {
        let holds = |int: &Int| int.holds(self.min) && int.holds(self.max);
        self.known_int.into_iter().chain([Int::I64, Int::U64]).find(holds)
    }

    fn float(&self) -> Float {
        if self.known_f32 && !self.wide { Float::F32 } else { Float::F64 }
    }

    pub(super) fn plan(&self) -> NumberPlan {
        let has = |what: u8| self.seen & what != 0;
        let only_doubles = !has(LARGE | INTEGRAL);
        match (has(SMALL | LARGE), has(INTEGRAL | FRACTION)) {
            _ if has(TEXT) => NumberPlan::Text,
            _ if has(MINUS_ZERO) => {
                if only_doubles {
                    NumberPlan::Mixed
                } else {
                    NumberPlan::Text
                }
            }
            (false, false) => NumberPlan::None,
            (true, false) => self.int().map_or(NumberPlan::Text, NumberPlan::Int),
            (false, true) => NumberPlan::Float(self.float()),
            (true, true) if only_doubles => NumberPlan::Mixed,
            (true, true) => self.int().map_or(NumberPlan::Text, |int| NumberPlan::Both(int, self.float())),
        }
    }
}
