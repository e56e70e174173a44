//! How messages follow each other in files: what the user says, if it makes sense, or the usual way.

use std::path::Path;

use wirewise_core::{Kind, Schema};
use wirewise_formats::{Framing, Variant};

use crate::convert::Input;
use crate::failure::Failure;

/// Bytes that show how a text begins.
const PEEK: usize = 4096;

/// The framing of the input.
pub(crate) fn of_input(
    name: Option<&str>,
    variant: &Variant,
    input: &mut Input,
    path: &Path,
) -> Result<Framing, Failure> {
    if let Some(framing) = name.and_then(Framing::by_name) {
        return check(framing, variant, "--in-framing").map(|()| framing);
    }
    if variant.text {
        // One document, one a line, or documents in any layout: JSON delimits itself. An array of objects is a list
        // of messages; where messages are arrays themselves nothing tells.
        let start = input.peek(PEEK, path)?;
        if start.len() < PEEK && start.iter().all(u8::is_ascii_whitespace) {
            // Nothing but empty lines: no message.
            return Ok(Framing::Lines);
        }
        let mut marks = start.iter().filter(|byte| !byte.is_ascii_whitespace());
        let array = variant.schemaless && marks.next() == Some(&b'[') && marks.next() == Some(&b'{');
        return Ok(if array { Framing::JsonArray } else { Framing::Concatenated });
    }
    Ok(match variant.framing {
        framing @ (Framing::Concatenated | Framing::AvroContainer) => framing,
        // A file of one message: the usual case for formats whose messages do not delimit themselves.
        _ => Framing::None,
    })
}

/// The framing of the output; by default one that suits what comes in.
pub(crate) fn of_output(
    name: Option<&str>,
    to: &Variant,
    from: &Variant,
    in_framing: Framing,
) -> Result<Framing, Failure> {
    let framing = match (name.and_then(Framing::by_name), in_framing) {
        (Some(framing), _) => framing,
        (None, Framing::JsonArray) if to.text && to.schemaless => Framing::JsonArray,
        (None, Framing::None) if to.text => Framing::Lines,
        (None, Framing::None) if to.framing != Framing::AvroContainer => Framing::None,
        (None, Framing::Concatenated) if to.text && from.text && to.framing == Framing::JsonArray => Framing::Lines,
        (None, _) => to.framing,
    };
    check(framing, to, "--out-framing")?;
    Ok(match framing {
        // Two numbers would become one.
        Framing::Concatenated if to.text => Framing::Lines,
        _ => framing,
    })
}

/// The framing for messages of this schema: a variant that writes a list as a stream of its elements says where the
/// elements end, and not where the list does.
pub(crate) fn of_schema(framing: Framing, variant: &Variant, schema: &Schema) -> Framing {
    if variant.list_is_stream && is_list(schema) && framing == Framing::Concatenated { Framing::None } else { framing }
}

/// Whether a message is a list.
pub(crate) fn is_list(schema: &Schema) -> bool {
    matches!(schema.kind(schema.root()), Kind::List(_))
}

/// Whether a reader could take such messages apart again.
fn check(framing: Framing, variant: &Variant, option: &str) -> Result<(), Failure> {
    let container = variant.framing == Framing::AvroContainer;
    let reason = match framing {
        Framing::AvroContainer if container || variant.id == "avro" => return Ok(()),
        Framing::AvroContainer => "only values of Avro are in Avro containers",
        _ if container => "a container has a framing of its own",
        Framing::Lines | Framing::JsonArray if !variant.text => "its messages are not text",
        Framing::Concatenated if !variant.text && variant.framing != Framing::Concatenated => {
            "its messages do not say where they end"
        }
        _ => return Ok(()),
    };
    let failure = Failure::bad(format!("{option} {} is not for {}: {reason}", framing.name(), variant.id));
    Err(if container { failure } else { failure.hint(format!("the usual one is {}", variant.framing.name())) })
}
