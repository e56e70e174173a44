//! Streams are converted in memory that does not grow with them.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;

const WIREWISE: &str = env!("CARGO_BIN_EXE_wirewise");

/// More than any of the bounds below, and little enough for unoptimized builds.
const INPUT: u64 = if cfg!(debug_assertions) { 48 << 20 } else { 200 << 20 };

#[test]
fn streams_without_a_schema() {
    assert_peak(&["--to", "msgpack"], 16 << 20);
    assert_peak(&["--to", "json"], 16 << 20);
}

#[test]
fn streams_whose_schema_is_inferred_from_their_start() {
    // The start, 16 MiB, is kept until it is converted.
    assert_peak(&["--to", "protobuf"], 40 << 20);
    assert_peak(&["--to", "avro-container-zstandard"], 40 << 20);
}

/// Converts geographic points from a pipe, and compares the peak of the memory with `most` bytes.
fn assert_peak(arguments: &[&str], most: u64) {
    let mut convert = Command::new(WIREWISE)
        .arg("convert")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it runs");
    let mut generate = Command::new(WIREWISE)
        .args(["corpus", "geo-points", "--records", &(INPUT / 100).to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut input = convert.stdin.take().expect("piped");
    let mut output = convert.stdout.take().expect("piped");
    let drain = thread::spawn(move || io::copy(&mut output, &mut io::sink()));

    let mut generated = generate.stdout.take().expect("piped");
    let sent = send(&mut generated, &mut input);
    assert!(generate.wait().expect("it ends").success());
    // It waits for the end of its input now, so that its peak can still be read.
    let peak = peak(&convert);
    drop(input);
    assert!(convert.wait().expect("it ends").success(), "{arguments:?}");
    drain.join().expect("no panic").expect("its output can be read");

    assert!(sent > INPUT, "only {sent} bytes were sent");
    assert!(peak < most, "{arguments:?}: {peak} bytes of memory for {sent} bytes, more than {most}");
}

fn send(from: &mut impl Read, to: &mut impl Write) -> u64 {
    io::copy(from, to).expect("all of the input is read")
}

/// The most physical memory that a process has had, in bytes.
fn peak(process: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).expect("the process runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("Linux tells");
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kilobytes << 10
}
