//! Floats of one width in another, bit by bit.

/// The double with exactly this value, the payload of a NaN included.
#[inline]
pub(crate) fn widen(value: f32) -> f64 {
    if value.is_nan() {
        // Conversions may set bits of a NaN.
        let bits = u64::from(value.to_bits());
        return f64::from_bits(bits >> 31 << 63 | 0x7ff << 52 | (bits & 0x7f_ffff) << 29);
    }
    f64::from(value)
}

/// The float with exactly this value, the payload of a NaN included.
#[inline]
pub(crate) fn narrow(value: f64) -> Option<f32> {
    if value.is_nan() {
        // Conversions may set bits of a NaN.
        let bits = value.to_bits();
        let narrow = (bits >> 32 & 1 << 31) as u32 | 0xff << 23 | (bits >> 29) as u32 & 0x7f_ffff;
        let exact = bits & 0x1fff_ffff == 0 && narrow & 0x7f_ffff != 0;
        return exact.then(|| f32::from_bits(narrow));
    }
    let narrow = value as f32;
    (f64::from(narrow) == value).then_some(narrow)
}
