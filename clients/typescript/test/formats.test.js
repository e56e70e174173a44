// Every format, plain and shaped: the same values as JSON.parse gives, as objects and as columns.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Decoder } from "../dist/decode.js";
import { neverCompile } from "../dist/compile.js";
import { shapes } from "../dist/shapes/index.js";
import { formats } from "./formats.js";
import { convert, everything, infer } from "./support.js";

const files = ["geo-points", "people", "user-profile", "counters", "time-series"];

const cases = [...files.map((name) => [name, infer(`corpus/${name}.json`)]), ["everything", everything]];

for (const [name, { schema, text }] of cases) {
  const wanted = JSON.parse(text);
  for (const format of formats) {
    test(`${name} in ${format.name}`, () => {
      const { bytes, document } = convert(text, schema, format.name);
      const decoder = new Decoder(format, document);
      assert.deepEqual(decoder.objects(bytes), wanted);
      assert.deepEqual(decoder.columns(bytes).at(0), wanted);
      neverCompile();
      assert.deepEqual(new Decoder(format, document).objects(bytes), wanted);
      neverCompile(false);
    });
  }
}

// The steps that suit each file, and others that suit none: values come back all the same.
const steps = {
  "geo-points": [
    "auto",
    "uuid@GeoPoint.uuid",
    "columns@$ split@GeoPointColumns.latitude delta@GeoPointColumns.status",
    "columns@$ xor@GeoPointColumns.latitude",
    "columns@$ dictionary@GeoPointColumns.uuid,bits=16",
  ],
  people: ["auto", "columns@$"],
  everything: ["columns", "columns@All.list"],
  counters: ["auto", "columns@$ delta@CounterColumns.id"],
  "time-series": ["auto"],
};
for (const [name, all] of Object.entries(steps)) {
  const { schema, text } = cases.find(([other]) => other === name)[1];
  const wanted = JSON.parse(text);
  for (const shape of all) {
    for (const format of formats) {
      // Their longs have a sign, and half of all doubles as bits are beyond.
      if (shape.includes("xor") && ["avro", "thrift-compact", "thrift-binary"].includes(format.name)) continue;
      test(`${name} in ${format.name}, ${shape}`, () => {
        const { bytes, document } = convert(text, schema, format.name, shape);
        assert.deepEqual(new Decoder(format, document, { shapes }).objects(bytes), wanted);
      });
    }
  }
}
