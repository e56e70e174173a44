// Messages of the decoder's own, which may be changed, and lists that are taken where they lie.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Decoder } from "../dist/decode.js";
import { DecodeError } from "../dist/errors.js";
import { neverCompile } from "../dist/compile.js";
import { shapes } from "../dist/shapes/index.js";
import { join } from "../dist/shapes/split.js";
import { binaryFormats } from "./formats.js";
import { convert } from "./support.js";

const schema = {
  wirewise: "schema/1",
  root: { list: "Point" },
  types: [
    {
      record: "Point",
      fields: [
        { number: 1, name: "name", type: "string" },
        { number: 2, name: "id", type: { fixed: 16, logical: "uuid" } },
        { number: 3, name: "count", type: "int64" },
        { number: 4, name: "east", type: "float64" },
        { number: 5, name: "north", type: "float64" },
        { number: 6, name: "zigzag", type: { scalar: "int64", notes: { "protobuf.type": "sint64" } } },
        { number: 7, name: "height", type: "float64" },
        { number: 20, name: "other", type: { fixed: 4 } },
      ],
    },
  ],
};

const points = (count, { large = false, strange = -1 } = {}) =>
  Array.from({ length: count }, (_, i) => ({
    name: i === strange ? "x".repeat(300) : `point ${i}`,
    id: `00000000-0000-4000-8000-${(i * 7919).toString(16).padStart(12, "0")}`,
    count: large && i % 50 === 3 ? 2 ** 40 + i : i % 60,
    east: i / 7,
    north: 1 - i / 3,
    zigzag: large && i % 9 === 1 ? -i : i % 60,
    height: i === strange ? -0.1 : i + 0.5,
    other: Buffer.from([i, 1, 2, i >> 8]).toString("base64"),
  }));

/** The message behind so many other bytes, in memory that has nothing behind it. */
function shifted(bytes, by) {
  const whole = new Uint8Array(by + bytes.length);
  whole.set(bytes, by);
  return whole.subarray(by);
}

for (const format of binaryFormats) {
  for (const [what, value] of [
    ["small numbers", points(200)],
    ["large numbers", points(200, { large: true })],
    ["something long", points(120, { strange: 77 })],
    ["few", points(3)],
    ["none", []],
  ]) {
    for (const shape of ["columns@$", undefined]) {
      test(`${what} in ${format.name}${shape ? ", columns" : ""}`, () => {
        const { bytes, document } = convert(JSON.stringify(value), schema, format.name, shape);
        for (let by = 0; by < 8; by++) {
          for (const compiles of [true, false]) {
            neverCompile(!compiles);
            const given = shifted(bytes, by);
            assert.deepEqual(new Decoder(format, document, { shapes }).objects(given), value);
            assert.deepEqual(given, bytes, "bytes of others stay as they are");
            const own = new Decoder(format, document, { shapes, own: true });
            assert.deepEqual(own.objects(given), value);
            // The next message, and columns that are read one after another.
            const columns = own.columns(shifted(bytes, by)).items.columns;
            for (const name of ["height", "id", "name", "north", "count", "east", "zigzag", "other"]) {
              assert.deepEqual(
                columns[name].toArray(),
                value.map((point) => point[name]),
                name,
              );
            }
          }
          neverCompile(false);
        }
      });
    }
  }
}

test("doubles of the decoder's own are not copied", () => {
  const value = points(200);
  for (const name of ["protobuf", "msgpack-named", "avro", "thrift-compact"]) {
    const format = binaryFormats.find((format) => format.name === name);
    const { bytes, document } = convert(JSON.stringify(value), schema, name, "columns@$");
    let moved = 0;
    for (let by = 0; by < 8; by++) {
      const given = shifted(bytes, by);
      const { columns } = new Decoder(format, document, { shapes, own: true }).columns(given).items;
      for (const key of ["east", "north"]) if (columns[key].values.buffer === given.buffer) moved++;
    }
    assert.ok(moved >= 12, `${name}: ${moved} of 16`);
  }
});

test("pieces of a message that are read again were not changed", () => {
  const format = binaryFormats.find(({ name }) => name === "protobuf");
  const nested = {
    wirewise: "schema/1",
    root: "Outer",
    types: [
      { record: "Outer", fields: [{ number: 1, name: "inner", type: "Inner" }] },
      {
        record: "Inner",
        fields: [
          { number: 1, name: "values", type: { list: "float64" } },
          { number: 2, name: "small", type: { list: "int64" } },
          { number: 3, name: "signed", type: { list: { scalar: "int64", notes: { "protobuf.type": "sint64" } } } },
        ],
      },
    ],
  };
  const value = { inner: { values: [0.1, 0.2, 0.3], small: [1, 2, 3], signed: [4, 5] } };
  const { bytes, document } = convert(JSON.stringify(value), nested, "protobuf");
  // The field comes twice: it is one message in two pieces.
  const twice = new Uint8Array([...bytes, ...bytes]);
  const double = (list) => [...list, ...list];
  const wanted = Object.entries(value.inner).map(([key, list]) => [key, double(list)]);
  for (let by = 0; by < 8; by++) {
    const decoder = new Decoder(format, document, { own: true });
    assert.deepEqual(decoder.objects(shifted(twice, by)), { inner: Object.fromEntries(wanted) });
  }
});

