//! A gateway on a free port, and clients that ask it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, StatusCode, Version};
use http_body_util::{BodyExt, Full};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use wirewise_gateway::config::Secret;
use wirewise_gateway::resource::SchemaFiles;
use wirewise_gateway::{Addresses, Config, Error, Result, Surroundings, serve};

/// What the configuration names outside itself.
#[derive(Default)]
pub(crate) struct Here(pub(crate) HashMap<&'static str, &'static str>);

impl Surroundings for Here {
    fn secret(&self, secret: &Secret) -> Result<String> {
        match secret {
            Secret::Text(text) => Ok(text.clone()),
            Secret::Env { env } => {
                let found = self.0.get(env.as_str()).map(|&value| value.to_owned());
                found.ok_or_else(|| Error::new(format!("the variable {env} is not set")))
            }
            Secret::File { file } => Err(Error::new(format!("cannot read {}", file.display()))),
        }
    }

    fn schemas(&self) -> Arc<dyn SchemaFiles> {
        Arc::new(NoFiles)
    }
}

struct NoFiles;

impl SchemaFiles for NoFiles {
    fn load(&self, _: &Path, _: Option<&str>) -> Result<Option<wirewise_core::Schema>> {
        Ok(None)
    }

    fn create(&self, _: &Path, _: &wirewise_core::Schema) -> Result<()> {
        Ok(())
    }
}

/// A gateway that serves `places`.
pub(crate) struct Server {
    pub(crate) addresses: Addresses,
    pub(crate) folder: TempDir,
    stop: Option<oneshot::Sender<()>>,
    task: tokio::task::JoinHandle<Result<()>>,
}

/// Some points, enough to be worth compressing.
pub(crate) fn places() -> String {
    let point = |i| format!("{{\"id\": {i}, \"name\": \"place number {i}\"}}");
    format!("[{}]", (0..500).map(point).collect::<Vec<_>>().join(", "))
}

impl Server {
    /// Starts one. `FOLDER` in the configuration is a folder of its own, in which `files` are.
    pub(crate) async fn start(config: &str, files: &[(&str, &str)]) -> Server {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("places.json"), places()).unwrap();
        for (name, content) in files {
            std::fs::write(folder.path().join(name), content).unwrap();
        }
        let places = "source.file = { path = \"FOLDER/places.json\" }\nrefresh = \"100ms\"\n";
        let config = match config.contains("[resources.places]") {
            true => config.replace("[resources.places]\n", &format!("[resources.places]\n{places}")),
            false => format!("{config}\n[resources.places]\n{places}"),
        };
        let config = config.replace("FOLDER", folder.path().to_str().unwrap());
        let mut config = Config::parse(&config).unwrap_or_else(|error| panic!("{error}\n{config}"));
        config.listen = "127.0.0.1:0".parse().unwrap();
        config.telemetry.listen = Some("127.0.0.1:0".parse().unwrap());
        let (stop, stopped) = oneshot::channel::<()>();
        let (tell, started) = oneshot::channel();
        let task = tokio::spawn(async move {
            let here = Here::default();
            let started = |addresses, _: &_| {
                let _ = tell.send(addresses);
            };
            serve(&config, &here, started, async { drop(stopped.await) }).await
        });
        let Ok(addresses) = started.await else { panic!("{:?}", task.await) };
        let server = Server { addresses, folder, stop: Some(stop), task };
        server.ready().await;
        server
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Waits until the first version is there.
    async fn ready(&self) {
        for _ in 0..600 {
            let (_, body) = self.telemetry("/health/ready").await;
            if body.contains("\"state\": \"fresh\"") {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("never ready: {:?}", self.telemetry("/health/ready").await);
    }

    /// Asks it to stop.
    pub(crate) fn stop(&mut self) {
        drop(self.stop.take());
    }

    /// Waits until it has.
    pub(crate) async fn ended(&mut self) {
        tokio::time::timeout(Duration::from_secs(20), &mut self.task).await.expect("it ends").unwrap().unwrap();
    }

    /// What the listener for those who run it answers.
    pub(crate) async fn telemetry(&self, path: &str) -> (StatusCode, String) {
        let stream = TcpStream::connect(self.addresses.telemetry.unwrap()).await.unwrap();
        let response = Client::http1(stream).await.get(path, &[]).await;
        (response.status(), String::from_utf8(response.into_body().to_vec()).unwrap())
    }

    /// The value of a metric: the name with its labels as they are written.
    pub(crate) async fn metric(&self, name: &str) -> Option<f64> {
        let (_, text) = self.telemetry("/metrics").await;
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.map(|value| value.parse().unwrap())
    }

    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.addresses.clients).await.unwrap()
    }

