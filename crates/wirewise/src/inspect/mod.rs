//! `wirewise inspect`.
//!
//! * `stream` takes off what is compressed around the input.
//! * `plan` decides what it is read as.
//! * `writer` writes what is found, as it is found.

mod plan;
mod stream;
mod writer;

use std::ops::ControlFlow;
use std::sync::Arc;

use wirewise_inspect::{ByField, Failure as Stopped, Reading};

use crate::cli::{self, Output};
use crate::failure::{Failure, tell};
use crate::files;
use crate::schemas::{self, Extent};

use plan::Plan;
use stream::Stream;
use writer::Writer;

/// Bytes from which it is guessed what the input is.
const LOOK: usize = 64 << 10;

pub(crate) fn run(options: cli::Inspect, output: Output) -> Result<(), Failure> {
    files::check_inputs([&options.input].into_iter().chain(&options.schema.schema))?;
    let limits = options.limits.limits();
    let schema = schemas::read(&options.schema, Extent::All)?.map(Arc::new);
    // Bytes are explained as they are.
    let shaped = schema.as_ref().map(|schema| schemas::shaped(schema)).transpose()?.flatten();
    if shaped.is_some() {
        tell("note: the schema notes shapes: places are those of shaped messages");
    }
    let schema = shaped.or(schema);
    let mut stream = Stream::open(&options, limits)?;
    let mut writer = Writer::new(&options, output);
    if let Some(failure) = stream.broken(&options.input) {
        writer.layers(&stream)?;
        return Err(failure);
    }
    let plan = Plan::make(&options, &mut stream, schema.as_ref())?;
    if output == Output::Text {
        plan.tell();
    }
    let reading = Reading::plan(plan.variant, plan.frames, plan.confluent, schema.as_ref())
        .map_err(|error| Failure::from_error(&error))?;
    writer.begin(&plan, &stream)?;
    let mut wrong = None;
    let most = options.max_messages;
    let mut show = |item: &wirewise_inspect::Item<'_>| match writer.item(item) {
        Ok(()) => ControlFlow::Continue(()),
        Err(failure) => {
            wrong = Some(failure);
            ControlFlow::Break(())
        }
    };
    let summary = match options.by_field {
        true => wirewise_inspect::by_field(stream.input, &reading, limits, most),
        false => {
            let shown = wirewise_inspect::inspect(stream.input, &reading, limits, most, &mut show);
            shown.map(|summary| (ByField::default(), summary))
        }
    };
    if let Some(failure) = wrong {
        return Err(failure);
    }
    let (by_field, summary) = summary.map_err(|stopped| match stopped {
        Stopped::Read(error) => Failure::io("read", &options.input, &error),
        Stopped::Plan(error) => Failure::from_error(&error).in_file(&options.input),
    })?;
    writer.end(&summary, &by_field)?;
    match summary.broken {
        None => Ok(()),
        Some(broken) => Err(Failure::in_item(&broken, &options.input)),
    }
}
