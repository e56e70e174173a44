import type { Input } from "./input.js";

/**
 * So many bytes as doubles: where they are, if they are aligned there. In a message of the decoder's own they are moved to
 * an aligned place in front, if the bytes from `head` to them, which nothing needs any more, are enough for that: memory
 * that is touched for the first time, as a copy's is, takes ten times as long.
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
  // What was moved before left room behind itself.
  const free = head === input.gapEnd ? input.gap : head;
  if (!input.owned || at - free < shift) return -1;
  input.bytes.copyWithin(at - shift, at, at + size);
  input.gap = at - shift + size;
  input.gapEnd = at + size;
  return at - shift;
}

/** So many bytes where they are, or close in front: then there is room for doubles behind them to move. */
export function lane(input: Input, size: number, head: number): Uint8Array {
  const at = input.take(size);
  const moved = head < at ? forward(input, at, size, head, at - head) : at;
  return input.bytes.subarray(moved < 0 ? at : moved, (moved < 0 ? at : moved) + size);
}

/** How many bytes from here on, up to `most`, are below a limit of up to 128; and even, if so wanted. */
export function below(bytes: Uint8Array, start: number, most: number, limit: number, even = false): number {
  const end = Math.min(bytes.length, start + most);
  const odd = even ? 1 : 0;
  const fits = (i: number) => bytes[i]! < limit && (bytes[i]! & odd) === 0;
  let i = start;
  for (; i < end && ((bytes.byteOffset + i) & 3) !== 0; i++) if (!fits(i)) return i - start;
  // Four at a time, and 64 between two looks at what was found: a byte that is too large has its highest bit, or gets it.
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + i, (end - i) >> 2);
  const more = Math.imul(128 - limit, 0x01010101);
  const mask = Math.imul(0x80 | odd, 0x01010101);
  let w = 0;
  for (; w + 16 <= words.length; w += 16) {
    let found = 0;
    for (let k = w; k < w + 16; k++) found |= words[k]! | ((words[k]! + more) & 0x80808080);
    if ((found & mask) !== 0) break;
  }
  for (i += 4 * w; i < end; i++) if (!fits(i)) break;
  return i - start;
}

/** How many of `most` values, each `stride` bytes behind the one before, begin with these bytes. */
export function heads(bytes: Uint8Array, start: number, stride: number, most: number, head: ArrayLike<number>): number {
  let count = 0;
  if (head.length === 2 && stride % 2 === 0 && (bytes.byteOffset + start) % 2 === 0) {
    // Both bytes at once, of eight values between two looks.
    const pairs = new Uint16Array(bytes.buffer, bytes.byteOffset + start, (bytes.length - start) >> 1);
    const step = stride / 2;
    const wanted = head[0]! | (head[1]! << 8);
    for (let p = 0; count + 8 <= most; count += 8) {
      let wrong = 0;
      for (let k = 0; k < 8; k++, p += step) wrong |= pairs[p]! ^ wanted;
      if (wrong !== 0) break;
    }
  }
  for (let p = start + count * stride; count < most; count++, p += stride) {
    for (let i = 0; i < head.length; i++) if (bytes[p + i] !== head[i]) return count;
  }
  return count;
}

/** The bytes of small numbers whose lowest bit is a sign, which none of them has. */
export function halves(bytes: Uint8Array, start: number, count: number): Uint8Array {
  const out = new Uint8Array((count + 3) & ~3);
  out.set(bytes.subarray(start, start + count));
  const words = new Int32Array(out.buffer);
  // The lowest bits are zero: none gets into the byte below.
  for (let w = 0; w < words.length; w++) words[w] = words[w]! >>> 1;
  return out.subarray(0, count);
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
  value |= 0;
  for (let i = 0; i < count; i++, at += step) {
    wrong |= words[at]! ^ value;
    value = (value + growth) | 0;
  }
  return wrong === 0;
}
