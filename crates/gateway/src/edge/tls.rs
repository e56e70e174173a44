//! TLS: certificates from files, read again when they change, without an end to any connection.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio_rustls::TlsAcceptor;

use super::watch::{self, Stamp};
use crate::config::Tls;
use crate::{Error, Result};

/// What is said to those who connect: always the certificate of the files as they were last.
#[derive(Debug)]
pub(crate) struct Certificates {
    files: Tls,
    current: ArcSwap<CertifiedKey>,
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.current.load_full())
    }
}

impl Certificates {
    /// Reads the files.
    ///
    /// # Errors
    /// When they cannot be read, are no PEM, or do not belong together.
    pub(crate) fn new(files: &Tls) -> Result<Arc<Certificates>> {
        let current = ArcSwap::from_pointee(read(files)?);
        Ok(Arc::new(Certificates { files: files.clone(), current }))
    }

    /// Accepts connections with them: TLS 1.2 and 1.3, for HTTP/2 and HTTP/1.1.
    ///
    /// # Errors
    /// Never, with the provider that is compiled in.
    pub(crate) fn acceptor(self: &Arc<Self>) -> Result<TlsAcceptor> {
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_protocol_versions(&[&rustls::version::TLS13, &rustls::version::TLS12])
            .map_err(|error| Error::new(format!("TLS cannot be set up: {error}")))?;
        let mut config = config.with_no_client_auth().with_cert_resolver(self.clone());
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }

    /// Looks at the files from time to time, for ever. What cannot be used leaves everything as it is.
    pub(crate) async fn keep_fresh(self: Arc<Self>) {
        let paths = [self.files.certificate.clone(), self.files.key.clone()];
        let mut seen = Stamp::of(&paths).await;
        // The files may have changed since they were read first.
        let mut is_first = true;
        loop {
            if !is_first {
                seen = watch::changed(&paths, &seen, self.files.reload.0).await;
                // Whoever writes two files is not done with both at once.
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            let files = self.files.clone();
            let read = tokio::task::spawn_blocking(move || read(&files)).await;
            match read {
                Ok(Ok(key)) => {
                    let is_new = key.cert != self.current.load().cert;
                    self.current.store(Arc::new(key));
                    if is_new {
                        tracing::info!("the certificates were renewed");
                    }
                }
                Ok(Err(error)) => tracing::error!("{error}: the certificates of before are still used"),
                Err(_) => tracing::error!("reading certificates failed for an unknown reason"),
            }
            is_first = false;
        }
    }
}

fn read(files: &Tls) -> Result<CertifiedKey> {
    let chain = pem(&files.certificate, "certificate")?;
    let chain = CertificateDer::pem_slice_iter(&chain).collect::<Result<Vec<_>, _>>();
    let chain = chain.map_err(|error| bad(&files.certificate, &error).at(["tls", "certificate"]))?;
    if chain.is_empty() {
        let empty = Error::new(format!("{} has no certificate in it", files.certificate.display()));
        return Err(empty.hint("it is to be a PEM file: -----BEGIN CERTIFICATE-----").at(["tls", "certificate"]));
    }
    let key = PrivateKeyDer::from_pem_slice(&pem(&files.key, "key")?).map_err(|error| {
        bad(&files.key, &error)
            .hint("it is to be a PEM file: -----BEGIN PRIVATE KEY-----, without a password")
            .at(["tls", "key"])
    })?;
    CertifiedKey::from_der(chain, key, &ring::default_provider()).map_err(|error| {
        let what = match error {
            rustls::Error::InconsistentKeys(_) => {
                format!("{} is not the key of {}", files.key.display(), files.certificate.display())
            }
            error => format!("{} and {}: {error}", files.certificate.display(), files.key.display()),
        };
        Error::new(what).at(["tls", "key"])
    })
}

fn pem(path: &Path, key: &str) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| Error::new(format!("cannot read {}: {error}", path.display())).at(["tls", key]))
}

fn bad(path: &Path, error: &rustls::pki_types::pem::Error) -> Error {
    Error::new(format!("{} is no good PEM file: {error}", path.display()))
}
