//! A format is its folder, one line of registration, its help page, its tests, its golden bytes and its fuzz target.

use std::collections::BTreeSet;
use std::fs;

use wirewise_formats::FORMATS;

fn registered() -> BTreeSet<String> {
    FORMATS.iter().map(|format| format.info().name.to_owned()).collect()
}

#[test]
fn every_folder_is_registered_and_complete() {
    let root = wirewise_testkit::root();
    let source = root.join("crates/formats/src");
    let folders: BTreeSet<String> = fs::read_dir(&source)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().unwrap().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        // A folder beside a file of its name has the rest of that file's module: what several formats share.
        .filter(|name| !source.join(format!("{name}.rs")).is_file())
        .collect();
    assert_eq!(folders, registered(), "a format is a folder and an entry in FORMATS");
    for name in &folders {
        let folder = source.join(name);
        for file in ["mod.rs", "help.md"] {
            assert!(folder.join(file).is_file(), "{name} has no {file}");
        }
        assert!(folder.join("tests.rs").is_file() || folder.join("tests").is_dir(), "{name} has no tests");
        let golden = root.join("conformance").join(name);
        assert!(golden.is_dir(), "{name} has no foreign bytes in conformance/{name}");
        let target = root.join(format!("fuzz/fuzz_targets/{name}.rs"));
        assert!(target.is_file(), "{name} has no fuzz target: see CONTRIBUTING.md");
    }
}

#[test]
fn names_are_unique_and_explained() {
    let mut ids = BTreeSet::new();
    let mut media_types = BTreeSet::new();
    let mut variants = BTreeSet::new();
    for format in FORMATS {
        let info = format.info();
        assert!(!info.variants.is_empty() && !info.media_types.is_empty() && !info.extensions.is_empty());
        assert!(info.specification.contains("http"), "{}: the specification has no address", info.name);
        assert!(
            info.help.starts_with(&format!("# {}\n", info.title)),
            "{}: the help page has another title",
            info.name
        );
        for variant in info.variants {
            assert!(variants.insert(variant.media_type), "{} stands for two variants", variant.media_type);
            let plain = variant.media_type.split(';').next().unwrap();
            assert!(info.media_types.contains(&plain), "{}: {plain} is none of its format's", variant.id);
        }
        for media_type in info.media_types {
            assert!(media_types.insert(*media_type), "{media_type} stands for two formats");
        }
        for variant in info.variants {
            assert!(ids.insert(variant.id), "{} stands for two variants", variant.id);
            assert!(variant.id.contains(info.name), "{} does not say {}", variant.id, info.name);
            let quoted = format!("`{}`", variant.id);
            assert!(info.help.contains(&quoted), "the help page of {} does not mention {quoted}", info.name);
            let (found, same) = wirewise_formats::find(variant.id).unwrap();
            assert!(found.info().name == info.name && same == variant);
        }
    }
    let error = wirewise_formats::find("nonsense").map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("json-compact"), "{error}");
}
