//! What is asked of a measurement: the options that `measure` and `advise` share.

use std::path::{Path, PathBuf};

use wirewise_advice::{Advice, Goal, Link, Load, Need, Prices, Scenario, Unit, advise};
use wirewise_measure::Report;

use crate::cli::{self, Output};
use crate::failure::Failure;
use crate::files;

/// The link that counts, unless one is named: browsers are far away.
const LINK: &str = "region";
const LINK_OF_BROWSERS: &str = "4g";

/// How a report is written to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Html,
    Markdown,
    Csv,
}

/// Options that were understood.
pub(crate) struct Asked {
    scenario: Scenario,
    /// Whether the user chose what a payload is.
    unit: Option<Unit>,
    report: Option<(PathBuf, Form)>,
}

impl Asked {
    /// Reads the options: before anything takes time.
    pub(crate) fn read(options: &cli::Advising) -> Result<Asked, Failure> {
        let wrong = |error: wirewise_core::Error| Failure::from_error(&error);
        let mut links = Link::all();
        let mut chosen = None;
        for text in &options.link {
            let link = Link::parse(text).map_err(wrong)?;
            chosen.get_or_insert_with(|| link.clone());
            if !links.contains(&link) {
                links.push(link);
            }
        }
        if options.need.len() > 1 && options.need.iter().any(|name| name == "none") {
            return Err(Failure::bad("`none` is not chosen together with a need"));
        }
        let needs: Vec<&'static Need> = options.need.iter().filter_map(|name| Need::by_name(name)).collect();
        let default = if needs.iter().any(|need| need.name == "browser") { LINK_OF_BROWSERS } else { LINK };
        let link = chosen.map_or_else(|| Link::parse(default), Ok).map_err(wrong)?;
        let load = load(options)?;
        let goal = match &options.goal {
            Some(name) => Goal::ALL.into_iter().find(|goal| goal.name() == name).unwrap_or(Goal::Time),
            None if load.per_day.is_some() => Goal::Cost,
            None => Goal::Time,
        };
        if goal == Goal::Cost && load.per_day.is_none() {
            return Err(
                Failure::bad("--goal cost needs to know how much is sent").hint("say it with --per-day or --qps")
            );
        }
        let prices = match &options.prices {
            None => Prices::default(),
            Some(path) => {
                let text = files::read(path)?;
                let shown = String::from_utf8_lossy(&text);
                Prices::parse(&shown).map_err(|error| Failure::in_text(&error, path, &text))?
            }
        };
        let unit = options.unit.map(|unit| match unit {
            cli::Payload::Messages => Unit::Single,
            cli::Payload::Batch => Unit::Batch,
        });
        let scenario = Scenario {
            unit: unit.unwrap_or(Unit::Single),
            needs,
            languages: options.language.clone(),
            latency: options.latency.as_deref().map(wirewise_advice::duration).transpose().map_err(wrong)?,
            link,
            links,
            load,
            prices,
            today: options.today.clone(),
            goal,
        };
        let report = options.report.as_ref().map(|path| Ok((path.clone(), form(path)?))).transpose()?;
        Ok(Asked { scenario, unit, report })
    }

    /// Advice for both kinds of payloads, where there are both; the one that was asked for, or that the input suggests, first.
    pub(crate) fn advise(&self, report: &Report) -> Result<Vec<Advice>, Failure> {
        let batched = report.rows.iter().any(|row| row.batch.is_some());
        // An array is sent as a whole, lines one at a time.
        let first = self.unit.unwrap_or(match &*report.input.framing {
            "json-array" if batched => Unit::Batch,
            _ => Unit::Single,
        });
        let other = if first == Unit::Single { Unit::Batch } else { Unit::Single };
        let mut all = Vec::new();
        for unit in [first, other] {
            let scenario = Scenario { unit, ..self.scenario.clone() };
            match advise(report, &scenario) {
                Ok(advice) => all.push(advice),
                Err(error) if unit == first => return Err(Failure::from_error(&error)),
                // There is no batch, or today's candidate is not in it.
                Err(_) => {}
            }
        }
        Ok(all)
    }

    /// Writes the results where they are wanted.
    pub(crate) fn finish(&self, report: &Report, advice: &[Advice], output: Output, text: Text) -> Result<(), Failure> {
        if let Some((path, form)) = &self.report {
            let page = match form {
                Form::Html => wirewise_report::html(report, advice),
                Form::Markdown => wirewise_report::markdown(report, advice),
                Form::Csv => wirewise_report::csv(report, advice),
            };
            files::write(path, page.as_bytes())?;
        }
        let text = match (output, text) {
            (Output::Json, _) => wirewise_report::json(report, advice),
            (Output::Text, Text::Whole) => wirewise_report::text(report, advice),
            (Output::Text, Text::Advice) => advice.first().map_or_else(String::new, wirewise_report::advice::text),
        };
        files::write(Path::new("-"), text.as_bytes())
    }
}

/// What is written for people.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Text {
    /// Tables and advice.
    Whole,
    /// Only the advice.
    Advice,
}

fn form(path: &Path) -> Result<Form, Failure> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html" | "htm") => Ok(Form::Html),
        Some("md") => Ok(Form::Markdown),
        Some("csv") => Ok(Form::Csv),
        _ => Err(Failure::bad("the name of a report says which form it has")
            .hint("end it with .html, .md or .csv; --output json writes JSON to standard output")
            .in_file(path)),
    }
}

fn load(options: &cli::Advising) -> Result<Load, Failure> {
    let mut load = Load { per_day: options.per_day.or(options.qps.map(|qps| qps * 86_400.0)), ..Load::default() };
    for (value, target) in [
        (options.fan_out, &mut load.fan_out),
        (options.peak, &mut load.peak),
        (options.utilisation, &mut load.utilisation),
        (options.retention_days, &mut load.retention_days),
        (options.copies, &mut load.copies),
        (options.worth, &mut load.worth),
    ] {
        if let Some(value) = value {
            *target = value;
        }
    }
    if !(0.01..=0.95).contains(&load.utilisation) {
        return Err(Failure::bad("--utilisation is a share from 0.01 to 0.95"));
    }
    if !options.traffic.is_empty() {
        load.shares = shares(&options.traffic)?;
    }
    Ok(load)
}

/// Reads `internet`, or `zone=0.7,internet=0.3`.
fn shares(texts: &[String]) -> Result<[f64; 3], Failure> {
    let wrong = |text: &str| {
        Failure::bad(format!("{text:?} is no share of the traffic"))
            .hint("write zone, region or internet; or shares, such as zone=0.7,internet=0.3")
    };
    let mut shares = [0.0; 3];
    for text in texts {
        let (name, share) = text.split_once('=').unwrap_or((text, "1"));
        let share: f64 = share.parse().map_err(|_| wrong(text))?;
        let place =
            ["zone", "region", "internet"].iter().position(|known| *known == name).ok_or_else(|| wrong(text))?;
        if !(0.0..=1.0).contains(&share) {
            return Err(wrong(text));
        }
        shares[place] = share;
    }
    if shares.iter().sum::<f64>() > 1.000_001 {
        return Err(Failure::bad("the shares of --traffic are more than 1 together"));
    }
    Ok(shares)
}
