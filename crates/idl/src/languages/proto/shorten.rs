//! Names as people write them: the shortest that mean the same where they stand.

use crate::{MemoryFiles, Result, Source};

use super::ast::{File, Import, ImportKind, Item, Name, Opt, Scalar, TypeRef};
use super::load::{self, Loaded};
use super::symbols::{ScopeId, Symbols};
use super::wkt;

/// Words that begin other statements, or are types.
fn is_keyword(word: &str) -> bool {
    const WORDS: [&str; 14] = [
        "message",
        "enum",
        "extend",
        "extensions",
        "oneof",
        "option",
        "reserved",
        "optional",
        "required",
        "repeated",
        "group",
        "map",
        "to",
        "max",
    ];
    WORDS.contains(&word) || Scalar::by_name(word).is_some()
}

/// Replaces the full names of types, extended messages and custom options in a file by the shortest names.
pub(super) fn shorten(file: &mut File) -> Result<()> {
    let whole = with_imports(std::mem::take(file))?;
    let mut names = Vec::new();
    {
        let symbols = Symbols::new(&whole)?;
        let scope = symbols.package_scope(0);
        let shortener = Shortener { symbols: &symbols };
        let main = symbols.file(0);
        for option in &main.options {
            shortener.option(scope, option, &mut names);
        }
        shortener.items(scope, &main.items, &mut names);
    }
    *file = whole.files.into_iter().next().unwrap_or_default();
    let mut names = names.into_iter();
    let mut put = |name: &mut Name| {
        if let Some(short) = names.next() {
            name.text = short;
        }
    };
    for option in &mut file.options {
        put_option(option, &mut put);
    }
    put_items(&mut file.items, &mut put);
    Ok(())
}

/// A file with the standard ones that it imports.
pub(super) fn with_imports(main: File) -> Result<Loaded> {
    let mut files = MemoryFiles::none();
    for (path, text) in wkt::all() {
        files.add(path, text);
    }
    // Standard files import each other: they are read as those of a file that has the same imports.
    let mut text = String::from("syntax = \"proto3\";\n");
    for Import { path, .. } in &main.imports {
        text += &format!("import {};\n", super::text::quoted(path.text.as_bytes()));
    }
    let source = Source::new(&main.path, text);
    let mut loaded = load::load(&source, &files)?;
    debug_assert!(main.imports.iter().all(|import| import.kind == ImportKind::Plain));
    loaded.files[0] = main;
    Ok(loaded)
}

struct Shortener<'s, 'a> {
    symbols: &'s Symbols<'a>,
}

impl Shortener<'_, '_> {
    fn items(&self, scope: ScopeId, items: &[Item], out: &mut Vec<String>) {
        for item in items {
            match item {
                Item::Message(message) => {
                    let inner = self.symbols.scope_named(scope, &message.name.text);
                    for option in &message.options {
                        self.option(inner, option, out);
                    }
                    for oneof in &message.oneofs {
                        for option in &oneof.options {
                            self.option(inner, option, out);
                        }
                    }
                    for field in &message.fields {
                        self.field(inner, field, out);
                    }
                    for option in message.extension_ranges.iter().flat_map(|ranges| &ranges.options) {
                        self.option(inner, option, out);
                    }
                    self.items(inner, &message.items, out);
                }
                Item::Enum(e) => {
                    let values = e.values.iter().flat_map(|value| &value.options);
                    for option in e.options.iter().chain(values) {
                        self.option(scope, option, out);
                    }
                }
                Item::Extension(field) => {
                    if let Some(extendee) = &field.extendee {
                        out.push(self.type_name(scope, &extendee.text));
                    }
                    self.field(scope, field, out);
                }
            }
        }
    }

    fn field(&self, scope: ScopeId, field: &super::ast::Field, out: &mut Vec<String>) {
        match &field.ty {
            TypeRef::Named(name) => out.push(self.type_name(scope, &name.text)),
            TypeRef::Map(_, _, value) => {
                if let TypeRef::Named(name) = &**value {
                    out.push(self.type_name(scope, &name.text));
                }
            }
            TypeRef::Scalar(_) => {}
        }
        for option in &field.options {
            self.option(scope, option, out);
        }
    }

    fn option(&self, scope: ScopeId, option: &Opt, out: &mut Vec<String>) {
        for part in option.name.iter().filter(|part| part.custom) {
            let target = self.symbols.extension(0, scope, &part.name).ok();
            let same =
                |short: &str| target.is_some() && self.symbols.extension(0, scope, &Name::new(short)).ok() == target;
            out.push(shortest(&part.name.text, same));
        }
    }

    fn type_name(&self, scope: ScopeId, full: &str) -> String {
        let target = self.symbols.type_named(0, scope, full);
        shortest(full, |short| {
            let first = short.split('.').next().unwrap_or_default();
            target.is_some() && !is_keyword(first) && self.symbols.type_named(0, scope, short) == target
        })
    }
}

/// The shortest end of a full name that means the same.
fn shortest(full: &str, same: impl Fn(&str) -> bool) -> String {
    let bare = full.strip_prefix('.').unwrap_or(full);
    let ends = bare.rmatch_indices('.').map(|(at, _)| &bare[at + 1..]).chain([bare]);
    ends.into_iter().find(|end| same(end)).unwrap_or(full).to_owned()
}

fn put_option(option: &mut Opt, put: &mut impl FnMut(&mut Name)) {
    option.name.iter_mut().filter(|part| part.custom).for_each(|part| put(&mut part.name));
}

fn put_field(field: &mut super::ast::Field, put: &mut impl FnMut(&mut Name)) {
    match &mut field.ty {
        TypeRef::Named(name) => put(name),
        TypeRef::Map(_, _, value) => {
            if let TypeRef::Named(name) = &mut **value {
                put(name);
            }
        }
        TypeRef::Scalar(_) => {}
    }
    field.options.iter_mut().for_each(|option| put_option(option, put));
}

fn put_items(items: &mut [Item], put: &mut impl FnMut(&mut Name)) {
    for item in items {
        match item {
            Item::Message(message) => {
                let oneofs = message.oneofs.iter_mut().flat_map(|oneof| &mut oneof.options);
                message.options.iter_mut().chain(oneofs).for_each(|option| put_option(option, put));
                message.fields.iter_mut().for_each(|field| put_field(field, put));
                let ranges = message.extension_ranges.iter_mut().flat_map(|ranges| &mut ranges.options);
                ranges.for_each(|option| put_option(option, put));
                put_items(&mut message.items, put);
            }
            Item::Enum(e) => {
                let values = e.values.iter_mut().flat_map(|value| &mut value.options);
                e.options.iter_mut().chain(values).for_each(|option| put_option(option, put));
            }
            Item::Extension(field) => {
                if let Some(extendee) = &mut field.extendee {
                    put(extendee);
                }
                put_field(field, put);
            }
        }
    }
}
