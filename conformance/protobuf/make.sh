#!/bin/sh
# Makes the payloads (*.pb) with protoc, and the delimited ones with Google's Python library.
#
#     sh conformance/protobuf/make.sh
#
# Made with libprotoc 3.21.12 and protobuf 5.29.6 for Python.
set -eu
cd "$(dirname "$0")"

encode() {
    protoc --encode="wirewise.conformance.$2" "$1.proto" <"$1.txtpb" >"$1.pb"
}

encode profile UserProfile
encode scalars Batch
encode presence Batch
encode collections Collections
protoc --descriptor_set_out=set.binpb profile.proto
../../.venv/bin/python delimited.py set.binpb profile.pb 3 >profile.delimited
protoc --include_imports --descriptor_set_out=set.binpb protojson.proto
../../.venv/bin/python protojson.py set.binpb protojson
rm set.binpb
