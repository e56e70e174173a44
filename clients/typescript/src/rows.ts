import { type Builder, FixedBuilder, LongBuilder, NumberBuilder, TextBuilder } from "./columns/build.js";
import { MaybeBuilder, RecordBuilder } from "./columns/nest.js";
import { canCompile, compiled } from "./compile.js";
import type { Job } from "./decode.js";

/**
 * The source of a function that reads records into columns as long as they are written as usual, and stops before the
 * first that is not: the general reader takes that one, and knows all errors. Formats write what reads a field; this has
 * what is common to them. In the source `b` are the bytes, `v` a view of them, `q` the place, `e` the end, `n` the row.
 */
export class Rows {
  readonly builders: Builder[] = [];
  readonly body: string[] = [];
  readonly #setup: string[] = [];
  readonly #kept: string[] = [];
  #labels = 0;

  add(line: string): void {
    this.body.push(line);
  }

  /** Leaves the record to the general reader. */
  readonly give = "break rows";

  /** A name that no other part of the source has. */
  fresh(name: string): string {
    return `${name}${this.#labels++}`;
  }

  /** A variable that lives from row to row. */
  keep(name: string, first = -1): string {
    const variable = this.fresh(name);
    this.#kept.push(`,${variable}=${first}`);
    return variable;
  }

  #array(builder: Builder, name: string, value: (builder: string) => string): string {
    let place = this.builders.indexOf(builder);
    if (place < 0) place = this.builders.push(builder) - 1;
    const variable = `${name}${place}`;
    const line = `${variable}=${value(`B[${place}]`)}`;
    if (!this.#setup.includes(line)) this.#setup.push(line);
    return variable;
  }

  number(builder: NumberBuilder, value: string): void {
    this.add(`${this.#array(builder, "a", (b) => `${b}.values`)}[n]=${value};`);
  }

  /** Leaves the record if the value is none of the builder's. */
  check(builder: NumberBuilder, value: string): void {
    const { type } = builder;
    if (builder.known) {
      const known = [...builder.known].map((number) => `${value}!==${number}`);
      if (known.length > 64) return this.add(`${this.give};`);
      this.add(`if(${known.join("&&")})${this.give};`);
    } else if (type.kind === "int" || type.kind === "enum") {
      this.add(`if(${value}<${builder.min}||${value}>${builder.max})${this.give};`);
    }
  }

  /** A small number is a byte; with others all of the column has to become wider, which the general reader does. */
  long(builder: LongBuilder, low: string, high: string, small = false): void {
    const words = this.#array(builder, "w", (b) => `${b}.words`);
    const bytes = this.#array(builder, "g", (b) => `${b}.bytes`);
    const fits = small ? "" : `if((${high})!==0||(${low})>>>0>127)${this.give};`;
    this.add(`if(${bytes}){${fits}${bytes}[n]=${low}}else{${words}[2*n]=${low};${words}[2*n+1]=${high}}`);
  }

  /** Reads a length of up to three bytes of 7 bits, into `l`. */
  length(): void {
    this.add(`l=b[q++];if(l>127){x=b[q++];if(x>127){x=x&127|b[q++]<<7;if(x>16383)${this.give}}l=l&127|x<<7}`);
  }

  /** Reads an integer of 7 bits a byte, whose lowest bit is its sign, into `x`. */
  zigzag(): void {
    this.add(`x=b[q++];if(x<128)x=x>>>1^-(x&1);else{${this.#wide()}x=l*4294967296+(k>>>0)}`);
  }

  /** Reads such an integer of 64 bits. */
  zigzagLong(builder: LongBuilder): void {
    this.add("x=b[q++];if(x<128&&!(x&1)){");
    this.long(builder, "x>>>1", "0", true);
    this.add(`}else{${this.#wide()}${builder.signed ? "" : `if(l<0)${this.give};`}`);
    this.long(builder, "k", "l");
    this.add("}");
  }

  /** Reads one that begins before `q`: its halves are `k` and `l`. */
  #wide(): string {
    const sign = "-(R[0]&1)";
    return `q=V(b,q-1,R);if(q<0)${this.give};k=(R[0]>>>1|R[1]<<31)^${sign};l=R[1]>>>1^${sign};`;
  }

  text(builder: TextBuilder, start: string, end: string): void {
    const starts = this.#array(builder, "s", (b) => `${b}.starts`);
    const ends = this.#array(builder, "t", (b) => `${b}.ends`);
    this.add(`${starts}[n]=${start};${ends}[n]=${end};`);
  }

  /** Reads a text behind its length; whether it ends where it may is for the record's end to say. */
  lengthAndText(builder: TextBuilder): void {
    this.length();
    this.text(builder, "q", "q+=l");
  }

  /** Copies bytes from `q`; there are enough. */
  fixed(builder: FixedBuilder): void {
    const { size } = builder;
    if (size % 4 === 0 && size <= 32) {
      const words = this.#array(builder, "i", (b) => `new Int32Array(${b}.bytes.buffer)`);
      for (let i = 0; i < size / 4; i++) this.add(`${words}[${size / 4}*n+${i}]=v.getInt32(q+${4 * i},true);`);
    } else {
      const bytes = this.#array(builder, "y", (b) => `${b}.bytes`);
      this.add(`for(let i=0;i<${size};i++)${bytes}[${size}*n+i]=b[q+i];`);
    }
  }

  state(builder: MaybeBuilder, state: number): void {
    this.add(`${this.#array(builder, "m", (b) => `${b}.states`)}[n]=${state};`);
  }

  /** Counts the rows of a field: of its values, and of whether there are any. */
  row(whole: Builder): { maybe: MaybeBuilder | undefined; inner: Builder } {
    const maybe = whole instanceof MaybeBuilder ? whole : undefined;
    const inner = maybe?.inner ?? whole;
    for (const builder of [whole, inner]) if (!this.builders.includes(builder)) this.builders.push(builder);
    return { maybe, inner };
  }

  /** Copies the bytes at `k`. */
  fixedAway(builder: FixedBuilder): void {
    this.add("x=q;q=k;");
    this.fixed(builder);
    this.add("q=x;");
  }

  /** The whole function: its result is the place, and `R[2]` is the row. */
  source(): string {
    const setup = this.#setup.length > 0 ? `const ${this.#setup.join(",")};` : "";
    return `${setup}let p=q,x=0,l=0,k=0${this.#kept.join("")};rows:while(n<c&&q<e){${this.body.join("")}n++;p=q}R[2]=n;return p`;
  }
}

