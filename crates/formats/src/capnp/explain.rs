//! Messages without a schema: what their bytes tell on their own, and whether bytes look like a message at all.

use wirewise_core::{Error, ErrorKind, Limits, Recorder, Result, Role, Silent, Tracer};

use super::frame::{frame, has_table, unpack, unpack_cut, unpacked};
use super::message::{At, ListView, Message, StructView, Target, WORD};
use super::packed::Mapped;
use super::trace::{self, Cover};
use crate::{Framing, Guess, Variant};

/// Explains the message at the start of `input`: its pointers, and the data between them as numbers and texts.
pub(super) fn explain(is_packed: bool, input: &[u8], limits: &Limits, recorder: &mut Recorder) -> Result<usize> {
    if is_packed {
        let (message, used, cut) = unpack_cut(input, limits);
        let mut mapped = Mapped::new(&input[..used], message.len() / WORD, recorder);
        if let Some(cut) = cut {
            if has_table(&message) {
                drop(walk(&message, limits, &mut mapped));
            }
            return Err(cut);
        }
        return walk(&message, limits, &mut mapped).map(|()| used).map_err(|error| unpacked(error, input));
    }
    match frame(input, limits) {
        Ok(bytes) => walk(&input[..bytes], limits, recorder).map(|()| bytes),
        Err(cut) => {
            // What there is of the message is explained all the same.
            if has_table(input) {
                drop(walk(input, limits, recorder));
            }
            Err(cut)
        }
    }
}

fn walk<T: Tracer>(bytes: &[u8], limits: &Limits, tracer: &mut T) -> Result<()> {
    let mut walker = Walker { message: Message::new(bytes), cover: Cover::new(tracer, bytes), limits, objects: 0 };
    if T::ON {
        walker.cover.table(bytes);
    }
    let root = walker.message.root()?;
    walker.pointer(root, 0)?;
    if T::ON && !walker.message.is_cut {
        walker.cover.rest(0..bytes.len(), "nothing leads here");
    }
    Ok(())
}

struct Walker<'a, T> {
    message: Message<'a>,
    cover: Cover<'a, T>,
    limits: &'a Limits,
    /// Objects that pointers led to.
    objects: usize,
}

impl<T: Tracer> Walker<'_, T> {
    fn pointer(&mut self, at: At, depth: usize) -> Result<()> {
        if depth > self.limits.depth {
            return Err(Error::new(ErrorKind::Limit, "the message nests deeper than the limit").at(at.byte));
        }
        if T::ON {
            trace::explain_pointer(&self.message, &mut self.cover, at);
        }
        // A capability means something to RPC, and is no error here.
        if self.message.word(at.byte) as u32 == 3 {
            return Ok(());
        }
        let Some(target) = self.message.follow(at)? else { return Ok(()) };
        self.objects += 1;
        match target {
            Target::Struct(view) => self.fields(view, depth),
            Target::List(list) => self.list(list, depth),
        }
    }

    fn fields(&mut self, view: StructView, depth: usize) -> Result<()> {
        if T::ON {
            for (i, start) in (0..view.data_bits).step_by(64).enumerate() {
                let bits = (view.data_bits - start).min(64);
                let at = view.data + start / 8;
                let value = view.data(self.message.bytes, start, bits.ilog2());
                let what = format_args!("data word {i}");
                if value != 0 {
                    self.cover.span(at..at + bits / 8, Role::Payload, what, format_args!("{value:#x}"));
                }
            }
            self.cover.rest(view.data..view.pointers, "data words of zeros");
        }
        for index in 0..view.pointer_count {
            let Some(at) = view.pointer(index) else { continue };
            if T::ON {
                self.cover.field(&index.to_string());
            }
            self.pointer(at, depth + 1)?;
            self.cover.leave();
        }
        Ok(())
    }

    fn list(&mut self, list: ListView, depth: usize) -> Result<()> {
        let is_struct = list.composite || list.pointer_count > 0;
        if is_struct {
            for i in 0..list.count {
                self.cover.index(i);
                let view = list.element(i);
                match view.pointer(0) {
                    Some(at) if !list.composite => self.pointer(at, depth + 1)?,
                    _ => self.fields(view, depth + 1)?,
                }
                self.cover.leave();
            }
        } else if T::ON && list.data_bits == 8 {
            let bytes = &self.message.bytes[list.start..list.start + list.count];
            let is_text = bytes
                .split_last()
                .is_some_and(|(last, text)| *last == 0 && !text.contains(&0) && std::str::from_utf8(text).is_ok());
            trace::explain_blob(self.message.bytes, &mut self.cover, list, is_text);
        } else if T::ON && list.data_bits > 0 {
            let bytes = (list.count * list.data_bits).div_ceil(8);
            let (count, bits) = (list.count, list.data_bits);
            let range = list.start..list.start + bytes;
            self.cover.span(range, Role::Payload, format_args!("{count} elements of {bits} bits"), format_args!(""));
        }
        if T::ON {
            trace::explain_end(&mut self.cover, list);
        }
        Ok(())
    }
}

