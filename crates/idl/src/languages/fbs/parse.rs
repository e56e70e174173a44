//! Text to a schema: the file and what it includes, one declaration after the other.

mod defaults;
mod enums;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::ir::{Attributes, Default, Field, Schema, Type};
use super::lexer::{Lexer, Token, shortened};
use super::names::{Found, Names};
use super::{check, constants};
use crate::{Error, Files, Place, Result, Source};
use wirewise_core::Float;
use wirewise_formats::flatbuffers::notes;

/// Reads a file and all that it includes.
pub(super) fn parse(source: &Source, files: &dyn Files) -> Result<Schema> {
    let (schema, names) = (Schema::default(), Names::default());
    let mut reading =
        Reading { files, schema, names, seen: HashSet::new(), attributes: HashSet::new(), values: HashMap::new() };
    reading.file(source, 0)?;
    reading.names.finish(&reading.schema)?;
    check::check(&reading.schema)?;
    Ok(reading.schema)
}

/// How deep includes may nest, one file including the next.
const DEEPEST: usize = 64;

/// The most bytes of a namespace: all names in it have it.
const LONGEST_NAMESPACE: usize = 256;

/// Attributes that flatc knows: all others must be declared.
const BUILT_IN: [&str; 26] = [
    "deprecated",
    "required",
    "key",
    "shared",
    "hash",
    "id",
    "force_align",
    "bit_flags",
    "original_order",
    "nested_flatbuffer",
    "csharp_partial",
    "streaming",
    "idempotent",
    "cpp_type",
    "cpp_ptr_type",
    "cpp_ptr_type_get",
    "cpp_str_type",
    "cpp_str_flex_ctor",
    "native_inline",
    "native_custom_alloc",
    "native_type",
    "native_type_pack_name",
    "native_default",
    "flexbuffer",
    "private",
    "offset64",
];

/// Whether flatc knows this attribute without a declaration.
pub(super) fn is_built_in(attribute: &str) -> bool {
    BUILT_IN.contains(&attribute)
}

/// What all files of a schema share.
struct Reading<'f> {
    files: &'f dyn Files,
    schema: Schema,
    names: Names,
    /// Files that were begun: each is read once, so that they may include each other.
    seen: HashSet<Arc<str>>,
    /// Attributes that were declared.
    attributes: HashSet<String>,
    /// The values by name of the enums that defaults asked for.
    values: HashMap<usize, HashMap<String, i64>>,
}

impl Reading<'_> {
    fn file(&mut self, source: &Source, depth: usize) -> Result<()> {
        self.seen.insert(source.name.clone());
        let mut lexer = Lexer::new(&source.name, source.text()?);
        let (token, place, doc) = lexer.next()?;
        let mut parser = Parser { reading: self, source, lexer, token, place, doc, namespace: Vec::new(), depth };
        parser.includes()?;
        while parser.token != Token::End {
            parser.declaration()?;
        }
        Ok(())
    }
}

/// One file being read.
struct Parser<'a, 'f> {
    reading: &'a mut Reading<'f>,
    source: &'a Source,
    lexer: Lexer<'a>,
    /// The next token, its place, and the documentation before it.
    token: Token<'a>,
    place: Place,
    doc: Vec<String>,
    namespace: Vec<String>,
    depth: usize,
}

