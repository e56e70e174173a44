//! What a file says, before any name is looked up. Places are bytes of the file.

/// A file.
#[derive(Debug, Default)]
pub(super) struct File {
    pub(super) id: Option<u64>,
    pub(super) doc: Option<String>,
    pub(super) annotations: Vec<Applied>,
    pub(super) decls: Vec<Decl>,
}

/// A name, and where it is.
#[derive(Debug, Clone)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) at: usize,
}

/// A declaration that others can refer to.
#[derive(Debug)]
pub(super) struct Decl {
    pub(super) name: Name,
    pub(super) id: Option<u64>,
    pub(super) params: Vec<Name>,
    pub(super) annotations: Vec<Applied>,
    pub(super) doc: Option<String>,
    pub(super) what: What,
    pub(super) nested: Vec<Decl>,
}

/// What is declared.
#[derive(Debug)]
pub(super) enum What {
    Using(Expr),
    Const { ty: Expr, value: Expr },
    Annotation { targets: Vec<String>, ty: Expr },
    Enum(Vec<Member>),
    Struct(Vec<Member>),
    Interface,
}

/// A field, group or union of a struct, or an enumerant.
#[derive(Debug)]
pub(super) struct Member {
    /// None has only a union.
    pub(super) name: Option<Name>,
    pub(super) at: usize,
    pub(super) ordinal: Option<(u32, usize)>,
    pub(super) annotations: Vec<Applied>,
    pub(super) doc: Option<String>,
    pub(super) form: Form,
}

/// What a member is.
#[derive(Debug)]
pub(super) enum Form {
    Enumerant,
    Field { ty: Expr, default: Option<Expr> },
    Group(Vec<Member>),
    Union(Vec<Member>),
}

/// An annotation where it is applied.
#[derive(Debug)]
pub(super) struct Applied {
    pub(super) name: Path,
    pub(super) value: Option<Expr>,
    pub(super) at: usize,
}

/// A type or a value.
#[derive(Debug)]
pub(super) struct Expr {
    pub(super) at: usize,
    pub(super) form: ExprForm,
}

#[derive(Debug)]
pub(super) enum ExprForm {
    Path(Path),
    Int {
        is_negative: bool,
        value: u64,
    },
    Float(f64),
    Text(Vec<u8>),
    Data(Vec<u8>),
    List(Vec<Expr>),
    Tuple(Vec<(Option<Name>, Expr)>),
    /// The content of another file.
    Embed,
}

/// A name with members and arguments: `Map(Text, Person).Entry`.
#[derive(Debug)]
pub(super) struct Path {
    pub(super) base: Base,
    pub(super) parts: Vec<Part>,
}

#[derive(Debug)]
pub(super) enum Base {
    /// Looked up from where it is said.
    Name(String),
    /// With a dot before it: looked up in the file.
    Absolute(String),
    Import(String),
}

#[derive(Debug)]
pub(super) enum Part {
    Member(Name),
    Apply(Vec<(Option<Name>, Expr)>, usize),
}
