//! Bytes that other tools wrote are read. Each was made from the same 29 bytes by the command beside it.

use wirewise_compress::by_name;

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
        let (compressor, _) = by_name(what.split(',').next().unwrap()).unwrap();
        let mut out = Vec::new();
        compressor.decompress(&bytes(hex), CONTENT.len(), &mut out).unwrap();
        assert_eq!(out, CONTENT, "{what}, made by {command}");
    }
}

#[test]
fn checksums_of_other_tools_are_checked() {
    for (what, _, hex) in FOREIGN.iter().filter(|(what, _, _)| what.contains("checksum")) {
        let (compressor, _) = by_name(what.split(',').next().unwrap()).unwrap();
        let mut data = bytes(hex);
        *data.last_mut().unwrap() ^= 1;
        let error = compressor.decompress(&data, CONTENT.len(), &mut Vec::new()).unwrap_err();
        assert!(error.to_string().starts_with("not valid"), "{what}: {error}");
    }
}
