//! The files in the repository's `corpus/` folder are what `PROVENANCE.md` says they are.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus");
/// Files that are about the data.
const ABOUT: [&str; 3] = [".gitattributes", "PROVENANCE.md", "extract.py"];

fn read(name: &str) -> Vec<u8> {
    fs::read(Path::new(FOLDER).join(name)).unwrap()
}

/// Names, relative to the folder, and sizes.
fn files(folder: &Path, prefix: &str, found: &mut BTreeMap<String, u64>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            files(&entry.path(), &format!("{name}/"), found);
        } else if !ABOUT.contains(&name.as_str()) {
            found.insert(name, entry.metadata().unwrap().len());
        }
    }
}

#[test]
fn the_table_lists_every_file_with_its_size() {
    let mut found = BTreeMap::new();
    files(Path::new(FOLDER), "", &mut found);
    let listed: BTreeMap<String, u64> = String::from_utf8(read("PROVENANCE.md"))
        .unwrap()
        .lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| `")?.split('|').map(str::trim);
            let name = cells.next()?.strip_suffix('`')?.to_owned();
            Some((name, cells.next()?.parse().ok()?))
        })
        .collect();
    assert_eq!(found, listed);
}

#[test]
fn generated_files_are_what_the_generators_write() {
    for (name, records) in [("user-profile", 1), ("time-series", 460), ("counters", 100), ("people", 100)] {
        let made = wirewise_corpus::by_name(name).unwrap().to_vec(records).unwrap();
        assert!(made == read(&format!("{name}.json")), "corpus/{name}.json is not the generator's");
    }
}

#[test]
fn real_places_have_the_shape_of_generated_ones() {
    let keys = |json: &[u8]| -> Vec<Vec<String>> {
        let points: Vec<serde_json::Map<String, serde_json::Value>> = serde_json::from_slice(json).unwrap();
        points.iter().map(|point| point.keys().cloned().collect()).collect()
    };
    let real = read("geo-points.json");
    let made = wirewise_corpus::by_name("geo-points").unwrap().to_vec(1000).unwrap();
    assert_eq!(keys(&real), keys(&made));
    assert!(real.starts_with(br#"[{"uuid":"157ae52a-e77a-56c9-bce7-1025260eb7b2","status":1,"#));
}
