import type { Format } from "@wirewise/client";
import { avro } from "@wirewise/client/avro";
import { capnp, capnpPacked } from "@wirewise/client/capnp";
import { cbor, cborPositional } from "@wirewise/client/cbor";
import { flatbuffers } from "@wirewise/client/flatbuffers";
import { json, jsonCompact } from "@wirewise/client/json";
import { msgpack, msgpackPositional } from "@wirewise/client/msgpack";
import { protobuf } from "@wirewise/client/protobuf";
import { thriftBinary, thriftCompact } from "@wirewise/client/thrift";

/** A format that the gateway serves. */
export interface Choice {
  format: Format;
  /** Whether it has it in shaped form too: what `shaped` lists in wirewise.toml. */
  shaped: boolean;
}

/** A page of your own imports the one or two formats that it wants. */
export const choices: Record<string, Choice> = {
  protobuf: { format: protobuf, shaped: true },
  avro: { format: avro, shaped: true },
  "msgpack-named": { format: msgpack, shaped: true },
  "msgpack-positional": { format: msgpackPositional, shaped: false },
  "cbor-named": { format: cbor, shaped: true },
  "cbor-positional": { format: cborPositional, shaped: false },
  "thrift-compact": { format: thriftCompact, shaped: true },
  "thrift-binary": { format: thriftBinary, shaped: false },
  flatbuffers: { format: flatbuffers, shaped: true },
  capnp: { format: capnp, shaped: true },
  "capnp-packed": { format: capnpPacked, shaped: false },
  json: { format: json, shaped: true },
  "json-compact": { format: jsonCompact, shaped: false },
};
