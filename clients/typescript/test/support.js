// What tests share: payloads that the command line makes, in all formats, plain and shaped.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The program: `cargo xtask test` says where it is. */
export const wirewise =
  process.env.WIREWISE ?? resolve(root, process.env.CARGO_TARGET_DIR ?? "target", "debug/wirewise");

export const folder = mkdtempSync(join(tmpdir(), "wirewise-client-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

export function run(...args) {
  return execFileSync(wirewise, args, { cwd: root, maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "pipe"] });
}

/** Numbers that are the same in every run: xorshift32. */
export function random(seed) {
  return (below) => {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    return (seed >>> 0) % below;
  };
}

let made = 0;

/**
 * A message (the text of a JSON value) under a schema (a file's value): the schema with its steps, and its bytes.
 * `file` may change the schema's text.
 */
export function convert(text, schema, format, shape, file = (text) => text) {
  const name = join(folder, `${made++}`);
  writeFileSync(`${name}.json`, text);
  writeFileSync(`${name}.schema.json`, file(JSON.stringify(schema)));
  const args = [
    "convert",
    "--from",
    "json",
    "--schema",
    `${name}.schema.json`,
    `${name}.json`,
    "--to",
    format,
    "-o",
    `${name}.out`,
  ];
  if (shape) args.push("--shape", shape, "--schema-out", `${name}.shaped.json`);
  run(...args);
  const base = shape ? JSON.parse(readFileSync(`${name}.shaped.json`, "utf8")) : schema;
  const steps = base.notes?.["wirewise.shapes"];
  return { bytes: new Uint8Array(readFileSync(`${name}.out`)), document: { base, steps: steps ? [steps] : [] } };
}

/** The schema that is inferred from a file of the corpus; a JSON array of objects is one message. */
export function infer(path) {
  const out = join(folder, `${made++}.schema.json`);
  run("schema", "infer", path, "-o", out);
  const schema = JSON.parse(readFileSync(out, "utf8"));
  const text = readFileSync(join(root, path), "utf8");
  if (Array.isArray(JSON.parse(text)) && typeof schema.root === "string") schema.root = { list: schema.root };
  return { schema, text };
}

/** A message with every type, and everything that may be absent or null. */
export const everything = {
  schema: {
    wirewise: "schema/1",
    root: "All",
    types: [
      {
        record: "All",
        oneofs: [{ name: "choice" }],
        fields: [
          { number: 1, name: "list", type: { list: "Item" } },
          { number: 2, name: "map", type: { map: { list: "int32" } } },
          { number: 3, name: "keys", type: { map: "string", key: "int64" } },
          { number: 4, name: "tree", type: "Tree", presence: "optional" },
          { number: 5, name: "one", type: "string", presence: "optional", oneof: "choice" },
          { number: 6, name: "two", type: "int32", presence: "optional", oneof: "choice" },
          { number: 7, name: "plain", type: { list: "Plain" } },
          { number: 8, name: "tagged", type: { list: "Tagged" } },
          { number: 9, name: "nested", type: { list: { list: { nullable: "float32" } } } },
          { number: 10, name: "maybe", type: { nullable: { list: "string" } } },
          { number: 11, name: "any", type: "any" },
          { number: 12, name: "__proto__", type: "bool", default: true },
          { number: 20, name: "defaulted", type: "int32", default: 7 },
        ],
      },
      {
        record: "Item",
        fields: [
          { number: 1, name: "small", type: "uint8" },
          { number: 2, name: "id", type: { fixed: 16, logical: "uuid" } },
          { number: 3, name: "at", type: "int64", logical: "timestamp-millis" },
          { number: 4, name: "day", type: "int32", logical: "date" },
          { number: 5, name: "kind", type: "Kind" },
          { number: 6, name: "text", type: { nullable: "string" } },
          { number: 7, name: "data", type: "bytes" },
          { number: 8, name: "float", type: "float32", presence: "optional" },
          { number: 9, name: "double", type: "float64" },
          { number: 10, name: "long", type: "uint64" },
          { number: 11, name: "short", type: "int16" },
          { number: 12, name: "yes", type: "bool", presence: "optional" },
          { number: 17, name: "zigzag", type: { scalar: "int32", notes: { "protobuf.type": "sint32" } } },
          { number: 18, name: "inner", type: "Inner" },
        ],
      },
      {
        record: "Inner",
        fields: [
          { number: 1, name: "a", type: "string" },
          { number: 2, name: "b", type: "Kind", presence: "optional" },
        ],
      },
      {
        enum: "Kind",
        symbols: [
          { number: 0, name: "NONE" },
          { number: 3, name: "SOME" },
          { number: -1, name: "LESS" },
        ],
      },
      {
        record: "Tree",
        fields: [
          { number: 1, name: "name", type: "string" },
          { number: 2, name: "children", type: { list: "Tree" } },
        ],
      },
      {
        union: "Plain",
        branches: [
          { number: 1, name: "int", type: "int64" },
          { number: 2, name: "text", type: "string" },
          { number: 3, name: "item", type: "Inner" },
        ],
      },
      {
        union: "Tagged",
        branches: [
          { number: 1, name: "a", type: "int32" },
          { number: 4, name: "b", type: "int64" },
        ],
      },
    ],
  },
  text: JSON.stringify({
    list: [0, 1, 2, 3, 4, 5].map((i) => ({
      small: i * 50,
      id: `00000000-0000-4000-8000-00000000000${i}`,
      at: `2026-11-2${i}T12:00:00.25${i}Z`,
      day: `1969-12-3${i % 2}`,
      kind: ["NONE", "SOME", "LESS"][i % 3],
      text: [null, "", "plain", "ünïcödé €", "𝄞𝄞", "x".repeat(300)][i],
      data: ["", "AA==", "AAECAwQ=", "/////w==", "", "AA=="][i],
      ...(i % 2 ? { float: [0.1, 1.5, -3.4e38][i >> 1] } : {}),
      double: [0, -0.5, 1e300, 5e-324, 34, 0.1][i],
      long: [0, 1, 127, 128, 4294967296, 9007199254740991][i],
      short: [0, -1, 32767, -32768, 200, -200][i],
      ...(i > 2 ? { yes: i > 3 } : {}),
      zigzag: [0, -1, 2147483647, -2147483648, 5, -300][i],
      inner: i % 2 ? { a: `a${i}` } : { a: "", b: "SOME" },
    })),
    map: { a: [1, 2], "": [], ключ: [-1] },
    keys: { "-5": "minus", 9007199254740991: "most" },
    tree: {
      name: "root",
      children: [
        { name: "a", children: [{ name: "b", children: [] }] },
        { name: "c", children: [] },
      ],
    },
    two: 0,
    plain: [1, "x", { a: "y" }, -5],
    tagged: [{ a: 1 }, { b: 0 }],
    nested: [[0.5, null], [], [1.25]],
    maybe: [],
    any: { deep: [1, 2.5, "three", null, { four: true }] },
    ["__proto__"]: false,
    defaulted: 0,
  }),
};
