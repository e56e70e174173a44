//! Streams of all kinds, explained.

use std::io::Cursor;
use std::ops::ControlFlow;
use std::sync::Arc;

use wirewise_core::{Arena, Document, ErrorKind, Limits, Losses, Schema};
use wirewise_formats::{FORMATS, Framing, find};
use wirewise_inspect::{ByField, Frames, Item, Kind, Label, Reading, Summary, by_field, guess, inspect};
use wirewise_testkit::random::{self, Rng};
use wirewise_transcode::Sink;

fn limits() -> Limits {
    Limits { memory_bytes: 64 << 20, ..Limits::default() }
}

/// An item, kept.
#[derive(Debug)]
struct Piece {
    label: Label,
    offset: u64,
    within: Option<String>,
    bytes: Vec<u8>,
    rows: Vec<(std::ops::Range<usize>, Kind, String, String)>,
}

fn pieces(input: &[u8], reading: &Reading, most: Option<u64>) -> (Vec<Piece>, Summary) {
    let mut pieces = Vec::new();
    let summary = inspect(input, reading, limits(), most, &mut |item| {
        pieces.push(Piece {
            label: item.label,
            offset: item.offset,
            within: item.within.map(str::to_owned),
            bytes: item.bytes.to_vec(),
            rows: item
                .rows
                .iter()
                .map(|row| (row.bytes.clone(), row.kind, row.path.clone(), row.value.clone()))
                .collect(),
        });
        ControlFlow::Continue(())
    });
    (pieces, summary.unwrap())
}

fn reading(id: &str, frames: Frames, schema: Option<&Arc<Schema>>) -> Reading {
    Reading::plan(find(id).unwrap().1, frames, false, schema).unwrap()
}

/// The bytes of the stream itself come out again, in order, all of them in rows.
fn check(input: &[u8], pieces: &[Piece], context: &str) {
    let mut end = 0;
    for piece in pieces {
        let mut row_end = 0;
        for (bytes, ..) in &piece.rows {
            assert!(bytes.start <= row_end && bytes.end <= piece.bytes.len(), "{context}: {piece:?}");
            row_end = row_end.max(bytes.end);
        }
        assert_eq!(row_end, piece.bytes.len(), "{context}: {piece:?}");
        if piece.within.is_none() {
            assert_eq!(piece.offset, end, "{context}: {piece:?}");
            assert_eq!(&input[end as usize..][..piece.bytes.len()], piece.bytes, "{context}");
            end += piece.bytes.len() as u64;
        }
    }
    assert_eq!(end as usize, input.len(), "{context}: {pieces:#?}");
}

/// A few messages of a random schema, in every variant, in every framing that fits it: whole, cut, and
/// damaged.
#[test]
fn every_byte_of_a_stream_is_in_some_row() {
    for seed in 0..12 {
        let schema = Arc::new(random::schema(seed));
        for format in FORMATS {
            for variant in format.info().variants.iter().filter(|variant| variant.framing != Framing::AvroContainer) {
                let Ok(codec) = format.plan(&schema, variant) else { continue };
                let framings = [Framing::None, Framing::Varint, Framing::U32Be, Framing::U32Le, variant.framing];
                for framing in framings {
                    let mut sink = Sink::new(Vec::new(), framing);
                    let mut arena = Arena::new(limits());
                    let count = if framing == Framing::None { 1 } else { 3 };
                    let mut written = 0;
                    for message in 0..count {
                        random::message(&schema, seed * 10 + message, &mut arena);
                        let document = Document::new(&schema, b"", &arena);
                        if sink.put(&*codec, &document, &mut Losses::none()).is_err() {
                            break;
                        }
                        written += 1;
                    }
                    let stream = sink.finish().unwrap();
                    if written < count || (framing == Framing::Concatenated && stream.is_empty()) {
                        continue;
                    }
                    let reading = reading(variant.id, Frames::Framing(framing), Some(&schema));
                    let context = format!("seed {seed}, {}, {framing:?}", variant.id);
                    let (whole, summary) = pieces(&stream, &reading, None);
                    if summary.broken.as_ref().is_some_and(|broken| broken.error.kind() == ErrorKind::Unsupported) {
                        // Messages without any bytes.
                        continue;
                    }
                    assert!(summary.broken.is_none(), "{context}: {summary:?}");
                    assert_eq!((summary.messages, summary.bytes), (count, stream.len() as u64), "{context}");
                    check(&stream, &whole, &context);
                    let explained = |piece: &Piece| piece.rows.iter().all(|row| matches!(row.1, Kind::Role(_)));
                    assert!(whole.iter().all(explained), "{context}: {whole:#?}");
                    check_sums(&stream, &reading, &context);

                    let mut rng = Rng::new(seed);
                    for end in (0..stream.len()).step_by(stream.len() / 10 + 1) {
                        check(&stream[..end], &pieces(&stream[..end], &reading, None).0, &context);
                        let mut damaged = stream.clone();
                        damaged[end] = rng.bits() as u8;
                        let (found, summary) = pieces(&damaged, &reading, None);
                        check_sums(&damaged, &reading, &context);
                        if summary.broken.is_none() {
                            check(&damaged, &found, &context);
                        }
                    }
                }
            }
        }
    }
}

