//! What the tests of the gateway share: a gateway of a configuration, a client, an upstream.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use wirewise_core::{Arena, Limits, Losses, Schema};
use wirewise_gateway::config::{Config, Secret};
use wirewise_gateway::resource::{Resource, SchemaFiles};
use wirewise_gateway::version::Version;
use wirewise_gateway::{Error, Gateway, Result, Surroundings};

/// Schema files on disk; secrets as they stand in the configuration.
pub(crate) struct Here;

impl Surroundings for Here {
    fn secret(&self, secret: &Secret) -> Result<String> {
        match secret {
            Secret::Text(text) => Ok(text.clone()),
            other => Err(Error::new(format!("tests have no {other:?}"))),
        }
    }

    fn schemas(&self) -> Arc<dyn SchemaFiles> {
        Arc::new(Here)
    }
}

impl SchemaFiles for Here {
    fn load(&self, path: &Path, _: Option<&str>) -> Result<Option<Schema>> {
        let Ok(text) = std::fs::read_to_string(path) else { return Ok(None) };
        Schema::parse(&text).map(Some).map_err(|error| Error::new(format!("{}: {error}", path.display())))
    }

    fn create(&self, path: &Path, schema: &Schema) -> Result<()> {
        std::fs::write(path, schema.to_text()).map_err(|error| Error::new(error.to_string()))
    }
}

/// The configuration whose paths are in this folder.
pub(crate) fn config(text: &str, folder: &Path) -> Config {
    let mut config = Config::parse(text).unwrap();
    config.start_at(folder);
    config
}

/// The only resource of a configuration; nothing refreshes it but the test.
pub(crate) fn resource(text: &str, folder: &Path) -> Arc<Resource> {
    let gateway = Gateway::new(&config(text, folder), &Here).unwrap();
    gateway.resources().next().unwrap().clone()
}

/// A representation of the version that is served, as JSON of the base schema.
pub(crate) fn as_json(version: &Version, at: usize) -> String {
    let representation = &version.representations[at];
    let (schemas, id) = (&version.schemas, representation.variant.id);
    let codec = match &schemas.shaping {
        Some(shaping) if representation.is_shaped => wirewise_shapes::plan(id, shaping).unwrap(),
        _ => wirewise_formats::plan(id, &schemas.base).unwrap(),
    };
    let mut arena = Arena::new(Limits::default());
    let document = codec.decode(representation.identity(), &mut arena, &mut Losses::none()).unwrap();
    let mut out = Vec::new();
    wirewise_formats::plan("json", &schemas.base).unwrap().encode(&document, &mut out, &mut Losses::none()).unwrap();
    String::from_utf8(out).unwrap()
}

/// What is served, as JSON.
pub(crate) fn json(resource: &Resource) -> String {
    as_json(&resource.current().unwrap(), 0)
}

/// JSON in another variant.
pub(crate) fn encoded(variant: &str, schema: &Arc<Schema>, json: &str) -> Vec<u8> {
    let mut arena = Arena::new(Limits::default());
    let codec = wirewise_formats::plan("json", schema).unwrap();
    let document = codec.decode(json.as_bytes(), &mut arena, &mut Losses::none()).unwrap();
    let mut out = Vec::new();
    wirewise_formats::plan(variant, schema).unwrap().encode(&document, &mut out, &mut Losses::none()).unwrap();
    out
}

/// A gateway that listens.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) resource: Arc<Resource>,
    _stop: tokio::sync::oneshot::Sender<()>,
}

/// Serves the only resource of a configuration, and waits for its first version.
pub(crate) async fn running(text: &str, folder: &Path) -> Running {
    let text = format!("listen = \"127.0.0.1:0\"\n{text}");
    let config = config(&text, folder);
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let (send, receive) = tokio::sync::oneshot::channel();
    tokio::spawn(async move {
        let started = |addresses: wirewise_gateway::Addresses, gateway: &Gateway| {
            let _ = send.send((addresses.clients, gateway.resources().next().unwrap().clone()));
        };
        let stop = async {
            let _ = stopped.await;
        };
        wirewise_gateway::serve(&config, &Here, started, stop).await.unwrap();
    });
    let (address, resource) = receive.await.unwrap();
    tokio::time::timeout(std::time::Duration::from_secs(60), resource.ready()).await.unwrap();
    Running { address, resource, _stop: stop }
}

/// Asks, and reads all of the response.
pub(crate) async fn send(request: Request<Vec<u8>>) -> Response<Bytes> {
    let client = hyper_util::client::legacy::Client::builder(TokioExecutor::new()).build_http();
    let response = client.request(request.map(|body| Full::new(Bytes::from(body)))).await.unwrap();
    let (head, body) = response.into_parts();
    Response::from_parts(head, body.collect().await.unwrap().to_bytes())
}

/// Posts a body.
pub(crate) async fn post(url: &str, headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> Response<Bytes> {
    let mut request = Request::post(url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    send(request.body(body.into()).unwrap()).await
}

/// The JSON of a response.
pub(crate) fn body(response: &Response<Bytes>) -> serde_json::Value {
    serde_json::from_slice(response.body()).unwrap_or_else(|error| panic!("{error}: {:?}", response.body()))
}

/// What an upstream was asked: method, head, body.
pub(crate) type Asked = (http::Method, HeaderMap, Bytes);

/// A server whose responses are made by a function; what it was asked is kept.
pub(crate) async fn upstream(
    answer: impl Fn(&Asked) -> Response<Vec<u8>> + Send + Sync + 'static,
) -> (SocketAddr, Arc<Mutex<Vec<Asked>>>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (asked, answer) = (Arc::new(Mutex::new(Vec::new())), Arc::new(answer));
    let seen = asked.clone();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let (asked, answer) = (seen.clone(), answer.clone());
            let service = service_fn(move |request: Request<Incoming>| {
                let (asked, answer) = (asked.clone(), answer.clone());
                async move {
                    let (head, body) = request.into_parts();
                    let request = (head.method, head.headers, body.collect().await.unwrap().to_bytes());
                    let response = answer(&request).map(|body| Full::new(Bytes::from(body)));
                    asked.lock().unwrap().push(request);
                    Ok::<_, std::convert::Infallible>(response)
                }
            });
            tokio::spawn(hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
    (address, asked)
}

/// A response with this status.
pub(crate) fn response(status: StatusCode, headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> Response<Vec<u8>> {
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    response.body(body.into()).unwrap()
}
