"""Parses messages with Google's Python library and serializes them again.

    protoc --descriptor_set_out=set.binpb *.proto
    python reencode.py set.binpb < requests > answers

A request is a line with the full name of a message type and a payload in hexadecimal; the answer is the payload that
the library writes, maps sorted by key. Fields that the type does not have are an error.
"""

import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.unknown_fields import UnknownFieldSet


def refuse_unknown(message):
    unknown = [field.field_number for field in UnknownFieldSet(message)]
    if unknown:
        raise ValueError(f"{message.DESCRIPTOR.full_name} has unknown fields {unknown}")
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.message_type.GetOptions().map_entry:
            if field.message_type.fields_by_name["value"].message_type:
                for item in value.values():
                    refuse_unknown(item)
        elif field.label == field.LABEL_REPEATED:
            for item in value:
                refuse_unknown(item)
        else:
            refuse_unknown(value)


def main():
    with open(sys.argv[1], "rb") as file:
        files = descriptor_pb2.FileDescriptorSet.FromString(file.read())
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file)
    for line in sys.stdin:
        name, _, payload = line.rstrip("\n").partition(" ")
        message = message_factory.GetMessageClass(pool.FindMessageTypeByName(name))()
        message.ParseFromString(bytes.fromhex(payload))
        refuse_unknown(message)
        print(message.SerializeToString(deterministic=True).hex())


if __name__ == "__main__":
    main()
