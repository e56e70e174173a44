//! From what a source says to a version: the schema it has, and the message in it.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use wirewise_core::{Arena, Document, Kind, Limits, Losses, Schema};
use wirewise_formats::avro::container::Header;
use wirewise_formats::{Framing, Variant};
use wirewise_idl::{MemoryFiles, Source as SchemaSource};
use wirewise_schema::{Inference, Options};
use wirewise_shapes::{Recipe, Set, Shaping, Step};

use crate::config::Shapes;
use crate::offer::{Menu, Offer};
use crate::source::Data;
use crate::version::{Hash, Schemas, Times, Version};
use crate::{Error, Result, build, evolve};

/// What is known of a resource once its schema is: it stays until the schema changes.
pub struct Plan {
    /// The schema and the shapes.
    pub schemas: Arc<Schemas>,
    /// The representations.
    pub offer: Offer,
}

impl Plan {
    /// Plans the menu for a schema.
    ///
    /// # Errors
    /// As [`Offer::new`].
    pub fn new(menu: &Menu, schemas: Schemas) -> Result<Plan> {
        let offer = Offer::new(menu, &schemas.base, schemas.shaping.as_ref())?;
        Ok(Plan { schemas: Arc::new(schemas), offer })
    }
}

/// How data becomes versions.
#[derive(Debug, Clone)]
pub struct Recipes {
    /// Names the type of a message where nothing else does.
    pub name: String,
    /// What is served.
    pub menu: Menu,
    /// Which shapes it has.
    pub shapes: Shapes,
    /// Bounds on a message.
    pub limits: Limits,
}

impl Recipes {
    /// Plans for the schema of a file, whose note may have the shapes.
    ///
    /// # Errors
    /// When the shapes do not fit the schema, or a format cannot express it.
    pub fn plan(&self, schema: &Arc<Schema>, data: &Data) -> Result<Plan> {
        let schema = &fit(schema, data);
        let shaping = match Shaping::noted(schema)? {
            Some(shaping) => Some(Arc::new(shaping)),
            None => self.propose(schema, data)?,
        };
        Plan::new(&self.menu, Schemas::new(schema, shaping.as_ref()))
    }

    /// Infers the schema from the data, and plans for it.
    ///
    /// # Errors
    /// When the data does not say what it means.
    pub fn infer(&self, data: &Data) -> Result<Plan> {
        let schema = Arc::new(self.inferred(data, None)?);
        self.plan(&schema, data)
    }

    /// Plans for data that does not fit the schema that was inferred before, if clients can follow.
    ///
    /// # Errors
    /// When they cannot.
    pub fn widen(&self, plan: &Plan, data: &Data) -> Result<Plan> {
        let old = &plan.schemas.base;
        let schema = Arc::new(self.inferred(data, Some(old))?);
        evolve::follows(old, &schema, &plan.offer)?;
        self.plan(&schema, data)
    }

