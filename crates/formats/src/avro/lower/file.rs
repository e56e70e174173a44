//! Files with many types: a union of all of them.

use serde_json::{Map, json};
use wirewise_core::{Kind, Result, Schema, TypeId};

use super::{Lowering, lower};
use crate::avro::attributes::notes_json;
use crate::avro::model::{Attributes, AvroField, AvroSchema, NodeId, NodeKind};

/// The Avro schema of all named types, and of `root` if there is one: that of `root` alone when it needs all of them,
/// otherwise a union of types. In such a union records that are wrappers hold what cannot be a branch.
///
/// # Errors
/// As [`lower`].
pub(in crate::avro) fn lower_all(schema: &Schema, root: Option<TypeId>) -> Result<AvroSchema> {
    if let Some(root) = root {
        let needed = schema.rooted(root).named_types().count();
        if needed == schema.named_types().count() {
            return lower(schema, root);
        }
    }
    let mut lowering = Lowering::new(schema);
    let mut nodes = Vec::new();
    let mut about = Map::from_iter([("types".to_owned(), json!(true))]);
    if !schema.notes().is_empty() {
        about.insert("notes".to_owned(), notes_json(schema.notes()));
    }
    if let Some(root) = root {
        let is_branch = matches!(schema.kind(root), Kind::Record(_) | Kind::Enum(_));
        let node = if is_branch { lowering.value(root, "root")? } else { lowering.wrapped(root, "root", "root")? };
        let name = lowering.out.branch_key(node).to_owned();
        about.insert("root".to_owned(), json!(name));
        nodes.push(node);
    }
    let mut seen_unions = lowering.unions_below(root.into_iter());
    for id in schema.named_types() {
        match schema.kind(id) {
            Kind::Record(_) | Kind::Enum(_) if !lowering.done.contains_key(&id) => {
                nodes.push(lowering.value(id, "types")?);
            }
            _ => {}
        }
    }
    let records = schema.named_types().filter(|&id| matches!(schema.kind(id), Kind::Record(_)));
    seen_unions.extend(lowering.unions_below(records));
    for id in schema.named_types() {
        if let Kind::Union(union) = schema.kind(id)
            && !seen_unions.contains(&id)
        {
            nodes.push(lowering.wrapped(id, &union.name, "type")?);
            seen_unions.extend(lowering.unions_below(std::iter::once(id)));
        }
    }
    lowering.out.root = lowering.out.add(NodeKind::Union(nodes));
    lowering.describe_file(about);
    Ok(lowering.out)
}

impl Lowering<'_> {
    /// A record around a type that cannot be a branch of a union.
    fn wrapped(&mut self, ty: TypeId, name: &str, what: &str) -> Result<NodeId> {
        let legal = crate::avro::names::legal_names(std::iter::once(name)).remove(0);
        let name = self.generated(format!("{legal}_type"));
        let mut attributes = Attributes::new();
        self.describe_slot(ty, &mut attributes);
        let node = self.value_in(ty, &name, 4)?;
        let field = AvroField { name: "value".to_owned(), ty: node, attributes, ..AvroField::default() };
        Ok(self.wrapper_of(name, field, what))
    }

    /// The unions that are written wherever one of these types is.
    fn unions_below(&self, from: impl Iterator<Item = TypeId>) -> std::collections::HashSet<TypeId> {
        let mut reached = std::collections::HashSet::new();
        let mut todo: Vec<TypeId> = from.collect();
        while let Some(id) = todo.pop() {
            if reached.insert(id) {
                todo.extend(self.schema.parts(id));
            }
        }
        reached.retain(|&id| matches!(self.schema.kind(id), Kind::Union(_)));
        reached
    }
}
