import { DecodeError } from "../errors.js";
import type { FixedType, Type } from "../schema.js";
import { encoder, fromBase64, parseUuid } from "../text/bytes.js";
import { numeral, print } from "../text/json.js";
import { parseDate, parseInstant } from "../text/time.js";
import { type Column, type Integers, logicalOf, type Numbers } from "./column.js";
import { LongColumn, NumberColumn } from "./numbers.js";
import { FixedColumn, TextColumn } from "./text.js";

/** What the builders of a message share. */
export interface Context {
  /** The message that is read. */
  bytes: Uint8Array;
  integers: Integers;
  /** Undoes shapes in values that are read on their own. */
  undo?: (column: Column) => Column;
}

/** Collects the rows of a column. What was not read yet may be cut off again. */
export abstract class Builder {
  readonly type: Type;
  /** Rows so far. */
  n = 0;

  constructor(type: Type) {
    this.type = type;
  }

  /** Adds a row that means nothing. */
  abstract skip(): void;
  /** Takes away the rows from `n` on. */
  abstract cut(n: number): void;
  /** Adds a value as JSON has it. */
  abstract put(value: any): void;
  /** The column; the builder is empty then. */
  abstract finish(): Column;

  protected wrong(value: unknown): never {
    const text = print(value) ?? "nothing";
    const shown = text.length > 40 ? `${text.slice(0, 40)}...` : text;
    throw new DecodeError(`${shown} is no ${"name" in this.type ? this.type.name : describe(this.type)}`);
  }
}

/** What a type is called in messages. */
export function describe(type: Type): string {
  const logical = logicalOf(type);
  if (logical) return logical;
  if (type.kind === "int") return `${type.signed ? "" : "u"}int${type.bits}`;
  return type.kind === "float" ? `float${type.bits}` : type.kind;
}

type NumbersOf = new (length: number) => Numbers;

function arrayOf(type: Type): NumbersOf {
  if (type.kind === "bool") return Uint8Array;
  if (type.kind === "enum")
    return type.symbols.every(({ number }) => number === (number | 0)) ? Int32Array : Float64Array;
  if (type.kind === "float") return type.bits === 32 ? Float32Array : Float64Array;
  const bits = type.kind === "int" ? type.bits : 32;
  if (type.kind === "int" && !type.signed) return bits === 8 ? Uint8Array : bits === 16 ? Uint16Array : Uint32Array;
  return bits === 8 ? Int8Array : bits === 16 ? Int16Array : Int32Array;
}

const FIRST = 8;

const NO_BYTES = new Uint8Array(0);
const NO_WORDS = new Int32Array(0);
const NO_PLACES = new Uint32Array(0);

/** The first so many; none of an array that builders have in common. */
function part<A extends Numbers>(array: A, length: number): A {
  if (length === 0) return array.slice(0, 0) as A;
  return array.length === length ? array : (array.subarray(0, length) as A);
}

/** Of all rows of fixed bytes. */
const MOST_BYTES = 2 ** 31;

/** How many rows there is room for next. */
function larger(length: number, wanted: number): number {
  return Math.max(2 * length, wanted, FIRST);
}

export class NumberBuilder extends Builder {
  values: Numbers;
  readonly make: NumbersOf;
  readonly #none: Numbers;
  /** Of integers and enums: the least and the largest. */
  readonly min: number;
  readonly max: number;
  /** Of a closed enum: its numbers. */
  readonly known: Set<number> | undefined;
  readonly #names: Map<string, number> | undefined;

  constructor(type: Type) {
    super(type);
    this.make = arrayOf(type);
    this.values = this.#none = new this.make(0);
    const bits = type.kind === "int" ? type.bits : 32;
    const signed = type.kind !== "int" || type.signed;
    this.min = signed ? -(2 ** (bits - 1)) : 0;
    this.max = signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
    if (type.kind === "enum") {
      if (this.make === Float64Array) {
        this.min = Number.MIN_SAFE_INTEGER;
        this.max = Number.MAX_SAFE_INTEGER;
      }
      if (type.closed) this.known = new Set(type.symbols.map(({ number }) => number));
      this.#names = new Map(type.symbols.map(({ name, number }) => [name, number]));
    }
  }

