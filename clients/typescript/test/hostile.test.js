// Truncated, corrupted and random bytes: an error of ours with a place, or a value; never a crash, a hang, or all memory.
import assert from "node:assert/strict";
import { test } from "node:test";
import { neverCompile } from "../dist/compile.js";
import { Decoder } from "../dist/decode.js";
import { DecodeError } from "../dist/errors.js";
import { shapes } from "../dist/shapes/index.js";
import { binaryFormats } from "./formats.js";
import { convert, everything, infer, random } from "./support.js";

/** Decodes what may be no message; whether it was one. */
function attempt(decoder, bytes) {
  try {
    decoder.objects(bytes);
    return true;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    assert.ok(error.message.length < 2000);
    return false;
  }
}

const sources = [
  ["people", infer("corpus/people.json"), undefined],
  ["geo-points", infer("corpus/geo-points.json"), undefined],
  [
    "geo-points",
    infer("corpus/geo-points.json"),
    "uuid@GeoPoint.uuid columns@$ concat@GeoPointColumns.uuid delta@GeoPointColumns.status",
  ],
  ["everything", everything, undefined],
];

for (const [name, { schema, text }, shape] of sources) {
  const value = JSON.parse(text);
  const short = JSON.stringify(Array.isArray(value) ? value.slice(0, 30) : value);
  for (const format of binaryFormats) {
    test(`${name} in ${format.name}${shape ? ", shaped" : ""}`, () => {
      const { bytes, document } = convert(short, schema, format.name, shape);
      for (const compiles of [true, false]) {
        neverCompile(!compiles);
        // What follows after an error must not depend on what became of that message.
        const decoder = new Decoder(format, document, { shapes, own: compiles });
        const next = random(bytes.length);
        const step = Math.max(1, Math.floor(bytes.length / 150));
        for (let length = 0; length < bytes.length; length += step) {
          // What Cap'n Proto and FlatBuffers have at the end may be padding.
          const whole = attempt(decoder, bytes.slice(0, length));
          if (whole)
            assert.ok(
              /capnp|flatbuffers|protobuf/.test(format.name),
              `${length} of ${bytes.length} bytes are no message`,
            );
        }
        for (let i = 0; i < 400; i++) {
          const bad = bytes.slice();
          for (let k = 0; k <= next(4); k++) bad[next(bad.length)] = next(3) === 0 ? 255 : next(256);
          attempt(decoder, bad);
        }
        for (let i = 0; i < 200; i++)
          attempt(
            decoder,
            Uint8Array.from({ length: next(200) }, () => next(256)),
          );
        assert.deepEqual(decoder.objects(bytes.slice()), JSON.parse(short));
      }
      neverCompile(false);
    });
  }
}

test("a few bytes do not ask for all memory", () => {
  const schema = {
    wirewise: "schema/1",
    root: "R",
    types: [
      {
        record: "R",
        fields: [
          { number: 1, name: "nulls", type: { list: "null" } },
          { number: 2, name: "texts", type: { list: "string" } },
          { number: 3, name: "deep", type: "R", presence: "optional" },
        ],
      },
    ],
  };
  const huge = [0xff, 0xff, 0xff, 0xff, 0x0f];
  const inputs = [
    [...huge, ...huge],
    [0xdd, 0xff, 0xff, 0xff, 0xff],
    [0x81, 0xa5, ...Buffer.from("nulls"), 0xdd, 0xff, 0xff, 0xff, 0xff],
    [0x93, 0xdd, 0xff, 0xff, 0xff, 0xff, 0xc0],
    [0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    [0x0a, ...huge],
    [0x19, 0xf1, ...huge, 1],
    [15, 0, 1, 12, 0x7f, 0xff, 0xff, 0xff],
    Array.from({ length: 5000 }, () => 0x93),
    Array.from({ length: 5000 }, (_, i) => [0x1a, 0x80][i % 2]),
    Array.from({ length: 5000 }, () => 0x3c),
  ];
  for (const format of binaryFormats) {
    const decoder = new Decoder(format, { base: schema });
    for (const input of inputs) attempt(decoder, Uint8Array.from(input));
  }
});

test("an error names the byte and the place", () => {
  const { schema, text } = infer("corpus/people.json");
  for (const format of binaryFormats) {
    const { bytes, document } = convert(text, schema, format.name);
    assert.throws(
      () => new Decoder(format, document).objects(bytes.slice(0, 5000)),
      (error) => error.offset > 0 && (/capnp|flatbuffers/.test(format.name) || /^\$\[\d+\]/.test(error.path)),
      format.name,
    );
  }
});
