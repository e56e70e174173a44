//! `cargo xtask fuzz`: runs of the targets in `fuzz/`, with libFuzzer and coverage feedback on stable Rust.
//!
//! cargo-fuzz wants a nightly compiler for the address sanitizer, which finds memory errors in unsafe code. There
//! are two modules with some, whose tests run under Miri; the coverage instrumentation, which guides the fuzzer, is an LLVM
//! pass that stable Rust can run. With nightly, `cargo fuzz run TARGET` works on the same targets.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;
use crate::steps::Done;

/// What cargo-fuzz passes to rustc for libFuzzer's counters and comparisons.
const RUSTFLAGS: &[&str] = &[
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

/// Seconds that a smoke run gives each target.
const SMOKE_SECONDS: u64 = 3;

/// Longest input that the fuzzer makes, the time one input may take, and the memory a process may.
const BOUNDS: &[&str] = &["-max_len=4096", "-timeout=10", "-rss_limit_mb=1024"];

/// Run one target, or each in turn.
pub(crate) fn run(target: Option<&str>, seconds: u64, input: Option<&PathBuf>) -> Result<()> {
    let targets = targets()?;
    let chosen = match target {
        None => targets,
        Some(name) if targets.iter().any(|target| target == name) => vec![name.to_owned()],
        Some(name) => bail!("there is no target {name:?}; there are {}", targets.join(", ")),
    };
    let builder = Builder::new()?;
    for target in chosen {
        let mut command = match input {
            Some(input) => {
                let input = input.canonicalize().with_context(|| input.display().to_string())?;
                let mut command = builder.cargo("run");
                command.args(["--bin", &target, "--"]).arg(input);
                command
            }
            None => fuzzing(&builder, &target, seconds)?,
        };
        process::run(&mut command).with_context(|| format!("target {target}"))?;
    }
    Ok(())
}

/// Run each fuzz target for a moment: enough to see that it builds, that the seeds pass, and that what a few thousand
/// inputs find is found before others do.
pub(crate) fn smoke() -> Result<Done> {
    process::run(process::cargo().args(["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"]))?;
    let builder = Builder::new()?;
    process::run(builder.cargo("build").args(["--bins", "--examples"]))?;
    process::run(builder.cargo("run").args(["--example", "seeds", "--", "--check"]))?;
    for target in targets()? {
        // The same inputs every time: a change is not blamed for what it did not do. Long runs are random.
        let output = fuzzing(&builder, &target, SMOKE_SECONDS)?.args(["-seed=1", "-runs=30000"]).output()?;
        let log = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            bail!("target {target}:\n{log}");
        }
        let inputs = log.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
        println!("{target}: {} inputs", inputs.unwrap_or_default().trim());
    }
    Ok(Done::Passed)
}

/// The names of all targets.
fn targets() -> Result<Vec<String>> {
    let folder = process::root().join("fuzz/fuzz_targets");
    let mut targets = Vec::new();
    for entry in folder.read_dir().with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        targets.extend(path.file_stem().and_then(|name| name.to_str()).map(str::to_owned));
    }
    targets.sort();
    Ok(targets)
}

/// The command of a run that begins with the seeds and what earlier runs found interesting.
fn fuzzing(builder: &Builder, target: &str, seconds: u64) -> Result<Command> {
    let folders = ["corpus", "seeds"].map(|name| process::root().join("fuzz").join(name).join(target));
    let artifacts = process::root().join("fuzz/artifacts").join(target);
    for folder in [&folders[0], &artifacts] {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let mut command = builder.cargo("run");
    command.args(["--bin", target, "--"]).args(BOUNDS);
    command.args(["-print_final_stats=1".to_owned(), format!("-max_total_time={seconds}")]);
    command.arg(format!("-artifact_prefix={}/", artifacts.display()));
    // New inputs are written to the first folder.
    command.args(folders);
    Ok(command)
}

/// Builds instrumented programs.
struct Builder {
    /// Named to cargo so that the flags are not for build scripts and macros, which run without libFuzzer.
    host: String,
}

impl Builder {
    fn new() -> Result<Self> {
        let version = process::stdout_if_ok(process::command("rustc").arg("-vV")).context("cannot start rustc")?;
        let host = version.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc -vV names no host")?;
        Ok(Builder { host: host.to_owned() })
    }

    fn cargo(&self, subcommand: &str) -> Command {
        let mut cargo = process::cargo();
        cargo.args([subcommand, "--quiet", "--locked", "--release", "--manifest-path", "fuzz/Cargo.toml"]);
        cargo.args(["--target", &self.host]);
        cargo.env("CARGO_ENCODED_RUSTFLAGS", RUSTFLAGS.join("\u{1f}"));
        cargo
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_a_program_and_has_seeds() {
        let manifest = std::fs::read_to_string(process::root().join("fuzz/Cargo.toml")).unwrap();
        let targets = targets().unwrap();
        for target in &targets {
            assert!(manifest.contains(&format!("path = \"fuzz_targets/{target}.rs\"")), "{target}: no [[bin]]");
            let seeds = process::root().join("fuzz/seeds").join(target);
            assert!(seeds.read_dir().is_ok_and(|mut files| files.next().is_some()), "{target}: no seeds");
        }
        assert!(targets.iter().any(|target| target == "schema_file"));
    }
}
