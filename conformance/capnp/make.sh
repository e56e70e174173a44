#!/bin/sh
# Writes the messages in this folder with the `capnp` tool (0.9.2): each case is a .capnp schema and a message in the
# tool's text form, with the same value as the case's .json file.
set -eu
cd "$(dirname "$0")"

for case in profile everything defaults numbers old new; do
    capnp convert text:binary "$case.capnp" Root <"$case.txt" >"$case.framed"
    capnp convert text:packed "$case.capnp" Root <"$case.txt" >"$case.packed"
done

# Segments of a few words, so that nearly all pointers are far, and many of them double-far.
for words in 1 3 10; do
    capnp convert --segment-size="$words" text:binary everything.capnp Root <everything.txt >"everything.segments-$words"
done

# Every struct cut off after its last value that is not zero; a segment table makes a message of it again.
capnp convert text:canonical everything.capnp Root <everything.txt >everything.canonical
