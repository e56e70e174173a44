"""What crates/formats/tests/cbor_foreign.rs asks of cbor2, line by line.

    live.py recode          each line of stdin, which is hexadecimal: read and written
    live.py random COUNT    COUNT random values: their bytes as canonical CBOR, a space,
                            and their bytes in other encodings (indefinite lengths)
    live.py same            each line of stdin has two messages: whether they are equal

cbor2's canonical form orders keys by length first (RFC 7049). That is the order of
RFC 8949 where all keys of a map are strings; only such maps are compared by bytes.
"""

import math
import random
import struct
import sys

import cbor2

EDGES = [0, 1, 23, 24, 255, 256, 2**16, 2**31, 2**32, 2**63, 2**64 - 1]
COUNTS = [0, 1, 2, 23, 24]
LENGTHS = [0, 1, 2, 23, 24, 255, 256]


def recode(data):
    return cbor2.dumps(cbor2.loads(data), canonical=True)


def integer(rng):
    edge = rng.choice(EDGES) + rng.randrange(-2, 3)
    return max(-(2**64), min(2**64 - 1, rng.choice([edge, -edge])))


def floating(rng):
    kind = rng.randrange(6)
    if kind == 0:
        return struct.unpack(">e", rng.randbytes(2))[0]
    if kind == 1:
        return struct.unpack(">f", rng.randbytes(4))[0]
    if kind == 2:
        return struct.unpack(">d", rng.randbytes(8))[0]
    return rng.choice([0.0, -0.0, 0.1, 1e300, float("inf"), float("-inf"), -1.5])


def number(rng):
    # cbor2 writes every NaN as f97e00, whatever its payload.
    value = floating(rng)
    return float("nan") if math.isnan(value) else value


def length(rng):
    return rng.choice([65535, 65536] if rng.random() < 0.002 else LENGTHS)


def scalar(rng):
    size = length(rng)
    choices = [
        lambda: None,
        lambda: rng.random() < 0.5,
        lambda: integer(rng),
        lambda: integer(rng),
        lambda: number(rng),
        lambda: number(rng),
        lambda: "é" * (size // 2) + "x" * (size % 2),
        lambda: rng.randbytes(size),
        lambda: 2 ** rng.randrange(64, 200) * rng.choice([-1, 1]),
        lambda: cbor2.CBORTag(rng.randrange(60000, 2**40), integer(rng)),
    ]
    return rng.choice(choices)()


def value(rng, depth=0):
    kind = rng.randrange(4)
    if depth > 2 or kind >= 2:
        return scalar(rng)
    if kind == 0:
        return [value(rng, depth + 1) for _ in range(rng.choice(COUNTS))]
    keys = range(rng.choice(COUNTS))
    return {f"{rng.randrange(99)} {i}": value(rng, depth + 1) for i in keys}


def loose(item, rng):
    """The value in an encoding that is valid, but not the deterministic one."""
    if isinstance(item, dict):
        pairs = [loose(key, rng) + loose(item[key], rng) for key in item]
        rng.shuffle(pairs)
        return b"\xbf" + b"".join(pairs) + b"\xff"
    if isinstance(item, list):
        return b"\x9f" + b"".join(loose(element, rng) for element in item) + b"\xff"
    if isinstance(item, str):
        cut = rng.randrange(len(item) + 1)
        pieces = (cbor2.dumps(piece) for piece in (item[:cut], item[cut:]))
        return b"\x7f" + b"".join(pieces) + b"\xff"
    if isinstance(item, bytes):
        return b"\x5f" + wide(2, len(item)) + item + b"\xff"
    if isinstance(item, int) and not isinstance(item, bool) and 0 <= item < 2**64:
        return wide(0, item)
    if isinstance(item, int) and -(2**64) <= item < 0:
        return wide(1, -1 - item)
    if isinstance(item, cbor2.CBORTag):
        return wide(6, item.tag) + loose(item.value, rng)
    # Among the rest are floats, with 64 bits each.
    return cbor2.dumps(item)


def wide(major, argument):
    return bytes([major << 5 | 27]) + struct.pack(">Q", argument)


def same(left, right):
    # Maps are unordered; NaN is unequal to itself, but its text is not.
    left, right = cbor2.loads(left), cbor2.loads(right)
    return left == right or repr(left) == repr(right)


def main():
    if sys.argv[1] == "recode":
        for line in sys.stdin:
            print(recode(bytes.fromhex(line)).hex())
    elif sys.argv[1] == "same":
        for line in sys.stdin:
            print(same(*map(bytes.fromhex, line.split())))
    else:
        for seed in range(int(sys.argv[2])):
            rng = random.Random(seed)
            item = value(rng)
            encoded = cbor2.dumps(item, canonical=True)
            print(encoded.hex(), loose(item, rng).hex())


if __name__ == "__main__":
    main()
