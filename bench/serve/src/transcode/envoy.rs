//! Envoy with its gRPC-JSON transcoder.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use anyhow::Result;
use serde_json::{Value, json};

use crate::servers::{self, Server};

pub const NAME: &str = "envoy";

/// The longest message that it takes: the map is longer than its default. As `MaxMessage` of the servers in Go.
const MAX_MESSAGE: usize = 64 << 20;

/// Starts it in front of the gRPC API, with the rules that grpc-gateway has.
pub fn start(program: &Path, go: &Path, folder: &Path, grpc: SocketAddr) -> Result<Server> {
    let descriptors = folder.join("points.pb");
    let rules = go.join("points/gateway.yaml");
    servers::run(Command::new(folder.join("bin/descriptors")).arg(rules).arg(&descriptors))?;
    let address = servers::free()?;
    let path = folder.join("envoy.json");
    fs::write(&path, config(address, grpc, &descriptors).to_string())?;
    // Only one Envoy with hot restart may run on a machine. It costs nothing while requests are answered.
    Server::listening(NAME, address, Command::new(program).arg("--disable-hot-restart").arg("-c").arg(path))
}

/// What can be left out is left out, so that it has its default.
fn config(address: SocketAddr, grpc: SocketAddr, descriptors: &Path) -> Value {
    let extensions = "type.googleapis.com/envoy.extensions";
    let socket = |at: SocketAddr| json!({ "socket_address": { "address": at.ip(), "port_value": at.port() } });
    let transcoder = json!({
        "@type": format!("{extensions}.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder"),
        "proto_descriptor": descriptors,
        "services": ["wirewise.bench.Points"],
        "max_request_body_size": MAX_MESSAGE,
        "max_response_body_size": MAX_MESSAGE,
    });
    let router = json!({ "@type": format!("{extensions}.filters.http.router.v3.Router") });
    let manager = json!({
        "@type": format!("{extensions}.filters.network.http_connection_manager.v3.HttpConnectionManager"),
        "stat_prefix": "points",
        "route_config": { "virtual_hosts": [{
            "name": "points",
            "domains": ["*"],
            "routes": [{ "match": { "prefix": "/" }, "route": { "cluster": "points" } }],
        }] },
        "http_filters": [
            { "name": "envoy.filters.http.grpc_json_transcoder", "typed_config": transcoder },
            { "name": "envoy.filters.http.router", "typed_config": router },
        ],
    });
    let filter = json!({ "name": "envoy.filters.network.http_connection_manager", "typed_config": manager });
    let protocol = json!({
        "@type": format!("{extensions}.upstreams.http.v3.HttpProtocolOptions"),
        "explicit_http_config": { "http2_protocol_options": {} },
    });
    let endpoint = json!({ "endpoint": { "address": socket(grpc) } });
    json!({ "static_resources": {
        "listeners": [{ "address": socket(address), "filter_chains": [{ "filters": [filter] }] }],
        "clusters": [{
            "name": "points",
            "type": "STATIC",
            "typed_extension_protocol_options": { "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": protocol },
            "load_assignment": { "cluster_name": "points", "endpoints": [{ "lb_endpoints": [endpoint] }] },
        }],
    } })
}

/// As it says itself: the commit, the version, and how it was built.
pub fn version(program: Option<&Path>) -> String {
    let Some(program) = program else { return "not measured: --envoy is not given".to_owned() };
    let said = servers::version(Command::new(program).arg("--version"));
    said.rsplit("version: ").next().unwrap_or_default().to_owned()
}
