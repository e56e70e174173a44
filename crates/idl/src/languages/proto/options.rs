//! Options: which are kept in notes, and which custom ones are declared.

use crate::Result;

use super::ast::{Field, Label, Name, Opt, TypeRef, Value};
use super::check::is_options;
use super::features::Features;
use super::fields::{Around, FieldType, MapValue};
use super::interpret::{self, Options};
use super::symbols::{ScopeId, Symbols};
use super::tree::Tree;

/// The options that the model does not say otherwise: custom ones with their full names, each once, in the order in which
/// their types declare them, so that files and descriptors give the same.
pub(super) fn kept(
    options: &Options<'_, '_>,
    file: usize,
    scope: ScopeId,
    kind: &str,
    list: &[Opt],
) -> Result<Vec<Opt>> {
    let own = |option: &&Opt| kind != "FieldOptions" || !option.is("default") && !option.is("json_name");
    let list: Vec<Opt> = list.iter().filter(own).cloned().collect();
    if list.is_empty() {
        return Ok(list);
    }
    let mut record = options.interpret(file, scope, kind, &list)?;
    for name in ["packed", "allow_alias", "map_entry"] {
        record.0.remove(name);
    }
    if let Some(Tree::Record(features)) = record.0.get_mut("features") {
        features.0.retain(|name, _| !Features::is_kept(name));
        if features.0.is_empty() {
            record.0.remove("features");
        }
    }
    let ty = options.schema().named(&format!("google.protobuf.{kind}"));
    let mut kept = ty.map_or_else(Vec::new, |ty| interpret::options(options.schema(), ty, &record));
    for part in kept.iter_mut().flat_map(|option| &mut option.name).filter(|part| part.custom) {
        if let Some(name) = options.model_name(&part.name.text[1..]) {
            part.name.text = format!(".{name}");
        }
    }
    Ok(kept)
}

/// Extensions that are custom options, with full names throughout.
pub(super) fn declarations(symbols: &Symbols<'_>, options: &Options<'_, '_>) -> Result<Vec<Field>> {
    let mut all = Vec::new();
    for extension in &symbols.extensions {
        let extendee = &symbols.types[extension.extendee];
        // Those of the descriptors themselves, such as features of C++, are only for compilers that have them.
        if !is_options(&extendee.full_name) || symbols.file(extendee.file).path == symbols.file(0).path {
            continue;
        }
        let info = symbols.field(&Around::extension(extension), extension.field)?;
        let mut field = extension.field.clone();
        let named = |place: usize| TypeRef::Named(Name::new(format!(".{}", symbols.types[place].model_name)));
        field.ty = match info.ty {
            FieldType::Scalar(scalar) => TypeRef::Scalar(scalar),
            FieldType::Message(place) | FieldType::Enum(place) => named(place),
            FieldType::Map(key, MapValue::Scalar(value)) => TypeRef::Map(key, 0, Box::new(TypeRef::Scalar(value))),
            FieldType::Map(key, MapValue::Message(place) | MapValue::Enum(place)) => {
                TypeRef::Map(key, 0, Box::new(named(place)))
            }
        };
        field.extendee = Some(Name::new(format!(".{}", extendee.full_name)));
        field.name.text = extension.model_name.clone();
        field.label = Some(if info.repeated { Label::Repeated } else { Label::Optional });
        field.comment = None;
        field.group = false;
        let packed = field.options.iter().find(|option| option.is("packed")).cloned();
        field.options = kept(options, extension.file, extension.scope, "FieldOptions", &field.options)?;
        field.options.extend(packed);
        if info.delimited {
            field.options.push(Opt::new("features.message_encoding", Value::Word("DELIMITED".to_owned())));
        }
        all.push(field);
    }
    // In an order that does not depend on the files they are in.
    let extendee = |field: &Field| field.extendee.as_ref().map(|name| name.text.clone());
    all.sort_by_key(|field| (extendee(field), field.number));
    Ok(all)
}