for (const name of ["flatbuffers", "capnp"]) {
  test(`${name}: what does not lie as usual is read one by one, or is an error`, () => {
    const format = binaryFormats.find((format) => format.name === name);
    const value = points(300);
    const { bytes, document } = convert(JSON.stringify(value), schema, name, "columns@$");
    const decoder = new Decoder(format, document, { shapes, own: true });
    const wanted = value.map(({ id }) => id);
    let [errors, values] = [0, 0];
    // A word at a time: offsets out of the message, to other places, and lengths.
    for (let at = 0; at + 4 <= bytes.length; at += 4) {
      for (const change of [0xffffffff, 0x7ffffff0, 4, 28]) {
        const bad = bytes.slice();
        const view = new DataView(bad.buffer);
        view.setUint32(at, view.getUint32(at, true) ^ change, true);
        const before = bad.slice();
        try {
          const { columns } = decoder.columns(bad).items;
          if (columns.id.length === wanted.length) values += columns.id.toArray().length > 0 ? 1 : 0;
        } catch (error) {
          if (!(error instanceof DecodeError)) throw error;
          errors++;
        }
        assert.deepEqual(bad, before);
      }
    }
    assert.ok(errors > 1000 && values > 1000, `${errors} errors, ${values} values`);
    // Two elements that have changed places are not regular, but right. Offsets are from where they stand.
    const step = name === "capnp" ? 2 : 1;
    const words = new Int32Array(bytes.slice(0, bytes.length & ~3).buffer);
    const grows = (at) => words[at + step] - words[at];
    const isRun = (at) =>
      grows(at) !== 0 && Array.from({ length: 290 }, (_, i) => grows(at + i * step)).every((by) => by === grows(at));
    const run = words.findIndex((_, at) => isRun(at));
    const [a, b] = [run + 50 * step, run + 150 * step];
    [words[a], words[b]] = [words[b] + 400, words[a] - 400];
    const { id, other } = decoder.columns(new Uint8Array(words.buffer)).items.columns;
    const found = [...id.toArray(), ...other.toArray()];
    const all = value.map(({ id }) => id).concat(value.map(({ other }) => other));
    const first = found.findIndex((text, i) => text !== all[i]);
    [all[first], all[first + 100]] = [all[first + 100], all[first]];
    assert.deepEqual(found, all);
  });
}

test("split floats, with planes for some bytes or for all", () => {
  for (const size of [4, 8]) {
    for (const count of [0, 1, 3, 4, 5, 33]) {
      const Floats = size === 4 ? Float32Array : Float64Array;
      const values = Floats.from({ length: count }, (_, i) => (i - 7) / 3);
      const plain = new Uint8Array(values.buffer);
      for (let planes = 0; planes <= size; planes++) {
        const bytes = new Uint8Array(1 + count * size);
        for (let i = 0; i < count; i++) {
          for (let k = 0; k < size; k++) {
            const plane = size - 1 - k;
            const at = plane < planes ? plane * count + i : planes * count + i * (size - planes) + k;
            bytes[1 + at] = plain[i * size + k];
          }
        }
        const words = new Int32Array((size / 4) * (count + 1));
        join(bytes, 1, count, size, planes, words, 1);
        assert.deepEqual(new Floats(words.buffer).subarray(1), values, `${planes} planes of ${size}`);
      }
    }
  }
});

for (const name of ["avro", "thrift-compact", "protobuf"]) {
  test(`${name}: integers that turn out not to be small are where they were`, () => {
    const format = binaryFormats.find((format) => format.name === name);
    const signed = { list: { scalar: "int64", notes: { "protobuf.type": "sint64" } } };
    const lists = {
      wirewise: "schema/1",
      root: "Lists",
      types: [
        {
          record: "Lists",
          fields: [
            { number: 1, name: "first", type: signed },
            { number: 2, name: "second", type: { list: "int64" } },
            { number: 3, name: "third", type: { list: "float64" } },
          ],
        },
      ],
    };
    for (const other of [-1, 63, 64, 127, 128, 12345678901]) {
      const numbers = Array.from({ length: 200 }, (_, i) => (i === 150 ? other : i % 50));
      const value = { first: numbers, second: numbers, third: numbers.map((number) => number / 3) };
      const { bytes, document } = convert(JSON.stringify(value), lists, name);
      for (let by = 0; by < 8; by++) {
        const decoder = new Decoder(format, document, { own: true });
        assert.deepEqual(decoder.objects(shifted(bytes, by)), value, `${other}, moved by ${by}`);
      }
    }
  });
}
