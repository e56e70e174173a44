//! Rules about names: in flatc's JSON, and in generated code.

use wirewise_core::TypeId;
use wirewise_formats::flatbuffers::notes;
use wirewise_idl::Element;

use crate::mode::Level;
use crate::rule::{At, Check, FieldAt, Rule};

use super::super::shared;

pub(super) const FIELD_NAME: Rule = Rule {
    name: "json-field-name",
    title: "A field keeps its name",
    level: Level::Json,
    why: "Ids go into buffers, names into the JSON that flatc reads and writes, and into generated code.",
    check: Check::Fields(shared::field_renamed),
};

pub(super) const SYMBOL_NAME: Rule = Rule {
    name: "json-symbol-name",
    title: "A value of an enum keeps its name",
    level: Level::Json,
    why: "Numbers go into buffers, names into JSON and generated code.",
    check: Check::Enums(shared::symbol_renamed),
};

pub(super) const FIELD_REMOVED: Rule = Rule {
    name: "field-removed",
    title: "A field is deprecated and not removed",
    level: Level::Source,
    why: "Even at the end, where nothing moves, the next field that is added takes the id of the removed one, and is read out of old \
          buffers as nonsense. `(deprecated)` keeps the id, and takes the field out of generated code.",
    check: Check::OnlyWritten(field_removed),
};

pub(super) const TYPE_REMOVED: Rule = Rule {
    name: "type-removed",
    title: "A type is not removed or renamed",
    level: Level::Source,
    why: "Source code names generated types.",
    check: Check::Modules(shared::type_removed),
};

pub(super) const FIELD_TYPE_NAME: Rule = Rule {
    name: "field-type-name",
    title: "A field keeps its type in generated code",
    level: Level::Source,
    why: "Types that are stored alike (an enum and its integer, two tables with the same fields) are different types in source code.",
    check: Check::Fields(shared::type_name),
};

pub(super) const PRESENCE: Rule = Rule {
    name: "presence",
    title: "A field stays optional, or always there",
    level: Level::Source,
    why: "With `= null` generated code can tell a scalar that is not there from its default, and has another type for it.",
    check: Check::Fields(shared::presence),
};

fn field_removed(at: &mut At<'_>, field: FieldAt<'_>, record: TypeId) {
    let deprecated = at.reader.schema.type_notes(record).get(notes::DEPRECATED).unwrap_or_default();
    if !deprecated.contains(&format!("{:?}", field.field().name)) {
        at.broken(format!("the field {} is removed", field.label()), "write (deprecated) after it instead")
            .writer(field.element())
            .reader(Element::Type(record));
    }
}
