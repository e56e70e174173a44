//! Floats of 16 bits (IEEE 754 binary16), bit by bit, so that the payload of a NaN stays.

/// The double that a half is.
pub(super) fn to_f64(bits: u16) -> f64 {
    let sign = u64::from(bits >> 15) << 63;
    let exponent = u64::from(bits >> 10 & 0x1f);
    let mantissa = u64::from(bits & 0x3ff);
    let magnitude = match exponent {
        0 => (mantissa as f64 / f64::from(1 << 24)).to_bits(),
        0x1f => 0x7ff << 52 | mantissa << 42,
        _ => (exponent + 1023 - 15) << 52 | mantissa << 42,
    };
    f64::from_bits(sign | magnitude)
}

/// The half with exactly this value.
pub(super) fn from_f32(value: f32) -> Option<u16> {
    let bits = value.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let mantissa = bits & 0x7f_ffff;
    let exponent = (bits >> 23 & 0xff) as i32 - 127;
    let (mantissa, drop, base) = match exponent {
        // Infinity and NaN.
        128 => (mantissa, 13, 0x7c00),
        -14..=15 => (mantissa, 13, ((exponent + 15) as u16) << 10),
        // Subnormal halves: multiples of 2^-24.
        -24..=-15 => (mantissa | 1 << 23, -(exponent + 1), 0),
        _ => return (bits << 1 == 0).then_some(sign),
    };
    let kept = mantissa >> drop;
    (kept << drop == mantissa).then_some(sign | base | kept as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamic::binary::narrow;

    #[test]
    fn every_half_comes_back() {
        for bits in 0..=u16::MAX {
            let wide = to_f64(bits);
            assert_eq!(narrow(wide).and_then(from_f32), Some(bits), "{bits:#06x} is {wide:?}");
        }
    }

    #[test]
    fn what_is_no_half_is_refused() {
        let close = [65504.0 + 16.0, 65536.0, 1.0 + 1.0 / 2048.0, 0.1, f32::MIN_POSITIVE, 1e-45, 2f32.powi(-25)];
        for value in close.into_iter().chain([f32::from_bits(0x7f80_0001), 3.0 * 2f32.powi(-25)]) {
            assert_eq!(from_f32(value), None, "{value:?}");
            assert_eq!(from_f32(-value), None, "{value:?}");
        }
    }

    #[test]
    fn halves_have_their_values() {
        for (bits, value) in [(0x0001, 5.960_464_477_539_063e-8), (0x03ff, 0.00006097555160522461), (0x7bff, 65504.0)] {
            assert_eq!(to_f64(bits), value);
        }
        assert_eq!((to_f64(0xc400), to_f64(0xfc00), to_f64(0x8000).to_bits()), (-4.0, f64::NEG_INFINITY, 1 << 63));
    }
}
