// Random schemas and messages, those of the other tests of Wirewise: whatever `wirewise convert` writes is read as it writes
// it in JSON, on every path there is, and bytes that were damaged are an error of ours or a value.
//
// WIREWISE_SEED is the first seed, WIREWISE_CASES how many there are. A failure names its seed, format and steps.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import { promisify } from "node:util";
import { neverCompile } from "../dist/compile.js";
import { Decoder } from "../dist/decode.js";
import { DecodeError } from "../dist/errors.js";
import { msgpackEncoder, msgpackPositionalEncoder } from "../dist/formats/msgpack/index.js";
import { protobufEncoder } from "../dist/formats/protobuf/index.js";
import { generate } from "../dist/generate/index.js";
import { parseSchema } from "../dist/schema.js";
import { shapes } from "../dist/shapes/index.js";
import { formats } from "./formats.js";
import { folder, random, wirewise } from "./support.js";

const first = Number(process.env.WIREWISE_SEED ?? 1);
const count = Number(process.env.WIREWISE_CASES ?? 30);
const run = promisify(execFile);
const json = formats.find(({ name }) => name === "json");
const encoders = {
  protobuf: protobufEncoder,
  "msgpack-named": msgpackEncoder,
  "msgpack-positional": msgpackPositionalEncoder,
};

const made = join(folder, "random");
mkdirSync(made);
const generator = join(dirname(wirewise), "examples/random_messages");
await run(generator, [made, `${first}`, `${count}`]).catch((error) => {
  throw new Error(`cargo build -p wirewise-shapes --example random_messages\n${error}`);
});

/** A message that was made, in another format; undefined if that cannot hold it. */
async function convert(seed, format, { steps, finite = false } = {}) {
  const name = join(made, `${seed}`);
  const out = `${name}.${format}.${steps ? "shaped" : "plain"}`;
  const args = ["convert", "--from", "msgpack", "--schema", `${name}.schema.json`];
  args.push("--in-framing", "none", "--out-framing", "none");
  // JSON has no NaN: null is what takes its place.
  if (!finite) args.push("--lossy", "not-finite");
  args.push(`${name}.msgpack`, "--to", format, "-o", out);
  if (steps) args.push("--shape", steps, "--schema-out", `${out}.schema.json`);
  try {
    await run(wirewise, args);
  } catch (error) {
    // What the message, or its data, cannot be.
    assert.ok(error.code === 1 || error.code === 2, `${error}`);
    return undefined;
  }
  const base = JSON.parse(readFileSync(steps ? `${out}.schema.json` : `${name}.schema.json`, "utf8"));
  const noted = base.notes?.["wirewise.shapes"];
  return { bytes: new Uint8Array(readFileSync(out)), document: { base, steps: noted ? [noted] : [] } };
}

/** The value as JSON has it. */
function asJson(value) {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(asJson);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asJson(inner)]));
}

/** The value with integers as JSON.parse has them. */
function rounded(value) {
  if (typeof value === "bigint") return Number(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(rounded);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rounded(inner)]));
}

/** The functions of a module that `generate` made. */
function armsOf(format, document) {
  const source = generate(document, format, shapes);
  const body = source.slice(source.indexOf("compiledOf("), source.lastIndexOf(";"));
  return new Function("compiledOf", `return ${body}`)((_, arms) => arms);
}

/** All ways to read a message: with functions made of text, with those of a build step, and without any. */
const paths = [
  ["compiled", {}, false],
  ["own", { own: true }, false],
  ["generated", {}, true],
  ["general", {}, true],
];

/** A decoder for each path, which gives the values as JSON has them. */
function reader(path, format, document, integers) {
  const [name, options] = path;
  const arms = name === "generated" ? armsOf(format, document) : undefined;
  return new Decoder(format, document, { shapes, integers, arms, ...options });
}

