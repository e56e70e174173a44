//! The examples in help texts and on the help pages of formats run as they stand there.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const WIREWISE: &str = env!("CARGO_BIN_EXE_wirewise");

const COMMANDS: &[&str] = &[
    "measure",
    "advise",
    "compare",
    "prices",
    "convert",
    "inspect",
    "schema infer",
    "schema translate",
    "schema show",
    "schema check",
    "dictionary train",
    "serve",
    "corpus",
    "formats",
    "completions",
];

#[test]
fn examples_in_help_texts_run() {
    let folder = Folder::new();
    for command in COMMANDS {
        let help = printed(&[command.split(' ').collect::<Vec<_>>(), vec!["--help"]].concat());
        folder.run_all(&format!("wirewise {command} --help"), examples(&help, "  wirewise "));
    }
}

#[test]
fn examples_on_help_pages_of_formats_run() {
    let folder = Folder::new();
    for format in wirewise_formats::FORMATS {
        let name = format.info().name;
        let page = printed(&["formats", name]);
        assert!(page.contains(format.info().specification), "{name}: {page}");
        folder.run_all(&format!("wirewise formats {name}"), examples(&page, "    wirewise "));
    }
}

/// Every command has a line in `--help` of what it belongs to, so that the list above is whole.
#[test]
fn every_command_is_known_here() {
    let listed = |arguments: &[&str]| -> Vec<String> {
        let help = printed(arguments);
        let commands = help.split_once("Commands:\n").expect("it has commands").1;
        let names = commands.lines().map_while(|line| line.strip_prefix("  "));
        names.filter_map(|line| line.split(' ').next()).filter(|name| *name != "help").map(str::to_owned).collect()
    };
    let mut all = Vec::new();
    for name in listed(&["-h"]) {
        if ["schema", "dictionary"].contains(&name.as_str()) {
            all.extend(listed(&[&name, "-h"]).iter().map(|inner| format!("{name} {inner}")));
        } else {
            all.push(name);
        }
    }
    assert_eq!(all, COMMANDS);
}

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(WIREWISE).args(arguments).output().expect("it runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("help is UTF-8")
}

/// The lines of a help text that are commands.
fn examples<'a>(text: &'a str, start: &str) -> Vec<&'a str> {
    text.lines().filter(|line| line.starts_with(start)).map(str::trim).collect()
}

/// A folder that looks like the root of the repository, and keeps what examples write.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for name in ["corpus", "conformance", "crates"] {
            std::os::unix::fs::symlink(root.join(name), folder.path().join(name)).expect("a link");
        }
        fs::create_dir_all(folder.path().join(".local/share/bash-completion/completions")).expect("a folder");
        Folder(folder)
    }

    fn run_all(&self, source: &str, examples: Vec<&str>) {
        assert!(!examples.is_empty(), "{source}: there is no example");
        for example in examples {
            self.run(source, example);
        }
    }

    fn run(&self, source: &str, example: &str) {
        let mut script = example.replace("/tmp/", &format!("{}/", self.0.path().display()));
        if !example.contains("--time") {
            // What is timed, and for how long, makes no difference here.
            script = script.replace("wirewise measure", "wirewise measure --time 0");
        }
        if example.starts_with("wirewise serve") && !example.contains("--check") {
            // It serves until it is told to stop; at any port, for others may have that of the example.
            let port = if example.contains("--listen") { "" } else { " --listen 127.0.0.1:0" };
            script = format!(
                "{script}{port} 2> serve.log & while kill -0 $! && ! grep -q http:// serve.log; do sleep 0.1; done; \
                 kill -TERM $! && wait $!"
            );
        }
        let binaries = Path::new(WIREWISE).parent().expect("the binary lies in a folder");
        let path = std::env::join_paths(
            [binaries.to_owned()]
                .into_iter()
                .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
        );
        let output = Command::new("sh")
            .args(["-c", &script])
            .current_dir(self.0.path())
            .env("PATH", path.expect("a path"))
            .env("HOME", self.0.path())
            .stdin(Stdio::null())
            .output()
            .expect("the shell runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        let errors: String = errors.lines().filter(|line| !line.starts_with("note: ")).collect();
        // What it says about a change may be "no".
        let answered = output.status.success() || example.contains("schema check") && output.status.code() == Some(1);
        assert!(answered && errors.is_empty(), "{source}:\n{example}\n{errors}");
    }
}
