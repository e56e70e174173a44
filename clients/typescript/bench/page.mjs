// Runs in the browser: ways to decode the points, one after another, round after round.
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { decode as decodeMsgpack } from "@msgpack/msgpack";
import { Unpackr } from "msgpackr";
import protobufjs from "protobufjs";
import { columnsOf } from "../dist/client.js";
import { canCompile } from "../dist/compile.js";
import { Decoder } from "../dist/decode.js";
import { avro } from "../dist/formats/avro/index.js";
import { capnp, capnpPacked } from "../dist/formats/capnp/index.js";
import { cbor } from "../dist/formats/cbor/index.js";
import { flatbuffers } from "../dist/formats/flatbuffers/index.js";
import { json } from "../dist/formats/json/index.js";
import { msgpack, msgpackPositional } from "../dist/formats/msgpack/index.js";
import { protobuf } from "../dist/formats/protobuf/index.js";
import { thriftCompact } from "../dist/formats/thrift/index.js";
import { shapes } from "../dist/shapes/index.js";
import { GeoPointList } from "./out/static.js";

const all = [json, protobuf, msgpack, msgpackPositional, cbor, avro, thriftCompact, flatbuffers, capnp, capnpPacked];

window.measure = async ({ schema, steps, rounds, payloads, others }) => {
  const fetched = async (file) => new Uint8Array(await (await fetch(`/${file}`)).arrayBuffer());
  const text = await (await fetch("/json.plain")).text();
  const points = JSON.parse(text);
  const subjects = [{ name: "JSON.parse", run: () => JSON.parse(text) }];
  const check = (name, found) => {
    for (const i of [0, 1, 1000, points.length - 1]) {
      for (const key of ["uuid", "longitude", "latitude"]) {
        if (found[i][key] !== points[i][key])
          throw new Error(`${name}: ${key} of ${i} is ${found[i][key]}, not ${points[i][key]}`);
      }
      if (Number(found[i].status) !== points[i].status)
        throw new Error(`${name}: status of ${i} is ${found[i].status}`);
    }
    if (found.length !== points.length) throw new Error(`${name}: ${found.length} points`);
  };
  for (const { format, shape, file } of payloads) {
    const bytes = await fetched(file);
    const document = { base: schema, steps: steps[shape] ? [steps[shape]] : [] };
    const decoder = new Decoder(
      all.find(({ name }) => name === format),
      document,
      // What the network gave is the client's own.
      { shapes, own: true },
    );
    check(file, decoder.objects(bytes.slice()));
    const { columns } = columnsOf(decoder.columns(bytes.slice()));
    if (columns.latitude.values.at(-1) !== points.at(-1).latitude || columns.uuid.at(5) !== points[5].uuid)
      throw new Error(file);
    subjects.push({ name: `columns: ${file}`, bytes, run: (own) => columnsOf(decoder.columns(own)) });
    if (shape !== "split") subjects.push({ name: `objects: ${file}`, bytes, run: (own) => decoder.objects(own) });
  }
  if (payloads.some(({ file }) => file === "json.plain")) {
    // What else makes objects of the bytes of a JSON text.
    const bytes = await fetched("json.plain");
    subjects.push({ name: "TextDecoder, JSON.parse", bytes, run: (own) => JSON.parse(new TextDecoder().decode(own)) });
    subjects.push({ name: "Response.json", bytes, run: (own) => new Response(own).json() });
  }
  if (others) await addOthers(subjects, fetched, check);
  for (const subject of subjects) subject.samples = [];
  for (let round = -8; round < rounds; round++) {
    for (const subject of subjects) {
      // What the one before has left is collected first: by a hook of --js-flags=--expose-gc.
      window.kept = undefined;
      window.gc({ type: "major", execution: "sync" });
      // Each sample has bytes of its own, as from the network: they may be changed.
      const own = subject.bytes?.slice();
      const start = performance.now();
      window.kept = subject.run(own);
      if (window.kept instanceof Promise) window.kept = await window.kept;
      const time = performance.now() - start;
      if (round >= 0) subject.samples.push(time);
    }
    await new Promise((done) => setTimeout(done));
  }
  return {
    compiled: canCompile(),
    points: points.length,
    subjects: subjects.map(({ name, samples }) => ({ name, samples })),
  };
};

/** Other libraries, to objects. */
async function addOthers(subjects, fetched, check) {
  const bytes = await fetched("protobuf.plain");
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, await fetched("points.desc")));
  const list = registry.getMessage("GeoPointList");
  check("bufbuild", fromBinary(list, bytes).value);
  subjects.push({ name: "@bufbuild/protobuf", run: () => fromBinary(list, bytes) });
  check("protobufjs", GeoPointList.decode(bytes).value);
  subjects.push({ name: "protobufjs static", run: () => GeoPointList.decode(bytes) });
  if (canCompile()) {
    const reflected = protobufjs.parse(await (await fetch("/points.proto")).text()).root.lookupType("GeoPointList");
    subjects.push({ name: "protobufjs reflection", run: () => reflected.decode(bytes) });
  }
  const packed = await fetched("msgpack-named.plain");
  check("@msgpack/msgpack", decodeMsgpack(packed));
  subjects.push({ name: "@msgpack/msgpack", run: () => decodeMsgpack(packed) });
  const unpackr = new Unpackr({ useRecords: false, int64AsType: "number" });
  subjects.push({ name: "msgpackr", run: () => unpackr.unpack(packed) });
}
