import { DecodeError } from "../errors.js";
import { copy } from "../lanes.js";
import type { Type } from "../schema.js";
import { decodeText, toBase64, writeUuid } from "../text/bytes.js";
import { Column, type Getter, logicalOf } from "./column.js";

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** All texts of a column in one: rows are its slices. */
interface Joined {
  text: string;
  offsets: Uint32Array;
}

/** Texts, or bytes: where each lies in `bytes`, which may be the message itself. */
export class TextColumn extends Column {
  declare readonly type: Type;
  declare readonly length: number;
  readonly kind: "string" | "bytes";
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  #joined: Joined | undefined;

  constructor(type: Type, bytes: Uint8Array, starts: Uint32Array, ends: Uint32Array) {
    super();
    this.type = type;
    this.length = starts.length;
    this.kind = type.kind === "string" ? "string" : "bytes";
    this.bytes = bytes;
    this.starts = starts;
    this.ends = ends;
  }

  /** The bytes of a row, where they are. */
  bytesAt(i: number): Uint8Array {
    return this.bytes.subarray(this.starts[i], this.ends[i]);
  }

  override at(i: number): any {
    if (this.kind === "bytes") return toBase64(this.bytesAt(i));
    const text = decodeText(this.bytesAt(i));
    if (text === undefined) throw this.#notUtf8(i);
    return logicalOf(this.type) === "number" && NUMBER.test(text) ? Number(text) : text;
  }

  /** The same texts one behind the other: the text of row `i` is `bytes` from `offsets[i]` to `offsets[i + 1]`. */
  compact(): { bytes: Uint8Array; offsets: Uint32Array } {
    const { bytes, starts, ends, length } = this;
    const offsets = new Uint32Array(length + 1);
    let size = 0;
    for (let i = 0; i < length; i++) offsets[i + 1] = size += ends[i]! - starts[i]!;
    if (size > bytes.length * 64 + 0x1000000)
      throw new DecodeError("texts that lie in each other take too much memory");
    const out = new Uint8Array(size);
    const view = new DataView(out.buffer);
    const source = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let i = 0, to = 0; i < length; i++) {
      const from = starts[i]!;
      const length = ends[i]! - from;
      if (length > 256) out.set(bytes.subarray(from, from + length), to);
      else copy(source, from, view, to, length);
      to += length;
    }
    return { bytes: out, offsets };
  }

  /** One text with all rows, and where they are in it: a slice is much cheaper than decoding each. */
  joined(): Joined {
    if (this.#joined) return this.#joined;
    const { bytes, offsets } = this.compact();
    const text = decodeText(bytes);
    // A text that begins within a character makes none of the whole wrong.
    let whole = text !== undefined;
    if (whole && text!.length < bytes.length) {
      for (let i = 0; i < this.length && whole; i++) {
        whole = offsets[i] === offsets[i + 1] || (bytes[offsets[i]!]! & 0xc0) !== 0x80;
      }
    }
    if (!whole) {
      for (let i = 0; i < this.length; i++) if (decodeText(this.bytesAt(i)) === undefined) throw this.#notUtf8(i);
      throw this.#notUtf8(0);
    }
    if (text!.length < bytes.length) {
      let units = 0;
      for (let i = 0, at = 0; i < offsets.length; i++) {
        for (const end = offsets[i]!; at < end; at++) {
          const byte = bytes[at]!;
          if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
        }
        offsets[i] = units;
      }
    }
    this.#joined = { text: text!, offsets };
    return this.#joined;
  }

  #notUtf8(i: number): DecodeError {
    return new DecodeError("text is not UTF-8", this.starts[i]).in(`[${i}]`);
  }

  override getter(): Getter {
    // Few rows are not worth a common text.
    if (this.kind === "bytes" || this.length < 4) return (i) => this.at(i);
    const { text, offsets } = this.joined();
    if (logicalOf(this.type) === "number") {
      return (i) => {
        const value = text.slice(offsets[i], offsets[i + 1]);
        return NUMBER.test(value) ? Number(value) : value;
      };
    }
    return (i) => text.slice(offsets[i], offsets[i + 1]);
  }

  override slice(start: number, end: number): TextColumn {
    return new TextColumn(this.type, this.bytes, this.starts.subarray(start, end), this.ends.subarray(start, end));
  }
}

/** Values of a fixed number of bytes, every `stride` bytes from `start` in `bytes`, which may be the message itself. */
export class FixedColumn extends Column {
  declare readonly type: Type;
  declare readonly length: number;
  readonly kind = "fixed";
  readonly size: number;
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly stride: number;
  #text: string | undefined;

  constructor(type: Type, size: number, bytes: Uint8Array, start: number, stride: number, length: number) {
    super();
    this.type = type;
    this.length = length;
    this.size = size;
    this.bytes = bytes;
    this.start = start;
    this.stride = stride;
  }

  bytesAt(i: number): Uint8Array {
    const at = this.start + i * this.stride;
    return this.bytes.subarray(at, at + this.size);
  }

  get isUuid(): boolean {
    return this.size === 16 && logicalOf(this.type) === "uuid";
  }

  override at(i: number): any {
    if (!this.isUuid) return toBase64(this.bytesAt(i));
    const text = new Uint8Array(36);
    writeUuid(this.bytes, this.start + i * this.stride, text, 0);
    return decodeText(text);
  }

  /** The texts of all UUIDs, 36 characters each. */
  joined(): string {
    if (this.#text === undefined) {
      const text = new Uint8Array(36 * this.length);
      for (let i = 0; i < this.length; i++) writeUuid(this.bytes, this.start + i * this.stride, text, 36 * i);
      this.#text = decodeText(text)!;
    }
    return this.#text;
  }

  override getter(): Getter {
    if (!this.isUuid || this.length < 4) return (i) => this.at(i);
    const text = this.joined();
    return (i) => text.slice(36 * i, 36 * i + 36);
  }

  override slice(start: number, end: number): FixedColumn {
    return new FixedColumn(
      this.type,
      this.size,
      this.bytes,
      this.start + start * this.stride,
      this.stride,
      end - start,
    );
  }
}
