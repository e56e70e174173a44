//! The program under test: answers requests until the runner closes the pipe.
//!
//! Requests and responses are read and written by our own codecs, with the schemas of the suite as our own reader of
//! `.proto` files reads them. Text format and JSPB are skipped: Wirewise has neither.

use std::collections::HashMap;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::sync::Arc;

use wirewise_core::{Arena, Cell, Document, Kind, Limits, LossKind, Losses, Record, Schema};
use wirewise_formats::{Codec, plan};
use wirewise_idl::{MemoryFiles, Source, find, with_zeros};

/// The files that declare the messages.
const FILES: [&str; 6] = [
    "conformance/conformance.proto",
    "google/protobuf/test_messages_proto2.proto",
    "google/protobuf/test_messages_proto3.proto",
    "google/protobuf/test_messages_edition2023.proto",
    "google/protobuf/test_messages_proto2_editions.proto",
    "google/protobuf/test_messages_proto3_editions.proto",
];

/// What the suite sends in [`Request::category`] to a parser that must pass over unknown fields.
const JSON_IGNORE_UNKNOWN: i64 = 3;

/// The numbers of `WireFormat`.
const PROTOBUF: i64 = 1;
const JSON: i64 = 2;

/// Answers the requests of standard input.
pub(crate) fn serve() {
    let mut testee = Testee::new();
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut len = [0; 4];
    loop {
        match input.read_exact(&mut len) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return,
            Err(error) => panic!("cannot read a request: {error}"),
        }
        let mut request = vec![0; u32::from_le_bytes(len) as usize];
        input.read_exact(&mut request).expect("a request is as long as it says");
        let response = testee.answer(&request);
        let len = u32::try_from(response.len()).expect("responses are short");
        output.write_all(&len.to_le_bytes()).and_then(|()| output.write_all(&response)).expect("the runner reads");
        output.flush().expect("the runner reads");
    }
}

/// The codecs of a message type.
struct Codecs {
    protobuf: Box<dyn Codec>,
    json: Box<dyn Codec>,
}

struct Testee {
    request: Box<dyn Codec>,
    response: Box<dyn Codec>,
    types: HashMap<String, Codecs>,
}

/// A request, taken apart.
struct Request {
    payload: Payload,
    output: i64,
    message_type: String,
    category: i64,
}

