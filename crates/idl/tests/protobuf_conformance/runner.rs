//! Starting the runner.

pub(crate) fn run() {}
