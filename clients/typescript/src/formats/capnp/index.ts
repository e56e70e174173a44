import type { Format } from "../../decode.js";
import { Reader } from "./read.js";

function format(name: string, mediaType: string, packed: boolean): Format {
  const plan: Format["plan"] = (job, root) => new Reader(job, packed).root(job.schema.root, root);
  return { name, mediaType, needsSchema: true, plan };
}

/** Cap'n Proto. */
export const capnp = format("capnp", "application/capnp", false);

/** Cap'n Proto with most of the zero bytes taken out; places in errors are those of the unpacked message. */
export const capnpPacked = format("capnp-packed", "application/capnp;variant=packed", true);
