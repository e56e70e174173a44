//! Verdicts on changed schemas, as text and as JSON.

use std::fmt::Write;

use serde_json::{Value as Json, json as object};
use wirewise_evolution::{Finding, Level, Options, Outcome, Ruleset, Verdict, Witness};
use wirewise_idl::Place;

/// Bytes of a witness that are shown.
const MOST_BYTES: usize = 64;

/// Everything there is to say about a change.
#[derive(Debug)]
pub struct Answer<'a> {
    /// What breaks.
    pub verdict: &'a Verdict,
    /// What became of recorded messages, where there were any.
    pub recorded: Option<&'a Recorded>,
    /// Whose rules were asked.
    pub ruleset: &'a Ruleset,
    /// What was asked.
    pub asked: &'a Options,
}

impl Answer<'_> {
    /// Whether nothing breaks, and every recorded message arrives.
    pub fn is_compatible(&self) -> bool {
        self.verdict.is_compatible() && self.recorded.is_none_or(|recorded| recorded.arrived == recorded.messages)
    }
}

/// What became of recorded messages.
#[derive(Debug, Default)]
pub struct Recorded {
    /// How many there were.
    pub messages: u64,
    /// How many of them the reader understood.
    pub arrived: u64,
    /// The first of the others: file, number of the message in it from 1, and what happened to it.
    pub broken: Vec<(String, u64, Witness)>,
}

/// For people.
pub fn text(answer: &Answer<'_>) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail, so the results of `writeln!` are dropped.
    for finding in &answer.verdict.findings {
        let place = |place: &Option<Place>| place.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
        let _ = writeln!(out, "{} -> {}: {}", place(&finding.old), place(&finding.new), finding.path);
        let _ = writeln!(out, "  {} ({}): {}", finding.rule.name, finding.rule.level.name(), finding.what);
        let _ = writeln!(out, "  breaks: {}", finding.who());
        write_witness(finding, &mut out);
        let _ = writeln!(out, "  safe:   {}\n", finding.fix);
    }
    if let Some(Recorded { messages, arrived, broken }) = answer.recorded {
        for (file, number, witness) in broken {
            let _ = writeln!(out, "{file}, message {number}:");
            write_message(witness, &mut out);
            out.push('\n');
        }
        let _ = writeln!(out, "{arrived} of {messages} recorded messages arrive");
    }
    let Answer { verdict, ruleset, asked, .. } = answer;
    let versions =
        if verdict.versions == 1 { "1 version".to_owned() } else { format!("{} versions", verdict.versions) };
    let asked =
        format!("{} for {}, level {}, against {versions}", asked.mode.name(), ruleset.title, asked.level.name());
    let _ = match verdict.findings.len() {
        0 if answer.is_compatible() => writeln!(out, "compatible: {asked}"),
        0 => writeln!(out, "incompatible with the recorded messages: {asked}"),
        1 => writeln!(out, "incompatible, 1 finding: {asked}"),
        count => writeln!(out, "incompatible, {count} findings: {asked}"),
    };
    out
}

fn write_witness(finding: &Finding, out: &mut String) {
    let why = match &finding.witness {
        Some(witness) => return write_message(witness, out),
        None if finding.rule.level > Level::Wire => "by no message: it is about names and source code",
        None if finding.searched => "no message was found that shows it",
        None => "no message was searched for: the first findings have theirs",
    };
    let _ = writeln!(out, "  shown:  {why}");
}

fn write_message(witness: &Witness, out: &mut String) {
    let Witness { message, variant, bytes, outcome } = witness;
    let hex: Vec<String> = bytes.iter().take(MOST_BYTES).map(|byte| format!("{byte:02x}")).collect();
    let more = if bytes.len() > MOST_BYTES { " ..." } else { "" };
    let _ = writeln!(out, "  shown:  {message}");
    let _ = writeln!(out, "          as {variant}, {} bytes: {}{more}", bytes.len(), hex.join(" "));
    let _ = match outcome {
        Outcome::Refused { error } => writeln!(out, "          is refused: {error}"),
        Outcome::Different { path, wrote, got, read } => {
            writeln!(out, "          reads as {read}: {path} was {wrote}, and is {got}")
        }
    };
}

/// The object `schema-check/1`, which `docs/json-output.md` describes.
pub fn json(answer: &Answer<'_>) -> Json {
    let Answer { verdict, recorded, ruleset, asked } = answer;
    let place = |place: &Option<Place>| {
        place.as_ref().map(|place| object!({ "file": &*place.file, "line": place.line, "column": place.column }))
    };
    let witness = |witness: &Witness| {
        let hex: String = witness.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut json = object!({ "message": witness.message, "variant": witness.variant, "bytes": hex });
        match &witness.outcome {
            Outcome::Refused { error } => {
                json["outcome"] = object!("refused");
                json["error"] = object!(error);
            }
            Outcome::Different { path, wrote, got, read } => {
                json["outcome"] = object!("different");
                json["path"] = object!(path);
                json["wrote"] = object!(wrote);
                json["got"] = object!(got);
                json["read"] = object!(read);
            }
        }
        json
    };
    let findings = verdict.findings.iter().map(|finding| {
        object!({
            "rule": finding.rule.name,
            "level": finding.rule.level.name(),
            "direction": finding.direction.name(),
            "version": finding.version,
            "path": finding.path,
            "message": finding.what,
            "who": finding.who(),
            "fix": finding.fix,
            "old": place(&finding.old),
            "new": place(&finding.new),
            "searched": finding.searched,
            "witness": finding.witness.as_ref().map(witness),
        })
    });
    let data = recorded.map(|recorded| {
        let broken = recorded
            .broken
            .iter()
            .map(|(file, number, broken)| object!({ "file": file, "message": number, "witness": witness(broken) }));
        object!({ "messages": recorded.messages, "arrived": recorded.arrived, "broken": broken.collect::<Vec<_>>() })
    });
    object!({
        "wirewise": "schema-check/1",
        "compatible": answer.is_compatible(),
        "format": ruleset.format,
        "mode": asked.mode.name(),
        "level": asked.level.name(),
        "versions": verdict.versions,
        "findings": findings.collect::<Vec<_>>(),
        "data": data,
    })
}
