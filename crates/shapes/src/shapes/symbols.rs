//! Texts of which there are few as enums.

use std::collections::HashMap;

use wirewise_core::{Cell, Enum, Error, ErrorKind, Kind, Result, Symbol, Type};

use super::{capital, data, rewrite, shown};
use crate::shape::{Info, Params, Planned, Shape, Site, Values};
use crate::types::Types;

pub(super) struct Symbols;

static INFO: Info = Info {
    name: "enum",
    about: "texts of which there are few as the symbols of an enum, which most formats write as one byte",
    takes: "strings",
    params: &[("symbols", "all texts that there are, as a JSON array: symbols=[\"free\",\"paid\"]")],
    moves: false,
    lossy: false,
};

/// Values that must have been seen before an enum is proposed: fewer say little about those to come.
const LEAST: usize = 64;

/// Symbols of an enum that is proposed, at most.
const MOST: usize = 64;

/// How often each of them must have been seen, on average. None may have been seen only once.
const OFTEN: usize = 16;

/// Symbols of any enum, at most: steps are text in a schema.
const LIMIT: usize = 65_536;

impl Shape for Symbols {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, site: &Site<'_>, params: &Params, types: &mut Types<'_>) -> Result<Planned> {
        if *site.kind() != Kind::String {
            return Err(site.refuse(&INFO));
        }
        let texts = params.texts("symbols").filter(|texts| !texts.is_empty()).ok_or_else(|| {
            Error::new(ErrorKind::Schema, "enum needs symbols")
                .hint("write for example enum@SLOT,symbols=[\"a\",\"b\"]")
        })?;
        let wrong = |what: String| Err(Error::new(ErrorKind::Schema, what));
        if texts.len() > LIMIT {
            return wrong(format!("an enum has {LIMIT} symbols at most, not {}", texts.len()));
        }
        let mut numbers: HashMap<Box<[u8]>, i64> = HashMap::new();
        let mut made = Vec::new();
        for (text, number) in texts.iter().zip(0..) {
            if text.is_empty() {
                return wrong("a symbol of an enum must not be empty".to_owned());
            }
            if numbers.insert(text.as_bytes().into(), number).is_some() {
                return wrong(format!("the enum has the symbol {} twice", shown(text.as_bytes())));
            }
            made.push(Symbol::new(text, number));
        }
        let name = types.name(&capital(site.slot.hint()));
        let ty = types.add(Type::from(Kind::Enum(Enum {
            name,
            doc: None,
            symbols: made,
            closed: true,
            reserved_numbers: Vec::new(),
            reserved_names: Vec::new(),
        })));
        let texts = texts.to_vec();
        let rewrite = rewrite(
            move |walk, cell| {
                let text = walk.from.bytes(cell);
                let number = numbers.get(text).ok_or_else(|| {
                    data(format!("{} is none of the {} symbols", shown(text), numbers.len()))
                        .hint("add it at the end of the symbols of the step; those before it keep their numbers")
                })?;
                Ok(Cell::int(*number))
            },
            move |walk, cell| {
                let number = cell.as_i64();
                let text = usize::try_from(number).ok().and_then(|number| texts.get(number));
                let text = text.ok_or_else(|| data(format!("the enum has no symbol {number}")))?;
                walk.to.text(text.as_bytes())
            },
        );
        Ok(Planned { ty, rewrite })
    }

    fn propose(&self, site: &Site<'_>, values: &Values<'_, '_>) -> Option<Params> {
        if *site.kind() != Kind::String || values.cells.len() < LEAST {
            return None;
        }
        let mut counts: HashMap<&[u8], usize> = HashMap::new();
        for text in values.bytes() {
            *counts.entry(text).or_default() += 1;
            if counts.len() > MOST || text.is_empty() {
                return None;
            }
        }
        let usual = counts.len() * OFTEN <= values.cells.len() && counts.values().all(|&count| count > 1);
        let mut texts: Vec<&str> =
            counts.keys().map(|text| std::str::from_utf8(text)).collect::<Result<_, _>>().ok()?;
        texts.sort_unstable();
        usual.then(|| Params::of_texts("symbols", texts))
    }
}
