//! Wirewise report.
