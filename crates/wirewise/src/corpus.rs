//! `wirewise corpus`.

use std::io::Write;
use std::path::Path;

use wirewise_corpus::CORPORA;

use crate::cli::{self, Output};
use crate::failure::Failure;
use crate::files::{self, Destination};

pub(crate) fn run(options: cli::Corpus, output: Output) -> Result<(), Failure> {
    let Some(name) = &options.name else { return list(output) };
    let corpus = wirewise_corpus::by_name(name).ok_or_else(|| {
        let names: Vec<_> = CORPORA.iter().map(|corpus| corpus.name).collect();
        Failure::bad(format!("there is no data set {name:?}")).hint(format!("there are {}", names.join(", ")))
    })?;
    let mut out = std::io::BufWriter::with_capacity(1 << 16, Destination::create(&options.out)?);
    let written = corpus.generate(options.records.unwrap_or(corpus.full_records), &mut out);
    let written = written.and_then(|()| out.flush());
    written.map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidInput => Failure::bad(error.to_string()),
        _ => Failure::write(&options.out, &error),
    })?;
    let destination = out.into_inner().map_err(|error| Failure::write(&options.out, error.error()))?;
    destination.complete()
}

fn list(output: Output) -> Result<(), Failure> {
    let mut out = String::new();
    match output {
        Output::Text => {
            for corpus in CORPORA {
                out.push_str(&format!(
                    "{:<14} {:>6} {:<8} {}\n",
                    corpus.name, corpus.full_records, corpus.record, corpus.about
                ));
            }
        }
        Output::Json => {
            let sets: Vec<_> = CORPORA
                .iter()
                .map(|corpus| {
                    serde_json::json!({
                        "name": corpus.name, "about": corpus.about, "records": corpus.full_records,
                        "record": corpus.record, "licence": corpus.licence,
                    })
                })
                .collect();
            out = format!("{:#}\n", serde_json::json!({ "wirewise": "corpus/1", "sets": sets }));
        }
    }
    files::write(Path::new("-"), out.as_bytes())
}
