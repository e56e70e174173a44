"""Makes the golden files in this folder with fastavro: `.venv/bin/python conformance/avro/make.py`.

For each case there are, besides the files that people write (`*.schema.json` is our schema, `*.json` the value as our
JSON, `*.avsc` the Avro schema that we make of ours):

* `*.datum`: the value alone
* `*.single`: the value as a single object
* `*.avro`: a container with three times the value, in every codec for the first case

The sync marker is fixed, so that making them again changes nothing but what a new version of a library does.
"""

import io
import json
import pathlib
import uuid
from datetime import UTC, date, datetime

import fastavro
import fastavro.schema

HERE = pathlib.Path(__file__).parent
SYNC = bytes(range(16))
CODECS = ("deflate", "zstandard", "snappy", "bzip2", "xz")


def node(value, left=None, right=None, **tags):
    return {"value": value, "left": left, "right": right, "tags": tags}


EVERYTHING = {
    "flag": True,
    "tiny": -128,
    "int": -(2**31),
    "long": 2**63 - 1,
    "count": 2**32 - 1,
    "float": 0.5,
    "double": -0.1,
    "text": "é😀",
    "blob": b"\x00\xff",
    "hash": b"\x01\x02\x03\x04",
    "uuid": uuid.UUID("123e4567-e89b-12d3-a456-426614174000"),
    "day": date(2026, 11, 21),
    "millis": datetime(2026, 11, 21, 12, 34, 56, 789000, tzinfo=UTC),
    "micros": datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    "seconds": int(datetime(2026, 11, 21, 12, 34, 56, tzinfo=UTC).timestamp()),
    "suit": "SPADES",
    "list": [0, -1, 64, -65, 8192],
    "map": {"a": [], "b": ["x", "y"]},
    "by_number": [
        {"key": -1, "value": "minus one"},
        {"key": 300, "value": "three hundred"},
    ],
    "nullable": None,
    "optional": 0,
    "absent": None,
    "choices": [
        "t",
        None,
        1.5,
        ("org.example.Point", {"x": 1, "y": -1}),
        ("org.example.Everything_choices_other_text", {"value": "o"}),
    ],
    "any": '{"k":[1,2.5,null]}',
    "with_default": 8,
    "next": None,
}

VALUES = {
    "user-profile": json.loads((HERE / "user-profile.json").read_text()),
    "everything": EVERYTHING,
    "tree": node(1, left=node(2, right=node(3)), t=node(-4)),
}


def single_object(schema, datum):
    canonical = fastavro.schema.to_parsing_canonical_form(schema)
    fingerprint = fastavro.schema.fingerprint(canonical, "CRC-64-AVRO")
    return b"\xc3\x01" + bytes.fromhex(fingerprint) + datum


def container(schema, value, codec):
    out = io.BytesIO()
    fastavro.writer(out, schema, [value] * 3, codec=codec, sync_marker=SYNC)
    return out.getvalue()


for name, value in VALUES.items():
    avsc = json.loads((HERE / f"{name}.avsc").read_text(encoding="utf-8"))
    schema = fastavro.parse_schema(avsc)
    out = io.BytesIO()
    fastavro.schemaless_writer(out, schema, value)
    (HERE / f"{name}.datum").write_bytes(out.getvalue())
    (HERE / f"{name}.single").write_bytes(single_object(avsc, out.getvalue()))
    (HERE / f"{name}.avro").write_bytes(container(schema, value, "null"))
    if name == "user-profile":
        for codec in CODECS:
            data = container(schema, value, codec)
            (HERE / f"{name}-{codec}.avro").write_bytes(data)
