//! What notes say that Protobuf has words for.

use wirewise_core::Notes;
use wirewise_formats::protobuf::notes;

use super::super::ast::{Field, Key, Name, NamePart, Opt, Syntax, Value};
use super::super::{features, parser, text};
use super::{Lowering, rename};

impl Lowering<'_> {
    /// Takes the options out of notes, as far as this syntax has them.
    pub(super) fn options(&mut self, said: &mut Notes) -> Vec<Opt> {
        let Some(text) = said.take(notes::OPTIONS) else { return Vec::new() };
        let Some(parsed) = parser::parse_options(&text) else {
            said.set(notes::OPTIONS, text);
            return Vec::new();
        };
        let (mut taken, mut left) = (Vec::new(), Vec::new());
        for option in parsed.into_iter().flat_map(one_by_one) {
            let mut renamed = option.clone();
            let features = option.name[0].name.text == "features" && !option.name[0].custom;
            if features && self.syntax != Syntax::Edition2023 || !rename(&mut renamed, &self.custom) {
                left.push(option);
            } else {
                taken.push(renamed);
            }
        }
        if !left.is_empty() {
            said.set(notes::OPTIONS, text::options(&left));
        }
        taken
    }

    /// Adds a feature.
    pub(super) fn feature(options: &mut Vec<Opt>, name: &str, value: &str) {
        debug_assert!(features::Features::is_kept(name));
        options.push(Opt::new(&format!("features.{name}"), Value::Word(value.to_owned())));
    }

    /// A custom option that is a group: there are no words for its message here, so that it must be an edition that says
    /// it, or it becomes an ordinary message.
    pub(super) fn delimited_option(&mut self, field: &mut Field) {
        if self.syntax != Syntax::Edition2023 {
            field.options.retain(|option| !option.is("features.message_encoding"));
        }
        if self.syntax != Syntax::Proto2 && field.label == Some(super::super::ast::Label::Optional) {
            field.label = None;
        }
        if self.syntax == Syntax::Edition2023 {
            field.options.retain(|option| !option.is("packed"));
        }
    }
}

/// `features = { a: A, b: B }` as `features.a = A` and `features.b = B`, to which others can be added.
fn one_by_one(option: Opt) -> Vec<Opt> {
    match option.value {
        Value::Message(features) if option.name.len() == 1 && option.is("features") => {
            let each = features.into_iter().map(|(key, value)| {
                let mut option = Opt::new("features", value);
                let (name, custom) = match key {
                    Key::Field(name) => (name, false),
                    Key::Extension(name) => (format!(".{name}"), true),
                };
                option.name.push(NamePart { name: Name::new(name), custom });
                option
            });
            each.collect()
        }
        value => vec![Opt { name: option.name, value, at: option.at }],
    }
}
