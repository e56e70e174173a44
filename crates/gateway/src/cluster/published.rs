//! A version as it lies in Redis.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use wirewise_core::Schema;
use wirewise_shapes::Shaping;

use crate::ingest::{Plan, Recipes};
use crate::version::{Body, Representation, Schemas, Times, Version, hash, short};
use crate::{Error, Result};

/// Everything of a version but the bytes of its bodies.
#[derive(Debug, Serialize, Deserialize)]
pub struct Published {
    /// Changes with anything in it.
    pub id: String,
    /// The schema file, with the shapes as a note.
    schema: String,
    source: [u8; 32],
    made_millis: u64,
    total_micros: u64,
    representations: Vec<Row>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Row {
    variant: String,
    shaped: bool,
    encode_micros: u64,
    bodies: Vec<Part>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Part {
    coding: String,
    /// Its ETag, so that what was not stored whole is noticed.
    etag: String,
    micros: u64,
}

impl Published {
    /// Of a version.
    pub fn of(version: &Version) -> Published {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let row = |representation: &Representation| Row {
            variant: representation.variant.id.to_owned(),
            shaped: representation.is_shaped,
            encode_micros: micros(representation.encode),
            bodies: representation
                .bodies
                .iter()
                .map(|body| Part {
                    coding: body.coding.to_owned(),
                    etag: body.etag.to_str().unwrap_or_default().to_owned(),
                    micros: micros(body.time),
                })
                .collect(),
        };
        let since = version.made.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Published {
            id: Self::id_of(version),
            schema: version.schemas.file().to_text(),
            source: version.source,
            made_millis: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
            total_micros: micros(version.times.total),
            representations: version.representations.iter().map(row).collect(),
        }
    }

    /// The id of a version: of its bytes and schema, whoever made it.
    pub fn id_of(version: &Version) -> String {
        let mut all = version.schemas.id.clone().into_bytes();
        for body in version.representations.iter().flat_map(|representation| &representation.bodies) {
            all.extend_from_slice(body.etag.as_bytes());
        }
        short(&hash(&all))
    }

    /// How many bodies it has.
    pub fn count(&self) -> usize {
        self.representations.iter().map(|row| row.bodies.len()).sum()
    }

    /// The version, with the bytes of all bodies in their order.
    ///
    /// # Errors
    /// When it was made by a gateway with another configuration, or bytes are missing.
    pub fn version(&self, bodies: Vec<Bytes>, recipes: &Recipes) -> Result<(Arc<Plan>, Version)> {
        let other = || Error::new("it was made with another configuration").hint("give all replicas the same one");
        let schema = Arc::new(Schema::parse(&self.schema)?);
        let shaping = Shaping::noted(&schema)?.map(Arc::new);
        let base = shaping.as_ref().map_or(&schema, |shaping| shaping.base());
        let plan = Plan::new(&recipes.menu, Schemas::new(base, shaping.as_ref()))?;
        let mut bodies = bodies.into_iter();
        let mut representations = Vec::new();
        for row in &self.representations {
            let mut made = Vec::new();
            for part in &row.bodies {
                let known = recipes.menu.codings.iter().map(|coding| coding.token).chain(["identity"]);
                let coding = known.into_iter().find(|token| *token == part.coding).ok_or_else(other)?;
                let bytes = bodies.next().ok_or_else(|| Error::new("a body is missing"))?;
                let body = Body::new(coding, bytes, Duration::from_micros(part.micros));
                if body.etag.as_bytes() != part.etag.as_bytes() {
                    return Err(Error::new("a body is not what was published"));
                }
                made.push(body);
            }
            let entries = &plan.offer.entries;
            let entry = entries.iter().find(|entry| entry.variant.id == row.variant && entry.is_shaped == row.shaped);
            let entry =
                entry.filter(|_| made.first().is_some_and(|body| body.coding == "identity")).ok_or_else(other)?;
            let encode = Duration::from_micros(row.encode_micros);
            representations.push(Representation::new(
                entry.variant,
                entry.is_shaped,
                entry.header_names(),
                encode,
                made,
            ));
        }
        if representations.is_empty() {
            return Err(other());
        }
        let version = Version {
            made: SystemTime::UNIX_EPOCH + Duration::from_millis(self.made_millis),
            source: self.source,
            schemas: plan.schemas.clone(),
            representations,
            times: Times { total: Duration::from_micros(self.total_micros), ..Times::default() },
        };
        Ok((Arc::new(plan), version))
    }
}
