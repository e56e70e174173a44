//! Bytes of Protobuf without a schema: they carry the numbers and layouts of fields. What the values mean they do not
//! say: see [`readings`](super::readings).

use std::collections::HashMap;

use wirewise_core::{Error, ErrorKind, Limits, Recorder, Result, Role, Tracer};

use super::readings::{self, Content};
use super::wire::{Cursor, WireType};

/// Explains one message, after its length if it is `delimited`, and returns how many bytes it took.
pub(super) fn explain(delimited: bool, input: &[u8], limits: &Limits, recorder: &mut Recorder) -> Result<usize> {
    if input.len() > limits.message_bytes {
        let what = format!("the message has {} bytes, more than the limit of {}", input.len(), limits.message_bytes);
        return Err(Error::new(ErrorKind::Limit, what));
    }
    let cursor = Cursor { input, pos: 0, end: input.len(), bounded: false, group: 0 };
    let mut walker = Walker { cursor, recorder, deepest: limits.depth };
    let mut cut = None;
    if delimited {
        let len = walker.cursor.varint()?;
        let bytes = 0..walker.cursor.pos;
        walker.recorder.span(bytes, Role::Length, format_args!("length of the message"), format_args!("{len}"));
        let left = input.len() - walker.cursor.pos;
        match i32::try_from(len) {
            Ok(len) if len as usize <= left => drop(walker.cursor.confine(walker.cursor.pos + len as usize)),
            // What there is of the message is explained all the same.
            Ok(len) => {
                cut = Some(Error::end(input.len(), format_args!("{} more bytes of a message", len as usize - left)));
            }
            Err(_) => return Err(Error::syntax(0, format!("a message of {len} bytes, more than 2 GiB"))),
        }
    }
    // Where it stops being valid is found, and explained up to there, by the walk.
    let mut survey = Survey::default();
    let _: Result<()> = survey.walk(&mut walker.cursor.clone(), 0, limits.depth);
    match (walker.fields(&mut survey.scopes.into_iter(), 0, 0), cut) {
        (Ok(()), None) => Ok(walker.cursor.pos),
        (Err(error), Some(cut)) if error.kind() != ErrorKind::End => Err(error.hint(cut.message())),
        (Err(error), None) => Err(error),
        (_, Some(cut)) => Err(cut),
    }
}

/// Messages and groups of which it is known which of their fields repeat; those that come later are shown without indices.
const MOST_SCOPES: usize = 1 << 16;

/// What a first look at a message found. Values after their lengths are not looked into, so that nesting costs no more
/// than one look at each byte and level.
#[derive(Default)]
pub(super) struct Survey {
    /// Fields of the message that are not in a group.
    pub(super) fields: usize,
    /// Whether something else than varints was found.
    pub(super) is_mixed: bool,
    /// Fields that come more than once: of the message, and of each group in it in the order in which they begin.
    scopes: Vec<HashMap<u32, usize>>,
}

impl Survey {
    /// Looks at bytes that are a message if this does not fail.
    pub(super) fn of(bytes: &[u8], depth: usize) -> Option<Survey> {
        let mut cursor = Cursor { input: bytes, pos: 0, end: bytes.len(), bounded: true, group: 0 };
        let mut survey = Survey::default();
        (!bytes.is_empty() && survey.walk(&mut cursor, 0, depth).is_ok()).then_some(survey)
    }

    /// Looks at the fields up to the end of the message or group. After an error, what was found so far is kept.
    fn walk(&mut self, cursor: &mut Cursor<'_>, group: u32, depth: usize) -> Result<()> {
        let scope = self.scopes.len();
        let is_kept = scope < MOST_SCOPES;
        if is_kept {
            self.scopes.push(HashMap::new());
        }
        let mut counts = HashMap::new();
        let walked = self.count(cursor, group, depth, &mut counts);
        if is_kept {
            counts.retain(|_, count| *count > 1);
            counts.values_mut().for_each(|count| *count = 0);
            self.scopes[scope] = counts;
        }
        walked
    }

    fn count(
        &mut self,
        cursor: &mut Cursor<'_>,
        group: u32,
        depth: usize,
        counts: &mut HashMap<u32, usize>,
    ) -> Result<()> {
        while group != 0 || cursor.pos < cursor.end {
            let at = cursor.pos;
            let (number, wire_type) = cursor.tag()?;
            match wire_type {
                WireType::EndGroup if number == group => return Ok(()),
                WireType::EndGroup => return Err(Error::syntax(at, "a group ends that has not begun")),
                _ => {}
            }
            *counts.entry(number).or_default() += 1;
            self.fields += usize::from(group == 0);
            self.is_mixed |= wire_type != WireType::Varint;
            match wire_type {
                WireType::StartGroup => match depth.checked_sub(1) {
                    Some(depth) => self.walk(cursor, number, depth)?,
                    None => return Err(too_deep(at)),
                },
                _ => cursor.skip(number, wire_type, 0)?,
            }
        }
        Ok(())
    }
}

