//! Starting the runner, and judging what it says.

use std::process::ExitCode;

use wirewise_testkit::{foreign, root};

/// What this test is called, for those who name tests.
const NAME: &str = "protobuf_conformance";

/// Cases of the binary format and of JSON in the runner's version: none may be missing.
const CASES: usize = 5567;

/// Runs every case, required and recommended.
pub(crate) fn run() -> ExitCode {
    let Some(mut runner) = foreign::protobuf_conformance() else { return ExitCode::SUCCESS };
    let expected = root().join("conformance/protobuf/expected-failures.txt");
    let listed = std::fs::read_to_string(&expected).expect("the list is committed");
    let listed = listed.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).count();
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    runner.args(["--enforce_recommended", "--maximum_edition", "2023", "--failure_list"]).arg(expected);
    runner.arg("--output_dir").arg(folder.path());
    runner.arg(std::env::current_exe().expect("a test has a path")).env(super::TESTEE, "1").env("RUST_BACKTRACE", "0");
    let output = runner.output().expect("the runner starts");
    let said = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    let summaries: Vec<&str> = said.lines().filter(|line| line.starts_with("CONFORMANCE SUITE ")).collect();
    summaries.iter().for_each(|line| println!("{line}"));
    let successes = summaries.first().and_then(|line| line.split_whitespace().nth(3)?.parse::<usize>().ok());
    if output.status.success() && successes.is_some_and(|successes| successes + listed >= CASES) {
        return ExitCode::SUCCESS;
    }
    const MOST: usize = 20_000;
    let start = said.len().saturating_sub(MOST);
    eprintln!("{}", said.get(start..).unwrap_or(&said));
    eprintln!("the runner ended with {}; {CASES} cases were expected to pass, less {listed} listed", output.status);
    ExitCode::FAILURE
}

/// Whether the arguments of the test leave this one out.
pub(crate) fn is_filtered() -> bool {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--list") {
        println!("{NAME}: test");
        return true;
    }
    let names: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    arguments.iter().any(|argument| argument == "--ignored")
        || !names.is_empty() && !names.iter().any(|name| NAME.contains(name.as_str()))
}
