//! Values as PostgreSQL sends them in binary, as JSON.

use std::error::Error as StdError;

use jiff::civil;
use jiff::{SignedDuration, Timestamp};
use tokio_postgres::types::{FromSql, Kind, Type};

use super::super::rows;
use crate::{Error, Result};

/// A value as it comes; `None` is null.
pub(super) struct Raw<'a>(pub(super) Option<&'a [u8]>);

impl<'a> FromSql<'a> for Raw<'a> {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn StdError + Sync + Send>> {
        Ok(Raw(Some(raw)))
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn StdError + Sync + Send>> {
        Ok(Raw(None))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// Writes the values of a type.
pub(super) enum Writer {
    Bool,
    Int2,
    Int4,
    Int8,
    Oid,
    Float4,
    Float8,
    Numeric,
    Text,
    Bytes,
    Uuid,
    Json,
    Jsonb,
    Instant,
    DateTime,
    Date,
    Time,
    Interval,
    Array(Box<Writer>),
    /// The names are JSON already.
    Composite(Vec<(Vec<u8>, Writer)>),
}

impl Writer {
    /// # Errors
    /// When the type is one that JSON has no obvious form for.
    pub(super) fn new(ty: &Type) -> Result<Writer> {
        Ok(match *ty {
            Type::BOOL => Writer::Bool,
            Type::INT2 => Writer::Int2,
            Type::INT4 => Writer::Int4,
            Type::INT8 => Writer::Int8,
            Type::OID => Writer::Oid,
            Type::FLOAT4 => Writer::Float4,
            Type::FLOAT8 => Writer::Float8,
            Type::NUMERIC => Writer::Numeric,
            Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME | Type::CHAR | Type::UNKNOWN | Type::XML => {
                Writer::Text
            }
            Type::BYTEA => Writer::Bytes,
            Type::UUID => Writer::Uuid,
            Type::JSON => Writer::Json,
            Type::JSONB => Writer::Jsonb,
            Type::TIMESTAMPTZ => Writer::Instant,
            Type::TIMESTAMP => Writer::DateTime,
            Type::DATE => Writer::Date,
            Type::TIME => Writer::Time,
            Type::INTERVAL => Writer::Interval,
            _ => match ty.kind() {
                Kind::Enum(_) => Writer::Text,
                Kind::Simple if ty.name() == "citext" => Writer::Text,
                Kind::Domain(inner) => Writer::new(inner)?,
                Kind::Array(item) => Writer::Array(Box::new(Writer::new(item)?)),
                Kind::Composite(fields) => {
                    let field = |field: &tokio_postgres::types::Field| {
                        let mut name = Vec::new();
                        rows::text(&mut name, field.name());
                        Ok((name, Writer::new(field.type_())?))
                    };
                    Writer::Composite(fields.iter().map(field).collect::<Result<_>>()?)
                }
                _ => {
                    let what = format!("values of the type {} are not supported", ty.name());
                    return Err(Error::new(what).hint("have the query make text of it: column::text"));
                }
            },
        })
    }

    /// Appends a value as JSON.
    pub(super) fn write(&self, value: Option<&[u8]>, out: &mut Vec<u8>) -> Result<()> {
        let Some(value) = value else {
            rows::null(out);
            return Ok(());
        };
        let mut bytes = Bytes(value);
        match self {
            Writer::Bool => out.extend_from_slice(if bytes.array::<1>()? == [0] { b"false" } else { b"true" }),
            Writer::Int2 => rows::integer(out, i16::from_be_bytes(bytes.array()?)),
            Writer::Int4 => rows::integer(out, bytes.i32()?),
            Writer::Int8 => rows::integer(out, bytes.i64()?),
            Writer::Oid => rows::integer(out, u32::from_be_bytes(bytes.array()?)),
            Writer::Float4 => rows::float32(out, f32::from_be_bytes(bytes.array()?))?,
            Writer::Float8 => rows::float(out, f64::from_be_bytes(bytes.array()?))?,
            Writer::Numeric => numeric(&mut bytes, out)?,
            Writer::Text => rows::text(out, utf8(bytes.rest())?),
            Writer::Bytes => rows::bytes(out, bytes.rest()),
            Writer::Uuid => {
                let hex = format!("{:032x}", u128::from_be_bytes(bytes.array()?));
                let [a, b, c, d, e] = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
                rows::quoted(out, format_args!("{a}-{b}-{c}-{d}-{e}"));
            }
            Writer::Json => out.extend_from_slice(utf8(bytes.rest())?.as_bytes()),
            Writer::Jsonb => match bytes.array()? {
                [1] => out.extend_from_slice(utf8(bytes.rest())?.as_bytes()),
                [version] => return Err(Error::new(format!("version {version} of jsonb is not supported"))),
            },
            Writer::Instant => {
                let micros = finite(bytes.i64()?)?.checked_add(EPOCH.as_micros() as i64).ok_or_else(far)?;
                let instant = Timestamp::from_microsecond(micros).map_err(|_| far())?;
                in_common_era(instant.to_zoned(jiff::tz::TimeZone::UTC).year())?;
                rows::quoted(out, instant);
            }
            Writer::DateTime => {
                let span = SignedDuration::from_micros(finite(bytes.i64()?)?);
                let time = civil::datetime(2000, 1, 1, 0, 0, 0, 0).checked_add(span).map_err(|_| far())?;
                in_common_era(time.year())?;
                rows::quoted(out, time);
            }
            Writer::Date => {
                let days = match bytes.i32()? {
                    i32::MIN | i32::MAX => return Err(infinite()),
                    days => i64::from(days),
                };
                let day = civil::date(2000, 1, 1).checked_add(SignedDuration::from_hours(days * 24));
                let day = day.map_err(|_| far())?;
                in_common_era(day.year())?;
                rows::quoted(out, day);
            }
            Writer::Time => match bytes.i64()? {
                // What PostgreSQL allows besides.
                86_400_000_000 => rows::quoted(out, "24:00:00"),
                micros => {
                    let time = civil::Time::midnight().checked_add(SignedDuration::from_micros(micros));
                    rows::quoted(out, time.map_err(|_| far())?);
                }
            },
            Writer::Interval => interval(&mut bytes, out)?,
            Writer::Array(item) => array(item, &mut bytes, out)?,
            Writer::Composite(fields) => composite(fields, &mut bytes, out)?,
        }
        Ok(())
    }
}

/// From 1970 to 2000, from where on PostgreSQL counts.
const EPOCH: SignedDuration = SignedDuration::from_secs(946_684_800);

fn finite(micros: i64) -> Result<i64> {
    if matches!(micros, i64::MIN | i64::MAX) { Err(infinite()) } else { Ok(micros) }
}

fn infinite() -> Error {
    Error::new("the value is infinity, and RFC 3339 has no such time")
        .hint("have the query say what to send instead, for example null")
}

fn far() -> Error {
    Error::new("the time is out of range: RFC 3339 has the years 0 to 9999")
        .hint("have the query make text of it: column::text")
}

fn in_common_era(year: i16) -> Result<()> {
    if year < 0 { Err(far()) } else { Ok(()) }
}

fn utf8(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|_| Error::new("the text is not valid UTF-8"))
}

