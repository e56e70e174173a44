import type { Format } from "../../decode.js";
import { Reader } from "./read.js";

/** FlatBuffers. */
export const flatbuffers: Format = {
  name: "flatbuffers",
  mediaType: "application/x-flatbuffers",
  needsSchema: true,
  plan: (job, root) => new Reader(job).root(job.schema.root, root),
};
