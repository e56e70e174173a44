// All formats.
import { avro } from "../dist/formats/avro/index.js";
import { capnp, capnpPacked } from "../dist/formats/capnp/index.js";
import { cbor, cborPositional } from "../dist/formats/cbor/index.js";
import { flatbuffers } from "../dist/formats/flatbuffers/index.js";
import { json, jsonCompact } from "../dist/formats/json/index.js";
import { msgpack, msgpackPositional } from "../dist/formats/msgpack/index.js";
import { protobuf } from "../dist/formats/protobuf/index.js";
import { thriftBinary, thriftCompact } from "../dist/formats/thrift/index.js";

export const binaryFormats = [
  protobuf,
  msgpack,
  msgpackPositional,
  cbor,
  cborPositional,
  avro,
  thriftCompact,
  thriftBinary,
  flatbuffers,
  capnp,
  capnpPacked,
];
export const formats = [json, jsonCompact, ...binaryFormats];
