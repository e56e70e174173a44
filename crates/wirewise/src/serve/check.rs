//! `wirewise serve --check`.

use std::path::Path;

use serde_json::json;
use wirewise_gateway::config::Config;
use wirewise_gateway::{Error, Gateway, Surroundings, check};

use super::log;
use crate::cli::Output;
use crate::failure::{Failure, tell};
use crate::files;

/// Says what is served, and everything that is wrong.
pub(super) async fn run(
    config: &Config,
    here: &dyn Surroundings,
    output: Output,
    placed: impl Fn(&Error) -> Failure,
) -> Result<(), Failure> {
    let mut findings = check(config, here).await;
    findings.errors.extend(log::filter(&config.telemetry).err());
    let mut errors: Vec<Failure> = findings.errors.iter().map(&placed).collect();
    let warnings: Vec<Failure> = findings.warnings.iter().map(&placed).collect();
    let gateway = match errors.is_empty() {
        true => Some(Gateway::new(config, here).map_err(|error| placed(&error))?),
        false => None,
    };
    let parts = || gateway.iter().flat_map(Gateway::resources).map(|resource| resource.parts());
    let text = match output {
        Output::Text => parts().map(|parts| format!("{}: {}\n", parts.path, parts.source.describe())).collect(),
        Output::Json => {
            let resources: Vec<_> = parts()
                .map(|parts| json!({ "name": parts.name, "path": parts.path, "source": parts.source.describe() }))
                .collect();
            let found = json!({
                "wirewise": "serve-check/1", "resources": resources, "errors": errors, "warnings": warnings,
            });
            format!("{found:#}\n")
        }
    };
    files::write(Path::new("-"), text.as_bytes())?;
    let last = errors.pop();
    if output == Output::Text {
        warnings.iter().for_each(|warning| tell(&format!("warning: {warning}")));
        errors.iter().for_each(|error| tell(&format!("error: {error}")));
    }
    last.map_or(Ok(()), Err)
}
