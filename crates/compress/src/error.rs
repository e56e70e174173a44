//! The one error of this crate: what was wrong, where, and what to do next.

use std::fmt;
use std::ops::RangeInclusive;

/// The result of everything here that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a compressor could not be found, or could not do its work.
///
/// Offsets are counted in bytes from the start of the compressed input.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// There is no compressor of that name.
    Unknown {
        /// What was asked for.
        asked: String,
        /// What could have been asked for, in the order of `COMPRESSORS`.
        choices: Vec<String>,
    },
    /// The compressor does not have that level.
    Level {
        /// The compressor's name.
        compressor: &'static str,
        /// The level as it was given.
        asked: String,
        /// The levels it has.
        levels: RangeInclusive<i32>,
    },
    /// The compressor does not have that window.
    Window {
        /// The compressor's name.
        compressor: &'static str,
        /// The window as it was given.
        asked: String,
        /// The windows it has, as binary logarithms of bytes; `None` when there is no choice.
        windows: Option<RangeInclusive<u8>>,
    },
    /// The output would be larger than the caller allows.
    OutputLimit {
        /// The compressor's name.
        compressor: &'static str,
        /// The limit that was reached, in bytes.
        max_output_bytes: usize,
    },
    /// The input ends before the compressed stream does.
    Truncated {
        /// The compressor's name.
        compressor: &'static str,
        /// The length of the input.
        offset: usize,
    },
    /// Bytes follow the compressed stream that do not belong to it.
    TrailingBytes {
        /// The compressor's name.
        compressor: &'static str,
        /// Where the stream ended.
        offset: usize,
        /// How many bytes follow.
        count: usize,
    },
    /// The input is not a stream of this compressor, or was damaged.
    Corrupt {
        /// The compressor's name.
        compressor: &'static str,
        /// How far the decoder had read; the damage is at or before this place.
        offset: usize,
        /// The library's own words.
        reason: String,
    },
    /// The data was compressed with a dictionary that is not the one that was given.
    Dictionary {
        /// The compressor's name.
        compressor: &'static str,
        /// Where the frame that says so begins.
        offset: usize,
        /// The number of the dictionary that is needed.
        wanted: u32,
        /// The number of the one that was given; `None` when there was none, or one without a number.
        given: Option<u32>,
    },
    /// No dictionary can be made of these samples.
    Train {
        /// The compressor's name.
        compressor: &'static str,
        /// How many samples there were.
        samples: usize,
        /// The library's own words.
        reason: String,
    },
    /// The library refused to compress.
    Encode {
        /// The compressor's name.
        compressor: &'static str,
        /// The library's own words.
        reason: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { asked, choices } => {
                write!(f, "no compressor is called `{asked}`; choose one of {}", choices.join(", "))
            }
            Self::Level { compressor, asked, levels } if levels.start() == levels.end() => write!(
                f,
                "`{asked}` is not a level of {compressor}, which has only {}; leave the level out",
                levels.start()
            ),
            Self::Level { compressor, asked, levels } => write!(
                f,
                "`{asked}` is not a level of {compressor}; choose one from {} (fast) to {} (small)",
                levels.start(),
                levels.end()
            ),
            Self::Window { compressor, asked, windows: None } => {
                write!(
                    f,
                    "`{asked}` is no window of {compressor}, which has no choice of windows; leave the window out"
                )
            }
            Self::Window { compressor, asked, windows: Some(windows) } => write!(
                f,
                "`{asked}` is not a window of {compressor}; choose the binary logarithm of its bytes, from {} to {}",
                windows.start(),
                windows.end()
            ),
            Self::OutputLimit { compressor, max_output_bytes } => write!(
                f,
                "the {compressor} data decompresses to more than the limit of {max_output_bytes} bytes; \
                 raise the limit if you trust where the data comes from"
            ),
            Self::Truncated { compressor, offset } => write!(
                f,
                "the {compressor} data ends at byte {offset}, in the middle of the stream; \
                 check that all of it was copied"
            ),
            Self::TrailingBytes { compressor, offset, count } => write!(
                f,
                "the {compressor} stream ends at byte {offset}, but {count} more bytes follow; \
                 cut them off, or check that this is one stream"
            ),
            Self::Corrupt { compressor, offset, reason } => write!(
                f,
                "not valid {compressor} data, at or before byte {offset}: {reason}; \
                 check that it was compressed with {compressor} and not changed since"
            ),
            Self::Dictionary { compressor, offset, wanted, given } => {
                write!(f, "the {compressor} frame at byte {offset} was compressed with dictionary {wanted}, and ")?;
                match given {
                    Some(given) => write!(f, "dictionary {given} was given; decompress it with the right one"),
                    None => write!(f, "that was not given; decompress it with that dictionary"),
                }
            }
            Self::Train { compressor, samples, reason } => write!(
                f,
                "no {compressor} dictionary can be made of {samples} {}: {reason}; \
                 give more samples, or ask for a smaller dictionary",
                if *samples == 1 { "sample" } else { "samples" }
            ),
            Self::Encode { compressor, reason } => {
                write!(f, "{compressor} could not compress: {reason}; please report this with the input")
            }
        }
    }
}

impl std::error::Error for Error {}
