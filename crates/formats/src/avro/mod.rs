//! Avro (specification 1.12.0): datum, single object, and object containers.
//!
//! Besides the codecs, which [`plan`](crate::plan) gives, there is what Avro tools need:
//! * [`schema_json`] writes the Avro schema of a schema of ours; [`parse_schema`] reads one;
//! * [`container_schema`] takes the schema out of a container;
//! * [`plan_with`] reads and writes exactly as somebody else's Avro schema says;
//! * [`canonical_form`] and [`fingerprint`](fn@fingerprint) identify an Avro schema;
//! * [`container`] reads and writes containers block by block.

mod attributes;
mod bound;
pub mod container;
mod datum;
mod decode;
mod encode;
mod file;
mod fingerprint;
mod guess;
mod import;
mod literal;
mod lower;
mod model;
mod names;
pub mod notes;
mod parse;
mod plan;
mod problem;
mod records;
mod resolve;
mod skip;
mod usual;
mod wire;

use std::sync::Arc;

use wirewise_core::{Arena, Error, ErrorKind, Kind, Limits, Losses, Recorder, Result, Schema, TypeId};

use crate::{Codec, Format, Framing, Guess, Info, Variant};
use bound::Bound;
use container::{BlockCodec, Header};
use datum::{Datum, Resolved, SingleObject};
use file::File;

pub use fingerprint::fingerprint;
pub use import::Part;
pub use names::is_simple as is_name;
pub use problem::Problem;

/// The Avro format.
pub(crate) struct Avro;

static INFO: Info = Info {
    name: "avro",
    title: "Avro",
    specification: "Apache Avro 1.12.0, https://avro.apache.org/docs/1.12.0/specification/",
    media_types: &["avro/binary", "application/avro"],
    extensions: &["avro"],
    help: include_str!("help.md"),
    libraries: &[
        ("rust", "apache-avro"),
        ("javascript", "avsc"),
        ("browser", "avsc"),
        ("java", "org.apache.avro"),
        ("ruby", "avro"),
        ("erlang", "erlavro"),
        ("python", "fastavro"),
        ("go", "hamba/avro"),
    ],
    variants: &[
        value("avro", "avro/binary", "datum: the values alone", false),
        value(
            "avro-single-object",
            "avro/binary;variant=single-object",
            "a datum after the fingerprint of its schema",
            true,
        ),
        file("avro-container", "application/avro", "a file with its schema"),
        file(
            "avro-container-deflate",
            "application/avro;variant=deflate",
            "a file with its schema, blocks compressed with DEFLATE",
        ),
        file(
            "avro-container-zstandard",
            "application/avro;variant=zstandard",
            "a file with its schema, blocks compressed with Zstandard",
        ),
        file(
            "avro-container-snappy",
            "application/avro;variant=snappy",
            "a file with its schema, blocks compressed with Snappy",
        ),
        file(
            "avro-container-bzip2",
            "application/avro;variant=bzip2",
            "a file with its schema, blocks compressed with bzip2",
        ),
        file("avro-container-xz", "application/avro;variant=xz", "a file with its schema, blocks compressed with xz"),
    ],
};

const fn value(id: &'static str, media_type: &'static str, about: &'static str, evolves: bool) -> Variant {
    Variant {
        id,
        media_type,
        about,
        text: false,
        schemaless: false,
        framing: Framing::Concatenated,
        list_is_stream: false,
        evolves,
        partial_read: false,
        compact: false,
    }
}

const fn file(id: &'static str, media_type: &'static str, about: &'static str) -> Variant {
    Variant {
        id,
        media_type,
        about,
        text: false,
        schemaless: false,
        framing: Framing::AvroContainer,
        list_is_stream: true,
        evolves: true,
        partial_read: false,
        compact: false,
    }
}

