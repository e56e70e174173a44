//! Words that cannot be names.

/// What the Thrift compiler refuses as a name, for most languages: we do not write them.
#[rustfmt::skip]
pub(super) const RESERVED: &[&str] = &[
    "BEGIN", "END", "__CLASS__", "__DIR__", "__FILE__", "__FUNCTION__", "__LINE__", "__METHOD__", "__NAMESPACE__",
    "abstract", "alias", "and", "args", "as", "assert", "async", "begin", "binary", "bool", "break", "byte", "case",
    "catch", "class", "clone", "const", "continue", "cpp_include", "cpp_namespace", "cpp_type", "declare", "def",
    "default", "del", "delete", "delphi_namespace", "do", "double", "dynamic", "elif", "else", "elseif", "elsif", "end",
    "enddeclare", "endfor", "endforeach", "endif", "endswitch", "endwhile", "ensure", "enum", "except", "exception",
    "exec", "extends", "false", "finally", "float", "for", "foreach", "from", "function", "global", "goto", "i16",
    "i32", "i64", "i8", "if", "implements", "import", "in", "include", "inline", "instanceof", "interface", "is",
    "java_package", "lambda", "list", "map", "module", "namespace", "native", "new", "next", "nil", "not", "oneway",
    "optional", "or", "package", "pass", "perl_package", "php_namespace", "print", "private", "protected", "public",
    "py_module", "raise", "redo", "register", "required", "rescue", "retry", "return", "ruby_namespace", "self",
    "senum", "service", "set", "sizeof", "slist", "smalltalk_category", "smalltalk_prefix", "static", "string",
    "struct", "super", "switch", "synchronized", "then", "this", "throw", "throws", "transient", "true", "try",
    "typedef", "undef", "union", "unless", "unsigned", "until", "use", "var", "virtual", "void", "volatile", "when",
    "while", "with", "xor", "xsd_all", "xsd_attrs", "xsd_namespace", "xsd_nillable", "xsd_optional", "yield",
];

/// Those of them that are names in files for Python, for which the compiler takes them.
#[rustfmt::skip]
const TAKEN: &[&str] = &[
    "BEGIN", "END", "__CLASS__", "__DIR__", "__FILE__", "__FUNCTION__", "__LINE__", "__METHOD__", "__NAMESPACE__",
    "abstract", "alias", "args", "begin", "case", "catch", "clone", "declare", "default", "delete", "do", "dynamic",
    "elseif", "elsif", "end", "enddeclare", "endfor", "endforeach", "endif", "endswitch", "endwhile", "ensure", "float",
    "foreach", "function", "goto", "implements", "inline", "instanceof", "interface", "module", "native", "new", "next",
    "nil", "package", "private", "protected", "public", "redo", "register", "rescue", "retry", "self", "sizeof",
    "static", "super", "switch", "synchronized", "then", "this", "throw", "transient", "undef", "unless", "unsigned",
    "until", "use", "var", "virtual", "volatile", "when", "xor",
];

/// Whether a word is never a name.
pub(super) fn is_refused(word: &str) -> bool {
    RESERVED.contains(&word) && !TAKEN.contains(&word)
}

/// What we do not use as a name either: newer compilers refuse `uuid`, and Python cannot read code with the others.
pub(super) const AVOIDED: &[&str] = &["False", "None", "True", "await", "nonlocal", "uuid"];
