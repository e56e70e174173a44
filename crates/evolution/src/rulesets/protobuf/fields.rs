//! Rules about fields.

use wirewise_core::Kind;

use crate::mode::Level;
use crate::rule::{At, Check, FieldAt, Rule};
use crate::sample::Provoke;

pub(super) const FIELD_REQUIRED: Rule = Rule {
    name: "field-required",
    title: "A field that readers require is written by every writer",
    level: Level::Wire,
    why: "A reader refuses a message without a required field. Writers whose schema lacks the field, or has it as an \
          optional one, write such messages.",
    check: Check::OnlyRead(field_required),
};

fn field_required(at: &mut At<'_>, field: FieldAt<'_>, record: wirewise_core::TypeId) {
    let required = field.field().notes.get("protobuf.label") == Some("required")
        || !field.field().is_optional()
            && matches!(field.schema.kind(field.field().ty), Kind::Record(_) | Kind::Union(_));
    if required {
        at.broken(format!("the field {} is required, and writers do not have it", field.label()), "make it optional")
            .writer(wirewise_idl::Element::Type(record))
            .reader(field.element())
            .provoke(Provoke::Fields(Vec::new()));
    }
}
