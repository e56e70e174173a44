"""Makes src/generated/: what code generators, and people, write for the schemas in schemas/.

The types that serde, prost and Thrift share are written here, from the schema, in the way that the documentation of these
libraries shows; the rest comes from the generators of the peers. See README.md for the tools that it needs.

Usage: python3 generate.py [WORKLOAD ...]
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
OUT = HERE / "src/generated"


# The binary of this repository: cargo build --release -p wirewise
WIREWISE = os.environ.get("WIREWISE", str(HERE.parent / "target/release/wirewise"))

SCALARS = {
    "string": "String",
    "int32": "i32",
    "int64": "i64",
    "float64": "f64",
    "bool": "bool",
}
PROST = {
    "string": "string",
    "int32": "int32",
    "int64": "int64",
    "float64": "double",
    "bool": "bool",
}


class Type:
    """A type of the schema, as far as the workloads need it."""

    def __init__(self, kind):
        self.list = isinstance(kind, dict) and "list" in kind
        self.nullable = isinstance(kind, dict) and "nullable" in kind
        self.inner = (
            kind["list"] if self.list else kind["nullable"] if self.nullable else kind
        )
        self.record = self.inner not in SCALARS
        self.string = self.inner == "string"

    def wrapped(self, inner):
        return (
            f"Vec<{inner}>"
            if self.list
            else f"Option<{inner}>"
            if self.nullable
            else inner
        )

    def prost(self, number):
        label = (
            ", repeated"
            if self.list
            else ", optional"
            if self.nullable
            else ", required"
            if self.record
            else ""
        )
        return f'#[prost({"message" if self.record else PROST[self.inner]}{label}, tag = "{number}")]'


class Schema:
    """A workload's schema: records and the root, which is a record or a list of one."""

    def __init__(self, name):
        self.name = name
        data = json.loads((HERE / f"schemas/{name}.json").read_text())
        self.records = {
            record["record"]: [
                (f["number"], f["name"], Type(f["type"])) for f in record["fields"]
            ]
            for record in data["types"]
        }
        self.root = Type(data["root"])
        self.module = name.replace("-", "_")


def has_text(schema, record):
    """Whether a record has text in it, at any depth, and so borrows."""
    return any(
        ty.string or ty.record and has_text(schema, ty.inner)
        for _, _, ty in schema.records[record]
    )


def types(schema):
    """The structs that one writes for serde, prost and Thrift."""
    out = ["use serde::{Deserialize, Serialize};", ""]
    for record, fields in schema.records.items():
        out += [
            "#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]",
            f"pub struct {record} {{",
        ]
        for number, name, ty in fields:
            out += [
                f"    {ty.prost(number)}",
                f"    pub {name}: {ty.wrapped(SCALARS.get(ty.inner, ty.inner))},",
            ]
        out += ["}", ""]
        text = has_text(schema, record)
        parameter = "<S>" if text else ""
        out += ["#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]"]
        if text:
            out += ['#[serde(bound(deserialize = "S: Deserialize<\'de>"))]']
        out += [f"pub struct {record}Ref{parameter} {{"]
        for _, name, ty in fields:
            borrowed = (
                f"{ty.inner}Ref" + ("<S>" if has_text(schema, ty.inner) else "")
                if ty.record
                else None
            )
            inner = borrowed or ("S" if ty.string else SCALARS[ty.inner])
            out += [f"    pub {name}: {ty.wrapped(inner)},"]
        out += ["}", ""]
    root = schema.root.inner
    parameter = "<S>" if has_text(schema, root) else ""
    if schema.root.list:
        out += [
            "#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]",
            "#[serde(transparent)]",
            "pub struct Root {",
            '    #[prost(message, repeated, tag = "1")]',
            f"    pub value: Vec<{root}>,",
            "}",
            "",
        ]
        out += [
            f"pub type RootRef<S> = {'crate::shapes::ListOf' if not parameter else 'Vec'}<{root}Ref{parameter or ', S'}>;"
        ]
    else:
        out += [
            f"pub type Root = {root};",
            f"pub type RootRef<S> = {root}Ref{parameter};",
        ]
    return "\n".join(out) + "\n"


