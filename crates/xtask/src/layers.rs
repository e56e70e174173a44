//! `cargo xtask layers`: a crate depends on lower layers only, and heavy dependencies stay where they belong. The test
//! at the end of this file makes `cargo test` hold the manifests against both.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::process;

/// Every crate and its layer. A crate depends on crates of lower layers; its tests may also use those of its own layer.
const LAYERS: &[(u8, &[&str])] = &[
    (0, &["wirewise-core"]),
    (1, &["wirewise-formats", "wirewise-compress", "wirewise-corpus", "wirewise-testkit"]),
    (2, &["wirewise-schema", "wirewise-shapes", "wirewise-idl", "wirewise-transcode"]),
    (3, &["wirewise-measure", "wirewise-evolution", "wirewise-inspect"]),
    (4, &["wirewise-advice", "wirewise-gateway"]),
    (5, &["wirewise-report"]),
    (6, &["wirewise", "xtask"]),
];

/// Crates that only tests may use.
const ONLY_IN_TESTS: &[&str] = &["wirewise-testkit"];

/// A dependency, the only crates that may have it, and why.
const RESERVED: &[(&str, &[&str], &str)] =
    &[("clap", &["wirewise", "xtask"], "libraries take typed options; only binaries parse arguments")];

/// Where to change the tables above.
const HERE: &str = "crates/xtask/src/layers.rs";

/// The part of `cargo metadata` we read. It knows about renamed, inherited and target-specific dependencies.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// `None` for a normal one, else `dev` or `build`.
    kind: Option<String>,
    /// Where it lies, for a crate of this workspace.
    path: Option<String>,
}

/// Print the layers, or everything that breaks them.
pub(crate) fn run() -> Result<()> {
    let problems = problems(&read()?.packages);
    if !problems.is_empty() {
        bail!("the layers are broken:\n{}", problems.join("\n"));
    }
    for (layer, crates) in LAYERS {
        println!("{layer}  {}", crates.join(", "));
    }
    Ok(())
}

fn read() -> Result<Metadata> {
    let output = process::cargo()
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .output()
        .context("cannot start cargo metadata")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    }
    serde_json::from_slice(&output.stdout).context("cannot read the output of cargo metadata")
}

/// Everything that breaks a rule, one line each.
fn problems(packages: &[Package]) -> Vec<String> {
    let mut layers = BTreeMap::new();
    for (layer, crates) in LAYERS {
        layers.extend(crates.iter().map(|name| (*name, *layer)));
    }

    let mut problems = Vec::new();
    for package in packages {
        match layers.get(package.name.as_str()) {
            Some(layer) => {
                let broken =
                    package.dependencies.iter().filter_map(|dependency| problem(package, *layer, dependency, &layers));
                problems.extend(broken);
            }
            None => problems.push(format!(
                "{name} has no layer: add it to LAYERS in {HERE}, one above the highest crate it depends on",
                name = package.name
            )),
        }
    }
    for name in layers.keys().filter(|name| !packages.iter().any(|package| package.name == **name)) {
        problems.push(format!("{name} is no crate of this workspace: remove it from LAYERS in {HERE}"));
    }
    problems
}

fn problem(package: &Package, layer: u8, dependency: &Dependency, layers: &BTreeMap<&str, u8>) -> Option<String> {
    let name = &package.name;
    let other = dependency.name.as_str();
    let in_tests = dependency.kind.as_deref() == Some("dev");

    if let Some((_, allowed, why)) = RESERVED.iter().find(|(reserved, ..)| *reserved == other)
        && !allowed.contains(&name.as_str())
    {
        return Some(format!("{name} must not depend on {other}, only {} may: {why}", allowed.join(" and ")));
    }
    // A crate of this workspace without a layer is reported once, as a package.
    dependency.path.as_ref()?;
    let below = *layers.get(other)?;
    if ONLY_IN_TESTS.contains(&other) && !in_tests {
        return Some(format!("{name} must not depend on {other}: it is for tests, make it a dev-dependency"));
    }
    let (allowed, rule) = match in_tests {
        true => (below <= layer, "tests use the layers up to their own"),
        false => (below < layer, "a crate depends on lower layers only"),
    };
    (!allowed).then(|| {
        format!(
            "{name} (layer {layer}) must not depend on {other} (layer {below}): {rule}; \
             move the code, or correct LAYERS in {HERE} when the crate itself is in the wrong place"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_depend_on_lower_layers_only() {
        let problems = problems(&read().unwrap().packages);
        assert!(problems.is_empty(), "the layers are broken:\n{}", problems.join("\n"));
    }

    /// What is wrong with a workspace in which `name` has one more dependency than none at all.
    fn problems_of(name: &str, dependency: &str, kind: Option<&str>) -> Vec<String> {
        let names = LAYERS.iter().flat_map(|(_, crates)| *crates);
        let mut packages: Vec<_> =
            names.map(|name| Package { name: (*name).to_owned(), dependencies: Vec::new() }).collect();
        let package = packages.iter_mut().find(|package| package.name == name).unwrap();
        package.dependencies.push(Dependency {
            name: dependency.to_owned(),
            kind: kind.map(str::to_owned),
            path: Some("somewhere".to_owned()),
        });
        problems(&packages)
    }

    #[test]
    fn a_lower_layer_is_fine() {
        assert!(problems_of("wirewise-measure", "wirewise-core", None).is_empty());
    }

    #[test]
    fn the_same_layer_is_for_tests() {
        assert_eq!(problems_of("wirewise-schema", "wirewise-transcode", None).len(), 1);
        assert_eq!(problems_of("wirewise-schema", "wirewise-transcode", Some("build")).len(), 1);
        assert!(problems_of("wirewise-schema", "wirewise-transcode", Some("dev")).is_empty());
    }

    #[test]
    fn a_higher_layer_is_forbidden_even_in_tests() {
        assert_eq!(problems_of("wirewise-core", "wirewise-formats", Some("dev")).len(), 1);
    }

    #[test]
    fn the_testkit_is_for_tests() {
        assert_eq!(problems_of("wirewise", "wirewise-testkit", None).len(), 1);
        assert!(problems_of("wirewise", "wirewise-testkit", Some("dev")).is_empty());
    }

    #[test]
    fn only_binaries_parse_arguments() {
        assert_eq!(problems_of("wirewise-report", "clap", None).len(), 1);
        assert_eq!(problems_of("wirewise-report", "clap", Some("dev")).len(), 1);
        assert!(problems_of("wirewise", "clap", None).is_empty());
    }

    #[test]
    fn an_unknown_crate_is_told_where_to_go() {
        let mut packages = read().unwrap().packages;
        packages.push(Package { name: "wirewise-new".to_owned(), dependencies: Vec::new() });
        let problems = problems(&packages);
        assert_eq!(problems.len(), 1);
        assert!(problems[0].starts_with("wirewise-new has no layer: add it to LAYERS in"), "{}", problems[0]);
    }
}
