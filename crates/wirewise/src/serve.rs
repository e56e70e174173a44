//! `wirewise serve`.

use std::path::Path;
use std::sync::Arc;

use wirewise_gateway::config::{Config, FileSource, Resource, Secret, Source};
use wirewise_gateway::resource::SchemaFiles;
use wirewise_gateway::{Gateway, Surroundings, serve};

use crate::cli::{self, Output};
use crate::disk;
use crate::failure::{Failure, tell};
use crate::files;
use crate::schemas::{self, Extent};

pub(crate) fn run(options: &cli::Serve, output: Output) -> Result<(), Failure> {
    let (mut config, text) = read(&options.file)?;
    if let Some(listen) = options.listen {
        config.listen = listen;
    }
    let wrong = |error: wirewise_gateway::Error| failure(&error, &options.file, &text);
    if options.check {
        let gateway = Gateway::new(&config, &Here).map_err(wrong)?;
        return report(&gateway, output);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::bad(format!("cannot start threads: {error}")))?;
    let started = |address: std::net::SocketAddr, gateway: &Gateway| {
        for resource in gateway.resources() {
            tell(&format!("http://{address}{}: {}", resource.parts().path, resource.parts().source.describe()));
        }
    };
    runtime.block_on(serve(&config, &Here, started, stopped())).map_err(wrong)
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
    if config.resources.is_empty() {
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

fn report(gateway: &Gateway, output: Output) -> Result<(), Failure> {
    let resources = gateway.resources();
    let text = match output {
        Output::Text => resources
            .map(|resource| format!("{}: {}\n", resource.parts().path, resource.parts().source.describe()))
            .collect(),
        Output::Json => {
            let resources: Vec<_> = resources
                .map(|resource| {
                    let parts = resource.parts();
                    serde_json::json!({ "name": parts.name, "path": parts.path, "source": parts.source.describe() })
                })
                .collect();
            format!("{:#}\n", serde_json::json!({ "wirewise": "serve-check/1", "resources": resources }))
        }
    };
    files::write(Path::new("-"), text.as_bytes())
}

fn failure(error: &wirewise_gateway::Error, path: &Path, text: &str) -> Failure {
    let mut failure = match &error.span {
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

/// Until somebody wants us to stop.
async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
        else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
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