  push(value: number): void {
    if (this.n === this.values.length) this.reserve(1);
    this.values[this.n++] = value;
  }

  /** Makes room for so many more. */
  reserve(count: number): void {
    if (this.n + count <= this.values.length) return;
    const values = new this.make(larger(this.values.length, this.n + count));
    values.set(this.values.subarray(0, this.n));
    this.values = values;
  }

  /** Takes an array as it is, or copies it behind what is there. */
  adopt(values: Numbers): void {
    if (this.n === 0) {
      this.values = values;
      this.n = values.length;
    } else {
      this.reserve(values.length);
      this.values.set(values, this.n);
      this.n += values.length;
    }
  }

  override skip(): void {
    this.push(0);
  }

  override cut(n: number): void {
    // What was taken as it is must not be written to.
    if (n < this.n) this.values = this.values.slice(0, n);
    this.n = n;
  }

  override put(value: any): void {
    const { type } = this;
    if (type.kind === "bool") return typeof value === "boolean" ? this.push(value ? 1 : 0) : this.wrong(value);
    if (type.kind === "enum" && typeof value === "string") {
      const number = this.#names!.get(value);
      return number === undefined ? this.wrong(value) : this.push(number);
    }
    if (type.kind === "float") {
      const number = typeof value === "string" && /^(NaN|-?Infinity)$/.test(value) ? Number(value) : value;
      return typeof number === "number" || typeof number === "bigint" ? this.push(Number(number)) : this.wrong(value);
    }
    const number = logicalOf(type) === "date" && typeof value === "string" ? parseDate(value) : value;
    if (!Number.isInteger(number) || number < this.min || number > this.max) this.wrong(value);
    if (this.known && !this.known.has(number)) this.wrong(value);
    this.push(number);
  }

  override finish(): Column {
    const column = new NumberColumn(this.type, part(this.values, this.n));
    this.values = this.#none;
    this.n = 0;
    return column;
  }
}

export class LongBuilder extends Builder {
  /** As long as all are below 128: a byte for each. */
  bytes: Uint8Array | undefined = NO_BYTES;
  /** Otherwise: low and high halves. */
  words = NO_WORDS;
  readonly signed: boolean;
  readonly #context: Context;

  constructor(type: Type, context: Context) {
    super(type);
    this.signed = type.kind === "int" && type.signed;
    this.#context = context;
  }

  push(low: number, high: number): void {
    if (this.bytes) {
      if (high === 0 && low >= 0 && low < 128) {
        if (this.n === this.bytes.length) this.reserve(1);
        this.bytes[this.n++] = low;
        return;
      }
      this.widen();
    }
    if (2 * this.n === this.words.length) this.reserve(1);
    this.words[2 * this.n] = low;
    this.words[2 * this.n + 1] = high;
    this.n++;
  }

  /** Goes on in halves. */
  widen(): void {
    const { bytes, n } = this;
    if (!bytes) return;
    this.bytes = undefined;
    this.words = new Int32Array(2 * Math.max(bytes.length, FIRST));
    for (let i = 0; i < n; i++) this.words[2 * i] = bytes[i]!;
  }

  /** Takes the low and high halves of many as they are; the array begins at a multiple of 8 bytes. */
  adopt(words: Int32Array<ArrayBuffer>): void {
    if (this.n === 0) {
      this.bytes = undefined;
      this.words = words;
    } else {
      this.widen();
      this.reserve(words.length / 2);
      this.words.set(words, 2 * this.n);
    }
    this.n += words.length / 2;
  }

  /** Takes small ones that are a byte each, where they are. */
  adoptBytes(bytes: Uint8Array): void {
    if (this.n === 0) {
      this.bytes = bytes;
      this.n = bytes.length;
    } else {
      for (let i = 0; i < bytes.length; i++) this.push(bytes[i]!, 0);
    }
  }