/// The bytes of all fields are the bytes of the stream, whether they are added up from rows or while they are read.
fn check_sums(input: &[u8], reading: &Reading, context: &str) {
    let mut of_rows = ByField::default();
    let mut add = |item: &Item<'_>| {
        of_rows.add(item);
        ControlFlow::Continue(())
    };
    let first = inspect(input, reading, limits(), None, &mut add).unwrap();
    let (sums, second) = by_field(input, reading, limits(), None).unwrap();
    assert_eq!((first.messages, first.bytes), (second.messages, second.bytes), "{context}");
    let table = |sums: &ByField| {
        let places = sums.places().into_iter().map(|place| (place.place.clone(), place.bytes));
        places.collect::<Vec<_>>()
    };
    assert_eq!(table(&sums), table(&of_rows), "{context}");
    let total: u64 = sums.places().iter().map(|place| place.total()).sum();
    assert_eq!(total + sums.framing.total(), sums.bytes, "{context}");
    assert_eq!(sums.bytes + sums.packed - sums.unpacked, first.bytes, "{context}");
    if first.broken.is_none() {
        assert_eq!(first.bytes, input.len() as u64, "{context}");
    }
}

/// Of files with their schema in them, whose blocks are compressed or not.
#[test]
fn bytes_of_containers_add_up() {
    for seed in 0..30 {
        let schema = Arc::new(random::schema(seed));
        for variant in find("avro").unwrap().0.info().variants {
            if variant.framing != Framing::AvroContainer {
                continue;
            }
            let mut arena = Arena::new(limits());
            random::message(&schema, seed, &mut arena);
            let mut file = Vec::new();
            let codec = wirewise_formats::plan(variant.id, &schema).unwrap();
            let document = Document::new(&schema, b"", &arena);
            if codec.encode(&document, &mut file, &mut Losses::none()).is_err() {
                continue;
            }
            let reading = reading(variant.id, Frames::Framing(Framing::AvroContainer), None);
            check_sums(&file, &reading, variant.id);
            let cut = file.len() * 2 / 3;
            check_sums(&file[..cut], &reading, variant.id);
        }
    }
}

#[test]
fn messages_are_counted_and_stopped_at() {
    let reading = reading("json", Frames::Framing(Framing::Lines), None);
    let input = b"{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n";
    let (found, summary) = pieces(input, &reading, Some(2));
    assert_eq!((summary.messages, summary.more, found.len()), (2, true, 4));
    let (_, summary) = pieces(input, &reading, Some(3));
    assert_eq!((summary.messages, summary.more), (3, false));
}