def translate(schema):
    """Our schema in the languages of the peers' generators."""
    path = HERE / f"schemas/{schema.name}"
    for language in ["avsc", "proto", "thrift", "fbs", "capnp"]:
        out = f"{path}.{language}"
        subprocess.run(
            [WIREWISE, "schema", "translate", "--lossy", f"{path}.json", "-o", out],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        text = pathlib.Path(out).read_text()
        # What only Wirewise reads; one compiler takes `uuid` for a keyword, and the one that makes Rust does not.
        text = re.sub(
            r"^ *(//+|#|/\*\*) @wirewise .*\n", "", text, flags=re.MULTILINE
        ).replace("uuid2", "uuid")
        # The same name for the wrapper of a list in all languages.
        text = re.sub(
            r"^// A message.\nmessage \w+", "message Root", text, flags=re.MULTILINE
        ).replace("struct Message", "struct Root")
        if language == "thrift":
            # Its compiler boxes what is declared only later.
            structs = {
                block.split()[1]: block
                for block in re.findall(
                    r"^struct .*?^}\n", text, flags=re.DOTALL | re.MULTILINE
                )
            }
            order = [*reversed(schema.records), *(["Root"] if schema.root.list else [])]
            text = "\n".join(structs[name] for name in order)
        pathlib.Path(out).write_text(text)
    subprocess.run(
        [
            "protoc",
            f"-I{path.parent}",
            f"--descriptor_set_out={path}.desc",
            f"{path}.proto",
        ],
        check=True,
    )


def camel(name):
    return "".join(part.capitalize() for part in name.split("_"))


class Glue:
    """What people write by hand to use the generated code of the peers: one function for each record and purpose."""

    def __init__(self, schema):
        self.schema = schema
        self.out = []
        roots = {"Root": [(1, "value", schema.root)]} if schema.root.list else {}
        self.records = {**schema.records, **roots}

    def function(self, signature, lines):
        self.out += [f"pub fn {signature} {{", *lines, "}", ""]

    def make(self):
        for record, fields in self.records.items():
            self.snake = re.sub(r"(?<!^)([A-Z])", r"_\1", record).lower()
            for part in [
                self.sum,
                self.serialize,
                self.view,
                self.flatbuffers,
                self.flatbuffers_sum,
            ]:
                part(record, fields)
            for part in [self.planus, self.planus_sum, self.capnp, self.capnp_sum]:
                part(record, fields)
        return "\n".join(self.out) + "\n"

    @staticmethod
    def name(record):
        return re.sub(r"(?<!^)([A-Z])", r"_\1", record).lower()

    def term(self, prefix, ty, value):
        """What one value adds to the sum of a message."""
        if ty.record:
            return f"{prefix}sum_{self.name(ty.inner)}({value})"
        return f"{value}.len() as u64" if ty.string else f"sum::{ty.inner}({value})"

    def sum(self, record, fields):
        lines = ["let mut sum = 0_u64;"]
        for _, name, ty in fields:
            value = f"&v.{name}" if ty.record else f"v.{name}"
            if ty.list or ty.nullable:
                item = "item" if ty.record or ty.string else "*item"
                each = "for item in" if ty.list else "if let Some(item) ="
                lines += [
                    f"{each} &v.{name} {{ sum = sum.wrapping_add({self.term('', ty, item)}); }}"
                ]
            else:
                lines += [f"sum = sum.wrapping_add({self.term('', ty, value)});"]
        self.function(f"sum_{self.name(record)}(v: &{record}) -> u64", [*lines, "sum"])

    def serialize(self, record, fields):
        view = f"view::{record}View<'_>"
        self.out += [f"impl serde::Serialize for {view} {{"]
        self.out += [
            "fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {"
        ]
        if record == "Root":
            self.out += ["self.value[..].serialize(serializer)", "}", "}", ""]
            return
        self.out += ["use serde::ser::SerializeStruct;"]
        self.out += [
            f'let mut s = serializer.serialize_struct("{record}", {len(fields)})?;'
        ]
        for _, name, ty in fields:
            value = (
                f"&self.{name}[..]"
                if ty.list
                else f"&*self.{name}"
                if ty.record
                else f"&self.{name}"
            )
            self.out += [f's.serialize_field("{name}", {value})?;']
        self.out += ["s.end()", "}", "}", ""]

    def view(self, record, fields):
        lines = []
        for _, name, ty in fields:
            value = f"v.{name}"
            if ty.list:
                item = (
                    f".map(view_{self.name(ty.inner)})"
                    if ty.record
                    else ".map(|text| &*text.0)"
                    if ty.string
                    else ".copied()"
                )
                value = f"v.{name}.iter(){item}.collect()"
            elif ty.record:
                value = f"view_{self.name(ty.inner)}(&v.{name}).into()"
            elif ty.string:
                value = (
                    f"v.{name}.as_ref().map(|text| &*text.0)"
                    if ty.nullable
                    else f"&v.{name}.0"
                )
            lines += [f"{name}: {value},"]
        text = record == "Root" or has_text(self.schema, record)
        borrowed = (
            "RootRef<Str<'_>>"
            if record == "Root"
            else f"{record}Ref" + ("<Str<'_>>" if text else "")
        )
        if record == "Root":
            borrowed = f"[{self.schema.root.inner}Ref" + (
                "<Str<'_>>]" if has_text(self.schema, self.schema.root.inner) else "]"
            )
            lines = [
                f"value: v.iter().map(view_{self.name(self.schema.root.inner)}).collect(),"
            ]
        # Views that borrow nothing have a marker.
        rest = [] if text or record == "Root" else ["..Default::default()"]
        lines = [f"view::{record}View {{", *lines, *rest, "}"]
        self.function(
            f"view_{self.name(record)}<'b>(v: &'b {borrowed}) -> view::{record}View<'b>",
            lines,
        )

    def flatbuffers(self, record, fields):
        lines, args = [], []
        for _, name, ty in fields:
            if ty.list and (ty.record or ty.string):
                item = (
                    f"flatbuffers_{self.name(ty.inner)}(b, item)"
                    if ty.record
                    else "b.create_string(item)"
                )
                lines += [
                    f"let {name}: Vec<_> = v.{name}.iter().map(|item| {item}).collect();"
                ]
                lines += [f"let {name} = Some(b.create_vector(&{name}));"]
            elif ty.list:
                lines += [f"let {name} = Some(b.create_vector(&v.{name}));"]
            elif ty.record:
                lines += [
                    f"let {name} = Some(flatbuffers_{self.name(ty.inner)}(b, &v.{name}));"
                ]
            elif ty.string and ty.nullable:
                lines += [
                    f"let {name} = v.{name}.as_ref().map(|text| b.create_string(text));"
                ]
            elif ty.string:
                lines += [f"let {name} = Some(b.create_string(&v.{name}));"]
            else:
                lines += [f"let {name} = v.{name};"]
            args += [f"{name},"]
        lines += [f"fbs::{record}::create(b, &fbs::{record}Args {{", *args, "})"]
        builder = "b: &mut flatbuffers::FlatBufferBuilder<'b>"
        result = f"flatbuffers::WIPOffset<fbs::{record}<'b>>"
        self.function(
            f"flatbuffers_{self.name(record)}<'b>({builder}, v: &{record}) -> {result}",
            lines,
        )

    def flatbuffers_sum(self, record, fields):
        lines = ["let mut sum = 0_u64;"]
        for _, name, ty in fields:
            if ty.list or ty.nullable:
                each = "for item in" if ty.list else "if let Some(item) ="
                lines += [
                    f"{each} v.{name}() {{ sum = sum.wrapping_add({self.term('flatbuffers_', ty, 'item')}); }}"
                ]
            else:
                lines += [
                    f"sum = sum.wrapping_add({self.term('flatbuffers_', ty, f'v.{name}()')});"
                ]
        self.function(
            f"flatbuffers_sum_{self.name(record)}(v: fbs::{record}<'_>) -> u64",
            [*lines, "sum"],
        )

    def planus(self, record, fields):
        lines = []
        for _, name, ty in fields:
            value = f"v.{name}.clone()" if ty.string or ty.list else f"v.{name}"
            if ty.list and ty.record:
                value = f"v.{name}.iter().map(planus_{self.name(ty.inner)}).collect()"
            elif ty.record:
                value = f"Box::new(planus_{self.name(ty.inner)}(&v.{name}))"
            lines += [f"{name}: {value},"]
        lines = [f"planus::{record} {{", *lines, "}"]
        self.function(
            f"planus_{self.name(record)}(v: &{record}) -> planus::{record}", lines
        )

    def planus_sum(self, record, fields):
        lines = ["let mut sum = 0_u64;"]
        for _, name, ty in fields:
            tried = "item?" if ty.record or ty.string else "item"
            if ty.record:
                term = f"planus_sum_{self.name(ty.inner)}({{}})?"
            else:
                term = self.term("", ty, "{}")
            if ty.list:
                lines += [
                    f"for item in v.{name}()? {{ sum = sum.wrapping_add({term.format(tried)}); }}"
                ]
            elif ty.nullable:
                lines += [
                    f"if let Some(item) = v.{name}()? {{ sum = sum.wrapping_add({term.format('item')}); }}"
                ]
            else:
                lines += [f"sum = sum.wrapping_add({term.format(f'v.{name}()?')});"]
        result = "std::result::Result<u64, ::planus::Error>"
        self.function(
            f"planus_sum_{self.name(record)}(v: planus::{record}Ref<'_>) -> {result}",
            [*lines, "Ok(sum)"],
        )

    def capnp(self, record, fields):
        lines = []
        for _, name, ty in fields:
            if ty.list:
                lines += [
                    f"let mut list = b.reborrow().init_{name}(v.{name}.len() as u32);"
                ]
                lines += [f"for (i, item) in v.{name}.iter().enumerate() {{"]
                if ty.record:
                    lines += [
                        f"capnp_{self.name(ty.inner)}(list.reborrow().get(i as u32), item);"
                    ]
                else:
                    lines += [
                        f"list.set(i as u32, {'item.as_str()' if ty.string else '*item'});"
                    ]
                lines += ["}"]
            elif ty.record:
                lines += [
                    f"capnp_{self.name(ty.inner)}(b.reborrow().init_{name}(), &v.{name});"
                ]
            elif ty.nullable and ty.string:
                lines += [
                    f"if let Some(text) = &v.{name} {{ b.set_{name}(text.as_str()); }}"
                ]
            elif ty.nullable:
                lines += [
                    f"match v.{name} {{ Some(value) => b.reborrow().init_{name}().set_value(value),"
                ]
                lines += [f"None => b.reborrow().init_{name}().set_none(()) }}"]
            else:
                lines += [
                    f"b.set_{name}({f'v.{name}.as_str()' if ty.string else f'v.{name}'});"
                ]
        self.function(
            f"capnp_{self.name(record)}(mut b: capnp::{self.name(record)}::Builder<'_>, v: &{record})",
            lines,
        )

    def capnp_sum(self, record, fields):
        lines = ["let mut sum = 0_u64;"]
        for _, name, ty in fields:
            if ty.record:
                term = f"capnp_sum_{self.name(ty.inner)}({{}})?"
            else:
                term = (
                    "{}?.to_str()?.len() as u64"
                    if ty.string
                    else self.term("", ty, "{}")
                )
            if ty.list:
                lines += [
                    f"for item in v.get_{name}()? {{ sum = sum.wrapping_add({term.format('item')}); }}"
                ]
            elif ty.nullable and ty.string:
                lines += [
                    f"if v.has_{name}() {{ sum = sum.wrapping_add({term.format(f'v.get_{name}()')}); }}"
                ]
            elif ty.nullable:
                which = f"capnp::{self.name(record)}::{name}::Value(item)"
                lines += [
                    f"if let {which} = v.get_{name}().which()? {{ sum = sum.wrapping_add({term.format('item')}); }}"
                ]
            else:
                value = f"v.get_{name}()" + ("?" if ty.record else "")
                lines += [f"sum = sum.wrapping_add({term.format(value)});"]
        reader = f"capnp::{self.name(record)}::Reader<'_>"
        self.function(
            f"capnp_sum_{self.name(record)}(v: {reader}) -> ::capnp::Result<u64>",
            [*lines, "Ok(sum)"],
        )


def module(schema):
    """The module of a workload, and what is the same in all of them."""
    root = "Root" if schema.root.list else schema.root.inner
    snake = Glue.name(root)
    capnp = f"{schema.module}_capnp"
    return f"""// Made by generate.py.
pub mod thrift;
pub mod types;

#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod buffa;
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod {capnp};
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
#[path = "{schema.name}_generated.rs"]
pub mod fbs;
#[allow(warnings, clippy::all)]
#[rustfmt::skip]
pub mod planus;

use self::buffa::__buffa::view;
use self::{capnp} as capnp;
use self::types::*;
use crate::peers::in_place::{{InPlace, sum}};
#[allow(unused_imports)]
use crate::shapes::Str;

/// The types of buffa.
pub type Buffa = buffa::{root};
pub type View<'a> = view::{root}View<'a>;
pub use self::view_{snake} as view_of;

/// The libraries that build, and read in place.
pub struct Built;

impl InPlace for Built {{
    type Owned = {root};
    type Planus = planus::{root};

    fn sum(value: &{root}) -> u64 {{
        sum_{snake}(value)
    }}

    fn flatbuffers_build(value: &{root}, builder: &mut flatbuffers::FlatBufferBuilder<'static>) {{
        let root = flatbuffers_{snake}(builder, value);
        fbs::finish_{"root" if root == "Root" else snake}_buffer(builder, root);
    }}

    fn flatbuffers_sum(bytes: &[u8]) -> anyhow::Result<u64> {{
        Ok(flatbuffers_sum_{snake}(fbs::root_as_{snake}(bytes)?))
    }}

    fn planus(value: &{root}) -> planus::{root} {{
        planus_{snake}(value)
    }}

    fn planus_build<'b>(value: &planus::{root}, builder: &'b mut ::planus::Builder) -> &'b [u8] {{
        builder.clear();
        builder.finish(value, None)
    }}

    fn planus_read(bytes: &[u8]) -> anyhow::Result<planus::{root}> {{
        Ok(<planus::{root}Ref as ::planus::ReadAsRoot>::read_as_root(bytes)?.try_into()?)
    }}

    fn planus_sum(bytes: &[u8]) -> anyhow::Result<u64> {{
        Ok(planus_sum_{snake}(<planus::{root}Ref as ::planus::ReadAsRoot>::read_as_root(bytes)?)?)
    }}

    fn capnp_build(value: &{root}, message: &mut ::capnp::message::Builder<::capnp::message::HeapAllocator>) {{
        capnp_{snake}(message.init_root(), value);
    }}

    fn capnp_sum(mut bytes: &[u8]) -> anyhow::Result<u64> {{
        // A traversal limit of 64 MiB is the default; trusted messages may be larger.
        let mut options = ::capnp::message::ReaderOptions::new();
        options.traversal_limit_in_words(None);
        let message = ::capnp::serialize::read_message_from_flat_slice(&mut bytes, options)?;
        Ok(capnp_sum_{snake}(message.get_root()?)?)
    }}
}}

""" + Glue(schema).make()


def thrift(schema):
    """What the Thrift compiler makes, for the structs of types.rs: only their definitions are left out."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [
                "thrift",
                "--gen",
                "rs",
                "-out",
                folder,
                HERE / f"schemas/{schema.name}.thrift",
            ],
            check=True,
        )
        (file,) = pathlib.Path(folder).iterdir()
        text = file.read_text()
    impls = re.findall(
        r"^impl TSerializable for .*?^}\n", text, flags=re.DOTALL | re.MULTILINE
    )
    text = (
        "\n".join(impls)
        .replace("OrderedFloat::from(", "(")
        .replace("OrderedFloat<f64>", "f64")
    )
    # A keyword of Thrift.
    text = text.replace("service2", "service")
    return (
        "#![allow(unused_parens, unused_imports, clippy::all)]\n\nuse super::types::*;\n"
        "use thrift::protocol::{TFieldIdentifier, TInputProtocol, TListIdentifier, TOutputProtocol, TSerializable};\n"
        "use thrift::protocol::{TStructIdentifier, TType, field_id, verify_required_field_exists};\n\n"
        + text
    )


def main():
    names = sys.argv[1:] or sorted(
        path.stem for path in (HERE / "schemas").glob("*.json")
    )
    for name in names:
        schema = Schema(name)
        folder = OUT / schema.module
        folder.mkdir(parents=True, exist_ok=True)
        translate(schema)
        (folder / "thrift.rs").write_text(
            "// Made by generate.py from what `thrift --gen rs` writes.\n"
            + thrift(schema)
        )
        (folder / "types.rs").write_text("// Made by generate.py.\n" + types(schema))
        (folder / "mod.rs").write_text(module(schema))
        generator = [
            "cargo",
            "run",
            "--quiet",
            "--manifest-path",
            HERE / "codegen/Cargo.toml",
            "--",
        ]
        subprocess.run(
            [*generator, f"schemas/{name}", f"src/generated/{schema.module}"],
            cwd=HERE,
            check=True,
            stdout=subprocess.DEVNULL,
        )
    modules = sorted(
        path.stem.replace("-", "_") for path in (HERE / "schemas").glob("*.json")
    )
    (OUT / "mod.rs").write_text(
        "//! Made by generate.py.\n\n"
        + "".join(f"pub mod {module};\n" for module in modules)
    )
    subprocess.run(
        [
            "rustfmt",
            "--edition",
            "2024",
            *map(str, OUT.glob("*/t*.rs")),
            *map(str, OUT.glob("*/mod.rs")),
        ],
        check=True,
    )


main()
