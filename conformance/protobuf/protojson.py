"""Writes messages in Protobuf's JSON, a line each, and the same in binary after their lengths.

python protojson.py set.binpb protojson
"""

import io
import sys
from pathlib import Path

from google.protobuf import (
    any_pb2,
    descriptor_pb2,
    descriptor_pool,
    duration_pb2,
    empty_pb2,
    field_mask_pb2,
    json_format,
    message_factory,
    proto,
    struct_pb2,
    timestamp_pb2,
    wrappers_pb2,
)

MESSAGES = [
    {},
    {
        "largeNumber": "-9223372036854775808",
        "largerNumber": "18446744073709551615",
        "explicitZero": 0,
        "other name": "é\n😀",
        "rawBytes": "AP/+",
        "wide": 1e100,
        "narrow": 0.1,
        "special": ["NaN", "Infinity", "-Infinity", -0.0, 5e-324],
        "color": "COLOR_GREEN",
        "colors": ["COLOR_RED", 7, "COLOR_UNSPECIFIED"],
        "pointsById": {"-5": {"xPosition": "1", "y": 0}},
        "flags": {"true": "yes"},
        "asPoint": {},
        "createdAt": "2026-11-21T11:22:33.000120Z",
        "took": "-1.500s",
        "mask": "userName,address.zipCode",
        "members": {"a": [1, "b", None, {"c": True}]},
        "value": {"nested": [{"empty": {}}, {"list": []}]},
        "values": [None, False, 0.5],
        "wrapped": "0",
        "wrappedBytes": "",
        "nothing": {},
        "next": {"asNull": None, "value": None, "wrapped": "7", "next": {"asText": ""}},
        "times": ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"],
    },
]


def main() -> None:
    files = descriptor_pb2.FileDescriptorSet.FromString(Path(sys.argv[1]).read_bytes())
    # The standard files are there, with the library's own classes.
    assert empty_pb2 and field_mask_pb2
    pool = descriptor_pool.Default()
    for file in files.file:
        if not file.name.startswith("google/protobuf/"):
            pool.Add(file)
    named = pool.FindMessageTypeByName
    message_type = message_factory.GetMessageClass(
        named("wirewise.conformance.ProtoJson")
    )
    point_type = message_factory.GetMessageClass(named("wirewise.conformance.Point"))
    lines, payloads = [], io.BytesIO()
    for source in MESSAGES:
        message = json_format.ParseDict(source, message_type())
        if source:
            inner = any_pb2.Any()
            inner.Pack(duration_pb2.Duration(seconds=3))
            for held in [
                point_type(x_position=12),
                timestamp_pb2.Timestamp(seconds=-1),
                wrappers_pb2.Int64Value(value=1 << 60),
                struct_pb2.Value(bool_value=True),
                inner,
            ]:
                message.things.add().Pack(held)
            message.things.add()
        lines.append(json_format.MessageToJson(message, indent=None))
        proto.serialize_length_prefixed(message, payloads)
    out = Path(sys.argv[2])
    out.with_suffix(".json").write_text("\n".join(lines) + "\n")
    out.with_suffix(".delimited").write_bytes(payloads.getvalue())


if __name__ == "__main__":
    main()
