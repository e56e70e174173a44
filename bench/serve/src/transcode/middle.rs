//! The API, and the servers between it and the client.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::client::{Body, Client, Request};
use super::{Case, envoy};
use crate::Options;
use crate::servers::{self, Server};

const WIREWISE: &str = "wirewise";

/// A server that converts.
pub struct Middle {
    pub server: Server,
    grammar: Grammar,
}

/// What its clients say.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Grammar {
    /// Resources with `Accept`.
    Http,
    /// Resources that are JSON.
    Gateway,
    /// Calls in JSON.
    Connect,
}

impl Middle {
    /// How this one is asked, when it does that.
    pub fn request(&self, case: Case) -> Option<Request> {
        let json = "application/json";
        let protobuf = "application/protobuf";
        let (path, accept, body) = match (self.grammar, case) {
            (Grammar::Http | Grammar::Gateway, Case::ProtobufToJson) => ("points", json, Body::None),
            (Grammar::Http | Grammar::Gateway, Case::JsonToProtobuf) => ("points", json, Body::Map),
            (Grammar::Connect, Case::ProtobufToJson) => ("wirewise.bench.Points/List", json, Body::Empty),
            (Grammar::Connect, Case::JsonToProtobuf) => ("wirewise.bench.Points/Replace", json, Body::Map),
            (Grammar::Http, Case::JsonApiToProtobuf) => ("json/points", protobuf, Body::None),
            (Grammar::Http, Case::PassProtobuf) => ("plain/points", protobuf, Body::None),
            (Grammar::Http, Case::PassJson) => ("plain/json/points", json, Body::None),
            (Grammar::Gateway | Grammar::Connect, _) => return None,
        };
        Some(Request { url: format!("http://{}/{path}", self.server.address), accept, body })
    }
}

/// All that runs.
pub struct All {
    pub middles: Vec<Middle>,
    pub versions: Vec<(String, String)>,
    /// The map as clients send it.
    pub json: Vec<u8>,
    /// The map as the API has it.
    pub protobuf: Vec<u8>,
    api: SocketAddr,
    _backend: Server,
}

impl All {
    /// The request for something that only the API itself answers.
    pub fn of_api(&self, path: &str) -> Request {
        Request { url: format!("http://{}/{path}", self.api), accept: "*/*", body: Body::None }
    }
}

/// Builds what is in Go, and starts everything.
///
/// # Errors
/// When something cannot be built or does not start.
pub fn start(options: &Options, folder: &Path) -> Result<All> {
    let go = options.go.as_deref().context("--go is needed")?;
    let bin = folder.join("bin");
    fs::create_dir(&bin)?;
    servers::run(Command::new("go").args(["build", "-o"]).arg(&bin).arg("./cmd/...").current_dir(go))?;
    let points = folder.join("points.json");
    let mut corpus = Command::new(&options.wirewise);
    corpus.args(["corpus", "geo-points", "--records", &options.points.to_string(), "--out"]).arg(&points);
    servers::run(&mut corpus)?;

    let (grpc, api) = (servers::free()?, servers::free()?);
    let mut backend = Command::new(bin.join("backend"));
    backend.arg(&points).args([grpc.to_string(), api.to_string()]);
    let backend = Server::listening("backend", api, &mut backend)?;
    let in_go = |name: &'static str, program: &str| {
        let address = servers::free()?;
        let mut command = Command::new(bin.join(program));
        command.args([grpc.to_string(), address.to_string()]);
        Server::listening(name, address, &mut command)
    };
    let mut middles = vec![
        Middle { server: wirewise(options, go, folder, api)?, grammar: Grammar::Http },
        Middle { server: in_go("grpc-gateway", "grpcgateway")?, grammar: Grammar::Gateway },
        Middle { server: in_go("connect-go", "connect")?, grammar: Grammar::Connect },
    ];
    if let Some(program) = &options.envoy {
        middles.push(Middle { server: envoy::start(program, go, folder, grpc)?, grammar: Grammar::Gateway });
    }
    let mut json = br#"{"value":"#.to_vec();
    json.extend_from_slice(fs::read(&points)?.trim_ascii());
    json.push(b'}');
    let mut all = All { middles, versions: versions(options, go), json, protobuf: Vec::new(), api, _backend: backend };
    all.protobuf = Client::new().ask(&all.of_api("points"), &[])?.body;
    Ok(all)
}

fn wirewise(options: &Options, go: &Path, folder: &Path, api: SocketAddr) -> Result<Server> {
    let address = servers::free()?;
    let schema = fs::canonicalize(go.join("points/points.proto"))?;
    let mut config = format!("listen = \"{address}\"\n[proxy]\nurl = \"http://{api}\"\n");
    for (path, format) in [("/points", "protobuf"), ("/json/points", "json")] {
        config += &format!(
            "[[proxy.transcode]]\npath = {path:?}\nschema = {schema:?}\nresponse = \"GeoPointList\"\nformat = {format:?}\n"
        );
    }
    let path = folder.join("wirewise.toml");
    fs::write(&path, config)?;
    Server::listening(WIREWISE, address, Command::new(&options.wirewise).arg("serve").arg(path))
}

fn versions(options: &Options, go: &Path) -> Vec<(String, String)> {
    let mut versions = vec![
        (WIREWISE.to_owned(), servers::version(Command::new(&options.wirewise).arg("--version"))),
        ("go".to_owned(), servers::version(Command::new("go").arg("version"))),
    ];
    for module in [
        "github.com/grpc-ecosystem/grpc-gateway/v2",
        "connectrpc.com/connect",
        "google.golang.org/grpc",
        "google.golang.org/protobuf",
    ] {
        let version = servers::version(Command::new("go").args(["list", "-m", module]).current_dir(go));
        versions.push((module.to_owned(), version.trim_start_matches(module).trim().to_owned()));
    }
    versions.push((envoy::NAME.to_owned(), envoy::version(options.envoy.as_deref())));
    versions
}
