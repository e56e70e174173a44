//! Files with JSON messages that say what data looks like.

use std::path::Path;

use wirewise_core::{Error, ErrorKind, Kind, Limits, Result, Schema};
use wirewise_formats::Framing;
use wirewise_schema::{Inference, Messages};

use crate::convert;
use crate::failure::Failure;
use crate::files;

/// One of them.
pub(crate) struct Samples<'a> {
    pub(crate) path: &'a Path,
    pub(crate) text: Vec<u8>,
    pub(crate) messages: Messages,
    hint: &'static str,
}

impl<'a> Samples<'a> {
    /// Reads it; `hint` says what to do with a file that is not JSON at all.
    pub(crate) fn read(path: &'a Path, hint: &'static str) -> Result<Samples<'a>, Failure> {
        let text = files::read(path)?;
        match wirewise_schema::split_json(&text) {
            Ok(messages) => Ok(Samples { path, text, messages, hint }),
            Err(error) => Err(located(&error, path, &text, hint)),
        }
    }

    /// The schema of a message: of a schema of lists, where an array of messages was split, that of an item.
    pub(crate) fn message(&self, schema: Schema) -> Schema {
        match *schema.kind(schema.root()) {
            Kind::List(item) if self.messages.framing() == Framing::JsonArray => schema.with_root(item),
            _ => schema,
        }
    }

    /// Calls `each` with every message; its errors get their place in the file.
    pub(crate) fn each(&self, mut each: impl FnMut(&[u8]) -> Result<()>) -> Result<(), Failure> {
        for range in self.messages.ranges() {
            each(&self.text[range.clone()]).map_err(|error: Error| {
                // What a format cannot hold is found where the message begins.
                let error = if error.offset().is_some() { error.shifted(range.start) } else { error.at(range.start) };
                located(&error, self.path, &self.text, self.hint)
            })?;
        }
        Ok(())
    }
}

fn located(error: &Error, path: &Path, text: &[u8], hint: &str) -> Failure {
    let failure = Failure::in_text(error, path, text);
    let is_other = error.kind() == ErrorKind::Syntax && error.offset() == Some(0) && error.advice().is_none();
    if is_other { failure.hint(hint) } else { failure }
}

/// The schema of all messages; its name is that of the first file.
pub(crate) fn infer<'a>(all: impl IntoIterator<Item = &'a Samples<'a>>, limits: Limits) -> Result<Schema, Failure> {
    let mut inference = Inference::new(convert::inference_options(limits));
    let mut name = None;
    for samples in all {
        name.get_or_insert_with(|| files::root_name(samples.path));
        samples.each(|message| inference.add(message))?;
    }
    inference.finish(&name.unwrap_or_default()).map_err(|error| Failure::from_error(&error))
}
