// What is encoded are the very bytes that the command line writes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Decoder } from "../dist/decode.js";
import { msgpack, msgpackEncoder, msgpackPositional, msgpackPositionalEncoder } from "../dist/formats/msgpack/index.js";
import { protobuf, protobufEncoder } from "../dist/formats/protobuf/index.js";
import { parseSchema } from "../dist/schema.js";
import { convert, everything, infer } from "./support.js";

const pairs = [
  [protobuf, protobufEncoder],
  [msgpack, msgpackEncoder],
  [msgpackPositional, msgpackPositionalEncoder],
];
const cases = ["geo-points", "people", "user-profile", "counters", "time-series"].map((name) => [
  name,
  infer(`corpus/${name}.json`),
]);
cases.push(["everything", everything]);

for (const [name, { schema, text }] of cases) {
  for (const [format, encoder] of pairs) {
    test(`${name} to ${format.name}`, () => {
      const { bytes } = convert(text, schema, format.name);
      const value = JSON.parse(text);
      const made = encoder.encode(value, parseSchema(schema));
      assert.deepEqual(new Decoder(format, { base: schema }).objects(made), value);
      assert.ok(Buffer.from(made).equals(Buffer.from(bytes)));
    });
  }
}

test("what does not fit its schema is an error with its place", () => {
  const schema = parseSchema(everything.schema);
  const value = JSON.parse(everything.text);
  value.list[1].small = 300;
  assert.throws(() => protobufEncoder.encode(value, schema), /300 is no uint8, in \$\.list\[1\]\.small/);
  delete value.list[1].small;
  assert.throws(() => msgpackEncoder.encode(value, schema), /required field small.*\$\.list\[1\]/);
});
