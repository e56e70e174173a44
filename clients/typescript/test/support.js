// What tests share: payloads that the command line makes, in all formats, plain and shaped.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The program: `cargo xtask test` says where it is. */
export const wirewise =
  process.env.WIREWISE ?? join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug/wirewise");

export const folder = mkdtempSync(join(tmpdir(), "wirewise-client-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

export function run(...args) {
  return execFileSync(wirewise, args, { cwd: root, maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "pipe"] });
}

let made = 0;

/** A message (the text of a JSON value) under a schema (a file's value): the schema with its steps, and its bytes. */
export function convert(text, schema, format, shape) {
  const name = join(folder, `${made++}`);
  writeFileSync(`${name}.json`, text);
  writeFileSync(`${name}.schema.json`, JSON.stringify(schema));
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
