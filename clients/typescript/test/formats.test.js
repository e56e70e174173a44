// Every format, plain and shaped: the same values as JSON.parse gives, as objects and as columns.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Decoder } from "../dist/decode.js";
import { neverCompile } from "../dist/compile.js";
import { shapes } from "../dist/shapes/index.js";
import { formats } from "./formats.js";
import { convert, everything, infer } from "./support.js";

const files = ["geo-points", "people", "user-profile", "counters", "time-series"];

// Lists of fixed bytes, of all lengths.
const keys = {
  schema: {
    wirewise: "schema/1",
    root: { list: "Keys" },
    types: [
      {
        record: "Keys",
        fields: [
          { number: 1, name: "ids", type: { list: { fixed: 16, logical: "uuid" } } },
          { number: 2, name: "keys", type: { nullable: { list: { fixed: 3 } } } },
        ],
      },
    ],
  },
  text: JSON.stringify(
    Array.from({ length: 20 }, (_, i) => ({
      ids: Array.from({ length: i % 7 }, (_, k) => `6b5fcfe2-25bd-523d-97b4-0000000${10000 + 100 * i + k}`),
      keys: i % 5 === 1 ? null : Array.from({ length: i % 3 }, (_, k) => `A${i % 10}_`.replace("_", `${k}/`)),
    })),
  ),
};

const cases = [
  ...files.map((name) => [name, infer(`corpus/${name}.json`)]),
  ["everything", everything],
  ["keys", keys],
];

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
    "uuid@GeoPoint.uuid columns@$ concat@GeoPointColumns.uuid",
    "columns@$ split@GeoPointColumns.latitude delta@GeoPointColumns.status",
    "columns@$ split@GeoPointColumns.latitude,planes=2 split@GeoPointColumns.longitude,planes=8",
    "columns@$ xor@GeoPointColumns.latitude",
    "columns@$ dictionary@GeoPointColumns.uuid,bits=16",
  ],
  people: ["auto", "columns@$"],
  everything: ["columns", "columns@All.list"],
  counters: ["auto", "columns@$ delta@CounterColumns.id"],
  "time-series": ["auto"],
  keys: ["auto", "concat@Keys.ids concat@Keys.keys"],
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

test("fixed bytes behind each other are a column where they lie", () => {
  const { schema, text } = cases[0][1];
  const steps = "uuid@GeoPoint.uuid columns@$ concat@GeoPointColumns.uuid";
  const format = formats.find(({ name }) => name === "protobuf");
  const { bytes, document } = convert(text, schema, format.name, steps);
  const decoder = new Decoder(format, document, { shapes });
  const { type, children } = decoder.columns(bytes).items;
  const uuids = children[type.fields.findIndex(({ name }) => name === "uuid")];
  assert.ok(uuids.bytes.buffer === bytes.buffer && uuids.stride === 16);
  assert.deepEqual(
    uuids.toArray(),
    JSON.parse(text).map(({ uuid }) => uuid),
  );
  const short = { base: { wirewise: "schema/1", root: { list: { fixed: 2 } } }, steps: ["concat@$"] };
  const msgpack = formats.find(({ name }) => name === "msgpack-named");
  const columns = (...bytes) => new Decoder(msgpack, short, { shapes }).columns(Uint8Array.from(bytes));
  assert.deepEqual(columns(0xc4, 0).at(0), []);
  assert.deepEqual(columns(0xc4, 4, 0, 1, 2, 3).at(0), ["AAE=", "AgM="]);
  assert.throws(() => columns(0xc4, 3, 1, 2, 3), /3 bytes are no values of 2 bytes/);
});

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
