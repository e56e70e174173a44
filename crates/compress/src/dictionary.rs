//! Dictionaries of zstd: what both sides know before the first message.

use ::zstd::dict::{DecoderDictionary, EncoderDictionary, from_continuous};
use ::zstd::stream::raw;
use ::zstd::zstd_safe::{CCtx, CParameter, get_dict_id_from_dict};

use crate::compressors::zstd::{INFO, MAX_WINDOW_LOG, decompress, refused, set_up, write};
use crate::{Error, Result};

/// Bytes that both sides have, and that messages are compressed against.
///
/// ```
/// use wirewise_compress::Dictionary;
///
/// let message = |n: u32| format!("{{\"station\":\"S{n:04}\",\"status\":\"open\",\"bicycles\":{}}}", n % 7).into_bytes();
/// let dictionary = Dictionary::train((0..500).map(message), 2048)?;
/// let zstd = dictionary.at(3)?;
///
/// let (mut packed, mut unpacked) = (Vec::new(), Vec::new());
/// zstd.compress(&message(777), &mut packed)?;
/// assert!(packed.len() < message(777).len() * 2 / 3);
/// zstd.decompress(&packed, 100, &mut unpacked)?;
/// assert_eq!(unpacked, message(777));
/// # Ok::<(), wirewise_compress::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dictionary {
    bytes: Vec<u8>,
    id: Option<u32>,
}

/// From how many bytes on an earlier payload is searched for long matches too: the tables of a level hold no more of it than
/// that. Where they hold all of it, they find more.
fn reach(level: i32) -> usize {
    match level {
        ..5 => 64 << 10,
        5..9 => 256 << 10,
        9..13 => 1 << 20,
        _ => 2 << 20,
    }
}

impl Dictionary {
    /// The smallest size of a trained dictionary.
    pub const LEAST_BYTES: usize = 256;

    /// Trains a dictionary of at most `most_bytes` bytes, of which there are always [`Dictionary::LEAST_BYTES`].
    ///
    /// What it writes is what `zstd --train` writes, and `zstd -D` accepts it. The same samples give the same bytes. Frames
    /// name the dictionary by its number, so that a wrong one is noticed.
    ///
    /// # Errors
    ///
    /// [`Error::Train`] when the samples are too few, too small or too different from each other.
    pub fn train(samples: impl IntoIterator<Item = impl AsRef<[u8]>>, most_bytes: usize) -> Result<Self> {
        let (mut all, mut sizes) = (Vec::new(), Vec::new());
        for sample in samples {
            all.extend_from_slice(sample.as_ref());
            sizes.push(sample.as_ref().len());
        }
        let wrong = |reason: String| Error::Train { compressor: INFO.name, samples: sizes.len(), reason };
        let bytes = from_continuous(&all, &sizes, most_bytes.max(Self::LEAST_BYTES));
        let bytes = bytes.map_err(|error| wrong(error.to_string()))?;
        let id = get_dict_id_from_dict(&bytes).ok_or_else(|| wrong("it has no number".to_owned()))?;
        Ok(Dictionary { bytes, id: Some(id.into()) })
    }

    /// Takes any bytes for a dictionary: an earlier payload, against which the next one is a small difference
    /// (`zstd --patch-from`; the `dcz` coding of RFC 9842).
    ///
    /// Such a dictionary has no number. Frames carry a checksum instead, so that a wrong one is noticed.
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Dictionary { bytes: bytes.into(), id: None }
    }

    /// The number of a trained dictionary.
    pub fn id(&self) -> Option<u32> {
        self.id
    }

    /// The dictionary itself: what is shipped to whoever decompresses.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Makes it ready for use at a level of zstd.
    ///
    /// # Errors
    ///
    /// [`Error::Level`] when zstd does not have that level.
    pub fn at(&self, level: i32) -> Result<WithDictionary<'_>> {
        let level = INFO.level(Some(level))?;
        let tables = match self.id {
            None => None,
            Some(_) => Some(Tables {
                encoder: EncoderDictionary::try_copy(&self.bytes, level).map_err(unusable)?,
                decoder: DecoderDictionary::try_copy(&self.bytes).map_err(unusable)?,
            }),
        };
        Ok(WithDictionary { dictionary: self, level, tables })
    }
}

fn unusable(error: std::io::Error) -> Error {
    Error::Encode { compressor: INFO.name, reason: error.to_string() }
}

/// zstd with a [`Dictionary`]; both methods are as those of [`Compressor`](crate::Compressor).
pub struct WithDictionary<'d> {
    dictionary: &'d Dictionary,
    level: i32,
    /// Of a trained one: made once for all messages.
    tables: Option<Tables>,
}

struct Tables {
    encoder: EncoderDictionary<'static>,
    decoder: DecoderDictionary<'static>,
}

impl WithDictionary<'_> {
    /// Appends the compressed form of `input` to `out`, as one frame.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`] when the library refuses, which no known input causes.
    pub fn compress(&self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let mut context = CCtx::create();
        let set = match &self.tables {
            Some(tables) => context.ref_cdict(tables.encoder.as_cdict()),
            None => {
                // The dictionary is within reach for as long as the window covers all that was written since.
                let len = input.len().max(self.dictionary.bytes.len());
                let window = len.next_power_of_two().ilog2().clamp(10, MAX_WINDOW_LOG) as u8;
                let is_far = len > reach(self.level);
                set_up(&mut context, self.level, Some(window))
                    .and_then(|_| context.set_parameter(CParameter::EnableLongDistanceMatching(is_far)))
                    .and_then(|_| context.set_parameter(CParameter::ChecksumFlag(true)))
                    .and_then(|_| context.ref_prefix(&self.dictionary.bytes))
            }
        };
        set.map_err(refused)?;
        write(&mut context, input, out)
    }

    /// Appends what `input` decompresses to, at most `max_output_bytes` bytes of it, to `out`.
    ///
    /// # Errors
    ///
    /// Those of [`Compressor::decompress`](crate::Compressor::decompress); [`Error::Dictionary`] when `input` names
    /// another dictionary. With one that has no number, [`Error::Corrupt`] is all that can be said.
    pub fn decompress(&self, input: &[u8], max_output_bytes: usize, out: &mut Vec<u8>) -> Result<()> {
        let decoder = match &self.tables {
            Some(tables) => raw::Decoder::with_prepared_dictionary(&tables.decoder),
            None => raw::Decoder::with_ref_prefix(&self.dictionary.bytes),
        };
        decompress(decoder, self.dictionary.id, input, max_output_bytes, out)
    }
}
