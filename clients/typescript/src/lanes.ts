import type { Input } from "./input.js";

/**
 * So many bytes as doubles: where they are, if they are aligned there. In a message of the decoder's own they are moved to
 * an aligned place in front, if the bytes from `head` to them, which nothing needs any more, are enough for that: memory
 * that is touched for the first time, as that of a copy is, takes several times as long.
 */
export function doubles(input: Input, size: number, head = Infinity): Float64Array<ArrayBuffer> {
  if (size % 8 !== 0) input.fail(`${size} bytes are no values of 8 bytes`);
  const at = input.take(size);
  const shift = (input.bytes.byteOffset + at) % 8;
  const moved = shift === 0 ? at : forward(input, at, size, head, shift);
  return moved < 0
    ? new Float64Array(input.bytes.slice(at, at + size).buffer)
    : new Float64Array(input.bytes.buffer as ArrayBuffer, input.bytes.byteOffset + moved, size / 8);
}

/** So many bytes as low and high halves of integers: as {@link doubles}. */
export function words(input: Input, size: number, head?: number): Int32Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = doubles(input, size, head);
  return new Int32Array(buffer, byteOffset, 2 * length);
}

/** Moves bytes over those before them, from `head` on: where they are then, or -1 if they must stay. */
function forward(input: Input, at: number, size: number, head: number, shift: number): number {
  const free = head === input.gapEnd ? input.gap : head;
  if (!input.owned || at - free < shift) return -1;
  input.bytes.copyWithin(at - shift, at, at + size);
  input.gap = at - shift + size;
  input.gapEnd = at + size;
  return at - shift;
}

/** Notes that nothing needs the bytes from `head` to here any more: what comes next may move there. */
export function leave(input: Input, head: number): void {
  if (head !== input.gapEnd) input.gap = head;
  input.gapEnd = input.pos;
}

/** So many bytes where they are, or close in front: then there is room for doubles behind them to move. */
function lane(input: Input, size: number, head: number): Uint8Array {
  const at = input.take(size);
  const moved = head < at ? forward(input, at, size, head, at - head) : at;
  return input.bytes.subarray(moved < 0 ? at : moved, (moved < 0 ? at : moved) + size);
}

/** So many numbers below 128 that are a byte each, as {@link lane}; undefined if there are others. */
export function singles(input: Input, count: number, head: number): Uint8Array | undefined {
  return tried(input, count, head, isSmall, lane);
}

/** The same of numbers whose lowest bit is a sign that none of them has: without these bits. */
export function halves(input: Input, count: number, head: number): Uint8Array | undefined {
  return tried(input, count, head, halve, input.owned && head <= input.pos ? lane : copied);
}

/** Bytes are moved first, and then looked at: moving them is the fastest way to get them near. */
function tried(
  input: Input,
  count: number,
  head: number,
  fits: (bytes: Uint8Array) => boolean,
  take: (input: Input, count: number, head: number) => Uint8Array,
): Uint8Array | undefined {
  const { bytes, end, gap, gapEnd, pos } = input;
  if (count > end - pos || !isSmall(bytes.subarray(pos, pos + Math.min(count, 64)))) return undefined;
  const out = take(input, count, head);
  if (fits(out)) return out;
  if (out.buffer === bytes.buffer) bytes.set(out, pos);
  input.pos = pos;
  input.gap = gap;
  input.gapEnd = gapEnd;
  return undefined;
}

function copied(input: Input, count: number): Uint8Array {
  const at = input.take(count);
  return input.bytes.slice(at, at + count);
}

function isSmall(bytes: Uint8Array): boolean {
  return below(bytes, 0, bytes.length, 128) === bytes.length;
}

/** Halves all numbers; if some are odd, or above 127, nothing is changed. */
function halve(bytes: Uint8Array): boolean {
  const first = Math.min(-bytes.byteOffset & 3, bytes.length);
  const count = ((bytes.length - first) >> 4) << 2;
  const last = first + 4 * count;
  const words = new Int32Array(bytes.buffer, count > 0 ? bytes.byteOffset + first : 0, count);
  let found = 0;
  for (let i = 0; i < first; i++) found |= bytes[i]!;
  for (let i = last; i < bytes.length; i++) found |= bytes[i]!;
  if ((found & 0x81) !== 0) return false;
  let w = 0;
  // The lowest bits are zero: none gets into the byte below.
  for (; w < count; w += 4) {
    const a = words[w]!;
    const b = words[w + 1]!;
    const c = words[w + 2]!;
    const d = words[w + 3]!;
    if (((a | b | c | d) & 0x81818181) !== 0) break;
    words[w] = a >>> 1;
    words[w + 1] = b >>> 1;
    words[w + 2] = c >>> 1;
    words[w + 3] = d >>> 1;
  }
  if (w < count) {
    while (w > 0) words[--w]! <<= 1;
    return false;
  }
  for (let i = 0; i < first; i++) bytes[i]! >>>= 1;
  for (let i = last; i < bytes.length; i++) bytes[i]! >>>= 1;
  return true;
}

