"""Reads Avro data with fastavro and with the Apache library, and writes it again.

Standard input is a JSON array of cases, standard output a JSON array of answers. Bytes are hexadecimal.

    {"avsc": schema, "datum": bytes, "containers": {codec: bytes, ...}}

An answer has the schema's canonical form and fingerprint, and a member for each library:

    {"datum": bytes, "containers": {codec: bytes, ...}, "counts": {codec: number of values, ...}}

What cannot be read ends the program. A value that a library cannot write again, because it chose another branch of a
union for it than the one it was read from, is null in the answer.
"""

import io
import json
import sys

import avro.datafile
import avro.errors
import avro.io
import avro.schema
import fastavro
import fastavro.schema

NAMED = {"return_named_type": True, "return_named_type_override": True}
CANNOT_WRITE = (ValueError, OverflowError, avro.errors.AvroException)


class Fastavro:
    codecs = ("null", "deflate", "zstandard", "snappy", "bzip2", "xz")

    def __init__(self, avsc):
        self.schema = fastavro.parse_schema(json.loads(avsc))

    def read(self, stream):
        return fastavro.schemaless_reader(stream, self.schema, **NAMED)

    def write(self, value, out):
        fastavro.schemaless_writer(out, self.schema, value)

    def read_container(self, codec, stream):
        reader = fastavro.reader(stream, **NAMED)
        assert reader.codec == codec, reader.codec
        return reader.writer_schema, list(reader)

    def write_container(self, codec, schema, values, out):
        fastavro.writer(out, schema, values, codec=codec)


class Apache:
    # It has no xz.
    codecs = ("null", "deflate", "zstandard", "snappy", "bzip2")

    def __init__(self, avsc):
        self.schema = avro.schema.parse(avsc)

    def read(self, stream):
        return avro.io.DatumReader(self.schema).read(avro.io.BinaryDecoder(stream))

    def write(self, value, out):
        avro.io.DatumWriter(self.schema).write(value, avro.io.BinaryEncoder(out))

    def read_container(self, codec, stream):
        reader = avro.datafile.DataFileReader(stream, avro.io.DatumReader())
        assert reader.codec == codec, reader.codec
        return avro.schema.parse(reader.schema), list(reader)

    def write_container(self, codec, schema, values, out):
        writer = avro.datafile.DataFileWriter(
            out, avro.io.DatumWriter(), schema, codec=codec
        )
        for value in values:
            writer.append(value)
        writer.flush()


def written(write, *arguments):
    out = io.BytesIO()
    try:
        write(*arguments, out)
    except CANNOT_WRITE:
        return None
    return out.getvalue().hex()


def answer(library, case):
    codec = library(case["avsc"])
    out = {"containers": {}, "counts": {}}
    if "datum" in case:
        datum = bytes.fromhex(case["datum"])
        stream = io.BytesIO(datum)
        value = codec.read(stream)
        assert stream.tell() == len(datum), "bytes are left"
        out["datum"] = written(codec.write, value)
    for name in library.codecs:
        if name in case["containers"]:
            data = io.BytesIO(bytes.fromhex(case["containers"][name]))
            schema, values = codec.read_container(name, data)
            out["counts"][name] = len(values)
            out["containers"][name] = written(
                codec.write_container, name, schema, values
            )
    return out


def answers(case):
    canonical = fastavro.schema.to_parsing_canonical_form(json.loads(case["avsc"]))
    return {
        "canonical": canonical,
        "fingerprint": fastavro.schema.fingerprint(canonical, "CRC-64-AVRO"),
        "fastavro": answer(Fastavro, case),
        "apache": answer(Apache, case),
    }


json.dump([answers(case) for case in json.load(sys.stdin)], sys.stdout)
