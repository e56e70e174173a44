"""Read messages into generated classes and write them again.

    echo.py FOLDER

FOLDER has a folder for every case: what `thrift --gen py` made, and a file `messages`
with one message a line: protocol, module, struct, and the bytes in hexadecimal. Prints
what the generated code writes, a line for each message.
"""

import importlib
import sys
from pathlib import Path

from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.protocol.TCompactProtocol import TCompactProtocol
from thrift.transport.TTransport import TMemoryBuffer

PROTOCOLS = {"thrift-compact": TCompactProtocol, "thrift-binary": TBinaryProtocol}


def echo(types, variant, name, text):
    source = TMemoryBuffer(bytes.fromhex(text.removeprefix("0x")))
    value = getattr(types, name)()
    # Exceptions do not change: reading one gives another.
    value = value.read(PROTOCOLS[variant](source)) or value
    value.validate()
    target = TMemoryBuffer()
    value.write(PROTOCOLS[variant](target))
    return "0x" + target.getvalue().hex()


def main():
    for case in sorted(Path(sys.argv[1]).iterdir()):
        if not (case / "messages").exists():
            continue
        before = set(sys.modules)
        sys.path.insert(0, str(case))
        importlib.invalidate_caches()
        for line in (case / "messages").read_text("ascii").splitlines():
            variant, module, name, text = line.split()
            types = importlib.import_module(f"{module}.ttypes")
            print(echo(types, variant, name, text))
        # Cases may have modules of the same names.
        sys.path.pop(0)
        for module in set(sys.modules) - before:
            del sys.modules[module]


main()
