//! Finding a compressor by what people, browsers and file names call it.

use crate::{COMPRESSORS, Compressor, Error, Result};

/// Reads `name` or `name:level`, and gives the compressor and the level to use.
///
/// ```
/// use wirewise_compress::by_name;
///
/// let (compressor, level) = by_name("zstd:19")?;
/// assert_eq!((compressor.info().name, level), ("zstd", 19));
/// assert_eq!(by_name("zstd")?.1, 3);
/// assert_eq!(
///     by_name("rar").unwrap_err().to_string(),
///     "no compressor is called `rar`; choose one of gzip[:1..9], brotli[:0..11], zstd[:-7..22], lz4"
/// );
/// # Ok::<(), wirewise_compress::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::Unknown`] lists the choices; [`Error::Level`] says which levels there are.
pub fn by_name(spec: &str) -> Result<(&'static dyn Compressor, i32)> {
    let (name, level) = match spec.split_once(':') {
        Some((name, level)) => (name, Some(level)),
        None => (spec, None),
    };
    let compressor = find(|compressor| compressor.info().name == name)
        .ok_or_else(|| Error::Unknown { asked: name.to_owned(), choices: choices() })?;
    let info = compressor.info();
    let level = match level {
        None => None,
        Some(text) => Some(text.parse().map_err(|_| Error::Level {
            compressor: info.name,
            asked: text.to_owned(),
            levels: info.levels.clone(),
        })?),
    };
    Ok((compressor, info.level(level)?))
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
        if low == high { info.name.to_owned() } else { format!("{}[:{low}..{high}]", info.name) }
    };
    COMPRESSORS.iter().map(choice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_and_without_a_level() {
        for (spec, name, level) in
            [("gzip", "gzip", 6), ("gzip:9", "gzip", 9), ("zstd:-5", "zstd", -5), ("lz4:1", "lz4", 1)]
        {
            let (compressor, found) = by_name(spec).unwrap();
            assert_eq!((compressor.info().name, found), (name, level));
        }
    }

    #[test]
    fn wrong_levels_name_the_right_ones() {
        for (spec, message) in [
            ("gzip:10", "`10` is not a level of gzip; choose one from 1 (fast) to 9 (small)"),
            ("brotli:", "`` is not a level of brotli; choose one from 0 (fast) to 11 (small)"),
            ("zstd:max", "`max` is not a level of zstd; choose one from -7 (fast) to 22 (small)"),
            ("lz4:9", "`9` is not a level of lz4, which has only 1; leave the level out"),
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