#[test]
fn a_broken_message_is_explained_up_to_where_it_stops() {
    let reading = reading("json", Frames::Framing(Framing::Lines), None);
    let (found, summary) = pieces(b"{\"a\":1}\n{\"b\":[1,x]}\n{\"c\":1}\n", &reading, None);
    let broken = summary.broken.unwrap();
    assert_eq!((broken.message, broken.offset), (1, 16));
    assert_eq!(broken.error.message(), "expected a value, found 'x'");
    let last = found.last().unwrap();
    assert_eq!(last.label, Label::Message { index: 1 });
    let kinds: Vec<_> = last.rows.iter().map(|row| (row.1.name(), row.2.as_str())).collect();
    let expected =
        [("syntax", "$"), ("name", "$.b"), ("syntax", "$.b"), ("payload", "$.b[0]"), ("syntax", "$.b"), ("unread", "")];
    assert_eq!(kinds, expected);
    assert_eq!(last.rows.last().unwrap().0, 8..11);
}

#[test]
fn a_frame_that_is_cut_is_explained_too() {
    let reading = reading("msgpack-named", Frames::Framing(Framing::Varint), None);
    let (found, summary) = pieces(b"\x02\x91\x01\x09\x92\x01", &reading, None);
    assert_eq!(summary.broken.unwrap().error.message(), "the input ends, but 7 more bytes of a message should follow");
    let shown: Vec<_> = found.last().unwrap().rows.iter().map(|row| (row.1.name(), row.3.as_str())).collect();
    assert_eq!(shown, [("length", "2 elements"), ("payload", "1")]);
}

#[test]
fn grpc_messages_and_their_compression() {
    let compress = |name: &str, input: &[u8]| {
        let mut out = Vec::new();
        wirewise_compress::by_name(name).unwrap().compress(input, &mut out).unwrap();
        out
    };
    let frame = |flag: u8, message: &[u8]| [&[flag][..], &(message.len() as u32).to_be_bytes(), message].concat();
    let message = b"{\"name\":\"Ada\"}";
    let stream = [
        frame(0, message),
        frame(1, &compress("gzip", message)),
        frame(1, &compress("zstd", message)),
        frame(0x80, b"grpc-status: 0\r\n"),
    ]
    .concat();
    let guessed = &guess(&stream, true, None)[0];
    assert_eq!((guessed.variant.id, guessed.frames), ("json", Frames::Grpc));
    let reading = reading("json", Frames::Grpc, None);
    let (found, summary) = pieces(&stream, &reading, None);
    assert!(summary.broken.is_none(), "{summary:?}");
    assert_eq!((summary.messages, summary.bytes), (3, stream.len() as u64));
    check(&stream, &found, "gRPC");
    let messages: Vec<_> = found.iter().filter(|piece| matches!(piece.label, Label::Message { .. })).collect();
    assert!(messages.iter().all(|piece| piece.bytes == message));
    assert_eq!(messages[1].within.as_deref(), Some("message 2, decompressed"));

    // What does not say what it is, what is damaged, and what is cut.
    for (broken, what) in [
        (frame(1, b"abc"), "the message is compressed, and not with gzip, zstd or lz4"),
        (frame(7, b"abc"), "a gRPC frame begins with 0 or 1, not with 0x07"),
        (frame(0, message)[..10].to_vec(), "the input ends, but 9 more bytes of a message should follow"),
        (b"\0\0\0".to_vec(), "the input ends, but a flag and 4 bytes of length should follow"),
    ] {
        let (found, summary) = pieces(&broken, &reading, None);
        assert_eq!(summary.broken.unwrap().error.message(), what);
        check(&broken, &found, what);
    }
}

