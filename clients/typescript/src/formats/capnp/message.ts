import type { Input } from "../../input.js";
import { regular, type Series } from "../../lanes.js";

/** A struct: the bytes of its data, and of its pointers. */
export interface Struct {
  data: number;
  bits: number;
  pointers: number;
  count: number;
  segment: number;
}

export interface List {
  start: number;
  count: number;
  /** Bits from one element to the next. */
  stride: number;
  /** Bits of data of an element, and its pointers. */
  bits: number;
  pointers: number;
  composite: boolean;
  segment: number;
}

/** What is read where there is nothing. */
export const NOTHING: Struct = { data: 0, bits: 0, pointers: 0, count: 0, segment: 0 };

const ELEMENT_BITS = [0, 1, 8, 16, 32, 64];

/** Segments, and pointers within and between them. */
export class Message {
  #segments: [start: number, end: number][] = [];
  /** Of the segment at hand: where it begins and ends; and how many words may still be read. */
  readonly limits = new Float64Array(3);

  constructor(readonly input: Input) {}

  /** Reads the table of segments; where the root pointer is. */
  begin(): void {
    const { input } = this;
    const { view } = input;
    const count = view.getUint32(input.take(4), true) + 1;
    if (count > 512) input.fail(`a message of ${count} segments`);
    const sizes = Array.from({ length: count }, () => view.getUint32(input.take(4), true));
    if (count % 2 === 0) input.take(4);
    this.#segments = sizes.map((words) => {
      const start = input.take(8 * words);
      return [start, start + 8 * words];
    });
    // Objects may be shared: as many words as the C++ library lets.
    this.limits[2] = Math.max((4 * input.pos) / 8, 1 << 17);
    if (sizes[0] === 0) input.fail("the first segment has no root");
  }

  /** Makes a segment the one at hand. */
  choose(segment: number): void {
    this.limits.set(this.#segments[segment]!);
  }

  get root(): Struct {
    return { ...NOTHING, pointers: this.#segments[0]![0], count: 1 };
  }

  spend(words: number, at: number): void {
    this.limits[2]! -= words;
    if (this.limits[2]! < 0) this.input.fail("the same words are read too often", at);
  }

  /** Checks that so many words lie in a segment. */
  #inside(segment: number, at: number, words: number, from: number): void {
    const [start, end] = this.#segments[segment]!;
    if (at < start || at + 8 * words > end) this.input.fail("a pointer leads out of its segment", from);
  }

  isNull(struct: Struct, index: number): boolean {
    if (index >= struct.count) return true;
    const at = struct.pointers + 8 * index;
    const { view } = this.input;
    return view.getInt32(at, true) === 0 && view.getInt32(at + 4, true) === 0;
  }

  /** What the pointer at a place leads to, if it is not null. */
  follow(at: number, segment: number): Struct | List | undefined {
    const { view } = this.input;
    const from = at;
    let low = view.getInt32(at, true);
    let high = view.getUint32(at + 4, true);
    if (low === 0 && high === 0) return undefined;
    let target = at + 8 + (low >> 2) * 8;
    if ((low & 3) === 2) {
      const isDouble = (low & 4) !== 0;
      segment = high;
      if (!this.#segments[segment]) this.input.fail(`there is no segment ${segment}`, from);
      let pad = this.#segments[segment]![0] + (low >>> 3) * 8;
      this.#inside(segment, pad, isDouble ? 2 : 1, from);
      this.spend(1, from);
      low = view.getInt32(pad, true);
      high = view.getUint32(pad + 4, true);
      target = pad + 8 + (low >> 2) * 8;
      if (isDouble) {
        if ((low & 7) !== 2) this.input.fail("a pointer between segments leads to no other", from);
        segment = high;
        if (!this.#segments[segment]) this.input.fail(`there is no segment ${segment}`, from);
        target = this.#segments[segment]![0] + (low >>> 3) * 8;
        pad += 8;
        low = view.getInt32(pad, true);
        high = view.getUint32(pad + 4, true);
      }
      if ((low & 3) === 2) this.input.fail("a pointer between segments leads to another", from);
    }
    if ((low & 3) === 0) {
      const words = high & 0xffff;
      const count = high >>> 16;
      this.#inside(segment, target, words + count, from);
      this.spend(words + count + 1, from);
      return { data: target, bits: 64 * words, pointers: target + 8 * words, count, segment };
    }
    if ((low & 3) !== 1) return this.input.fail("a pointer to a capability", from);
    return this.#list(target, high & 7, high >>> 3, segment, from);
  }

  /** Where the bytes of a list of pointers are, if all pointers lead to so many bytes, the same distance apart. */
  alike(list: List, size: number): { start: number; stride: number } | undefined {
    const { bytes, view } = this.input;
    const { start: at, count, segment } = list;
    if (count < 2) return undefined;
    const low = view.getInt32(at, true);
    const growth = view.getInt32(at + 8, true) - low;
    const start = at + 8 + (low >> 2) * 8;
    const stride = 8 + growth * 2;
    const last = start + (count - 1) * stride;
    const words = Math.ceil(size / 8);
    const [from, to] = this.#segments[segment]!;
    const inside = Math.min(start, last) >= from && Math.max(start, last) + 8 * words <= to;
    // To a list of bytes, so many of them.
    const isBytes = (low & 3) === 1 && growth % 4 === 0 && view.getInt32(at + 4, true) === ((size << 3) | 2);
    const series: Series[] = [
      [at, 8, growth],
      [at + 4, 8, 0],
    ];
    if (!inside || !isBytes || !regular(bytes, count, series)) return undefined;
    this.spend(count * (words + 1), at);
    return { start, stride };
  }

  #list(start: number, size: number, count: number, segment: number, from: number): List {
    if (size < 7) {
      const bits = size === 6 ? 64 : ELEMENT_BITS[size]!;
      const words = Math.ceil((count * bits) / 64);
      this.#inside(segment, start, words, from);
      this.spend(size === 0 ? count / 8 : words + 1, from);
      const pointers = size === 6 ? 1 : 0;
      return { start, count, stride: bits, bits: pointers ? 0 : bits, pointers, composite: false, segment };
    }
    const words = count;
    this.#inside(segment, start, words + 1, from);
    const { view } = this.input;
    const tag = view.getInt32(start, true);
    if ((tag & 3) !== 0) this.input.fail("a list of structs has a wrong tag", start);
    const elements = tag >>> 2;
    const data = view.getUint16(start + 4, true);
    const pointers = view.getUint16(start + 6, true);
    if (elements * (data + pointers) > words) this.input.fail("a list of structs is longer than its words", start);
    this.spend(Math.max(words, data + pointers > 0 ? 0 : elements) + 1, from);
    return {
      start: start + 8,
      count: elements,
      stride: 64 * (data + pointers),
      bits: 64 * data,
      pointers,
      composite: true,
      segment,
    };
  }
}

export function isList(target: Struct | List): target is List {
  return "stride" in target;
}

/** The element of a list as a struct. */
export function element(list: List, i: number): Struct {
  const data = list.start + (i * list.stride) / 8;
  return { data, bits: list.bits, pointers: data + list.bits / 8, count: list.pointers, segment: list.segment };
}
