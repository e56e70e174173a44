//! Choices that were made before: clients ask in few ways, and the same question has the same answer while a version is served.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

/// Questions that are kept; whoever asks in more ways is answered anew.
const MOST: usize = 256;

/// The longest question that is kept, in bytes.
const LONGEST: usize = 512;

/// What was asked, as bytes: the fields that choose.
pub struct Question {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Question {
    /// Of fields in their order. `None` when they are too long to be kept.
    pub fn new<'a>(fields: impl IntoIterator<Item = &'a [u8]>) -> Option<Question> {
        let mut question = Question { bytes: [0; LONGEST], len: 0 };
        for field in fields {
            // No field has a line break in it.
            for part in [field, b"\n"] {
                let end = question.len + part.len();
                question.bytes.get_mut(question.len..end)?.copy_from_slice(part);
                question.len = end;
            }
        }
        Some(question)
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// Answers by question.
pub struct Memo<T>(RwLock<HashMap<Box<[u8]>, T>>);

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Memo(RwLock::default())
    }
}

impl<T: Copy> Memo<T> {
    /// The answer that was given before.
    pub fn get(&self, question: &Question) -> Option<T> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(question.bytes()).copied()
    }

    /// Keeps an answer, while there is room.
    pub fn keep(&self, question: &Question, answer: T) {
        let mut answers = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if answers.len() < MOST {
            answers.insert(question.bytes().into(), answer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_told_apart_and_bounded() {
        let question = |fields: &[&[u8]]| Question::new(fields.iter().copied());
        let memo = Memo::default();
        memo.keep(&question(&[b"a", b"b"]).unwrap(), 1);
        assert_eq!(memo.get(&question(&[b"a", b"b"]).unwrap()), Some(1));
        assert_eq!(memo.get(&question(&[b"ab", b""]).unwrap()), None);
        assert!(question(&[&[b'x'; LONGEST]]).is_none() && question(&[&[b'x'; LONGEST - 1]]).is_some());
        for i in 0..1000_u32 {
            memo.keep(&question(&[&i.to_be_bytes()]).unwrap(), i);
        }
        assert_eq!(memo.0.read().unwrap().len(), MOST);
    }
}
