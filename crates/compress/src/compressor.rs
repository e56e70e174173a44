//! The contract every compressor keeps.

use std::fmt;
use std::ops::RangeInclusive;

use crate::{Error, Result};

/// What there is to know about a compressor without running it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Info {
    /// The name used on the command line and in reports: `gzip`, `brotli`, `zstd`, `lz4`.
    pub name: &'static str,
    /// The token of HTTP's `Content-Encoding`, for those that are registered with IANA.
    pub content_encoding: Option<&'static str>,
    /// The usual file name extension, without a dot.
    pub extension: &'static str,
    /// One line for help texts: what it is, and when to choose it.
    pub about: &'static str,
    /// The levels it takes. Higher is slower and as a rule smaller; on digits, gzip's 9 can be larger than its 6.
    pub levels: RangeInclusive<i32>,
    /// The level used when none is given; it lies in `levels`.
    pub default_level: i32,
    /// The windows it takes, as binary logarithms of bytes: how far back it looks for what it has seen before, and how
    /// much memory whoever decompresses needs. `None` where the format has only one.
    pub windows: Option<RangeInclusive<u8>>,
}

impl Info {
    /// The level to use: the one asked for, or the default one.
    ///
    /// # Errors
    ///
    /// [`Error::Level`] when the level is outside [`Info::levels`].
    pub fn level(&self, asked: Option<i32>) -> Result<i32> {
        match asked {
            None => Ok(self.default_level),
            Some(level) if self.levels.contains(&level) => Ok(level),
            Some(level) => {
                Err(Error::Level { compressor: self.name, asked: level.to_string(), levels: self.levels.clone() })
            }
        }
    }

    /// The window that was asked for, if this compressor has it.
    ///
    /// # Errors
    ///
    /// [`Error::Window`] when it is outside [`Info::windows`].
    pub fn window(&self, asked: Option<u8>) -> Result<Option<u8>> {
        match (asked, &self.windows) {
            (Some(window), Some(windows)) if windows.contains(&window) => Ok(asked),
            (Some(window), windows) => {
                Err(Error::Window { compressor: self.name, asked: window.to_string(), windows: windows.clone() })
            }
            (None, _) => Ok(None),
        }
    }
}

/// A way to make bytes smaller and to get them back.
///
/// Both methods append to `out`, so that a caller can put a frame's head before the data, and can clear and reuse one
/// buffer for many messages. When they fail, `out` is as long as it was before.
///
/// ```
/// use wirewise_compress::COMPRESSORS;
///
/// let message = b"time,value\n".repeat(1000);
/// let (mut packed, mut unpacked) = (Vec::new(), Vec::new());
/// for compressor in COMPRESSORS {
///     packed.clear();
///     unpacked.clear();
///     compressor.compress(None, None, &message, &mut packed)?;
///     compressor.decompress(&packed, message.len(), &mut unpacked)?;
///     assert_eq!(unpacked, message, "{}", compressor.info().name);
/// }
/// # Ok::<(), wirewise_compress::Error>(())
/// ```
pub trait Compressor: Send + Sync {
    /// Name, levels and the other facts about this compressor.
    fn info(&self) -> &'static Info;

    /// Appends the compressed form of `input` to `out`, as one complete member or frame.
    ///
    /// `level` of `None` means [`Info::default_level`], `window` of `None` the one that goes with the level.
    ///
    /// # Errors
    ///
    /// [`Error::Level`] and [`Error::Window`] when one is outside [`Info::levels`] or [`Info::windows`];
    /// [`Error::Encode`] when the library refuses, which no known input causes.
    fn compress(&self, level: Option<i32>, window: Option<u8>, input: &[u8], out: &mut Vec<u8>) -> Result<()>;

    /// Appends what `input` decompresses to, at most `max_output_bytes` bytes of it, to `out`.
    ///
    /// All of `input` must be used up. Several gzip members, zstd frames or lz4 frames in a row are one stream, as
    /// their specifications say; skippable frames of zstd and lz4 are skipped.
    ///
    /// # Errors
    ///
    /// [`Error::OutputLimit`] when there would be more than `max_output_bytes` bytes, [`Error::Truncated`] when `input`
    /// ends too early, [`Error::TrailingBytes`] when something else follows the stream, [`Error::Corrupt`] for all
    /// other bytes that are not such a stream.
    fn decompress(&self, input: &[u8], max_output_bytes: usize, out: &mut Vec<u8>) -> Result<()>;
}

impl fmt::Debug for dyn Compressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Compressor").field(&self.info().name).finish()
    }
}

/// A compressor with its settings; [`by_name`](crate::by_name) reads one.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// The compressor.
    pub compressor: &'static dyn Compressor,
    /// Its level.
    pub level: i32,
    /// Its window, where another than the one of the level was asked for.
    pub window: Option<u8>,
}

impl Choice {
    /// A compressor at its default level.
    pub fn of(compressor: &'static dyn Compressor) -> Self {
        Choice { compressor, level: compressor.info().default_level, window: None }
    }

    /// [`Compressor::compress`] with these settings.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn compress(&self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        self.compressor.compress(Some(self.level), self.window, input, out)
    }

    /// [`Compressor::decompress`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn decompress(&self, input: &[u8], max_output_bytes: usize, out: &mut Vec<u8>) -> Result<()> {
        self.compressor.decompress(input, max_output_bytes, out)
    }
}
