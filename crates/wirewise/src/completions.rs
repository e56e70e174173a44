//! `wirewise completions`.

use std::path::Path;

use clap::CommandFactory;

use crate::cli;
use crate::failure::Failure;
use crate::files;

pub(crate) fn run(options: cli::Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut cli::Cli::command(), "wirewise", &mut script);
    files::write(Path::new("-"), &script)
}
