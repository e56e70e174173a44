"""Read messages into generated classes and write them again.

    echo.py FOLDER

FOLDER has what `thrift --gen py` made of echo_types.thrift, and a file `messages` with
one message a line: protocol, struct, and the bytes in hexadecimal. Prints what the
generated code writes, one line for each message.
"""

import importlib
import sys
from pathlib import Path

from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.protocol.TCompactProtocol import TCompactProtocol
from thrift.transport.TTransport import TMemoryBuffer

PROTOCOLS = {"thrift-compact": TCompactProtocol, "thrift-binary": TBinaryProtocol}


def main():
    sys.path.insert(0, sys.argv[1])
    types = importlib.import_module("echo_types.ttypes")
    for line in (Path(sys.argv[1]) / "messages").read_text("ascii").splitlines():
        variant, name, text = line.split()
        source = TMemoryBuffer(bytes.fromhex(text.removeprefix("0x")))
        value = getattr(types, name)()
        value.read(PROTOCOLS[variant](source))
        value.validate()
        target = TMemoryBuffer()
        value.write(PROTOCOLS[variant](target))
        print("0x" + target.getvalue().hex())


main()
