//! From words to a tree: the grammar of `thrift.yy`, one word ahead.

use std::sync::Arc;

use super::ast::{
    Annotations, Base, Field, File, Form, Head, Item, Literal, Name, Requiredness, Symbol, TypeExpr, TypeRef, Value,
    What,
};
use super::comments;
use super::lexer::{At, Lexer, Token, short};
use super::words::{RESERVED, is_refused};
use crate::{Error, Result, docs};

/// How deep types, values and attributes may nest.
pub(super) const MOST_NESTING: usize = 64;

/// Reads a file.
pub(super) fn parse(file: &Arc<str>, text: &str) -> Result<File> {
    Parser::new(file, text)?.file()
}

/// Reads a constant as it is kept in notes.
pub(super) fn parse_const(text: &str) -> Option<Item> {
    let file: Arc<str> = "".into();
    let mut parser = Parser::new(&file, text).ok()?;
    parser.word("const").ok().filter(|found| *found)?;
    let item = parser.constant(Head::default()).ok()?;
    (parser.token == Token::End).then_some(item)
}

/// Reads namespaces or includes as they are kept in notes.
pub(super) fn parse_header(text: &str) -> Option<File> {
    let file: Arc<str> = "".into();
    parse(&file, text).ok().filter(|file| file.items.is_empty())
}

struct Parser<'a> {
    file: &'a Arc<str>,
    lexer: Lexer<'a>,
    token: Token<'a>,
    at: At,
    /// The line on which the word before ended.
    last_line: u32,
}

impl<'a> Parser<'a> {
    fn new(file: &'a Arc<str>, text: &'a str) -> Result<Self> {
        let mut lexer = Lexer::new(file, text);
        let (token, at) = lexer.next()?;
        Ok(Parser { file, lexer, token, at, last_line: 0 })
    }