export const ARGUMENTS = "b,v,q,e,n,c,B,R,V";

/** The integer of 7 bits a byte at `q`, into `R`; the place behind it, or -1. */
export function varint(b: Uint8Array, q: number, R: Int32Array): number {
  let low = 0;
  let high = 0;
  for (let shift = 0; shift < 70; shift += 7) {
    const byte = b[q++]!;
    if (shift < 28) low |= (byte & 127) << shift;
    else if (shift === 28) {
      low |= (byte & 127) << 28;
      high = (byte & 127) >> 4;
    } else if (shift < 63) high |= (byte & 127) << (shift - 32);
    else high |= byte << 31;
    if (byte < 128) {
      R[0] = low;
      R[1] = high;
      return shift === 63 && byte > 1 ? -1 : q;
    }
  }
  return -1;
}

/** Records that are tried by a reader of a type that has taken none of them. */
const PATIENCE = 8;

/**
 * A function that reads records from the input's place, up to `most`; undefined where there is none for such records. What
 * comes of it is the number of records. In the source `V` is `extra`: what reads an integer, or limits.
 */
export function arm(
  job: Job,
  record: RecordBuilder,
  rows: Rows,
  key: string,
  extra: ((b: Uint8Array, q: number, R: Int32Array) => number) | Float64Array,
): (most?: number) => number {
  const { input, arms, sources } = job;
  if (arms || sources) key = `${key} ${hash(rows.source())}`;
  if (sources) sources[key] = rows.source();
  const given = arms?.[key];
  if (!given && !canCompile()) return () => 0;
  const read = given ?? compiled(ARGUMENTS, rows.source());
  const all: Builder[] = [...rows.builders, record];
  const registers = new Int32Array(3);
  let misses = 0;
  let broken = -1;
  return (most = 2 ** 31) => {
    if (misses > PATIENCE || broken === input.messages) return 0;
    const first = record.n;
    let room = Math.min(most, 16);
    while (input.pos < input.end && record.n - first < most) {
      for (const builder of all) (builder as { reserve?(count: number): void }).reserve?.(room);
      const { n } = record;
      const start = input.pos;
      // Reads beyond the end of the message throw; the general reader says what is wrong.
      let pos = start;
      try {
        pos = read(input.bytes, input.view, start, input.end, n, n + room, rows.builders, registers, extra);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        registers[2] = n;
        // It would come again, after all records before.
        broken = input.messages;
      }
      const count = registers[2]! - n;
      for (const builder of all) builder.n = n + count;
      input.pos = pos;
      if (count < room) break;
      // As many as there will be if they are as long as those before, and some more.
      const size = (pos - start) / count;
      const left = Math.ceil(((input.end - pos) / size) * 1.02) + 16;
      room = Math.min(most - (record.n - first), left);
    }
    const taken = record.n - first;
    misses = taken > 0 ? 0 : misses + 1;
    return taken;
  };
}

/** Reads up to so many records from a place on. */
export type Placed = (start: number, most: number) => number;

/** The same for records that lie `stride` bytes apart, wherever the input is. */
export function placedArm(job: Job, record: RecordBuilder, rows: Rows, limits: Float64Array, stride: number): Placed {
  const { input } = job;
  const read = arm(job, record, rows, record.type.name, limits);
  return (start, most) => {
    const { pos, end } = input;
    input.pos = start;
    input.end = start + most * stride;
    const count = read(most);
    input.pos = pos;
    input.end = end;
    return count;
  };
}

/** FNV-1a, which tells whether a reader was generated for the same layout. */
function hash(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16);
}

/** Whether records can be read by such a function that knows no records in records. */
export function isSimple(record: RecordBuilder): boolean {
  const isRecord = (child: Builder) => (child instanceof MaybeBuilder ? child.inner : child) instanceof RecordBuilder;
  return isFlat(record) && !record.children.some(isRecord);
}

/** Whether records can be read by such a function: those with nothing but scalars, texts and such records. */
export function isFlat(record: RecordBuilder): boolean {
  return (
    record.type.oneofs.length === 0 &&
    record.children.length > 0 &&
    record.children.every((child) => {
      const inner = child instanceof MaybeBuilder ? child.inner : child;
      if (inner instanceof RecordBuilder) return isFlat(inner);
      return (
        inner instanceof NumberBuilder ||
        inner instanceof LongBuilder ||
        inner instanceof TextBuilder ||
        inner instanceof FixedBuilder
      );
    })
  );
}
