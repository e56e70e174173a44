//! Minutes at a fixed rate, while everything around the gateway fails: not one answer may fail or be wrong.
//!
//! Three replicas with a Redis between them serve what an API says that fails half of the time. Redis is killed and started again,
//! and so are two of the replicas, in turn; the first lives from the beginning to the end, so that its memory tells whether it
//! grows. Whoever asks tries another replica when one does not take the connection, as a load balancer does. Every record of an
//! answer has the number of its version, so that a mixture is seen; the answer in Protobuf is asked for as often as that in JSON.
//!
//! `soak --wirewise PATH [--minutes 10] [--rate 200] [--out FILE]`

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Parser;
use serde::Serialize;

#[derive(Parser)]
struct Options {
    /// The gateway: a binary of wirewise.
    #[arg(long)]
    wirewise: PathBuf,
    /// How long.
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
    /// Requests a second.
    #[arg(long, default_value_t = 200)]
    rate: u64,
    /// Where results go.
    #[arg(long)]
    out: Option<PathBuf>,
}

/// Records of an answer.
const RECORDS: usize = 500;

const REPLICAS: usize = 3;

/// Threads that ask.
const CLIENTS: u64 = 4;

#[derive(Debug, Default, Serialize)]
struct Results {
    wirewise: &'static str,
    seconds: f64,
    answers: u64,
    failed: u64,
    wrong: u64,
    examples: Vec<String>,
    slowest_millis: f64,
    versions_seen: usize,
    source_asked: u64,
    source_failed: u64,
    redis_killed: u64,
    replicas_killed: u64,
    /// Of the replica that is never killed, in KiB: the median of the second tenth of the time, and of the last.
    memory_early: u64,
    memory_late: u64,
    /// Of all replicas, in KiB, by the second.
    memory: Vec<(u64, [u64; REPLICAS])>,
}

struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn main() -> Result<()> {
    let options = Options::parse();
    let folder = tempfile::tempdir()?;
    let ends = Instant::now() + Duration::from_secs_f64(options.minutes * 60.0);
    let (source, asked, broken) = api()?;
    let redis_port = free()?.port();
    let mut redis = Some(redis(redis_port, folder.path())?);
    let addresses = [free()?, free()?, free()?];
    let start = |i: usize| replica(&options.wirewise, folder.path(), i, addresses[i], source, redis_port);
    let mut replicas = [start(0)?, start(1)?, start(2)?];
    for address in addresses {
        wait(|| ask(address, "application/json").is_ok())?;
    }
    let shared = Arc::new(Shared::default());
    let threads: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let (shared, pause) = (shared.clone(), Duration::from_secs_f64(CLIENTS as f64 / options.rate as f64));
            std::thread::spawn(move || keep_asking(&shared, addresses, client, pause))
        })
        .collect();
    let began = Instant::now();
    let mut results = Results { wirewise: "bench-serve-soak/1", ..Results::default() };
    let mut second = 0_u64;
    while Instant::now() < ends {
        std::thread::sleep(Duration::from_secs(1));
        second += 1;
        // Redis is away for 10 s of every 40, and every 30 s one of two replicas is killed and started again.
        match second % 40 {
            20 => {
                redis = None;
                results.redis_killed += 1;
            }
            30 => redis = Some(self::redis(redis_port, folder.path())?),
            _ => {}
        }
        if second % 30 == 15 {
            let i = 1 + (second / 30 % 2) as usize;
            replicas[i].0.kill()?;
            replicas[i].0.wait()?;
            replicas[i] = start(i)?;
            results.replicas_killed += 1;
            wait(|| ask(addresses[i], "application/json").is_ok()).context("a replica does not come back")?;
        }
        if second.is_multiple_of(5) {
            results.memory.push((second, replicas.each_ref().map(|replica| memory(replica.0.id()))));
        }
    }
    shared.stop.store(true, Ordering::SeqCst);
    for thread in threads {
        let _ = thread.join();
    }
    drop(redis);
    results.seconds = began.elapsed().as_secs_f64();
    results.answers = shared.answers.load(Ordering::SeqCst);
    results.failed = shared.failed.load(Ordering::SeqCst);
    results.wrong = shared.wrong.load(Ordering::SeqCst);
    results.examples = shared.examples.lock().map(|found| found.clone()).unwrap_or_default();
    results.slowest_millis = shared.slowest_micros.load(Ordering::SeqCst) as f64 / 1000.0;
    results.versions_seen = shared.versions.lock().map(|found| found.len()).unwrap_or_default();
    results.source_asked = asked.load(Ordering::SeqCst);
    results.source_failed = broken.load(Ordering::SeqCst);
    // Nothing in runs that are too short to tell.
    let tenth = results.memory.len() / 10;
    results.memory_early = median(&results.memory[tenth..2 * tenth]);
    results.memory_late = median(&results.memory[results.memory.len() - tenth..]);
    let text = serde_json::to_string(&results)? + "\n";
    if let Some(out) = &options.out {
        fs::write(out, text)?;
    }
    let Results { failed, wrong, memory_early, memory_late, .. } = results;
    println!("{}", serde_json::to_string_pretty(&Results { memory: Vec::new(), ..results })?);
    if failed + wrong > 0 {
        bail!("{failed} answers failed, {wrong} were wrong");
    }
    if memory_late > memory_early + memory_early / 4 {
        bail!("memory grows: {memory_early} KiB early, {memory_late} KiB late");
    }
    Ok(())
}

