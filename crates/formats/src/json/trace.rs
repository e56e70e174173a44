//! What a traced scanner says about the bytes that it reads.
//!
//! Brackets, commas and white space are not reported where they are read, but together before the next token; so they
//! belong to the value that was open at that time.

use wirewise_core::{Role, Tracer};

use super::scan::Scanner;

impl<T: Tracer> Scanner<'_, T> {
    fn role(&self, role: Role) -> Role {
        if self.unknown { Role::Unknown } else { role }
    }

    /// All up to `end` that is not reported yet is punctuation.
    #[inline]
    pub(super) fn trace_punctuation(&mut self, end: usize) {
        if T::ON && self.traced < end {
            self.trace_bytes(self.traced, end, Role::Syntax, "punctuation");
        }
    }

    /// The punctuation up to here. Where something is wrong, more than that was read.
    #[cold]
    pub(super) fn trace_stop(&mut self) {
        let read = self.input.get(self.traced..self.pos).unwrap_or_default();
        let is_punctuation =
            |byte: &&u8| matches!(byte, b'{' | b'}' | b'[' | b']' | b',' | b':' | b' ' | b'\n' | b'\r' | b'\t');
        let len = read.iter().take_while(is_punctuation).count();
        self.trace_punctuation(self.traced + len);
    }

    #[cold]
    fn trace_bytes(&mut self, start: usize, end: usize, role: Role, what: &str) {
        let text = String::from_utf8_lossy(&self.input[start..end]);
        let text: String = if role == Role::Payload { text.into() } else { text.split_ascii_whitespace().collect() };
        let what = if role == Role::Syntax && text.is_empty() { "white space" } else { what };
        self.tracer.span(start..end, self.role(role), format_args!("{what}"), format_args!("{text}"));
        self.traced = end;
    }

    /// A token of a value that ends here.
    #[inline]
    pub(super) fn trace_token(&mut self, start: usize, role: Role) {
        if T::ON {
            self.trace_punctuation(start);
            let what = match self.input.get(start) {
                Some(b'"') => "string",
                Some(b't' | b'f') => "boolean",
                Some(b'n') => "null",
                _ => "number",
            };
            self.trace_bytes(start, self.pos, role, what);
        }
    }

    /// Enters the element with this index.
    #[inline]
    pub(super) fn enter_index(&mut self, index: usize) {
        if T::ON {
            self.peek();
            self.trace_punctuation(self.pos);
            self.tracer.index(index);
        }
    }

    /// Enters a field of an array of fields, whose name is not written.
    #[inline]
    pub(super) fn enter_field(&mut self, name: &str) {
        if T::ON {
            self.peek();
            self.trace_punctuation(self.pos);
            self.tracer.field(name);
        }
    }

    /// Enters the field whose name begins at `start` and was just read, with the colon after it.
    #[inline]
    pub(super) fn enter_named(&mut self, start: usize, name: &[u8]) {
        if T::ON {
            self.trace_punctuation(start);
            self.tracer.field(&String::from_utf8_lossy(name));
            self.trace_name(start);
        }
    }

    /// The same for the entry of a map.
    #[inline]
    pub(super) fn enter_key(&mut self, start: usize, key: &[u8]) {
        if T::ON {
            self.trace_punctuation(start);
            self.tracer.key(key);
            self.trace_name(start);
        }
    }

    #[cold]
    fn trace_name(&mut self, start: usize) {
        self.peek();
        self.trace_bytes(start, self.pos, Role::Name, "name");
    }

    /// Leaves what was entered last.
    #[inline]
    pub(super) fn leave(&mut self) {
        if T::ON {
            self.trace_punctuation(self.pos);
            self.tracer.leave();
        }
    }

    /// Reads something that the schema does not know.
    #[inline]
    pub(super) fn unknown<R>(&mut self, read: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.unknown, true);
        let result = read(self);
        if T::ON {
            self.trace_stop();
        }
        self.unknown = before;
        result
    }
}