/// As text: JSON readers make a double of a number, which cannot hold most of these.
fn numeric(bytes: &mut Bytes<'_>, out: &mut Vec<u8>) -> Result<()> {
    let [count, weight, sign, scale] = [bytes.u16()?, bytes.u16()?, bytes.u16()?, bytes.u16()?];
    match sign {
        0 | 0x4000 => {}
        _ => {
            let name = if sign == 0xc000 { "NaN" } else { "infinity" };
            return Err(Error::new(format!("the value is {name}, which is no decimal number"))
                .hint("have the query say what to send instead, for example null"));
        }
    }
    let digits = (0..count).map(|_| bytes.u16()).collect::<Result<Vec<u16>>>()?;
    // The place of the first group of four digits; places before 0 are behind the point.
    let weight = i32::from(weight as i16);
    let group = |place: i32| usize::try_from(weight - place).ok().and_then(|at| digits.get(at)).copied().unwrap_or(0);
    let mut text = String::new();
    if sign == 0x4000 {
        text.push('-');
    }
    let mut whole = String::new();
    for place in (0..=weight.max(0)).rev() {
        whole.push_str(&format!("{:04}", group(place)));
    }
    let whole = whole.trim_start_matches('0');
    text.push_str(if whole.is_empty() { "0" } else { whole });
    if scale > 0 {
        let mut fraction = String::new();
        let mut place = -1;
        while fraction.len() < usize::from(scale) {
            fraction.push_str(&format!("{:04}", group(place)));
            place -= 1;
        }
        text.push('.');
        text.push_str(&fraction[..usize::from(scale)]);
    }
    rows::quoted(out, text);
    Ok(())
}

