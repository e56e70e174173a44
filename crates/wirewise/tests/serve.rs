//! `wirewise serve` as a process: its log, its signals, and what `--check` says.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

const WIREWISE: &str = env!("CARGO_BIN_EXE_wirewise");

fn folder(config: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("places.json"), "[{\"id\": 1}, {\"id\": 2}]").unwrap();
    std::fs::write(folder.path().join("wirewise.toml"), config).unwrap();
    folder
}

fn serve(folder: &Path) -> Command {
    let mut command = Command::new(WIREWISE);
    command.args(["serve", "wirewise.toml"]).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts it, and waits until it says where.
fn started(folder: &Path) -> (Child, BufReader<std::process::ChildStderr>, String) {
    let mut child = serve(folder).args(["--listen", "127.0.0.1:0"]).spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    log.read_line(&mut line).unwrap();
    let address =
        line.strip_prefix("http://").and_then(|rest| rest.split('/').next()).unwrap_or_else(|| panic!("{line}"));
    (child, log, address.to_owned())
}

fn get(address: &str, target: &str, fields: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{fields}\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

fn ended(child: &mut Child, within: Duration) -> std::process::ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        assert!(start.elapsed() < within, "it does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_log_has_a_line_for_each_request_and_no_secret() {
    let folder = folder(
        "[telemetry]\nlog = \"json\"\naccess = true\n[resources.places]\nschema = \"schema.json\"\n\
         source.file = { path = \"places.json\" }\n",
    );
    let (mut child, log, address) = started(folder.path());
    let start = Instant::now();
    let trace = "0af7651916cd43dd8448eb211c80319c";
    let fields = format!("authorization: Bearer hunter2\r\ntraceparent: 00-{trace}-b7ad6b7169203331-01\r\n");
    while !get(&address, "/places?password=hunter2", &fields).starts_with("HTTP/1.1 200") {
        assert!(start.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(50));
    }
    get(&address, "/nothing", "");
    // The schema was written meanwhile; that it was does not make the end less gentle.
    assert!(folder.path().join("schema.json").exists());
    signal(&child, "TERM");
    assert!(ended(&mut child, Duration::from_secs(10)).success());
    let lines: Vec<String> = log.lines().map(Result::unwrap).collect();
    assert!(lines.iter().all(|line| !line.contains("hunter2")), "{lines:#?}");
    let requests: Vec<Value> = lines
        .iter()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|line| line["target"] == "wirewise::access")
        .collect();
    let found = requests.iter().find(|line| line["status"] == 200).unwrap();
    for (member, value) in
        [("id", trace), ("resource", "places"), ("variant", "application/json"), ("method", "GET"), ("path", "/places")]
    {
        assert_eq!(found[member], value, "{found}");
    }
    assert!(found["bytes"].as_u64().unwrap() > 10 && found["micros"].is_u64(), "{found}");
    let missed = requests.iter().find(|line| line["status"] == 404).unwrap();
    assert!(missed["resource"] == "" && !missed["id"].as_str().unwrap().is_empty(), "{missed}");
    assert!(lines.iter().any(|line| line.contains("new version")), "{lines:#?}");
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let folder =
        folder("[limits]\ndrain_delay = \"1m\"\n[resources.places]\nsource.file = { path = \"places.json\" }\n");
    let (mut child, mut log, _) = started(folder.path());
    signal(&child, "INT");
    let mut line = String::new();
    while !line.contains("stop again to end at once") {
        line.clear();
        assert!(log.read_line(&mut line).unwrap() > 0);
    }
    assert!(child.try_wait().unwrap().is_none());
    std::thread::sleep(Duration::from_millis(100));
    signal(&child, "INT");
    assert_eq!(ended(&mut child, Duration::from_secs(5)).code(), Some(130));
}

#[test]
fn mistakes_have_their_places() {
    let folder = folder(
        "listen = \"127.0.0.1:1\"\n\n[tls]\ncertificate = \"missing.pem\"\nkey = \"missing.pem\"\n\n[telemetry]\nlevel = \"loud\"\n\n\
         [resources.places]\nsource.file = { path = \"missing.json\" }\n",
    );
    let output = serve(folder.path()).arg("--check").output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    for place in ["wirewise.toml:4:15: cannot read", "wirewise.toml:8:9: \"loud\" is no level", "wirewise.toml:11:24: "]
    {
        assert!(text.contains(place), "{place}\n{text}");
    }
    let output = serve(folder.path()).args(["--check", "--output", "json"]).output().unwrap();
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (json["errors"].as_array().unwrap().len(), json["warnings"].as_array().unwrap().len()),
        (3, 0),
        "{json:#}"
    );
    assert!(json["errors"].as_array().unwrap().iter().any(|error| error["line"] == 4 && error["column"] == 15));
    // Without --check the first mistake says where it is, too.
    let output = serve(folder.path()).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("wirewise.toml:"));
    std::fs::write(folder.path().join("wirewise.toml"), "[resources.places]\nsauce = 1\n").unwrap();
    let output = serve(folder.path()).arg("--check").output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("wirewise.toml:2:1: unknown field `sauce`"), "{text}");
}
