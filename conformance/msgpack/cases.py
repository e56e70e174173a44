"""The values of the cases, as somebody would give them to a Python library.

Each case is its records as maps, and its records as lists in the order of the field
numbers. conformance/cbor has the same cases.
"""

import uuid


class Single(float):
    """A float of 32 bits."""


PROFILE = {
    "user_id": 123456789,
    "username": "alice_smith",
    "email": "alice@example.com",
    "created_at": 1678886400,
    "last_login": 1710422400,
    "preferences": {"theme": "dark", "notifications": True},
    "subscription": {"tier": "premium", "expires_at": 1741958400},
}

PROFILE_LIST = [
    123456789,
    "alice_smith",
    "alice@example.com",
    1678886400,
    1710422400,
    ["dark", True],
    ["premium", 1741958400],
]

UUID = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")

EVERYTHING = {
    "bool_true": True,
    "bool_false": False,
    "int8s": [0, 1, 127, -1, -32, -33, -128],
    "int16s": [128, 255, 256, 32767, -129, -32768],
    "int32s": [32768, 65535, 65536, 2**31 - 1, -32769, -(2**31)],
    "int64s": [
        2**31,
        2**32 - 1,
        2**32,
        2**63 - 1,
        -(2**31) - 1,
        -(2**32),
        -(2**32) - 1,
        -(2**63),
    ],
    "uint8": 255,
    "uint16": 65535,
    "uint32": 2**32 - 1,
    "uint64s": [23, 24, 2**63, 2**64 - 1],
    "float32s": [Single(f) for f in (0.0, -0.0, 1.5, 0.1, 2**128 - 2**104, 2**-149)],
    "float64s": [
        0.0,
        -0.0,
        1.5,
        0.1,
        65504.0,
        65505.0,
        1e5,
        1e300,
        2**-1074,
        2**-24,
        2**-149,
    ],
    "texts": [
        "",
        "é€😀",
        "twenty-three characters",
        "twenty-four characters !",
        "1234567890123456789012345678901",
        "12345678901234567890123456789012",
    ],
    "data": b"\x00\x01\x02\xff",
    "fixed": b"\xde\xad\xbe\xef",
    "uuid": UUID.bytes,
    "text_uuid": str(UUID),
    "instant": 1795262400250,
    "day": 20778,
    "color": "BLUE",
    "colors": ["RED", "GREEN", 7],
    "nested": [["a"], [], ["b", "c"]],
    "nullables": ["a", None],
    "points": [{"x": 1.0, "y": 2.5}, {"x": -1.0, "y": 0.1, "label": "here"}],
    "by_name": {"a": 1, "bb": 2},
    "by_number": {1: {"x": 1.0, "y": 1.0}, 300: {"x": 2.0, "y": 2.0}},
    "by_flag": {False: "no", True: "yes"},
    "empty_map": {},
    "shapes": [{"x": 0.0, "y": 0.0}, 5, "circle", b"\xff"],
    "amounts": [{"small": -5}, {"large": 9000000000}],
    "any": {
        "list": [1, -1, 1.5, "text", None, True, 2**64 - 1],
        "map": {"z": [], "aa": {}},
    },
    "null_text": None,
    "present": 0,
    "nothing": None,
}

EVERYTHING_LIST = [
    True,
    False,
    EVERYTHING["int8s"],
    EVERYTHING["int16s"],
    EVERYTHING["int32s"],
    EVERYTHING["int64s"],
    255,
    65535,
    2**32 - 1,
    EVERYTHING["uint64s"],
    EVERYTHING["float32s"],
    EVERYTHING["float64s"],
    EVERYTHING["texts"],
    b"\x00\x01\x02\xff",
    b"\xde\xad\xbe\xef",
    UUID.bytes,
    str(UUID),
    1795262400250,
    20778,
    [0, 1, 7],  # colors, field 30
    1000000,  # color, field 31
    [["a"], [], ["b", "c"]],
    ["a", None],
    [[2.5, 1.0, None], [0.1, -1.0, "here"]],  # y is field 1, x is field 2
    {"a": 1, "bb": 2},
    {1: [1.0, 1.0, None], 300: [2.0, 2.0, None]},
    {False: "no", True: "yes"},
    {},
    [[0.0, 0.0, None], 5, "circle", b"\xff"],
    [[1, -5], [300, 9000000000]],
    EVERYTHING["any"],
    None,
    None,  # absent
    0,
    None,
]

CASES = {
    "profile": {"named": PROFILE, "positional": PROFILE_LIST},
    "everything": {"named": EVERYTHING, "positional": EVERYTHING_LIST},
}