/// As ISO 8601 writes spans: months, days and the time are kept apart, as PostgreSQL does.
fn interval(bytes: &mut Bytes<'_>, out: &mut Vec<u8>) -> Result<()> {
    let (micros, days, months) = (bytes.i64()?, bytes.i32()?, bytes.i32()?);
    let mut text = String::from("P");
    let mut part = |count: i64, unit: char| {
        if count != 0 {
            text.push_str(&format!("{count}{unit}"));
        }
    };
    part((months / 12).into(), 'Y');
    part((months % 12).into(), 'M');
    part(days.into(), 'D');
    if micros != 0 {
        text.push('T');
        let (hours, rest) = (micros / 3_600_000_000, micros % 3_600_000_000);
        let (minutes, rest) = (rest / 60_000_000, rest % 60_000_000);
        for (count, unit) in [(hours, 'H'), (minutes, 'M')] {
            if count != 0 {
                text.push_str(&format!("{count}{unit}"));
            }
        }
        if rest != 0 {
            let sign = if rest < 0 { "-" } else { "" };
            let (seconds, fraction) = (rest.unsigned_abs() / 1_000_000, rest.unsigned_abs() % 1_000_000);
            let fraction = format!(".{fraction:06}");
            text.push_str(&format!("{sign}{seconds}{}S", fraction.trim_end_matches('0').trim_end_matches('.')));
        }
    }
    rows::quoted(out, if text.len() == 1 { "PT0S" } else { &text });
    Ok(())
}

fn array(item: &Writer, bytes: &mut Bytes<'_>, out: &mut Vec<u8>) -> Result<()> {
    let (dimensions, _has_null, _type) = (bytes.i32()?, bytes.i32()?, bytes.i32()?);
    // PostgreSQL has at most 6.
    let mut lengths = Vec::new();
    for _ in 0..dimensions.clamp(0, 6) {
        let (length, _start) = (bytes.i32()?, bytes.i32()?);
        lengths.push(length);
    }
    if lengths.is_empty() {
        out.extend_from_slice(b"[]");
        return Ok(());
    }
    dimension(item, &lengths, bytes, out)
}

fn dimension(item: &Writer, lengths: &[i32], bytes: &mut Bytes<'_>, out: &mut Vec<u8>) -> Result<()> {
    out.push(b'[');
    for at in 0..lengths[0] {
        if at > 0 {
            out.push(b',');
        }
        match &lengths[1..] {
            [] => item.write(bytes.value()?, out)?,
            inner => dimension(item, inner, bytes, out)?,
        }
    }
    out.push(b']');
    Ok(())
}

fn composite(fields: &[(Vec<u8>, Writer)], bytes: &mut Bytes<'_>, out: &mut Vec<u8>) -> Result<()> {
    let _count = bytes.i32()?;
    out.push(b'{');
    for (at, (name, writer)) in fields.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        out.extend_from_slice(name);
        out.push(b':');
        let _type = bytes.i32()?;
        writer.write(bytes.value()?, out)?;
    }
    out.push(b'}');
    Ok(())
}

/// Bytes that are read from the start.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (first, rest) =
            self.0.split_first_chunk().ok_or_else(|| Error::new("a value of the database is cut off"))?;
        self.0 = rest;
        Ok(*first)
    }

    fn u16(&mut self) -> Result<u16> {
        self.array().map(u16::from_be_bytes)
    }

    fn i32(&mut self) -> Result<i32> {
        self.array().map(i32::from_be_bytes)
    }

    fn i64(&mut self) -> Result<i64> {
        self.array().map(i64::from_be_bytes)
    }

    fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }

    /// A value after its length; -1 is null.
    fn value(&mut self) -> Result<Option<&'a [u8]>> {
        let Ok(length) = usize::try_from(self.i32()?) else { return Ok(None) };
        let cut = || Error::new("a value of the database is cut off");
        let (value, rest) = self.0.split_at_checked(length).ok_or_else(cut)?;
        self.0 = rest;
        Ok(Some(value))
    }
}
