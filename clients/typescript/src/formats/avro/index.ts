import type { Format } from "../../decode.js";
import { Reader } from "./read.js";

/** An Avro datum. */
export const avro: Format = {
  name: "avro",
  mediaType: "avro/binary",
  needsSchema: true,
  plan: (job, root) => new Reader(job).value(job.schema.root, root),
};
