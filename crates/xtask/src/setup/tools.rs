//! The foreign tools that the tests drive.

use crate::process;

/// Something a test needs on the machine, and the Debian package that brings it.
pub(super) struct Tool {
    /// The name shown in reports.
    name: &'static str,
    /// Its Debian package.
    pub(super) package: &'static str,
    /// Its version if it is there.
    version: fn() -> Option<String>,
}

const TOOLS: &[Tool] = &[
    Tool { name: "protoc", package: "protobuf-compiler", version: || version("protoc", "--version") },
    Tool { name: "protobuf's own .proto files", package: "libprotobuf-dev", version: well_known_types },
    Tool { name: "flatc", package: "flatbuffers-compiler", version: || version("flatc", "--version") },
    Tool { name: "capnp", package: "capnproto", version: || version("capnp", "--version") },
    Tool { name: "thrift", package: "thrift-compiler", version: || version("thrift", "-version") },
    Tool { name: "zstd", package: "zstd", version: || version("zstd", "--version") },
    Tool { name: "brotli", package: "brotli", version: || version("brotli", "--version") },
    Tool { name: "redis-server", package: "redis-server", version: || version("redis-server", "--version") },
    Tool { name: "postgres", package: "postgresql", version: postgres },
    Tool { name: "node", package: "nodejs", version: || version("node", "--version") },
    Tool { name: "openssl", package: "openssl", version: || version("openssl", "version") },
    // Asking it for its version takes a second.
    Tool { name: "chromium", package: "chromium", version: || found("chromium") },
    Tool { name: "firefox", package: "firefox-esr", version: || found("firefox-esr").or_else(|| found("firefox")) },
    Tool { name: "WebKitWebDriver", package: "webkit2gtk-driver", version: || found("WebKitWebDriver") },
    Tool { name: "Xvfb", package: "xvfb", version: || found("Xvfb") },
    Tool { name: "curl", package: "curl", version: || found("curl") },
    // Asking npm itself for its version takes longer than all the rest.
    Tool { name: "npm", package: "npm", version: || found("npm") },
];

/// The tools that are not there.
pub(super) fn missing() -> Vec<&'static Tool> {
    TOOLS.iter().filter(|tool| (tool.version)().is_none()).collect()
}

/// Print one line for each tool.
pub(super) fn report() {
    for tool in TOOLS {
        match (tool.version)() {
            Some(version) => println!("ok       {}: {version}", tool.name),
            None => println!("MISSING  {} (Debian package {})", tool.name, tool.package),
        }
    }
}

/// The command that installs `missing` on this kind of machine.
pub(super) fn advice(missing: &[&Tool]) -> String {
    if cfg!(target_os = "macos") {
        return "install them with: brew install protobuf flatbuffers capnp thrift zstd brotli node".to_owned();
    }
    let packages: Vec<_> = missing.iter().map(|tool| tool.package).collect();
    format!("install them with: sudo apt-get update && sudo apt-get install {}", packages.join(" "))
}

fn version(program: &str, flag: &str) -> Option<String> {
    process::stdout_if_ok(process::command(program).arg(flag))
}

/// Where a program is, which has no version to ask for, or takes long to say it.
fn found(program: &str) -> Option<String> {
    process::find(program).map(|path| path.display().to_string())
}

/// Debian does not put its programs into `PATH`.
fn postgres() -> Option<String> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut programs = versions.map(|version| version.path().join("bin/postgres"));
    programs
        .find_map(|program| process::stdout_if_ok(process::command(program).arg("--version")))
        .or_else(|| version("postgres", "--version"))
}

/// The folder of `google/protobuf/*.proto`. It comes in a package of its own, so protoc may be there without it; protoc
/// looks for it in the `include` beside its own `bin`.
fn well_known_types() -> Option<String> {
    let include = process::find("protoc")?.parent()?.parent()?.join("include");
    include.join("google/protobuf/timestamp.proto").is_file().then(|| include.display().to_string())
}
