// The payloads of the benchmark: the points of the corpus in all formats, made by the command line.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const wirewise = process.env.WIREWISE ?? resolve(root, process.env.CARGO_TARGET_DIR ?? "target", "release/wirewise");
export const out = fileURLToPath(new URL("out/", import.meta.url));

const run = (...args) =>
  execFileSync(wirewise, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 30 });

const schema = {
  wirewise: "schema/1",
  root: { list: "GeoPoint" },
  types: [
    {
      record: "GeoPoint",
      fields: [
        { number: 1, name: "uuid", type: "string", logical: "uuid" },
        { number: 2, name: "status", type: "int64" },
        { number: 3, name: "longitude", type: "float64" },
        { number: 4, name: "latitude", type: "float64" },
      ],
    },
  ],
};

const columnar = "uuid@GeoPoint.uuid columns@$ concat@GeoPointColumns.uuid";

export const shapes = {
  plain: undefined,
  columns: columnar,
  split: `${columnar} split@GeoPointColumns.longitude,planes=2 split@GeoPointColumns.latitude,planes=2`,
};

const rows = [
  ...["json", "protobuf", "msgpack-named", "msgpack-positional", "cbor-named"],
  ...["avro", "thrift-compact", "flatbuffers", "capnp", "capnp-packed"],
];
const columns = ["protobuf", "msgpack-named", "cbor-named", "avro", "thrift-compact", "flatbuffers", "capnp"];
const formats = { plain: rows, columns, split: ["protobuf", "msgpack-named"] };

/** Writes all of them; what each is, and how long. */
export function make() {
  mkdirSync(out, { recursive: true });
  run("corpus", "geo-points", "-o", join(out, "points.json"));
  writeFileSync(join(out, "schema.json"), JSON.stringify(schema));
  const payloads = [];
  for (const [shape, steps] of Object.entries(shapes)) {
    for (const format of formats[shape]) {
      const file = `${format}.${shape}`;
      const args = ["convert", "--from", "json", "--schema", join(out, "schema.json"), join(out, "points.json")];
      run(...args, "--to", format, "-o", join(out, file), ...(steps ? ["--shape", steps] : []));
      payloads.push({ format, shape, file, bytes: readFileSync(join(out, file)).length });
    }
  }
  run("schema", "translate", "--to", "proto", join(out, "schema.json"), "-o", join(out, "points.proto"));
  run("schema", "translate", "--to", "descriptor-set", join(out, "schema.json"), "-o", join(out, "points.desc"));
  return { payloads, schema };
}
