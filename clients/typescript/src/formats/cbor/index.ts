import type { Format } from "../../decode.js";
import { Reader } from "../dynamic/read.js";
import { wire } from "./wire.js";

function format(name: string, mediaType: string, positional: boolean): Format {
  const plan: Format["plan"] = (job, root) => new Reader(job, wire, positional).value(job.schema.root, root);
  return { name, mediaType, needsSchema: true, plan };
}

/** CBOR with records as maps. */
export const cbor = format("cbor-named", "application/cbor", false);

/** CBOR with records as arrays. */
export const cborPositional = format("cbor-positional", "application/cbor;variant=positional", true);
