import type { Input } from "../../input.js";

/** Bytes of a word, at most: its tag, its bytes, and the count that follows some. */
const LONGEST = 10;
/** Half words, at most. */
const MOST = 2 ** 28;

/** Of half a tag: how many bytes come; and where they are, if they are the lowest ones. */
const COUNTS = Uint8Array.from(
  { length: 16 },
  (_, tag) => (tag & 1) + ((tag >> 1) & 1) + ((tag >> 2) & 1) + (tag >> 3),
);
const MASKS = Int32Array.from({ length: 16 }, (_, tag) => (isPrefix(tag) ? 2 ** (8 * COUNTS[tag]!) - 1 : 0));

function isPrefix(tag: number): boolean {
  return (tag & (tag + 1)) === 0;
}

/** The bytes of half a word, each where its bit is: one that does not come is read, and cleared. */
function spread(bytes: Uint8Array, pos: number, tag: number): number {
  let word = bytes[pos]! & -(tag & 1);
  word |= (bytes[(pos += tag & 1)]! & -((tag >> 1) & 1)) << 8;
  word |= (bytes[(pos += (tag >> 1) & 1)]! & -((tag >> 2) & 1)) << 16;
  return word | ((bytes[pos + ((tag >> 2) & 1)]! & -(tag >> 3)) << 24);
}

/** The same words, and room for so many. */
function room(input: Input, words: Int32Array<ArrayBuffer>, wanted: number): Int32Array<ArrayBuffer> {
  if (wanted <= words.length) return words;
  if (wanted > MOST) input.fail("an unpacked message is longer than 1 GiB");
  const more = new Int32Array(Math.max(2 * words.length, wanted));
  more.set(words);
  return more;
}

/** How many half words a message of one segment has, as its first word says. */
function lengthOf(bytes: Uint8Array): number {
  const tag = bytes[0]! & 15;
  const segments = spread(bytes, 1, tag);
  return segments === 0 ? 2 + 2 * (spread(bytes, 1 + COUNTS[tag]!, bytes[0]! >> 4) >>> 0) : Infinity;
}

/** Puts back the zero bytes that packing took out. */
export function unpack(input: Input): Uint8Array {
  const { bytes, view, end } = input;
  let words = new Int32Array(Math.min(lengthOf(bytes), Math.max(64, bytes.length)));
  // No function within this one uses the variables: they would be slow then.
  let to = 0;
  while (input.pos < end) {
    let { pos } = input;
    for (; end - pos >= LONGEST && to + 2 <= words.length; to += 2) {
      const tag = bytes[pos]!;
      if (tag === 255) {
        const count = 2 * bytes[pos + 9]!;
        const next = pos + LONGEST + 4 * count;
        if (next > end || to + 2 + count > words.length) break;
        words[to] = view.getInt32(pos + 1, true);
        words[to + 1] = view.getInt32(pos + 5, true);
        pos += LONGEST;
        for (; pos < next; pos += 4, to++) words[to + 2] = view.getInt32(pos, true);
      } else if (tag === 0) {
        const count = 2 * bytes[pos + 1]!;
        if (to + 2 + count > words.length) break;
        to += count;
        pos += 2;
      } else {
        const low = tag & 15;
        const high = tag >> 4;
        words[to] = isPrefix(low) ? view.getInt32(++pos, true) & MASKS[low]! : spread(bytes, ++pos, low);
        pos += COUNTS[low]!;
        words[to + 1] = isPrefix(high) ? view.getInt32(pos, true) & MASKS[high]! : spread(bytes, pos, high);
        pos += COUNTS[high]!;
      }
    }
    input.pos = pos;
    if (pos === end) break;
    // A word near the end, or one for which there is no room yet.
    const tag = input.byte();
    words = room(input, words, to + 2);
    for (let i = 0; i < 8; i++) if (((tag >> i) & 1) === 1) words[to + (i >> 2)]! |= input.byte() << (8 * (i & 3));
    to += 2;
    if (tag !== 0 && tag !== 255) continue;
    const count = 2 * input.byte();
    words = room(input, words, to + count);
    if (tag === 255) {
      const at = input.take(4 * count);
      for (let i = 0; i < count; i++) words[to + i] = view.getInt32(at + 4 * i, true);
    }
    to += count;
  }
  return new Uint8Array(words.buffer, 0, 4 * to);
}