/// What those who ask find.
#[derive(Default)]
struct Shared {
    stop: AtomicBool,
    answers: AtomicU64,
    failed: AtomicU64,
    wrong: AtomicU64,
    slowest_micros: AtomicU64,
    examples: Mutex<Vec<String>>,
    versions: Mutex<BTreeMap<u64, u64>>,
}

fn keep_asking(shared: &Shared, addresses: [SocketAddr; REPLICAS], client: u64, pause: Duration) {
    let mut next = Instant::now();
    let mut turn = client as usize;
    while !shared.stop.load(Ordering::Relaxed) {
        next += pause;
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
        turn += 1;
        let accept = if turn.is_multiple_of(2) { "application/json" } else { "application/protobuf" };
        let start = Instant::now();
        // What is no answer of a replica that runs is tried at the next, once it was cut off or refused.
        let next_one = |after: usize| ask(addresses[(turn / 2 + after) % REPLICAS], accept);
        let answer = next_one(0).or_else(|_| next_one(1)).or_else(|_| next_one(2));
        shared.slowest_micros.fetch_max(start.elapsed().as_micros() as u64, Ordering::Relaxed);
        shared.answers.fetch_add(1, Ordering::Relaxed);
        let note = |count: &AtomicU64, what: String| {
            count.fetch_add(1, Ordering::Relaxed);
            if let Ok(mut examples) = shared.examples.lock()
                && examples.len() < 10
            {
                examples.push(what);
            }
        };
        match answer.map(|(status, body)| (status, version(accept, &body))) {
            Ok((200, Ok(version))) => {
                if let Ok(mut versions) = shared.versions.lock() {
                    *versions.entry(version).or_default() += 1;
                }
            }
            Ok((200, Err(error))) => note(&shared.wrong, error.to_string()),
            Ok((status, _)) => note(&shared.failed, format!("status {status}")),
            Err(error) => note(&shared.failed, format!("{error:#}")),
        }
    }
}

/// The version that all records of an answer have.
fn version(accept: &str, body: &[u8]) -> Result<u64> {
    let versions: Vec<u64> = match accept {
        "application/json" => {
            let records: Vec<BTreeMap<String, u64>> = serde_json::from_slice(body)?;
            records.iter().map(|record| record.get("version").copied().context("no version")).collect::<Result<_>>()?
        }
        // Lists of messages of two integers: {1: version, 2: id}, each at field 1 of the list.
        _ => {
            let mut versions = Vec::new();
            let mut rest = body;
            while !rest.is_empty() {
                let (10, len) = (varint(&mut rest)?, varint(&mut rest)? as usize) else { bail!("no record") };
                let (mut record, after) = rest.split_at_checked(len).context("cut off")?;
                rest = after;
                let (8, version) = (varint(&mut record)?, varint(&mut record)?) else { bail!("no version") };
                versions.push(version);
            }
            versions
        }
    };
    let first = *versions.first().context("nothing")?;
    if versions.len() != RECORDS || versions.iter().any(|version| *version != first) {
        bail!("{} records of several versions", versions.len());
    }
    Ok(first)
}

fn varint(bytes: &mut &[u8]) -> Result<u64> {
    let (mut value, mut shift) = (0_u64, 0);
    loop {
        let (&byte, rest) = bytes.split_first().context("cut off")?;
        *bytes = rest;
        value |= u64::from(byte & 127) << shift;
        shift += 7;
        if byte < 128 || shift > 63 {
            return Ok(value);
        }
    }
}

