//! From text to a tree. What the tree must obey beyond its grammar is checked later.

mod declarations;
mod options;

use std::sync::Arc;

use crate::{Error, Result, Source};

use super::ast::{At, File, Import, ImportKind, Name, Opt, Syntax};
use super::lexer::{Kind, Lexer, Token};
use super::place::{Lines, Origin};

pub(super) use declarations::MOST_NUMBER;

/// How deep messages, groups and the values of options may nest.
const DEEPEST: usize = 64;

/// Reads a file that others import as `path`.
pub(super) fn parse(source: &Source, path: &str) -> Result<File> {
    let text = source.text()?;
    let lines = Lines::new(source.name.clone(), Arc::from(text));
    let mut parser = Parser::new(text, &lines, false)?;
    let mut file = parser.file()?;
    file.path = path.to_owned();
    file.origin = Origin::Text(lines);
    Ok(file)
}

/// Reads options as they stand between the brackets after a field; for notes.
pub(super) fn parse_options(text: &str) -> Option<Vec<Opt>> {
    let lines = Lines::new("".into(), Arc::from(text));
    let mut parser = Parser::new(text, &lines, false).ok()?;
    let options = parser.option_list(Kind::End).ok()?;
    Some(options)
}

/// Reads statements in which extensions may have full names; for notes.
pub(super) fn parse_statements(text: &str) -> Option<File> {
    let lines = Lines::new("".into(), Arc::from(text));
    Parser::new(text, &lines, true).ok()?.file().ok()
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The next token.
    token: Token<'a>,
    depth: usize,
    syntax: Syntax,
    /// Whether names of fields may have dots.
    full_names: bool,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, lines: &'a Lines, full_names: bool) -> Result<Parser<'a>> {
        let mut lexer = Lexer::new(text, lines);
        let token = lexer.next()?;
        Ok(Parser { lexer, token, depth: 0, syntax: Syntax::Proto2, full_names })
    }

    /// Takes the next token.
    fn bump(&mut self) -> Result<Token<'a>> {
        let next = self.lexer.next()?;
        Ok(std::mem::replace(&mut self.token, next))
    }

    fn expected(&self, what: &str) -> Error {
        self.lexer.error(self.token.at, format!("found {}, expected {what}", self.token.kind))
    }

    fn at(&self) -> At {
        self.token.at
    }

    fn is_sign(&self, sign: char) -> bool {
        self.token.kind == Kind::Sign(sign)
    }

    fn is_word(&self, word: &str) -> bool {
        self.token.kind == Kind::Word(word)
    }

    /// Takes the sign if it is next.
    fn take(&mut self, sign: char) -> Result<bool> {
        let is = self.is_sign(sign);
        if is {
            self.bump()?;
        }
        Ok(is)
    }

    fn sign(&mut self, sign: char) -> Result<()> {
        if self.take(sign)? { Ok(()) } else { Err(self.expected(&format!("{:?}", sign.to_string()))) }
    }

    fn word(&mut self, what: &str) -> Result<Name> {
        match self.token.kind {
            Kind::Word(word) => {
                let at = self.bump()?.at;
                Ok(Name { text: word.to_owned(), at })
            }
            _ => Err(self.expected(what)),
        }
    }

    /// A name that may have dots.
    fn dotted(&mut self, what: &str) -> Result<Name> {
        let mut name = self.word(what)?;
        while self.take('.')? {
            name.text.push('.');
            name.text.push_str(&self.word("a name after the dot")?.text);
            self.check_length(&name)?;
        }
        Ok(name)
    }

    fn check_length(&self, name: &Name) -> Result<()> {
        const LONGEST: usize = 1024;
        if name.text.len() > LONGEST {
            return Err(self.lexer.error(name.at, format!("the name is longer than {LONGEST}")));
        }
        Ok(())
    }

    /// The name of a type, which may begin with a dot.
    fn type_name(&mut self, what: &str) -> Result<Name> {
        let at = self.at();
        let full = self.take('.')?;
        let name = self.dotted(what)?;
        Ok(Name { text: if full { format!(".{}", name.text) } else { name.text }, at })
    }

    fn text(&mut self, what: &str) -> Result<Name> {
        let at = self.at();
        let bytes = self.bytes(what)?;
        let text = String::from_utf8(bytes).map_err(|_| self.lexer.error(at, "the string is not valid UTF-8"))?;
        Ok(Name { text, at })
    }

    /// Strings, put together.
    fn bytes(&mut self, what: &str) -> Result<Vec<u8>> {
        let mut all = None;
        while let Kind::Text(_) = self.token.kind {
            if let Kind::Text(text) = self.bump()?.kind {
                all.get_or_insert_with(Vec::new).extend(text);
            }
        }
        all.ok_or_else(|| self.expected(what))
    }

    /// An integer, which may be negative. Those beyond 64 bits are as good as the largest: none fits anywhere.
    fn integer(&mut self, what: &str) -> Result<(i64, At)> {
        let at = self.at();
        let negative = self.take('-')?;
        let value = match self.token.kind {
            Kind::Int(value) => i64::try_from(value).unwrap_or(i64::MAX),
            _ => return Err(self.expected(what)),
        };
        self.bump()?;
        Ok((if negative { -value } else { value }, at))
    }

    /// Goes one level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEEPEST {
            return Err(self.lexer.error(self.at(), format!("declarations and values nest deeper than {DEEPEST}")));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// The comment before the statement that begins here.
    fn leading(&mut self) -> Option<String> {
        self.lexer.gap.leading.take()
    }

    /// Adds the comment behind the statement, or the opening brace, that was just read.
    fn trailing(&mut self, comment: &mut Option<String>) {
        if let Some(trailing) = self.lexer.gap.trailing.take() {
            *comment = Some(match comment.take() {
                Some(leading) => format!("{leading}\n{trailing}"),
                None => trailing,
            });
        }
    }

    fn file(&mut self) -> Result<File> {
        let mut file = File::default();
        if let Kind::Word(statement @ ("syntax" | "edition")) = self.token.kind {
            file.comment = self.leading();
            self.bump()?;
            self.sign('=')?;
            let what = if statement == "syntax" { "\"proto2\" or \"proto3\"" } else { "an edition, such as \"2023\"" };
            let name = self.text(what)?;
            let known = Syntax::by_name(&name.text);
            let known = known.filter(|&syntax| (syntax == Syntax::Edition2023) == (statement == "edition"));
            file.syntax = known.ok_or_else(|| {
                let what = format!("the {statement} {:?} is not known", super::lexer::short(&name.text));
                self.lexer.error(name.at, what).hint("known are syntax \"proto2\" and \"proto3\", and edition \"2023\"")
            })?;
            self.sign(';')?;
            self.trailing(&mut file.comment);
            self.syntax = file.syntax;
        }
        while self.token.kind != Kind::End {
            self.statement(&mut file)?;
        }
        Ok(file)
    }

    fn statement(&mut self, file: &mut File) -> Result<()> {
        if self.take(';')? {
            return Ok(());
        }
        let Kind::Word(word) = self.token.kind else {
            return Err(self.expected(TOP_LEVEL));
        };
        match word {
            "import" => {
                self.bump()?;
                let kind = match self.token.kind {
                    Kind::Word("public") => ImportKind::Public,
                    Kind::Word("weak") => ImportKind::Weak,
                    _ => ImportKind::Plain,
                };
                if kind != ImportKind::Plain {
                    self.bump()?;
                }
                let path = self.text("the path of a file in quotes")?;
                self.sign(';')?;
                file.imports.push(Import { path, kind });
            }
            "package" => {
                let at = self.bump()?.at;
                let name = self.dotted("a package name")?;
                self.sign(';')?;
                if file.package.replace(name).is_some() {
                    return Err(self.lexer.error(at, "a second package statement: a file has one package"));
                }
            }
            "option" => {
                let option = self.option_statement()?;
                file.options.push(option);
            }
            "message" => {
                let message = self.message()?;
                file.items.push(message);
            }
            "enum" => {
                let e = self.enumeration()?;
                file.items.push(e);
            }
            "extend" => self.extend(&mut file.items)?,
            "service" => {
                let name = self.service()?;
                file.services.push(name);
            }
            "syntax" | "edition" => {
                return Err(self.lexer.error(self.at(), format!("{word} must be the first statement of the file")));
            }
            _ => return Err(self.expected(TOP_LEVEL)),
        }
        Ok(())
    }

    /// Passes over a service.
    fn service(&mut self) -> Result<Name> {
        self.bump()?;
        let name = self.word("the name of a service")?;
        if !self.is_sign('{') {
            return Err(self.expected("\"{\""));
        }
        let mut open = 0usize;
        loop {
            match self.token.kind {
                Kind::Sign('{') => open += 1,
                Kind::Sign('}') => open -= 1,
                Kind::End => return Err(self.expected("\"}\" at the end of the service")),
                _ => {}
            }
            self.bump()?;
            if open == 0 {
                return Ok(name);
            }
        }
    }
}

const TOP_LEVEL: &str = "import, package, option, message, enum, extend or service";
