//! What a measurement says of dictionaries, windows, small messages and fields.

use std::sync::Arc;
use std::time::Duration;

use wirewise_measure::{Data, DictionaryKind, Options, Report, Side, run};
use wirewise_schema::{Inference, Messages, split_json};

fn lines(range: std::ops::Range<u32>, changed: u32) -> Vec<u8> {
    let line = |n: u32| {
        let value = if n.is_multiple_of(20) { n + changed } else { n };
        format!(
            "{{\"id\":{},\"name\":\"station {n}\",\"tags\":[\"a\",\"open\"],\"free\":{value}}}\n",
            n * 7919 % 10_007
        )
    };
    range.map(line).collect::<String>().into_bytes()
}

fn split(bytes: &[u8]) -> Messages {
    split_json(bytes).unwrap()
}

fn data(bytes: Vec<u8>) -> Data {
    let messages = split(&bytes);
    let mut inference = Inference::new(wirewise_schema::Options::default());
    for range in messages.ranges() {
        inference.add(&bytes[range.clone()]).unwrap();
    }
    let schema = inference.finish("Station").unwrap();
    Data::new("stations", bytes, &messages, Arc::new(schema), "inferred").unwrap()
}

fn measured(data: &Data, compressors: &[&str]) -> Report {
    let dictionaries = compressors.contains(&"zstd");
    let compressors = compressors.iter().map(|name| wirewise_compress::by_name(name).unwrap()).collect();
    let options = Options { budget: Duration::ZERO, compressors, dictionaries, ..Options::all() };
    run(data, &options, &mut |_| {}).unwrap()
}

fn sides(report: &Report) -> impl Iterator<Item = (String, bool, &Side)> {
    report.rows.iter().flat_map(|row| {
        let batch = row.batch.as_ref().and_then(|mode| mode.side.as_ref());
        let both = [(false, row.single.side.as_ref()), (true, batch)];
        both.into_iter().filter_map(|(is_batch, side)| Some((row.label(), is_batch, side?)))
    })
}

#[test]
fn dictionaries_of_messages_and_of_an_earlier_version() {
    let before = lines(10..110, 0);
    let data = data(lines(0..120, 7)).with_previous(&before, &split(&before)).unwrap();
    let report = measured(&data, &["zstd"]);
    let mut with = 0;
    for (label, is_batch, side) in sides(&report) {
        let kinds: Vec<_> = side.dictionaries.iter().map(|dictionary| dictionary.kind).collect();
        if kinds.is_empty() {
            continue;
        }
        with += 1;
        let zstd = &side.compressed[0];
        if is_batch {
            assert_eq!(kinds, [DictionaryKind::Previous], "{label}");
            let delta = &side.dictionaries[0];
            assert_eq!((delta.level, delta.payloads, delta.plain_bytes, delta.trained_on), (9, 1, side.bytes, 0));
            let is_packed = label.starts_with("avro-container-");
            assert!(is_packed || delta.bytes < zstd.bytes * 2 / 3, "{label}: {} of {}", delta.bytes, zstd.bytes);
        } else {
            assert_eq!(kinds, [DictionaryKind::Trained, DictionaryKind::Previous], "{label}");
            let [trained, before] = &side.dictionaries[..] else { panic!("{label}") };
            assert_eq!((trained.trained_on, trained.payloads), (60, 60), "{label}");
            assert!(trained.dictionary_bytes <= 1024 && trained.pays_after != Some(0), "{label}: {trained:?}");
            // Messages of twenty bytes have nothing that a dictionary could know.
            let saves = trained.bytes < trained.without_bytes;
            assert!(saves || trained.plain_bytes < 60 * 64, "{label}: {trained:?}");
            assert_eq!(trained.pays_after.is_some(), saves, "{label}: {trained:?}");
            assert_eq!((before.payloads, before.level), (119, 3), "{label}");
        }
    }
    assert!(with >= 2 * wirewise_formats::FORMATS.len(), "{with}");
    assert!(sides(&measured(&data, &["gzip"])).all(|(_, _, side)| side.dictionaries.is_empty()));
}

#[test]
fn one_message_and_its_earlier_version() {
    let (before, after) = (lines(0..1, 0), lines(0..1, 1));
    let data = data(after).with_previous(&before, &split(&before)).unwrap();
    let report = measured(&data, &["zstd"]);
    let json = report.rows[0].single.side.as_ref().unwrap();
    assert_eq!(json.dictionaries.len(), 1);
    assert_eq!((json.dictionaries[0].kind, json.dictionaries[0].pays_after), (DictionaryKind::Previous, Some(0)));
}

#[test]
fn versions_of_different_things_are_refused() {
    let one = lines(0..1, 0);
    let three = lines(0..3, 0);
    let error = data(one).with_previous(&three, &split(&three)).err().unwrap();
    assert!(error.to_string().contains("has 3 messages, the data 1"), "{error}");
}

#[test]
fn windows_and_sizes_from_which_compressing_pays() {
    let report = measured(&data(lines(0..100, 0)), &["zstd:3:10", "zstd", "gzip", "lz4"]);
    for (label, is_batch, side) in sides(&report) {
        let windows: Vec<_> = side.compressed.iter().map(|compressed| compressed.window).collect();
        assert_eq!(windows, [Some(10), None, None, None], "{label}");
        for compressed in &side.compressed {
            assert_eq!(is_batch, compressed.break_even.is_none(), "{label}: {compressed:?}");
        }
    }
    let json = report.rows.iter().find(|row| row.variant == "json").unwrap();
    let [small, usual] = &json.batch.as_ref().unwrap().side.as_ref().unwrap().compressed[..2] else { panic!() };
    assert!(small.bytes > usual.bytes);
    assert_eq!((small.label(), usual.label()), ("zstd:3:10".to_owned(), "zstd:3".to_owned()));
}

#[test]
fn fields_add_up_to_all_bytes() {
    let report = measured(&data(lines(0..50, 0)), &[]);
    for (label, is_batch, side) in sides(&report) {
        // Shaped codecs need not tell.
        if side.fields.is_empty() && label.contains('+') {
            continue;
        }
        let sum: u64 = side.fields.iter().map(|field| field.payload + field.overhead).sum();
        assert_eq!(sum, side.bytes, "{label}");
        assert!(is_batch || side.fields.iter().all(|field| !field.place.starts_with("$[")), "{label}");
    }
    let json = report.rows.iter().find(|row| row.variant == "json").unwrap().single.side.as_ref().unwrap();
    let tags = json.fields.iter().find(|field| field.place == "$.tags[*]").unwrap();
    // 50 times "a" and "open", with their quotes.
    assert_eq!((tags.count, tags.payload), (100, 50 * (3 + 6)));
}
