"""Reads Avro data with another schema than it was written with, by fastavro and the Apache library, and writes what
they got with that other schema.

Standard input is a JSON array of cases, standard output a JSON array of answers. Bytes are hexadecimal.

    {"writer": schema, "reader": schema, "datum": bytes}
    {"fastavro": answer, "apache": answer}

An answer has `datum`, or `read` with the error of reading, or `write` with that of writing.
"""

import io
import json
import sys

import avro.io
import avro.schema
import fastavro


def with_fastavro(case):
    writer = fastavro.parse_schema(json.loads(case["writer"]), named_schemas={})
    reader = fastavro.parse_schema(json.loads(case["reader"]), named_schemas={})
    stream = io.BytesIO(bytes.fromhex(case["datum"]))
    value = fastavro.schemaless_reader(stream, writer, reader)
    return lambda out: fastavro.schemaless_writer(out, reader, value)


def with_apache(case):
    writer = avro.schema.parse(case["writer"])
    reader = avro.schema.parse(case["reader"])
    stream = io.BytesIO(bytes.fromhex(case["datum"]))
    value = avro.io.DatumReader(writer, reader).read(avro.io.BinaryDecoder(stream))
    encoder = avro.io.DatumWriter(reader)
    return lambda out: encoder.write(value, avro.io.BinaryEncoder(out))


def answer(read, case):
    # Whatever a library throws is its answer.
    try:
        write = read(case)
    except Exception as error:  # noqa: BLE001 (whatever a library throws is its answer)
        return {"read": f"{type(error).__name__}: {error}"}
    out = io.BytesIO()
    try:
        write(out)
    except Exception as error:  # noqa: BLE001 (whatever a library throws is its answer)
        return {"write": f"{type(error).__name__}: {error}"}
    return {"datum": out.getvalue().hex()}


json.dump(
    [
        {"fastavro": answer(with_fastavro, case), "apache": answer(with_apache, case)}
        for case in json.load(sys.stdin)
    ],
    sys.stdout,
)