    /// The schema of the data; where there was one before, a wider one with the same numbers.
    fn inferred(&self, data: &Data, before: Option<&Schema>) -> Result<Schema> {
        if data.framing == Framing::AvroContainer {
            let (header, _) = Header::parse(&data.bytes)?;
            let source = SchemaSource::new("schema.avsc", header.schema.into_bytes());
            let wrong = |error: wirewise_idl::Error| Error::new(error.to_string());
            let module = wirewise_idl::read(&source, &MemoryFiles::none()).map_err(wrong)?;
            let schema = module.schema_of(None).map_err(wrong)?;
            return before.map_or(Ok(schema.clone()), |before| evolve::with_numbers_of(before, schema));
        }
        if !data.variant.schemaless {
            let what = format!("{} does not say what its bytes mean", data.variant.id);
            return Err(Error::new(what).hint("give the resource a schema"));
        }
        let options = Options { limits: self.limits, ..Options::default() };
        let mut inference = match before {
            Some(before) => Inference::with_schema(before, options),
            None => Inference::new(options),
        };
        if data.variant.text {
            inference.add(&whole(&data.bytes, data.framing))?;
        } else {
            let any = Arc::new(Schema::parse(r#"{"wirewise": "schema/1", "root": "any"}"#)?);
            with_document(data, data.variant, &any, self.limits, &mut Times::default(), |document, _| {
                Ok(inference.add_document(document)?)
            })?;
        }
        Ok(inference.finish(&self.name)?)
    }

    /// The steps that suit the data.
    fn propose(&self, schema: &Arc<Schema>, data: &Data) -> Result<Option<Arc<Shaping>>> {
        let recipe = match &self.shapes {
            Shapes::None => return Ok(None),
            Shapes::Recipe(recipe) => recipe.clone(),
            Shapes::Auto => match Set::find("auto") {
                Some(set) => Recipe::of(set),
                None => return Ok(None),
            },
        };
        let steps: Vec<Step> =
            with_document(data, data.variant, schema, self.limits, &mut Times::default(), |document, _| {
                Ok(recipe.steps(schema, std::slice::from_ref(document), self.limits)?)
            })?;
        Ok(Some(Arc::new(Shaping::new(schema, steps)?)))
    }

    /// Makes a version of the data, and says why it has no shaped representations if it should have some.
    ///
    /// # Errors
    /// When the data does not fit the schema, or a format cannot hold it.
    pub fn make(&self, plan: &Plan, data: &Data, source: Hash) -> Result<(Version, Option<Error>), Refused> {
        let start = Instant::now();
        let mut times = Times::default();
        let mut fits = false;
        let made = with_document(data, data.variant, &plan.schemas.base, self.limits, &mut times, |document, times| {
            fits = true;
            build::representations(&plan.offer, document, &self.menu.codings, self.limits, times)
        });
        let (representations, misfit) = made.map_err(|error| match fits {
            true => Refused::Unwritable(error),
            false => Refused::Unreadable(error),
        })?;
        times.total = start.elapsed();
        let schemas = plan.schemas.clone();
        Ok((Version { made: SystemTime::now(), source, schemas, representations, times }, misfit))
    }
}

/// Why data makes no version.
#[derive(Debug)]
pub enum Refused {
    /// It does not fit the schema, or is not what it should be at all.
    Unreadable(Error),
    /// A format cannot hold it.
    Unwritable(Error),
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Error {
        let (Refused::Unreadable(error) | Refused::Unwritable(error)) = refused;
        error
    }
}

/// The schema of the data at hand: where it is a list of messages, and the schema is that of one, a list of them.
fn fit(schema: &Arc<Schema>, data: &Data) -> Arc<Schema> {
    let first = data.bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    let is_list = match data.framing {
        Framing::None => data.variant.text && first == Some(&b'['),
        Framing::Concatenated => false,
        _ => true,
    };
    match schema.kind(schema.root()) {
        Kind::List(_) | Kind::Any => schema.clone(),
        _ if is_list => Arc::new(schema.list_of()),
        _ => schema.clone(),
    }
}

/// All messages as one: lines of JSON as an array.
pub(crate) fn whole(bytes: &[u8], framing: Framing) -> Cow<'_, [u8]> {
    if framing != Framing::Lines {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len() + 2);
    out.push(b'[');
    for line in bytes.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
        if out.len() > 1 {
            out.push(b',');
        }
        out.extend_from_slice(line);
    }
    out.push(b']');
    Cow::Owned(out)
}

/// Reads the message and hands it on.
fn with_document<T>(
    data: &Data,
    variant: &'static Variant,
    schema: &Arc<Schema>,
    limits: Limits,
    times: &mut Times,
    work: impl FnOnce(&Document<'_>, &mut Times) -> Result<T>,
) -> Result<T> {
    let start = Instant::now();
    let (format, _) = wirewise_formats::find(variant.id)?;
    let codec = format.plan(schema, variant)?;
    let mut arena = Arena::new(limits);
    let bytes = whole(&data.bytes, data.framing);
    let document = codec.decode(&bytes, &mut arena, &mut Losses::none())?;
    times.decode = start.elapsed();
    work(&document, times)
}