    fn advance(&mut self) -> Result<Token<'a>> {
        let (token, at) = self.lexer.next()?;
        // No word has a line break in it.
        self.last_line = self.at.line;
        self.at = at;
        Ok(std::mem::replace(&mut self.token, token))
    }

    fn error(&self, at: At, what: impl Into<String>) -> Error {
        Error::at(at.place(self.file), what)
    }

    fn expected<T>(&self, what: &str) -> Result<T> {
        Err(self.error(self.at, format!("found {}, expected {what}", self.token.describe())))
    }

    fn is(&self, word: &str) -> bool {
        matches!(self.token, Token::Word(found) if found == word)
    }

    /// Takes this word, if it is the next.
    fn word(&mut self, word: &str) -> Result<bool> {
        let found = self.is(word);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Takes this sign, if it is the next.
    fn sign(&mut self, sign: char) -> Result<bool> {
        let found = self.token == Token::Sign(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn expect(&mut self, sign: char, after: &str) -> Result<()> {
        if self.sign(sign)? { Ok(()) } else { self.expected(&format!("\"{sign}\" {after}")) }
    }

    /// A comma or semicolon, which may be left out.
    fn separator(&mut self) -> Result<()> {
        if !self.sign(',')? {
            self.sign(';')?;
        }
        Ok(())
    }

    fn literal(&mut self, what: &str) -> Result<String> {
        match self.token {
            Token::Text(_) => match self.advance()? {
                Token::Text(text) => Ok(text),
                _ => unreachable!("the word was a literal"),
            },
            _ => self.expected(what),
        }
    }

    /// The name of something new.
    fn name(&mut self, what: &str) -> Result<Name> {
        let Token::Word(word) = self.token else { return self.expected(what) };
        if is_refused(word) {
            let found = format!("{word:?} is a reserved word of Thrift, expected {what}");
            return Err(self.error(self.at, found));
        }
        if word.contains('.') {
            let found = format!("{:?} has a dot in it, expected {what} without", short(word));
            return Err(self.error(self.at, found));
        }
        let name = Name { text: word.to_owned(), at: self.at };
        self.advance()?;
        Ok(name)
    }

    /// What stands above the next word.
    fn head(&self) -> Head {
        let doc = comments::above(&self.lexer.comments, self.last_line, self.at.line);
        let (doc, notes) = docs::split(&doc.unwrap_or_default());
        Head { doc, notes, annotations: Vec::new() }
    }

    /// What stands beside the last word belongs to it, when nothing stood above.
    fn finish(&self, mut head: Head) -> Head {
        if head.doc.is_none() && head.notes.is_empty() {
            let doc = comments::beside(&self.lexer.comments, self.last_line);
            (head.doc, head.notes) = docs::split(&doc.unwrap_or_default());
        }
        if let Some(doc) = head.notes.take("doc") {
            head.doc = Some(doc);
        }
        head
    }

    fn file(mut self) -> Result<File> {
        let mut file = File::default();
        let (_, notes) =
            docs::split(&comments::at_start(&self.lexer.comments, self.at.line).collect::<Vec<_>>().join("\n"));
        file.notes = notes;
        while self.token != Token::End {
            if !self.header(&mut file)? {
                let item = self.item()?;
                file.items.push(item);
            }
        }
        Ok(file)
    }

    /// An include or a namespace, if one is next.
    fn header(&mut self, file: &mut File) -> Result<bool> {
        let Token::Word(word) = self.token else { return Ok(false) };
        match word {
            "include" => {
                self.advance()?;
                let at = self.at;
                let text = self.literal("the path of the file to include, as a literal")?;
                file.includes.push(Name { text, at });
            }
            "cpp_include" => {
                self.advance()?;
                file.cpp_includes.push(self.literal("what to include, as a literal")?);
            }
            "namespace" => {
                self.advance()?;
                let language = match self.token {
                    Token::Sign('*') => "*".to_owned(),
                    Token::Word(word) => word.to_owned(),
                    _ => return self.expected("a language or \"*\""),
                };
                self.advance()?;
                self.namespace(language, file)?;
            }
            _ => {
                // As files of long ago say it.
                let language = word.strip_suffix("_namespace").or(word.strip_suffix("_package"));
                let language = language.or(word.strip_suffix("_module")).filter(|_| RESERVED.contains(&word));
                let Some(language) = language else { return Ok(false) };
                self.advance()?;
                self.namespace(language.to_owned(), file)?;
            }
        }
        Ok(true)
    }

    fn namespace(&mut self, language: String, file: &mut File) -> Result<()> {
        let name = match &self.token {
            Token::Word(word) => (*word).to_owned(),
            Token::Text(text) => format!("\"{}\"", escape(text)),
            _ => return self.expected("a namespace"),
        };
        self.advance()?;
        let annotations = self.annotations()?;
        let mut line = format!("{language} {name}");
        annotations_text(&annotations, &mut line);
        file.namespaces.push(line);
        Ok(())
    }

    fn item(&mut self) -> Result<Item> {
        const EXPECTED: &str = "a definition: typedef, enum, struct, union, exception, const or service";
        let head = self.head();
        let Token::Word(word) = self.token else { return self.expected(EXPECTED) };
        let item = match word {
            "typedef" => {
                self.advance()?;
                let ty = self.type_ref(0)?;
                let name = self.name("the name of the typedef")?;
                Item { name, head: self.annotated(head)?, what: What::Typedef(ty) }
            }
            "enum" => {
                self.advance()?;
                let name = self.name("the name of the enum")?;
                let symbols = self.symbols()?;
                Item { name, head: self.annotated(head)?, what: What::Enum(symbols) }
            }
            "senum" => {
                self.advance()?;
                let name = self.name("the name of the senum")?;
                self.expect('{', "before the values")?;
                while !self.sign('}')? {
                    self.literal("a value, or \"}\" after the last")?;
                    self.separator()?;
                }
                let string = TypeRef {
                    at: name.at,
                    expr: TypeExpr::Base(Base::String),
                    annotations: Vec::new(),
                    cpp_type: None,
                };
                Item { name, head: self.annotated(head)?, what: What::Typedef(string) }
            }
            "struct" | "union" | "exception" => {
                let form = match word {
                    "struct" => Form::Struct,
                    "union" => Form::Union,
                    _ => Form::Exception,
                };
                self.advance()?;
                let name = self.name(&format!("the name of the {word}"))?;
                self.word("xsd_all")?;
                self.expect('{', "before the fields")?;
                let fields = self.fields('}', Ids::Needed, 0)?;
                Item { name, head: self.annotated(head)?, what: What::Struct(form, fields) }
            }
            "const" => {
                self.advance()?;
                return self.constant(head);
            }
            "service" => {
                self.advance()?;
                let name = self.service()?;
                Item { name, head: self.annotated(head)?, what: What::Service }
            }
            _ => return self.expected(EXPECTED),
        };
        self.separator()?;
        let Item { name, head, what } = item;
        Ok(Item { name, head: self.finish(head), what })
    }

    fn constant(&mut self, head: Head) -> Result<Item> {
        let ty = self.type_ref(0)?;
        let name = self.name("the name of the constant")?;
        self.expect('=', "before the value")?;
        let value = self.value(0)?;
        self.separator()?;
        Ok(Item { name, head: self.finish(head), what: What::Const(ty, value) })
    }

    /// The annotations that follow, in a head.
    fn annotated(&mut self, mut head: Head) -> Result<Head> {
        head.annotations = self.annotations()?;
        Ok(head)
    }

    fn annotations(&mut self) -> Result<Annotations> {
        let mut annotations = Vec::new();
        if self.sign('(')? {
            while !self.sign(')')? {
                let Token::Word(key) = self.token else {
                    return self.expected("the name of an annotation, or \")\" after the last");
                };
                self.advance()?;
                // An annotation without a value is a flag.
                let value = if self.sign('=')? { self.literal("the annotation's value")? } else { "1".to_owned() };
                annotations.push((key.to_owned(), value));
                self.separator()?;
            }
        }
        Ok(annotations)
    }

    fn symbols(&mut self) -> Result<Vec<Symbol>> {
        self.expect('{', "before the values")?;
        let mut symbols = Vec::new();
        let mut next = 0;
        loop {
            let head = self.head();
            if self.sign('}')? {
                return Ok(symbols);
            }
            let name = self.name("the name of a value, or \"}\" after the last")?;
            let mut number = next;
            if self.sign('=')? {
                let at = self.at;
                let Token::Int(given) = self.token else { return self.expected("the value's number") };
                self.advance()?;
                if i32::try_from(given).is_err() {
                    return Err(self.error(at, format!("{given} is beyond the range of i32, which enums have")));
                }
                number = given;
            }
            if i32::try_from(number).is_err() {
                let what = format!("the number after the last is beyond the range of i32: give {:?} one", name.text);
                return Err(self.error(name.at, what));
            }
            next = number + 1;
            let head = self.annotated(head)?;
            self.separator()?;
            symbols.push(Symbol { name, head: self.finish(head), number });
        }
    }

    /// Fields up to `end`, of which those of functions may come without numbers.
    fn fields(&mut self, end: char, ids: Ids, depth: usize) -> Result<Vec<Field>> {
        if depth > MOST_NESTING {
            return Err(self.error(self.at, format!("attributes nest deeper than {MOST_NESTING}")));
        }
        let mut fields = Vec::new();
        loop {
            let head = self.head();
            if self.sign(end)? {
                return Ok(fields);
            }
            fields.push(self.field(head, end, ids, depth)?);
        }
    }

    fn field(&mut self, head: Head, end: char, ids: Ids, depth: usize) -> Result<Field> {
        let start = self.at;
        let id = match self.token {
            Token::Int(id) => {
                self.advance()?;
                self.expect(':', "after the field's number")?;
                Some(id)
            }
            Token::Word(_) => None,
            _ => return self.expected(&format!("a field, which begins with its number, or \"{end}\" after the last")),
        };
        let id = match (id, ids) {
            (Some(id), Ids::Needed) => i16::try_from(id).ok().filter(|id| *id > 0).ok_or_else(|| {
                let what = match id {
                    ..=0 => format!("the field's number is {id}; numbers below 1 are not supported"),
                    _ => format!("the field's number is {id}; numbers go up to {}", i16::MAX),
                };
                self.error(start, what).hint("give it a number from 1 to 32767 that no other field has")
            })?,
            (None, Ids::Needed) => {
                let what = "the field has no number; the negative ones that Thrift then gives are not supported";
                return Err(self.error(start, what).hint("give it a number from 1 to 32767: `1: i32 name`"));
            }
            _ => 1,
        };
        let requiredness = match self.token {
            Token::Word("required") => Some(Requiredness::Required),
            Token::Word("optional") => Some(Requiredness::Optional),
            _ => None,
        };
        if requiredness.is_some() {
            self.advance()?;
        }
        let ty = self.type_ref(0)?;
        let reference = self.sign('&')?;
        let name = self.name("the name of the field")?;
        let default = if self.sign('=')? { Some(self.value(0)?) } else { None };
        self.word("xsd_optional")?;
        self.word("xsd_nillable")?;
        if self.word("xsd_attrs")? {
            self.expect('{', "before the attributes")?;
            self.fields('}', Ids::Optional, depth + 1)?;
        }
        let head = self.annotated(head)?;
        self.separator()?;
        Ok(Field { name, head: self.finish(head), id, requiredness, ty, reference, default })
    }

    fn type_ref(&mut self, depth: usize) -> Result<TypeRef> {
        let at = self.at;
        if depth > MOST_NESTING {
            return Err(self.error(at, format!("types nest deeper than {MOST_NESTING}")));
        }
        let Token::Word(word) = self.token else { return self.expected("a type") };
        if is_refused(word) && Base::by_name(word).is_none() && !["list", "set", "map"].contains(&word) {
            return self.expected("a type");
        }
        self.advance()?;
        let mut cpp_type = None;
        let expr = match word {
            "list" | "set" | "map" => {
                cpp_type = self.cpp_type()?;
                self.expect('<', &format!("after {word}"))?;
                let first = Box::new(self.type_ref(depth + 1)?);
                let expr = match word {
                    "list" => TypeExpr::List(first),
                    "set" => TypeExpr::Set(first),
                    _ => {
                        self.expect(',', "after the type of the keys")?;
                        TypeExpr::Map(first, Box::new(self.type_ref(depth + 1)?))
                    }
                };
                self.expect('>', "after the type")?;
                cpp_type = self.cpp_type()?.or(cpp_type);
                expr
            }
            _ => match Base::by_name(word) {
                Some(base) => TypeExpr::Base(base),
                None => {
                    // A base type of newer compilers, unless the file has a type of that name.
                    let annotations = if word == "uuid" { self.annotations()? } else { Vec::new() };
                    return Ok(TypeRef { at, expr: TypeExpr::Named(word.to_owned()), annotations, cpp_type });
                }
            },
        };
        let annotations = self.annotations()?;
        Ok(TypeRef { at, expr, annotations, cpp_type })
    }

    fn cpp_type(&mut self) -> Result<Option<String>> {
        Ok(if self.word("cpp_type")? { Some(self.literal("a type of C++, as a literal")?) } else { None })
    }

    fn value(&mut self, depth: usize) -> Result<Value> {
        let at = self.at;
        if depth > MOST_NESTING {
            return Err(self.error(at, format!("values nest deeper than {MOST_NESTING}")));
        }
        let what = match &self.token {
            Token::Int(value) => Literal::Int(*value),
            Token::Double(value) => Literal::Double(*value),
            Token::Word("true") => Literal::Int(1),
            Token::Word("false") => Literal::Int(0),
            Token::Word(word) => Literal::Name((*word).to_owned()),
            Token::Text(_) => return Ok(Value { at, what: Literal::Text(self.literal("a literal")?) }),
            Token::Sign('[') => {
                self.advance()?;
                let mut items = Vec::new();
                while !self.sign(']')? {
                    items.push(self.value(depth + 1)?);
                    self.separator()?;
                }
                return Ok(Value { at, what: Literal::List(items) });
            }
            Token::Sign('{') => {
                self.advance()?;
                let mut entries = Vec::new();
                while !self.sign('}')? {
                    let key = self.value(depth + 1)?;
                    self.expect(':', "after the key")?;
                    entries.push((key, self.value(depth + 1)?));
                    self.separator()?;
                }
                return Ok(Value { at, what: Literal::Map(entries) });
            }
            _ => return self.expected("a value"),
        };
        self.advance()?;
        Ok(Value { at, what })
    }

    /// A service is read, so that errors in it are found, and dropped.
    fn service(&mut self) -> Result<Name> {
        let name = self.name("the name of the service")?;
        if self.word("extends")? {
            let Token::Word(_) = self.token else { return self.expected("the name of a service") };
            self.advance()?;
        }
        self.expect('{', "before the functions")?;
        while !self.sign('}')? {
            let Token::Word(_) = self.token else { return self.expected("a function, or \"}\" after the last") };
            if !self.word("oneway")? {
                self.word("async")?;
            }
            if !self.word("void")? {
                self.type_ref(0)?;
            }
            self.name("the name of the function")?;
            self.expect('(', "before the arguments")?;
            self.fields(')', Ids::Optional, 0)?;
            if self.word("throws")? {
                self.expect('(', "before the exceptions")?;
                self.fields(')', Ids::Optional, 0)?;
            }
            self.annotations()?;
            self.separator()?;
        }
        Ok(name)
    }
}

/// Whether fields must have numbers.
#[derive(Clone, Copy)]
enum Ids {
    Needed,
    Optional,
}

/// Text as it stands between double quotes.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' | '\\' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

/// Annotations as they stand after what they are about.
pub(super) fn annotations_text(annotations: &[(String, String)], out: &mut String) {
    if annotations.is_empty() {
        return;
    }
    let each: Vec<String> = annotations.iter().map(|(key, value)| format!("{key} = \"{}\"", escape(value))).collect();
    out.push_str(&format!(" ({})", each.join(", ")));
}
