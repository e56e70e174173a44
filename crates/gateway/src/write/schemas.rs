//! The schemas with which a body is read.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use wirewise_core::{Kind, Presence, Record, Schema, SchemaBuilder, TypeId};
use wirewise_evolution::{Level, Mode, Options, Version, check};
use wirewise_formats::{Codec, Variant};
use wirewise_idl::Module;

use super::columns::Fills;
use crate::version::Schemas;
use crate::{Error, Result};

/// What is known of a resource's writes, for one schema of it.
pub(super) struct Prepared {
    pub(super) schemas: Arc<Schemas>,
    whole: Pair,
    /// Without the fields that the table numbers.
    keyless: Pair,
    /// With only those fields that the table needs.
    least: Pair,
    /// Bodies of one kind come again and again.
    codecs: Mutex<HashMap<Asked, Arc<Codecs>>>,
}

/// What a body is: its variant, whether it is a list, and whether it is shaped.
type Asked = (&'static str, bool, bool);

/// What reads a body, and what writes it anew.
pub(super) struct Codecs {
    pub(super) reader: Box<dyn Codec>,
    pub(super) writer: Box<dyn Codec>,
}

/// The schema of a list of records, and that of one.
struct Pair {
    list: Arc<Schema>,
    record: Arc<Schema>,
}

impl Pair {
    fn of(schema: Schema) -> Pair {
        match schema.kind(schema.root()) {
            Kind::List(item) => {
                let record = Arc::new(schema.with_root(*item));
                Pair { list: Arc::new(schema), record }
            }
            _ => Pair { list: Arc::new(schema.list_of()), record: Arc::new(schema) },
        }
    }
}

/// The record that a resource is, or a list of.
pub(super) fn record(schema: &Schema) -> Option<&Record> {
    let id = record_id(schema);
    if let Kind::Record(record) = schema.kind(id) { Some(record) } else { None }
}

fn record_id(schema: &Schema) -> TypeId {
    match schema.kind(schema.root()) {
        Kind::List(item) => *item,
        _ => schema.root(),
    }
}

/// The fields of a record that are bytes, and not text that stands for something.
pub(super) fn binary(schema: &Schema) -> Vec<String> {
    let is_binary =
        |id: TypeId| schema.logical(id).is_none() && matches!(schema.kind(id), Kind::Bytes | Kind::Fixed(_));
    let fields = record(schema).map(|record| record.fields.as_slice()).unwrap_or_default();
    fields.iter().filter(|field| is_binary(field.value_type())).map(|field| field.name.clone()).collect()
}

impl Prepared {
    pub(super) fn new(schemas: &Arc<Schemas>, fills: &Fills) -> Result<Prepared> {
        let base = &schemas.base;
        Ok(Prepared {
            schemas: schemas.clone(),
            whole: Pair::of((**base).clone()),
            keyless: Pair::of(without(base, &fills.keys)?),
            least: Pair::of(without(base, &fills.all)?),
            codecs: Mutex::default(),
        })
    }

    /// Codecs from this variant to that of the sink.
    pub(super) fn codecs(
        &self,
        variant: &'static Variant,
        is_list: bool,
        is_shaped: bool,
        target: &'static Variant,
    ) -> Result<Arc<Codecs>> {
        let asked = (variant.id, is_list, is_shaped);
        if let Some(known) = self.codecs.lock().unwrap_or_else(PoisonError::into_inner).get(&asked) {
            return Ok(known.clone());
        }
        let reader = self.codec(variant, is_list, is_shaped)?;
        // Documents have the schema that the reader gave them.
        let writer = wirewise_formats::plan(target.id, &Arc::new(reader.schema().clone()))?;
        let codecs = Arc::new(Codecs { reader, writer });
        self.codecs.lock().unwrap_or_else(PoisonError::into_inner).insert(asked, codecs.clone());
        Ok(codecs)
    }

    /// A codec for a body in this variant: a list of records, or one.
    ///
    /// Clients write with the schema that is served, in which a field that every row has is required. What the table fills may
    /// be left out all the same, where the bytes of the other fields are the same without it:
    ///
    /// * where records say the names of their fields, all that the table fills;
    /// * where zero is left out (Protobuf), only the fields that the table numbers: zero is a value of the others.
    fn codec(&self, variant: &'static Variant, is_list: bool, is_shaped: bool) -> Result<Box<dyn Codec>> {
        let one = |pair: &Pair| if is_list { pair.list.clone() } else { pair.record.clone() };
        let (format, _) = wirewise_formats::find(variant.id)?;
        if is_shaped {
            let shaping = self.schemas.shaping.as_ref().filter(|_| is_list == self.is_list());
            let none = || Error::new("there is no shaped form of it").hint("send it without `shaped=1`");
            return Ok(wirewise_shapes::plan(variant.id, shaping.ok_or_else(none)?)?);
        }
        let base = one(&self.whole);
        if variant.schemaless {
            return Ok(format.plan(&one(&self.least), variant)?);
        }
        if let Some(ruleset) = wirewise_evolution::find(format.info().name).filter(|_| variant.evolves) {
            let reader = one(&self.keyless);
            let version = |schema: &Arc<Schema>| {
                let module = Module::of((**schema).clone());
                Version { name: String::new(), module, source: None }
            };
            let options = Options { mode: Mode::Backward, level: Level::Wire, type_name: None };
            let verdict = check(ruleset, &[version(&base)], &version(&reader), &options);
            if verdict.is_ok_and(|verdict| verdict.is_compatible()) {
                return Ok((ruleset.reader)(&base, &reader, variant.id)?);
            }
        }
        Ok(format.plan(&base, variant)?)
    }

    /// Whether the resource is a list.
    pub(super) fn is_list(&self) -> bool {
        matches!(self.schemas.base.kind(self.schemas.base.root()), Kind::List(_))
    }
}

/// The same schema, but records may come without these fields.
fn without(base: &Schema, names: &[String]) -> Result<Schema> {
    let mut types = SchemaBuilder::new();
    types.set_notes(base.notes().clone());
    let ids: Vec<TypeId> = base.types().iter().map(|_| types.declare()).collect();
    let relaxed = record_id(base);
    for (&id, ty) in ids.iter().zip(base.types()) {
        let mut ty = ty.clone();
        if let Kind::Record(record) = &mut ty.kind
            && id == relaxed
        {
            for field in record.fields.iter_mut().filter(|field| names.contains(&field.name)) {
                field.presence = Presence::Optional;
            }
        }
        types.define(id, ty);
    }
    Ok(types.finish(base.root())?)
}
