"""Parses messages with Google's Python library and serializes them again.

    protoc --descriptor_set_out=set.binpb *.proto
    python reencode.py set.binpb < requests > answers

A request is a line with the full name of a message type and a payload in hexadecimal; the answer is the payload that
the library writes, maps sorted by key. It is "invalid" when the library cannot parse the request, and "unknown" when
the message has fields that its type does not have.
"""

import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError
from google.protobuf.unknown_fields import UnknownFieldSet


def inner_messages(message):
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.message_type.GetOptions().map_entry:
            if field.message_type.fields_by_name["value"].message_type:
                yield from value.values()
        elif field.label == field.LABEL_REPEATED:
            yield from value
        else:
            yield value


def has_unknown(message):
    return len(UnknownFieldSet(message)) > 0 or any(
        map(has_unknown, inner_messages(message))
    )


def reencode(message, payload):
    try:
        message.ParseFromString(payload)
    except DecodeError:
        return "invalid"
    return (
        "unknown"
        if has_unknown(message)
        else message.SerializeToString(deterministic=True).hex()
    )


def main():
    with open(sys.argv[1], "rb") as file:
        files = descriptor_pb2.FileDescriptorSet.FromString(file.read())
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file)
    for line in sys.stdin:
        name, _, payload = line.rstrip("\n").partition(" ")
        message = message_factory.GetMessageClass(pool.FindMessageTypeByName(name))()
        print(reencode(message, bytes.fromhex(payload)))


if __name__ == "__main__":
    main()
