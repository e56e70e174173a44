//! Whether all answer the same data.

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::client::{Answer, Client};
use super::middle::{All, Middle};
use super::{CASES, Case, envoy};

/// Asks everyone for everything once.
///
/// # Errors
/// When an answer is not the map.
pub fn same(all: &All, client: &Client) -> Result<()> {
    let expected = points(&all.json)?;
    for middle in &all.middles {
        for case in CASES {
            let Some(request) = middle.request(case) else { continue };
            let is_same = |answer: Answer| -> Result<bool> {
                Ok(match case {
                    Case::ProtobufToJson | Case::PassJson => points(&answer.body)? == expected,
                    Case::JsonApiToProtobuf | Case::PassProtobuf => {
                        answer.media == "application/protobuf" && answer.body == all.protobuf
                    }
                    Case::JsonToProtobuf => client.ask(&all.of_api(arrived(middle)), &[])?.body == all.protobuf,
                })
            };
            let answer = client.ask(&request, &all.json)?;
            let name = middle.server.name;
            let same = is_same(answer).with_context(|| format!("{name}, {case:?}"))?;
            ensure!(same, "{name}, {case:?}: that is not the map");
        }
    }
    Ok(())
}

/// Where the API answers what arrived there. Envoy also writes the zeros that Protobuf may leave out, so that its bytes are the
/// map's only when they are parsed and written anew.
fn arrived(middle: &Middle) -> &'static str {
    if middle.server.name == envoy::NAME { "last/anew" } else { "last" }
}

/// A point: values are compared and not how they are written, for JSON of Protobuf writes 64-bit integers as strings and may
/// leave out zeros.
type Point = (String, i64, f64, f64);

fn points(json: &[u8]) -> Result<Vec<Point>> {
    let value: Value = serde_json::from_slice(json)?;
    let list = value.get("value").and_then(Value::as_array).context("there is no list")?;
    list.iter().map(point).collect()
}

fn point(value: &Value) -> Result<Point> {
    let number = |name: &str| match value.get(name) {
        None => Ok(0.0),
        Some(number) => number.as_f64().with_context(|| format!("{name} is {number}")),
    };
    let status = match value.get("status") {
        None => 0,
        Some(Value::Number(number)) => number.as_i64().context("status is no integer")?,
        Some(Value::String(text)) => text.parse()?,
        Some(other) => bail!("status is {other}"),
    };
    let uuid = value.get("uuid").and_then(Value::as_str).context("there is no uuid")?;
    Ok((uuid.to_owned(), status, number("longitude")?, number("latitude")?))
}
