import { DecodeError } from "../../errors.js";
import type { Input } from "../../input.js";
import type { Type } from "../../schema.js";
import { ticks } from "../dynamic/ticks.js";
import { type Head, Kind, type Wire } from "../dynamic/wire.js";

function set(head: Head, kind: number, length: number): void {
  head.kind = kind;
  head.length = length;
}

function integer(input: Input, head: Head, low: number, high: number, signed: boolean): void {
  input.low = low;
  input.high = high;
  head.kind = signed && high < 0 ? Kind.Negative : Kind.Uint;
}

function sized(input: Input, width: number): number {
  const at = input.take(width);
  return width === 1 ? input.view.getUint8(at) : width === 2 ? input.view.getUint16(at) : input.view.getUint32(at);
}

function head(input: Input, head: Head): void {
  head.at = input.pos;
  const { view } = input;
  const byte = input.byte();
  if (byte < 0x80) return integer(input, head, byte, 0, false);
  if (byte < 0x90) return set(head, Kind.Map, byte & 15);
  if (byte < 0xa0) return set(head, Kind.List, byte & 15);
  if (byte < 0xc0) return set(head, Kind.String, byte & 31);
  if (byte >= 0xe0) return integer(input, head, (byte << 24) >> 24, -1, true);
  switch (byte) {
    case 0xc0:
      return set(head, Kind.Null, 0);
    case 0xc2:
    case 0xc3:
      head.number = byte - 0xc2;
      return set(head, Kind.Bool, 0);
    case 0xc4:
    case 0xc5:
    case 0xc6:
      return set(head, Kind.Bytes, sized(input, 1 << (byte - 0xc4)));
    case 0xc7:
    case 0xc8:
    case 0xc9:
      return extension(input, head, sized(input, 1 << (byte - 0xc7)));
    case 0xca:
      head.number = view.getFloat32(input.take(4));
      return set(head, Kind.Float, 0);
    case 0xcb:
      head.number = view.getFloat64(input.take(8));
      return set(head, Kind.Float, 0);
    case 0xcc:
    case 0xcd:
    case 0xce:
      return integer(input, head, sized(input, 1 << (byte - 0xcc)), 0, false);
    case 0xcf:
    case 0xd3: {
      const at = input.take(8);
      return integer(input, head, view.getInt32(at + 4), view.getInt32(at), byte === 0xd3);
    }
    case 0xd0: {
      const low = view.getInt8(input.take(1));
      return integer(input, head, low, low >> 31, true);
    }
    case 0xd1: {
      const low = view.getInt16(input.take(2));
      return integer(input, head, low, low >> 31, true);
    }
    case 0xd2: {
      const low = view.getInt32(input.take(4));
      return integer(input, head, low, low >> 31, true);
    }
    case 0xd9:
    case 0xda:
    case 0xdb:
      return set(head, Kind.String, sized(input, 1 << (byte - 0xd9)));
    case 0xdc:
    case 0xdd:
      return set(head, Kind.List, sized(input, 2 << (byte - 0xdc)));
    case 0xde:
    case 0xdf:
      return set(head, Kind.Map, sized(input, 2 << (byte - 0xde)));
    case 0xc1:
      return input.fail("the byte 0xc1, which MessagePack never uses", head.at);
    default:
      return extension(input, head, 1 << (byte - 0xd4));
  }
}

function extension(input: Input, head: Head, length: number): void {
  head.number = (input.byte() << 24) >> 24;
  set(head, Kind.Tagged, length);
}

/** A timestamp where the schema has one; there are no other extensions that a schema knows. */
function tagged(input: Input, head: Head, type: Type | undefined): void {
  const logical = type && "logical" in type ? type.logical : undefined;
  if (head.number !== -1 || !logical?.startsWith("timestamp") || type?.kind !== "int") {
    input.fail(`found an extension of type ${head.number}`, head.at);
  }
  const at = input.take(head.length);
  const { view } = input;
  let seconds: bigint;
  let nanos = 0n;
  if (head.length === 4) seconds = BigInt(view.getUint32(at));
  else if (head.length === 8) {
    const both = view.getBigUint64(at);
    nanos = both >> 34n;
    seconds = both & 0x3ffffffffn;
  } else if (head.length === 12) {
    nanos = BigInt(view.getUint32(at));
    seconds = view.getBigInt64(at + 4);
  } else throw new DecodeError(`a timestamp has no ${head.length} bytes`, head.at);
  ticks(input, head, seconds, nanos, logical!);
}

export const wire: Wire = {
  name: "MessagePack",
  head,
  tagged,
  sorted: false,
  small: 0x80,
  nil: 0xc0,
  no: 0xc2,
  double: 0xcb,
  single: 0xca,
  text: [0xa0, 31, 0xd9],
  bytes: [0x1000, -1, 0xc4],
  list: [0x90, 15],
  map: [0x80, 15],
  integer: (b, q, R) => {
    const head = b[q++]!;
    const word = (at: number) => (b[at]! << 24) | (b[at + 1]! << 16) | (b[at + 2]! << 8) | b[at + 3]!;
    R[1] = 0;
    if (head < 0x80) R[0] = head;
    else if (head >= 0xe0) R[0] = (head << 24) >> 24;
    else if (head === 0xcc || head === 0xd0) R[0] = head === 0xcc ? b[q]! : (b[q]! << 24) >> 24;
    else if (head === 0xcd || head === 0xd1) {
      const short = (b[q]! << 8) | b[q + 1]!;
      R[0] = head === 0xcd ? short : (short << 16) >> 16;
    } else if (head === 0xce || head === 0xd2) R[0] = word(q);
    else if (head === 0xcf || head === 0xd3) {
      R[1] = word(q);
      R[0] = word(q + 4);
      // Beyond what has a sign.
      if (head === 0xcf && R[1]! < 0) return -1;
    } else return -1;
    if (head >= 0xd0 && head !== 0xd3) R[1] = R[0]! >> 31;
    const size = head < 0x80 || head >= 0xe0 ? 0 : 1 << ((head - 0xcc) & 3);
    return q + size <= b.length ? q + size : -1;
  },
};
