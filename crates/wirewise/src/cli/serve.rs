//! Options of `wirewise serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

/// Serve tables, APIs and files in every format: negotiated, compressed, always warm.
///
/// A file with data is served as it is, for people who look at it, at the path of its name. A file that ends in .toml is a
/// configuration.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  wirewise serve corpus/geo-points.json
  wirewise serve corpus/people.json --listen 127.0.0.1:0
  wirewise serve --check corpus/people.json

While it runs:
  curl localhost:8080/geo-points
  curl -H 'Accept: application/protobuf' -H 'Accept-Encoding: zstd' localhost:8080/geo-points -o points.pb.zst
  curl 'localhost:8080/geo-points/schema?language=proto'")]
pub(crate) struct Serve {
    /// A configuration (.toml), or a file with data.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Where to listen, instead of where the configuration says; port 0 takes any that is free.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<SocketAddr>,
    /// Only check the configuration, and that all that it names is there.
    #[arg(long)]
    pub(crate) check: bool,
}
