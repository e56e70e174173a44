/**
 * Puts floats together that lie in planes: the first bytes of all, which have the signs, then all their second bytes, and so
 * on. Where only the first so many bytes have planes, the others of each float follow behind the planes, lowest first.
 * Fills `words`, in which the first float is at `first`; `bytes` has `count` floats of `size` bytes from `start` on.
 */
export function join(
  bytes: Uint8Array,
  start: number,
  count: number,
  size: number,
  planes: number,
  words: Int32Array,
  first: number,
): void {
  const stride = size / 4;
  for (let word = 0; word < stride; word++) {
    // Where the bytes of this word are for the first float, highest first, and how far it is to those of the next.
    const places = [3, 2, 1, 0].map((i) => {
      const plane = size - 1 - (4 * word + i);
      return plane < planes ? [start + plane * count, 1] : [start + planes * count + 4 * word + i, size - planes];
    }) as Places;
    const to = first * stride + word;
    // Of a float with few planes, the low word lies together.
    if (places[0][1] > 1) {
      whole(bytes, places[3], count, words, to, stride);
      continue;
    }
    const done = places.every(([, step]) => step === 1) ? four(bytes, places, count, words, to, stride) : 0;
    each(bytes, places, done, count, words, to, stride);
  }
}

type Place = [start: number, step: number];
type Places = [Place, Place, Place, Place];

function whole(bytes: Uint8Array, [from, step]: Place, count: number, words: Int32Array, to: number, by: number) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let i = 0; i < count; i++, from += step, to += by) words[to] = view.getInt32(from, true);
}

function each(bytes: Uint8Array, places: Places, i: number, end: number, words: Int32Array, to: number, by: number) {
  const [[a, s], [b, t], [c, u], [d, v]] = places;
  for (to += i * by; i < end; i++, to += by) {
    words[to] = (bytes[a + i * s]! << 24) | (bytes[b + i * t]! << 16) | (bytes[c + i * u]! << 8) | bytes[d + i * v]!;
  }
}

/** Four words at once, of four bytes of each of four planes; how many words that were. */
function four(bytes: Uint8Array, places: Places, count: number, words: Int32Array, to: number, by: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [[a], [b], [c], [d]] = places;
  let i = 0;
  for (; i + 4 <= count; i += 4, to += 4 * by) {
    const p = view.getInt32(a + i, true);
    const q = view.getInt32(b + i, true);
    const r = view.getInt32(c + i, true);
    const s = view.getInt32(d + i, true);
    // Halves of the first and third word, and of the second and fourth.
    const high = (q & 0xff00ff) | ((p & 0xff00ff) << 8);
    const low = (s & 0xff00ff) | ((r & 0xff00ff) << 8);
    const nextHigh = ((q >>> 8) & 0xff00ff) | (p & 0xff00ff00);
    const nextLow = ((s >>> 8) & 0xff00ff) | (r & 0xff00ff00);
    words[to] = (low & 0xffff) | (high << 16);
    words[to + by] = (nextLow & 0xffff) | (nextHigh << 16);
    words[to + 2 * by] = (low >>> 16) | (high & 0xffff0000);
    words[to + 3 * by] = (nextLow >>> 16) | (nextHigh & 0xffff0000);
  }
  return i;
}
