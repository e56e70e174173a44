//! The seeds of every target: messages of the testkit, and their schemas.
//!
//!     cargo run --manifest-path fuzz/Cargo.toml --example seeds            # writes them
//!     cargo run --manifest-path fuzz/Cargo.toml --example seeds -- --check # says whether they are still good

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use wirewise_core::{Arena, Document, Losses};
use wirewise_formats::FORMATS;
use wirewise_idl::Module;
use wirewise_testkit::random;

/// Seeds of one format, shared out among its variants; each has two at least.
const EACH_FORMAT: usize = 12;

/// Bytes of the longest message that is a seed: the fuzzer makes its own long ones.
const LONGEST: usize = 300;

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    if std::env::args().any(|argument| argument == "--check") {
        let bad = bad(&committed(&folder));
        if bad.is_empty() {
            return ExitCode::SUCCESS;
        }
        eprintln!("fuzz/seeds: {}", bad.join(", "));
        eprintln!("write them again with: cargo run --manifest-path fuzz/Cargo.toml --example seeds");
        return ExitCode::FAILURE;
    }
    let _ = fs::remove_dir_all(&folder);
    for (path, bytes) in seeds() {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().expect("a seed lies in its target's folder")).expect("fuzz/seeds is writable");
        fs::write(path, bytes).expect("fuzz/seeds is writable");
    }
    ExitCode::SUCCESS
}

type Seeds = BTreeMap<PathBuf, Vec<u8>>;

fn seeds() -> Seeds {
    let mut seeds = Seeds::new();
    for format in FORMATS {
        let info = format.info();
        for (index, variant) in info.variants.iter().enumerate() {
            let mut rest = (EACH_FORMAT / info.variants.len()).max(2);
            for number in 1.. {
                let schema = Arc::new(wirewise_fuzz::schema(number));
                let mut arena = Arena::new(wirewise_fuzz::limits());
                random::message(&schema, u64::from(number), &mut arena);
                let document = Document::new(&schema, b"", &arena);
                let Ok(codec) = format.plan(&schema, variant) else { continue };
                let mut bytes = wirewise_fuzz::header(index as u8, number).to_vec();
                let held = codec.encode(&document, &mut bytes, &mut Losses::none()).is_ok();
                if !held || !(20..LONGEST).contains(&bytes.len()) {
                    continue;
                }
                seeds.insert(Path::new(info.name).join(format!("{}-{number}", variant.id)), bytes);
                rest -= 1;
                if rest == 0 {
                    break;
                }
            }
        }
    }
    // What every format's own target has, without the bytes that choose variant and schema there.
    let messages = seeds.iter().step_by(5).map(|(path, bytes)| {
        let name = path.file_name().expect("a seed has a name");
        (Path::new("inspect").join(name), [&[0][..], &bytes[wirewise_fuzz::HEADER..]].concat())
    });
    let messages: Vec<_> = messages.collect();
    seeds.extend(messages);
    seeds.extend(of_shapes());
    seeds.extend(of_languages());
    seeds.extend(of_conversions());
    seeds
}

/// Messages of every variant for the target that compares: of any type, of the one that has types in Rust, and random.
fn of_conversions() -> Seeds {
    let mut seeds = Seeds::new();
    let variants = FORMATS.iter().flat_map(|format| format.info().variants);
    for (index, variant) in variants.enumerate() {
        for number in [0, 1, 2 + 3 * index as u16, 152 + 3 * index as u16] {
            let schema = Arc::new(wirewise_fuzz::convert::schema(number));
            let Ok(codec) = wirewise_formats::plan(variant.id, &schema) else { continue };
            // The first message of a good length.
            for seed in 0..100 {
                let mut arena = Arena::new(wirewise_fuzz::limits());
                random::message(&schema, seed, &mut arena);
                let mut bytes = wirewise_fuzz::header(index as u8, number).to_vec();
                let document = Document::new(&schema, b"", &arena);
                let held = codec.encode(&document, &mut bytes, &mut Losses::none()).is_ok();
                if held && (10..LONGEST).contains(&bytes.len()) {
                    seeds.insert(Path::new("convert").join(format!("{}-{number}", variant.id)), bytes);
                    break;
                }
            }
        }
    }
    seeds
}

/// Targets for schema languages, the languages of each, and files that people wrote.
const LANGUAGES: &[(&str, &[&str], &[&str])] = &[
    ("schema_file", &["wirewise"], &[]),
    (
        "proto",
        &["proto"],
        &[
            "crates/idl/tests/protos/two.proto",
            "crates/idl/tests/protos/three.proto",
            "crates/idl/tests/proto/data/everything2023.proto",
        ],
    ),
    ("descriptor_set", &["descriptor-set"], &[]),
    ("avsc", &["avsc"], &["conformance/avro/everything.avsc", "conformance/avro/user-profile.avsc"]),
    (
        "fbs",
        &["fbs", "bfbs"],
        &["crates/idl/src/languages/fbs/reflection.fbs", "conformance/flatbuffers/everything.fbs"],
    ),
    ("capnp_schema", &["capnp"], &["conformance/capnp/everything.capnp", "conformance/capnp/defaults.capnp"]),
    ("thrift_schema", &["thrift"], &["conformance/thrift/conformance.thrift", "conformance/thrift/idl.thrift"]),
    (
        "json_schema",
        &["json-schema"],
        &["crates/idl/tests/json_schema/schemas/shapes.json", "crates/idl/tests/json_schema/schemas/orders.json"],
    ),
];

