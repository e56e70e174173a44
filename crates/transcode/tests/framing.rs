//! Every framing, read back through readers that give a few bytes at a time.

use std::io::{self, Read};
use std::sync::Arc;

use wirewise_core::{Limits, LossKind, Losses, Schema};
use wirewise_formats::{Codec, Framing, plan};
use wirewise_transcode::{Error, Sink, Source, convert};

fn json() -> Box<dyn Codec> {
    plan("json", &Arc::new(Schema::parse(r#"{"wirewise": "schema/1", "root": "any"}"#).unwrap())).unwrap()
}

/// Gives a byte at a time, as a slow network would.
struct Drip<'a>(&'a [u8]);

impl Read for Drip<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = usize::from(!self.0.is_empty() && !out.is_empty());
        out[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

fn through(input: &[u8], from: Framing, to: Framing) -> Result<Vec<u8>, Error> {
    let codec = json();
    let mut losses = Losses::none();
    let mut sink = Sink::new(Vec::new(), to).text(true);
    convert(&mut Source::new(Drip(input), from, Limits::default()), &*codec, &mut sink, &*codec, &mut losses)?;
    sink.finish()
}

#[test]
fn every_framing_gives_the_messages_back() {
    let lines = b"{\"a\":[1,\"]\"]}\n2\n3\n\"x\\\"\"\n";
    for framing in Framing::ALL.into_iter().filter(|f| !matches!(f, Framing::None | Framing::AvroContainer)) {
        for input in [&b""[..], b"1\n", lines] {
            let framed = through(input, Framing::Lines, framing).unwrap();
            assert_eq!(through(&framed, framing, Framing::Lines).unwrap(), input, "{}", framing.name());
        }
    }
    assert_eq!(through(b"1 [2]\n\"3\"", Framing::Concatenated, Framing::Lines).unwrap(), b"1\n[2]\n\"3\"\n");
    assert_eq!(through(b" [1,\n 2] ", Framing::None, Framing::None).unwrap(), b"[1,2]");
    assert_eq!(through(b"1\n\n  2", Framing::Lines, Framing::U32Be).unwrap(), b"\0\0\0\x011\0\0\0\x012");
    assert_eq!(through(b"[ ]", Framing::JsonArray, Framing::JsonArray).unwrap(), b"[]\n");
}

#[test]
fn errors_have_their_place_in_the_stream() {
    let place = |input: &[u8], framing| match through(input, framing, Framing::Lines).unwrap_err() {
        Error::Message { place, error } => (place.message, place.offset, place.line, place.column, error.to_string()),
        other => panic!("{other}"),
    };
    let (message, offset, line, column, text) = place(b"1\n{\"a\":\n", Framing::Lines);
    assert_eq!((message, offset, line, column), (1, 7, 2, 6), "{text}");
    let (message, offset, line, column, _) = place(b"[1,\n  tru]", Framing::JsonArray);
    assert_eq!((message, offset, line, column), (1, 9, 2, 6));
    for (input, framing, expected) in [
        (&b"[1,"[..], Framing::JsonArray, "rest of a JSON array"),
        (b"[1,]", Framing::JsonArray, "expected an element"),
        (b"[1] 2", Framing::JsonArray, "follow the end of the array"),
        (b"{}", Framing::JsonArray, "expected a JSON array"),
        (b"\x05123", Framing::Varint, "2 more bytes of a message"),
        (b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", Framing::Varint, "more than 64 bits"),
        (b"\xff\xff\xff\xff", Framing::U32Be, "more than the limit"),
        (b"\0\0", Framing::U32Le, "4 bytes of length"),
        (b"", Framing::None, "a value should follow"),
    ] {
        let text = place(input, framing).4;
        assert!(text.contains(expected), "{text}");
    }
    let error = through(b"1\n2\n", Framing::Lines, Framing::None).unwrap_err();
    assert!(error.to_string().contains("more than one message"));
}

#[test]
fn numbers_are_not_cut_where_a_read_ends() {
    // Longer than what is read at once, with a number at every place.
    let numbers: String = (100_000..200_000).map(|number| format!("{number}\n")).collect();
    let written = through(numbers.as_bytes(), Framing::Concatenated, Framing::Lines).unwrap();
    assert!(written == numbers.as_bytes());
}

#[test]
fn the_limit_is_one_of_messages_and_not_of_what_is_read_at_once() {
    let limits = Limits { message_bytes: 1000, ..Limits::default() };
    let (small, large) = (format!("\"{}\"\n", "x".repeat(900)), format!("\"{}\"\n", "x".repeat(2000)));
    let codec = json();
    for framing in [Framing::Concatenated, Framing::Lines] {
        let convert = |input: &str| {
            let mut source = Source::new(input.as_bytes(), framing, limits);
            convert(&mut source, &*codec, &mut Sink::new(Vec::new(), framing), &*codec, &mut Losses::none())
        };
        assert_eq!(convert(&small.repeat(1000)).unwrap(), 1000);
        let error = convert(&(small.clone() + &large)).unwrap_err().to_string();
        assert!(error.starts_with("message 2: the message has") && error.contains("the limit of 1000"), "{error}");
    }
}

#[test]
fn losses_are_counted_once_where_a_read_ends() {
    let schema = r#"{"wirewise": "schema/1", "root": "A", "types": [
        {"record": "A", "fields": [{"number": 1, "name": "a", "type": "int64"}]}]}"#;
    let codec = plan("json", &Arc::new(Schema::parse(schema).unwrap())).unwrap();
    let input = "{\"unknown\": 1, \"other\": 2, \"a\": 3}\n".repeat(30_000);
    let mut losses = Losses::allowing([LossKind::UnknownField]);
    let mut source = Source::new(input.as_bytes(), Framing::Concatenated, Limits::default());
    convert(&mut source, &*codec, &mut Sink::new(Vec::new(), Framing::Lines), &*codec, &mut losses).unwrap();
    assert_eq!(losses.total(), 60_000);
}

#[test]
fn messages_without_any_bytes_need_a_framing() {
    let null = Arc::new(Schema::parse(r#"{"wirewise": "schema/1", "root": "null"}"#).unwrap());
    let (json, avro) = (plan("json", &null).unwrap(), plan("avro", &null).unwrap());
    let through = |framing| {
        let mut sink = Sink::new(Vec::new(), framing);
        let mut source = Source::new(&b"null\nnull\n"[..], Framing::Lines, Limits::default());
        convert(&mut source, &*json, &mut sink, &*avro, &mut Losses::none()).map(|_| sink.finish().unwrap())
    };
    assert!(through(Framing::Concatenated).unwrap_err().to_string().contains("no bytes"));
    assert_eq!(through(Framing::Varint).unwrap(), [0, 0]);
}
