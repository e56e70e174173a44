//! What notes say that Protobuf has words for.

use wirewise_core::Notes;
use wirewise_formats::protobuf::notes;

use super::super::ast::{Field, Opt, Syntax, Value};
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
        for option in parsed {
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

    /// Adds a feature; one more than a single message of features would be twice the same option.
    pub(super) fn feature(options: &mut Vec<Opt>, name: &str, value: &str) {
        debug_assert!(features::Features::is_kept(name));
        let value = Value::Word(value.to_owned());
        let all = options.iter_mut().find(|option| option.is("features"));
        if let Some(Opt { value: Value::Message(all), .. }) = all {
            all.push((super::super::ast::Key::Field(name.to_owned()), value));
            return;
        }
        options.push(Opt::new(&format!("features.{name}"), value));
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
