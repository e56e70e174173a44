//! Schemas and codecs that are kept.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use wirewise_core::{Limits, Schema};
use wirewise_formats::avro::{self, container::Header};
use wirewise_formats::{Codec, Framing, Variant, plan};

use super::request::Request;
use crate::convert::inferred::any_schema;
use crate::convert::shaping::{self, Sides, Wanted};
use crate::failure::Failure;
use crate::files;
use crate::schemas::{self, Extent};

/// Schemas that are kept at once.
const MOST: usize = 256;

/// Compiled schemas, by what they were asked for with.
#[derive(Default)]
pub(super) struct Cache {
    schemas: HashMap<Key, Entry>,
}

/// The codecs of both sides.
pub(super) struct Codecs {
    pub(super) from: Arc<dyn Codec>,
    pub(super) to: Arc<dyn Codec>,
    /// Whether one side is shaped.
    pub(super) shaped: bool,
}

#[derive(PartialEq, Eq, Hash)]
struct Key {
    /// `None`: formats that describe themselves need none.
    schema: Option<String>,
    type_name: Option<String>,
    include: Vec<String>,
    extent: Extent,
    shape: Vec<String>,
}

struct Entry {
    sides: Sides,
    /// The files that it was read from, as they were then.
    files: Vec<(PathBuf, Stamp)>,
    /// By variant, and whether it is of the input.
    codecs: HashMap<(&'static str, bool), Arc<dyn Codec>>,
}

/// When a file was last changed, and its size; `None` when there is none.
type Stamp = Option<(SystemTime, u64)>;

/// How coarse the times of files may be.
const CLOCK: Duration = Duration::from_millis(20);

fn stamp(path: &Path) -> Stamp {
    let found = std::fs::metadata(path).ok()?;
    Some((found.modified().ok()?, found.len()))
}

impl Cache {
    /// The codecs for a request.
    pub(super) fn get(
        &mut self,
        request: &Request<'_>,
        from: &'static Variant,
        to: &'static Variant,
        message: &[u8],
    ) -> Result<Codecs, Failure> {
        if request.schema.is_none() && from.framing == Framing::AvroContainer {
            return of_container(message, from, to);
        }
        if request.schema.is_none() && !(from.schemaless && to.schemaless) {
            let needs = if from.schemaless { to } else { from };
            return Err(Failure::bad(format!("{} needs a schema", needs.id)).hint("name its file in \"schema\""));
        }
        let entry = self.entry(request, from, to)?;
        let shaped = entry.sides.input.is_some() || entry.sides.output.is_some();
        Ok(Codecs { from: entry.codec(from, true)?, to: entry.codec(to, false)?, shaped })
    }

    /// The schema of a request, read again when one of its files has changed.
    fn entry(
        &mut self,
        request: &Request<'_>,
        from: &'static Variant,
        to: &'static Variant,
    ) -> Result<&mut Entry, Failure> {
        let key = Key {
            schema: request.schema.clone(),
            type_name: request.type_name.clone(),
            include: request.include().to_vec(),
            extent: Extent::of([from, to]),
            shape: request.shape().to_vec(),
        };
        if self.schemas.get(&key).is_some_and(|entry| entry.files.iter().any(|(path, old)| stamp(path) != *old)) {
            self.schemas.remove(&key);
        }
        if !self.schemas.contains_key(&key) && self.schemas.len() >= MOST {
            self.schemas.clear();
        }
        match self.schemas.entry(key) {
            std::collections::hash_map::Entry::Occupied(known) => Ok(known.into_mut()),
            std::collections::hash_map::Entry::Vacant(new) => {
                let entry = Entry::read(new.key())?;
                Ok(new.insert(entry))
            }
        }
    }
}

impl Entry {
    fn read(key: &Key) -> Result<Entry, Failure> {
        let Some(path) = &key.schema else {
            let sides = sides(&key.shape, Arc::new(any_schema()))?;
            return Ok(Entry { sides, files: Vec::new(), codecs: HashMap::new() });
        };
        let path = Path::new(path);
        if files::is_standard(path) {
            return Err(Failure::bad("the schema must be a file: standard input has the requests"));
        }
        let include: Vec<PathBuf> = key.include.iter().map(PathBuf::from).collect();
        let before = SystemTime::now() - CLOCK;
        let loaded = schemas::load_with_lock(path, None, &include)?;
        let schema = Arc::new(schemas::message(&loaded, key.type_name.as_deref(), path, key.extent)?);
        // A file that has just been changed may change again without a later time: it is read once more.
        let recent = before..=SystemTime::now();
        let sure =
            |stamp: Stamp| stamp.map(|(time, size)| (time, if recent.contains(&time) { u64::MAX } else { size }));
        let files = loaded.tried.into_iter().map(|path| (path.clone(), sure(stamp(&path)))).collect();
        Ok(Entry { sides: sides(&key.shape, schema)?, files, codecs: HashMap::new() })
    }

    fn codec(&mut self, variant: &'static Variant, input: bool) -> Result<Arc<dyn Codec>, Failure> {
        if let Some(codec) = self.codecs.get(&(variant.id, input)) {
            return Ok(codec.clone());
        }
        let side = if input { &self.sides.input } else { &self.sides.output };
        let codec = plan(variant.id, self.sides.wire(side)).map_err(|error| Failure::from_error(&error))?;
        let codec: Arc<dyn Codec> = shaping::wrap(codec, side.as_ref()).into();
        self.codecs.insert((variant.id, input), codec.clone());
        Ok(codec)
    }
}

/// Which side is shaped, as the request says.
fn sides(shape: &[String], schema: Arc<Schema>) -> Result<Sides, Failure> {
    Sides::new(&Wanted::parse(shape)?, schema, |recipe, schema| match recipe.proposes() {
        true => Err(Failure::bad("one message is too few to find shapes in").hint("name steps, such as uuid@Point.id")),
        false => {
            let steps = recipe.steps(schema, &[], Limits::default());
            Ok((steps.map_err(|error| Failure::from_error(&error))?, true))
        }
    })
}

/// A container has its own schema.
fn of_container(message: &[u8], from: &'static Variant, to: &'static Variant) -> Result<Codecs, Failure> {
    let wrong = |error: wirewise_core::Error| Failure::in_message(&error);
    let (header, _) = Header::parse(message).map_err(wrong)?;
    let schema = Arc::new(avro::parse_schema(&header.schema).map_err(wrong)?);
    let plan = |variant: &Variant| plan(variant.id, &schema).map_err(|error| Failure::from_error(&error));
    Ok(Codecs { from: plan(from)?.into(), to: plan(to)?.into(), shaped: false })
}
