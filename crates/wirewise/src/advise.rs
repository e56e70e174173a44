//! `wirewise advise`, `wirewise compare` and `wirewise prices`: what works on measurements that are there already.

use std::path::Path;

use wirewise_measure::{REPORT_VERSION, Report};
use wirewise_report::comparison;

use crate::asked::{Asked, Text};
use crate::cli::{self, Output};
use crate::failure::Failure;
use crate::files;

pub(crate) fn advise(options: &cli::Advise, output: Output) -> Result<(), Failure> {
    let asked = Asked::read(&options.advising)?;
    let report = read(&options.input)?;
    let advice = asked.advise(&report)?;
    asked.finish(&report, &advice, output, Text::Advice)
}

pub(crate) fn compare(options: &cli::Compare, output: Output) -> Result<(), Failure> {
    files::check_inputs([&options.before, &options.after])?;
    let mut comparison = wirewise_measure::compare(&read(&options.before)?, &read(&options.after)?);
    if !options.format.is_empty() {
        comparison.entries.retain(|entry| {
            let variant = entry.id.split([',', '+']).next().unwrap_or(&entry.id);
            let format = wirewise_formats::find(variant).map(|(format, _)| format.info().name).ok();
            options.format.iter().any(|name| name == variant || Some(&**name) == format)
        });
    }
    let text = match output {
        Output::Text => comparison::text(&comparison, options.max_growth),
        Output::Json => format!("{:#}\n", comparison::json(&comparison, options.max_growth)),
    };
    files::write(Path::new("-"), text.as_bytes())?;
    match options.max_growth {
        Some(_) if comparison.entries.is_empty() => {
            Err(Failure::bad("the two measurements have nothing in common, so that nothing can be said"))
        }
        Some(most) if comparison::regressions(&comparison, most) > 0 => Err(Failure::answered()),
        _ => Ok(()),
    }
}

pub(crate) fn prices() -> Result<(), Failure> {
    files::write(Path::new("-"), wirewise_advice::DEFAULT_PRICES.as_bytes())
}

/// A measurement that was saved.
fn read(path: &Path) -> Result<Report, Failure> {
    let text = files::read(path)?;
    let report: Report = serde_json::from_slice(&text).map_err(|error| {
        let failure = Failure::bad(format!("it is no measurement of wirewise: {error}"));
        failure.hint("`wirewise measure --output json` writes one").in_file(path)
    })?;
    if report.wirewise != REPORT_VERSION {
        let message = format!("its version is {:?}, and this tool reads {REPORT_VERSION:?}", report.wirewise);
        return Err(Failure::bad(message).in_file(path));
    }
    Ok(report)
}
