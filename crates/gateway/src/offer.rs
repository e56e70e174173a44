//! What a resource is offered as: representations, and the codecs that write them.

use std::sync::Arc;

use http::HeaderValue;
use wirewise_core::Schema;
use wirewise_formats::{Codec, FORMATS, Variant};
use wirewise_shapes::Shaping;

use crate::Result;
use crate::config::{Coding, Resource};
use crate::negotiate::MediaType;
use crate::negotiate::accept::SHAPED;

/// The variants and codings that a resource is configured to have.
#[derive(Debug, Clone)]
pub struct Menu {
    /// As people know the data; the first is served to whoever does not ask.
    pub plain: Vec<&'static Variant>,
    /// With its shapes.
    pub shaped: Vec<&'static Variant>,
    /// The compressors; there is always a body that is not compressed, too.
    pub codings: Vec<Coding>,
}

/// Variants of shaped representations unless others are configured.
const SHAPED_VARIANTS: [&str; 3] = ["json", "msgpack-named", "protobuf"];

/// Compressors unless others are configured. Bodies are made once and sent often.
const CODINGS: [&str; 3] = ["gzip:6", "brotli:5", "zstd:9"];

impl Menu {
    /// What the configuration says: every format unless it says otherwise.
    ///
    /// # Errors
    /// When a variant is given twice, or none.
    pub fn new(config: &Resource) -> Result<Menu> {
        let names = |names: &Vec<crate::config::VariantName>| names.iter().map(|name| name.0).collect::<Vec<_>>();
        let known = |id: &str| wirewise_formats::find(id).map(|(_, variant)| variant);
        let defaults = || FORMATS.iter().map(|format| &format.info().variants[0]).collect();
        let menu = Menu {
            plain: config.formats.as_ref().map_or_else(defaults, names),
            shaped: match &config.shaped {
                Some(shaped) => names(shaped),
                None => SHAPED_VARIANTS.into_iter().map(known).collect::<Result<_, _>>()?,
            },
            codings: match &config.compress {
                Some(codings) => codings.clone(),
                None => {
                    CODINGS.into_iter().map(Coding::by_name).collect::<Result<_, _>>().map_err(crate::Error::new)?
                }
            },
        };
        if menu.plain.is_empty() {
            return Err(
                crate::Error::new("formats is empty: nothing would be served").hint("leave it out for all formats")
            );
        }
        twice("formats", menu.plain.iter().map(|variant| variant.id))?;
        twice("shaped", menu.shaped.iter().map(|variant| variant.id))?;
        twice("compress", menu.codings.iter().map(|coding| coding.token))?;
        Ok(menu)
    }
}

fn twice<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut seen = std::collections::HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(crate::Error::new(format!("{what} has {name} twice")));
        }
    }
    Ok(())
}

/// One representation, and what writes it.
pub struct Entry {
    /// The variant.
    pub variant: &'static Variant,
    /// Whether it has the shapes.
    pub is_shaped: bool,
    /// What it is called, its own name first; the others are those by which people ask for it too.
    pub names: Vec<(String, MediaType)>,
    /// A codec of the schema that is on the wire.
    pub codec: Box<dyn Codec>,
}

/// All representations of a schema.
pub struct Offer {
    /// The schema as people know it.
    pub schema: Arc<Schema>,
    /// The shapes of shaped representations.
    pub shaping: Option<Arc<Shaping>>,
    /// In the order in which they are preferred.
    pub entries: Vec<Entry>,
}

impl Offer {
    /// Plans everything that is on the menu.
    ///
    /// # Errors
    /// When a format cannot express the schema; it names format and type.
    pub fn new(menu: &Menu, schema: &Arc<Schema>, shaping: Option<&Arc<Shaping>>) -> Result<Offer> {
        let shaping = shaping.filter(|shaping| !shaping.steps().is_empty());
        let mut entries = Vec::new();
        for variant in &menu.plain {
            entries.push(Entry::new(variant, false, schema)?);
        }
        for variant in shaping.iter().flat_map(|_| &menu.shaped) {
            let schema = shaping.map_or(schema, |shaping| shaping.shaped());
            entries.push(Entry::new(variant, true, schema)?);
        }
        Ok(Offer { schema: schema.clone(), shaping: shaping.cloned(), entries })
    }
}

impl Entry {
    /// Its names as they stand in headers.
    pub fn header_names(&self) -> Vec<(HeaderValue, MediaType)> {
        let named = |(name, media): &(String, MediaType)| Some((HeaderValue::try_from(name).ok()?, media.clone()));
        self.names.iter().filter_map(named).collect()
    }

    fn new(variant: &'static Variant, is_shaped: bool, schema: &Arc<Schema>) -> Result<Entry> {
        let (format, _) = wirewise_formats::find(variant.id)?;
        let codec = format.plan(schema, variant).map_err(|error| {
            crate::Error::from(error)
                .of(variant.id)
                .hint("leave it out of `formats` and `shaped`, or change the schema")
        })?;
        let info = format.info();
        let mut names = vec![variant.media_type.to_owned()];
        if *variant == info.variants[0] {
            // Names that are another variant's own, and those of sequences of messages, are not this one's.
            let is_free =
                |name: &&&str| info.variants.iter().all(|other| other.media_type != **name) && !name.ends_with("-seq");
            names.extend(info.media_types.iter().filter(is_free).map(|name| (*name).to_owned()));
        }
        let named = |name: String| {
            let name = if is_shaped { format!("{name};{SHAPED}=1") } else { name };
            let media = MediaType::parse(&name)?;
            Some((name, media))
        };
        Ok(Entry { variant, is_shaped, names: names.into_iter().filter_map(named).collect(), codec })
    }
}
