// What random messages once found, as small messages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Decoder } from "../dist/decode.js";
import { DecodeError } from "../dist/errors.js";
import { neverCompile } from "../dist/compile.js";
import { msgpack, msgpackEncoder, msgpackPositional, msgpackPositionalEncoder } from "../dist/formats/msgpack/index.js";
import { protobuf, protobufEncoder } from "../dist/formats/protobuf/index.js";
import { parseSchema } from "../dist/schema.js";
import { formats } from "./formats.js";
import { convert } from "./support.js";

const record = (name, ...fields) => ({
  record: name,
  fields: fields.map(([field, type, more], i) => ({ number: i + 1, name: field, type, ...more })),
});
const file = (root, ...types) => ({ wirewise: "schema/1", root, types });
const encoders = [
  [protobuf, protobufEncoder],
  [msgpack, msgpackEncoder],
  [msgpackPositional, msgpackPositionalEncoder],
];
const number = { scalar: "float64", logical: "number" };

const cases = {
  "lists so short that they end before a word begins": {
    schema: file("R", record("R", ["a", "bool"], ["list", { list: { list: "int32" } }])),
    text: '{"a":true,"list":[[1],[1,2],[3],[1,2,3],[],[300]]}',
  },
  "an optional field with a default stays absent": {
    schema: file({ list: "R" }, record("R", ["a", "int32", { presence: "optional", default: 5 }], ["b", "bool"])),
    text: '[{"b":true},{"a":1,"b":false}]',
  },
  "a default that is zero with a sign": {
    schema: file("R", record("R", ["a", "float64", { default: -0.0 }])),
    text: '{"a":-42.125}',
    // JSON.stringify has no negative zero.
    file: (text) => text.replace('"default":0', '"default":-0.0'),
  },
  "a number that may be whole, and an enum, are told apart by name": {
    schema: file(
      { list: "U" },
      {
        union: "U",
        branches: [
          { number: 1, name: "x", type: number },
          { number: 2, name: "y", type: "E" },
        ],
      },
      { enum: "E", symbols: [{ number: 0, name: "ZERO" }] },
    ),
    text: '[{"x":2},{"y":"ZERO"}]',
  },
  "long integers in what is no column": {
    schema: file("R", record("R", ["id", "int64"], ["any", "any"], ["inner", "R", { presence: "optional" }])),
    text: '{"id":9007199254740995,"any":[9007199254740993],"inner":{"id":9007199254740997,"any":{"a":-9007199254740999}}}',
    exact: {
      id: 9007199254740995n,
      any: [9007199254740993n],
      inner: { id: 9007199254740997n, any: { a: -9007199254740999n } },
    },
  },
  "floats that are whole, where a union has integers too": {
    schema: file(
      { list: "U" },
      {
        union: "U",
        branches: [
          { number: 1, name: "int", type: "uint8" },
          { number: 2, name: "float", type: "float64" },
        ],
      },
    ),
    text: "[1,300.0,-1.0,7.5e30,0.5]",
  },
  "floats that are whole, where a union has an enum too": {
    schema: file(
      { list: "U" },
      {
        union: "U",
        branches: [
          { number: 1, name: "enum", type: "E" },
          { number: 2, name: "float", type: "float64" },
        ],
      },
      { enum: "E", symbols: [{ number: 0, name: "ZERO" }] },
    ),
    text: '["ZERO",6.288241638715003e+104,0.0,0.5]',
  },
  "whole numbers that are no integers": {
    schema: file("R", record("R", ["text", { scalar: "string", logical: "number" }], ["double", number])),
    text: '{"text":123456789012345678901234567890,"double":9007199254740992}',
  },
  "a default that has another name": {
    schema: file("R", record("R", ["a", "E", { default: "OTHER" }]), {
      enum: "E",
      symbols: [
        { number: 0, name: "ZERO" },
        { number: 1, name: "ONE" },
        { number: 1, name: "OTHER" },
      ],
    }),
    text: '{"a":"ZERO"}',
  },
  "zero with a sign": {
    schema: file(
      "R",
      record("R", ["text", { scalar: "string", logical: "number" }], ["double", "float64"], ["any", "any"]),
    ),
    text: '{"text":-0,"double":-0.0,"any":[-0.0]}',
  },
  "floats that lie between two texts": {
    schema: file({ list: "float32" }),
    text: "[-1928309.2,16777220,0.5,1928309.2,1928309.8,-8388607.5]",
  },
};