/// Files of every language: what it writes for random schemas, and what people wrote.
fn of_languages() -> Seeds {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("fuzz lies in the project");
    let mut seeds = Seeds::new();
    for (target, names, files) in LANGUAGES {
        // As the target expects it.
        let seed = |choice: usize, file: &[u8]| {
            let choice: &[u8] = if names.len() > 1 { &[choice as u8] } else { &[] };
            [choice, file].concat()
        };
        for (choice, name) in names.iter().enumerate() {
            let language = wirewise_idl::find(name).expect("the table names languages");
            for number in 1..=4 {
                let module = Module::of(random::wild_schema(number));
                let Ok(written) = language.write(&module) else { continue };
                seeds.insert(Path::new(target).join(format!("{name}-{number}")), seed(choice, &written.bytes));
            }
        }
        for file in *files {
            let bytes = fs::read(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
            let name = Path::new(file).file_name().expect("it is a file");
            seeds.insert(Path::new(target).join(name), seed(0, &bytes));
        }
    }
    seeds
}

/// The variants without a seed, and the seeds that are no messages any more: random schemas or a format have changed.
fn bad(committed: &Seeds) -> Vec<String> {
    let mut bad = Vec::new();
    for info in FORMATS.iter().map(|format| format.info()) {
        let of_format: Vec<_> = committed.iter().filter(|(path, _)| path.starts_with(info.name)).collect();
        bad.extend(
            of_format
                .iter()
                .filter(|(_, bytes)| !wirewise_fuzz::is_message(info.name, bytes))
                .map(|(path, _)| format!("{} cannot be decoded", path.display())),
        );
        for (index, variant) in info.variants.iter().enumerate() {
            if !of_format.iter().any(|(_, bytes)| bytes.first() == Some(&(index as u8))) {
                bad.push(format!("there are none for {}", variant.id));
            }
        }
    }
    let conversions = committed.iter().filter(|(path, _)| path.starts_with("convert"));
    let undecoded = conversions.filter(|(_, bytes)| !wirewise_fuzz::convert::is_message(bytes));
    bad.extend(undecoded.map(|(path, _)| format!("{} cannot be decoded", path.display())));
    for (target, names, _) in LANGUAGES {
        let seeds = committed.iter().filter(|(path, _)| path.starts_with(target));
        let unread = seeds.filter(|(_, bytes)| !wirewise_fuzz::is_schema(names, bytes));
        bad.extend(unread.map(|(path, _)| format!("{} cannot be read", path.display())));
    }
    bad
}

fn committed(folder: &Path) -> Seeds {
    let mut seeds = Seeds::new();
    for target in fs::read_dir(folder).into_iter().flatten().flatten() {
        for file in fs::read_dir(target.path()).into_iter().flatten().flatten() {
            let path = Path::new(&target.file_name()).join(file.file_name());
            seeds.insert(path, fs::read(file.path()).unwrap_or_default());
        }
    }
    seeds
}

/// Steps for the schema that the target `shapes` has, and the beginning of a message.
fn of_shapes() -> Seeds {
    const STEPS: &[&str] = &[
        "uuid@M.id",
        "time@M.at,digits=3 decimal@M.price,scale=2",
        "date@R.d decimal@M.ratio,scale=4",
        "columns@M.rows delta@RColumns.n split@M.floats",
        "split@M.floats,planes=2",
        "columns@M.rows dictionary@RColumns.d,bits=8 xor@M.floats",
        "delta@M.ints dictionary@M.texts",
        r#"enum@M.id,symbols=["a","b c"]"#,
        "fixed-point@M.map{},scale=7 fixed-point@M.ratio,scale=3",
        "uuid@M.texts[] concat@M.texts",
    ];
    let message = r#"{"id":"","price":null,"ratio":0,"rows":[],"ints":[],"floats":[],"texts":[],"map":{}}"#;
    let named = STEPS.iter().enumerate().flat_map(|(i, steps)| {
        [(0, ""), (1, message), (2, ""), (3, "")].map(|(variant, payload)| {
            let bytes = [&[variant][..], steps.as_bytes(), b"\n", payload.as_bytes()].concat();
            (PathBuf::from(format!("shapes/{i}-{variant}")), bytes)
        })
    });
    named.collect()
}
