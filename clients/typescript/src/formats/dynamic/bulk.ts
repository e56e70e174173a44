import type { FixedBuilder, LongBuilder, NumberBuilder, TextBuilder } from "../../columns/build.js";
import type { Input } from "../../input.js";
import { below, heads } from "../../lanes.js";
import { begin, type Wire } from "./wire.js";

/** Takes bytes of a fixed size that follow each other where they are. */
export function strided(input: Input, wire: Wire, items: FixedBuilder, most: number): void {
  if (items.size > 255) return;
  const head = begin(wire.bytes, items.size);
  const stride = head.length + items.size;
  const { bytes, pos } = input;
  const count = heads(bytes, pos, stride, Math.min(most, Math.floor((input.end - pos) / stride)), head);
  if (count === 0) return;
  items.adopt(bytes, pos + head.length, stride, count);
  input.pos = pos + count * stride;
}

/** Takes short texts. */
export function texts(input: Input, wire: Wire, items: TextBuilder, most: number): void {
  const isText = items.type.kind === "string";
  const [first, longest, next] = isText ? wire.text : wire.bytes;
  const { bytes, end } = input;
  let { pos } = input;
  items.reserve(most);
  const { starts, ends } = items;
  let { n } = items;
  for (const limit = n + most; n < limit && pos + 1 < end; n++) {
    const head = bytes[pos]!;
    let start = pos + 1;
    let length = head - first;
    if (head === next) length = bytes[start++]!;
    else if (length < 0 || length > longest) break;
    if (start + length > end) break;
    starts[n] = start;
    ends[n] = pos = start + length;
  }
  items.n = n;
  input.pos = pos;
}

/** Takes floats of full width. */
export function numbers(input: Input, wire: Wire, items: NumberBuilder, most: number): void {
  const double = items.type.kind === "float" && items.type.bits === 64;
  const head = double ? wire.double : wire.single;
  const size = double ? 8 : 4;
  const { bytes, end, view } = input;
  if (double && input.owned && items.n === 0) most -= inPlace(input, head, items, most);
  if (most === 0) return;
  let { pos } = input;
  items.reserve(most);
  const { values } = items;
  let { n } = items;
  const limit = n + most;
  if (double) {
    for (; n < limit && pos + size < end && bytes[pos] === head; n++, pos += 9) values[n] = view.getFloat64(pos + 1);
  } else {
    for (; n < limit && pos + size < end && bytes[pos] === head; n++, pos += 5) values[n] = view.getFloat32(pos + 1);
  }
  items.n = n;
  input.pos = pos;
}

/** Takes doubles, which are written over themselves: in 8 bytes each, where 9 were read. How many that were. */
function inPlace(input: Input, head: number, items: NumberBuilder, most: number): number {
  const { bytes, view } = input;
  let { pos } = input;
  const count = heads(bytes, pos, 9, Math.min(most, Math.floor((input.end - pos) / 9)), [head]);
  if (count < 8) return 0;
  const aligned = -(bytes.byteOffset + pos) & 7;
  const start = bytes.byteOffset + pos + aligned;
  const out = new Float64Array(bytes.buffer, start, count);
  // The first 8 are kept aside: from then on, what is written lies before what is read.
  const first = new Float64Array(8);
  for (let n = 0; n < 8; n++, pos += 9) first[n] = view.getFloat64(pos + 1);
  out.set(first);
  for (let n = 8; n < count; n++, pos += 9) out[n] = view.getFloat64(pos + 1);
  items.adopt(out);
  input.pos = pos;
  return count;
}

const register = new Int32Array(2);

/** Takes integers of 64 bits. */
export function longs(input: Input, wire: Wire, items: LongBuilder, most: number): void {
  const { bytes, end } = input;
  const { small } = wire;
  let { pos } = input;
  // All of them as they are, if each is a byte.
  const limit = Math.min(end, pos + most);
  if (most <= limit - pos && below(bytes, pos, most, small) === most) {
    input.pos = pos + most;
    return items.adoptBytes(bytes.subarray(pos, input.pos));
  }
  items.widen();
  items.reserve(most);
  const { words } = items;
  let n = 2 * items.n;
  for (const limit = n + 2 * most; n < limit && pos < end; n += 2) {
    const head = bytes[pos]!;
    if (head < small) {
      words[n] = head;
      words[n + 1] = 0;
      pos++;
      continue;
    }
    const next = wire.integer(bytes, pos, register);
    if (next < 0 || (!items.signed && register[1]! < 0)) break;
    words[n] = register[0]!;
    words[n + 1] = register[1]!;
    pos = next;
  }
  items.n = n / 2;
  input.pos = pos;
}

/** Takes integers of up to 32 bits. */
export function ints(input: Input, wire: Wire, items: NumberBuilder, most: number): void {
  const { bytes, end } = input;
  const { small } = wire;
  const { min, max } = items;
  let { pos } = input;
  items.reserve(most);
  const { values } = items;
  let { n } = items;
  for (const limit = n + most; n < limit && pos < end; n++) {
    let value = bytes[pos]!;
    let next = pos + 1;
    if (value >= small) {
      next = wire.integer(bytes, pos, register);
      if (next < 0) break;
      value = register[1]! * 4294967296 + (register[0]! >>> 0);
    }
    if (value < min || value > max) break;
    values[n] = value;
    pos = next;
  }
  items.n = n;
  input.pos = pos;
}
