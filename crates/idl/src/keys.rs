//! Notes that keep facts of the model in languages that have no words for them.
//!
//! They have no owner: every language uses the same key for the same fact.

use std::ops::RangeInclusive;

use serde_json::{Value as Json, json};

/// The model's name, when the identifier is another one.
pub const NAME: &str = "name";
/// The model's type as a JSON type expression, or the name of a type.
pub const TYPE: &str = "type";
/// `required` or `optional`.
pub const PRESENCE: &str = "presence";
/// The default, as JSON.
pub const DEFAULT: &str = "default";
/// Former names, as a JSON array.
pub const ALIASES: &str = "aliases";
/// Reserved numbers and names, as JSON: see [`reserved_text`].
pub const RESERVED: &str = "reserved";
/// Places in the model of what is declared in another order, separated by commas.
pub const ORDER: &str = "order";
/// What a type is in the model: `union`.
pub const KIND: &str = "kind";
/// Whether an enum takes only its own numbers: `true` or `false`.
pub const CLOSED: &str = "closed";
/// That a oneof always has a member: `true`.
pub const REQUIRED: &str = "required";
/// That something is not in the model: what holds a list or a null where the language needs that.
pub const WRAPPER: &str = "wrapper";
/// The type of a message, on the schema.
pub const ROOT: &str = "root";

/// Reserved numbers and names as the text of a note.
pub fn reserved_text<T: Copy + Into<Json>>(numbers: &[RangeInclusive<T>], names: &[String]) -> String {
    let numbers: Vec<Json> =
        numbers.iter().map(|range| json!([(*range.start()).into(), (*range.end()).into()])).collect();
    json!({"numbers": numbers, "names": names}).to_string()
}

/// Reads what [`reserved_text`] writes; what is something else changes nothing.
pub fn reserved<T: TryFrom<i64>>(text: &str, numbers: &mut Vec<RangeInclusive<T>>, names: &mut Vec<String>) {
    let Ok(json) = serde_json::from_str::<Json>(text) else { return };
    let number = |json: &Json| T::try_from(json.as_i64()?).ok();
    let range = |json: &Json| Some(number(json.get(0)?)?..=number(json.get(1)?)?);
    let ranges: Option<Vec<_>> =
        json.get("numbers").and_then(Json::as_array).and_then(|list| list.iter().map(range).collect());
    let name = |json: &Json| json.as_str().map(str::to_owned);
    let listed: Option<Vec<_>> =
        json.get("names").and_then(Json::as_array).and_then(|list| list.iter().map(name).collect());
    if let (Some(ranges), Some(listed)) = (ranges, listed) {
        (*numbers, *names) = (ranges, listed);
    }
}
