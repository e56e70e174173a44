//! Schema evolution.
