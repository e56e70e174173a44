"""Write the bytes of every case in this folder, as msgpack-python writes them.

From the root of the repository:

    .venv/bin/python conformance/msgpack/make.py
"""

from pathlib import Path

import msgpack
from cases import CASES, Single

HERE = Path(__file__).parent


def pack(value):
    """Like msgpack.packb, but with floats of 32 bits where the value is a Single."""
    packer = msgpack.Packer(use_bin_type=True)
    if isinstance(value, dict):
        pairs = (pack(key) + pack(item) for key, item in value.items())
        return packer.pack_map_header(len(value)) + b"".join(pairs)
    if isinstance(value, list):
        return packer.pack_array_header(len(value)) + b"".join(map(pack, value))
    if isinstance(value, Single):
        return msgpack.packb(float(value), use_single_float=True)
    return packer.pack(value)


def main():
    for case, forms in CASES.items():
        for form, value in forms.items():
            (HERE / f"{case}.msgpack-{form}").write_bytes(pack(value))


if __name__ == "__main__":
    main()
