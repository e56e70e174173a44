//! The differential target: what our decoders make of bytes is compared with what other libraries make of them, with what
//! the same decoder makes of them by its general arms, and with what comes back from a conversion to another variant.
//!
//! The first byte of an input chooses the variant, the next two the schema (see [`schema`]), the rest is the payload.
//! Where our decoder and a peer disagree on whether bytes are valid, the reason has to stand in one of the tables beside
//! the peer: a disagreement that nobody has looked at is a finding.

mod avro;
mod cbor;
mod json;
mod msgpack;
mod order;
mod protobuf;
mod value;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use wirewise_core::{Arena, Document, Error, ErrorKind, Kind, LossKind, Losses, Recorder, Schema, diff};
use wirewise_formats::{Codec, Variant};

use crate::{HEADER, all_variants, limits};
use value::Value;

/// What the schema numbers of an input mean: a third of them each.
enum Chosen {
    /// Values that carry their types.
    Any,
    /// The schema of [`order::Order`].
    Order,
    /// A random one, with this seed.
    Random(u16),
}

/// How many random schemas there are: codecs and the peers' schemas are kept.
const SCHEMAS: u16 = 256;

impl Chosen {
    fn by(number: u16) -> Chosen {
        match number % 3 {
            0 => Chosen::Any,
            1 => Chosen::Order,
            _ => Chosen::Random(number / 3 % SCHEMAS),
        }
    }
}

/// The schema with this number.
pub fn schema(number: u16) -> Schema {
    match Chosen::by(number) {
        Chosen::Any => crate::schema(crate::ANY),
        Chosen::Order => Schema::parse(order::SCHEMA).expect("a valid schema file"),
        Chosen::Random(seed) => crate::schema(seed),
    }
}

/// A codec, and what others need to read the same bytes.
struct Planned {
    codec: Box<dyn Codec>,
    messages: Option<protobuf::Messages>,
    avro: Option<avro::Datums>,
}

