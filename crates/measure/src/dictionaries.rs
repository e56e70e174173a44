//! What dictionaries of zstd save: trained ones, and earlier payloads.

use std::hint::black_box;
use std::time::Duration;

use wirewise_compress::compressors::Zstd;
use wirewise_compress::{Compressor, Dictionary, Result};

use crate::report::{Dictionary as Measured, DictionaryKind};
use crate::timing;

/// A dictionary, and what it does for payloads that it was not trained on.
pub struct Trained {
    /// The dictionary.
    pub dictionary: Dictionary,
    /// What it saves.
    pub measured: Measured,
}

/// Fewer messages than this say nothing of what others will have in common with them.
const LEAST_MESSAGES: usize = 20;
/// A level for messages as they are sent.
const LEVEL: i32 = 3;
/// A level for the difference between two versions of a whole.
const WHOLE_LEVEL: i32 = 9;
/// Messages that are compressed against the one before: each of them takes a context of its own.
const MOST_SUCCESSIVE: usize = 250;
/// The most that a trained dictionary takes here: the default of `zstd --train`.
const MOST_DICTIONARY_BYTES: usize = 112_640;

/// What dictionaries save for these payloads; `previous` is an earlier version of the only one.
pub(crate) fn measure(payloads: &[Vec<u8>], previous: Option<&[u8]>, budget: Duration) -> Vec<Measured> {
    let mut all = Vec::new();
    if payloads.len() >= LEAST_MESSAGES {
        all.extend(train(payloads, sensible_size(payloads), LEVEL, budget).ok().map(|trained| trained.measured));
    }
    // Nothing of what a library does here is known to fail; then there is no such row.
    if let ([payload], Some(previous)) = (payloads, previous) {
        all.extend(successive(&[previous, payload], WHOLE_LEVEL, budget).ok());
    }
    if payloads.len() > 1 {
        let payloads: Vec<_> = payloads.iter().take(MOST_SUCCESSIVE + 1).map(Vec::as_slice).collect();
        all.extend(successive(&payloads, LEVEL, budget).ok());
    }
    all
}

/// Trains a dictionary of at most `most_bytes` bytes on the first, third, fifth... of the payloads, and measures what it
/// saves on the others. Times are taken for `budget`; none when that is zero.
///
/// # Errors
/// [`wirewise_compress::Error::Train`] when the payloads make no dictionary; [`wirewise_compress::Error::Level`] when zstd
/// has no such level.
pub fn train(payloads: &[Vec<u8>], most_bytes: usize, level: i32, budget: Duration) -> Result<Trained> {
    let samples: Vec<&[u8]> = payloads.iter().step_by(2).map(Vec::as_slice).collect();
    let others: Vec<&[u8]> = payloads.iter().skip(1).step_by(2).map(Vec::as_slice).collect();
    let dictionary = Dictionary::train(&samples, most_bytes)?;
    let measured = {
        let zstd = dictionary.at(level)?;
        let work = Work {
            payloads: &others,
            compress: &|_, payload, out| zstd.compress(payload, out),
            decompress: &|_, packed, most, out| zstd.decompress(packed, most, out),
        };
        work.measure(DictionaryKind::Trained, level, &[dictionary.bytes()], samples.len(), budget)?
    };
    Ok(Trained { dictionary, measured })
}

/// Measures what it saves to compress every payload against the one before it, which the receiver has already.
fn successive(payloads: &[&[u8]], level: i32, budget: Duration) -> Result<Measured> {
    let before: Vec<Dictionary> = payloads.iter().map(|payload| Dictionary::raw(*payload)).collect();
    let zstd = before.iter().map(|dictionary| dictionary.at(level)).collect::<Result<Vec<_>>>()?;
    let work = Work {
        payloads: &payloads[1..],
        compress: &|i, payload, out| zstd[i].compress(payload, out),
        decompress: &|i, packed, most, out| zstd[i].decompress(packed, most, out),
    };
    work.measure(DictionaryKind::Previous, level, &payloads[..payloads.len() - 1], 0, budget)
}

/// Appends the packed form of the payload with this index.
type Pack<'a> = &'a dyn Fn(usize, &[u8], &mut Vec<u8>) -> Result<()>;
/// Appends what the packed form of the payload with this index, of at most so many bytes, was.
type Unpack<'a> = &'a dyn Fn(usize, &[u8], usize, &mut Vec<u8>) -> Result<()>;

/// Payloads, and how they are compressed with what is known of them.
struct Work<'a> {
    payloads: &'a [&'a [u8]],
    compress: Pack<'a>,
    decompress: Unpack<'a>,
}

