//! What is not a comparison: cost by size, compiling schemas, memory of streams.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use wirewise_core::{Arena, Limits, Losses, Schema};

use crate::figures::median;
use crate::format::Format;
use crate::ours::Engine;
use crate::results::{Compiled, Scale, Stream};
use crate::timing::now;
use crate::workloads::{GeoPoints, People, Workload};

/// Conversions that go through every decoder and encoder of the matrix.
const CONVERSIONS: [(Format, Format); 6] = [
    (Format::Json, Format::Msgpack),
    (Format::Json, Format::Protobuf),
    (Format::Msgpack, Format::Json),
    (Format::Protobuf, Format::Avro),
    (Format::Avro, Format::Thrift),
    (Format::Thrift, Format::Json),
];

const SIZES: [u64; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// Records of all messages of one size, at least.
const MANY: u64 = 100_000;

/// Nanoseconds a record for growing messages.
pub fn scaling(rounds: usize) -> Result<Vec<Scale>> {
    let mut all = scaling_of::<GeoPoints>(rounds)?;
    all.extend(scaling_of::<People>(rounds)?);
    Ok(all)
}

fn scaling_of<W: Workload>(rounds: usize) -> Result<Vec<Scale>> {
    let engine = Engine::of::<W>()?;
    let mut all: Vec<Scale> = CONVERSIONS
        .iter()
        .map(|&(from, to)| Scale { workload: W::NAME.to_owned(), from, to, points: Vec::new() })
        .collect();
    for records in SIZES {
        // Small messages are many different ones: a processor learns the branches of one that comes again and again.
        let messages = (MANY / records).max(1);
        let json = W::source(Some(records * messages))?;
        for scale in &mut all {
            let inputs = engine.parts(&json, scale.from, records as usize)?;
            ensure!(inputs.len() as u64 == messages, "{} messages of {records} records", inputs.len());
            let (from, to) = (engine.codec(scale.from), engine.codec(scale.to));
            let (mut arena, mut out) = (Arena::new(Limits::default()), Vec::new());
            let mut samples = Vec::new();
            for round in 0..=rounds {
                let start = now();
                for input in &inputs {
                    out.clear();
                    let mut losses = Losses::none();
                    let document = from.decode(black_box(input), &mut arena, &mut losses)?;
                    to.encode(&document, &mut out, &mut losses)?;
                    black_box(&out);
                }
                // The first round pages memory in.
                if round > 0 {
                    samples.push((now() - start).as_secs_f64() * 1e9 / (messages * records) as f64);
                }
            }
            let nanoseconds = (median(&samples) * 10.0).round() / 10.0;
            let (from, to) = (scale.from.name(), scale.to.name());
            eprintln!("{} {from} to {to}, {records} records: {nanoseconds} ns each", W::NAME);
            scale.points.push((records, nanoseconds));
        }
    }
    Ok(all)
}

/// Milliseconds for the plan of each format for a schema of that many types.
pub fn schemas(types: usize, rounds: usize) -> Result<Vec<Compiled>> {
    let schema = Arc::new(Schema::parse(&large_schema(types))?);
    let mut all = Vec::new();
    for format in Format::ALL {
        let mut samples = Vec::new();
        for _ in 0..rounds {
            let start = now();
            black_box(wirewise_formats::plan(format.variant(), &schema)?);
            samples.push((now() - start).as_secs_f64() * 1e3);
        }
        let ms = (median(&samples) * 1e3).round() / 1e3;
        eprintln!("plan of {} for {types} types: {ms} ms", format.name());
        all.push(Compiled { format, types, ms });
    }
    Ok(all)
}

/// Records of ten fields: scalars, texts, lists, and references to three later records.
fn large_schema(types: usize) -> String {
    let mut text = r#"{"wirewise": "schema/1", "root": "Record0", "types": ["#.to_owned();
    for i in 0..types {
        let _ = write!(text, r#"{}{{"record": "Record{i}", "fields": ["#, if i > 0 { "," } else { "" });
        let scalars = ["int32", "int64", "float64", "string", "bool", "bytes"];
        for (f, scalar) in scalars.iter().enumerate() {
            let presence = if f % 2 == 0 { "required" } else { "optional" };
            let _ = write!(
                text,
                r#"{{"number": {}, "name": "field_{f}", "type": "{scalar}", "presence": "{presence}"}},"#,
                f + 1
            );
        }
        let _ = write!(text, r#"{{"number": 7, "name": "words", "type": {{"list": "string"}}}}"#);
        for (n, child) in [2 * i + 1, 2 * i + 2].into_iter().enumerate().filter(|&(_, child)| child < types) {
            let _ = write!(
                text,
                r#",{{"number": {}, "name": "child_{n}", "type": {{"list": "Record{child}"}}, "presence": "required"}}"#,
                8 + n
            );
        }
        text.push_str("]}");
    }
    text.push_str("]}");
    text
}

/// Converts streams of about two gigabytes with the binary, and watches its memory.
pub fn streams(binary: &Path, gigabytes: f64) -> Result<Vec<Stream>> {
    let mut all = Vec::new();
    for (set, bytes_each, to) in [
        ("geo-points", 118.0, "protobuf-delimited"),
        ("people", 218.0, "avro-container"),
        ("geo-points", 118.0, "msgpack-named"),
    ] {
        let records = (gigabytes * 1e9 / bytes_each) as u64;
        all.push(stream(binary, set, records, to).with_context(|| format!("{set} to {to}"))?);
    }
    Ok(all)
}

fn stream(binary: &Path, set: &str, records: u64, to: &str) -> Result<Stream> {
    let schema = std::env::temp_dir().join(format!("wirewise-bench-{}-{set}.json", std::process::id()));
    let text = if set == "people" { People::SCHEMA } else { GeoPoints::SCHEMA };
    // The elements of the array are the messages.
    let root = if set == "people" { "Person" } else { "GeoPoint" };
    std::fs::write(&schema, text.replacen(&format!("{{\"list\": \"{root}\"}}"), &format!("{root:?}"), 1))?;
    let start = Instant::now();
    let records = records.to_string();
    let mut source =
        Command::new(binary).args(["corpus", set, "--records", &records]).stdout(Stdio::piped()).spawn()?;
    let mut input = source.stdout.take().context("no output")?;
    let mut convert = Command::new(binary)
        .args(["convert", "--from", "json", "--in-framing", "json-array", "--to", to, "--schema"])
        .arg(&schema)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut stdin = convert.stdin.take().context("no input")?;
    let feeder = std::thread::spawn(move || std::io::copy(&mut input, &mut stdin));
    let mut output = convert.stdout.take().context("no output")?;
    let (mut buffer, mut output_bytes, mut peak) = (vec![0; 1 << 16], 0, 0);
    let mut looked = Instant::now();
    loop {
        let read = output.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        output_bytes += read as u64;
        if looked.elapsed() > Duration::from_millis(20) {
            peak = peak.max(high_water(&convert).unwrap_or(0));
            looked = Instant::now();
        }
    }
    let input_bytes = feeder.join().map_err(|_| anyhow::anyhow!("the feeder panicked"))??;
    ensure!(source.wait()?.success(), "the source failed");
    if !convert.wait()?.success() {
        bail!("the conversion failed");
    }
    std::fs::remove_file(&schema)?;
    let command = format!(
        "wirewise corpus {set} --records {records} | wirewise convert --from json --in-framing json-array --to {to}"
    );
    let stream =
        Stream { command, input_bytes, output_bytes, seconds: start.elapsed().as_secs_f64(), peak_bytes: peak };
    eprintln!(
        "{}: {} MB, peak {:.1} MB, {:.1} s",
        stream.command,
        input_bytes / 1_000_000,
        peak as f64 / 1e6,
        stream.seconds
    );
    Ok(stream)
}

/// The most memory that a process has had, from /proc.
fn high_water(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? * 1024)
}
