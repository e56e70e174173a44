//! Wirewise transcode.
