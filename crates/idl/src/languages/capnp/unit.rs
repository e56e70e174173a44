//! Files: reading one and all that it imports, and places in them.

use std::collections::HashMap;
use std::sync::Arc;

use super::ast::{Applied, Base, Decl, Expr, ExprForm, File, Form, Member, Part, Path, What};
use super::builtin::Builtin;
use super::parser;
use crate::{Error, Files, Place, Result, Source};

/// A file that was read.
pub(super) struct Unit {
    name: Arc<str>,
    lines: Lines,
    pub(super) file: File,
    /// The files that it imports, by the names that it uses.
    pub(super) imports: HashMap<String, usize>,
    /// What our files call it, when it comes with Cap'n Proto.
    pub(super) alias: Option<&'static str>,
}

/// Most files that belong to one schema.
const MOST_FILES: usize = 10_000;

/// Reads a file and everything that it imports; it is the first of the units. Files may import each other.
pub(super) fn load(source: &Source, files: &dyn Files) -> Result<Vec<Unit>> {
    let mut known: HashMap<Arc<str>, usize> = HashMap::from([(source.name.clone(), 0)]);
    let mut units = vec![Unit::parse(source, None)?];
    let mut sources = vec![source.clone()];
    let mut next = 0;
    while next < units.len() {
        let mut found = Vec::new();
        imports_of(&units[next].file, &mut found);
        for (path, at) in found {
            if units[next].imports.contains_key(&path) {
                continue;
            }
            let builtin = Builtin::find(&path);
            let from = &sources[next];
            let beside = files.find(&path, from).map_err(|error| error.or_at(units[next].place(at)))?;
            let Some(source) = beside.or_else(|| builtin.map(Builtin::source)) else {
                let what = format!("there is no file {:?} to import", parser::shortened(&path));
                return Err(Error::at(units[next].place(at), what).hint(files.places()));
            };
            let index = match known.get(&source.name) {
                Some(&index) => index,
                None if units.len() == MOST_FILES => {
                    return Err(Error::at(units[next].place(at), format!("this is more than {MOST_FILES} files")));
                }
                None => {
                    known.insert(source.name.clone(), units.len());
                    units.push(Unit::parse(&source, builtin.map(|builtin| builtin.alias))?);
                    sources.push(source);
                    units.len() - 1
                }
            };
            units[next].imports.insert(path, index);
        }
        next += 1;
    }
    Ok(units)
}

impl Unit {
    fn parse(source: &Source, alias: Option<&'static str>) -> Result<Unit> {
        let text = source.text()?;
        let file = parser::parse(&source.name, text)?;
        Ok(Unit { name: source.name.clone(), lines: Lines::new(text), file, imports: HashMap::new(), alias })
    }

    /// The place of a byte.
    pub(super) fn place(&self, at: usize) -> Place {
        self.lines.place(&self.name, at)
    }

    /// Something wrong at a byte.
    #[cold]
    pub(super) fn error(&self, at: usize, what: impl Into<String>) -> Error {
        Error::at(self.place(at), what)
    }

    /// The file's name without folders and what follows the dot.
    pub(super) fn stem(&self) -> &str {
        let name = self.name.rsplit('/').next().unwrap_or_default();
        name.split('.').next().unwrap_or_default()
    }
}

/// Lines and columns of a file, found without reading it again.
struct Lines {
    /// Where each line begins.
    starts: Vec<usize>,
    /// How many characters there are before every [`STEP`]th byte.
    characters: Vec<usize>,
    text: Box<[u8]>,
}

const STEP: usize = 256;

impl Lines {
    fn new(text: &str) -> Self {
        let newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(newlines).collect();
        let mut characters = vec![0];
        let mut count = 0;
        for chunk in text.as_bytes().chunks(STEP) {
            count += begins(chunk);
            characters.push(count);
        }
        Lines { starts, characters, text: text.as_bytes().into() }
    }

    fn place(&self, name: &Arc<str>, at: usize) -> Place {
        let at = at.min(self.text.len());
        let line = self.starts.partition_point(|&start| start <= at);
        let start = self.starts[line - 1];
        let column = self.count(at) - self.count(start) + 1;
        Place { file: name.clone(), line: line as u32, column: column as u32 }
    }

    /// Characters before a byte.
    fn count(&self, at: usize) -> usize {
        let step = at / STEP;
        self.characters[step] + begins(&self.text[step * STEP..at])
    }
}

/// Characters that begin in these bytes.
fn begins(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}

fn imports_of(file: &File, found: &mut Vec<(String, usize)>) {
    applied(&file.annotations, found);
    file.decls.iter().for_each(|decl| in_decl(decl, found));
}

fn in_decl(decl: &Decl, found: &mut Vec<(String, usize)>) {
    applied(&decl.annotations, found);
    match &decl.what {
        What::Using(expr) | What::Annotation { ty: expr, .. } => in_expr(expr, found),
        What::Const { ty, value } => {
            in_expr(ty, found);
            in_expr(value, found);
        }
        What::Enum(members) | What::Struct(members) => in_members(members, found),
        What::Interface => {}
    }
    decl.nested.iter().for_each(|decl| in_decl(decl, found));
}

fn in_members(members: &[Member], found: &mut Vec<(String, usize)>) {
    for member in members {
        applied(&member.annotations, found);
        match &member.form {
            Form::Enumerant => {}
            Form::Field { ty, default } => {
                in_expr(ty, found);
                default.iter().for_each(|default| in_expr(default, found));
            }
            Form::Group(members) | Form::Union(members) => in_members(members, found),
        }
    }
}

fn applied(all: &[Applied], found: &mut Vec<(String, usize)>) {
    for applied in all {
        in_path(&applied.name, applied.at, found);
        applied.value.iter().for_each(|value| in_expr(value, found));
    }
}

fn in_expr(expr: &Expr, found: &mut Vec<(String, usize)>) {
    match &expr.form {
        ExprForm::Path(path) => in_path(path, expr.at, found),
        ExprForm::List(items) => items.iter().for_each(|item| in_expr(item, found)),
        ExprForm::Tuple(items) => items.iter().for_each(|(_, item)| in_expr(item, found)),
        _ => {}
    }
}

fn in_path(path: &Path, at: usize, found: &mut Vec<(String, usize)>) {
    if let Base::Import(path) = &path.base {
        found.push((path.clone(), at));
    }
    for part in &path.parts {
        if let Part::Apply(arguments, _) = part {
            arguments.iter().for_each(|(_, argument)| in_expr(argument, found));
        }
    }
}