impl<'a> Parser<'a, '_> {
    /// Takes the next token.
    fn next(&mut self) -> Result<Token<'a>> {
        let (token, place, doc) = self.lexer.next()?;
        (self.place, self.doc) = (place, doc);
        Ok(std::mem::replace(&mut self.token, token))
    }

    fn wrong(&self, expected: &str) -> Error {
        Error::at(self.place.clone(), format!("found {}, expected {expected}", self.token.describe()))
    }

    fn is(&self, sign: char) -> bool {
        self.token == Token::Sign(sign)
    }

    /// Takes a character if it is next.
    fn take(&mut self, sign: char) -> Result<bool> {
        let found = self.is(sign);
        if found {
            self.next()?;
        }
        Ok(found)
    }

    fn expect(&mut self, sign: char) -> Result<()> {
        if self.take(sign)? { Ok(()) } else { Err(self.wrong(&format!("`{sign}`"))) }
    }

    fn identifier(&mut self, what: &str) -> Result<&'a str> {
        let Token::Identifier(name) = self.token else { return Err(self.wrong(what)) };
        self.next()?;
        Ok(name)
    }

    /// A name with dots.
    fn dotted(&mut self, what: &str) -> Result<String> {
        let mut name = self.identifier(what)?.to_owned();
        while self.take('.')? {
            name.push('.');
            name.push_str(self.identifier("a name after `.`")?);
        }
        Ok(name)
    }

    fn text(&mut self, what: &str) -> Result<String> {
        if !matches!(self.token, Token::Text(_)) {
            return Err(self.wrong(what));
        }
        match self.next()? {
            Token::Text(text) => Ok(text),
            _ => unreachable!("just looked at"),
        }
    }

    /// The includes, which come before everything else.
    fn includes(&mut self) -> Result<()> {
        while let Token::Identifier(word @ ("include" | "native_include")) = self.token {
            self.file_doc();
            self.next()?;
            let place = self.place.clone();
            let path = self.text("the name of a file in quotes")?;
            self.expect(';')?;
            if word == "native_include" {
                continue;
            }
            let found = self.reading.files.find(&path, self.source).map_err(|error| error.or_at(place.clone()))?;
            let Some(source) = found else {
                let what = format!("there is no file {:?}", shortened(&path));
                return Err(Error::at(place, what).hint(self.reading.files.places()));
            };
            if self.reading.seen.contains(&source.name) {
                continue;
            }
            if self.depth == DEEPEST {
                return Err(Error::at(place, format!("includes nest deeper than {DEEPEST}")));
            }
            self.reading.file(&source, self.depth + 1)?;
        }
        Ok(())
    }

    /// Documentation before what is no type is about the file.
    fn file_doc(&mut self) {
        let doc = std::mem::take(&mut self.doc);
        if self.depth == 0 {
            self.reading.schema.doc.extend(doc);
        }
    }

    fn declaration(&mut self) -> Result<()> {
        const EXPECTED: &str = "a declaration (`table`, `struct`, `enum`, `union`, `namespace`, `root_type`, ...)";
        let Token::Identifier(word) = self.token else {
            let error = self.wrong(EXPECTED);
            return Err(if self.is('{') { error.hint("data does not belong into a schema") } else { error });
        };
        match word {
            "table" | "struct" => return self.object(word == "struct"),
            "enum" | "union" => return self.enumeration(word == "union"),
            "rpc_service" => return self.service(),
            "include" | "native_include" => {
                return Err(self.wrong("a declaration").hint("includes come before all declarations"));
            }
            "namespace" | "root_type" | "file_identifier" | "file_extension" | "attribute" => {}
            _ => return Err(self.wrong(EXPECTED)),
        }
        self.file_doc();
        self.next()?;
        let place = self.place.clone();
        match word {
            "namespace" => {
                self.namespace.clear();
                if !self.is(';') {
                    let name = self.dotted("a namespace")?;
                    if name.len() > LONGEST_NAMESPACE {
                        return Err(Error::at(
                            place,
                            format!("the namespace is longer than {LONGEST_NAMESPACE} bytes"),
                        ));
                    }
                    self.namespace = name.split('.').map(str::to_owned).collect();
                }
            }
            "root_type" => {
                let name = self.dotted("the name of a table")?;
                self.root(&name, place)?;
            }
            "file_identifier" => {
                let text = self.text("four characters in quotes")?;
                if text.len() != 4 {
                    let what =
                        format!("found {:?}, expected a file identifier of exactly four characters", shortened(&text));
                    return Err(Error::at(place, what));
                }
                if self.depth == 0 {
                    self.reading.schema.identifier = Some(text);
                }
            }
            "file_extension" => {
                let text = self.text("an extension in quotes")?;
                if self.depth == 0 {
                    self.reading.schema.extension = Some(text);
                }
            }
            _ => {
                let name = match self.token {
                    Token::Identifier(name) => {
                        self.next()?;
                        name.to_owned()
                    }
                    _ => self.text("the name of an attribute")?,
                };
                if !is_built_in(&name) && self.reading.attributes.insert(name.clone()) {
                    self.reading.schema.declared.push(name);
                }
            }
        }
        self.expect(';')
    }

    fn root(&mut self, name: &str, place: Place) -> Result<()> {
        let Some(index) = self.reading.names.declared_object(&self.namespace, name) else {
            let what = format!("found `{}`, expected the name of a table that is declared above", shortened(name));
            return Err(Error::at(place, what));
        };
        if self.reading.schema.objects[index].is_struct {
            let what = format!("found the struct `{}`, expected a table", shortened(name));
            return Err(Error::at(place, what));
        }
        if self.depth == 0 {
            self.reading.schema.root = Some(index);
        }
        Ok(())
    }

    /// Services are passed over.
    fn service(&mut self) -> Result<()> {
        self.next()?;
        let place = self.place.clone();
        let name = self.identifier("the name of a service")?;
        self.expect('{')?;
        while !self.is('}') {
            if self.token == Token::End {
                return Err(self.wrong("`}` at the end of the service"));
            }
            self.next()?;
        }
        self.next()?;
        self.reading
            .schema
            .notices
            .push(format!("{place}: service {name} is passed over: services say nothing about data"));
        Ok(())
    }

    fn attributes(&mut self) -> Result<Attributes> {
        let mut attributes = Attributes::default();
        if !self.take('(')? {
            return Ok(attributes);
        }
        loop {
            let place = self.place.clone();
            let name = match self.token {
                Token::Identifier(name) => {
                    self.next()?;
                    name.to_owned()
                }
                _ => self.text("an attribute")?,
            };
            if !is_built_in(&name) && !self.reading.attributes.contains(&name) {
                let what = format!("found the attribute {:?}, which is not declared", shortened(&name));
                return Err(Error::at(place, what).hint(format!("declare it: attribute {name:?};")));
            }
            let mut value = None;
            if self.take(':')? {
                value = Some(match self.next()? {
                    Token::Number(text) | Token::Identifier(text) => text.to_owned(),
                    Token::Text(text) => text,
                    other => {
                        let what = format!("found {}, expected the value of the attribute", other.describe());
                        return Err(Error::at(place, what));
                    }
                });
            }
            attributes.add(&name, value);
            if self.take(')')? {
                return Ok(attributes);
            }
            self.expect(',')?;
        }
    }

    fn object(&mut self, is_struct: bool) -> Result<()> {
        let doc = std::mem::take(&mut self.doc);
        self.next()?;
        let place = self.place.clone();
        let name = self.identifier("a name")?;
        let Reading { names, schema, .. } = &mut *self.reading;
        let index = names.declare_object(schema, &self.namespace, name, &place)?;
        schema.objects[index].doc = doc;
        schema.objects[index].is_struct = is_struct;
        let attributes = self.attributes()?;
        self.reading.schema.objects[index].attributes = attributes;
        self.expect('{')?;
        let mut fields = Vec::new();
        let mut taken: HashMap<String, Place> = HashMap::new();
        while !self.is('}') {
            let field = self.field(is_struct)?;
            let types = field.ty.has_types().then(|| format!("{}_type", field.name));
            for name in types.into_iter().chain([field.name.clone()]) {
                if let Some(first) = taken.insert(name.clone(), field.place.clone()) {
                    let what = format!("the name `{}` is taken, expected a new one", shortened(&name));
                    return Err(Error::at(field.place, what).related(first, "first declared"));
                }
            }
            fields.push(field);
        }
        self.next()?;
        self.reading.schema.objects[index].fields = fields;
        check::number(&mut self.reading.schema.objects[index])
    }

    fn field(&mut self, in_struct: bool) -> Result<Field> {
        let (doc, place) = (std::mem::take(&mut self.doc), self.place.clone());
        let name = self.identifier("the name of a field or `}`")?.to_owned();
        if self.reading.names.has_object(&name) {
            let what =
                format!("found `{name}`, which is the name of a table or struct, expected another name for the field");
            return Err(Error::at(place, what));
        }
        self.expect(':')?;
        let ty = self.ty(in_struct)?;
        let mut default = Default::Zero;
        if self.take('=')? {
            if in_struct {
                return Err(self.wrong("`;`").hint("fields of structs have no defaults"));
            }
            default = self.default(&ty)?;
        }
        let mut attributes = self.attributes()?;
        let mut flag = |name: &str| attributes.take(name).is_some();
        let (deprecated, required, key) = (flag("deprecated"), flag("required"), flag("key"));
        let required = required || key && ty == Type::String;
        let mut nested = None;
        if let Some(root) = attributes.take("nested_flatbuffer") {
            let Reading { names, schema, .. } = &mut *self.reading;
            nested = Some(names.object(schema, &self.namespace, &root.unwrap_or_default(), &place));
        }
        self.expect(';')?;
        let field = Field { name, doc, ty, default, attributes, id: 0, deprecated, required, key, nested, place };
        check::field(&field, in_struct)?;
        Ok(field)
    }

    fn ty(&mut self, in_struct: bool) -> Result<Type> {
        let place = self.place.clone();
        if !self.take('[')? {
            let ty = self.simple()?;
            let inline = match ty {
                Type::Object(index) => self.reading.schema.objects[index].is_struct,
                _ => ty.is_scalar(),
            };
            if in_struct && !inline {
                return Err(Error::at(
                    place,
                    "structs hold scalars, other structs that are declared above, and arrays of them",
                ));
            }
            return Ok(ty);
        }
        if self.is('[') {
            return Err(self.wrong("the type of an element").hint("wrap the inner vector in a table"));
        }
        let item_place = self.place.clone();
        let item = self.simple()?;
        if !self.take(':')? {
            if in_struct {
                return Err(self.wrong("`:` and the length of the array"));
            }
            self.expect(']')?;
            return Ok(Type::Vector(item.into()));
        }
        let Token::Number(text) = self.token else { return Err(self.wrong("the length of the array")) };
        let count = constants::integer(text).and_then(|n| u32::try_from(n).ok()).filter(|n| (1..=65535).contains(n));
        let count = count.ok_or_else(|| self.wrong("the length of the array, 1 to 65535"))?;
        self.next()?;
        self.expect(']')?;
        if !in_struct {
            let error = Error::at(place, "found an array, expected the type of a field in a table");
            return Err(error.hint("wrap the array in a struct"));
        }
        let inline = match item {
            Type::Object(index) => self.reading.schema.objects[index].is_struct,
            _ => item.is_scalar(),
        };
        if !inline {
            return Err(Error::at(item_place, "arrays hold scalars and structs that are declared above"));
        }
        Ok(Type::Array(item.into(), count))
    }

    /// A type that is no vector.
    fn simple(&mut self) -> Result<Type> {
        let place = self.place.clone();
        let name = self.dotted("a type")?;
        if let Some(int) = notes::integer(&name) {
            return Ok(Type::Int(int));
        }
        Ok(match name.as_str() {
            "bool" => Type::Bool,
            "float" | "float32" => Type::Float(Float::F32),
            "double" | "float64" => Type::Float(Float::F64),
            "string" => Type::String,
            _ => {
                let Reading { names, schema, .. } = &mut *self.reading;
                match names.find(schema, &self.namespace, &name, &place) {
                    Found::Object(index) => Type::Object(index),
                    Found::Enum(index) if schema.enums[index].is_union => Type::Union(index),
                    Found::Enum(index) => Type::Enum(index),
                }
            }
        })
    }
}
