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
    "columns@$ split@GeoPointColumns.latitude,planes=2 split@GeoPointColumns.longitude,planes=8",
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

test("long integers of JSON are exact, wherever they stand", () => {
  const document = { base: { wirewise: "schema/1", root: { list: "any" } } };
  const json = formats.find(({ name }) => name === "json");
  const decoder = new Decoder(json, document, { integers: "exact" });
  for (let by = 0; by < 32; by++) {
    const before = " ".repeat(by);
    const value = decoder.objects(
      new TextEncoder().encode(`${before}[9007199254740993,-1234567890123456789, 0.12345678901234567, 12]`),
    );
    assert.deepEqual(value, [9007199254740993n, -1234567890123456789n, 0.12345678901234567, 12]);
    // What has as many digits, but is no such integer.
    const others = ["0.1234567890123456789012345678901234567890", "1234567890123456789e3", '"1234567890123456789"'];
    for (const other of others) {
      assert.deepEqual(decoder.objects(new TextEncoder().encode(`${before}[${other}]`)), [JSON.parse(other)]);
    }
  }
});