  reserve(count: number): void {
    if (this.bytes) {
      if (this.n + count <= this.bytes.length) return;
      const bytes = new Uint8Array(larger(this.bytes.length, this.n + count));
      bytes.set(this.bytes.subarray(0, this.n));
      this.bytes = bytes;
      return;
    }
    if (2 * (this.n + count) <= this.words.length) return;
    const words = new Int32Array(2 * larger(this.words.length / 2, this.n + count));
    words.set(this.words.subarray(0, 2 * this.n));
    this.words = words;
  }

  override skip(): void {
    this.push(0, 0);
  }

  override cut(n: number): void {
    // What was taken as it is must not be written to.
    if (n < this.n) {
      if (this.bytes) this.bytes = this.bytes.slice(0, n);
      else this.words = this.words.slice(0, 2 * n);
    }
    this.n = n;
  }

  override put(value: any): void {
    const logical = logicalOf(this.type);
    const instant =
      typeof value === "string" && logical?.startsWith("timestamp") ? parseInstant(value, logical) : value;
    if (Number.isSafeInteger(instant) && (this.signed || instant >= 0)) {
      return this.push(instant | 0, Math.floor(instant / 4294967296) | 0);
    }
    if (typeof instant !== "bigint" && !Number.isInteger(instant)) this.wrong(value);
    const big = BigInt(instant);
    if (big !== (this.signed ? BigInt.asIntN(64, big) : BigInt.asUintN(64, big))) this.wrong(value);
    this.push(Number(BigInt.asIntN(32, big)), Number(BigInt.asIntN(32, big >> 32n)));
  }

  override finish(): Column {
    const { buffer, byteOffset } = this.words;
    const { n } = this;
    const Wide = this.signed ? BigInt64Array : BigUint64Array;
    const values = this.bytes ? part(this.bytes, n) : new Wide(buffer, byteOffset, n);
    this.words = NO_WORDS;
    this.bytes = NO_BYTES;
    this.n = 0;
    return new LongColumn(this.type, values, this.#context.integers);
  }
}

/** Texts and bytes: places in the message, and behind its end in `#extra` for what does not lie there. */
export class TextBuilder extends Builder {
  starts = NO_PLACES;
  ends = NO_PLACES;
  readonly #context: Context;
  #extra = NO_BYTES;
  #used = 0;

  constructor(type: Type, context: Context) {
    super(type);
    this.#context = context;
  }

  push(start: number, end: number): void {
    if (this.n === this.starts.length) this.reserve(1);
    this.starts[this.n] = start;
    this.ends[this.n++] = end;
  }

  reserve(count: number): void {
    if (this.n + count <= this.starts.length) return;
    const length = larger(this.starts.length, this.n + count);
    for (const key of ["starts", "ends"] as const) {
      const places = new Uint32Array(length);
      places.set(this[key].subarray(0, this.n));
      this[key] = places;
    }
  }

  /** Adds bytes that do not lie in the message. */
  copy(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#extra.set(bytes, this.#used);
    this.#add(bytes.length);
  }

  #text(text: string): void {
    const start = this.#used;
    // A unit of UTF-16 takes three bytes at most.
    this.#room(3 * text.length);
    if (text.length < 64) {
      const extra = this.#extra;
      let at = start;
      let i = 0;
      for (; i < text.length; i++) {
        const unit = text.charCodeAt(i);
        if (unit > 127) break;
        extra[at++] = unit;
      }
      if (i === text.length) return this.#add(at - start);
    }
    this.#add(encoder.encodeInto(text, this.#extra.subarray(start)).written);
  }

