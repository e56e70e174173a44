import { type NumberBuilder, describe, type LongBuilder } from "./columns/build.js";
import { DecodeError } from "./errors.js";

/** Rows without any bytes, at most: nothing else bounds them. */
const MOST_EMPTY = 1 << 20;

/** A message, and how far it was read. */
export class Input {
  bytes: Uint8Array = new Uint8Array(0);
  #view: DataView | undefined;
  /** The next byte. */
  pos = 0;
  /** Where the part of the message at hand ends. */
  end = 0;
  depth = 0;
  /** The halves of the integer of 64 bits that was read last. */
  low = 0;
  high = 0;
  /** Whether the message may be changed. */
  owned = false;
  /** Room that moved bytes left behind them: see {@link doubles}. */
  gap = 0;
  gapEnd = 0;
  /** How many messages there were. */
  messages = 0;
  #empty = 0;

  begin(bytes: Uint8Array, owned = false): void {
    this.messages++;
    this.bytes = bytes;
    this.owned = owned;
    this.gap = this.gapEnd = 0;
    this.#view = undefined;
    this.pos = this.depth = this.#empty = 0;
    this.end = bytes.length;
  }

  get view(): DataView {
    return (this.#view ??= new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length));
  }

  fail(what: string, offset = this.pos): never {
    throw new DecodeError(what, offset);
  }

  /** Goes on behind so many bytes, and says where they begin. */
  take(count: number): number {
    const start = this.pos;
    if (!(count <= this.end - start)) this.fail(`the input ends, but ${count} more bytes should follow`);
    this.pos = start + count;
    return start;
  }

  byte(): number {
    if (this.pos >= this.end) this.fail("the input ends, but a value should follow");
    return this.bytes[this.pos++]!;
  }

  /** Checks a count of values of which each takes so many bytes. */
  count(count: number, bytes = 1): number {
    if (bytes === 0) {
      this.#empty += count;
      if (this.#empty > MOST_EMPTY) this.fail(`there are more than ${MOST_EMPTY} values without any bytes`);
    } else if (!(count * bytes <= this.end - this.pos)) {
      this.fail(`there are ${count} values, but only ${this.end - this.pos} bytes`);
    }
    return count;
  }

  enter(): void {
    if (++this.depth > 128) this.fail("values nest deeper than the limit of 128");
  }

  leave(): void {
    this.depth--;
  }

  /** An unsigned integer of 7 bits a byte, into the halves. */
  varint(): void {
    const { bytes, end } = this;
    const start = this.pos;
    let pos = start;
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      if (pos >= end) this.fail("the input ends within an integer", start);
      const byte = bytes[pos++]!;
      if (shift < 28) low |= (byte & 127) << shift;
      else if (shift === 28) {
        low |= (byte & 127) << 28;
        high = (byte & 127) >> 4;
      } else if (shift < 63) high |= (byte & 127) << (shift - 32);
      else {
        if (byte > 1) this.fail("an integer is longer than 64 bits", start);
        high |= byte << 31;
      }
      if (byte < 128) break;
    }
    this.pos = pos;
    this.low = low;
    this.high = high;
  }

  /** What was read as an unsigned number of which the lowest bit is the sign. */
  unzigzag(): void {
    const { low, high } = this;
    const sign = -(low & 1);
    this.low = ((low >>> 1) | (high << 31)) ^ sign;
    this.high = (high >>> 1) ^ sign;
  }

  /** The halves as a signed number; rounded beyond 2^53. */
  get signed(): number {
    return this.high * 4294967296 + (this.low >>> 0);
  }

  /** The halves as an unsigned number; rounded beyond 2^53. */
  get unsigned(): number {
    return (this.high >>> 0) * 4294967296 + (this.low >>> 0);
  }

  /** A varint that counts or measures something. */
  length(): number {
    const start = this.pos;
    if (start < this.end && this.bytes[start]! < 128) return this.bytes[this.pos++]!;
    this.varint();
    if (this.high !== 0) this.fail("a length is beyond all messages", start);
    return this.low >>> 0;
  }

  /** Adds an integer of up to 32 bits, if it is one of the type. */
  int(builder: NumberBuilder, value: number, at: number): void {
    if (value < builder.min || value > builder.max) this.fail(`${value} does not fit ${describe(builder.type)}`, at);
    if (builder.known && !builder.known.has(value)) this.fail(`${value} is no symbol of a closed enum`, at);
    builder.push(value);
  }

  /** Adds the halves, which say a number that has a sign or has not. */
  long(builder: LongBuilder, signed: boolean, at: number): void {
    if (signed !== builder.signed && this.high < 0) this.fail(`an integer does not fit ${describe(builder.type)}`, at);
    builder.push(this.low, this.high);
  }
}
