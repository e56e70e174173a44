//! The servers, started with the same bytes.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::Options;

/// A server that runs; it is stopped when this goes.
pub struct Server {
    pub name: &'static str,
    pub version: String,
    pub address: SocketAddr,
    /// Of the large resource.
    pub etag: String,
    child: Child,
}

impl Server {
    /// Starts one, and waits until it takes connections.
    pub fn listening(name: &'static str, address: SocketAddr, command: &mut Command) -> Result<Server> {
        let child = spawn(command)?;
        let mut server = Server { name, version: String::new(), address, etag: String::new(), child };
        let start = Instant::now();
        while TcpStream::connect(address).is_err() {
            if let Some(status) = server.child.try_wait()? {
                bail!("{name} ended: {status}");
            }
            if start.elapsed() > Duration::from_secs(60) {
                bail!("{name} does not answer");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(server)
    }

    /// The processor time of it and of all that it started, in microseconds.
    pub fn cpu_micros(&self) -> Result<f64> {
        tree(self.child.id()).into_iter().map(cpu_micros).sum()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        let _ = self.child.wait();
    }
}

/// A process and its descendants.
fn tree(root: u32) -> Vec<u32> {
    let mut all = vec![root];
    let mut at = 0;
    while at < all.len() {
        let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", all[at])).unwrap_or_default();
        all.extend(children.split_whitespace().filter_map(|id| id.parse::<u32>().ok()));
        at += 1;
    }
    all
}

fn cpu_micros(process: u32) -> Result<f64> {
    // Of each thread in nanoseconds: what the kernel's scheduler counts is finer than its ticks.
    let mut sum = 0.0;
    for thread in fs::read_dir(format!("/proc/{process}/task"))? {
        let text = fs::read_to_string(thread?.path().join("schedstat")).unwrap_or_default();
        sum += text.split_whitespace().next().and_then(|nanos| nanos.parse::<f64>().ok()).unwrap_or(0.0) / 1000.0;
    }
    Ok(sum)
}

/// The fields of the gateway's responses that do not change from one to the next: all servers send them.
const FIELDS: &[&str] = &[
    "Vary",
    "Cache-Control",
    "ETag",
    "Last-Modified",
    "Content-Type",
    "Link",
    "Accept-Ranges",
    "Content-Encoding",
    "Use-As-Dictionary",
    "Server-Timing",
    "X-Content-Type-Options",
];

/// Those that no response can do without.
const LEAN: &[&str] = &["Vary", "ETag", "Content-Type", "Content-Encoding"];

/// Those of [`FIELDS`] that nginx does not send by itself.
const NOT_OF_NGINX: [&str; 7] =
    ["Accept-Ranges", "Vary", "Cache-Control", "Link", "Use-As-Dictionary", "Server-Timing", "X-Content-Type-Options"];

/// All servers, and how large what they serve is.
pub struct All {
    pub servers: Vec<Server>,
    pub large_bytes: usize,
    pub small_bytes: usize,
}

/// Starts them: the gateway first, and the others with what it answers.
pub fn start(options: &Options, folder: &Path) -> Result<All> {
    let www = folder.join("www");
    fs::create_dir(&www)?;
    let mut gateway = wirewise(options, folder)?;
    let large = fetch(gateway.address, "/large")?;
    let small = fetch(gateway.address, "/small")?;
    gateway.etag = large.header("etag").context("the gateway sends no ETag")?;
    let lean = folder.join("lean");
    fs::create_dir(&lean)?;
    for (folder, fields) in [(&www, FIELDS), (&lean, LEAN)] {
        for (name, response) in [("large", &large), ("small", &small)] {
            fs::write(folder.join(format!("{name}.gz")), &response.body)?;
            fs::write(folder.join(format!("{name}.head")), response.fields(fields))?;
            // nginx wants it, but answers with the compressed one.
            fs::write(folder.join(name), b"not compressed")?;
        }
    }
    let bare_one = bare(options, "axum", "a handler with bytes, axum 0.8", &www)?;
    let mut servers = vec![
        gateway,
        nginx(folder, "nginx", &www, &[("large", &large), ("small", &small)])?,
        varnish(folder, bare_one.address)?,
        bare_one,
        nginx(folder, "nginx-lean", &lean, &[])?,
        bare(options, "axum-lean", "with ETag, Vary, type and coding alone", &lean)?,
    ];
    for server in &mut servers {
        let response = fetch(server.address, "/large").with_context(|| server.name)?;
        if response.body != large.body {
            bail!("{} answers {} bytes, not the {} of the gateway", server.name, response.body.len(), large.body.len());
        }
        if !server.name.ends_with("-lean") {
            same(server, &response, &large)?;
        }
        server.etag = response.header("etag").with_context(|| format!("{} sends no ETag", server.name))?;
    }
    Ok(All { servers, large_bytes: large.body.len(), small_bytes: small.body.len() })
}

/// The processor of the servers.
const SERVER: usize = 0;

/// The processor of whoever asks: were it one of theirs, the slowest answers would be those that wait for it.
pub const LOAD: usize = 1;

/// A program that uses this processor only.
pub fn on(processor: usize, program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new("taskset");
    command.args(["--cpu-list", &processor.to_string()]).arg(program);
    command
}

fn wirewise(options: &Options, folder: &Path) -> Result<Server> {
    let data = |name: &str, records: usize| -> Result<PathBuf> {
        let path = folder.join(name);
        let mut corpus = Command::new(&options.wirewise);
        corpus.args(["corpus", "geo-points", "--records", &records.to_string(), "--out"]).arg(&path);
        run(&mut corpus)?;
        Ok(path)
    };
    let address = free()?;
    let mut config = format!("listen = \"{address}\"\n");
    for (name, records) in [("large", options.points), ("small", 25)] {
        let path = data(&format!("{name}.json"), records)?;
        config += &format!(
            "[resources.{name}]\nsource.file = {{ path = {path:?} }}\nformats = [\"json\", \"protobuf\"]\nshapes = \"none\"\n\
             compress = [\"gzip:6\"]\nrefresh = \"1h\"\n"
        );
    }
    let path = folder.join("wirewise.toml");
    fs::write(&path, config)?;
    let child = spawn(on(SERVER, &options.wirewise).arg("serve").arg(path))?;
    let version = version(Command::new(&options.wirewise).arg("--version"));
    ready(Server { name: "wirewise", version, address, etag: String::new(), child })
}

fn bare(options: &Options, name: &'static str, version: &str, www: &Path) -> Result<Server> {
    let address = free()?;
    let program = options.bare.as_deref().context("--bare is needed")?;
    let child = spawn(on(SERVER, program).arg(address.to_string()).arg(www))?;
    ready(Server { name, version: version.to_owned(), address, etag: String::new(), child })
}

/// `responses`, by their names, have the fields that it is to add.
fn nginx(folder: &Path, name: &'static str, www: &Path, responses: &[(&str, &Response)]) -> Result<Server> {
    let address = free()?;
    let folder = folder.join(name);
    fs::create_dir(&folder)?;
    let root = folder.display();
    let user = if is_root() { "user root;" } else { "" };
    let locations: String = responses
        .iter()
        .map(|(name, response)| {
            let fields = NOT_OF_NGINX.iter().filter_map(|field| Some((field, response.header(field)?)));
            let lines: String = fields.map(|(field, value)| format!("add_header {field} {value:?};\n")).collect();
            format!("location = /{name} {{ {lines} }}\n")
        })
        .collect();
    let config = format!(
        "{user} daemon off; worker_processes 1; pid {root}/nginx.pid; error_log {root}/nginx.log;
        events {{ worker_connections 1024; }}
        http {{
            access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; etag on;
            open_file_cache max=100; types {{ }} default_type application/protobuf;
            client_body_temp_path {root}/a; proxy_temp_path {root}/b; fastcgi_temp_path {root}/c;
            uwsgi_temp_path {root}/d; scgi_temp_path {root}/e;
            server {{ listen {address}; root {}; gzip_static always; gzip_vary {}; {locations} }}
        }}",
        www.display(),
        // It has its own way to say it.
        if responses.is_empty() { "on" } else { "off" },
    );
    let path = folder.join("nginx.conf");
    fs::write(&path, config)?;
    let child = spawn(on(SERVER, &program("nginx")?).arg("-c").arg(path))?;
    let version = version(Command::new(program("nginx")?).arg("-v"));
    ready(Server { name, version, address, etag: String::new(), child })
}

fn varnish(folder: &Path, backend: SocketAddr) -> Result<Server> {
    let address = free()?;
    let program = program("varnishd")?;
    let mut varnish = on(SERVER, &program);
    varnish.args(["-F", "-a", &address.to_string(), "-b", &backend.to_string(), "-t", "36000"]);
    varnish.args(["-s", "malloc,256m", "-n"]).arg(folder.join("varnish"));
    // What it says about itself when it forks changes nothing.
    let child = spawn(&mut varnish)?;
    let version = version(Command::new(&program).arg("-V"));
    ready(Server { name: "varnish", version, address, etag: String::new(), child })
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Servers of Debian lie where only root looks.
fn program(name: &str) -> Result<PathBuf> {
    let folders = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"].map(Path::new);
    let found = folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file());
    found.with_context(|| format!("{name} is not there; `cargo xtask bench serve` installs it"))
}

fn spawn(command: &mut Command) -> Result<Child> {
    let shown = format!("{command:?}");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().context(shown)
}

pub fn run(command: &mut Command) -> Result<()> {
    let shown = format!("{command:?}");
    let status = command.status().context(shown.clone())?;
    if status.success() { Ok(()) } else { bail!("{shown}: {status}") }
}

pub fn version(command: &mut Command) -> String {
    let Ok(output) = command.output() else { return "unknown".to_owned() };
    let both = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&both);
    text.lines().find(|line| !line.is_empty()).unwrap_or("unknown").to_owned()
}

/// A port that nobody has.
pub fn free() -> Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

/// Waits until it answers.
fn ready(mut server: Server) -> Result<Server> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(120) {
        if let Some(status) = server.child.try_wait()? {
            bail!("{} ended: {status}", server.name);
        }
        if fetch(server.address, "/large").is_ok() && fetch(server.address, "/small").is_ok() {
            return Ok(server);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    bail!("{} does not answer", server.name)
}

struct Response {
    head: String,
    body: Vec<u8>,
}

impl Response {
    /// These fields, a line each.
    fn fields(&self, names: &[&str]) -> String {
        let fields = names.iter().filter_map(|name| Some(format!("{name}: {}\n", self.header(name)?)));
        fields.collect()
    }

    fn header(&self, name: &str) -> Option<String> {
        let fields = self.head.lines().filter_map(|line| line.split_once(':'));
        fields.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim().to_owned())
    }
}

/// Checks that a response has the same fields as the gateway's.
fn same(server: &Server, response: &Response, ours: &Response) -> Result<()> {
    for field in FIELDS {
        // What a file has in nginx is made of its size and time.
        let is_its_own = ["ETag", "Last-Modified", "Server-Timing"].contains(field);
        let (its, ours) = (response.header(field), ours.header(field));
        if its.is_none() != ours.is_none() || !(is_its_own || its == ours) {
            bail!("{}: {field} is {its:?}, the gateway says {ours:?}", server.name);
        }
    }
    Ok(())
}

fn fetch(address: SocketAddr, path: &str) -> Result<Response> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/protobuf\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n"
    )?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").context("no response")?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    if !head.starts_with("HTTP/1.1 200") {
        bail!("{}", head.lines().next().unwrap_or_default());
    }
    Ok(Response { head, body: bytes[end + 4..].to_vec() })
}

/// The machine, as far as it makes a difference.
pub fn machine() -> String {
    let model = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = model.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("unknown");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "{}, {cores} cores; {}",
        model.trim_start_matches([' ', '\t', ':']),
        version(Command::new("uname").arg("-sr"))
    )
}
