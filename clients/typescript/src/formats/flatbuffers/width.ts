import { DecodeError } from "../../errors.js";
import { isNarrow, type Type } from "../../schema.js";

/** How wide a scalar is in a buffer. */
export function widthOf(type: Type): { bits: number; signed: boolean } {
  if (type.kind === "bool") return { bits: 8, signed: false };
  if (type.kind === "float") return { bits: type.bits, signed: true };
  if (type.kind === "int") return { bits: type.bits, signed: type.signed };
  const names: Record<string, number> = {
    byte: 8,
    short: 16,
    int: 32,
    long: 64,
    int8: 8,
    int16: 16,
    int32: 32,
    int64: 64,
  };
  const noted = type.notes["flatbuffers.type"];
  if (noted === undefined) return { bits: type.kind === "enum" && isNarrow(type) ? 32 : 64, signed: true };
  const bits = names[noted.replace(/^u/, "")];
  if (bits === undefined) throw unsupported(`the type ${noted}`);
  return { bits, signed: !noted.startsWith("u") };
}

/** What this client does not know of FlatBuffers. */
export function unsupported(what: string): DecodeError {
  return new DecodeError(`${what} of FlatBuffers are not supported by this client: ask for another format`);
}
