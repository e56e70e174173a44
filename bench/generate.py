"""Makes src/generated/: what code generators, and people, write for the schemas in schemas/.

The types that serde, prost and Thrift share are written here, from the schema, in the way that the documentation of these
libraries shows; the rest comes from the generators of the peers. See README.md for the tools that it needs.

Usage: python3 generate.py [WORKLOAD ...]
"""

import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
OUT = HERE / "src/generated"
PARTS = ["types"]

SCALARS = {"string": "String", "int32": "i32", "int64": "i64", "float64": "f64", "bool": "bool"}
PROST = {"string": "string", "int32": "int32", "int64": "int64", "float64": "double", "bool": "bool"}


class Type:
    """A type of the schema, as far as the workloads need it."""

    def __init__(self, kind):
        self.list = isinstance(kind, dict) and "list" in kind
        self.nullable = isinstance(kind, dict) and "nullable" in kind
        self.inner = kind["list"] if self.list else kind["nullable"] if self.nullable else kind
        self.record = self.inner not in SCALARS
        self.string = self.inner == "string"

    def wrapped(self, inner):
        return f"Vec<{inner}>" if self.list else f"Option<{inner}>" if self.nullable else inner

    def prost(self, number):
        label = ", repeated" if self.list else ", optional" if self.nullable else ", required" if self.record else ""
        return f'#[prost({"message" if self.record else PROST[self.inner]}{label}, tag = "{number}")]'


class Schema:
    """A workload's schema: records and the root, which is a record or a list of one."""

    def __init__(self, name):
        self.name = name
        data = json.loads((HERE / f"schemas/{name}.json").read_text())
        self.records = {
            record["record"]: [(f["number"], f["name"], Type(f["type"])) for f in record["fields"]]
            for record in data["types"]
        }
        self.root = Type(data["root"])
        self.module = name.replace("-", "_")


def has_text(schema, record):
    """Whether a record has text in it, at any depth, and so borrows."""
    return any(ty.string or ty.record and has_text(schema, ty.inner) for _, _, ty in schema.records[record])


def types(schema):
    """The structs that one writes for serde, prost and Thrift."""
    out = ["use serde::{Deserialize, Serialize};", ""]
    for record, fields in schema.records.items():
        out += ["#[derive(Clone, PartialEq, prost::Message, Serialize, Deserialize)]", f"pub struct {record} {{"]
        for number, name, ty in fields:
            out += [f"    {ty.prost(number)}", f"    pub {name}: {ty.wrapped(SCALARS.get(ty.inner, ty.inner))},"]
        out += ["}", ""]
        text = has_text(schema, record)
        parameter = "<S>" if text else ""
        out += ["#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]"]
        if text:
            out += ['#[serde(bound(deserialize = "S: Deserialize<\'de>"))]']
        out += [f"pub struct {record}Ref{parameter} {{"]
        for _, name, ty in fields:
            borrowed = f"{ty.inner}Ref" + ("<S>" if has_text(schema, ty.inner) else "") if ty.record else None
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
        out += [f"pub type RootRef<S> = {'crate::shapes::ListOf' if not parameter else 'Vec'}<{root}Ref{parameter or ', S'}>;"]
    else:
        out += [f"pub type Root = {root};", f"pub type RootRef<S> = {root}Ref{parameter};"]
    return "\n".join(out) + "\n"


def main():
    names = sys.argv[1:] or sorted(path.stem for path in (HERE / "schemas").glob("*.json"))
    for name in names:
        schema = Schema(name)
        folder = OUT / schema.module
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "types.rs").write_text("// Made by generate.py.\n" + types(schema))
        (folder / "mod.rs").write_text("".join(f"pub mod {part};\n" for part in PARTS))
    modules = sorted(path.stem.replace("-", "_") for path in (HERE / "schemas").glob("*.json"))
    (OUT / "mod.rs").write_text("//! Made by generate.py.\n\n" + "".join(f"pub mod {module};\n" for module in modules))
    subprocess.run(["rustfmt", "--edition", "2024", *map(str, OUT.glob("*/types.rs"))], check=True)


main()
