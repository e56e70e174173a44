//! Instants as numbers instead of RFC 3339 text.

use wirewise_core::schema::Unit;
use wirewise_core::text::time;
use wirewise_core::{Cell, Error, ErrorKind, Int, Kind, Logical, Result, Type};

use super::{data, rewrite, shown, text_of};
use crate::shape::{Info, Params, Planned, Shape, Site, Values};
use crate::types::Types;

pub(super) struct Time;

static INFO: Info = Info {
    name: "time",
    about: "instants as a 64-bit integer instead of RFC 3339 text in UTC",
    takes: "strings that are instants in UTC",
    params: &[("digits", "digits of the fraction of a second: 0, 3, 6 or 9")],
    moves: false,
    lossy: false,
};

const UNITS: [Unit; 4] = [Unit::Seconds, Unit::Millis, Unit::Micros, Unit::Nanos];

impl Shape for Time {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, site: &Site<'_>, params: &Params, types: &mut Types<'_>) -> Result<Planned> {
        if *site.kind() != Kind::String {
            return Err(site.refuse(&INFO));
        }
        let digits = params.need(&INFO, "digits")? as usize;
        let unit = UNITS.into_iter().find(|unit| time::fraction_digits(*unit) == digits).ok_or_else(|| {
            Error::new(ErrorKind::Schema, format!("an instant has 0, 3, 6 or 9 digits, not {digits}"))
        })?;
        let ty = types.add(Type { logical: Some(Logical::Timestamp(unit)), ..Kind::Int(Int::I64).into() });
        let rewrite = rewrite(
            move |walk, cell| {
                let text = walk.from.bytes(cell);
                let ticks = time::parse_timestamp(text, unit);
                let wrong = || data(format!("{} is no instant in UTC with {digits} digits", shown(text)));
                Ok(Cell::int(ticks.ok_or_else(wrong)?))
            },
            move |walk, cell| {
                let ticks = cell.as_i64();
                text_of(
                    walk,
                    |out| time::write_timestamp(ticks, unit, out),
                    || data(format!("{ticks} is no instant of the years 0 to 9999")),
                )
            },
        );
        Ok(Planned { ty, rewrite })
    }

    fn propose(&self, site: &Site<'_>, values: &Values<'_, '_>) -> Option<Params> {
        if *site.kind() != Kind::String {
            return None;
        }
        let unit = time::timestamp_unit(values.bytes().next()?)?;
        let is = values.all(|(document, cell)| time::parse_timestamp(document.bytes(cell), unit).is_some());
        is.then(|| Params::one("digits", time::fraction_digits(unit) as u32))
    }
}
