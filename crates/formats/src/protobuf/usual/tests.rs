//! The loops here against the general path alone, which is what tracing takes.

use std::sync::Arc;

use wirewise_core::{Arena, Document, Limits, LossKind, Losses, Recorder, Schema, varint};
use wirewise_testkit::random::Rng;

use crate::plan;

const SCHEMA: &str = r#"{"wirewise": "schema/1", "root": "Root", "types": [
    {"record": "Root", "oneofs": [{"name": "o"}], "fields": [
        {"number": 1, "name": "a", "type": "int64"},
        {"number": 2, "name": "b", "type": "int32", "presence": "optional"},
        {"number": 3, "name": "c", "type": {"nullable": "uint32"}},
        {"number": 4, "name": "d", "type": "bool"},
        {"number": 5, "name": "e", "type": "float64"},
        {"number": 6, "name": "f", "type": "float32", "presence": "optional"},
        {"number": 7, "name": "g", "type": "string"},
        {"number": 8, "name": "h", "type": "bytes", "notes": {"protobuf.label": "required"}},
        {"number": 9, "name": "i", "type": "Open"},
        {"number": 10, "name": "j", "type": "Closed"},
        {"number": 11, "name": "k", "type": "Root", "presence": "optional"},
        {"number": 12, "name": "l", "type": {"list": "Root"}},
        {"number": 13, "name": "m", "type": {"list": "string"}},
        {"number": 14, "name": "n", "type": {"list": "int32"}},
        {"number": 15, "name": "p", "type": {"list": "float64"}},
        {"number": 16, "name": "q", "type": "string", "presence": "optional", "oneof": "o"},
        {"number": 17, "name": "v", "type": {"list": "Flat"}},
        {"number": 300, "name": "r", "type": "Root", "presence": "optional", "oneof": "o"},
        {"number": 301, "name": "s", "type": "int32", "notes": {"protobuf.label": "required"}},
        {"number": 40000, "name": "t", "type": {"map": "Root"}},
        {"number": 40001, "name": "u", "type": {"list": "Closed"}}]},
    {"record": "Flat", "fields": [
        {"number": 1, "name": "a", "type": "int64", "default": 0},
        {"number": 2, "name": "b", "type": "int32", "presence": "optional"},
        {"number": 4, "name": "d", "type": "bool", "default": false},
        {"number": 5, "name": "e", "type": "float64"},
        {"number": 6, "name": "f", "type": "float32", "presence": "optional"},
        {"number": 7, "name": "g", "type": "string", "default": ""}]},
    {"enum": "Open", "symbols": [{"number": 0, "name": "A"}]},
    {"enum": "Closed", "closed": true, "symbols": [{"number": 0, "name": "X"}, {"number": 2, "name": "Y"}]}]}"#;

/// Appends a varint, sometimes a longer one than necessary.
fn varint(rng: &mut Rng, value: u64, out: &mut Vec<u8>) {
    let (bytes, len) = varint::bytes(value);
    out.extend_from_slice(&bytes[..len]);
    if rng.bits().is_multiple_of(40) && len < 10 {
        *out.last_mut().unwrap() |= 0x80;
        out.push(0);
    }
}

/// What is required.
const LEAST: &[u8] = b"\x42\x00\xe8\x12\x00";

/// The fields of a root, and of a record without messages.
const ROOT: &[u64] =
    &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 13, 13, 13, 14, 15, 16, 17, 17, 17, 17, 300, 301, 40000, 40001, 50];
const FLAT: &[u64] = &[1, 2, 4, 5, 6, 7, 50];

/// A message of fields in about the right order, with about the right content.
fn message(rng: &mut Rng, numbers: &[u64], depth: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for &number in numbers {
        let number = if rng.bits().is_multiple_of(20) { numbers[rng.bits() as usize % numbers.len()] } else { number };
        let wanted = match number {
            8 | 301 if !rng.bits().is_multiple_of(50) => 64,
            50 => 2,
            _ => 30,
        };
        if rng.bits() % 64 >= wanted {
            continue;
        }
        let wire_type = match number {
            1..=4 | 9 | 10 | 301 | 40001 => 0,
            5 => 1,
            6 => 5,
            14 if rng.bits().is_multiple_of(8) => 0,
            _ => 2,
        };
        varint(rng, number << 3 | wire_type, &mut out);
        match wire_type {
            0 => {
                let value = rng.bits() >> (rng.bits() % 64);
                varint(rng, if number > 9 { value % 4 } else { value }, &mut out);
            }
            1 => out.extend_from_slice(&rng.bits().to_le_bytes()),
            5 => out.extend_from_slice(&(rng.bits() as u32).to_le_bytes()),
            _ => {
                let content = match number {
                    11 | 12 | 300 if depth < 3 => message(rng, ROOT, depth + 1),
                    17 => message(rng, FLAT, depth + 1),
                    11 | 12 | 300 => LEAST.to_vec(),
                    40000 => [&[0x0a, 1, b'a' + (rng.bits() % 3) as u8, 0x12, LEAST.len() as u8], LEAST].concat(),
                    14 => (0..rng.bits() % 5).flat_map(|_| varint::bytes(rng.bits() >> (rng.bits() % 64)).0).collect(),
                    15 => vec![1; 8 * (rng.bits() % 4) as usize + usize::from(rng.bits().is_multiple_of(30))],
                    _ => "añ漢😀 plain and a little longer, with é"
                        .chars()
                        .take(rng.bits() as usize % 45)
                        .collect::<String>()
                        .into(),
                };
                varint(rng, content.len() as u64, &mut out);
                out.extend(content);
            }
        }
    }
    out
}

#[test]
fn the_usual_path_reads_what_the_general_one_reads() {
    let schema = Arc::new(Schema::parse(SCHEMA).unwrap());
    let codec = plan("protobuf", &schema).unwrap();
    let limits = Limits { depth: 4, ..Limits::default() };
    let (mut read, mut failed) = (0, 0);
    for seed in 0..4000 {
        let mut rng = Rng::new(seed);
        let mut bytes = message(&mut rng, ROOT, 0);
        match rng.bits() % 6 {
            0 if !bytes.is_empty() => {
                let at = rng.bits() as usize % bytes.len();
                bytes[at] = rng.bits() as u8;
            }
            1 => bytes.truncate(rng.bits() as usize % (bytes.len() + 1)),
            _ => {}
        }
        let lossy = || if seed % 3 == 0 { Losses::none() } else { Losses::allowing(LossKind::ALL) };
        let (mut first, mut second) = (Arena::new(limits), Arena::new(limits));
        let (mut ours, mut theirs) = (lossy(), lossy());
        let usual = codec.read(&bytes, &mut first, &mut ours);
        let general = codec.trace(&bytes, &mut second, &mut theirs, &mut Recorder::new());
        assert_eq!(usual, general, "{seed}: {bytes:02x?}");
        if usual.is_err() {
            failed += 1;
            continue;
        }
        read += 1;
        assert_eq!(ours.total(), theirs.total(), "{seed}: {bytes:02x?}");
        let written = [first, second].map(|arena| {
            let document = Document::new(&schema, &bytes, &arena);
            let mut out = Vec::new();
            codec.encode(&document, &mut out, &mut lossy()).map(|()| out)
        });
        assert_eq!(written[0], written[1], "{seed}: {bytes:02x?}");
    }
    assert!(read > 500 && failed > 500, "{read} were read, {failed} not");
}
