//! CRC-64-AVRO: the fingerprint of a schema in single objects.

/// The polynomial, reversed; also the fingerprint of no bytes.
const EMPTY: u64 = 0xC15D_213A_A4D7_A795;

static TABLE: [u64; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let mut value = i as u64;
        let mut bit = 0;
        while bit < 8 {
            value = value >> 1 ^ (EMPTY & (value & 1).wrapping_neg());
            bit += 1;
        }
        table[i] = value;
        i += 1;
    }
    table
};

/// The 64-bit Rabin fingerprint of a schema's Parsing Canonical Form, as [`canonical_form`](super::canonical_form)
/// gives it.
pub fn fingerprint(canonical_form: &str) -> u64 {
    canonical_form.bytes().fold(EMPTY, |value, byte| value >> 8 ^ TABLE[(value as u8 ^ byte) as usize])
}
