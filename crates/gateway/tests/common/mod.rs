//! A gateway on a port of its own, and a client that says exactly what it is told to.
#![allow(dead_code, missing_docs, unreachable_pub)]

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use wirewise_core::Schema;
use wirewise_gateway::config::Secret;
use wirewise_gateway::resource::{Resource, SchemaFiles};
use wirewise_gateway::{Config, Result, Surroundings};

/// A gateway that runs; it stops with this.
pub struct Running {
    pub address: SocketAddr,
    pub resources: Vec<Arc<Resource>>,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Running {
    /// With this configuration, at any port.
    pub fn start(config: &str) -> Running {
        let mut config = Config::parse(config).unwrap();
        config.listen = ([127, 0, 0, 1], 0).into();
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let (tell, told) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            let started = |addresses: wirewise_gateway::Addresses, gateway: &wirewise_gateway::Gateway| {
                tell.send((addresses.clients, gateway.resources().cloned().collect())).unwrap();
            };
            let stopped = async { drop(stopped.await) };
            runtime.block_on(wirewise_gateway::serve(&config, &Here, started, stopped)).unwrap();
        });
        let (address, resources) = told.recv().unwrap();
        Running { address, resources, stop: Some(stop), thread: Some(thread) }
    }

    /// The same, once every resource has data.
    pub fn ready(config: &str) -> Running {
        let running = Running::start(config);
        wait("data", || running.resources.iter().all(|resource| resource.current().is_some()));
        running
    }

    pub fn get(&self, path: &str, headers: &[(&str, &str)]) -> Response {
        self.send("GET", path, headers, b"")
    }

    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        send(self.address, method, path, headers, body)
    }
}

/// A GET of another listener.
pub fn fetch(address: SocketAddr, path: &str) -> Response {
    send(address, "GET", path, &[], b"")
}

fn send(address: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    if !body.is_empty() {
        head += &format!("Content-Length: {}\r\n", body.len());
    }
    stream.write_all(&[head.as_bytes(), b"\r\n", body].concat()).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    Response::parse(&bytes)
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.stop.take().map(|stop| stop.send(()));
        let ended = self.thread.take().map(std::thread::JoinHandle::join);
        assert!(std::thread::panicking() || ended.is_none_or(|ended| ended.is_ok()));
    }
}

/// Waits until it is so.
pub fn wait(what: &str, mut is: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is() {
        assert!(start.elapsed() < Duration::from_secs(60), "no {what} after a minute");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Response {
    fn parse(bytes: &[u8]) -> Response {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Response { status, head, body: bytes[end + 4..].to_vec() }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let fields = self.head.lines().filter_map(|line| line.split_once(": "));
        fields.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// What tests have around them.
pub struct Here;

impl Surroundings for Here {
    fn secret(&self, secret: &Secret) -> Result<String> {
        match secret {
            Secret::Text(text) => Ok(text.clone()),
            _ => panic!("tests say their secrets"),
        }
    }

    fn schemas(&self) -> Arc<dyn SchemaFiles> {
        Arc::new(Files)
    }
}

struct Files;

impl SchemaFiles for Files {
    fn load(&self, path: &Path, _: Option<&str>) -> Result<Option<Schema>> {
        Ok(std::fs::read_to_string(path).ok().map(|text| Schema::parse(&text).unwrap()))
    }

    fn create(&self, path: &Path, schema: &Schema) -> Result<()> {
        std::fs::write(path, schema.to_text()).unwrap();
        Ok(())
    }
}
