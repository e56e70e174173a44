//! Checking a configuration without serving it: everything that is wrong, not only the first.

use std::collections::HashMap;
use std::time::Duration;

use crate::auth::Guard;
use crate::config::{Config, Source};
use crate::edge::{Certificates, Cors, wrong_scopes};
use crate::telemetry::Tracing;
use crate::{Error, Gateway, Result, Surroundings};

/// How long a server that is asked may take.
const TIME: Duration = Duration::from_secs(10);

/// What is wrong with a configuration.
#[derive(Debug, Default)]
pub struct Findings {
    /// With these, nothing can be served.
    pub errors: Vec<Error>,
    /// These may go away by themselves: a server that is down.
    pub warnings: Vec<Error>,
}

impl Findings {
    fn take<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.errors.push(error)).ok()
    }
}

/// Makes everything that the configuration describes, asks every server for what it is for, and lets go of it again.
pub async fn check(config: &Config, surroundings: &dyn Surroundings) -> Findings {
    let mut findings = Findings::default();
    resources(config, surroundings, &mut findings).await;
    let cluster = Config { resources: Default::default(), ..config.clone() };
    findings.take(Gateway::new(&cluster, surroundings));
    if let Some(tls) = &config.tls {
        findings.take(Certificates::new(tls));
    }
    if let Some(cors) = &config.cors {
        findings.take(Cors::new(cors));
    }
    if let Some(traces) = &config.telemetry.traces {
        findings.take(Tracing::new(traces, surroundings));
    }
    if let Some(guard) = config.auth.as_ref().and_then(|auth| findings.take(Guard::new(auth)))
        && let Err(error) = guard.try_keys().await
    {
        findings.warnings.push(error.at(["auth", "keys"]));
    }
    if config.telemetry.listen.is_some_and(|address| address == config.listen && address.port() != 0) {
        let same = Error::new("clients are answered at this address too").hint("metrics and health need another one");
        findings.errors.push(same.at(["telemetry", "listen"]));
    }
    findings
}

async fn resources(config: &Config, surroundings: &dyn Surroundings, findings: &mut Findings) {
    let mut paths: HashMap<String, String> = HashMap::new();
    for (name, resource) in &config.resources {
        let is_protected = config.auth.is_some() && !resource.public;
        if let Some(error) = wrong_scopes(name, &resource.scopes, is_protected) {
            findings.errors.push(error);
        }
        let one = [(name.clone(), resource.clone())].into();
        let alone = Config { resources: one, cluster: None, ..config.clone() };
        let made = Gateway::new(&alone, surroundings);
        let Some(made) = findings.take(made).and_then(|gateway| gateway.resources().next().cloned()) else { continue };
        if let Some(other) = paths.insert(made.parts().path.clone(), name.clone()) {
            let same = format!("resource {name}: {other} has the path {} too", made.parts().path);
            findings.errors.push(Error::new(same).at(["resources", name, "path"]));
        }
        let source = &made.parts().source;
        let late = || Error::new(format!("{} did not answer within {TIME:?}", source.describe()));
        let fetched = tokio::time::timeout(TIME, source.fetch(None)).await.unwrap_or_else(|_| Err(late()));
        if let Err(error) = fetched {
            let error = error.of(format!("resource {name}"));
            // What is not on this machine is a mistake; a server that is down may be up again when it matters.
            match &resource.source {
                Source::Sqlite(_) => findings.errors.push(error.at(["resources", name, "source", "sqlite"])),
                Source::File(_) => findings.errors.push(error.at(["resources", name, "source", "file", "path"])),
                _ => findings.warnings.push(error.at(["resources", name, "source"])),
            }
        }
    }
}
