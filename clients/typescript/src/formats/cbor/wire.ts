import type { Input } from "../../input.js";
import type { Type } from "../../schema.js";
import { type Head, Kind, type Wire } from "../dynamic/wire.js";
import { ticks } from "../dynamic/ticks.js";

/** The float of 16 bits. */
function half(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const value =
    exponent === 0
      ? fraction * 2 ** -24
      : exponent === 31
        ? fraction === 0
          ? Infinity
          : NaN
        : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits & 0x8000 ? -value : value;
}

/** Reads the number that the lower bits of a head announce, into the halves. */
function argument(input: Input, head: Head, info: number): void {
  const { view } = input;
  input.high = 0;
  if (info < 24) input.low = info;
  else if (info === 24) input.low = view.getUint8(input.take(1));
  else if (info === 25) input.low = view.getUint16(input.take(2));
  else if (info === 26) input.low = view.getInt32(input.take(4));
  else if (info === 27) {
    const at = input.take(8);
    input.high = view.getInt32(at);
    input.low = view.getInt32(at + 4);
  } else input.fail(`there is no head with the bits ${info}`, head.at);
}

const SIZED = [Kind.Bytes, Kind.String, Kind.List, Kind.Map, Kind.Tagged];

function head(input: Input, head: Head): void {
  head.at = input.pos;
  const byte = input.byte();
  const major = byte >> 5;
  const info = byte & 31;
  head.length = 0;
  if (major === 7) return simple(input, head, info);
  if (info === 31 && major >= 2 && major <= 5) {
    head.kind = SIZED[major - 2]!;
    head.length = -1;
    return;
  }
  argument(input, head, info);
  if (major === 0) head.kind = Kind.Uint;
  else if (major === 1) {
    if (input.high < 0) input.fail("an integer is below -2^63", head.at);
    input.low = ~input.low;
    input.high = ~input.high;
    head.kind = Kind.Negative;
  } else {
    head.kind = SIZED[major - 2]!;
    head.length = head.number = input.unsigned;
  }
}

function simple(input: Input, head: Head, info: number): void {
  const { view } = input;
  head.kind = Kind.Float;
  if (info === 20 || info === 21) {
    head.kind = Kind.Bool;
    head.number = info - 20;
  } else if (info === 22) head.kind = Kind.Null;
  else if (info === 23) head.kind = Kind.Undefined;
  else if (info === 25) head.number = half(view.getUint16(input.take(2)));
  else if (info === 26) head.number = view.getFloat32(input.take(4));
  else if (info === 27) head.number = view.getFloat64(input.take(8));
  else if (info === 31) head.kind = Kind.Break;
  else input.fail("a simple value without a meaning", head.at);
}

/** Passes over tags that say what the schema says. */
function tagged(input: Input, first: Head, type: Type | undefined): void {
  for (let depth = 0; first.kind === Kind.Tagged; depth++) {
    if (depth > 128) input.fail("values nest deeper than the limit of 128");
    const tag = first.number;
    if (!isKnown(tag, type)) input.fail(`found the tag ${tag}`, first.at);
    head(input, first);
    const logical = type && "logical" in type ? type.logical : undefined;
    if (tag === 1 && logical?.startsWith("timestamp") && (first.kind === Kind.Uint || first.kind === Kind.Negative)) {
      ticks(input, first, BigInt(input.high) * 4294967296n + BigInt(input.low >>> 0), 0n, logical);
    }
  }
}

function isKnown(tag: number, type: Type | undefined): boolean {
  if (tag === 55799) return true;
  switch (type?.kind) {
    case "nullable":
      return isKnown(tag, type.inner);
    case "int":
      return tag === 1 || tag === 100;
    case "float":
      return tag === 1;
    case "string":
      return [0, 32, 33, 34, 35, 36, 1004].includes(tag);
    case "bytes":
    case "fixed":
      return [21, 22, 23, 24, 36, 37].includes(tag);
    case "list":
      return tag === 258;
    default:
      return false;
  }
}

export const wire: Wire = {
  name: "CBOR",
  head,
  tagged,
  sorted: true,
  small: 0x18,
  nil: 0xf6,
  no: 0xf4,
  double: 0xfb,
  single: 0xfa,
  text: [0x60, 23, 0x78],
  bytes: [0x40, 23, 0x58],
  list: [0x80, 23],
  map: [0xa0, 23],
  integer: (b, q, R) => {
    const head = b[q++]!;
    if (head >= 0x40) return -1;
    const info = head & 31;
    const size = info < 24 ? 0 : info < 28 ? 1 << (info - 24) : -1;
    if (size < 0 || q + size > b.length) return -1;
    let low = info < 24 ? info : 0;
    let high = 0;
    for (let i = 0; i < size; i++) {
      high = (high << 8) | (low >>> 24);
      low = (low << 8) | b[q + i]!;
    }
    if (high < 0) return -1;
    R[0] = head < 0x20 ? low : ~low;
    R[1] = head < 0x20 ? high : ~high;
    return q + size;
  },
};
