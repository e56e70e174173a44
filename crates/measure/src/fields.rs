//! Where the bytes of payloads go, as the decoders tell.

use std::collections::HashMap;

use wirewise_core::{Arena, Limits, LossKind, Losses, Recorder, Role};
use wirewise_formats::Codec;

use crate::report::FieldBytes;

/// The place of bytes that belong to no field.
const NO_FIELD: &str = "(framing)";

/// Batches beyond this are not looked at: tracing is many times slower than decoding.
const MOST_BATCH_BYTES: usize = 8 << 20;

/// Bytes of all payloads by place, in the order in which decoders come to them. Empty when the codec cannot tell, and for
/// large batches.
pub(crate) fn fields(codec: &dyn Codec, payloads: &[Vec<u8>], is_batch: bool, limits: Limits) -> Vec<FieldBytes> {
    if is_batch && payloads.iter().any(|payload| payload.len() > MOST_BATCH_BYTES) {
        return Vec::new();
    }
    let (mut arena, mut losses) = (Arena::new(limits), Losses::allowing(LossKind::ALL));
    let mut recorder = Recorder::adding_up();
    let (mut sums, mut places): (Vec<FieldBytes>, HashMap<String, usize>) = (Vec::new(), HashMap::new());
    let mut add = |place: String, count: u64, payload: u64, overhead: u64| match places.get(&place) {
        Some(&index) => {
            let sum: &mut FieldBytes = &mut sums[index];
            (sum.count, sum.payload) = (sum.count + count, sum.payload + payload);
            sum.overhead += overhead;
        }
        None => {
            places.insert(place.clone(), sums.len());
            sums.push(FieldBytes { place, count, payload, overhead });
        }
    };
    for bytes in payloads {
        losses.reset();
        if codec.trace(bytes, &mut arena, &mut losses, &mut recorder).is_err() {
            return Vec::new();
        }
        let mut left = bytes.len() as u64;
        for total in recorder.totals() {
            let sum: u64 = total.bytes.iter().sum();
            let payload = Role::ALL.iter().zip(total.bytes).filter(|(role, _)| role.is_payload());
            let payload: u64 = payload.map(|(_, bytes)| bytes).sum();
            add(total.place, total.count, payload, sum - payload);
            left = left.saturating_sub(sum);
        }
        if left > 0 {
            add(NO_FIELD.to_owned(), 1, 0, left);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wirewise_core::Schema;
    use wirewise_formats::FORMATS;

    use super::*;

    #[test]
    fn every_variant_tells_where_all_its_bytes_go() {
        let schema = r#"{"wirewise": "schema/1", "root": "Post", "types": [{"record": "Post", "fields": [
            {"name": "id", "number": 1, "type": "uint32"},
            {"name": "tags", "number": 2, "type": {"list": "string"}}
        ]}]}"#;
        let schema = Arc::new(Schema::parse(schema).unwrap());
        let text = br#"[{"id":300,"tags":["a","bc"]},{"id":1,"tags":[]}]"#;
        let list = Arc::new(schema.list_of());
        let (mut arena, mut losses) = (Arena::new(Limits::default()), Losses::none());
        let json = wirewise_formats::plan("json", &list).unwrap();
        let document = json.decode(text, &mut arena, &mut losses).unwrap();
        for format in FORMATS {
            for variant in format.info().variants {
                let codec = format.plan(&list, variant).unwrap();
                let mut payload = Vec::new();
                codec.encode(&document, &mut payload, &mut losses).unwrap();
                let len = payload.len() as u64;
                let fields = fields(&*codec, &[payload], true, Limits::default());
                let sum: u64 = fields.iter().map(|field| field.payload + field.overhead).sum();
                assert_eq!(sum, len, "{}: {fields:?}", variant.id);
                let tags = fields.iter().find(|field| field.place == "$[*].tags[*]");
                // What a container compresses cannot be told apart.
                if !variant.id.starts_with("avro-container-") {
                    assert_eq!(tags.map(|tags| tags.count), Some(2), "{}: {fields:?}", variant.id);
                }
            }
        }
    }
}
