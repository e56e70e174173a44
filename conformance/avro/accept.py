"""Whether fastavro and the Apache library take Avro schemas: standard input is a JSON array of schema files, standard
output a JSON array of `null` or what a library says against it, and of what fastavro makes of it as canonical form.
"""

import json
import sys

import avro.schema
import fastavro
import fastavro.schema


def verdict(text):
    try:
        avro.schema.parse(text)
        fastavro.parse_schema(json.loads(text), named_schemas={})
        canonical = fastavro.schema.to_parsing_canonical_form(json.loads(text))
    except Exception as error:  # noqa: BLE001 (whatever a library throws is its answer)
        return {"error": f"{type(error).__name__}: {error}"}
    return {"canonical": canonical}


json.dump([verdict(text) for text in json.load(sys.stdin)], sys.stdout)
