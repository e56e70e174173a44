//! Days as numbers instead of text.

use wirewise_core::text::time;
use wirewise_core::{Cell, Int, Kind, Logical, Result, Type};

use super::{data, rewrite, shown, text_of};
use crate::shape::{Info, Params, Planned, Shape, Site, Values};
use crate::types::Types;

pub(super) struct Date;

static INFO: Info = Info {
    name: "date",
    about: "days as a 32-bit integer instead of YYYY-MM-DD",
    takes: "strings that are days",
    params: &[],
    moves: false,
    lossy: false,
};

impl Shape for Date {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, site: &Site<'_>, _: &Params, types: &mut Types<'_>) -> Result<Planned> {
        if *site.kind() != Kind::String {
            return Err(site.refuse(&INFO));
        }
        let ty = types.add(Type { logical: Some(Logical::Date), ..Kind::Int(Int::I32).into() });
        let rewrite = rewrite(
            |walk, cell| {
                let text = walk.from.bytes(cell);
                let days = time::parse_date(text).ok_or_else(|| data(format!("{} is no day", shown(text))))?;
                Ok(Cell::int(days.into()))
            },
            |walk, cell| {
                let days = cell.as_i64() as i32;
                text_of(
                    walk,
                    |out| time::write_date(days, out),
                    || data(format!("{days} is no day of the years 0 to 9999")),
                )
            },
        );
        Ok(Planned { ty, rewrite })
    }

    fn propose(&self, site: &Site<'_>, values: &Values<'_, '_>) -> Option<Params> {
        let is = *site.kind() == Kind::String;
        (is && values.all(|(document, cell)| time::parse_date(document.bytes(cell)).is_some())).then(Params::default)
    }
}
