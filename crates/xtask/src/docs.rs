//! The picture in the README: what `measure` prints, measured here and now.

use std::fmt::Write;

use anyhow::{Context, Result, ensure};

use crate::process;

/// Where the picture lies, relative to the root of the repository.
const PICTURE: &str = "docs/measure.svg";
const COMMAND: [&str; 2] = ["measure", "corpus/geo-points.json"];

/// Runs the tool and draws its output.
pub(crate) fn run() -> Result<()> {
    let mut command = process::cargo();
    command.args(["run", "--release", "--quiet", "--locked", "--package", "wirewise", "--"]).args(COMMAND);
    let output = command.output().context("cargo does not run")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout)?;
    // The tables are long: what people want is below them.
    let start = text.find("Recommendation").context("there is no recommendation")?;
    let (tables, text) = text.split_at(start);
    let text = format!("... {} lines with the size and speed of every variant ...\n\n{text}", tables.lines().count());
    let prompt = format!("$ cargo run --release -- {}", COMMAND.join(" "));
    std::fs::write(process::root().join(PICTURE), svg(&format!("{prompt}\n{text}")))?;
    println!("{PICTURE} is new");
    Ok(())
}

/// Lines of text as a picture of a terminal.
fn svg(text: &str) -> String {
    const WIDTH: f64 = 7.83;
    const HEIGHT: f64 = 17.0;
    const MARGIN: f64 = 16.0;
    let columns = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let width = (columns as f64).mul_add(WIDTH, 2.0 * MARGIN).ceil();
    let height = (text.lines().count() as f64).mul_add(HEIGHT, 2.0 * MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#10151c\"/>\n\
         <g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"13\" \
         fill=\"#d6dde6\" xml:space=\"preserve\">\n"
    );
    for (i, line) in text.lines().enumerate() {
        let y = (i as f64).mul_add(HEIGHT, MARGIN + 13.0);
        let escaped = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let colour = if line.starts_with('$') { " fill=\"#7fd1b9\"" } else { "" };
        // A stated length keeps the columns straight whatever font the reader has.
        let length = line.chars().count() as f64 * WIDTH;
        let _ = writeln!(
            out,
            "<text x=\"{MARGIN}\" y=\"{y}\" textLength=\"{length:.1}\" lengthAdjust=\"spacingAndGlyphs\"{colour}>{escaped}</text>"
        );
    }
    out.push_str("</g>\n</svg>\n");
    out
}