/// Which of the variants these bytes may be.
pub(super) fn guess(input: &[u8], variants: &'static [Variant]) -> Vec<Guess> {
    let mut guesses: Vec<Guess> = variants
        .iter()
        .filter_map(|variant| {
            let (certainty, why) = likely(input, variant.id == "capnp-packed")?;
            Some(Guess { variant, framing: Framing::Concatenated, certainty, why })
        })
        .collect();
    guesses.sort_by_key(|guess| std::cmp::Reverse(guess.certainty));
    guesses
}

/// Messages that are looked at closely; it is their frames that tell most.
const LOOKED_AT: usize = 16;

/// Most segments of a message that is taken for one; readers of Cap'n Proto refuse more.
const MOST_SEGMENTS: u32 = 512;

/// How sure it is that these are messages, and why.
fn likely(input: &[u8], is_packed: bool) -> Option<(u8, String)> {
    let limits = Limits { depth: 64, message_bytes: 64 << 20, memory_bytes: 64 << 20 };
    let (mut rest, mut count, mut objects, mut words) = (input, 0, 0, 0);
    let is_complete = loop {
        if rest.is_empty() {
            break true;
        }
        let unpacked;
        let (message, used) = if is_packed {
            match unpack(rest, &limits) {
                Ok((message, used)) => {
                    unpacked = message;
                    (&unpacked[..], used)
                }
                Err(error) if error.kind() == ErrorKind::End => break false,
                Err(_) => return None,
            }
        } else {
            match frame(rest, &limits) {
                Ok(bytes) => (&rest[..bytes], bytes),
                Err(error) if error.kind() == ErrorKind::End => break false,
                Err(_) => return None,
            }
        };
        let segments = u32::from_le_bytes(*message.first_chunk()?);
        if segments >= MOST_SEGMENTS {
            return None;
        }
        // Beyond segment table and root pointer.
        words += (message.len() / WORD).saturating_sub(2);
        if count < LOOKED_AT {
            objects += validate(message, &limits)?;
        }
        count += 1;
        rest = &rest[used..];
    };
    let packed = if is_packed { "packed " } else { "" };
    match (is_complete, count) {
        (_, 0) => None,
        (true, _) if words == 0 => Some((40, format!("{count} {packed}messages without content"))),
        (true, _) if objects < 2 => Some((65, format!("a {packed}message of a single struct"))),
        (true, 1) => Some((85, format!("a {packed}message whose segment table and pointers are valid"))),
        (true, _) => Some((90, format!("{count} {packed}messages whose segment tables and pointers are valid"))),
        (false, _) if objects < 2 => None,
        (false, _) => Some((60, format!("{count} {packed}messages are valid, and more may follow"))),
    }
}

/// How many objects a message has, when all its pointers are valid and its root is a struct.
fn validate(bytes: &[u8], limits: &Limits) -> Option<usize> {
    let mut silent = Silent;
    let cover = Cover::new(&mut silent, bytes);
    let mut walker = Walker { message: Message::new(bytes), cover, limits, objects: 0 };
    let root = walker.message.root().ok()?;
    if !matches!(walker.message.follow(root).ok()?, Some(Target::Struct(_))) {
        return None;
    }
    walker.pointer(root, 0).ok()?;
    Some(walker.objects)
}