#[test]
fn bombs_are_bounded() {
    let mut packed = Vec::new();
    let gzip = wirewise_compress::by_name("gzip:9").unwrap();
    gzip.compress(&vec![b' '; 32 << 20], &mut packed).unwrap();
    let frame = [&[1][..], &(packed.len() as u32).to_be_bytes(), &packed].concat();
    let reading = reading("json", Frames::Grpc, None);
    let limits = Limits { message_bytes: 1 << 20, ..Limits::default() };
    let summary = inspect(&frame[..], &reading, limits, None, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(summary.broken.unwrap().error.kind(), ErrorKind::Limit);
}

#[test]
fn behind_a_confluent_header() {
    let stream = b"\0\0\0\x01\x00{\"name\":\"Ada\"}";
    let guessed = &guess(stream, true, None)[0];
    assert!(guessed.confluent && guessed.variant.id == "json" && guessed.certainty > 80, "{guessed:?}");
    let (_, variant) = find("json").unwrap();
    let reading = Reading::plan(variant, Frames::Framing(Framing::None), true, None).unwrap();
    let (found, summary) = pieces(stream, &reading, None);
    assert_eq!((summary.messages, summary.bytes), (1, stream.len() as u64));
    check(stream, &found, "Confluent");
    assert_eq!(found[0].rows[1].3, "256");
    let (found, summary) = pieces(b"\0\0\0", &reading, None);
    assert_eq!(summary.broken.unwrap().offset, 3);
    assert_eq!(found[0].rows.len(), 2);
}

#[test]
fn bytes_by_field_add_up() {
    let reading = reading("msgpack-named", Frames::Framing(Framing::Concatenated), None);
    let mut stream = Vec::new();
    for i in 0..50u8 {
        stream.extend_from_slice(b"\x82\xa4name\xa3Ada\xa4tags\x92\x01");
        stream.push(i);
    }
    let mut sums = ByField::default();
    let summary = inspect(&stream[..], &reading, limits(), None, &mut |item| {
        sums.add(item);
        ControlFlow::Continue(())
    });
    assert_eq!(summary.unwrap().messages, 50);
    let places: Vec<_> = sums
        .places()
        .iter()
        .map(|place| (place.place.as_str(), place.count, place.payload(), place.overhead()))
        .collect();
    let expected = [("$.name", 50, 150, 300), ("$.tags", 50, 0, 300), ("$.tags[*]", 100, 100, 0), ("$", 50, 0, 50)];
    assert_eq!(places, expected);
    let total: u64 = sums.places().iter().map(|place| place.total()).sum();
    assert_eq!((total, sums.bytes), (stream.len() as u64, stream.len() as u64));
}

/// The table of fields does not grow with what is read.
#[test]
fn fields_that_never_come_again_are_bounded() {
    let reading = reading("json", Frames::Framing(Framing::Lines), None);
    let stream: String = (0..30_000).map(|i| format!("{{\"key{i}\":{i}}}\n")).collect();
    let mut sums = ByField::default();
    inspect(Cursor::new(stream), &reading, limits(), None, &mut |item| {
        sums.add(item);
        ControlFlow::Continue(())
    })
    .unwrap();
    assert!(sums.places().len() <= 20_001, "{}", sums.places().len());
    assert_eq!(sums.places()[0].place, "(others)");
}

/// Guessing reads what it guessed.
#[test]
fn what_is_guessed_can_be_read() {
    let schema = Arc::new(random::schema(7));
    for seed in 0..40 {
        for (format, variant) in FORMATS.iter().flat_map(|f| f.info().variants.iter().map(move |v| (f, v))) {
            let Ok(codec) = format.plan(&schema, variant) else { continue };
            let mut arena = Arena::new(limits());
            random::message(&schema, seed, &mut arena);
            let mut payload = Vec::new();
            if codec.encode(&Document::new(&schema, b"", &arena), &mut payload, &mut Losses::none()).is_err() {
                continue;
            }
            for candidate in guess(&payload, true, Some(&schema)).iter().filter(|candidate| candidate.certainty >= 50) {
                let context = format!("{}, seed {seed}: {candidate:?} for {payload:02x?}", variant.id);
                let reading = Reading::plan(candidate.variant, candidate.frames, candidate.confluent, Some(&schema));
                let reading = reading.unwrap_or_else(|error| panic!("{error}: {context}"));
                let done = inspect(&payload[..], &reading, limits(), None, &mut |_| ControlFlow::Continue(()));
                if let Err(wirewise_inspect::Failure::Read(error)) = done {
                    panic!("{error}: {context}");
                }
            }
        }
    }
}
