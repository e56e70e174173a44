import type { Format } from "../../decode.js";
import { Reader } from "../dynamic/read.js";
import { wire } from "./wire.js";

function format(name: string, mediaType: string, positional: boolean): Format {
  const plan: Format["plan"] = (job, root) => new Reader(job, wire, positional).value(job.schema.root, root);
  return { name, mediaType, needsSchema: true, plan };
}

/** MessagePack with records as maps. */
export const msgpack = format("msgpack-named", "application/vnd.msgpack", false);

/** MessagePack with records as arrays. */
export const msgpackPositional = format("msgpack-positional", "application/vnd.msgpack;variant=positional", true);
export { msgpackEncoder, msgpackPositionalEncoder } from "./encode.js";
