//! What options may be.

use clap::builder::PossibleValuesParser;
use wirewise_core::LossKind;
use wirewise_formats::{FORMATS, Framing};

pub(super) fn format_names() -> PossibleValuesParser {
    let mut names: Vec<&'static str> = Vec::new();
    for format in FORMATS {
        let info = format.info();
        names.extend(info.variants.iter().map(|variant| variant.id));
        if !names.contains(&info.name) {
            names.push(info.name);
        }
    }
    PossibleValuesParser::new(names)
}

pub(super) fn need_names() -> PossibleValuesParser {
    let need = |need: &wirewise_advice::Need| clap::builder::PossibleValue::new(need.name).help(need.about);
    let none = clap::builder::PossibleValue::new("none").help("anything that holds the data exactly");
    PossibleValuesParser::new(wirewise_advice::NEEDS.iter().map(need).chain([none]))
}

pub(super) fn goal_names() -> PossibleValuesParser {
    PossibleValuesParser::new(wirewise_advice::Goal::ALL.map(wirewise_advice::Goal::name))
}

/// A number that is not negative.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if (0.0..=1e15).contains(&value) => Ok(value),
        _ => Err("expected a number that is not negative".to_owned()),
    }
}

/// `2%` as 0.02.
pub(super) fn percentage(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    let number = number.filter(|number| (0.0..=1e6).contains(number));
    number.map(|number| number / 100.0).ok_or_else(|| "expected a percentage, such as 2%".to_owned())
}

/// Larger ones than the default of `zstd --train` help little, and much larger ones slow decoders down.
pub(super) fn dictionary_size() -> clap::builder::RangedU64ValueParser<usize> {
    clap::builder::RangedU64ValueParser::new().range(256..=1 << 20)
}

/// Languages that can be written, and those that can be read.
pub(super) fn written_languages() -> PossibleValuesParser {
    language_names(|info| info.writes)
}

pub(super) fn read_languages() -> PossibleValuesParser {
    language_names(|info| info.reads)
}

pub(super) fn language_names(which: fn(&wirewise_idl::Info) -> bool) -> PossibleValuesParser {
    let infos = wirewise_idl::LANGUAGES.iter().map(|language| language.info()).filter(|info| which(info));
    PossibleValuesParser::new(infos.map(|info| {
        clap::builder::PossibleValue::new(info.name).aliases(info.aliases.iter().copied()).help(info.title)
    }))
}

pub(super) fn mode_names() -> PossibleValuesParser {
    PossibleValuesParser::new(wirewise_evolution::Mode::ALL.map(wirewise_evolution::Mode::name))
}

pub(super) fn level_names() -> PossibleValuesParser {
    PossibleValuesParser::new(wirewise_evolution::Level::ALL.map(wirewise_evolution::Level::name))
}

pub(super) fn ruleset_names() -> PossibleValuesParser {
    PossibleValuesParser::new(wirewise_evolution::RULESETS.iter().map(|ruleset| ruleset.format))
}

pub(super) fn framing_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Framing::ALL.map(Framing::name))
}

/// The frames of gRPC are no framing of files.
pub(super) fn inspected_framing_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Framing::ALL.map(Framing::name).into_iter().chain(["grpc"]))
}

pub(super) fn loss_names() -> PossibleValuesParser {
    PossibleValuesParser::new(LossKind::ALL.map(LossKind::name))
}
