//! Connections to PostgreSQL.

use std::sync::Arc;
use std::time::Duration;

use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{Client, Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::{Error, Result};

/// Where a database is, and how to get there.
pub(crate) struct Server {
    config: Config,
    describe: String,
    tls: Option<MakeRustlsConnect>,
}

impl Server {
    /// Reads the url. TLS is used when it asks for it, and the certificate is then checked, whatever `sslmode` says beyond
    /// `require`: an unchecked one protects from nobody who can change what is sent.
    pub(crate) fn new(url: &str) -> Result<Server> {
        let url = url.trim().replace("sslmode=verify-full", "sslmode=require");
        // What the reader says about it may have parts of the url in it.
        let mut config: Config = url.parse().map_err(|_| {
            Error::new("the url of the database cannot be read")
                .hint("write it like postgres://user:password@host:5432/database?sslmode=require")
        })?;
        if config.get_hosts().is_empty() {
            return Err(Error::new("the url of the database has no host"));
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(Duration::from_secs(10));
        }
        if config.get_application_name().is_none() {
            config.application_name("wirewise");
        }
        let tls = match config.get_ssl_mode() {
            SslMode::Require => Some(tls()?),
            _ => {
                config.ssl_mode(SslMode::Disable);
                None
            }
        };
        let describe = describe(&config);
        Ok(Server { config, describe, tls })
    }

    pub(crate) fn describe(&self) -> &str {
        &self.describe
    }

    /// A connection whose statements take no longer than this.
    pub(crate) async fn connect(&self, timeout: Duration) -> Result<Client> {
        let wrong = |error: tokio_postgres::Error| {
            let error = failed(&error);
            match self.tls.is_none() && error.message.contains("no encryption") {
                true => error.hint("add ?sslmode=require to the url"),
                false => error,
            }
        };
        let client = match &self.tls {
            Some(tls) => {
                let (client, connection) = self.config.connect(tls.clone()).await.map_err(wrong)?;
                drive(connection);
                client
            }
            None => {
                let (client, connection) = self.config.connect(NoTls).await.map_err(wrong)?;
                drive(connection);
                client
            }
        };
        let most = timeout.as_millis().clamp(1, i32::MAX as u128);
        client.batch_execute(&format!("set statement_timeout = {most}")).await.map_err(wrong)?;
        Ok(client)
    }
}

fn drive(connection: impl Future<Output = Result<(), tokio_postgres::Error>> + Send + 'static) {
    tokio::spawn(async move {
        // Whoever uses the connection learns of it.
        if let Err(error) = connection.await {
            tracing::debug!("a connection to the database ended: {error}");
        }
    });
}

fn tls() -> Result<MakeRustlsConnect> {
    let roots = crate::client::roots()?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::new(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

fn describe(config: &Config) -> String {
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(host)) => host.clone(),
        #[cfg(unix)]
        Some(Host::Unix(path)) => path.display().to_string(),
        None => "nowhere".to_owned(),
    };
    match config.get_dbname() {
        Some(name) => format!("the database {name} on {host}"),
        None => format!("the database on {host}"),
    }
}

/// What PostgreSQL says is wrong. Its own words have no password in them; values of rows, which its details may have, are
/// left out.
pub(crate) fn failed(error: &tokio_postgres::Error) -> Error {
    use std::error::Error as _;
    if let Some(error) = error.as_db_error() {
        let failed = Error::new(error.message().to_owned());
        return match error.hint() {
            Some(hint) => failed.hint(hint.to_owned()),
            None => failed,
        };
    }
    match error.source() {
        Some(source) => {
            Error::new(format!("{error}: {source}").replace("error connecting to server: ", "cannot connect: "))
        }
        None => Error::new(error.to_string()),
    }
}
