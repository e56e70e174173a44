//! `wirewise schema show`.

use crate::cli::{self, Output};
use crate::failure::Failure;

pub(crate) fn run(_options: cli::Show, _output: Output) -> Result<(), Failure> {
    Err(Failure::bad("later"))
}
