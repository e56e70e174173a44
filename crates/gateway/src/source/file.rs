//! A file in any format.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use bytes::Bytes;
use wirewise_formats::{FORMATS, Framing, Variant};

use super::{Data, Fetched, Source, Validator};
use crate::config::FileSource;
use crate::{Error, Result};

/// A file. It is known by its size and the time of its last change.
pub struct File {
    path: PathBuf,
    variant: &'static Variant,
    framing: Framing,
    most_bytes: u64,
}

impl File {
    /// The file of a configuration.
    ///
    /// # Errors
    /// When neither it nor its name says which format it has.
    pub fn new(config: &FileSource, most_bytes: u64) -> Result<File> {
        let extension = config.path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let variant = match config.format {
            Some(name) => name.0,
            None => by_extension(extension).ok_or_else(|| {
                Error::new(format!("{}: its name does not say which format it has", config.path.display()))
                    .hint("say it: source.file = { path = \"...\", format = \"json\" }")
            })?,
        };
        // One message a line is what such files have, unless their name says that they are one message.
        let framing = match variant.framing {
            Framing::Lines if !matches!(extension, "ndjson" | "jsonl") => Framing::None,
            framing => framing,
        };
        Ok(File { path: config.path.clone(), variant, framing, most_bytes })
    }
}

fn by_extension(extension: &str) -> Option<&'static Variant> {
    let infos = FORMATS.iter().map(|format| format.info());
    let info = infos.into_iter().find(|info| info.extensions.contains(&extension))?;
    // A file of Avro is a container.
    let container = info.variants.iter().find(|variant| variant.framing == Framing::AvroContainer);
    Some(container.unwrap_or(&info.variants[0]))
}

#[async_trait]
impl Source for File {
    fn describe(&self) -> String {
        format!("the file {}", self.path.display())
    }

    async fn fetch(&self, known: Option<&Validator>) -> Result<Fetched> {
        let wrong = |error: std::io::Error| failed(&self.path, &error);
        let metadata = tokio::fs::metadata(&self.path).await.map_err(wrong)?;
        let validator = Validator(format!("{:?} {}", metadata.modified().ok(), metadata.len()));
        if known == Some(&validator) {
            return Ok(Fetched::Unchanged);
        }
        if metadata.len() > self.most_bytes {
            let large = format!("{} has {} bytes, more than {}", self.path.display(), metadata.len(), self.most_bytes);
            return Err(Error::new(large).hint("limits.memory allows more"));
        }
        let bytes = Bytes::from(tokio::fs::read(&self.path).await.map_err(wrong)?);
        Ok(Fetched::Data(Data { bytes, variant: self.variant, framing: self.framing, validator: Some(validator) }))
    }
}

pub(super) fn failed(path: &Path, error: &std::io::Error) -> Error {
    let failed = Error::new(format!("cannot read {}: {error}", path.display()));
    match error.kind() {
        ErrorKind::NotFound => failed.hint("its path is relative to the folder of the configuration"),
        _ => failed,
    }
}