enum Payload {
    Protobuf(Vec<u8>),
    Json(Vec<u8>),
    Other(&'static str),
}

/// The field of `ConformanceResponse` that is set, and its content.
type Response = (&'static str, Vec<u8>);

impl Testee {
    fn new() -> Testee {
        let folder = wirewise_testkit::root().join("conformance/protobuf/suite");
        let (mut types, mut protocol) = (HashMap::new(), Vec::new());
        for file in FILES {
            let language = find("proto").expect("it is registered");
            let text = std::fs::read(Path::new(&folder).join(file)).expect("the suite is complete");
            let module = language.read(&Source::new(file, text), &MemoryFiles::none());
            let module = module.unwrap_or_else(|error| panic!("{error}"));
            let schema = |name: &str| {
                let schema = module.schema_of(Some(name)).unwrap_or_else(|error| panic!("{error}"));
                Arc::new(with_zeros(&schema, language))
            };
            let names = module.schema.named_types().filter_map(|id| module.schema.name(id));
            for name in names.filter(|name| name.contains(".TestAllTypes") && name.matches("TestAllTypes").count() == 1)
            {
                if name.rsplit('.').next().is_some_and(|last| last.starts_with("TestAllTypes")) {
                    types.insert(name.to_owned(), Codecs::new(&schema(name)));
                }
            }
            if file == FILES[0] {
                for name in ["ConformanceRequest", "ConformanceResponse"] {
                    protocol.push(plan("protobuf", &schema(&format!("conformance.{name}"))).expect("a plain message"));
                }
            }
        }
        let response = protocol.pop().expect("two were planned");
        let request = protocol.pop().expect("two were planned");
        Testee { request, response, types }
    }

    fn answer(&mut self, request: &[u8]) -> Vec<u8> {
        let (field, content) = self.result(&self.parse(request));
        let schema = self.response.schema();
        let record = record(schema);
        let mut arena = Arena::new(Limits::default());
        arena.begin(&content).expect("responses are short");
        let at = arena.record(record).expect("a new arena has room");
        let cell = arena.text(&content).expect("it is the input");
        arena.set_field(record, at, record.position(field).expect("the response has this field"), cell);
        arena.set_root(Cell::index(at));
        let mut out = Vec::new();
        let document = Document::new(schema, &content, &arena);
        self.response.encode(&document, &mut out, &mut Losses::none()).expect("a plain message");
        out
    }

    fn parse(&self, request: &[u8]) -> Request {
        let mut arena = Arena::new(Limits::default());
        let document = self.request.decode(request, &mut arena, &mut Losses::none()).expect("requests are valid");
        let record = record(self.request.schema());
        let view = document.record(record, document.root());
        let cell = |name: &str| view.get(record.position(name).expect("requests have this field"));
        let number = |name: &str| cell(name).map_or(0, Cell::as_i64);
        let bytes = |name: &str| cell(name).map(|cell| document.bytes(cell).to_vec());
        let payload = match (bytes("protobuf_payload"), bytes("json_payload"), bytes("text_payload")) {
            (Some(bytes), ..) => Payload::Protobuf(bytes),
            (_, Some(text), _) => Payload::Json(text),
            (_, _, Some(_)) => Payload::Other("text format is not supported"),
            _ => Payload::Other("JSPB is not supported"),
        };
        let message_type = bytes("message_type").and_then(|name| String::from_utf8(name).ok()).unwrap_or_default();
        let (output, category) = (number("requested_output_format"), number("test_category"));
        Request { payload, output, message_type, category }
    }

    /// Reads the payload and writes it as asked.
    fn result(&self, request: &Request) -> Response {
        // The first request: a list of expected failures, which are the runner's own argument here.
        if request.message_type == "conformance.FailureSet" {
            return ("protobuf_payload", Vec::new());
        }
        let Some(codecs) = self.types.get(&request.message_type) else {
            return ("runtime_error", format!("there is no message type {:?}", request.message_type).into_bytes());
        };
        let skipped = |why: &str| ("skipped", why.as_bytes().to_vec());
        let mut arena = Arena::new(Limits::default());
        arena.keep_unknown(request.output == PROTOBUF);
        let (decoded, input) = match &request.payload {
            Payload::Other(why) => return skipped(why),
            Payload::Protobuf(bytes) => {
                // Protobuf passes over what it does not know, and keeps it.
                let mut losses = Losses::allowing([LossKind::UnknownField]);
                (codecs.protobuf.decode(bytes, &mut arena, &mut losses).map(drop), bytes)
            }
            Payload::Json(text) => {
                // Numbers are rounded to what their type can hold.
                let unknown = (request.category == JSON_IGNORE_UNKNOWN).then_some(LossKind::UnknownField);
                let mut losses = Losses::allowing([LossKind::Precision].into_iter().chain(unknown));
                (codecs.json.decode(text, &mut arena, &mut losses).map(drop), text)
            }
        };
        if let Err(error) = decoded {
            return ("parse_error", error.to_string().into_bytes());
        }
        let (codec, field) = match request.output {
            PROTOBUF => (&codecs.protobuf, "protobuf_payload"),
            JSON => (&codecs.json, "json_payload"),
            _ => return skipped("only Protobuf and JSON are supported"),
        };
        let mut out = Vec::new();
        let document = Document::new(codec.schema(), input, &arena);
        // There is one NaN in JSON.
        match codec.encode(&document, &mut out, &mut Losses::allowing([LossKind::NotFinite])) {
            Ok(()) => (field, out),
            Err(error) => ("serialize_error", error.to_string().into_bytes()),
        }
    }
}

impl Codecs {
    fn new(schema: &Arc<Schema>) -> Codecs {
        let codec = |variant| plan(variant, schema).unwrap_or_else(|error| panic!("{variant}: {error}"));
        Codecs { protobuf: codec("protobuf"), json: codec("protojson") }
    }
}

fn record(schema: &Schema) -> &Record {
    match schema.kind(schema.root()) {
        Kind::Record(record) => record,
        _ => unreachable!("messages are records"),
    }
}
