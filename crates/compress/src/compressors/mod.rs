//! The compressors: one file each, and one line each in [`COMPRESSORS`].

pub(crate) mod brotli;
mod gzip;
mod lz4;
pub(crate) mod zstd;

pub use brotli::Brotli;
pub use gzip::Gzip;
pub use lz4::Lz4;
pub use zstd::Zstd;

use crate::Compressor;

/// Every compressor, in the order in which help texts and reports show them.
pub static COMPRESSORS: &[&dyn Compressor] = &[&Gzip, &Brotli, &Zstd, &Lz4];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::COMPRESSORS;

    #[test]
    fn every_file_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/compressors");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .filter(|name| name != "mod")
            .collect();
        let listed = COMPRESSORS.iter().map(|compressor| compressor.info().name.to_owned()).collect();
        assert_eq!(files, listed);
    }

    #[test]
    fn facts_are_consistent() {
        for compressor in COMPRESSORS {
            let info = compressor.info();
            assert!(info.levels.contains(&info.default_level), "{}", info.name);
            assert!(!info.about.ends_with('.') && info.about.len() < 100, "{}", info.name);
        }
    }
}
