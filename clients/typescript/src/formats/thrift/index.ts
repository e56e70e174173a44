import type { Format } from "../../decode.js";
import { binary, compact, type Protocol } from "./protocol.js";
import { Reader } from "./read.js";

function format(name: string, mediaType: string, protocol: Protocol): Format {
  const plan: Format["plan"] = (job, root) => new Reader(job, protocol).root(job.schema.root, root);
  return { name, mediaType, needsSchema: true, plan };
}

/** Thrift's TCompactProtocol. */
export const thriftCompact = format("thrift-compact", "application/vnd.apache.thrift.compact", compact);

/** Thrift's TBinaryProtocol. */
export const thriftBinary = format("thrift-binary", "application/vnd.apache.thrift.binary", binary);
