import { DecodeError } from "../errors.js";
import type { EnumType, Type } from "../schema.js";
import { dateText, instantText } from "../text/time.js";
import { Column, type Getter, type Integers, logicalOf, type Numbers } from "./column.js";

/** Numbers of up to 32 bits, doubles, booleans (0 and 1), and the numbers of enums. */
export class NumberColumn extends Column {
  declare readonly type: Type;
  declare readonly length: number;
  readonly kind: "number" | "bool" | "enum";
  readonly values: Numbers;

  constructor(type: Type, values: Numbers) {
    super();
    this.type = type;
    this.length = values.length;
    this.kind = type.kind === "bool" || type.kind === "enum" ? type.kind : "number";
    this.values = values;
  }

  override getter(): Getter {
    const { type, values } = this;
    if (type.kind === "bool") return (i) => values[i] !== 0;
    if (type.kind === "enum") {
      const names = symbolNames(type);
      return (i) => names.get(values[i]!) ?? values[i];
    }
    if (type.kind === "float" && type.bits === 32) return (i) => shortest(values[i]!);
    if (logicalOf(type) === "date") {
      return (i) => dateText(values[i]!) ?? outside(values[i]!, "day");
    }
    return (i) => values[i];
  }

  override slice(start: number, end: number): NumberColumn {
    return new NumberColumn(this.type, this.values.subarray(start, end));
  }
}

/** The first name of each number. */
export function symbolNames(type: EnumType): Map<number, string> {
  const names = new Map<number, string>();
  for (const { number, name } of type.symbols) if (!names.has(number)) names.set(number, name);
  return names;
}

function outside(value: number | bigint, what: string): never {
  throw new DecodeError(`${value} is no ${what} of the years 0 to 9999`);
}

/** The double whose text is the shortest that stands for this float32: what its JSON has. */
export function shortest(value: number): number {
  if ((Number.isInteger(value) && Math.abs(value) < 16777216) || !Number.isFinite(value)) return value;
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return Number.isInteger(value * 1024) ? even(value, digits, short) : short;
  }
  return Number(value.toPrecision(9));
}

/** Of two texts that are as near, the even one; `toPrecision` has taken the larger. */
function even(value: number, digits: number, short: number): number {
  const next = value.toPrecision(digits + 1);
  if (Number(next) !== value || !/5(e|$)/.test(next)) return short;
  const other = Number(value.toPrecision(digits).replace(/[13579](?=e|$)/, (digit) => `${+digit - 1}`));
  return Math.fround(other) === value ? other : short;
}

/** Integers of 64 bits. */
export class LongColumn extends Column {
  declare readonly type: Type;
  declare readonly length: number;
  readonly kind = "long";
  #values: BigInt64Array | BigUint64Array | undefined;
  /** All of them as they lie in the message, where each is a byte there. */
  readonly #bytes: Uint8Array | undefined;
  readonly #integers: Integers;

  constructor(type: Type, values: BigInt64Array | BigUint64Array | Uint8Array, integers: Integers) {
    super();
    this.type = type;
    this.length = values.length;
    if (values instanceof Uint8Array) this.#bytes = values;
    else this.#values = values;
    this.#integers = integers;
  }

  get values(): BigInt64Array | BigUint64Array {
    if (!this.#values) {
      const words = new Int32Array(2 * this.length);
      const bytes = this.#bytes!;
      for (let i = 0; i < bytes.length; i++) words[2 * i] = bytes[i]!;
      const unsigned = this.type.kind === "int" && !this.type.signed;
      this.#values = unsigned ? new BigUint64Array(words.buffer) : new BigInt64Array(words.buffer);
    }
    return this.#values;
  }

  /** All of them, if they are below 128 and have no other meaning. */
  get small(): Uint8Array | undefined {
    return logicalOf(this.type) ? undefined : this.#bytes;
  }

  /** Low and high halves. */
  get words(): Int32Array {
    const { buffer, byteOffset, length } = this.values;
    return new Int32Array(buffer, byteOffset, 2 * length);
  }

  /** The values as numbers: doubles, which round those beyond 2^53, or bytes in the message where they are so small. */
  toNumbers(): Float64Array | Uint8Array {
    if (this.#bytes) return this.#bytes;
    const words = this.words;
    const out = new Float64Array(this.length);
    const signed = this.values instanceof BigInt64Array;
    for (let i = 0; i < out.length; i++) {
      const high = words[2 * i + 1]!;
      out[i] = (signed ? high : high >>> 0) * 4294967296 + (words[2 * i]! >>> 0);
    }
    return out;
  }

  override getter(): Getter {
    const { small, type } = this;
    if (small) return (i) => small[i];
    const { values, words } = this;
    const logical = logicalOf(type);
    if (logical?.startsWith("timestamp")) {
      return (i) => instantText(values[i]!, logical) ?? outside(values[i]!, "instant");
    }
    const signed = values instanceof BigInt64Array;
    const exact = this.#integers === "exact";
    return (i) => {
      const high = words[2 * i + 1]!;
      const value = (signed ? high : high >>> 0) * 4294967296 + (words[2 * i]! >>> 0);
      return exact && !Number.isSafeInteger(value) ? values[i] : value;
    };
  }

  get exact(): boolean {
    return this.#integers === "exact";
  }

  override slice(start: number, end: number): LongColumn {
    return new LongColumn(this.type, (this.#bytes ?? this.values).subarray(start, end), this.#integers);
  }
}

/** Rows without any content. */
export class NullColumn extends Column {
  declare readonly type: Type;
  declare readonly length: number;
  readonly kind = "null";
  constructor(type: Type, length: number) {
    super();
    this.type = type;
    this.length = length;
  }
  override getter(): Getter {
    return () => null;
  }
  override slice(start: number, end: number): NullColumn {
    return new NullColumn(this.type, end - start);
  }
}

/** What is no column: values as they are. */
export class ValueColumn extends Column {
  declare readonly type: Type;
  declare readonly length: number;
  readonly kind = "value";
  readonly values: any[];
  constructor(type: Type, values: any[]) {
    super();
    this.type = type;
    this.length = values.length;
    this.values = values;
  }
  override getter(): Getter {
    return (i) => this.values[i];
  }
  override slice(start: number, end: number): ValueColumn {
    return new ValueColumn(this.type, this.values.slice(start, end));
  }
}