impl Format for Avro {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, schema: &Arc<Schema>, variant: &'static Variant) -> Result<Box<dyn Codec>> {
        Ok(codec(Bound::lowered(schema, value_type(schema, variant))?, variant))
    }

    /// Containers have their schema in them.
    fn explain(
        &self,
        variant: &'static Variant,
        input: &[u8],
        limits: &Limits,
        recorder: &mut Recorder,
    ) -> Result<usize> {
        if !variant.list_is_stream {
            let what = format!("bytes of {} cannot be explained without a schema", variant.id);
            return Err(Error::new(ErrorKind::Unsupported, what).hint("give the writer's with --schema"));
        }
        // What is wrong with a header is found, and explained up to there, while it is read.
        let (header, _) = Header::parse_with(input, recorder)?;
        recorder.truncate(0);
        let schema = Arc::new(parse_schema(&header.schema)?.list_of());
        let codec = plan_with(variant.id, &schema, &header.schema)?;
        codec.trace(input, &mut Arena::new(*limits), &mut Losses::none(), recorder)
    }

    fn guess(&self, input: &[u8]) -> Vec<Guess> {
        guess::guess(input)
    }
}

/// The type of a datum: that of a list's elements where lists are streams.
fn value_type(schema: &Schema, variant: &Variant) -> TypeId {
    match schema.kind(schema.root()) {
        Kind::List(item) if variant.list_is_stream => *item,
        _ => schema.root(),
    }
}

fn codec(bound: Bound, variant: &Variant) -> Box<dyn Codec> {
    match variant.id {
        "avro" => Box::new(Datum(bound)),
        "avro-single-object" => Box::new(SingleObject(bound)),
        container => Box::new(File::new(bound, block_codec(container))),
    }
}

/// The codec that a container's variant is named after.
fn block_codec(id: &str) -> BlockCodec {
    let name = id.trim_start_matches("avro-container").trim_start_matches('-');
    BlockCodec::by_name(name).unwrap_or(BlockCodec::Null)
}

/// The Avro schema (`.avsc`) that a schema's values are written with.
///
/// Members whose names begin with `wirewise.` hold what Avro has no word for; with them [`parse_schema`] gives back the
/// same schema. Other readers ignore them.
///
/// # Errors
/// [`ErrorKind::Unsupported`] when Avro cannot express the schema: a list, map or union that contains itself without a
/// record between.
pub fn schema_json(schema: &Schema) -> Result<String> {
    lower::lower(schema, schema.root()).map(|avro| avro.to_json())
}

/// The schema that an Avro schema (`.avsc`) stands for.
///
/// # Errors
/// `Syntax` when it is not JSON, `Schema` when it is not a schema, `Unsupported` when no value can have it.
pub fn parse_schema(avsc: &str) -> Result<Schema> {
    let tree = parse::tree(avsc).map_err(|problem| problem.into_error(avsc, None))?;
    let imported = parse::schema(&tree).and_then(|avro| import::import(&avro));
    imported.map_err(|problem| problem.into_error(avsc, Some(&tree)))
}

/// The types of an Avro schema file (`.avsc`, or a protocol in `.avpr`), with the places of all of them.
///
/// # Errors
/// Those of [`parse_schema`], with their places.
pub fn parse_file(text: &str) -> Result<SchemaFile, Problem> {
    let file = parse::file(&parse::tree(text)?)?;
    let imported = import::import_file(&file.schema, file.protocol.as_ref())?;
    let messages = file.protocol.map(|protocol| protocol.messages).unwrap_or_default();
    Ok(SchemaFile { schema: imported.schema, root: imported.root, places: imported.places, messages })
}

/// What an Avro schema file has.
#[derive(Debug)]
pub struct SchemaFile {
    /// All its types.
    pub schema: Schema,
    /// The type that the file is about, unless it is a collection of types.
    pub root: Option<TypeId>,
    /// Offsets of what the file has a place for.
    pub places: Vec<(Part, usize)>,
    /// Names of a protocol's messages.
    pub messages: Vec<String>,
}

/// The Avro schema (`.avsc`) of all named types of a schema, and of `root` if there is one. It is a union of types
/// unless one type needs all others.
///
/// # Errors
/// Those of [`schema_json`].
pub fn schemas_json(schema: &Schema, root: Option<TypeId>) -> Result<String> {
    lower::lower_all(schema, root).map(|avro| avro.to_json())
}