/** How many bytes from here on, up to `most`, are below a limit of up to 128. */
export function below(bytes: Uint8Array, start: number, most: number, limit: number): number {
  const end = Math.min(bytes.length, start + most);
  let i = start;
  for (; i < end && ((bytes.byteOffset + i) & 3) !== 0; i++) if (bytes[i]! >= limit) break;
  if (i < end && ((bytes.byteOffset + i) & 3) === 0) {
    const words = new Int32Array(bytes.buffer, bytes.byteOffset + i, (end - i) >> 2);
    i += 4 * clear(words, Math.imul(128 - limit, 0x01010101));
    for (; i < end; i++) if (bytes[i]! >= limit) break;
  }
  return i - start;
}

/** How many words, in steps of 8, have no byte with its highest bit, and get none when `more` is added. */
function clear(words: Int32Array, more: number): number {
  let w = 0;
  // Eight in one expression take a fraction of the time of a loop within the loop.
  for (; w + 8 <= words.length; w += 8) {
    const a = words[w]!;
    const b = words[w + 1]!;
    const c = words[w + 2]!;
    const d = words[w + 3]!;
    const e = words[w + 4]!;
    const f = words[w + 5]!;
    const g = words[w + 6]!;
    const h = words[w + 7]!;
    let found = a | b | c | d | e | f | g | h;
    if (more !== 0)
      found |= (a + more) | (b + more) | (c + more) | (d + more) | (e + more) | (f + more) | (g + more) | (h + more);
    if ((found & 0x80808080) !== 0) break;
  }
  return w;
}

/** How many of `most` values, each `stride` bytes behind the one before, begin with these bytes. */
export function heads(bytes: Uint8Array, start: number, stride: number, most: number, head: ArrayLike<number>): number {
  let count = head.length > 4 ? 0 : alike(bytes, start, stride, most, head);
  for (let at = start + count * stride; count < most; count++, at += stride) {
    for (let i = 0; i < head.length; i++) if (bytes[at + i] !== head[i]) return count;
  }
  return count;
}

/** How many have up to four such bytes, in steps of eight. */
function alike(bytes: Uint8Array, at: number, by: number, most: number, head: ArrayLike<number>): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let value = 0;
  for (let i = 0; i < head.length; i++) value |= head[i]! << (8 * i);
  const mask = -1 >>> (32 - 8 * head.length);
  most = Math.min(most, Math.floor((bytes.length - at - 4) / by) + 1);
  let count = 0;
  for (; count + 8 <= most; count += 8, at += 8 * by) {
    const wrong =
      (view.getInt32(at, true) ^ value) |
      (view.getInt32(at + by, true) ^ value) |
      (view.getInt32(at + 2 * by, true) ^ value) |
      (view.getInt32(at + 3 * by, true) ^ value) |
      (view.getInt32(at + 4 * by, true) ^ value) |
      (view.getInt32(at + 5 * by, true) ^ value) |
      (view.getInt32(at + 6 * by, true) ^ value) |
      (view.getInt32(at + 7 * by, true) ^ value);
    if ((wrong & mask) !== 0) break;
  }
  return count;
}

/** Words of 4 bytes: where the first is, how far it is to the next, and by how much that is larger. */
export type Series = [start: number, step: number, growth: number];

/** Whether `count` words of each series, which all lie in the bytes, are as the first one says. */
export function regular(bytes: Uint8Array, count: number, series: readonly Series[]): boolean {
  const { buffer, byteOffset, length } = bytes;
  if (series.some(([start, step]) => (byteOffset + start) % 4 !== 0 || step % 4 !== 0)) return false;
  const skip = -byteOffset & 3;
  const words = new Int32Array(buffer, byteOffset + skip, (length - skip) >> 2);
  // Some rows of all series at a time: they mostly lie close together.
  for (let i = 0; i < count; i += 256) {
    for (const [start, step, growth] of series) {
      const first = (start - skip) / 4;
      if (!grows(words, first + (i * step) / 4, step / 4, words[first]! + i * growth, growth, Math.min(256, count - i)))
        return false;
    }
  }
  return true;
}

function grows(words: Int32Array, at: number, step: number, value: number, growth: number, count: number): boolean {
  let wrong = 0;
  for (value |= 0; count > 0; count--, at += step) {
    wrong |= words[at]! ^ value;
    value = (value + growth) | 0;
  }
  return wrong === 0;
}

/** Copies a few bytes. */
export function copy(from: DataView, at: number, to: DataView, place: number, size: number): void {
  let i = 0;
  for (; i + 16 <= size; i += 16) {
    to.setInt32(place + i, from.getInt32(at + i, true), true);
    to.setInt32(place + i + 4, from.getInt32(at + i + 4, true), true);
    to.setInt32(place + i + 8, from.getInt32(at + i + 8, true), true);
    to.setInt32(place + i + 12, from.getInt32(at + i + 12, true), true);
  }
  for (; i + 4 <= size; i += 4) to.setInt32(place + i, from.getInt32(at + i, true), true);
  for (; i < size; i++) to.setUint8(place + i, from.getUint8(at + i));
}
