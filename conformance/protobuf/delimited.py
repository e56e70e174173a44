"""Writes a message several times, each after its length.

python delimited.py set.binpb profile.pb 3 > profile.delimited
"""

import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, proto


def main():
    descriptors, payload, count = sys.argv[1:]
    pool = descriptor_pool.DescriptorPool()
    with open(descriptors, "rb") as file:
        for descriptor in descriptor_pb2.FileDescriptorSet.FromString(file.read()).file:
            pool.Add(descriptor)
    name = "wirewise.conformance.UserProfile"
    message = message_factory.GetMessageClass(pool.FindMessageTypeByName(name))()
    with open(payload, "rb") as file:
        message.ParseFromString(file.read())
    for _ in range(int(count)):
        proto.serialize_length_prefixed(message, sys.stdout.buffer)


if __name__ == "__main__":
    main()
