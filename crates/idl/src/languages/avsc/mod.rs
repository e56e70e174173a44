//! Avro schemas: `.avsc` files and protocols (`.avpr`).
//!
//! What Avro's JSON means is known by the format, which reads it out of containers too; here are places and layout.

#[cfg(test)]
mod tests;
mod write;

use wirewise_formats::avro::{self, Part, Problem};

use crate::json::Locator;
use crate::{Element, Error, Files, Info, Language, Module, Place, Places, Result, Source, Written};

/// Avro.
#[derive(Debug)]
pub(crate) struct Avsc;

static INFO: Info = Info {
    name: "avsc",
    aliases: &["avro"],
    title: "Avro",
    specification: "Apache Avro 1.12.0, <https://avro.apache.org/docs/1.12.0/specification/>",
    extensions: &[".avsc", ".avpr"],
    binary: false,
    reads: true,
    writes: true,
    format: Some("avro"),
    numbers: false,
};

impl Language for Avsc {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn read(&self, source: &Source, _files: &dyn Files) -> Result<Module> {
        let text = source.text()?;
        let file = avro::parse_file(text).map_err(|problem| positioned(source, text, problem))?;
        let locator = Locator::new(&source.name, text);
        let mut places = Places::default();
        for (part, at) in file.places {
            let element = match part {
                Part::Type(ty) => Element::Type(ty),
                Part::Field(ty, position) => Element::Field(ty, position),
                Part::Symbol(ty, position) => Element::Symbol(ty, position),
                Part::Branch(ty, position) => Element::Branch(ty, position),
            };
            places.set(element, locator.place(at));
        }
        let mut notices = Vec::new();
        if !file.messages.is_empty() {
            let protocol = file.schema.notes().get(avro::notes::PROTOCOL).unwrap_or_default();
            let names =
                if file.messages.len() > 10 { String::new() } else { format!(": {}", file.messages.join(", ")) };
            notices.push(format!("protocol {protocol}: {} messages are skipped{names}", file.messages.len()));
        }
        Ok(Module { schema: file.schema, root: file.root, places, notices, documents: None })
    }

    fn write(&self, module: &Module) -> Result<Written> {
        write::write(module)
    }
}

fn positioned(source: &Source, text: &str, problem: Problem) -> Error {
    let place = match problem.at {
        Some(at) => Place::at(&source.name, text, at),
        None => Place::file(&source.name),
    };
    let error = Error::at(place, problem.what);
    match problem.first {
        Some(first) => error.related(Place::at(&source.name, text, first), "first"),
        None => error,
    }
}
