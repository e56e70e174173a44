//! `wirewise schema`.

mod check;
mod infer;
mod lock;
mod show;
mod translate;

use crate::cli::{Output, SchemaCommand};
use crate::failure::Failure;

pub(crate) fn run(command: SchemaCommand, output: Output) -> Result<(), Failure> {
    match command {
        SchemaCommand::Infer(options) => infer::run(options, output),
        SchemaCommand::Translate(options) => translate::run(options, output),
        SchemaCommand::Check(options) => check::run(options, output),
        SchemaCommand::Show(options) => show::run(options, output),
    }
}