fn too_deep(at: usize) -> Error {
    Error::new(ErrorKind::Limit, "groups nest too deep").at(at)
}

/// What is known of a message and its groups, one after the other.
type Scopes = std::vec::IntoIter<HashMap<u32, usize>>;

struct Walker<'a, 'r> {
    cursor: Cursor<'a>,
    recorder: &'r mut Recorder,
    deepest: usize,
}

impl Walker<'_, '_> {
    /// The fields of a message, or of a group and its end.
    fn fields(&mut self, scopes: &mut Scopes, group: u32, depth: usize) -> Result<()> {
        // How often each of the fields has come that come more than once.
        let mut repeated = scopes.next().unwrap_or_default();
        loop {
            let at = self.cursor.pos;
            if at == self.cursor.end {
                return match group {
                    0 => Ok(()),
                    group => Err(self.cursor.ended(&format!("the end of group {group}"))),
                };
            }
            let (number, wire_type) = self.cursor.tag()?;
            let tag = at..self.cursor.pos;
            if wire_type == WireType::EndGroup {
                if number != group {
                    return Err(self.cursor.wrong_end(number, at));
                }
                self.recorder.span(tag, Role::Tag, format_args!("tag {number}, {wire_type}"), format_args!(""));
                return Ok(());
            }
            let name = number.to_string();
            self.recorder.field(&name);
            let index = repeated.get_mut(&number).map(|next| std::mem::replace(next, *next + 1));
            if let Some(index) = index {
                self.recorder.index(index);
            }
            self.recorder.span(tag, Role::Tag, format_args!("tag {number}, {wire_type}"), format_args!(""));
            self.value(number, wire_type, scopes, depth).map_err(|error| match index {
                Some(index) => error.in_index(index).in_field(&name),
                None => error.in_field(&name),
            })?;
            if index.is_some() {
                self.recorder.leave();
            }
            self.recorder.leave();
        }
    }

    fn value(&mut self, number: u32, wire_type: WireType, scopes: &mut Scopes, depth: usize) -> Result<()> {
        let start = self.cursor.pos;
        match wire_type {
            WireType::Varint => {
                let value = self.cursor.varint()?;
                self.payload(start, "varint", format_args!("{}", readings::Varint(value)));
            }
            WireType::I64 => {
                let bits = u64::from_le_bytes(self.cursor.fixed()?);
                self.payload(start, "64-bit", format_args!("{}", readings::Fixed64(bits)));
            }
            WireType::I32 => {
                let bits = u32::from_le_bytes(self.cursor.fixed()?);
                self.payload(start, "32-bit", format_args!("{}", readings::Fixed32(bits)));
            }
            WireType::Len => self.prefixed(depth)?,
            WireType::StartGroup => {
                if depth >= self.deepest {
                    return Err(too_deep(start));
                }
                let outer = self.cursor.enter(number);
                self.fields(scopes, number, depth + 1)?;
                self.cursor.release(outer);
            }
            WireType::EndGroup => unreachable!("it ends the fields"),
        }
        Ok(())
    }

    /// A value after its length.
    fn prefixed(&mut self, depth: usize) -> Result<()> {
        let start = self.cursor.pos;
        let len = self.cursor.varint()?;
        let (content, left) = (self.cursor.pos, self.cursor.end - self.cursor.pos);
        let Ok(known) = i32::try_from(len) else {
            return Err(Error::syntax(start, format!("a value of {len} bytes, more than 2 GiB")));
        };
        let end = content + left.min(known as usize);
        let bytes = &self.cursor.input[content..end];
        let nested = self.deepest.checked_sub(depth + 1);
        let survey = nested.and_then(|left| Survey::of(bytes, left));
        let kind = Content { bytes, message: survey.as_ref() };
        if len as usize > left {
            self.recorder.span(start..content, Role::Length, format_args!("length"), format_args!("{len}"));
            self.cursor.pos = end;
            self.payload(content, "bytes, cut short", format_args!("{kind}"));
            let what = format!("{} more bytes of a value", len as usize - left);
            return Err(self.cursor.ended(&what));
        }
        if !kind.is_message() {
            let value = if len == 0 { "0: an empty text, message or list" } else { "" };
            let value = if len == 0 { value.to_owned() } else { len.to_string() };
            self.recorder.span(start..content, Role::Length, format_args!("length"), format_args!("{value}"));
            self.cursor.pos = end;
            self.payload(content, kind.name(), format_args!("{kind}"));
            return Ok(());
        }
        let what = format_args!("length of a message");
        self.recorder.span(start..content, Role::Length, what, format_args!("{len}{}", readings::Instead(&kind)));
        let outer = self.cursor.confine(end);
        let mut scopes = survey.map(|survey| survey.scopes).unwrap_or_default().into_iter();
        self.fields(&mut scopes, 0, depth + 1)?;
        self.cursor.release(outer);
        Ok(())
    }

    fn payload(&mut self, start: usize, what: &str, value: std::fmt::Arguments<'_>) {
        self.recorder.span(start..self.cursor.pos, Role::Payload, format_args!("{what}"), value);
    }
}
