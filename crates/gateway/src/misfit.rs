//! Why a body is not what was expected.

use http::StatusCode;
use wirewise_core::ErrorKind;

use crate::problem::Problem;

/// What is wrong with a body: with a place in the message, or without.
pub(crate) enum Misfit {
    Message(wirewise_core::Error),
    Other(crate::Error),
}

impl Misfit {
    /// The byte at which it shows.
    pub(crate) fn offset(&self) -> Option<usize> {
        match self {
            Misfit::Message(error) => error.offset(),
            Misfit::Other(_) => None,
        }
    }

    /// 400, 413 or 422, with the place.
    pub(crate) fn problem(self) -> Problem {
        let error = match self {
            Misfit::Message(error) => error,
            Misfit::Other(error) => return Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()),
        };
        let (status, detail) = match error.kind() {
            ErrorKind::Syntax | ErrorKind::End => (StatusCode::BAD_REQUEST, "the body is not what its media type says"),
            ErrorKind::Limit => (StatusCode::PAYLOAD_TOO_LARGE, "the body is too large once it is decoded"),
            _ => (StatusCode::UNPROCESSABLE_ENTITY, "the body does not fit the schema"),
        };
        let mut place =
            serde_json::json!({ "detail": error.message(), "path": error.path().unwrap_or("$".to_owned()) });
        if let Some(offset) = error.offset() {
            place["offset"] = offset.into();
        }
        Problem::new(status, detail).with("errors", vec![place])
    }
}

impl From<wirewise_core::Error> for Misfit {
    fn from(error: wirewise_core::Error) -> Misfit {
        Misfit::Message(error)
    }
}

impl From<crate::Error> for Misfit {
    fn from(error: crate::Error) -> Misfit {
        Misfit::Other(error)
    }
}

impl From<Misfit> for crate::Error {
    fn from(misfit: Misfit) -> crate::Error {
        match misfit {
            Misfit::Message(error) => error.into(),
            Misfit::Other(error) => error,
        }
    }
}
