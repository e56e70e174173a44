//! Tokens to declarations.

use std::sync::Arc;

use super::ast::{Applied, Base, Decl, Expr, ExprForm, File, Form, Member, Name, Part, Path, What};
use super::lexer::{Lexer, Token};
use crate::{Error, Result};

/// How deep blocks, lists and parentheses may nest.
pub(super) const DEEPEST: usize = 64;

/// Parts of a name, such as `a.b.c`.
const MOST_PARTS: usize = 128;

/// Reads a file.
pub(super) fn parse(name: &Arc<str>, text: &str) -> Result<File> {
    let lexer = Lexer::new(name, text);
    let mut parser = Parser { lexer, token: Token::End, at: 0, depth: 0 };
    parser.advance()?;
    parser.file()
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn advance(&mut self) -> Result<Token> {
        let (token, at, _) = self.lexer.next()?;
        self.at = at;
        Ok(std::mem::replace(&mut self.token, token))
    }

    #[cold]
    fn expected(&self, what: &str) -> Error {
        let found = match &self.token {
            Token::Name(name) => format!("{:?}", shortened(name)),
            Token::Int(value) => format!("the number {value}"),
            Token::Float(value) => format!("the number {value}"),
            Token::Text(_) => "a text".to_owned(),
            Token::Data(_) => "a data literal".to_owned(),
            Token::Mark(mark) => format!("{mark:?}"),
            Token::End => "the end of the file".to_owned(),
        };
        self.lexer.error(self.at, format!("found {found}, expected {what}"))
    }

    fn is(&self, mark: char) -> bool {
        self.token == Token::Mark(mark)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(&self.token, Token::Name(name) if name == word)
    }

    fn take(&mut self, mark: char) -> Result<bool> {
        if self.is(mark) { self.advance().map(|_| true) } else { Ok(false) }
    }

    fn expect(&mut self, mark: char, what: &str) -> Result<()> {
        if self.take(mark)? { Ok(()) } else { Err(self.expected(what)) }
    }

    /// Takes a mark that a documentation comment may follow.
    fn expect_with_doc(&mut self, mark: char, what: &str) -> Result<Option<String>> {
        if !self.is(mark) {
            return Err(self.expected(what));
        }
        let doc = self.lexer.doc();
        self.advance()?;
        Ok(doc)
    }

    fn name(&mut self, what: &str) -> Result<Name> {
        let at = self.at;
        match self.advance()? {
            Token::Name(text) => Ok(Name { text, at }),
            other => {
                self.token = other;
                self.at = at;
                Err(self.expected(what))
            }
        }
    }

    /// A name of something new, in the case that the language wants.
    fn new_name(&mut self, what: &str, is_type: bool) -> Result<Name> {
        let name = self.name(what)?;
        let error = |why: &str| Err(self.lexer.error(name.at, format!("found {:?}: {why}", shortened(&name.text))));
        if name.text.contains('_') {
            return error("names with underscores are reserved in Cap'n Proto");
        }
        if name.text.starts_with(|first: char| first.is_ascii_uppercase()) != is_type {
            return error(if is_type {
                "names of types begin with a capital letter"
            } else {
                "names of other things than types begin with a small letter"
            });
        }
        Ok(name)
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEEPEST {
            return Err(self.lexer.error(self.at, format!("this nests deeper than {DEEPEST}")));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn file(&mut self) -> Result<File> {
        let mut file = File::default();
        loop {
            let at = self.at;
            if self.token == Token::End {
                return Ok(file);
            } else if self.take('@')? {
                let id = self.id(at)?;
                if file.id.replace(id).is_some() {
                    return Err(self.lexer.error(at, "the file has an id already"));
                }
                file.doc = self.expect_with_doc(';', "\";\" after the file's id")?;
            } else if self.is('$') {
                file.annotations.extend(self.annotations()?);
                self.expect(';', "\";\" after the annotation")?;
            } else if let Some(decl) = self.decl()? {
                file.decls.push(decl);
            } else {
                return Err(self.expected("a declaration (struct, enum, const, using, annotation, interface)"));
            }
        }
    }

    fn id(&mut self, at: usize) -> Result<u64> {
        match self.token {
            Token::Int(id) if id >> 63 == 1 => self.advance().map(|_| id),
            Token::Int(_) => Err(self
                .lexer
                .error(at, "this is no id: ids have 64 bits, the highest of them set")
                .hint("`capnp id` makes one")),
            _ => Err(self.expected("an id, as `capnp id` makes them")),
        }
    }

    fn optional_id(&mut self) -> Result<Option<u64>> {
        let at = self.at;
        if self.take('@')? { self.id(at).map(Some) } else { Ok(None) }
    }

    /// A declaration, when one begins here.
    fn decl(&mut self) -> Result<Option<Decl>> {
        let Token::Name(word) = &self.token else { return Ok(None) };
        let known = ["using", "const", "annotation", "enum", "struct", "interface"];
        let Some(word) = known.into_iter().find(|known| known == word) else { return Ok(None) };
        // A field may be called like a keyword.
        if matches!(self.lexer.clone().next(), Ok((Token::Mark('@' | ':'), ..))) {
            return Ok(None);
        }
        self.advance()?;
        let decl = match word {
            "using" => self.using(),
            "const" => self.constant(),
            "annotation" => self.annotation_decl(),
            "enum" => self.enumeration(),
            "struct" => self.structure(),
            _ => self.interface(),
        };
        decl.map(Some)
    }

    fn using(&mut self) -> Result<Decl> {
        let expr = self.expr()?;
        if let (true, ExprForm::Path(path)) = (self.take('=')?, &expr.form) {
            let Path { base: Base::Name(name), parts } = path else {
                return Err(self.lexer.error(expr.at, "expected a new name before \"=\""));
            };
            if !parts.is_empty() {
                return Err(self.lexer.error(expr.at, "expected a new name before \"=\""));
            }
            let name = Name { text: name.clone(), at: expr.at };
            let target = self.expr()?;
            return self.end(name, What::Using(target));
        }
        let last = match &expr.form {
            ExprForm::Path(path) => match path.parts.last() {
                Some(Part::Member(name)) => Some(name.clone()),
                _ => None,
            },
            _ => None,
        };
        match last {
            Some(name) => self.end(name, What::Using(expr)),
            None => Err(self.lexer.error(expr.at, "expected \"using Name = ...\", or a name with a dot in it")),
        }
    }

    /// What ends with a semicolon.
    fn end(&mut self, name: Name, what: What) -> Result<Decl> {
        let annotations = self.annotations()?;
        let doc = self.expect_with_doc(';', "\";\"")?;
        Ok(Decl { name, id: None, params: Vec::new(), annotations, doc, what, nested: Vec::new() })
    }

    fn constant(&mut self) -> Result<Decl> {
        let name = self.new_name("the constant's name", false)?;
        let id = self.optional_id()?;
        self.expect(':', "\":\" and the constant's type")?;
        let ty = self.expr()?;
        self.expect('=', "\"=\" and the constant's value")?;
        let value = self.expr()?;
        Ok(Decl { id, ..self.end(name, What::Const { ty, value })? })
    }

    fn annotation_decl(&mut self) -> Result<Decl> {
        let name = self.new_name("the annotation's name", false)?;
        let id = self.optional_id()?;
        self.expect('(', "\"(\" and what the annotation applies to")?;
        let mut targets = Vec::new();
        while !self.is(')') {
            if self.take('*')? {
                targets.push("*".to_owned());
            } else {
                let target = self.name("what the annotation applies to, such as struct or field")?;
                const KNOWN: [&str; 13] = [
                    "file",
                    "const",
                    "enum",
                    "enumerant",
                    "struct",
                    "field",
                    "union",
                    "group",
                    "interface",
                    "method",
                    "param",
                    "annotation",
                    "parameter",
                ];
                if !KNOWN.contains(&target.text.as_str()) {
                    let what = format!("found {:?}, expected one of {}", shortened(&target.text), KNOWN.join(", "));
                    return Err(self.lexer.error(target.at, what));
                }
                targets.push(target.text);
            }
            if !self.take(',')? {
                break;
            }
        }
        self.expect(')', "\",\" or \")\"")?;
        self.expect(':', "\":\" and the annotation's type")?;
        let ty = self.expr()?;
        Ok(Decl { id, ..self.end(name, What::Annotation { targets, ty })? })
    }

    fn enumeration(&mut self) -> Result<Decl> {
        let name = self.new_name("the enum's name", true)?;
        let id = self.optional_id()?;
        let annotations = self.annotations()?;
        let mut doc = self.expect_with_doc('{', "\"{\"")?;
        let mut members = Vec::new();
        while !self.is('}') {
            let name = self.new_name("an enumerant or \"}\"", false)?;
            let ordinal = self.ordinal()?.ok_or_else(|| self.expected("\"@\" and the enumerant's number"))?;
            let annotations = self.annotations()?;
            let doc = self.expect_with_doc(';', "\";\"")?;
            let at = name.at;
            members.push(Member {
                name: Some(name),
                at,
                ordinal: Some(ordinal),
                annotations,
                doc,
                form: Form::Enumerant,
            });
        }
        let after = self.expect_with_doc('}', "\"}\"")?;
        doc = doc.or(after);
        Ok(Decl { name, id, params: Vec::new(), annotations, doc, what: What::Enum(members), nested: Vec::new() })
    }

    fn ordinal(&mut self) -> Result<Option<(u32, usize)>> {
        let at = self.at;
        if !self.take('@')? {
            return Ok(None);
        }
        match self.token {
            Token::Int(value @ 0..=65534) => self.advance().map(|_| Some((value as u32, at))),
            Token::Int(value) => Err(self.lexer.error(at, format!("found @{value}: ordinals are at most 65534"))),
            _ => Err(self.expected("the number of a field or enumerant")),
        }
    }

    fn params(&mut self) -> Result<Vec<Name>> {
        let mut params: Vec<Name> = Vec::new();
        if self.take('(')? {
            while !self.is(')') {
                params.push(self.new_name("the name of a type parameter", true)?);
                if !self.take(',')? {
                    break;
                }
            }
            self.expect(')', "\",\" or \")\"")?;
        }
        Ok(params)
    }

    fn structure(&mut self) -> Result<Decl> {
        let name = self.new_name("the struct's name", true)?;
        let id = self.optional_id()?;
        let params = self.params()?;
        let annotations = self.annotations()?;
        let mut nested = Vec::new();
        let (members, doc) = self.block(Some(&mut nested))?;
        Ok(Decl { name, id, params, annotations, doc, what: What::Struct(members), nested })
    }

    /// The members between braces; `nested` takes declarations where these may be.
    fn block(&mut self, mut nested: Option<&mut Vec<Decl>>) -> Result<(Vec<Member>, Option<String>)> {
        let mut doc = self.expect_with_doc('{', "\"{\"")?;
        let members = self.deeper(|parser| {
            let mut members = Vec::new();
            while !parser.is('}') {
                let at = parser.at;
                match parser.decl()? {
                    Some(decl) => match &mut nested {
                        Some(nested) => nested.push(decl),
                        None => {
                            let what = "declarations cannot be in groups and unions, only in structs and files";
                            return Err(parser.lexer.error(at, what));
                        }
                    },
                    None => members.push(parser.member()?),
                }
            }
            Ok(members)
        })?;
        let after = self.expect_with_doc('}', "\"}\"")?;
        doc = doc.or(after);
        Ok((members, doc))
    }

    fn member(&mut self) -> Result<Member> {
        let at = self.at;
        let is_keyword =
            self.is_word("union") && !matches!(self.lexer.clone().next(), Ok((Token::Mark('@' | ':'), ..)));
        if is_keyword {
            self.advance()?;
            let annotations = self.annotations()?;
            let (members, doc) = self.block(None)?;
            return Ok(Member { name: None, at, ordinal: None, annotations, doc, form: Form::Union(members) });
        }
        let name = self.new_name("a field, a declaration or \"}\"", false)?;
        let ordinal = self.ordinal()?;
        let is_union_ordinal = ordinal.is_some() && self.take('!')?;
        self.expect(':', if ordinal.is_some() { "\":\" and a type" } else { "\"@\" and the field's number" })?;
        let is_group = self.is_word("group") && ordinal.is_none();
        if is_group || self.is_word("union") {
            if let (Some((_, at)), false) = (ordinal, is_union_ordinal) {
                let what = "found a number before a union, expected \"!\" after it";
                return Err(self.lexer.error(at, what).hint("unions need no number: take it out if the schema is new"));
            }
            self.advance()?;
            let annotations = self.annotations()?;
            let (members, doc) = self.block(None)?;
            let form = if is_group { Form::Group(members) } else { Form::Union(members) };
            return Ok(Member { name: Some(name), at, ordinal, annotations, doc, form });
        }
        if ordinal.is_none() || is_union_ordinal {
            return Err(self.expected("group or union: fields have a number"));
        }
        let ty = self.expr()?;
        let default = if self.take('=')? { Some(self.expr()?) } else { None };
        let annotations = self.annotations()?;
        let doc = self.expect_with_doc(';', "\";\"")?;
        Ok(Member { name: Some(name), at, ordinal, annotations, doc, form: Form::Field { ty, default } })
    }

    /// Methods mean nothing for data; types inside do.
    fn interface(&mut self) -> Result<Decl> {
        let name = self.new_name("the interface's name", true)?;
        let id = self.optional_id()?;
        let params = self.params()?;
        if self.is_word("extends") {
            self.advance()?;
            self.skip_until('{')?;
        }
        let annotations = self.annotations()?;
        let mut doc = self.expect_with_doc('{', "\"{\"")?;
        let nested = self.deeper(|parser| {
            let mut nested = Vec::new();
            while !parser.is('}') {
                match parser.decl()? {
                    Some(decl) => nested.push(decl),
                    None => {
                        parser.new_name("a method, a declaration or \"}\"", false)?;
                        parser.ordinal()?.ok_or_else(|| parser.expected("\"@\" and the method's number"))?;
                        parser.skip_until(';')?;
                        parser.expect(';', "\";\"")?;
                    }
                }
            }
            Ok(nested)
        })?;
        let after = self.expect_with_doc('}', "\"}\"")?;
        doc = doc.or(after);
        Ok(Decl { name, id, params, annotations, doc, what: What::Interface, nested })
    }

    fn skip_until(&mut self, mark: char) -> Result<()> {
        while !self.is(mark) {
            if matches!(self.token, Token::End | Token::Mark('{' | '}' | ';')) {
                return Err(self.expected(&format!("{mark:?}")));
            }
            self.advance()?;
        }
        Ok(())
    }

    fn annotations(&mut self) -> Result<Vec<Applied>> {
        let mut all = Vec::new();
        while self.is('$') {
            let at = self.at;
            self.advance()?;
            let mut name = self.path("the annotation's name")?;
            let value = match name.parts.last() {
                Some(Part::Apply(..)) => match name.parts.pop() {
                    Some(Part::Apply(mut arguments, at)) => match &arguments[..] {
                        [(None, _)] => arguments.pop().map(|(_, value)| value),
                        _ => Some(Expr { at, form: ExprForm::Tuple(arguments) }),
                    },
                    _ => None,
                },
                _ => None,
            };
            all.push(Applied { name, value, at });
        }
        Ok(all)
    }

    fn expr(&mut self) -> Result<Expr> {
        let at = self.at;
        let form = match &self.token {
            Token::Name(name) if name == "embed" => {
                self.advance()?;
                match self.advance()? {
                    Token::Text(_) => ExprForm::Embed,
                    _ => return Err(self.lexer.error(at, "expected the name of a file after embed")),
                }
            }
            Token::Name(_) | Token::Mark('.') => ExprForm::Path(self.path("a type or value")?),
            Token::Mark('-') => {
                self.advance()?;
                match self.token {
                    Token::Int(value) => {
                        self.advance()?;
                        ExprForm::Int { is_negative: true, value }
                    }
                    Token::Float(value) => {
                        self.advance()?;
                        ExprForm::Float(-value)
                    }
                    _ if self.is_word("inf") => {
                        self.advance()?;
                        ExprForm::Float(f64::NEG_INFINITY)
                    }
                    _ => return Err(self.expected("a number after \"-\"")),
                }
            }
            Token::Mark('[') => {
                self.advance()?;
                let mut items = Vec::new();
                while !self.is(']') {
                    items.push(self.deeper(Parser::expr)?);
                    if !self.take(',')? {
                        break;
                    }
                }
                self.expect(']', "\",\" or \"]\"")?;
                ExprForm::List(items)
            }
            Token::Mark('(') => ExprForm::Tuple(self.arguments()?),
            Token::Int(_) | Token::Float(_) | Token::Text(_) | Token::Data(_) => match self.advance()? {
                Token::Int(value) => ExprForm::Int { is_negative: false, value },
                Token::Float(value) => ExprForm::Float(value),
                Token::Text(bytes) => ExprForm::Text(bytes),
                Token::Data(bytes) => ExprForm::Data(bytes),
                _ => unreachable!("matched above"),
            },
            _ => return Err(self.expected("a type or value")),
        };
        Ok(Expr { at, form })
    }

    fn arguments(&mut self) -> Result<Vec<(Option<Name>, Expr)>> {
        self.expect('(', "\"(\"")?;
        let mut arguments = Vec::new();
        while !self.is(')') {
            let is_named =
                matches!(self.token, Token::Name(_)) && matches!(self.lexer.clone().next(), Ok((Token::Mark('='), ..)));
            let name = if is_named { Some(self.name("a field")?) } else { None };
            if is_named {
                self.expect('=', "\"=\"")?;
            }
            arguments.push((name, self.deeper(Parser::expr)?));
            if !self.take(',')? {
                break;
            }
        }
        self.expect(')', "\",\" or \")\"")?;
        Ok(arguments)
    }

    fn path(&mut self, what: &str) -> Result<Path> {
        let start = self.at;
        let base = if self.take('.')? {
            Base::Absolute(self.name("a name after \".\"")?.text)
        } else {
            let name = self.name(what)?;
            match (&name.text[..], &self.token) {
                ("import", Token::Text(_)) => match self.advance()? {
                    Token::Text(path) => match String::from_utf8(path) {
                        Ok(path) => Base::Import(path),
                        Err(_) => return Err(self.lexer.error(start, "the name of the file is not valid UTF-8")),
                    },
                    _ => unreachable!("matched above"),
                },
                _ => Base::Name(name.text),
            }
        };
        let mut parts = Vec::new();
        loop {
            let at = self.at;
            if parts.len() > MOST_PARTS {
                return Err(self.lexer.error(start, format!("the name has more than {MOST_PARTS} parts")));
            }
            if self.take('.')? {
                parts.push(Part::Member(self.name("a name after \".\"")?));
            } else if self.is('(') {
                parts.push(Part::Apply(self.arguments()?, at));
            } else {
                return Ok(Path { base, parts });
            }
        }
    }
}

/// What fits into a message.
pub(super) fn shortened(name: &str) -> &str {
    const MOST: usize = 60;
    match name.char_indices().nth(MOST) {
        Some((end, _)) => &name[..end],
        None => name,
    }
}