impl Work<'_> {
    fn measure(
        &self,
        kind: DictionaryKind,
        level: i32,
        dictionaries: &[&[u8]],
        trained_on: usize,
        budget: Duration,
    ) -> Result<Measured> {
        let (mut packed, mut out, mut without_bytes) = (Vec::new(), Vec::new(), 0);
        for (i, payload) in self.payloads.iter().enumerate() {
            let mut one = Vec::new();
            (self.compress)(i, payload, &mut one)?;
            packed.push(one);
            out.clear();
            Zstd.compress(Some(level), None, payload, &mut out)?;
            without_bytes += out.len() as u64;
        }
        let plain_bytes = total(self.payloads.iter().map(|payload| payload.len()));
        let bytes = total(packed.iter().map(Vec::len));
        let compress = timing::time(budget, plain_bytes, || {
            for (i, payload) in self.payloads.iter().enumerate() {
                out.clear();
                (self.compress)(i, black_box(payload), &mut out).expect("it was compressed before");
                black_box(&out);
            }
        });
        let decompress = timing::time(budget, plain_bytes, || {
            for (i, (packed, payload)) in packed.iter().zip(self.payloads).enumerate() {
                out.clear();
                let unpacked = (self.decompress)(i, black_box(packed), payload.len(), &mut out);
                unpacked.expect("what was just compressed can be decompressed");
                black_box(&out);
            }
        });
        let dictionary_bytes =
            total(dictionaries.iter().map(|bytes| bytes.len())).div_ceil(dictionaries.len().max(1) as u64);
        let payloads = self.payloads.len() as u64;
        let pays_after = match kind {
            DictionaryKind::Trained => pays_after(dictionary_bytes, without_bytes, bytes, payloads),
            DictionaryKind::Previous => (bytes < without_bytes).then_some(0),
        };
        Ok(Measured {
            kind,
            compressor: Zstd.info().name.to_owned(),
            level,
            dictionary_bytes,
            trained_on: trained_on as u64,
            payloads,
            plain_bytes,
            without_bytes,
            bytes,
            pays_after,
            compress,
            decompress,
        })
    }
}

/// How large a dictionary should be that is trained on every second one of these payloads: zstd's manual advises samples of
/// a hundred times the bytes. Below 1 KiB dictionaries miss much even of what few messages share, as trials on real data
/// showed.
fn sensible_size(payloads: &[Vec<u8>]) -> usize {
    let bytes: usize = payloads.iter().step_by(2).map(Vec::len).sum();
    (bytes / 100).clamp(1024, MOST_DICTIONARY_BYTES)
}

fn total(lengths: impl Iterator<Item = usize>) -> u64 {
    lengths.map(|len| len as u64).sum()
}

/// Messages after which what is saved is as much as the dictionary itself.
fn pays_after(dictionary_bytes: u64, without_bytes: u64, bytes: u64, payloads: u64) -> Option<u64> {
    let saved = without_bytes.checked_sub(bytes).filter(|&saved| saved > 0)?;
    let messages = (u128::from(dictionary_bytes) * u128::from(payloads)).div_ceil(u128::from(saved));
    u64::try_from(messages).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(n: u32) -> Vec<u8> {
        format!("{{\"id\":{},\"status\":\"active\",\"longitude\":{}.5}}", n * 7919 % 10_007, n * 31 % 180).into_bytes()
    }

    #[test]
    fn what_a_dictionary_saves_is_measured_on_others() {
        let payloads: Vec<_> = (0..401).map(message).collect();
        let Trained { dictionary, measured } = train(&payloads, 1024, 3, Duration::ZERO).unwrap();
        assert_eq!((measured.trained_on, measured.payloads), (201, 200));
        assert_eq!(measured.dictionary_bytes, dictionary.bytes().len() as u64);
        let others = payloads.iter().skip(1).step_by(2);
        assert_eq!(measured.plain_bytes, others.map(|payload| payload.len() as u64).sum::<u64>());
        assert!(measured.bytes < measured.without_bytes, "{measured:?}");
        let each = (measured.without_bytes - measured.bytes) as f64 / 200.0;
        let messages = measured.pays_after.unwrap();
        assert!(each * messages as f64 >= measured.dictionary_bytes as f64);
        assert!(each * ((messages - 1) as f64) < measured.dictionary_bytes as f64);
        assert!(measured.compress.is_none());
    }

    #[test]
    fn it_pays_never_where_nothing_is_saved() {
        assert_eq!(pays_after(100, 50, 50, 10), None);
        assert_eq!(pays_after(100, 50, 60, 10), None);
        assert_eq!(pays_after(100, 60, 50, 10), Some(100));
        assert_eq!(pays_after(101, 60, 50, 10), Some(101));
        assert_eq!(pays_after(u64::MAX, 2, 1, u64::MAX), None);
    }

    #[test]
    fn the_payload_before_helps() {
        let payloads: Vec<_> = (0..50).map(message).collect();
        let payloads: Vec<_> = payloads.iter().map(Vec::as_slice).collect();
        let measured = successive(&payloads, 3, Duration::from_millis(3)).unwrap();
        assert_eq!((measured.payloads, measured.trained_on, measured.pays_after), (49, 0, Some(0)));
        assert!(measured.bytes < measured.without_bytes, "{measured:?}");
        assert!(measured.compress.is_some() && measured.decompress.is_some());
    }
}
