//! An interrupted command leaves no half-written file behind.
#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn interrupted_conversions_leave_nothing_behind() {
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let folder = tempfile::tempdir().expect("a folder");
        let count = || fs::read_dir(folder.path()).expect("the folder is there").count();
        let mut convert = Command::new(env!("CARGO_BIN_EXE_wirewise"))
            .args(["convert", "--to", "json", "-o"])
            .arg(folder.path().join("out.json"))
            .stdin(Stdio::piped())
            .spawn()
            .expect("it runs");
        let mut input = convert.stdin.take().expect("piped");
        // More than it looks at before it begins to write; there is no end, so that it waits.
        input.write_all("{\"a\":1}\n".repeat(10_000).as_bytes()).expect("it reads");
        let start = Instant::now();
        while count() == 0 {
            assert!(start.elapsed() < Duration::from_secs(60), "it never began to write");
            thread::sleep(Duration::from_millis(5));
        }
        let id = convert.id().to_string();
        assert!(Command::new("kill").args([&format!("-{signal}"), &id]).status().expect("kill runs").success());
        assert_eq!(convert.wait().expect("it ends").code(), Some(status));
        assert_eq!(count(), 0);
    }
}