function same(format, { bytes, document }, wanted, next) {
  for (const path of paths) {
    neverCompile(path[2]);
    const integers = next(2) ? "number" : "exact";
    const decoder = reader(path, format, document, integers);
    const message = `${path[0]}, ${integers}`;
    const check = (value, exact = true) => {
      // JSON's own reader does not know which numbers are no integers.
      if (integers === "exact" && wanted.exact && exact) assert.deepEqual(value, wanted.exact, message);
      else assert.deepEqual(asJson(rounded(value)), wanted.number, message);
    };
    // More than once: nothing of a message is left in the decoder. It lies as bytes do that come behind others.
    const given = () => {
      const by = next(8);
      const whole = new Uint8Array(by + bytes.length);
      whole.set(bytes, by);
      return whole.subarray(by);
    };
    check(decoder.objects(given()), !format.parse);
    const column = decoder.columns(given());
    assert.equal(column.length, 1);
    check(column.kind === "list" ? column.items.toArray() : column.at(0));
  }
}

/** What is encoded is read as it was, or refused. */
function encoded(format, document, value) {
  let bytes;
  try {
    bytes = encoders[format.name].encode(value, parseSchema(document.base));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return;
  }
  // In JSON text of an any, whole floats are integers.
  const again = new Decoder(format, document, { integers: "exact" }).objects(bytes);
  assert.deepEqual(rounded(again), rounded(value), "encoded");
}

/** Truncations and changed bytes. */
function hostile(format, { bytes, document }, wanted, next) {
  const path = paths[next(paths.length)];
  neverCompile(path[2]);
  const decoder = reader(path, format, document, "number");
  const attempt = (bad) => {
    try {
      // Also what is only read when it is asked for.
      if (next(2)) decoder.objects(bad);
      else decoder.columns(bad).toArray();
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
    }
  };
  for (let i = 0; i < 10 && bytes.length > 0; i++) {
    attempt(bytes.slice(0, next(bytes.length)));
    const bad = bytes.slice();
    for (let k = 0; k <= next(3); k++) bad[next(bad.length)] ^= next(2) ? 1 << next(8) : 1 + next(255);
    attempt(bad);
  }
  assert.deepEqual(asJson(decoder.objects(bytes.slice())), wanted.number, `after damaged ones, ${path[0]}`);
}

const carried = new Map(formats.map(({ name }) => [name, 0]));

describe(`seeds ${first} to ${first + count - 1}`, { concurrency: availableParallelism() }, () => {
  for (let seed = first; seed < first + count; seed++) {
    if (!existsSync(join(made, `${seed}.steps`))) continue;
    test(`seed ${seed}`, async () => {
      const text = await convert(seed, "json");
      // It has no bytes where anything may be.
      if (!text) return;
      const wanted = { number: asJson(JSON.parse(Buffer.from(text.bytes).toString())) };
      // Where there is something else than finite numbers, JSON has lost them.
      const finite = (await convert(seed, "json", { finite: true })) !== undefined;
      if (finite) {
        wanted.exact = new Decoder(json, text.document, { integers: "exact" }).columns(text.bytes).at(0);
        assert.deepEqual(asJson(rounded(wanted.exact)), wanted.number, "exact");
      }
      const recipes = readFileSync(join(made, `${seed}.steps`), "utf8")
        .trim()
        .split("\n");
      const next = random(seed + 1);
      for (const format of formats) {
        if (format.parse && !finite) continue;
        for (const steps of [undefined, ...recipes]) {
          const message = await convert(seed, format.name, { steps });
          if (!message) continue;
          try {
            same(format, message, wanted, next);
            hostile(format, message, wanted, next);
            if (!steps && finite && format.name in encoders) encoded(format, message.document, wanted.exact);
          } catch (error) {
            // What the client says of itself.
            if (/is not supported here/.test(error.message)) continue;
            error.message = `seed ${seed}, ${format.name}, ${steps ?? "plain"}: ${error.message}`;
            throw error;
          }
          carried.set(format.name, carried.get(format.name) + 1);
        }
      }
    });
  }
});

after(() => {
  if (count < 20) return;
  for (const [name, times] of carried) assert.ok(times >= count / 2, `${name} held only ${times} of ${count} messages`);
});
