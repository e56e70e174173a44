//! Bodies that come in: read and decompressed within bounds.

use std::time::Duration;

use bytes::Bytes;
use http::header::ACCEPT_ENCODING;
use http::{HeaderValue, StatusCode};
use http_body_util::BodyExt as _;

use crate::codings::{self, Undecoded};
use crate::config::{Limits, Size};
use crate::problem::Problem;

/// Bounds on the bodies of requests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// As it is sent.
    sent: usize,
    /// Once it is decompressed.
    pub(crate) decoded: usize,
    /// How long it may take.
    time: Duration,
}

/// Why a body was not read.
pub(crate) enum Unread {
    /// It is longer than allowed.
    TooLarge,
    /// It ends before its end.
    BrokenOff(Box<dyn std::error::Error + Send + Sync>),
}

impl Bounds {
    pub(crate) fn new(limits: &Limits) -> Bounds {
        let size = |size: Size| usize::try_from(size.0).unwrap_or(usize::MAX);
        Bounds { sent: size(limits.body), decoded: size(limits.decoded), time: limits.body_time.0 }
    }

    /// Reads all of the body of a request.
    ///
    /// # Errors
    /// 413 when it is longer than allowed, 408 when it takes too long, 400 when it breaks off.
    pub(crate) async fn read<B>(&self, body: B) -> Result<Bytes, Problem>
    where
        B: http_body::Body<Data = Bytes>,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let Bounds { sent, time, .. } = *self;
        match tokio::time::timeout(time, read(body, sent)).await {
            Ok(Ok(bytes)) => Ok(bytes),
            Ok(Err(Unread::TooLarge)) => Err(too_large(format!("the body has more than {sent} bytes"))),
            Ok(Err(Unread::BrokenOff(_))) => Err(Problem::new(StatusCode::BAD_REQUEST, "the body breaks off")),
            Err(_) => {
                let detail = format!("the body did not arrive within {time:?}");
                Err(Problem::new(StatusCode::REQUEST_TIMEOUT, detail))
            }
        }
    }

    /// The body of a request without its codings. Takes time: not on a thread that answers requests.
    ///
    /// # Errors
    /// 413 when it becomes too large, 415 with what is supported, 400 when it is not what it says.
    pub(crate) fn decode(&self, codings: &[String], body: Bytes) -> Result<Bytes, Problem> {
        codings::decode(codings, body, self.decoded).map_err(|error| match error {
            Undecoded::TooLarge => {
                too_large(format!("the body has more than {} bytes once it is decompressed", self.decoded))
            }
            Undecoded::Damaged(_) => Problem::new(StatusCode::BAD_REQUEST, error.to_string()),
            Undecoded::Unknown(_) => Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, error.to_string())
                .header(ACCEPT_ENCODING, HeaderValue::from_static(codings::SUPPORTED)),
        })
    }
}

fn too_large(detail: String) -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
}

/// Reads all of a body, if it has no more than `most` bytes.
pub(crate) async fn read<B>(body: B, most: usize) -> Result<Bytes, Unread>
where
    B: http_body::Body<Data = Bytes>,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    // What `Content-Length` says: room that is not touched before the bytes are there.
    let announced = body.size_hint().lower();
    if announced > most as u64 {
        return Err(Unread::TooLarge);
    }
    let mut bytes = Vec::with_capacity(announced as usize);
    let mut body = std::pin::pin!(body);
    while let Some(frame) = body.frame().await {
        // What is no data are trailers.
        let Ok(data) = frame.map_err(|error| Unread::BrokenOff(error.into()))?.into_data() else { continue };
        if data.len() > most - bytes.len() {
            return Err(Unread::TooLarge);
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes.into())
}
