"""Write the bytes of every case in this folder, as Apache Thrift's own Python writes them.

From the root of the repository:

    .venv/bin/python conformance/thrift/make.py [FOLDER]

The classes come from conformance.thrift through `thrift --gen py`, the values from
the *.json files. FOLDER is where the bytes go: this folder unless one is given.
"""

import base64
import importlib
import json
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.protocol.TCompactProtocol import TCompactProtocol
from thrift.Thrift import TType
from thrift.transport.TTransport import TMemoryBuffer

HERE = Path(__file__).parent
CASES = {
    "profile": "Profile",
    "everything": "Everything",
    "sets": "Sets",
    "number_list": "NumberList",
}
PROTOCOLS = {"thrift-compact": TCompactProtocol, "thrift-binary": TBinaryProtocol}


def generate():
    """The module of conformance.thrift."""
    with tempfile.TemporaryDirectory() as folder:
        source = HERE / "conformance.thrift"
        command = ["thrift", "--gen", "py", "-out", folder, str(source)]
        subprocess.run(command, check=True)
        sys.path.insert(0, folder)
        return importlib.import_module("conformance.ttypes")


def build(types, kind, spec, value):
    """The generated code's form of a JSON value."""
    if kind == TType.STRUCT:
        return build_struct(types, spec[0], value)
    if kind in (TType.LIST, TType.SET):
        items = [build(types, spec[0], spec[1], item) for item in value]
        return set(items) if kind == TType.SET else items
    if kind == TType.MAP:
        return {
            build_key(spec[0], key): build(types, spec[2], spec[3], item)
            for key, item in value.items()
        }
    if kind == TType.STRING and spec == "BINARY":
        return base64.b64decode(value)
    if kind == TType.I32 and isinstance(value, str):
        return types.Color._NAMES_TO_VALUES[value]
    return value


def build_key(kind, key):
    if kind == TType.BOOL:
        return key == "true"
    return key if kind == TType.STRING else int(key)


def build_struct(types, cls, value):
    fields = [field for field in cls.thrift_spec if field]
    if cls.__name__ == "NullableString":
        return cls(value)
    if not isinstance(value, dict):
        value = {"value": value}
    built = cls()
    for _, kind, name, spec, _ in fields:
        if name == "any":
            text = json.dumps(value[name], separators=(",", ":"))
            setattr(built, name, text)
        elif name == "nothing" and name in value:
            setattr(built, name, True)
        elif value.get(name) is not None:
            setattr(built, name, build(types, kind, spec, value[name]))
    return built


def write(value, protocol):
    buffer = TMemoryBuffer()
    value.write(protocol(buffer))
    return buffer.getvalue()


def write_uuids(value, protocol):
    """Uuids by hand: the compiler 0.17 has no such type, the library has."""
    buffer = TMemoryBuffer()
    out = protocol(buffer)
    out.writeStructBegin("Uuids")
    out.writeFieldBegin("id", TType.UUID, 1)
    out.writeUuid(uuid.UUID(value["id"]))
    out.writeFieldEnd()
    out.writeFieldBegin("others", TType.LIST, 2)
    out.writeListBegin(TType.UUID, len(value["others"]))
    for other in value["others"]:
        out.writeUuid(uuid.UUID(other))
    out.writeListEnd()
    out.writeFieldEnd()
    out.writeFieldStop()
    out.writeStructEnd()
    return buffer.getvalue()


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    types = generate()
    for case, name in CASES.items():
        value = json.loads((HERE / f"{case}.json").read_text("utf-8"))
        built = build_struct(types, getattr(types, name), value)
        built.validate()
        for variant, protocol in PROTOCOLS.items():
            (folder / f"{case}.{variant}").write_bytes(write(built, protocol))
    value = json.loads((HERE / "uuids.json").read_text("utf-8"))
    for variant, protocol in PROTOCOLS.items():
        (folder / f"uuids.{variant}").write_bytes(write_uuids(value, protocol))


main()