/// The schema of the values of a container that begins with `input`.
///
/// # Errors
/// Those of [`Header::parse`] and [`parse_schema`].
pub fn container_schema(input: &[u8]) -> Result<Schema> {
    let (header, _) = Header::parse(input)?;
    parse_schema(&header.schema)
}

/// The header of a container for values of this schema, compressed as the variant with this id says.
///
/// # Errors
/// Those of [`schema_json`].
pub fn container_header(schema: &Arc<Schema>, id: &str) -> Result<Header> {
    Ok(Bound::lowered(schema, schema.root())?.header(block_codec(id)))
}

/// As [`plan`](crate::plan) for the variant with this id, but values are read and written exactly as `avsc` says: the
/// order of branches, the names in fingerprints and the schema in containers are its own. `schema` is usually what
/// [`parse_schema`] makes of it (or a list of that, for containers).
///
/// # Errors
/// Those of [`find`](crate::find) and [`parse_schema`], and `Unsupported` with the path of what `schema` has otherwise.
pub fn plan_with(id: &str, schema: &Arc<Schema>, avsc: &str) -> Result<Box<dyn Codec>> {
    let (format, variant) = crate::find(id)?;
    if format.info().name != INFO.name {
        return Err(Error::new(ErrorKind::Unsupported, format!("{id} is no variant of Avro")));
    }
    Ok(codec(Bound::with_avsc(schema, value_type(schema, variant), avsc)?, variant))
}

/// Plans reading the values of the container that `header` begins, one datum after the other as its blocks have them, as
/// values of `schema`: as [`resolve`] does, where the file was written with another one.
///
/// # Errors
/// Those of [`plan`](crate::plan), and `Unsupported` when the file's values cannot be read with the schema.
pub fn plan_for_container(schema: &Arc<Schema>, header: &Header) -> Result<Box<dyn Codec>> {
    let bound = Bound::lowered(schema, schema.root())?;
    Ok(match bound.plan_for(header)? {
        Some(plan) => Box::new(Resolved { bound, plan, fingerprint: None }),
        None => Box::new(Datum(bound)),
    })
}

/// A codec of the schema `reader` for bytes that were written with the schema `writer`: schema resolution, as the
/// specification has it. It only reads. A container has its writer's schema in it, and needs no other.
///
/// What cannot be read statically is an error here. What depends on the values (a branch of a union, a symbol of an enum)
/// is an error when such a value comes.
///
/// # Errors
/// `Unsupported`, with both types and the path, when no value of the one schema can be read with the other, and when
/// Avro cannot express one of them; `Schema` when a default that is needed is no value of its type.
pub fn resolve(writer: &Schema, reader: &Arc<Schema>, variant: &'static Variant) -> Result<Box<dyn Codec>> {
    resolve_avro(&lower::lower(writer, value_type(writer, variant))?, reader, variant)
}

/// The same for a writer's schema that is a text.
///
/// # Errors
/// As [`resolve`] and [`parse_schema`].
pub fn resolve_avsc(writer: &str, reader: &Arc<Schema>, variant: &'static Variant) -> Result<Box<dyn Codec>> {
    resolve_avro(&parse::parse(writer)?, reader, variant)
}

fn resolve_avro(writer: &model::AvroSchema, reader: &Arc<Schema>, variant: &'static Variant) -> Result<Box<dyn Codec>> {
    let bound = Bound::lowered(reader, value_type(reader, variant))?;
    let plan = bound.resolve(writer)?;
    let fingerprint = match variant.id {
        "avro" => None,
        "avro-single-object" => Some(fingerprint(&writer.canonical_form())),
        _ => return Ok(codec(bound, variant)),
    };
    Ok(Box::new(Resolved { bound, plan, fingerprint }))
}

/// The Parsing Canonical Form of an Avro schema: equal for schemas with the same values.
///
/// # Errors
/// Those of [`parse_schema`].
pub fn canonical_form(avsc: &str) -> Result<String> {
    parse::parse(avsc).map(|avro| avro.canonical_form())
}

#[cfg(test)]
mod tests;
