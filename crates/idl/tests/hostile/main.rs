//! Files that mean harm: each is an error with its place, or is read, and soon, in every language.
//!
//! [`ASKED`] lists what every language is asked; a language has a table with an answer to each.

mod binary;
mod json;
mod large;
mod text;

use std::time::{Duration, Instant};

use wirewise_idl::{LANGUAGES, Language, MemoryFiles, Source};

/// What every language is asked.
const ASKED: &[&str] = &[
    "files that import each other",
    "a file that imports itself",
    "a missing import",
    "a line of 10 MB",
    "50,000 types on one line",
    "100,000 values",
    "100,000 values, two with one name",
    "a type that must contain itself",
    "a type that may contain itself",
    "two types with one name",
    "10,000 levels",
    "an empty file",
    "invalid UTF-8",
    "a NUL",
    "a byte order mark",
    "lines that end in CRLF",
];

/// What takes this long hangs: hundreds of times what any file here needs, also on a busy machine, but less than quadratic time
/// takes for most.
const HANGS: Duration = Duration::from_secs(120);

/// What is to become of a file.
enum Expect {
    /// It is valid.
    Read,
    /// It is an error that begins with this.
    Error(&'static str),
    /// The language has no such thing, and why.
    Absent(&'static str),
}

use Expect::{Absent, Error, Read};

struct Case {
    asked: &'static str,
    /// The file, and then what it may import.
    files: Vec<(&'static str, Vec<u8>)>,
    expect: Expect,
}

/// The answers of one language.
struct Table {
    language: &'static str,
    file: &'static str,
    cases: Vec<Case>,
}

impl Table {
    fn new(language: &'static str, file: &'static str) -> Table {
        Table { language, file, cases: Vec::new() }
    }

    fn case(self, asked: &'static str, file: impl Into<Vec<u8>>, expect: Expect) -> Table {
        self.with(asked, file, &[], expect)
    }

    fn absent(self, asked: &'static str, why: &'static str) -> Table {
        self.case(asked, "", Absent(why))
    }

    fn with(
        mut self,
        asked: &'static str,
        file: impl Into<Vec<u8>>,
        others: &[(&'static str, &str)],
        expect: Expect,
    ) -> Table {
        let mut files = vec![(self.file, file.into())];
        files.extend(others.iter().map(|(name, text)| (*name, text.as_bytes().to_vec())));
        self.cases.push(Case { asked, files, expect });
        self
    }
}

fn tables() -> Vec<Table> {
    let mut tables = vec![text::proto(), text::fbs(), text::capnp(), text::thrift()];
    tables.extend([json::schema_file(), json::avsc(), json::json_schema()]);
    tables.extend([binary::descriptor_set(), binary::bfbs()]);
    tables
}

fn language(name: &str) -> &'static dyn Language {
    wirewise_idl::find(name).unwrap()
}

/// `count` of something, one after the other.
fn many(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect()
}

/// Something in itself, many times.
fn nested(before: &str, open: &str, close: &str, after: &str) -> String {
    format!("{before}{}{}{after}", open.repeat(10_000), close.repeat(10_000))
}

#[test]
fn every_language_answers_everything() {
    let tables = tables();
    let reading = LANGUAGES.iter().map(|language| language.info()).filter(|info| info.reads);
    for info in reading {
        let table = tables.iter().find(|table| table.language == info.name);
        let table = table.unwrap_or_else(|| panic!("{} has no table of hostile files", info.name));
        for asked in ASKED {
            assert!(table.cases.iter().any(|case| case.asked == *asked), "{}: {asked}", info.name);
        }
    }
}

#[test]
fn hostile_files_end_soon() {
    let mut wrong = Vec::new();
    for table in tables() {
        for Case { asked, files, expect } in table.cases {
            if let Absent(why) = expect {
                assert!(!why.is_empty());
                continue;
            }
            let mut others = MemoryFiles::none();
            for (name, bytes) in &files {
                others.add(name, bytes.clone());
            }
            let source = Source::new(files[0].0, files[0].1.clone());
            let start = Instant::now();
            let read = language(table.language).read(&source, &others);
            let taken = start.elapsed();
            let label = format!("{}, {asked}", table.language);
            if std::env::var_os("WIREWISE_TIMES").is_some() {
                eprintln!("{label}: {taken:?}");
            }
            if taken > HANGS {
                wrong.push(format!("{label} took {taken:?}"));
            }
            match (read.map(drop), expect) {
                (Ok(()), Read) => {}
                (Ok(()), _) => wrong.push(format!("{label}: is read")),
                (Err(error), Error(expected)) => {
                    let found = error.to_string();
                    if expected.is_empty() || !found.starts_with(expected) || error.place().is_none() {
                        wrong.push(format!("{label}: {}", &found[..found.floor_char_boundary(500)]));
                    }
                    if found.len() > 1000 {
                        wrong.push(format!("{label}: the error has {} bytes", found.len()));
                    }
                }
                (Err(error), _) => {
                    wrong.push(format!("{label}: {}", error.to_string().chars().take(500).collect::<String>()))
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
