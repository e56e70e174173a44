//! How Avro identifies a schema.

use std::fmt::Write;

use md5::{Digest, Md5};
use serde_json::{Value as Json, json};
use sha2::Sha256;
use wirewise_core::{Result, Schema};
use wirewise_formats::avro;

/// The Parsing Canonical Form and what is computed from it.
pub(super) struct Identity {
    canonical: String,
    /// Names and values, in hexadecimal digits.
    fingerprints: [(&'static str, String); 3],
}

impl Identity {
    /// Of the Avro schema for messages of this schema.
    pub(super) fn of(schema: &Schema) -> Result<Identity> {
        let canonical = avro::canonical_form(&avro::schema_json(schema)?)?;
        let crc = avro::fingerprint(&canonical);
        let fingerprints = [
            ("CRC-64-AVRO", format!("{crc:016x}")),
            ("MD5", hex(&Md5::digest(&canonical))),
            ("SHA-256", hex(&Sha256::digest(&canonical))),
        ];
        Ok(Identity { canonical, fingerprints })
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

fn hex(bytes: &[u8]) -> String {
    // Writing to a String cannot fail.
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the test suite of Avro 1.12.0 (`share/test/data/schema-tests.txt`), and computed with md5sum and sha256sum.
    #[test]
    fn fingerprints_are_those_of_other_implementations() {
        let schema = Schema::parse(r#"{"wirewise": "schema/1", "root": "int32"}"#).unwrap();
        let identity = Identity::of(&schema).unwrap();
        assert_eq!(identity.canonical, r#""int""#);
        let values = identity.fingerprints.map(|(_, value)| value);
        assert_eq!(values[0], format!("{:016x}", 8_247_732_601_305_521_295_u64));
        assert_eq!(values[1], "ef524ea1b91e73173d938ade36c1db32");
        assert_eq!(values[2], "3f2b87a9fe7cc9b13835598c3981cd45e3e355309e5090aa0933d7becb6fba45");
    }
}
