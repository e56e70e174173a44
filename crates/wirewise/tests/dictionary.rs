//! Standard zstd tools take the dictionaries that `wirewise dictionary train` writes, and they save what it says.

use std::fs;
use std::process::Command;

use wirewise_testkit::foreign;

#[test]
fn the_reference_tool_takes_a_trained_dictionary() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let train = Command::new(env!("CARGO_BIN_EXE_wirewise"))
        .args([
            "dictionary",
            "train",
            "--size",
            "2048",
            "--output",
            "json",
            "corpus/geo-points.json",
            "-o",
            &path("dict"),
        ])
        .current_dir(root)
        .output()
        .unwrap();
    assert!(train.status.success(), "{}", String::from_utf8_lossy(&train.stderr));
    let told: serde_json::Value = serde_json::from_slice(&train.stdout).unwrap();

    // The messages that it was measured on, as it takes them apart: the second, the fourth...
    let text = fs::read_to_string(format!("{root}/corpus/geo-points.json")).unwrap();
    let messages = text.trim().trim_start_matches('[').trim_end_matches(']').split_inclusive('}');
    let messages: Vec<_> = messages.map(|message| message.trim_start_matches([',', '\n', ' '])).collect();
    let held_out: Vec<_> = messages.iter().skip(1).step_by(2).collect();
    assert_eq!(told["measured"], held_out.len());
    assert_eq!(told["plain_bytes"], held_out.iter().map(|message| message.len()).sum::<usize>());
    for (i, message) in held_out.iter().enumerate() {
        fs::write(path(&format!("{i}")), message).unwrap();
    }

    let files: Vec<_> = (0..held_out.len()).map(|i| path(&i.to_string())).collect();
    let Some(mut zstd) = foreign::tool("zstd") else { return };
    let status = zstd.args(["-q", "--no-check", "-D", &path("dict"), "--rm"]).args(&files).status().unwrap();
    assert!(status.success());
    let packed: u64 = files.iter().map(|file| fs::metadata(format!("{file}.zst")).unwrap().len()).sum();
    let claimed = told["bytes"].as_u64().unwrap();
    assert!(packed.abs_diff(claimed) * 20 < claimed, "zstd makes {packed} bytes, wirewise says {claimed}");

    let packed = files.iter().map(|file| format!("{file}.zst"));
    let Some(mut zstd) = foreign::tool("zstd") else { return };
    let status = zstd.args(["-q", "-d", "-D", &path("dict")]).args(packed).status().unwrap();
    assert!(status.success());
    for (file, message) in files.iter().zip(held_out) {
        assert_eq!(fs::read_to_string(file).unwrap(), **message);
    }
}