fn ask(address: SocketAddr, accept: &str) -> Result<(u16, Vec<u8>)> {
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(5))?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    write!(stream, "GET /numbers HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\nConnection: close\r\n\r\n")?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").context("no answer")?;
    let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
    let status = head.split(' ').nth(1).context("no status")?.parse()?;
    let len = head.lines().find_map(|line| line.strip_prefix("content-length: ")).context("no length")?;
    let body = bytes.split_off(end + 4);
    if body.len() != len.parse::<usize>()? {
        bail!("{} bytes of {len}", body.len());
    }
    Ok((status, body))
}

/// An API that changes every second, and fails half of the time: 500, half an answer, or none. Counts both.
fn api() -> Result<(SocketAddr, Arc<AtomicU64>, Arc<AtomicU64>)> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let (asked, failed) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let (count, broken, start) = (asked.clone(), failed.clone(), Instant::now());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (count, broken) = (count.clone(), broken.clone());
            std::thread::spawn(move || {
                let Ok(clone) = stream.try_clone() else { return };
                let (mut reader, mut stream) = (BufReader::new(clone), stream);
                let mut line = String::new();
                while reader.read_line(&mut line).is_ok_and(|len| len > 0) {
                    if line == "\r\n" {
                        let version = start.elapsed().as_secs() + 1;
                        let record = |id| format!("{{\"version\":{version},\"id\":{id}}}");
                        let body = format!("[{}]", (0..RECORDS).map(record).collect::<Vec<_>>().join(","));
                        let head = format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.len());
                        let n = count.fetch_add(1, Ordering::SeqCst);
                        let how = mixed(n);
                        if how % 2 == 1 {
                            broken.fetch_add(1, Ordering::SeqCst);
                        }
                        let _ = match how % 6 {
                            1 => write!(stream, "HTTP/1.1 500 Internal Server Error\r\n{head}{body}"),
                            3 => {
                                let _ = write!(stream, "HTTP/1.1 200 OK\r\n{head}{}", &body[..body.len() / 2]);
                                return;
                            }
                            5 => return,
                            _ => write!(stream, "HTTP/1.1 200 OK\r\n{head}{body}"),
                        };
                    }
                    line.clear();
                }
            });
        }
    });
    Ok((address, asked, failed))
}

/// A number that says nothing of the one before (splitmix64): if every second answer failed, one of two replicas that ask in turn
/// would never get one.
fn mixed(n: u64) -> u64 {
    let n = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (n ^ (n >> 27)) >> 20
}

fn redis(port: u16, folder: &Path) -> Result<Process> {
    let mut redis = Command::new("redis-server");
    redis.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
    let redis = redis.current_dir(folder).stdout(Stdio::null()).spawn();
    let redis = Process(redis.context("redis-server does not run; `cargo xtask setup` installs it")?);
    wait(|| TcpStream::connect(("127.0.0.1", port)).is_ok())?;
    Ok(redis)
}

fn replica(
    wirewise: &Path,
    folder: &Path,
    i: usize,
    address: SocketAddr,
    source: SocketAddr,
    redis: u16,
) -> Result<Process> {
    let path = folder.join(format!("replica-{i}.toml"));
    let schema = folder.join("numbers.schema.json");
    if !schema.is_file() {
        fs::write(
            &schema,
            r#"{"wirewise": "schema/1", "root": {"list": "Number"}, "types": [{"record": "Number", "fields": [
                {"number": 1, "name": "version", "type": "uint64"}, {"number": 2, "name": "id", "type": "uint64"}]}]}"#,
        )?;
    }
    fs::write(
        &path,
        format!(
            "listen = \"{address}\"\n[cluster]\nredis = \"redis://127.0.0.1:{redis}\"\nlease = \"2s\"\n[resources.numbers]\n\
             source.http = {{ url = \"http://{source}/numbers\", timeout = \"2s\" }}\nschema = {schema:?}\nrefresh = \"500ms\"\n\
             formats = [\"json\", \"protobuf\", \"msgpack\"]\n"
        ),
    )?;
    let child = Command::new(wirewise).arg("serve").arg(path).stdin(Stdio::null()).stderr(Stdio::null()).spawn();
    Ok(Process(child.context("the gateway does not run")?))
}

/// What a process has in memory, in KiB.
fn memory(process: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Of the replica that is never killed.
fn median(samples: &[(u64, [u64; REPLICAS])]) -> u64 {
    let mut of_first: Vec<u64> = samples.iter().map(|(_, [first, ..])| *first).collect();
    of_first.sort_unstable();
    of_first.get(of_first.len() / 2).copied().unwrap_or(0)
}

fn free() -> Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

fn wait(mut is: impl FnMut() -> bool) -> Result<()> {
    let start = Instant::now();
    while !is() {
        if start.elapsed() > Duration::from_secs(60) {
            bail!("nothing after a minute");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}
