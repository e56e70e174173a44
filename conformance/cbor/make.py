"""Write the bytes of every case in conformance/msgpack, as cbor2 writes them.

From the root of the repository:

    .venv/bin/python conformance/cbor/make.py

The schemas and values are those of the MessagePack cases.
"""

import struct
import sys
from pathlib import Path

import cbor2

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "msgpack"))

from cases import CASES, Single


def plain(value):
    """The value with ordinary floats: canonical CBOR has no widths of its own."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return narrow(value) if isinstance(value, Single) else value


def narrow(value):
    """The nearest float of 32 bits, as cbor2 reads it."""
    return struct.unpack(">f", struct.pack(">f", value))[0]


def main():
    for case, forms in CASES.items():
        for form, value in forms.items():
            encoded = cbor2.dumps(plain(value), canonical=True)
            (HERE / f"{case}.cbor-{form}").write_bytes(encoded)


if __name__ == "__main__":
    main()
