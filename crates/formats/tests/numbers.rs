//! Doubles and floats from decimal text and back, bit for bit as the standard library has them. `WIREWISE_NUMBERS=n` tries
//! n random ones of each kind.

use std::sync::Arc;

use wirewise_core::{Arena, Limits, LossKind, Losses, Schema};
use wirewise_formats::{Codec, plan};
use wirewise_testkit::random::Rng;

fn codec(variant: &str, ty: &str) -> Box<dyn Codec> {
    plan(variant, &Arc::new(Schema::parse(&format!(r#"{{"wirewise": "schema/1", "root": "{ty}"}}"#)).unwrap())).unwrap()
}

struct Numbers {
    double: Box<dyn Codec>,
    float: Box<dyn Codec>,
    arena: Arena,
}

impl Numbers {
    fn new() -> Self {
        let (double, float) = (codec("json", "float64"), codec("json", "float32"));
        Numbers { double, float, arena: Arena::new(Limits::default()) }
    }

    /// What a text is read as is what the standard library reads; more digits than the type has are a loss.
    fn check_text(&mut self, text: &str) {
        let mut losses = Losses::allowing(LossKind::ALL);
        let expected: f64 = text.parse().unwrap();
        match self.double.decode(text.as_bytes(), &mut self.arena, &mut losses) {
            Ok(document) => assert_eq!(document.root().as_f64().to_bits(), expected.to_bits(), "{text}"),
            Err(error) => assert!(expected.is_infinite(), "{text}: {error}"),
        }
        let expected: f32 = text.parse().unwrap();
        match self.float.decode(text.as_bytes(), &mut self.arena, &mut losses) {
            Ok(document) => assert_eq!(document.root().as_f32().to_bits(), expected.to_bits(), "{text}"),
            Err(error) => assert!(expected.is_infinite(), "{text}: {error}"),
        }
    }

    /// What is written of a number is read as that number, by us and by the standard library.
    fn check_bits(&mut self, bits: u64) {
        let value = f64::from_bits(bits);
        if value.is_finite() {
            let text = value.to_string();
            self.check_text(&text);
            self.check_text(&format!("{value:e}"));
            let document = self.double.decode(text.as_bytes(), &mut self.arena, &mut Losses::allowing(LossKind::ALL));
            let mut out = Vec::new();
            self.double.encode(&document.unwrap(), &mut out, &mut Losses::none()).unwrap();
            let written = String::from_utf8(out).unwrap();
            assert_eq!(written.parse::<f64>().unwrap().to_bits(), bits, "{written}");
            self.check_text(&written);
        }
        let value = f32::from_bits(bits as u32);
        if value.is_finite() {
            let text = format!("{value:e}");
            let document = self.float.decode(text.as_bytes(), &mut self.arena, &mut Losses::none());
            let mut out = Vec::new();
            self.float.encode(&document.unwrap(), &mut out, &mut Losses::none()).unwrap();
            let written = String::from_utf8(out).unwrap();
            assert_eq!(written.parse::<f32>().unwrap().to_bits(), bits as u32, "{written}");
            self.check_text(&written);
        }
    }
}

#[test]
fn hard_numbers() {
    let mut numbers = Numbers::new();
    for text in [
        // Halfway between two doubles, and just beside it.
        "9007199254740993",
        "9007199254740993.0",
        "9007199254740992.9999999999999999999999999",
        "9007199254740993.00000000000000000000000001",
        "9007199254740991e0",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
        "8.5",
        "16777217",
        "16777217.0000000000001",
        "33554431",
        // The smallest, the largest, and the border between normal and not.
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.2250738585072014e-308",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1e-400",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.797693134862315807e308",
        "1.7976931348623159e308",
        "1e308",
        "1e309",
        "3.4028234e38",
        "3.4028235e38",
        "3.4028235677973366e38",
        "3.4028236e38",
        "1.4e-45",
        "7.006492321624085e-46",
        "7.006492321624086e-46",
        // Where the usual methods need more bits.
        "6.631236846766476e-316",
        "3.518437208883201171875e13",
        "62.5364939768271845828",
        "8.10109172351e-10",
        "1.50000000000000011102230246251565",
        "1448997445238699",
        "7.0420557077594588669468784357561207962098443483187940792729600000e+59",
        "358416272e-33",
        "104308485241983990666713401708072175773165034278685682864762075e-129",
        "123456789012345678901234567890",
        "0.000000000000000000000000000000000000000000000000000000001",
        "-0",
        "-0.0",
        "0e999",
        "0.1",
        "1e23",
        "1e22",
        "99999999999999999999999",
        "5e-324",
    ] {
        numbers.check_text(text);
        numbers.check_text(&format!("-{}", text.trim_start_matches('-')));
    }
    for exponent in 0..2046 {
        for mantissa in [0, 1, 0xf_ffff_ffff_ffff, 0x8_0000_0000_0000] {
            numbers.check_bits(exponent << 52 | mantissa);
        }
    }
}

#[test]
fn random_numbers() {
    let count = std::env::var("WIREWISE_NUMBERS").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let mut numbers = Numbers::new();
    let mut rng = Rng::new(1);
    for _ in 0..count {
        numbers.check_bits(rng.bits());
        // Of the size that people write.
        numbers.check_bits((rng.below(1 << 40) as f64 / 1000.0 - 1e6).to_bits());
        // Digits anyhow: up to 40 of them, with a point and an exponent anywhere.
        let mut text: String = (0..1 + rng.below(40)).map(|_| char::from(b'0' + rng.below(10) as u8)).collect();
        let zeros = text.len() - text.trim_start_matches('0').len();
        text.drain(..zeros.min(text.len() - 1));
        if rng.one_in(2) && text.len() > 1 {
            text.insert(1 + rng.below(text.len() - 1), '.');
        }
        if rng.one_in(2) {
            text.push_str(&format!("e{}", rng.below(700) as i32 - 350));
        }
        numbers.check_text(&text);
        // Halfway between two doubles: as exact as it is written, and one digit beside it.
        let low = f64::from_bits(rng.bits() >> 2 | 0x3ff << 52 & 0x3fff << 50);
        if low.is_finite() && low < 1e15 && low > 1.0 {
            let half = format!("{:.60}", low);
            numbers.check_text(&half);
        }
    }
}
