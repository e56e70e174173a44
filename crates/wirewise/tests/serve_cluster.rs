//! Replicas of the gateway share versions through a real Redis: two processes, a leader that is killed, a Redis that is.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use wirewise_testkit::foreign;

const LEASE: Duration = Duration::from_secs(2);

/// A program that is killed with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An API that counts how often it is asked. Its answer changes with `version` only.
struct Upstream {
    address: SocketAddr,
    asked: Arc<AtomicU64>,
    version: Arc<AtomicU64>,
}

impl Upstream {
    fn start() -> Upstream {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (asked, version) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(1)));
        let (count, current) = (asked.clone(), version.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (count, current) = (count.clone(), current.clone());
                std::thread::spawn(move || {
                    let mut reader = BufReader::new(stream.try_clone().unwrap());
                    let mut stream = stream;
                    let mut line = String::new();
                    while reader.read_line(&mut line).is_ok_and(|len| len > 0) {
                        if line == "\r\n" {
                            count.fetch_add(1, Ordering::SeqCst);
                            let body = format!("[{{\"version\":{}}}]", current.load(Ordering::SeqCst));
                            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length";
                            let _ = write!(stream, "{head}: {}\r\n\r\n{body}", body.len());
                        }
                        line.clear();
                    }
                });
            }
        });
        Upstream { address, asked, version }
    }

    fn asked(&self) -> u64 {
        self.asked.load(Ordering::SeqCst)
    }
}

struct Replica {
    process: Process,
    address: SocketAddr,
}

fn replica(folder: &Path, upstream: &Upstream, redis: u16) -> Replica {
    let config = folder.join("wirewise.toml");
    let text = format!(
        "listen = \"127.0.0.1:0\"
         [cluster]
         redis = \"redis://127.0.0.1:{redis}\"
         lease = \"{}s\"
         [resources.numbers]
         source.http = {{ url = \"http://{}/numbers\" }}
         refresh = \"200ms\"
         formats = [\"json\", \"protobuf\"]",
        LEASE.as_secs(),
        upstream.address
    );
    std::fs::write(&config, text).unwrap();
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_wirewise")).arg("serve").arg(config).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let process = Process(child);
    let address = loop {
        let line = lines.next().expect("it says where it listens").unwrap();
        if let Some(rest) = line.strip_prefix("http://") {
            break rest.split('/').next().unwrap().parse().unwrap();
        }
    };
    // What it says later must not stop it.
    std::thread::spawn(move || lines.for_each(drop));
    Replica { process, address }
}

/// The number that a replica serves, and its ETag.
fn served(replica: &Replica) -> Option<(u64, String)> {
    let mut stream = TcpStream::connect(replica.address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
    stream.write_all(b"GET /numbers HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    if !head.starts_with("HTTP/1.1 200") {
        return None;
    }
    let etag = head.lines().find_map(|line| line.strip_prefix("etag: "))?;
    let number = body.strip_prefix("[{\"version\":")?.strip_suffix("}]")?.parse().ok()?;
    Some((number, etag.to_owned()))
}

fn wait(what: &str, most: Duration, mut is: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is() {
        assert!(start.elapsed() < most, "no {what} within {most:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn redis(port: u16, folder: &Path) -> Process {
    let mut server = foreign::tool("redis-server").unwrap();
    server.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
    let server = Process(server.current_dir(folder).stdout(Stdio::null()).spawn().unwrap());
    wait("Redis", Duration::from_secs(20), || TcpStream::connect(("127.0.0.1", port)).is_ok());
    server
}

/// The process that leads: the names of nodes begin with its number.
fn leader(port: u16) -> Option<u32> {
    let key = "{wirewise:numbers}:leader";
    let output = foreign::tool("redis-cli")?.args(["-p", &port.to_string(), "GET", key]).output().ok()?;
    String::from_utf8(output.stdout).ok()?.split('-').next()?.parse().ok()
}

#[test]
fn replicas_share_versions() {
    if foreign::tool("redis-server").is_none() || foreign::tool("redis-cli").is_none() {
        return;
    }
    let slow = Duration::from_secs(60);
    let folder = tempfile::tempdir().unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let server = redis(port, folder.path());
    let upstream = Upstream::start();
    let mut replicas = [(); 2].map(|()| replica(folder.path(), &upstream, port));
    let all_serve = |replicas: &[Replica], number: u64| {
        let served: Vec<_> = replicas.iter().map(served).collect();
        served.iter().all(|served| served.as_ref().is_some_and(|(known, _)| *known == number))
            && served.windows(2).all(|two| two[0] == two[1])
    };
    wait("data", slow, || all_serve(&replicas, 1));

    // One asks, however many there are: not more often than one alone would.
    let (before, start) = (upstream.asked(), Instant::now());
    std::thread::sleep(Duration::from_secs(3));
    let (asked, most) = (upstream.asked() - before, start.elapsed().as_millis() / 200 + 2);
    assert!(asked > 0 && u128::from(asked) <= most, "asked {asked} times, one alone would {most} times");
    upstream.version.store(2, Ordering::SeqCst);
    wait("new version", slow, || all_serve(&replicas, 2));

    // The leader is killed: the other one takes over within the lease, and keeps the data fresh.
    let leads = leader(port).expect("somebody leads");
    let at = replicas.iter().position(|replica| replica.process.0.id() == leads).expect("one of the two leads");
    replicas[at].process.0.kill().unwrap();
    let other = replicas[1 - at].process.0.id();
    wait("new leader", LEASE * 3, || leader(port) == Some(other));
    upstream.version.store(3, Ordering::SeqCst);
    wait("version of the new leader", slow, || all_serve(std::slice::from_ref(&replicas[1 - at]), 3));
    let third = replica(folder.path(), &upstream, port);
    replicas[at] = third;
    wait("data of a new replica", slow, || all_serve(&replicas, 3));

    // Without Redis each is alone, and serves all the same.
    drop(server);
    upstream.version.store(4, Ordering::SeqCst);
    wait("data without Redis", slow, || {
        assert!(replicas.iter().all(|replica| served(replica).is_some()), "nobody is left without an answer");
        all_serve(&replicas, 4)
    });

    // When it is back, empty, they share again.
    let _server = redis(port, folder.path());
    wait("leader after Redis came back", slow, || leader(port).is_some());
    upstream.version.store(5, Ordering::SeqCst);
    wait("data with Redis again", slow, || all_serve(&replicas, 5));
}
