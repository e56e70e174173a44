//! docs/advice.md has a part that is made from the data: `WIREWISE_REWRITE=1 cargo test -p wirewise-advice --test docs`.

use std::fmt::Write;

use wirewise_advice::{
    DEFAULT_PRICES, EFFORTS, FACTS, FORMULAS, Goal, Link, Load, MEASURED, NEEDS, Prices, RULES, RuleKind,
};
use wirewise_advice::{SAME, Scenario, Unit};
use wirewise_formats::{FORMATS, LANGUAGES};

const START: &str = "<!-- From here on made from the data: see crates/advice/tests/docs.rs. -->\n";

#[test]
fn the_page_is_what_the_data_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/advice.md");
    let old = std::fs::read_to_string(path).unwrap();
    let (head, _) = old.split_once(START).expect("the page has the mark");
    let new = format!("{head}{START}{}", made());
    if std::env::var_os("WIREWISE_REWRITE").is_some() {
        return std::fs::write(path, new).unwrap();
    }
    assert!(old == new, "docs/advice.md is not what the data says: WIREWISE_REWRITE=1 writes it again");
}

// Writing to a String cannot fail.
fn made() -> String {
    let mut out = String::new();
    let _ =
        write!(out, "\n## Formulas\n\nMeasured, for each candidate:\n\n| name | unit | what it is |\n|---|---|---|\n");
    for (name, unit, about) in MEASURED {
        let _ = writeln!(out, "| `{name}` | {unit} | {about} |");
    }
    let _ = write!(
        out,
        "\nAssumed, with what is taken when nothing is said:\n\n| name | what it is | default |\n|---|---|---|\n"
    );
    let scenario = Scenario {
        unit: Unit::Single,
        needs: Vec::new(),
        languages: Vec::new(),
        latency: None,
        link: Link::parse("region").unwrap(),
        links: Link::all(),
        load: Load::default(),
        prices: Prices::default(),
        today: None,
        goal: Goal::Time,
    };
    for assumption in scenario.assumptions() {
        let value = match assumption.name {
            "per_day" => "none: without it nothing is said of money".to_owned(),
            _ => format!("{} {}", assumption.value, assumption.unit).trim_end().to_owned(),
        };
        let _ = writeln!(out, "| `{}` | {} | {value} |", assumption.name, assumption.title);
    }
    let _ = write!(out, "\nComputed, in this order:\n\n");
    for formula in FORMULAS {
        let _ = writeln!(out, "* `{} = {}`\n  ({}): {}", formula.name, formula.text, formula.unit, formula.about);
    }
    let _ = write!(out, "\n## Links\n\n| `--link` | what it is | bit/s | there and back |\n|---|---|---|---|\n");
    for link in Link::all() {
        let _ =
            writeln!(out, "| `{}` | {} | {} | {} ms |", link.name, link.title, link.bandwidth, link.round_trip * 1e3);
    }
    let _ = write!(out, "\n## Prices\n\n`wirewise prices` writes this file:\n\n```toml\n{DEFAULT_PRICES}```\n");
    let _ = write!(out, "\n## Needs\n\n| `--need` | what it asks for |\n|---|---|\n");
    for need in NEEDS {
        let _ = writeln!(out, "| `{}` | {} |", need.name, need.about);
    }
    let _ = write!(out, "\n## Languages\n\nLibraries that `--language` knows of:\n\n| format |");
    LANGUAGES.iter().for_each(|language| out.push_str(&format!(" {language} |")));
    let _ = writeln!(out, "\n|---|{}", "---|".repeat(LANGUAGES.len()));
    for format in FORMATS {
        let info = format.info();
        let _ = write!(out, "| {} |", info.title);
        for language in LANGUAGES {
            let _ = write!(out, " {} |", info.library(language).unwrap_or("-"));
        }
        out.push('\n');
    }
    let _ = write!(out, "\n## Effort\n\n| change | points | why |\n|---|---|---|\n");
    for effort in EFFORTS {
        let _ = writeln!(out, "| {} | {} | {} |", effort.name, effort.points, effort.why);
    }
    let _ = write!(
        out,
        "\n## Rules\n\nOf candidates that are within {:.0}% of the best, the one with the least effort is chosen. Then:\n",
        SAME * 100.0
    );
    for kind in [RuleKind::Keep, RuleKind::Hint, RuleKind::Caution] {
        let title = match kind {
            RuleKind::Keep => "Rules that keep what is used today",
            RuleKind::Hint => "Hints",
            RuleKind::Caution => "Cautions",
        };
        let _ = write!(out, "\n### {title}\n\n");
        for rule in RULES.iter().filter(|rule| rule.kind == kind) {
            let _ =
                writeln!(out, "* **{}**, when `{}`:\n  “{}”\n  Why: {}.", rule.name, rule.when, rule.says, rule.why);
        }
    }
    let _ = write!(out, "\nWhat rules ask for:\n\n| fact | what it is |\n|---|---|\n");
    for (name, about) in FACTS {
        let _ = writeln!(out, "| `{name}` | {about} |");
    }
    out
}
