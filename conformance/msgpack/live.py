"""What crates/formats/tests/msgpack_foreign.rs asks of msgpack-python, line by line.

live.py recode          each line of stdin, which is hexadecimal: read and written
live.py random COUNT    the bytes of COUNT random values
"""

import random
import sys

import msgpack

EDGES = [0, 1, 31, 32, 127, 128, 255, 256, 2**15, 2**16, 2**31, 2**32, 2**63, 2**64 - 1]
COUNTS = [0, 1, 2, 15, 16]
LENGTHS = [0, 1, 2, 4, 8, 16, 31, 32, 255, 256]


def recode(data):
    value = msgpack.unpackb(data, strict_map_key=False)
    return msgpack.packb(value, use_bin_type=True)


def integer(rng):
    edge = rng.choice(EDGES) + rng.randrange(-2, 3)
    return max(-(2**63), min(2**64 - 1, rng.choice([edge, -edge])))


def length(rng):
    return rng.choice([65535, 65536] if rng.random() < 0.002 else LENGTHS)


def scalar(rng):
    size = length(rng)
    choices = [
        lambda: None,
        lambda: rng.random() < 0.5,
        lambda: integer(rng),
        lambda: integer(rng),
        lambda: rng.choice([0.0, -0.0, 0.1, 1e300, float("inf"), -1.5]),
        lambda: "é" * (size // 2) + "x" * (size % 2),
        lambda: rng.randbytes(size),
        lambda: msgpack.ExtType(rng.randrange(128), rng.randbytes(size)),
        lambda: msgpack.Timestamp(rng.randrange(-(2**35), 2**35), rng.randrange(10**9)),
    ]
    return rng.choice(choices)()


def value(rng, depth=0):
    kind = rng.randrange(4)
    if depth > 2 or kind >= 2:
        return scalar(rng)
    if kind == 0:
        return [value(rng, depth + 1) for _ in range(rng.choice(COUNTS))]
    return {key(rng, i): value(rng, depth + 1) for i in range(rng.choice(COUNTS))}


def key(rng, i):
    choices = [f"key {i}", i, -i - 1, f"{i}".encode(), i + 0.5, (i, "list"), None]
    return rng.choice(choices)


def main():
    if sys.argv[1] == "recode":
        for line in sys.stdin:
            print(recode(bytes.fromhex(line)).hex())
    else:
        for seed in range(int(sys.argv[2])):
            print(msgpack.packb(value(random.Random(seed)), use_bin_type=True).hex())


if __name__ == "__main__":
    main()
