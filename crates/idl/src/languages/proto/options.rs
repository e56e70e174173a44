//! Options: which are kept in notes, and which custom ones are declared.

use crate::Result;

use super::ast::{Field, Key, Label, Name, Opt, TypeRef, Value};
use super::check::is_options;
use super::features::Features;
use super::fields::{Around, FieldType, MapValue};
use super::symbols::{ScopeId, Symbols};

/// The options that the model does not say otherwise, custom ones with their full names.
pub(super) fn kept(symbols: &Symbols<'_>, file: usize, scope: ScopeId, options: &[Opt]) -> Result<Vec<Opt>> {
    let mut kept = Vec::new();
    for option in options {
        if ["default", "json_name", "packed", "allow_alias", "map_entry"].iter().any(|name| option.is(name)) {
            continue;
        }
        let mut option = option.clone();
        if option.name[0].name.text == "features" && !option.name[0].custom {
            match (&option.name[1..], &mut option.value) {
                ([], Value::Message(features)) => {
                    features.retain(|(key, _)| !matches!(key, Key::Field(name) if Features::is_kept(name)));
                    if features.is_empty() {
                        continue;
                    }
                }
                ([part], _) if !part.custom && Features::is_kept(&part.name.text) => continue,
                _ => {}
            }
        }
        for part in option.name.iter_mut().filter(|part| part.custom) {
            let place = symbols.extension(file, scope, &part.name)?;
            part.name.text = format!(".{}", symbols.extensions[place].full_name);
        }
        kept.push(option);
    }
    Ok(kept)
}

/// Extensions that are custom options, with full names throughout.
pub(super) fn declarations(symbols: &Symbols<'_>) -> Result<Vec<Field>> {
    let mut all = Vec::new();
    for extension in &symbols.extensions {
        let extendee = &symbols.types[extension.extendee];
        // Those of the descriptors themselves, such as features of C++, are only for compilers that have them.
        if !is_options(&extendee.full_name) || symbols.file(extendee.file).path == symbols.file(0).path {
            continue;
        }
        let info = symbols.field(&Around::extension(extension), extension.field)?;
        let mut field = extension.field.clone();
        let named = |place: usize| TypeRef::Named(Name::new(format!(".{}", symbols.types[place].full_name)));
        field.ty = match info.ty {
            FieldType::Scalar(scalar) => TypeRef::Scalar(scalar),
            FieldType::Message(place) | FieldType::Enum(place) => named(place),
            FieldType::Map(key, MapValue::Scalar(value)) => TypeRef::Map(key, 0, Box::new(TypeRef::Scalar(value))),
            FieldType::Map(key, MapValue::Message(place) | MapValue::Enum(place)) => {
                TypeRef::Map(key, 0, Box::new(named(place)))
            }
        };
        field.extendee = Some(Name::new(format!(".{}", extendee.full_name)));
        field.name.text = extension.full_name.clone();
        field.label = Some(if info.repeated { Label::Repeated } else { Label::Optional });
        field.comment = None;
        field.group = false;
        let packed = field.options.iter().find(|option| option.is("packed")).cloned();
        field.options = kept(symbols, extension.file, extension.scope, &field.options)?;
        field.options.extend(packed);
        if info.delimited {
            field.options.push(Opt::new("features.message_encoding", Value::Word("DELIMITED".to_owned())));
        }
        all.push(field);
    }
    Ok(all)
}
