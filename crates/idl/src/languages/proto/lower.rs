//! From the schema model to a tree.

use wirewise_core::Schema;
use wirewise_formats::protobuf::notes;

/// The package of a schema: what a note says, or the namespace of its first type.
pub(super) fn package(schema: &Schema) -> &str {
    if let Some(package) = schema.notes().get(notes::PACKAGE) {
        return package;
    }
    schema.named_types().next().map_or("", |id| crate::names::namespace(schema, id).0)
}
