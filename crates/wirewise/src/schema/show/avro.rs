//! How Avro identifies a schema.

use serde_json::{Value as Json, json};
use wirewise_core::{Result, Schema};
use wirewise_formats::avro;

/// The Parsing Canonical Form and what is computed from it.
pub(super) struct Identity {
    canonical: String,
    /// Names and values, in hexadecimal digits.
    fingerprints: [(&'static str, String); 1],
}

impl Identity {
    /// Of the Avro schema for messages of this schema.
    pub(super) fn of(schema: &Schema) -> Result<Identity> {
        let canonical = avro::canonical_form(&avro::schema_json(schema)?)?;
        let crc = avro::fingerprint(&canonical);
        Ok(Identity { fingerprints: [("CRC-64-AVRO", format!("{crc:016x}"))], canonical })
    }

    pub(super) fn json(&self) -> Json {
        let mut json = json!({ "canonical": self.canonical });
        for (name, value) in &self.fingerprints {
            json[name.to_ascii_lowercase()] = Json::from(value.as_str());
        }
        json
    }
}

pub(super) fn text(identity: &Identity) -> String {
    let mut out = format!("{}\n", identity.canonical);
    for (name, value) in &identity.fingerprints {
        out.push_str(&format!("{name:<11}  {value}\n"));
    }
    out
}
