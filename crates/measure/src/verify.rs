//! Whether a variant gives back what it was given.

use wirewise_core::{AnyValue, Arena, Document, ErrorKind, Kind, Limits, LossKind, Losses, Result, Schema, diff};
use wirewise_formats::Codec;

use crate::report::{Exactness, Lost, Warning};

/// A variant's payloads for some documents, and whether they hold all of them.
pub(crate) struct Verified {
    pub(crate) exactness: Exactness,
    /// A payload for each document; empty when the variant cannot hold one of them.
    pub(crate) payloads: Vec<Vec<u8>>,
    /// What has to be allowed so that these documents can be encoded.
    pub(crate) losses: Losses,
}

/// Encodes every document, decodes what was written, and compares.
pub(crate) fn verify(codec: &dyn Codec, documents: &[Document<'_>], limits: Limits) -> Verified {
    match encode_all(codec, documents, Losses::none()) {
        Ok((payloads, losses)) => match compare(codec, documents, &payloads, limits) {
            None => Verified { exactness: Exactness::Exact, payloads, losses },
            Some(exactness) => failed(exactness),
        },
        Err(first) if matches!(first.kind(), ErrorKind::Loss(_)) => {
            match encode_all(codec, documents, Losses::allowing(LossKind::ALL)) {
                Ok((payloads, losses)) => {
                    let lost = losses.summary(codec.schema()).into_iter();
                    let lost =
                        lost.map(|(kind, place, count)| Lost { kind: kind.name().to_owned(), place, count }).collect();
                    // That it can be read is checked all the same; that it differs is known.
                    let mut arena = Arena::new(limits);
                    let readable = payloads
                        .iter()
                        .try_for_each(|payload| codec.decode(payload, &mut arena, &mut Losses::none()).map(drop));
                    match readable {
                        Ok(()) => {
                            let exactness = Exactness::Lossy { lost, first: first.to_string() };
                            Verified { exactness, payloads, losses: Losses::allowing(LossKind::ALL) }
                        }
                        Err(error) => failed(Exactness::Different { difference: error.to_string() }),
                    }
                }
                Err(error) => failed(Exactness::Refused { error: error.to_string() }),
            }
        }
        Err(error) => failed(Exactness::Refused { error: error.to_string() }),
    }
}

/// A variant without usable payloads.
pub(crate) fn failed(exactness: Exactness) -> Verified {
    Verified { exactness, payloads: Vec::new(), losses: Losses::none() }
}

fn encode_all(codec: &dyn Codec, documents: &[Document<'_>], mut losses: Losses) -> Result<(Vec<Vec<u8>>, Losses)> {
    let mut payloads = Vec::with_capacity(documents.len());
    for document in documents {
        let mut payload = Vec::new();
        codec.encode(document, &mut payload, &mut losses)?;
        payloads.push(payload);
    }
    Ok((payloads, losses))
}

/// What a document that was not verified is as bytes; `None` when the variant cannot hold it.
pub(crate) fn encode(codec: &dyn Codec, document: &Document<'_>, losses: &Losses) -> Option<Vec<u8>> {
    let mut payload = Vec::new();
    codec.encode(document, &mut payload, &mut losses.clone()).ok().map(|()| payload)
}

fn compare(codec: &dyn Codec, documents: &[Document<'_>], payloads: &[Vec<u8>], limits: Limits) -> Option<Exactness> {
    let mut arena = Arena::new(limits);
    for (document, payload) in documents.iter().zip(payloads) {
        match codec.decode(payload, &mut arena, &mut Losses::none()) {
            // Formats that wrap nested lists and unions in messages nest deeper than the data: other readers have
            // limits too, so this is no defect.
            Err(error) if error.kind() == ErrorKind::Limit => {
                return Some(Exactness::Refused { error: error.to_string() });
            }
            Err(error) => return Some(Exactness::Different { difference: error.to_string() }),
            Ok(decoded) => {
                if let Some(difference) = diff(document, &decoded) {
                    return Some(Exactness::Different { difference: difference.to_string() });
                }
            }
        }
    }
    None
}

/// Whether the JSON that the schema writes is the JSON that was read, compared without any schema; and which integers
/// JavaScript could not hold.
pub(crate) fn check_source(source: &[u8], written: &[u8], limits: Limits) -> Result<Vec<Warning>> {
    let schema = std::sync::Arc::new(Schema::parse(r#"{"wirewise": "schema/1", "root": "any"}"#)?);
    debug_assert_eq!(*schema.kind(schema.root()), Kind::Any);
    let codec = wirewise_formats::plan("json", &schema)?;
    let (mut first, mut second) = (Arena::new(limits), Arena::new(limits));
    let mut losses = Losses::none();
    let source = codec.decode(source, &mut first, &mut losses)?;
    let written = codec.decode(written, &mut second, &mut losses)?;
    let mut warnings = Vec::new();
    if let Some(difference) = diff(&source, &written) {
        warnings.push(Warning::InferenceLost { difference: difference.to_string() });
    }
    let mut beyond = Beyond { count: 0, first: None };
    beyond.visit(&source, source.root(), "$");
    if let Some(first) = beyond.first {
        warnings.push(Warning::BeyondJavaScript { count: beyond.count, first });
    }
    Ok(warnings)
}

/// Integers beyond 2^53.
struct Beyond {
    count: u64,
    first: Option<String>,
}

impl Beyond {
    fn visit(&mut self, document: &Document<'_>, cell: wirewise_core::Cell, path: &str) {
        let large = match document.any(cell) {
            AnyValue::Int(value) => value.unsigned_abs() > 1 << 53,
            AnyValue::Uint(_) => true,
            AnyValue::List(items) => {
                // Paths are only made while the first one is looked for.
                for (i, &item) in items.iter().enumerate() {
                    let inner = if self.first.is_none() { format!("{path}[{i}]") } else { String::new() };
                    self.visit(document, item, &inner);
                }
                false
            }
            AnyValue::Map(pairs) => {
                for pair in pairs.chunks_exact(2) {
                    let AnyValue::String(key) = document.any(pair[0]) else { continue };
                    let key = String::from_utf8_lossy(key);
                    let inner = if self.first.is_none() { format!("{path}.{key}") } else { String::new() };
                    self.visit(document, pair[1], &inner);
                }
                false
            }
            _ => false,
        };
        if large {
            self.count += 1;
            self.first.get_or_insert_with(|| path.to_owned());
        }
    }
}
