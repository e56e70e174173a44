//! The log, on standard error: lines for people, or objects for programs.

use std::io::IsTerminal;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};
use wirewise_gateway::config::{LogForm, Telemetry};
use wirewise_gateway::{Error, Result};

/// What is logged, by the level that the configuration names.
pub(super) fn filter(telemetry: &Telemetry) -> Result<Targets> {
    let wrong = || {
        Error::new(format!("{:?} is no level of the log", telemetry.level))
            .hint(
                "write error, warn, info, debug, trace or off; or targets with levels: \"info,wirewise_gateway=debug\"",
            )
            .at(["telemetry", "level"])
    };
    // A word alone would be a target with all that it says.
    let is_level = |part: &str| part.contains('=') || part.trim().parse::<LevelFilter>().is_ok();
    if !telemetry.level.split(',').all(is_level) {
        return Err(wrong());
    }
    telemetry.level.parse().map_err(|_| wrong())
}

/// Logs from now on, for as long as the process lives.
pub(super) fn start(telemetry: &Telemetry) -> Result<()> {
    let filter = filter(telemetry)?;
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal());
    let layer = match telemetry.log {
        LogForm::Text => lines.boxed(),
        LogForm::Json => lines.json().flatten_event(true).with_current_span(false).with_span_list(false).boxed(),
    };
    // One that is there already stays.
    let _ = tracing_subscriber::registry().with(layer.with_filter(filter)).try_init();
    Ok(())
}
