//! Comma-separated values (RFC 4180) for spreadsheets: a line for each candidate, or, where nothing could be advised, for
//! each row and compressor.

use wirewise_advice::{Advice, Candidate, Unit, value_of};
use wirewise_measure::{Mode, Report, Row, Side, Spread};

use crate::exactness::exactness;

/// The report as CSV: a header with units, then a line for each candidate of every advice. Without any, a line for each row
/// and compressor.
pub fn csv(report: &Report, advice: &[Advice]) -> String {
    let mut lines = Lines::default();
    match advice.first() {
        Some(first) => {
            lines.write(candidate_header(first));
            for advice in advice {
                let values = advice.assumed();
                for (i, candidate) in advice.candidates.iter().enumerate() {
                    let mut line = candidate_line(advice, candidate, &value_of(candidate, &values));
                    line.extend(advice.links.iter().map(|link| link.times[i].to_string()));
                    lines.write(line);
                }
            }
        }
        None => {
            lines.write(ROW_HEADER.map(str::to_owned));
            for row in &report.rows {
                if let Some(single) = report.single(row) {
                    mode("single", row, single, &mut lines);
                }
                if let Some(batch) = &row.batch {
                    mode("batch", row, batch, &mut lines);
                }
            }
        }
    }
    lines.finish()
}

struct Lines(::csv::Writer<Vec<u8>>);

impl Default for Lines {
    fn default() -> Self {
        Lines(::csv::WriterBuilder::new().terminator(::csv::Terminator::CRLF).from_writer(Vec::new()))
    }
}

impl Lines {
    fn write(&mut self, cells: impl IntoIterator<Item = String>) {
        self.0.write_record(cells).expect("all lines have as many cells, and memory takes them");
    }

    fn finish(self) -> String {
        let bytes = self.0.into_inner().expect("memory takes all lines");
        String::from_utf8(bytes).expect("cells are text")
    }
}

fn candidate_header(advice: &Advice) -> Vec<String> {
    let mut names: Vec<String> = [
        "unit",
        "candidate",
        "format",
        "variant",
        "shape",
        "compressor",
        "dictionary",
        "payloads",
        "bytes",
        "encode_s",
        "compress_s",
        "transfer_s",
        "decompress_s",
        "decode_s",
        "time_s",
        "end_to_end_s",
        "end_to_end_p99_s",
        "variation_share",
    ]
    .map(str::to_owned)
    .to_vec();
    names.push(format!("year_{}", advice.prices.currency));
    names.extend(["pareto", "effort", "role", "excluded"].map(str::to_owned));
    names.extend(advice.links.iter().map(|link| format!("end_to_end_{}_s", link.link.name)));
    names
}

fn candidate_line(advice: &Advice, candidate: &Candidate, values: &wirewise_advice::expr::Values) -> Vec<String> {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let mut cells = vec![
        unit(advice.unit).to_owned(),
        candidate.id.clone(),
        candidate.format.clone(),
        candidate.variant.clone(),
        text(&candidate.shape),
        text(&candidate.compressor),
        candidate.dictionary.map_or("", crate::exactness::dictionary).to_owned(),
        candidate.payloads.to_string(),
    ];
    const COMPUTED: [&str; 11] = [
        "bytes",
        "encode",
        "compress",
        "transfer",
        "decompress",
        "decode",
        "time",
        "end_to_end",
        "end_to_end_p99",
        "variation",
        "year",
    ];
    cells.extend(COMPUTED.map(|name| values[name].to_string()));
    let is = |id: &Option<String>| id.as_ref() == Some(&candidate.id);
    let roles =
        [(candidate.id == advice.today, "today"), (is(&advice.choice), "choice"), (is(&advice.runner_up), "runner-up")];
    let roles: Vec<&str> = roles.into_iter().filter(|role| role.0).map(|role| role.1).collect();
    cells.extend([
        candidate.pareto.to_string(),
        candidate.effort.to_string(),
        roles.join(" "),
        candidate.excluded.join("; "),
    ]);
    cells
}

fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Single => "single",
        Unit::Batch => "batch",
    }
}

const ROW_HEADER: [&str; 17] = [
    "unit",
    "row",
    "format",
    "variant",
    "shape",
    "exactness",
    "compressor",
    "payloads",
    "plain_bytes",
    "bytes",
    "grown_payloads",
    "break_even_bytes",
    "encode_ns",
    "compress_ns",
    "decompress_ns",
    "decode_ns",
    "spread_share",
];

fn mode(unit: &str, row: &Row, mode: &Mode, lines: &mut Lines) {
    let head = [
        unit.to_owned(),
        row.label(),
        row.format.clone(),
        row.variant.clone(),
        row.shape.clone().unwrap_or_default(),
        exactness(&mode.exactness),
    ];
    let Some(side) = &mode.side else {
        let empty = ROW_HEADER.len() - head.len();
        lines.write(head.into_iter().chain(std::iter::repeat_n(String::new(), empty)));
        return;
    };
    let (encode, decode) = (time(side.encode), time(side.decode));
    let line = |compressor: String, bytes: u64, grown: String, even: String, packing: [String; 2]| {
        let [compress, decompress] = packing;
        let cells = [
            compressor,
            side.payloads.to_string(),
            side.bytes.to_string(),
            bytes.to_string(),
            grown,
            even,
            encode.clone(),
            compress,
            decompress,
            decode.clone(),
            widest(side),
        ];
        head.clone().into_iter().chain(cells)
    };
    lines.write(line(String::new(), side.bytes, String::new(), String::new(), Default::default()));
    for compressed in &side.compressed {
        lines.write(line(
            compressed.label(),
            compressed.bytes,
            compressed.grown.to_string(),
            compressed.break_even.map_or_else(String::new, |bytes| bytes.to_string()),
            [time(compressed.compress), time(compressed.decompress)],
        ));
    }
}

/// Nanoseconds for all payloads.
fn time(spread: Option<Spread>) -> String {
    spread.map_or_else(String::new, |spread| spread.median_ns.to_string())
}

/// The wider spread of encoding and decoding.
fn widest(side: &Side) -> String {
    let spreads = [side.encode, side.decode].into_iter().flatten().map(|spread| spread.spread);
    spreads.reduce(f64::max).map_or_else(String::new, |spread| spread.to_string())
}