type Plans = HashMap<(&'static str, u16), Option<Rc<Planned>>>;

fn plan(variant: &'static Variant, number: u16) -> Option<Rc<Planned>> {
    const MOST: usize = 2048;
    thread_local!(static PLANS: RefCell<Plans> = RefCell::default());
    PLANS.with_borrow_mut(|plans| {
        if plans.len() >= MOST {
            plans.clear();
        }
        let make = || {
            let schema = Arc::new(schema(number));
            let codec = wirewise_formats::plan(variant.id, &schema).ok()?;
            let (mut messages, mut avro) = (None, None);
            match variant.id {
                "protobuf" => messages = protobuf::Messages::of(&schema),
                "avro" => avro = avro::Datums::of(&schema),
                _ => {}
            }
            Some(Rc::new(Planned { codec, messages, avro }))
        };
        plans.entry((variant.id, number)).or_insert_with(make).clone()
    })
}

/// The variant, the schema number and the payload of an input; `None` when it is too short.
fn take_apart(input: &[u8]) -> Option<(&'static Variant, u16, &[u8])> {
    let ([variant, low, high], payload) = input.split_first_chunk::<HEADER>()?;
    let variant = all_variants().nth(usize::from(*variant) % all_variants().count()).expect("it is below the count").1;
    let number = u16::from_le_bytes([*low, *high]);
    // One number for each of the two fixed schemas, so that their codecs are kept once.
    let number = match Chosen::by(number) {
        Chosen::Any => 0,
        Chosen::Order => 1,
        Chosen::Random(seed) => 2 + 3 * seed,
    };
    Some((variant, number, payload))
}

/// Whether an input is a message that loses nothing.
pub fn is_message(input: &[u8]) -> bool {
    take_apart(input).is_some_and(|(variant, number, payload)| {
        plan(variant, number).is_some_and(|planned| {
            planned.codec.decode(payload, &mut Arena::new(limits()), &mut Losses::none()).is_ok()
        })
    })
}

/// Fuzzes conversions.
pub fn check(input: &[u8]) {
    let Some((variant, number, payload)) = take_apart(input) else { return };
    let Some(planned) = plan(variant, number) else { return };
    let codec = &*planned.codec;
    traced_is_untraced(codec, variant, payload);
    crate::check(codec, variant, payload);
    if let Some(byte) = payload.first() {
        let other = all_variants().nth(usize::from(*byte) % all_variants().count()).expect("it is below the count").1;
        if let Some(other) = plan(other, number) {
            there_and_back(codec, &*other.codec, variant, payload);
        }
    }
    with_peers(&planned, variant, number, payload);
}

/// The general arms of a decoder, which tracing takes, say the same as the fast ones.
fn traced_is_untraced(codec: &dyn Codec, variant: &Variant, payload: &[u8]) {
    for losses in [Losses::none(), Losses::allowing(LossKind::ALL)] {
        let (mut fast, mut general) = (Arena::new(limits()), Arena::new(limits()));
        let (mut lost, mut lost_traced) = (losses.clone(), losses);
        let read = codec.read(payload, &mut fast, &mut lost);
        let traced = codec.trace(payload, &mut general, &mut lost_traced, &mut Recorder::new());
        let context = || format!("{}: {payload:02x?}\n{}", variant.id, codec.schema().to_text());
        // One of them may ask for the same memory a little earlier.
        let out_of_memory = |read: &Result<usize, Error>| {
            read.as_ref().is_err_and(|error| error.message().starts_with("the message takes more memory"))
        };
        if out_of_memory(&read) || out_of_memory(&traced) {
            continue;
        }
        assert_eq!(read, traced, "tracing changes what is read: {}", context());
        // Of a message that is not valid tracing reads as much as it can.
        if read.is_ok() {
            let (lost, lost_traced) = (lost.summary(codec.schema()), lost_traced.summary(codec.schema()));
            assert_eq!(lost, lost_traced, "tracing changes what is lost: {}", context());
            let [fast, general] = [&fast, &general].map(|arena| Document::new(codec.schema(), payload, arena));
            if let Some(difference) = diff(&fast, &general) {
                panic!("tracing changes the message: {difference}: {}", context());
            }
        }
    }
}

/// What another variant holds without a loss, it gives back.
fn there_and_back(codec: &dyn Codec, other: &dyn Codec, variant: &Variant, payload: &[u8]) {
    let (mut first, mut second) = (Arena::new(limits()), Arena::new(limits()));
    let Ok(document) = codec.decode(payload, &mut first, &mut Losses::allowing(LossKind::ALL)) else { return };
    let mut out = Vec::new();
    if other.encode(&document, &mut out, &mut Losses::none()).is_err() {
        return;
    }
    let context = || format!("{}: {payload:02x?}\nbecame {out:02x?}\n{}", variant.id, codec.schema().to_text());
    let again = match other.decode(&out, &mut second, &mut Losses::none()) {
        Ok(again) => again,
        // One format nests deeper than the other for the same message, or takes more memory.
        Err(error) if error.kind() == wirewise_core::ErrorKind::Limit => return,
        Err(error) => panic!("what was converted cannot be read: {error}: {}", context()),
    };
    if let Some(difference) = diff(&document, &again) {
        panic!("converting changed the message: {difference}: {}", context());
    }
}

fn with_peers(planned: &Planned, variant: &Variant, number: u16, payload: &[u8]) {
    let compare = |peer: &Peer, read: &dyn Fn(&[u8]) -> Result<Value, String>| {
        peer.compare(&*planned.codec, variant, payload, read);
    };
    match (variant.id, Chosen::by(number)) {
        ("json" | "json-pretty", Chosen::Any) => compare(&json::PEER, &json::value),
        ("json" | "json-pretty", Chosen::Order) => compare(&order::JSON, &order::json),
        ("msgpack-named", Chosen::Any) => compare(&msgpack::PEER, &msgpack::value),
        ("msgpack-named", Chosen::Order) => compare(&order::MSGPACK, &order::msgpack),
        ("cbor-named", Chosen::Any) => compare(&cbor::PEER, &cbor::value),
        ("cbor-named", Chosen::Order) => compare(&order::CBOR, &order::cbor),
        _ => {}
    }
    if let Some(messages) = &planned.messages {
        compare(&protobuf::PEER, &|bytes| messages.value(bytes));
    }
    if let Some(datums) = &planned.avro {
        compare(&avro::PEER, &|bytes| datums.value(bytes));
    }
}

/// Disagreements on what is valid: a part of the error of the one that refuses, and why that is right, or is the peer's
/// business.
type Reasons = &'static [(&'static str, &'static str)];

/// Another library.
struct Peer {
    name: &'static str,
    /// What we refuse and it accepts.
    we_refuse: Reasons,
    /// What it refuses and we accept.
    it_refuses: Reasons,
}

impl Peer {
    /// Both refuse the payload, or the peer reads the same from it and from what we write of it.
    fn compare(
        &self,
        codec: &dyn Codec,
        variant: &Variant,
        payload: &[u8],
        read: &dyn Fn(&[u8]) -> Result<Value, String>,
    ) {
        let name = self.name;
        let context = || format!("{}: {payload:02x?}\n{}", variant.id, codec.schema().to_text());
        let known = |reasons: Reasons, error: &str| reasons.iter().any(|(part, _)| error.contains(part));
        match (ours(codec, payload), read(payload)) {
            (Ok(written), Ok(theirs)) => match read(&written) {
                Ok(ours) => {
                    assert_eq!(ours, theirs, "{name} reads something else than we (left) do: {}", context());
                }
                Err(error) => panic!("{name} cannot read what we write: {error}: {written:02x?}: {}", context()),
            },
            (Ok(_), Err(error)) => {
                assert!(known(self.it_refuses, &error), "{name} refuses what we accept: {error}: {}", context());
            }
            // How deep and how much is for each to say.
            (Err(error), Ok(_)) if error.kind() == ErrorKind::Limit => {}
            (Err(error), Ok(theirs)) => {
                let known = known(self.we_refuse, &error.to_string());
                assert!(known, "{name} accepts what we refuse: {error}: {theirs:?}: {}", context());
            }
            (Err(_), Err(_)) => {}
        }
    }
}

/// What we write of what we read, in the same variant.
fn ours(codec: &dyn Codec, payload: &[u8]) -> Result<Vec<u8>, Error> {
    let mut arena = Arena::new(limits());
    let document = codec.decode(payload, &mut arena, &mut Losses::allowing(LossKind::ALL))?;
    let mut out = Vec::new();
    codec.encode(&document, &mut out, &mut Losses::none())?;
    Ok(out)
}

/// Whether values of the schema's type are compared as the peer sees them: JSON text in a string may be written otherwise.
fn is_plain(schema: &Schema) -> bool {
    matches!(schema.kind(schema.root()), Kind::Record(_)) && !schema.to_text().contains(r#""any""#)
}
