//! The rules that messages and enums keep as a whole.

use std::collections::HashMap;

use crate::Result;

use super::ast::{self, At, Enum, Field, Message, Name, Range, Syntax};
use super::fields::Around;
use super::names;
use super::symbols::{Node, Symbols};

/// Checks every declaration.
pub(super) fn check(symbols: &Symbols<'_>) -> Result<()> {
    let checker = Checker { symbols };
    for place in 0..symbols.types.len() {
        match symbols.types[place].node {
            Node::Message(message) => checker.message(place, message)?,
            Node::Enum(e) => checker.enumeration(place, e)?,
        }
    }
    checker.extensions()
}

struct Checker<'s, 'a> {
    symbols: &'s Symbols<'a>,
}

/// Ranges in order, to look numbers up in.
struct Ranges<'r>(Vec<&'r Range>);

impl<'r> Ranges<'r> {
    fn find(&self, number: i64) -> Option<&'r Range> {
        let place = self.0.partition_point(|range| *range.numbers.end() < number);
        self.0.get(place).copied().filter(|range| range.numbers.contains(&number))
    }
}

impl<'a> Checker<'_, 'a> {
    fn message(&self, place: usize, message: &'a Message) -> Result<()> {
        let decl = &self.symbols.types[place];
        let file = decl.file;
        let error = |at: At, what: String| self.symbols.error(file, at, what);
        let around = Around::message(decl);
        for field in &message.fields {
            let oneof = field.oneof.and_then(|oneof| message.oneofs.get(oneof));
            let features = match oneof {
                Some(oneof) => around.features.with(&oneof.options, self.symbols.file(file))?,
                None => around.features,
            };
            self.symbols.field(&Around { features, ..around }, field)?;
        }
        if self.symbols.file(file).syntax == Syntax::Proto3
            && let Some(ranges) = message.extension_ranges.first()
        {
            return Err(error(ranges.ranges[0].at, "there are no extension ranges in proto3".to_owned()));
        }
        let most = if ast::flag(&message.options, "message_set_wire_format") {
            i32::MAX.into()
        } else {
            super::parser::MOST_NUMBER
        };
        let all: Vec<&Range> = message.extension_ranges.iter().flat_map(|ranges| &ranges.ranges).collect();
        let extensions = self.ranges(file, all, "extension range", 1..=most)?;
        let reserved = self.ranges(file, message.reserved_ranges.iter().collect(), "reserved range", 1..=most)?;
        for range in &reserved.0 {
            let overlapping = extensions.find(*range.numbers.start()).or_else(|| {
                let next = extensions.0.partition_point(|other| other.numbers.start() < range.numbers.start());
                extensions.0.get(next).copied().filter(|other| other.numbers.start() <= range.numbers.end())
            });
            if let Some(other) = overlapping {
                return Err(error(range.at, "the reserved range overlaps an extension range".to_owned())
                    .related(self.symbols.place(file, other.at), "the extension range"));
            }
        }
        let names = self.reserved_names(file, &message.reserved_names)?;
        let mut numbers: HashMap<i64, &Field> = HashMap::new();
        for field in &message.fields {
            if let Some(first) = numbers.insert(field.number, field) {
                let what = format!("the number {} is taken by the field {:?}", field.number, first.name.text);
                return Err(
                    error(field.number_at, what).related(self.symbols.place(file, first.number_at), "first used")
                );
            }
            self.not_reserved(file, field.number, field.number_at, &reserved, "reserved")?;
            self.not_reserved(file, field.number, field.number_at, &extensions, "in an extension range")?;
            self.not_reserved_name(file, &field.name, &names)?;
        }
        self.json_names(place, message)
    }

    /// Ranges in order: none is empty, out of bounds, or overlaps another.
    fn ranges<'r>(
        &self,
        file: usize,
        mut ranges: Vec<&'r Range>,
        what: &str,
        bounds: std::ops::RangeInclusive<i64>,
    ) -> Result<Ranges<'r>> {
        for range in &ranges {
            let (from, to) = (range.numbers.start(), range.numbers.end());
            let error =
                |why: String| Err(self.symbols.error(file, range.at, format!("the {what} {from} to {to} {why}")));
            if from > to {
                return error("ends before it begins".to_owned());
            }
            if !bounds.contains(from) || !bounds.contains(to) {
                return error(format!("is out of bounds: numbers are {} to {}", bounds.start(), bounds.end()));
            }
        }
        ranges.sort_by_key(|range| *range.numbers.start());
        for pair in ranges.windows(2) {
            if pair[0].numbers.end() >= pair[1].numbers.start() {
                let (first, second) = if pair[0].at < pair[1].at { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
                let (from, to) = (second.numbers.start(), second.numbers.end());
                let what = format!("the {what} {from} to {to} overlaps another one");
                let error = self.symbols.error(file, second.at, what);
                return Err(error.related(self.symbols.place(file, first.at), "the other one"));
            }
        }
        Ok(Ranges(ranges))
    }

    fn not_reserved(&self, file: usize, number: i64, at: At, ranges: &Ranges<'_>, what: &str) -> Result<()> {
        match ranges.find(number) {
            None => Ok(()),
            Some(range) => Err(self
                .symbols
                .error(file, at, format!("the number {number} is {what}"))
                .related(self.symbols.place(file, range.at), "the range")),
        }
    }

    fn reserved_names(&self, file: usize, names: &'a [Name]) -> Result<HashMap<&'a str, At>> {
        let mut seen = HashMap::new();
        for name in names {
            if let Some(first) = seen.insert(name.text.as_str(), name.at) {
                let error = self.symbols.error(file, name.at, format!("the name {:?} is reserved twice", name.text));
                return Err(error.related(self.symbols.place(file, first), "first reserved"));
            }
        }
        Ok(seen)
    }

    fn not_reserved_name(&self, file: usize, name: &Name, reserved: &HashMap<&str, At>) -> Result<()> {
        match reserved.get(name.text.as_str()) {
            None => Ok(()),
            Some(&at) => Err(self
                .symbols
                .error(file, name.at, format!("the name {:?} is reserved", name.text))
                .related(self.symbols.place(file, at), "reserved")),
        }
    }

    fn json_names(&self, place: usize, message: &'a Message) -> Result<()> {
        let decl = &self.symbols.types[place];
        let legacy = ast::flag(&message.options, "deprecated_legacy_json_field_conflicts");
        let mut seen: HashMap<String, (&Field, bool)> = HashMap::new();
        for field in &message.fields {
            let custom = self.symbols.json_name(decl.file, field)?;
            let is_custom = custom.is_some();
            let name = custom.unwrap_or_else(|| names::json(&field.name.text));
            let Some(&(first, first_custom)) = seen.get(&name) else {
                seen.insert(name, (field, is_custom));
                continue;
            };
            // Where JSON is not a must, only what was chosen can be wrong.
            if decl.features.json && !legacy || is_custom && first_custom {
                let what = format!("the field {:?} has the JSON name {name:?}, which is taken", field.name.text);
                let error = self.symbols.error(decl.file, field.name.at, what);
                let hint = "choose another one with the option json_name";
                let first = self.symbols.place(decl.file, first.name.at);
                return Err(error.related(first, "first used").hint(hint));
            }
            if is_custom {
                seen.insert(name, (field, true));
            }
        }
        Ok(())
    }

    fn enumeration(&self, place: usize, e: &'a Enum) -> Result<()> {
        let decl = &self.symbols.types[place];
        let file = decl.file;
        let error = |at: At, what: String| self.symbols.error(file, at, what);
        let Some(first) = e.values.first() else {
            return Err(error(e.name.at, format!("the enum {:?} has no values", e.name.text)));
        };
        let bounds = i64::from(i32::MIN)..=i64::from(i32::MAX);
        if !decl.features.closed_enums && first.number != 0 {
            let what =
                format!("the first value of the open enum {:?} has number {}, expected 0", e.name.text, first.number);
            return Err(error(first.number_at, what));
        }
        let reserved = self.ranges(file, e.reserved_ranges.iter().collect(), "reserved range", bounds.clone())?;
        let names = self.reserved_names(file, &e.reserved_names)?;
        let alias = ast::flag(&e.options, "allow_alias");
        let mut numbers = HashMap::new();
        let mut short = HashMap::new();
        for value in &e.values {
            if !bounds.contains(&value.number) {
                return Err(error(value.number_at, format!("the number {} does not fit 32 bits", value.number)));
            }
            if let Some(&(first_at, ref first)) = numbers.get(&value.number)
                && !alias
            {
                let what = format!("the number {} is taken by {first:?}", value.number);
                return Err(error(value.number_at, what)
                    .related(self.symbols.place(file, first_at), "first used")
                    .hint("option allow_alias = true lets several names have one number"));
            }
            numbers.entry(value.number).or_insert((value.number_at, value.name.text.clone()));
            self.not_reserved(file, value.number, value.number_at, &reserved, "reserved")?;
            self.not_reserved_name(file, &value.name, &names)?;
            let plain = names::short_value(&e.name.text, &value.name.text);
            if let Some(&(number, at)) = short.get(&plain)
                && number != value.number
                && decl.features.json
                && !ast::flag(&e.options, "deprecated_legacy_json_field_conflicts")
            {
                let what =
                    format!("{:?} is the same as another value, but for case and the enum's name", value.name.text);
                return Err(error(value.name.at, what).related(self.symbols.place(file, at), "the other one"));
            }
            short.insert(plain, (value.number, value.name.at));
        }
        if alias && numbers.len() == e.values.len() {
            return Err(error(e.name.at, format!("the enum {:?} allows aliases and has none", e.name.text)));
        }
        Ok(())
    }

    fn extensions(&self) -> Result<()> {
        let mut ranges: HashMap<usize, Ranges<'_>> = HashMap::new();
        let mut numbers: HashMap<(usize, i64), usize> = HashMap::new();
        for (place, extension) in self.symbols.extensions.iter().enumerate() {
            let (file, field) = (extension.file, extension.field);
            let error = |at: At, what: String| self.symbols.error(file, at, what);
            let extendee = &self.symbols.types[extension.extendee];
            let Node::Message(message) = extendee.node else { continue };
            if self.symbols.file(file).syntax == Syntax::Proto3 && !is_options(&extendee.full_name) {
                let at = field.extendee.as_ref().map_or(field.at, |name| name.at);
                let what =
                    format!("{} cannot be extended in proto3, which has custom options only", extendee.full_name);
                return Err(error(at, what));
            }
            self.symbols.field(&Around::extension(extension), field)?;
            self.symbols.json_name(file, field)?;
            let known = ranges.entry(extension.extendee).or_insert_with(|| {
                let mut all: Vec<&Range> = message.extension_ranges.iter().flat_map(|ranges| &ranges.ranges).collect();
                all.sort_by_key(|range| *range.numbers.start());
                Ranges(all)
            });
            if known.find(field.number).is_none() {
                let what = format!("{} has no extension range with the number {}", extendee.full_name, field.number);
                let error = error(field.number_at, what);
                return Err(error.related(self.symbols.place(extendee.file, message.name.at), "the message"));
            }
            if let Some(&first) = numbers.get(&(extension.extendee, field.number)) {
                let first = &self.symbols.extensions[first];
                let what = format!("the number {} is taken by the extension {}", field.number, first.full_name);
                return Err(error(field.number_at, what)
                    .related(self.symbols.place(first.file, first.field.number_at), "first used"));
            }
            numbers.insert((extension.extendee, field.number), place);
        }
        Ok(())
    }
}

/// Whether extensions of this message are custom options.
pub(super) fn is_options(full_name: &str) -> bool {
    full_name.strip_prefix("google.protobuf.").is_some_and(|name| name.ends_with("Options") || name == "FeatureSet")
}
