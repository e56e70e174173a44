//! Standard padded base64 (RFC 4648, section 4).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Appends the bytes that `text` stands for; `false`, with `out` as it was, unless `text` is exactly what
/// [`encode`] would write for them.
pub fn decode(text: &[u8], out: &mut Vec<u8>) -> bool {
    let start = out.len();
    // The engine is strict: padding is required, and the bits it leaves unused must be zero.
    let fine = STANDARD.decode_vec(text, out).is_ok();
    if !fine {
        out.truncate(start);
    }
    fine
}

/// Appends the text of `bytes`.
pub fn encode(bytes: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + bytes.len().div_ceil(3) * 4, 0);
    let written = STANDARD.encode_slice(bytes, &mut out[start..]).expect("the buffer has the exact size");
    out.truncate(start + written);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_only_what_it_writes() {
        let mut out = Vec::new();
        for bytes in [&b""[..], b"f", b"fo", b"foo", b"\xff\xfe\xfd\xfc"] {
            let mut text = Vec::new();
            encode(bytes, &mut text);
            out.clear();
            assert!(decode(&text, &mut out));
            assert_eq!(out, bytes);
        }
        for text in ["Zg", "Zh==", "Z===", "Zm 9", "Zm9v\n", "-_-_"] {
            out.clear();
            assert!(!decode(text.as_bytes(), &mut out), "{text}");
            assert!(out.is_empty());
        }
    }
}
