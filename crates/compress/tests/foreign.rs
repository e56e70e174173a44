//! Bytes that other tools wrote are read, and they read ours. Golden bytes were made from the same 29 bytes by the command
//! beside them; the rest drives the tools themselves, where they are installed.

use std::fs;
use std::process::Stdio;

use wirewise_compress::by_name;
use wirewise_testkit::foreign;

const CONTENT: &[u8] = b"wire, wire, wire, wire, wire\n";

const FOREIGN: [(&str, &str, &str); 4] = [
    ("gzip", "gzip 1.12: gzip -nc w", "1f8b08000000000000032bcf2c4ad55128c74a720100dba6f2e31d000000"),
    ("brotli", "Node 20.20.2: zlib.brotliCompressSync", "1b1c00f88d946edeb406294bbb930a2c72a5083d7140b80d00"),
    ("zstd, with a checksum", "zstd 1.5.4: zstd -cq w", "28b52ffd241d6d000038776972652c200a0100514a1198fa24b8"),
    (
        "lz4, with linked blocks, checksums and the length",
        "lz4 1.9.4: lz4 -cq -BD --content-size -BX w",
        "04224d187c401d000000000000008e0f0000006e776972652c20060050776972650a705ae71100000000c45011a1",
    ),
];

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn what_other_tools_wrote_is_read() {
    for (what, command, hex) in FOREIGN {
        let compressor = by_name(what.split(',').next().unwrap()).unwrap().compressor;
        let mut out = Vec::new();
        compressor.decompress(&bytes(hex), CONTENT.len(), &mut out).unwrap();
        assert_eq!(out, CONTENT, "{what}, made by {command}");
    }
}

#[test]
fn checksums_of_other_tools_are_checked() {
    for (what, _, hex) in FOREIGN.iter().filter(|(what, _, _)| what.contains("checksum")) {
        let compressor = by_name(what.split(',').next().unwrap()).unwrap().compressor;
        let mut data = bytes(hex);
        *data.last_mut().unwrap() ^= 1;
        let error = compressor.decompress(&data, CONTENT.len(), &mut Vec::new()).unwrap_err();
        assert!(error.to_string().starts_with("not valid"), "{what}: {error}");
    }
}

/// Lines with numbers, and the first of them again after `len` bytes.
fn far_repetition(len: usize) -> Vec<u8> {
    let mut input: Vec<u8> = (0_u64..).flat_map(|n| format!("{},", n * n % 1_000_003).into_bytes()).take(len).collect();
    input.extend_from_within(..len / 4);
    input
}

/// What a tool makes of `input`, which it gets as a file.
#[track_caller]
fn run(tool: &str, arguments: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    let mut command = foreign::tool(tool)?;
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), input).unwrap();
    let output = command.args(arguments).stdin(fs::File::open(file.path()).unwrap()).stderr(Stdio::inherit());
    let output = output.output().unwrap();
    assert!(output.status.success(), "{tool} {arguments:?}: {}", output.status);
    Some(output.stdout)
}

#[test]
fn the_tools_read_every_window() {
    let input = far_repetition(3 << 20);
    for (tool, windows) in [("brotli", 10..=24), ("zstd", 10..=27)] {
        for window in windows {
            let choice = by_name(&format!("{tool}:3:{window}")).unwrap();
            let mut packed = Vec::new();
            choice.compress(&input, &mut packed).unwrap();
            // Neither is told to take more than it does by itself.
            let Some(unpacked) = run(tool, &["-dc"], &packed) else { break };
            assert!(unpacked == input, "{tool}:3:{window}");
        }
    }
}

#[test]
fn what_the_tools_write_with_a_window_is_read() {
    let input = far_repetition(3 << 20);
    let windows = [("brotli", "--lgwin=10"), ("brotli", "--lgwin=24"), ("zstd", "--long=10"), ("zstd", "--long=27")];
    for (tool, window) in windows {
        let Some(packed) = run(tool, &["-c", "-3", window], &input) else { continue };
        let mut unpacked = Vec::new();
        // A stream does not say how long it is: zstd's window counts as needed, and has to fit into the limit.
        by_name(tool).unwrap().decompress(&packed, 1 << 27, &mut unpacked).unwrap();
        assert!(unpacked == input, "{tool} {window}");
    }
}
