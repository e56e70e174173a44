//! What the results depend on, beside the code.

use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::results::Machine;

/// The libraries of the comparison, as they are called in Cargo.lock.
const PEERS: &[&str] = &[
    "apache-avro",
    "buffa",
    "capnp",
    "ciborium",
    "flatbuffers",
    "minicbor-serde",
    "planus",
    "prost",
    "prost-reflect",
    "rmp-serde",
    "rmpv",
    "serde",
    "serde-transcode",
    "serde_avro_fast",
    "serde_json",
    "simd-json",
    "sonic-rs",
    "thrift",
];

pub fn describe() -> Machine {
    let cpuinfo = read_to_string("/proc/cpuinfo").unwrap_or_default();
    let meminfo = read_to_string("/proc/meminfo").unwrap_or_default();
    let release = read_to_string("/etc/os-release").unwrap_or_default();
    let after = |text: &str, key: &str, by: char| -> String {
        let line = text.lines().find(|line| line.starts_with(key));
        line.and_then(|line| line.split_once(by))
            .map(|(_, value)| value.trim().trim_matches('"').to_owned())
            .unwrap_or_default()
    };
    let kib: f64 = after(&meminfo, "MemTotal", ':').trim_end_matches(" kB").parse().unwrap_or(0.0);
    let dirty = if stdout("git", &["status", "--porcelain"]).is_empty() { "" } else { ", with changes" };
    Machine {
        cpu: format!(
            "{} (family {}, model {})",
            after(&cpuinfo, "model name", ':'),
            after(&cpuinfo, "cpu family", ':'),
            model(&cpuinfo)
        ),
        cores: std::thread::available_parallelism().map_or(0, usize::from),
        memory_gib: (kib / 1024.0 / 1024.0 * 10.0).round() / 10.0,
        os: format!("{}, Linux {}", after(&release, "PRETTY_NAME", '='), stdout("uname", &["-r"])),
        rustc: stdout("rustc", &["--version"]),
        commit: format!("{}{dirty}", stdout("git", &["rev-parse", "--short=12", "HEAD"])),
        target_features: features(),
        allocator: if cfg!(feature = "mimalloc") { "mimalloc" } else { "system" }.to_owned(),
    }
}

fn model(cpuinfo: &str) -> &str {
    let line = cpuinfo.lines().find(|line| line.starts_with("model\t"));
    line.and_then(|line| line.split_once(": ")).map_or("", |(_, model)| model)
}

fn stdout(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}

fn features() -> Vec<String> {
    let mut features = Vec::new();
    macro_rules! check {
        ($($name:tt)*) => { $(if cfg!(target_feature = $name) { features.push($name.to_owned()); })* };
    }
    check!("sse2" "sse4.2" "avx2" "bmi2" "pclmulqdq" "avx512bw" "avx512vbmi" "neon");
    features
}

/// Versions of the peers, from the lock file that this program was built with.
pub fn peers() -> BTreeMap<String, String> {
    let mut versions = BTreeMap::new();
    let mut lines = include_str!("../Cargo.lock").lines();
    while let Some(line) = lines.next() {
        let Some(name) = line.strip_prefix("name = \"").and_then(|line| line.strip_suffix('"')) else { continue };
        let version =
            lines.next().and_then(|line| line.strip_prefix("version = \"")).and_then(|line| line.strip_suffix('"'));
        if let (true, Some(version)) = (PEERS.contains(&name), version) {
            versions.insert(name.to_owned(), version.to_owned());
        }
    }
    versions
}

/// Today in UTC: `2025-01-31`.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    // Days into a date of the Gregorian calendar, counted from the first of March of the year 0.
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = (era * 400 + year + u64::from(month >= 10), if month < 10 { month + 3 } else { month - 9 });
    format!("{year:04}-{month:02}-{day:02}")
}
