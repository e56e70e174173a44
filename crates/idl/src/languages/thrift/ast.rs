//! What a `.thrift` file says, before names mean anything.

use wirewise_core::Notes;

use super::lexer::At;

#[derive(Debug, Default)]
pub(super) struct File {
    /// What our writer says of the file as a whole.
    pub(super) notes: Notes,
    pub(super) includes: Vec<Name>,
    /// `py com.acme`, with annotations.
    pub(super) namespaces: Vec<String>,
    pub(super) cpp_includes: Vec<String>,
    pub(super) items: Vec<Item>,
}

/// A name, or the path of an include, where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) at: At,
}

/// Something with a name at the top of a file.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) name: Name,
    pub(super) head: Head,
    pub(super) what: What,
}

/// What can be said of anything: documentation, notes of ours, annotations.
#[derive(Debug, Default, Clone)]
pub(super) struct Head {
    pub(super) doc: Option<String>,
    pub(super) notes: Notes,
    pub(super) annotations: Annotations,
}

pub(super) type Annotations = Vec<(String, String)>;

#[derive(Debug)]
pub(super) enum What {
    Typedef(TypeRef),
    Enum(Vec<Symbol>),
    Struct(Form, Vec<Field>),
    Const(TypeRef, Value),
    Service,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Struct,
    Union,
    Exception,
}

#[derive(Debug)]
pub(super) struct Symbol {
    pub(super) name: Name,
    pub(super) head: Head,
    pub(super) number: i64,
}

#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: Name,
    pub(super) head: Head,
    pub(super) id: i16,
    pub(super) requiredness: Option<Requiredness>,
    pub(super) ty: TypeRef,
    /// `&`
    pub(super) reference: bool,
    pub(super) default: Option<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Requiredness {
    Required,
    Optional,
}

#[derive(Debug)]
pub(super) struct TypeRef {
    pub(super) at: At,
    pub(super) expr: TypeExpr,
    pub(super) annotations: Annotations,
    pub(super) cpp_type: Option<String>,
}

#[derive(Debug)]
pub(super) enum TypeExpr {
    Base(Base),
    Named(String),
    List(Box<TypeRef>),
    Set(Box<TypeRef>),
    Map(Box<TypeRef>, Box<TypeRef>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    Bool,
    I8,
    I16,
    I32,
    I64,
    Double,
    String,
    Binary,
}

impl Base {
    /// The base type of this name.
    pub(super) fn by_name(name: &str) -> Option<Base> {
        Some(match name {
            "bool" => Base::Bool,
            "byte" | "i8" => Base::I8,
            "i16" => Base::I16,
            "i32" => Base::I32,
            "i64" => Base::I64,
            "double" => Base::Double,
            // Old files have it; it never was another type on the wire.
            "string" | "slist" => Base::String,
            "binary" => Base::Binary,
            _ => return None,
        })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Base::Bool => "bool",
            Base::I8 => "i8",
            Base::I16 => "i16",
            Base::I32 => "i32",
            Base::I64 => "i64",
            Base::Double => "double",
            Base::String => "string",
            Base::Binary => "binary",
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Value {
    pub(super) at: At,
    pub(super) what: Literal,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Literal {
    Int(i64),
    Double(f64),
    Text(String),
    /// A constant, or an enum's symbol.
    Name(String),
    List(Vec<Value>),
    Map(Vec<(Value, Value)>),
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.what == other.what
    }
}
