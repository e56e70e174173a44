//! Wirewise corpus.