    /// A connection without TLS, by HTTP/1.1.
    pub(crate) async fn client(&self) -> Client {
        Client::http1(self.connect().await).await
    }

    /// A response to a GET of its own connection.
    pub(crate) async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Response<Bytes> {
        self.client().await.get(path, headers).await
    }

    /// Sends bytes as they are, and reads until the other side ends.
    pub(crate) async fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect().await;
        let _ = stream.write_all(bytes).await;
        let mut answer = Vec::new();
        let read = stream.read_to_end(&mut answer);
        let _ = tokio::time::timeout(Duration::from_secs(10), read).await.expect("the connection ends");
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// A connection by TLS, for the first of these protocols that the server knows.
    pub(crate) async fn tls(&self, root: &CertificateDer<'static>, protocols: &[&str]) -> Result<TlsStream, String> {
        let mut roots = RootCertStore::empty();
        roots.add(root.clone()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let mut config = config.with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = protocols.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
        let name = ServerName::try_from("localhost").unwrap();
        let connector = tokio_rustls::TlsConnector::from(Arc::new(config));
        connector.connect(name, self.connect().await).await.map_err(|error| error.to_string())
    }
}

pub(crate) type TlsStream = tokio_rustls::client::TlsStream<TcpStream>;

/// A connection.
pub(crate) enum Client {
    Http1(hyper::client::conn::http1::SendRequest<Full<Bytes>>),
    Http2(hyper::client::conn::http2::SendRequest<Full<Bytes>>),
}

impl Client {
    pub(crate) async fn http1<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(stream: S) -> Client {
        let (sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        Client::Http1(sender)
    }

    pub(crate) async fn http2<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(stream: S) -> Client {
        let made = hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await;
        let (sender, connection) = made.unwrap();
        tokio::spawn(connection);
        Client::Http2(sender)
    }

    pub(crate) async fn get(&mut self, path: &str, headers: &[(&str, &str)]) -> Response<Bytes> {
        self.ask("GET", path, headers).await.unwrap()
    }

    pub(crate) async fn ask(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
    ) -> hyper::Result<Response<Bytes>> {
        self.send(method, path, headers, Bytes::new()).await
    }

    pub(crate) async fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> hyper::Result<Response<Bytes>> {
        let uri = match self {
            Client::Http1(_) => path.to_owned(),
            Client::Http2(_) => format!("https://localhost{path}"),
        };
        let mut request = Request::builder().method(method).uri(uri);
        for (name, value) in [("host", "localhost")].iter().chain(headers) {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::new(body.into())).unwrap();
        let response = match self {
            Client::Http1(sender) => sender.send_request(request).await?,
            Client::Http2(sender) => sender.send_request(request).await?,
        };
        let (parts, body) = response.into_parts();
        let version = if matches!(self, Client::Http1(_)) { Version::HTTP_11 } else { Version::HTTP_2 };
        assert_eq!(parts.version, version);
        Ok(Response::from_parts(parts, body.collect().await?.to_bytes()))
    }
}

/// The value of a header field, all of them as one.
pub(crate) fn header<B>(response: &Response<B>, name: &str) -> String {
    let values: Vec<_> = response.headers().get_all(name).iter().map(|value| value.to_str().unwrap()).collect();
    values.join(", ")
}
