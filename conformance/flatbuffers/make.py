"""Makes the .bin files with flatc and with the Python package flatbuffers.

Run as: .venv/bin/python conformance/flatbuffers/make.py
"""

import json
import subprocess
import tempfile
from pathlib import Path

import flatbuffers

FOLDER = Path(__file__).parent


def flatc(case: str, value: str, *flags: str) -> bytes:
    """What flatc writes for this JSON under the schema of a case."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "value.json").write_text(value)
        schema = str(FOLDER / f"{case}.fbs")
        command = ["flatc", *flags, "--binary", schema, "value.json"]
        subprocess.run(command, cwd=folder, check=True)
        return (Path(folder) / "value.bin").read_bytes()


def write(name: str, data: bytes) -> None:
    (FOLDER / name).write_bytes(data)


def value(case: str) -> str:
    """A case's value as flatc wants it: the file .flatc.json where there is one."""
    own = FOLDER / f"{case}.flatc.json"
    return (own if own.exists() else FOLDER / f"{case}.json").read_text()


def profile_in_another_layout() -> bytes:
    """The profile by a builder that chooses its own order, as generated code does.

    Fields are laid down from first to last, strings are shared, and a file identifier follows the offset of the root.
    """
    builder = flatbuffers.Builder(0)
    builder.ForceDefaults(True)
    profile = json.loads(value("profile"))
    tier = builder.CreateSharedString(profile["subscription"]["tier"])
    builder.StartObject(2)
    builder.PrependUOffsetTRelativeSlot(0, tier, 0)
    builder.PrependInt64Slot(1, profile["subscription"]["expires_at"], 0)
    subscription = builder.EndObject()
    email = builder.CreateString(profile["email"])
    username = builder.CreateString(profile["username"])
    theme = builder.CreateString(profile["preferences"]["theme"])
    builder.StartObject(2)
    builder.PrependBoolSlot(1, profile["preferences"]["notifications"], False)
    builder.PrependUOffsetTRelativeSlot(0, theme, 0)
    preferences = builder.EndObject()
    builder.StartObject(9)
    builder.PrependUOffsetTRelativeSlot(1, username, 0)
    builder.PrependUint64Slot(0, profile["user_id"], 0)
    builder.PrependUOffsetTRelativeSlot(2, email, 0)
    builder.PrependInt64Slot(3, profile["created_at"], 0)
    builder.PrependUOffsetTRelativeSlot(5, preferences, 0)
    builder.PrependInt64Slot(4, profile["last_login"], 0)
    builder.PrependUOffsetTRelativeSlot(6, subscription, 0)
    user = builder.EndObject()
    builder.Finish(user, file_identifier=b"USER")
    return bytes(builder.Output())


def main() -> None:
    for case in ["profile", "everything", "numbers"]:
        write(f"{case}.bin", flatc(case, value(case)))
    for case in ["profile", "everything"]:
        write(f"{case}.prefixed.bin", flatc(case, value(case), "--size-prefixed"))
    elements = [json.dumps(element) for element in json.loads(value("stream"))]
    stream = [flatc("stream", element, "--size-prefixed") for element in elements]
    write("stream.prefixed.bin", b"".join(stream))
    write("profile.python.bin", profile_in_another_layout())


if __name__ == "__main__":
    main()
