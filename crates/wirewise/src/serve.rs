//! `wirewise serve`.

mod check;
mod log;
mod stop;

use std::path::Path;
use std::sync::Arc;

use wirewise_gateway::config::{Config, FileSource, Resource, Secret, Source, place};
use wirewise_gateway::resource::SchemaFiles;
use wirewise_gateway::{Addresses, Gateway, Surroundings, serve};

use crate::cli::{self, Output};
use crate::disk;
use crate::failure::{Failure, tell};
use crate::files;
use crate::interrupt;
use crate::schemas::{self, Extent};

pub(crate) fn run(options: &cli::Serve, output: Output) -> Result<(), Failure> {
    let (mut config, text) = read(&options.file)?;
    if let Some(listen) = options.listen {
        config.listen = listen;
    }
    let placed = |error: &wirewise_gateway::Error| failure(error, &options.file, &text);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::bad(format!("cannot start threads: {error}")))?;
    if options.check {
        return runtime.block_on(check::run(&config, &Here, output, placed));
    }
    log::start(&config.telemetry).map_err(|error| placed(&error))?;
    interrupt::leave();
    let started = |addresses: Addresses, gateway: &Gateway| {
        let base = format!("{}://{}", if addresses.is_tls { "https" } else { "http" }, addresses.clients);
        for resource in gateway.resources() {
            tell(&format!("{base}{}: {}", resource.parts().path, resource.parts().source.describe()));
        }
        if let Some(address) = addresses.telemetry {
            tell(&format!("http://{address}/metrics, /health/live, /health/ready"));
        }
    };
    runtime.block_on(async { serve(&config, &Here, started, stop::stopped()).await }).map_err(|error| placed(&error))
}

/// The configuration, and its text.
fn read(path: &Path) -> Result<(Config, String), Failure> {
    if path.extension().is_none_or(|extension| extension != "toml") {
        return Ok((of_data(path)?, String::new()));
    }
    let text = String::from_utf8(files::read(path)?)
        .map_err(|error| Failure::bad(format!("the file is not valid UTF-8: {error}")).in_file(path))?;
    let mut config = Config::parse(&text).map_err(|error| failure(&error, path, &text))?;
    config.start_at(path.parent().unwrap_or(Path::new("")));
    if config.resources.is_empty() && config.proxy.is_none() {
        return Err(Failure::bad("the configuration has no resources")
            .in_file(path)
            .hint("add one: [resources.places]\nsource.file = { path = \"places.json\" }"));
    }
    Ok((config, text))
}

/// A file with data, for people who look at it.
fn of_data(path: &Path) -> Result<Config, Failure> {
    if !path.is_file() {
        files::open(path)?;
        return Err(Failure::bad("this is no file").in_file(path));
    }
    let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.split('.').next());
    let name = name.filter(|name| !name.is_empty()).unwrap_or("data").to_owned();
    let source = Source::File(FileSource { path: path.to_owned(), format: None });
    let resource =
        Resource { path: Some(format!("/{name}").replace(['?', '#', '%', ' '], "-")), ..Resource::of(source) };
    Ok(Config { development: true, resources: [(name, resource)].into(), ..Config::default() })
}

fn failure(error: &wirewise_gateway::Error, path: &Path, text: &str) -> Failure {
    let span = error.span.clone().or_else(|| place(text, &error.key));
    let mut failure = match &span {
        Some(span) => {
            let inner = wirewise_core::Error::syntax(span.start, error.message.clone());
            Failure::in_text(&inner, path, text.as_bytes())
        }
        None => Failure::bad(error.message.clone()).in_file(path),
    };
    if let Some(hint) = &error.hint {
        failure = failure.hint(hint.clone());
    }
    failure
}

/// This process: its environment, and the files it may read.
struct Here;

impl Surroundings for Here {
    fn secret(&self, secret: &Secret) -> wirewise_gateway::Result<String> {
        use wirewise_gateway::Error;
        match secret {
            Secret::Text(text) => Ok(text.clone()),
            Secret::Env { env } => std::env::var(env)
                .map_err(|_| Error::new(format!("the variable {env} is not set")).hint("a secret is to be in it")),
            Secret::File { file } => {
                let text = std::fs::read_to_string(file).map_err(|error| {
                    Error::new(format!("cannot read {}: {}", file.display(), disk::reason(&error)))
                        .hint("a secret is to be in it")
                })?;
                Ok(text.trim_end_matches(['\r', '\n']).to_owned())
            }
        }
    }

    fn schemas(&self) -> Arc<dyn SchemaFiles> {
        Arc::new(Disk)
    }
}

struct Disk;

impl SchemaFiles for Disk {
    fn load(&self, path: &Path, type_name: Option<&str>) -> wirewise_gateway::Result<Option<wirewise_core::Schema>> {
        let told = |failure: Failure| wirewise_gateway::Error::new(failure.to_string());
        if !path.exists() {
            return Ok(None);
        }
        let loaded = schemas::load_with_lock(path, None, &[]).map_err(told)?;
        schemas::message(&loaded, type_name, path, Extent::Root).map(Some).map_err(told)
    }

    fn create(&self, path: &Path, schema: &wirewise_core::Schema) -> wirewise_gateway::Result<()> {
        files::write(path, schema.to_text().as_bytes())
            .map_err(|failure| wirewise_gateway::Error::new(failure.to_string()))
    }
}
