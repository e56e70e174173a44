import type { Format } from "../../decode.js";
import { Reader } from "./read.js";

/** Protocol Buffers. */
export const protobuf: Format = {
  name: "protobuf",
  mediaType: "application/protobuf",
  needsSchema: true,
  plan: (job, root) => new Reader(job).root(job.schema.root, root),
};
export { protobufEncoder } from "./encode.js";
