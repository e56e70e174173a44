// Readers that are generated in a build step are used where functions cannot be made of text.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { neverCompile } from "../dist/compile.js";
import { Decoder } from "../dist/decode.js";
import { avro } from "../dist/formats/avro/index.js";
import { capnp, capnpPacked } from "../dist/formats/capnp/index.js";
import { flatbuffers } from "../dist/formats/flatbuffers/index.js";
import { msgpack } from "../dist/formats/msgpack/index.js";
import { protobuf } from "../dist/formats/protobuf/index.js";
import { thriftCompact } from "../dist/formats/thrift/index.js";
import { generate } from "../dist/generate/index.js";
import { convert, folder, infer } from "./support.js";

const { schema, text } = infer("corpus/geo-points.json");

for (const format of [protobuf, msgpack, avro, thriftCompact, flatbuffers, capnp, capnpPacked]) {
  test(`a module for ${format.name}`, async () => {
    const { bytes, document } = convert(text, schema, format.name);
    const source = generate(document, format);
    const here = new URL("../dist/generate/compiled.js", import.meta.url).href;
    const file = join(folder, `${format.name}.mjs`);
    writeFileSync(file, source.replace("@wirewise/client/compiled", here));
    const { default: compiled } = await import(file);
    assert.equal(compiled.format, format.name);
    let used = 0;
    const arms = Object.fromEntries(
      Object.entries(compiled.arms).map(([key, arm]) => [key, (...args) => (used++, arm(...args))]),
    );
    neverCompile();
    assert.deepEqual(new Decoder(format, document, { arms }).objects(bytes), JSON.parse(text));
    assert.ok(used > 0);
    // A reader for another layout is not taken.
    used = 0;
    const other = structuredClone(document);
    other.base.types[0].fields.reverse().forEach((field, i) => (field.number = i + 1));
    const swapped = convert(text, other.base, format.name);
    assert.deepEqual(new Decoder(format, other, { arms }).objects(swapped.bytes), JSON.parse(text));
    assert.equal(used, 0);
    neverCompile(false);
  });
}

test("records before a place where a message is cut off are not read again and again", () => {
  const { bytes, document } = convert(text, schema, msgpack.name);
  const functions = {};
  new Function(
    "add",
    generate(document, msgpack)
      .replace(/^import.*$/m, "")
      .replace("export default compiledOf(", "add("),
  )((_, arms) => Object.assign(functions, arms));
  let used = 0;
  const arms = Object.fromEntries(
    Object.entries(functions).map(([key, arm]) => [key, (...args) => (used++, arm(...args))]),
  );
  const decoder = new Decoder(msgpack, document, { arms });
  assert.throws(() => decoder.objects(bytes.slice(0, -4)), { name: "DecodeError" });
  assert.ok(used > 0 && used < 4, `${used} calls`);
  // The next message is read as ever.
  assert.deepEqual(decoder.objects(bytes), JSON.parse(text));
});
