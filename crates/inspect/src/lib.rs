//! Explaining bytes.