  #room(count: number): void {
    if (this.#used + count <= this.#extra.length) return;
    const extra = new Uint8Array(larger(this.#extra.length, this.#used + count));
    extra.set(this.#extra.subarray(0, this.#used));
    this.#extra = extra;
  }

  /** A row with the next so many bytes behind the message. */
  #add(count: number): void {
    const start = this.#context.bytes.length + this.#used;
    this.#used += count;
    this.push(start, start + count);
  }

  override skip(): void {
    this.push(0, 0);
  }

  override cut(n: number): void {
    this.n = n;
  }

  override put(value: any): void {
    if (this.type.kind === "string") {
      if (logicalOf(this.type) === "number" && (typeof value === "number" || typeof value === "bigint"))
        return this.#text(numeral(value));
      return typeof value === "string" ? this.#text(value) : this.wrong(value);
    }
    const bytes = value instanceof Uint8Array ? value : typeof value === "string" ? fromBase64(value) : undefined;
    return bytes ? this.copy(bytes) : this.wrong(value);
  }

  override finish(): Column {
    let { bytes } = this.#context;
    const starts = part(this.starts, this.n);
    const ends = part(this.ends, this.n);
    if (this.#used > 0) {
      // One buffer for both: all of it is copied, so that rows need not be.
      const both = new Uint8Array(bytes.length + this.#used);
      both.set(bytes);
      both.set(this.#extra.subarray(0, this.#used), bytes.length);
      bytes = both;
    }
    this.starts = this.ends = NO_PLACES;
    this.#extra = NO_BYTES;
    this.#used = this.n = 0;
    return new TextColumn(this.type, bytes, starts, ends);
  }
}

export class FixedBuilder extends Builder {
  readonly size: number;
  bytes = NO_BYTES;
  /** All rows as they lie in the message, if they were taken at once. */
  #strided: { bytes: Uint8Array; start: number; stride: number } | undefined;

  constructor(type: FixedType) {
    super(type);
    this.size = type.size;
  }

  push(bytes: Uint8Array, at: number): void {
    const { size } = this;
    this.reserve(1);
    const to = this.n++ * size;
    if (size > 32) this.bytes.set(bytes.subarray(at, at + size), to);
    else for (let i = 0; i < size; i++) this.bytes[to + i] = bytes[at + i]!;
  }

  reserve(count: number): void {
    if (this.#strided) {
      const { bytes, start, stride } = this.#strided;
      const rows = this.n;
      this.#strided = undefined;
      this.n = 0;
      this.reserve(rows + count);
      for (let i = 0; i < rows; i++) this.push(bytes, start + i * stride);
    }
    const { size } = this;
    if ((this.n + count) * size <= this.bytes.length) return;
    if ((this.n + count) * size > MOST_BYTES) throw new DecodeError("fixed bytes take too much memory");
    const bytes = new Uint8Array(Math.max(2 * this.bytes.length, (this.n + count) * size, FIRST * Math.min(size, 64)));
    bytes.set(this.bytes.subarray(0, this.n * size));
    this.bytes = bytes;
  }

  /** Takes many that lie in the message, the same distance apart. */
  adopt(bytes: Uint8Array, start: number, stride: number, count: number): void {
    if (this.n === 0) {
      this.#strided = { bytes, start, stride };
      this.n = count;
    } else {
      for (let i = 0; i < count; i++) this.push(bytes, start + i * stride);
    }
  }

  override skip(): void {
    this.push(new Uint8Array(this.size), 0);
  }

  override cut(n: number): void {
    this.n = n;
  }

  override put(value: any): void {
    const text = typeof value === "string";
    const uuid = this.size === 16 && logicalOf(this.type) === "uuid";
    const bytes = text
      ? uuid
        ? parseUuid(value)
        : fromBase64(value)
      : value instanceof Uint8Array
        ? value
        : undefined;
    if (bytes?.length !== this.size) this.wrong(value);
    this.push(bytes!, 0);
  }

  override finish(): Column {
    const { bytes, start, stride } = this.#strided ?? { bytes: this.bytes, start: 0, stride: this.size };
    const column = new FixedColumn(this.type, this.size, bytes, start, stride, this.n);
    this.bytes = NO_BYTES;
    this.#strided = undefined;
    this.n = 0;
    return column;
  }
}
