//! There and back: a Protobuf schema that has been through any other language still describes the same bytes.
//! `WIREWISE_CASES=n` runs more random schemas than the default; a failure names its seed.

use std::collections::BTreeMap;
use std::sync::Arc;

use wirewise_core::{Arena, Document, Kind, Limits, Losses, Schema, TypeId, diff};
use wirewise_formats::{Codec, plan};
use wirewise_idl::{LANGUAGES, Language, MemoryFiles, Module, Source, find};
use wirewise_testkit::random;

fn cases() -> u64 {
    std::env::var("WIREWISE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(60)
}

fn limits() -> Limits {
    Limits { memory_bytes: 64 << 20, ..Limits::default() }
}

/// The languages that a schema can come back from.
fn languages() -> impl Iterator<Item = &'static dyn Language> {
    LANGUAGES.iter().copied().filter(|language| language.info().reads && language.info().writes)
}

fn proto() -> &'static dyn Language {
    find("proto").expect("it is registered")
}

/// Writes a module in a language, and reads that.
fn through(language: &dyn Language, module: &Module) -> Result<Module, String> {
    let name = language.info().name;
    let written = language.write(module).map_err(|error| format!("writing {name}: {error}"))?;
    let source = Source::new(&format!("schema{}", language.info().extensions[0]), written.bytes);
    language
        .read(&source, &MemoryFiles::none())
        .map_err(|error| format!("reading {name}: {error}\n{}", String::from_utf8_lossy(&source.bytes)))
}

/// Returns how many messages were compared.
fn there_and_back(language: &dyn Language, module: &Module) -> Result<u32, String> {
    let there = through(language, module)?;
    let count = compatible(module, &there).map_err(|problem| format!("there only: {problem}"))?;
    if !proto().info().writes {
        return Ok(count);
    }
    Ok(count + compatible(module, &through(proto(), &there)?)?)
}

/// By language: how many messages were the same, and what went wrong.
type Outcomes = BTreeMap<&'static str, (u32, Vec<String>)>;

/// Checks a module through every language.
fn check(label: &str, module: &Module, outcomes: &mut Outcomes) {
    for language in languages() {
        let (count, problems) = outcomes.entry(language.info().name).or_default();
        match there_and_back(language, module) {
            Ok(compared) => *count += compared,
            Err(problem) => problems.push(format!("{label}: {problem}")),
        }
    }
}

fn assert_good(outcomes: &Outcomes) {
    let bad = outcomes.iter().filter(|(_, (count, problems))| *count == 0 || !problems.is_empty());
    let report: Vec<String> = bad
        .map(|(language, (count, problems))| {
            let first = problems.first().map_or("", String::as_str);
            format!("{language}: {count} messages are right; {} problems, the first is\n{first}", problems.len())
        })
        .collect();
    assert!(report.is_empty(), "{}", report.join("\n\n"));
}

/// Messages of each message type of one module are messages of the same type of the other, and the other way round.
fn compatible(first: &Module, last: &Module) -> Result<u32, String> {
    let mut count = 0;
    for id in messages(&first.schema) {
        let name = first.schema.name(id).unwrap_or_default();
        let other = last.schema.named(name).ok_or_else(|| format!("{name} is gone"))?;
        let [a, b] = [first.schema.rooted(id), last.schema.rooted(other)].map(Arc::new);
        let codec = |schema: &Arc<Schema>| plan("protobuf", schema).map_err(|error| format!("{name}: {error}"));
        let (a, b) = (Side { codec: codec(&a)?, schema: a }, Side { codec: codec(&b)?, schema: b });
        for seed in 0..8 {
            for (from, to, way) in [(&a, &b, "there"), (&b, &a, "back")] {
                let same = from.same_bytes(to, seed);
                count += u32::from(same.map_err(|problem| format!("{name}, {way}, message {seed}: {problem}"))?);
            }
        }
    }
    Ok(count)
}

/// The records that a message of Protobuf can be.
fn messages(schema: &Schema) -> Vec<TypeId> {
    schema.named_types().filter(|&id| matches!(schema.kind(id), Kind::Record(_))).collect()
}

struct Side {
    schema: Arc<Schema>,
    codec: Box<dyn Codec>,
}

