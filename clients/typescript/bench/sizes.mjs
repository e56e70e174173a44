// Sizes of what a page loads: minified by esbuild, and gzipped.
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const client = `import { client } from "../dist/index.js";`;
const module = (names, path) => `import { ${names} } from "../dist/${path}/index.js";`;
const uses = (formats, more = "") => `globalThis.client = client({ formats: [${formats}]${more} });`;
const shapes = module("shapes", "shapes");

export const bundles = {
  "client, JSON": [client, module("json", "formats/json"), uses("json")],
  "client, Protobuf": [client, module("protobuf", "formats/protobuf"), uses("protobuf")],
  "client, Protobuf and shapes": [client, module("protobuf", "formats/protobuf"), shapes, uses("protobuf", ", shapes")],
  "client, MessagePack": [client, module("msgpack", "formats/msgpack"), uses("msgpack")],
  "client, MessagePack and shapes": [client, module("msgpack", "formats/msgpack"), shapes, uses("msgpack", ", shapes")],
  "client, Avro": [client, module("avro", "formats/avro"), uses("avro")],
  "client, CBOR": [client, module("cbor", "formats/cbor"), uses("cbor")],
  "client, Thrift": [client, module("thriftCompact", "formats/thrift"), uses("thriftCompact")],
  "client, FlatBuffers": [client, module("flatbuffers", "formats/flatbuffers"), uses("flatbuffers")],
  "client, Cap'n Proto": [client, module("capnp", "formats/capnp"), uses("capnp")],
  "client, all formats, shapes and encoders": [
    client,
    module("json, jsonCompact", "formats/json"),
    module("protobuf, protobufEncoder", "formats/protobuf"),
    module("msgpack, msgpackPositional, msgpackEncoder", "formats/msgpack"),
    module("cbor, cborPositional", "formats/cbor"),
    module("avro", "formats/avro"),
    module("thriftCompact, thriftBinary", "formats/thrift"),
    module("flatbuffers", "formats/flatbuffers"),
    module("capnp, capnpPacked", "formats/capnp"),
    shapes,
    uses(
      "json, jsonCompact, protobuf, msgpack, msgpackPositional, cbor, cborPositional, avro, thriftCompact, thriftBinary, flatbuffers, capnp, capnpPacked",
      ", shapes",
    ),
    "globalThis.encoders = [protobufEncoder, msgpackEncoder];",
  ],
  "protobufjs, static code of this schema": [
    `import { GeoPointList } from "./out/static.js"; globalThis.list = GeoPointList;`,
  ],
  "protobufjs, reflection": [`import protobufjs from "protobufjs"; globalThis.pb = protobufjs.parse;`],
  "@bufbuild/protobuf, a descriptor": [
    `import { createFileRegistry, fromBinary } from "@bufbuild/protobuf"; import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";`,
    "globalThis.pb = [createFileRegistry, fromBinary, FileDescriptorSetSchema];",
  ],
  "@msgpack/msgpack, decode": [`import { decode } from "@msgpack/msgpack"; globalThis.unpack = decode;`],
  "msgpackr, unpack": [`import { unpack } from "msgpackr/unpack"; globalThis.unpack = unpack;`],
};

export async function sizes() {
  const found = [];
  for (const [name, lines] of Object.entries(bundles)) {
    const contents = lines.join("\n");
    const stdin = { contents, resolveDir: here, loader: "js" };
    const made = await build({
      stdin,
      bundle: true,
      minify: true,
      format: "esm",
      platform: "browser",
      write: false,
      logLevel: "error",
    });
    const [{ contents: bytes }] = made.outputFiles;
    found.push({ name, minified: bytes.length, gzipped: gzipSync(bytes, { level: 9 }).length });
  }
  return found;
}
