//! `wirewise convert --stdio`: conversions for other programs, one JSON object a line in and one out. Documented in
//! `docs/stdio.md`.

mod cache;
mod lines;
mod request;

use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

use serde_json::{Value as Json, json};
use wirewise_core::text::base64;
use wirewise_core::{Arena, Document, ErrorKind, Limits, Losses};

use super::variants::keeps_unknown;
use crate::failure::Failure;
use cache::Cache;
use lines::{Line, Lines};
use request::Request;

/// Memory that is kept from one message to the next.
const KEPT: usize = 16 << 20;

/// Answers requests until standard input ends.
pub(super) fn serve(limits: Limits) -> Result<(), Failure> {
    // The longest message in base64, and some room for the rest of a request.
    let most = limits.message_bytes.div_ceil(3).saturating_mul(4).saturating_add(64 << 10);
    let mut lines = Lines::new(io::stdin().lock(), most);
    let mut out = io::stdout().lock();
    let mut server = Server::new(limits);
    let mut answer = Vec::new();
    loop {
        answer.clear();
        match lines.next().map_err(|error| Failure::io("read", Path::new("-"), &error))? {
            Line::End => return Ok(()),
            Line::Blank => continue,
            Line::Whole(line) => server.answer(line, &mut answer),
            Line::TooLong => {
                let failure = Failure::bad(format!("the line is longer than {most} bytes"));
                refuse(&Json::Null, &failure.hint("--max-message allows longer ones"), &mut answer);
            }
        }
        answer.push(b'\n');
        let written = out.write_all(&answer).and_then(|()| out.flush());
        written.map_err(|error| Failure::write(Path::new("-"), &error))?;
        answer.shrink_to(KEPT);
    }
}

fn refuse(id: &Json, failure: &Failure, out: &mut Vec<u8>) {
    let answer = json!({ "id": id, "ok": false, "refused": failure.is_negative(), "error": failure });
    out.extend_from_slice(answer.to_string().as_bytes());
}

struct Server {
    limits: Limits,
    cache: Cache,
    arena: Arena,
    message: Vec<u8>,
    encoded: Vec<u8>,
}

/// What came out of a conversion, beside the bytes.
type Lost = Vec<Json>;

impl Server {
    fn new(limits: Limits) -> Server {
        let arena = Arena::new(limits);
        Server { limits, cache: Cache::default(), arena, message: Vec::new(), encoded: Vec::new() }
    }

    /// Appends the answer to a line, which is always one.
    fn answer(&mut self, line: &[u8], out: &mut Vec<u8>) {
        let request = match Request::parse(line) {
            Ok(request) => request,
            Err((id, failure)) => return refuse(&id, &failure, out),
        };
        let converted = panic::catch_unwind(AssertUnwindSafe(|| self.convert(&request)));
        let converted = converted.unwrap_or_else(|_| {
            // Nothing that was being worked on is used again.
            *self = Server::new(self.limits);
            Err(Failure::bad("this message found a mistake in Wirewise: please report it"))
        });
        match converted {
            Err(failure) => refuse(&request.id, &failure, out),
            Ok(lost) => {
                // base64 needs no escapes.
                out.extend_from_slice(format!("{{\"id\":{},\"ok\":true,\"out\":\"", request.id).as_bytes());
                base64::encode(&self.encoded, out);
                out.push(b'"');
                if !lost.is_empty() {
                    out.extend_from_slice(format!(",\"lost\":{}", Json::from(lost)).as_bytes());
                }
                out.push(b'}');
            }
        }
        if self.arena.used() * size_of::<u64>() > KEPT {
            self.arena = Arena::new(self.limits);
        }
        self.message.shrink_to(KEPT);
        self.encoded.shrink_to(KEPT);
    }

    /// Converts one message into `encoded`.
    fn convert(&mut self, request: &Request<'_>) -> Result<Lost, Failure> {
        self.message.clear();
        self.encoded.clear();
        if !base64::decode(request.input.as_bytes(), &mut self.message) {
            return Err(Failure::bad("\"in\" is not standard base64 with padding"));
        }
        if self.message.len() > self.limits.message_bytes {
            let error = wirewise_core::Error::new(ErrorKind::Limit, "the message is too long");
            return Err(Failure::from_error(&error));
        }
        let (from, to) = (request.from()?, request.to()?);
        let codecs = self.cache.get(request, from, to, &self.message)?;
        let mut losses = Losses::allowing(request.allowed()?);
        self.arena.keep_unknown(!codecs.shaped && keeps_unknown(from, to, &losses));
        let document = codecs.from.decode(&self.message, &mut self.arena, &mut losses);
        let document: Document<'_> = document.map_err(|error| Failure::in_message(&error))?;
        // The encoder's offsets would be those of the output, which nobody has.
        let encoded = codecs.to.encode(&document, &mut self.encoded, &mut losses);
        encoded.map_err(|error| Failure::from_error(&error))?;
        let lost = losses.summary(codecs.from.schema()).into_iter();
        Ok(lost.map(|(kind, place, count)| json!({ "kind": kind.name(), "place": place, "count": count })).collect())
    }
}