impl Side {
    /// A random message of this schema is the same message to the other, which writes the same bytes. False when
    /// Protobuf cannot hold the message.
    fn same_bytes(&self, other: &Side, seed: u64) -> Result<bool, String> {
        let mut arena = Arena::new(limits());
        let fill = if seed.is_multiple_of(2) { random::message } else { random::wild_message };
        fill(&self.schema, seed, &mut arena);
        let mut bytes = Vec::new();
        let document = Document::new(&self.schema, b"", &arena);
        if self.codec.encode(&document, &mut bytes, &mut Losses::none()).is_err() {
            return Ok(false);
        }
        let (mut here, mut there) = (Arena::new(limits()), Arena::new(limits()));
        let here = self.codec.decode(&bytes, &mut here, &mut Losses::none()).map_err(|e| e.to_string())?;
        let there = other.codec.decode(&bytes, &mut there, &mut Losses::none());
        let there = there.map_err(|error| format!("{error}: {bytes:?}\n{}", self.both(other)))?;
        let mut again = Vec::new();
        let encoded = other.codec.encode(&there, &mut again, &mut Losses::none());
        encoded.map_err(|error| format!("{error}: {bytes:?}\n{}", self.both(other)))?;
        if again != bytes {
            return Err(format!("{bytes:?} became {again:?}\n{}", self.both(other)));
        }
        same_json(&here, &there).map_err(|problem| format!("{problem}\n{}", self.both(other)))?;
        Ok(true)
    }

    fn both(&self, other: &Side) -> String {
        format!("{}\n{}", self.schema.to_text(), other.schema.to_text())
    }
}

/// Both messages are the same JSON, but for the order of members.
fn same_json(a: &Document<'_>, b: &Document<'_>) -> Result<(), String> {
    let (a, b) = match (json(a), json(b)) {
        (Ok(a), Ok(b)) => (a, b),
        // JSON cannot hold it (NaN): neither can.
        (Err(_), Err(_)) => return Ok(()),
        (a, b) => return Err(format!("JSON is {a:?} and {b:?}")),
    };
    let any = Arc::new(Schema::parse(r#"{"wirewise": "schema/1", "root": "any"}"#).expect("it is a schema"));
    let codec = plan("json", &any).expect("JSON holds anything");
    let (mut left, mut right) = (Arena::new(limits()), Arena::new(limits()));
    let left = codec.decode(&a, &mut left, &mut Losses::none()).map_err(|error| error.to_string())?;
    let right = codec.decode(&b, &mut right, &mut Losses::none()).map_err(|error| error.to_string())?;
    match diff(&left, &right) {
        None => Ok(()),
        Some(difference) => Err(format!("JSON differs: {difference}")),
    }
}

fn json(document: &Document<'_>) -> Result<Vec<u8>, String> {
    let schema = Arc::new(document.schema().clone());
    let codec = plan("json", &schema).map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    codec.encode(document, &mut out, &mut Losses::none()).map_err(|error| error.to_string())?;
    Ok(out)
}

#[test]
fn random_schemas() {
    let mut outcomes = Outcomes::new();
    for seed in 0..cases() {
        let schema = if seed.is_multiple_of(2) { random::schema(seed) } else { random::wild_schema(seed) };
        let mut first = Module::of(schema);
        if proto().info().writes {
            first = through(proto(), &first).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        }
        check(&format!("seed {seed}"), &first, &mut outcomes);
    }
    assert_good(&outcomes);
}

#[test]
fn schemas_that_people_write() {
    let root = wirewise_testkit::root();
    let mut outcomes = Outcomes::new();
    let mut count = 0;
    for folder in ["crates/idl/tests/protos", "conformance/protobuf"] {
        let mut files: Vec<_> =
            std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.extension().is_some_and(|extension| extension == "proto"));
        files.sort();
        for path in files {
            let name = path.strip_prefix(root).unwrap().display().to_string();
            let source = Source::new(&name, std::fs::read(&path).unwrap());
            let first = proto().read(&source, &MemoryFiles::none()).unwrap_or_else(|error| panic!("{error}"));
            check(&name, &first, &mut outcomes);
            count += 1;
        }
    }
    assert!(count > 5, "only {count} files were found");
    assert_good(&outcomes);
}