for (const [what, { schema, text, exact, file = (text) => text }] of Object.entries(cases)) {
  test(what, () => {
    const wanted = JSON.parse(text);
    const base = JSON.parse(file(JSON.stringify(schema)));
    for (const format of formats) {
      const { bytes } = convert(text, schema, format.name, undefined, file);
      for (const compiles of [true, false]) {
        neverCompile(!compiles);
        const decoder = new Decoder(format, { base });
        for (let by = 0; by < 4; by++) {
          const whole = new Uint8Array(by + bytes.length);
          whole.set(bytes, by);
          assert.deepEqual(decoder.objects(whole.subarray(by)), wanted, `${format.name}, ${by}`);
          assert.deepEqual(decoder.columns(whole.subarray(by)).at(0), wanted, `${format.name}, ${by}`);
        }
        if (!exact) continue;
        const other = new Decoder(format, { base }, { integers: "exact" });
        assert.deepEqual(other.objects(bytes), exact, format.name);
        assert.deepEqual(other.columns(bytes).at(0), exact, format.name);
      }
      neverCompile(false);
    }
    for (const [format, encoder] of encoders) {
      const bytes = encoder.encode(exact ?? wanted, parseSchema(base));
      const decoder = new Decoder(format, { base }, { integers: exact ? "exact" : "number" });
      assert.deepEqual(decoder.objects(bytes), exact ?? wanted, `to ${format.name}`);
    }
  });
}

test("JSON that nests deeper than calls is an error of ours", () => {
  const base = file("R", record("R", ["inner", "R", { presence: "optional" }]));
  const messages = { json: ['{"inner":', "{}", "}"], "json-compact": ["[", "[]", "]"] };
  for (const [name, [open, inside, close]] of Object.entries(messages)) {
    const bytes = new TextEncoder().encode(open.repeat(100_000) + inside + close.repeat(100_000));
    const decoder = new Decoder(
      formats.find((format) => format.name === name),
      { base },
    );
    assert.throws(() => decoder.columns(bytes), DecodeError);
  }
});

test("many values of types that contain themselves", () => {
  const optional = { presence: "optional" };
  const fields = Array.from({ length: 50 }, (_, i) => [`a${i}`, "R", optional]);
  const schema = file("R", record("R", ["list", { list: "R" }, optional], ...fields));
  const value = {
    list: Array.from({ length: 120 }, () => ({ a7: {} })),
    a3: Array.from({ length: 30 }).reduce((inner) => ({ a2: inner }), {}),
  };
  for (const format of formats) {
    const { bytes, document } = convert(JSON.stringify(value), schema, format.name);
    assert.deepEqual(new Decoder(format, document).columns(bytes).at(0), value, format.name);
  }
});

test("an error may show any value", () => {
  const base = file("R", record("R", ["a", "int64"]));
  const bytes = new TextEncoder().encode('{"a":{"b":12345678901234567890}}');
  const decoder = new Decoder(
    formats.find(({ name }) => name === "json"),
    { base },
  );
  assert.throws(() => decoder.columns(bytes), /12345678901234567890/);
});

test("a text is no number, whatever it begins with", () => {
  const json = formats.find(({ name }) => name === "json");
  const decoder = new Decoder(json, { base: file({ list: "any" }) }, { integers: "exact" });
  const bytes = new TextEncoder().encode('["\\u00001234567890123456", 1234567890123456789]');
  assert.deepEqual(decoder.objects(bytes), ["\u00001234567890123456", 1234567890123456789n]);
});
