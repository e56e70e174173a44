//! Finding a compressor by what people, browsers and file names call it.

use std::ops::RangeInclusive;

use crate::{COMPRESSORS, Choice, Compressor, Error, Result};

/// Reads `name`, `name:level` or `name:level:window`; the window is the binary logarithm of its bytes.
///
/// ```
/// use wirewise_compress::by_name;
///
/// let choice = by_name("zstd:19:27")?;
/// assert_eq!((choice.compressor.info().name, choice.level, choice.window), ("zstd", 19, Some(27)));
/// assert_eq!(by_name("zstd")?.level, 3);
/// assert_eq!(
///     by_name("rar").unwrap_err().to_string(),
///     "no compressor is called `rar`; choose one of gzip[:1..9], brotli[:0..11[:10..24]], zstd[:-7..22[:10..27]], lz4"
/// );
/// # Ok::<(), wirewise_compress::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::Unknown`] lists the choices; [`Error::Level`] and [`Error::Window`] say which there are.
pub fn by_name(spec: &str) -> Result<Choice> {
    let mut parts = spec.splitn(3, ':');
    let name = parts.next().unwrap_or_default();
    let compressor = find(|compressor| compressor.info().name == name)
        .ok_or_else(|| Error::Unknown { asked: name.to_owned(), choices: choices() })?;
    let info = compressor.info();
    let level = parts.next().map(|text| {
        let wrong = |_| Error::Level { compressor: info.name, asked: text.to_owned(), levels: info.levels.clone() };
        text.parse().map_err(wrong)
    });
    let window = parts.next().map(|text| {
        let wrong = |_| Error::Window { compressor: info.name, asked: text.to_owned(), windows: info.windows.clone() };
        text.parse().map_err(wrong)
    });
    Ok(Choice { compressor, level: info.level(level.transpose()?)?, window: info.window(window.transpose()?)? })
}

/// The compressor for a token of HTTP's `Content-Encoding` or `Accept-Encoding`, whatever its case.
///
/// ```
/// assert_eq!(wirewise_compress::by_content_encoding("br").unwrap().info().name, "brotli");
/// assert!(wirewise_compress::by_content_encoding("identity").is_none());
/// ```
pub fn by_content_encoding(token: &str) -> Option<&'static dyn Compressor> {
    // RFC 9110, 8.4.1.3: `x-gzip` means the same as `gzip`.
    let token = if token.eq_ignore_ascii_case("x-gzip") { "gzip" } else { token };
    find(|compressor| compressor.info().content_encoding.is_some_and(|known| known.eq_ignore_ascii_case(token)))
}

/// The compressor for a file name extension without its dot.
///
/// ```
/// assert_eq!(wirewise_compress::by_extension("zst").unwrap().info().name, "zstd");
/// ```
pub fn by_extension(extension: &str) -> Option<&'static dyn Compressor> {
    find(|compressor| compressor.info().extension == extension)
}

fn find(wanted: impl Fn(&dyn Compressor) -> bool) -> Option<&'static dyn Compressor> {
    COMPRESSORS.iter().copied().find(|compressor| wanted(*compressor))
}

fn choices() -> Vec<String> {
    let choice = |compressor: &&dyn Compressor| {
        let info = compressor.info();
        let (low, high) = (info.levels.start(), info.levels.end());
        let window = |windows: &RangeInclusive<u8>| format!("[:{}..{}]", windows.start(), windows.end());
        let window = info.windows.as_ref().map_or_else(String::new, window);
        if low == high { info.name.to_owned() } else { format!("{}[:{low}..{high}{window}]", info.name) }
    };
    COMPRESSORS.iter().map(choice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_and_without_a_level_and_a_window() {
        for (spec, name, level, window) in [
            ("gzip", "gzip", 6, None),
            ("gzip:9", "gzip", 9, None),
            ("zstd:-5", "zstd", -5, None),
            ("zstd:3:10", "zstd", 3, Some(10)),
            ("brotli:11:24", "brotli", 11, Some(24)),
            ("lz4:1", "lz4", 1, None),
        ] {
            let found = by_name(spec).unwrap();
            assert_eq!((found.compressor.info().name, found.level, found.window), (name, level, window));
        }
    }

    #[test]
    fn wrong_levels_and_windows_name_the_right_ones() {
        for (spec, message) in [
            ("gzip:10", "`10` is not a level of gzip; choose one from 1 (fast) to 9 (small)"),
            ("brotli:", "`` is not a level of brotli; choose one from 0 (fast) to 11 (small)"),
            ("zstd:max", "`max` is not a level of zstd; choose one from -7 (fast) to 22 (small)"),
            ("zstd::27", "`` is not a level of zstd; choose one from -7 (fast) to 22 (small)"),
            ("lz4:9", "`9` is not a level of lz4, which has only 1; leave the level out"),
            ("gzip:6:15", "`15` is no window of gzip, which has no choice of windows; leave the window out"),
            ("lz4:1:16", "`16` is no window of lz4, which has no choice of windows; leave the window out"),
            ("brotli:5:25", "`25` is not a window of brotli; choose the binary logarithm of its bytes, from 10 to 24"),
            ("zstd:3:9", "`9` is not a window of zstd; choose the binary logarithm of its bytes, from 10 to 27"),
            ("zstd:3:", "`` is not a window of zstd; choose the binary logarithm of its bytes, from 10 to 27"),
            ("zstd:3:8m:1", "`8m:1` is not a window of zstd; choose the binary logarithm of its bytes, from 10 to 27"),
        ] {
            assert_eq!(by_name(spec).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn names_are_exact() {
        for spec in ["", ":", "GZIP", "gz", "gzip :6", "identity"] {
            assert!(matches!(by_name(spec), Err(Error::Unknown { .. })), "{spec:?}");
        }
    }

    #[test]
    fn content_codings_have_aliases_and_no_case() {
        for token in ["gzip", "GZip", "x-gzip", "X-GZIP"] {
            assert_eq!(by_content_encoding(token).unwrap().info().name, "gzip");
        }
        assert!(by_content_encoding("lz4").is_none(), "not registered with IANA");
    }
}
