//! Inferring a schema from samples.

mod build;
mod graph;
mod keys;
mod known;
mod names;
mod numbering;
mod numbers;
mod observe;
mod options;
mod settle;
mod shape;
mod texts;

use std::sync::Arc;

use wirewise_core::{Arena, Document, Error, ErrorKind, Kind, Losses, Result, Schema, SchemaBuilder};
use wirewise_formats::Codec;

use crate::split_json;
use graph::{Graph, Position};
use known::Imported;
use observe::Observer;

pub use options::{LogicalStyle, Options};

/// Collects samples, then says what schema they have.
///
/// # What is inferred
///
/// | samples | type |
/// |---|---|
/// | integers | `int64`; `uint64` when one is above its range and none is negative |
/// | numbers with a fraction or an exponent | `float64` |
/// | integers up to 2^53, and numbers with a true fraction | `float64` with the meaning `number`: `1` stays `1` |
/// | integers, and numbers such as `1.0` | a union of `int64` and `float64` |
/// | numbers that no double gives back exactly, or `-0` among others | `string` with the meaning `number`: the text |
/// | texts that are all UUIDs, instants of one resolution, days, base64 | `string` with that meaning ([`LogicalStyle`]) |
/// | null among others | nullable; null alone is `null` |
/// | a name that some objects of a place lack | an optional field |
/// | values of different kinds | a union of them, one branch to a kind, in order of appearance |
/// | an empty list | `list of null` |
/// | objects | a record, or a map where the names are data |
///
/// **Maps.** Objects of a place are a map when their names are data: all of them numbers, UUIDs, days, instants, paths,
/// URLs, e-mail addresses or hexadecimal digits (at least 8), and all values of one shape; or many different names, each
/// on few objects ([`Options::map_names`]), again with values of one shape; or names that no record can have (empty, too
/// long, too many). A place of the schema at hand stays what it is.
///
/// **Recursion.** A record that contains records with about the same scalars, these again (along the same path), and so
/// on, is one recursive type.
///
/// **Base64** is taken for that only when every text is canonical and has at least 16 characters, and when all together
/// have upper and lower case letters and digits, and change between them as often as random ones do.
///
/// # A schema at hand
///
/// [`Inference::with_schema`] goes on from a schema. Its names and numbers stay, fields that samples lack become
/// optional, new fields get numbers after the largest that was ever used, and types only widen: messages of the old
/// schema are messages of the new one, with the same JSON. (`list of null` is taken for a list that was always empty.) A
/// default that is no value of the wider type goes, and a reserved name that samples have is no longer reserved.
pub struct Inference {
    options: Options,
    codec: Box<dyn Codec>,
    arena: Arena,
    graph: Graph,
    imported: Imported,
    root: Position,
    settle_at: usize,
    samples: u64,
}

impl Inference {
    /// Begins from nothing.
    pub fn new(options: Options) -> Self {
        let mut graph = Graph::new();
        let root = Position { null: false, body: graph.new_body() };
        Inference::begin(options, graph, Imported::default(), root)
    }

    /// Goes on from the schema at hand: samples can only widen it.
    pub fn with_schema(schema: &Schema, options: Options) -> Self {
        let mut graph = Graph::new();
        let (imported, root) = known::import(schema, &mut graph);
        Inference::begin(options, graph, imported, root)
    }

    fn begin(options: Options, graph: Graph, imported: Imported, root: Position) -> Self {
        let mut types = SchemaBuilder::new();
        let any = types.add(Kind::Any);
        let schema = Arc::new(types.finish(any).expect("a schema of any is valid"));
        let codec = wirewise_formats::plan("json", &schema).expect("JSON has any value");
        let arena = Arena::new(options.limits);
        let settle_at = (graph.places() + options.max_places) / 2;
        Inference { options, codec, arena, graph, imported, root, settle_at, samples: 0 }
    }

    /// Adds a sample: one JSON value.
    ///
    /// # Errors
    /// Those of decoding, with byte offset and path; the sample then counts for nothing.
    pub fn add(&mut self, json: &[u8]) -> Result<()> {
        let document = self.codec.decode(json, &mut self.arena, &mut Losses::none())?;
        let mut observer = Observer {
            graph: &mut self.graph,
            root: self.root,
            settle_at: &mut self.settle_at,
            enums: &mut self.imported.enums,
            options: &self.options,
            document: &document,
            input: Some(json),
        };
        self.root.null |= observer.value(document.root(), self.root.body, 0);
        self.samples += 1;
        Ok(())
    }

    /// Adds all samples of a file, as [`split_json`] finds them; gives their number.
    ///
    /// # Errors
    /// As [`Inference::add`]; offsets count from the start of the file.
    pub fn add_all(&mut self, input: &[u8]) -> Result<usize> {
        let messages = split_json(input)?;
        for (index, range) in messages.ranges().iter().enumerate() {
            self.add(&input[range.clone()]).map_err(|error| messages.locate(index, error))?;
        }
        Ok(messages.ranges().len())
    }

    /// Adds a sample of any self-describing format.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`] when the document's type is not `any`.
    pub fn add_document(&mut self, document: &Document<'_>) -> Result<()> {
        let schema = document.schema();
        if *schema.kind(schema.root()) != Kind::Any {
            let what = format!("the sample has the type {}, not any", schema.describe(schema.root()));
            return Err(Error::new(ErrorKind::Schema, what).hint("it has a schema already"));
        }
        let mut observer = Observer {
            graph: &mut self.graph,
            root: self.root,
            settle_at: &mut self.settle_at,
            enums: &mut self.imported.enums,
            options: &self.options,
            document,
            input: None,
        };
        self.root.null |= observer.value(document.root(), self.root.body, 0);
        self.samples += 1;
        Ok(())
    }

    /// Samples added so far.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// The schema of all samples so far. `root_name` names the root's type, unless the schema at hand does.
    ///
    /// # Errors
    /// [`ErrorKind::Data`] when there is neither a sample nor a schema at hand.
    pub fn finish(&self, root_name: &str) -> Result<Schema> {
        if self.samples == 0 && self.imported.schema.is_none() {
            return Err(Error::new(ErrorKind::Data, "there is no sample to infer a schema from"));
        }
        let mut graph = self.graph.clone();
        settle::settle(&mut graph, self.root, &self.options);
        build::build(&graph, &self.imported, self.options.logical, self.root, root_name)
    }
}
