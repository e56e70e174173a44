//! Enums.

use wirewise_core::{Enum, Notes, TypeId};

use crate::names::{Case, identifier};
use crate::{Result, keys};

use super::super::ast::{self, EnumValue, Name, Opt, Range, Syntax, Value};
use super::homes;
use super::{Lowering, comment, unsupported};

impl Lowering<'_> {
    pub(super) fn enumeration(&mut self, id: TypeId, e: &Enum, name: String, mut said: Notes) -> Result<ast::Enum> {
        let mut lowered = ast::Enum { name: Name::new(name), ..ast::Enum::default() };
        let bounds = i64::from(i32::MIN)..=i64::from(i32::MAX);
        let natural_closed = match self.syntax {
            Syntax::Proto2 => true,
            Syntax::Proto3 => false,
            Syntax::Edition2023 => e.closed,
        };
        if natural_closed != e.closed {
            said.set(keys::CLOSED, e.closed.to_string());
            if !e.closed {
                let what = "the enum becomes closed: readers take numbers without a name for unknown fields";
                self.lost(e.name.as_str(), what);
            }
        }
        lowered.options = self.options(&mut said);
        if self.syntax == Syntax::Edition2023 && e.closed {
            Self::feature(&mut lowered.options, "enum_type", "CLOSED");
        }
        let mut order: Vec<usize> = (0..e.symbols.len()).collect();
        if !natural_closed && e.symbols[0].number != 0 {
            match e.symbols.iter().position(|symbol| symbol.number == 0) {
                Some(zero) => {
                    order.remove(zero);
                    order.insert(0, zero);
                    let places: Vec<String> = order.iter().map(usize::to_string).collect();
                    said.set(keys::ORDER, places.join(","));
                }
                None => {
                    let wanted = format!("{}_UNSPECIFIED", identifier(homes::limited(&lowered.name.text), Case::Upper));
                    let around =
                        if let homes::Home::Inside(parent, _) = self.homes.of(id) { Some(*parent) } else { None };
                    let name = self.homes.scope(around).take(&wanted);
                    let comment = comment(None, &Notes::default().with(keys::WRAPPER, "true"));
                    lowered.values.push(EnumValue { name: Name::new(name), comment, ..EnumValue::default() });
                }
            }
        }
        let mut seen = std::collections::HashSet::new();
        let mut aliases = false;
        for position in order {
            let symbol = &e.symbols[position];
            if !bounds.contains(&symbol.number) {
                let path = format!("{}.{}", e.name, symbol.name);
                return Err(unsupported(&path, format!("the number {} does not fit 32 bits", symbol.number)));
            }
            let mut said = symbol.notes.clone();
            let name = self.homes.symbol(id, position).to_owned();
            if name != symbol.name {
                said.set(keys::NAME, symbol.name.as_str());
            }
            let options = self.options(&mut said);
            aliases |= !seen.insert(symbol.number);
            let comment = comment(symbol.doc.as_deref(), &said);
            lowered.values.push(EnumValue {
                name: Name::new(name),
                comment,
                number: symbol.number,
                options,
                number_at: 0,
            });
        }
        if aliases {
            lowered.options.push(Opt::new("allow_alias", Value::Word("true".to_owned())));
        }
        let (ranges, names) = (&e.reserved_numbers, &e.reserved_names);
        let sayable = ranges.iter().all(|range| bounds.contains(range.start()) && bounds.contains(range.end()))
            && names.iter().all(|name| homes::is_identifier(name));
        let zero_added = lowered.values.len() > e.symbols.len();
        if !sayable || zero_added && ranges.iter().any(|range| range.contains(&0)) {
            said.set(keys::RESERVED, keys::reserved_text(ranges, names));
        }
        let within = ranges.iter().filter(|range| range.end() >= bounds.start() && range.start() <= bounds.end());
        let within = within.filter(|range| !(zero_added && range.contains(&0)));
        lowered.reserved_ranges = within
            .map(|range| Range { numbers: *range.start().max(bounds.start())..=*range.end().min(bounds.end()), at: 0 })
            .collect();
        lowered.reserved_names = names.iter().filter(|name| homes::is_identifier(name)).map(Name::new).collect();
        lowered.comment = comment(e.doc.as_deref(), &said);
        Ok(lowered)
    }
}
