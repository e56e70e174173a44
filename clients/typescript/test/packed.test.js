// Cap'n Proto's packing: whatever words there are come back, and what is cut off is an error.
import assert from "node:assert/strict";
import { test } from "node:test";
import { unpack } from "../dist/formats/capnp/packed.js";
import { Input } from "../dist/input.js";

function unpacked(bytes) {
  const input = new Input();
  input.begin(bytes);
  return unpack(input);
}

/** Packs words with runs as long as can be: zeros, or words as they are where `plain` says so. */
function pack(words, plain) {
  const out = [];
  for (let i = 0; i < words.length;) {
    const word = words[i++];
    out.push(word.reduce((tag, byte, bit) => tag | (byte === 0 ? 0 : 1 << bit), 0));
    const tag = out.at(-1);
    out.push(...word.filter((byte) => byte !== 0));
    if (tag !== 0 && tag !== 255) continue;
    const start = i;
    while (i < words.length && i - start < 255 && (tag === 255 ? plain(i) : words[i].every((byte) => byte === 0))) i++;
    out.push(i - start);
    if (tag === 255) out.push(...words.slice(start, i).flat());
  }
  return Uint8Array.from(out);
}

test("all words come back", () => {
  let seed = 1;
  const random = (most) => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) % most;
  for (let round = 0; round < 300; round++) {
    const bits = random(9);
    const words = Array.from({ length: random(40) * (round % 10 === 0 ? 30 : 1) }, () => {
      const kind = random(3);
      return Array.from({ length: 8 }, () =>
        kind === 0 ? 0 : kind === 1 ? 1 + random(255) : random(8) < bits ? 1 + random(255) : 0,
      );
    });
    const packed = pack(words, () => random(4) > 0);
    assert.deepEqual([...unpacked(packed)], words.flat());
    if (packed.length === 0) continue;
    // What is cut off is an error, or ends before.
    try {
      assert.ok(unpacked(packed.slice(0, random(packed.length))).length <= 8 * words.length);
    } catch (error) {
      assert.equal(error.name, "DecodeError");
    }
  }
});
