import { type Builder, FixedBuilder, LongBuilder, NumberBuilder, TextBuilder } from "../../columns/build.js";
import { ValueBuilder } from "../../columns/values.js";
import type { Read } from "../../decode.js";
import { DecodeError } from "../../errors.js";
import type { Input } from "../../input.js";
import { doubles, halves, singles, words } from "../../lanes.js";
import type { Type } from "../../schema.js";
import { parse } from "../../text/json.js";

export const VARINT = 0;
export const I64 = 1;
export const LEN = 2;
export const GROUP = 3;
export const I32 = 5;

/** A value that is no message. */
export interface Scalar {
  wire: number;
  read: Read;
  /** Reads all that lies before the input's end; bytes from `head` on are not needed any more. */
  packed?(head: number): void;
}

/** How an integer is written: as it is, with the sign in its lowest bit, or in full width. */
export type Layout = "plain" | "zigzag" | "word";

export function layoutOf(type: Type): Layout {
  const note = type.notes["protobuf.type"] ?? "";
  return note.startsWith("sint") ? "zigzag" : note.includes("fixed") ? "word" : "plain";
}

/** Puts the zero that a scalar has when it does not come. */
export function putZero(builder: Builder): void {
  const { type } = builder;
  if (type.kind === "enum") (builder as NumberBuilder).push(type.symbols[0]!.number);
  else if (type.kind === "any") (builder as ValueBuilder).push(null);
  else builder.skip();
}

/** Reads JSON text of an `any`. */
export function readAny(input: Input, builder: ValueBuilder, length: number): void {
  const at = input.take(length);
  const text = input.bytes.subarray(at, at + length);
  let value: unknown;
  try {
    value = parse(text, builder.context.integers === "exact");
  } catch {
    throw new DecodeError("the text of an any is no JSON", at);
  }
  builder.push(value);
}

export function scalar(input: Input, type: Type, builder: Builder): Scalar {
  switch (type.kind) {
    case "bool":
      return bool(input, builder as NumberBuilder);
    case "int":
      return type.bits === 64
        ? long(input, builder as LongBuilder, layoutOf(type))
        : int(input, builder as NumberBuilder, layoutOf(type));
    case "enum":
      return int(input, builder as NumberBuilder, "plain");
    case "float":
      return type.bits === 64 ? double(input, builder as NumberBuilder) : float(input, builder as NumberBuilder);
    case "null":
      return repeated(input, VARINT, () => {
        input.varint();
        builder.skip();
      });
    case "any":
      return { wire: LEN, read: () => readAny(input, builder as ValueBuilder, input.length()) };
    case "fixed": {
      const fixed = builder as FixedBuilder;
      return {
        wire: LEN,
        read: () => {
          const length = input.length();
          if (length !== type.size) input.fail(`expected ${type.size} bytes, found ${length}`);
          fixed.push(input.bytes, input.take(length));
        },
      };
    }
    default: {
      const text = builder as TextBuilder;
      return {
        wire: LEN,
        read: () => {
          const length = input.length();
          const start = input.take(length);
          text.push(start, start + length);
        },
      };
    }
  }
}

function repeated(input: Input, wire: number, read: Read): Scalar {
  return {
    wire,
    read,
    packed: () => {
      while (input.pos < input.end) read();
    },
  };
}

function bool(input: Input, builder: NumberBuilder): Scalar {
  return repeated(input, VARINT, () => {
    input.varint();
    builder.push((input.low | input.high) !== 0 ? 1 : 0);
  });
}

function int(input: Input, builder: NumberBuilder, layout: Layout): Scalar {
  const unsigned = builder.min === 0 && builder.type.kind === "int";
  if (layout === "word") {
    return repeated(input, I32, () => {
      const at = input.take(4);
      input.int(builder, unsigned ? input.view.getUint32(at, true) : input.view.getInt32(at, true), at);
    });
  }
  // Writers extend the sign to 64 bits, readers take the lower 32: as all libraries do.
  const value =
    layout === "zigzag"
      ? () => ((input.low >>> 1) ^ -(input.low & 1)) | 0
      : unsigned
        ? () => input.low >>> 0
        : () => input.low;
  const wide = builder.type.kind === "int" && builder.type.bits < 32;
  const read = () => {
    const at = input.pos;
    input.varint();
    input.int(builder, wide && layout === "plain" ? input.signed : value(), at);
  };
  const packed = () => {
    const { bytes, end } = input;
    let { pos } = input;
    builder.reserve(countVarints(bytes, pos, end));
    const { values, min, max, known } = builder;
    const all = known === undefined && !wide;
    let { n } = builder;
    for (; all && pos < end; n++) {
      let byte = bytes[pos]!;
      let low = byte & 127;
      let at = pos + 1;
      for (let shift = 7; byte > 127 && shift < 35; shift += 7) {
        byte = bytes[at++]!;
        low |= (byte & 127) << shift;
      }
      if (byte > 127 || at > end) break;
      const number = layout === "zigzag" ? (low >>> 1) ^ -(low & 1) : unsigned ? low >>> 0 : low;
      if (number < min || number > max) break;
      values[n] = number;
      pos = at;
    }
    builder.n = n;
    input.pos = pos;
    while (input.pos < end) read();
  };
  return { wire: VARINT, read, packed };
}

function long(input: Input, builder: LongBuilder, layout: Layout): Scalar {
  if (layout === "word") {
    const read = () => {
      const at = input.take(8);
      builder.push(input.view.getInt32(at, true), input.view.getInt32(at + 4, true));
    };
    return { wire: I64, read, packed: (head: number) => builder.adopt(words(input, input.end - input.pos, head)) };
  }
  const read = () => {
    input.varint();
    if (layout === "zigzag") input.unzigzag();
    builder.push(input.low, input.high);
  };
  const packed = (head: number) => {
    const { bytes, end } = input;
    let { pos } = input;
    const size = end - pos;
    // As many numbers as bytes, perhaps.
    const small = layout === "plain" ? singles(input, size, head) : halves(input, size, head);
    if (small) return builder.adoptBytes(small);
    builder.widen();
    builder.reserve(countVarints(bytes, pos, end));
    const { words: out } = builder;
    let { n } = builder;
    // Up to 4 bytes here; longer ones one by one.
    while (pos < end) {
      let low = bytes[pos]!;
      let at = pos + 1;
      if (low > 127) {
        let byte = bytes[at++]!;
        low = (low & 127) | ((byte & 127) << 7);
        if (byte > 127) {
          byte = bytes[at++]!;
          low |= (byte & 127) << 14;
          if (byte > 127) {
            byte = bytes[at++]!;
            low |= (byte & 127) << 21;
          }
        }
        if (byte > 127 || at > end) {
          [builder.n, input.pos] = [n, pos];
          read();
          [n, pos] = [builder.n, input.pos];
          continue;
        }
      }
      if (layout === "zigzag") {
        const sign = -(low & 1);
        out[2 * n] = (low >>> 1) ^ sign;
        out[2 * n + 1] = sign;
      } else {
        out[2 * n] = low;
        out[2 * n + 1] = 0;
      }
      n++;
      pos = at;
    }
    builder.n = n;
    input.pos = pos;
  };
  return { wire: VARINT, read, packed };
}

function double(input: Input, builder: NumberBuilder): Scalar {
  return {
    wire: I64,
    read: () => builder.push(input.view.getFloat64(input.take(8), true)),
    packed: (head) => builder.adopt(doubles(input, input.end - input.pos, head)),
  };
}

function float(input: Input, builder: NumberBuilder): Scalar {
  return {
    wire: I32,
    read: () => builder.push(input.view.getFloat32(input.take(4), true)),
    packed: () => {
      const size = input.end - input.pos;
      if (size % 4 !== 0) input.fail(`${size} bytes are no floats`);
      const at = input.take(size);
      builder.adopt(new Float32Array(input.bytes.slice(at, at + size).buffer));
    },
  };
}

/** How many varints end here, and one more for what is cut off. */
function countVarints(bytes: Uint8Array, start: number, end: number): number {
  let count = 1;
  let i = start;
  for (; i < end && ((bytes.byteOffset + i) & 3) !== 0; i++) count += (bytes[i]! >> 7) ^ 1;
  if (i === end) return count;
  // Four at a time: the highest bits of a word are added up in its lowest byte.
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + i, (end - i) >> 2);
  let more = 0;
  for (let w = 0; w < words.length; w++) more += Math.imul((words[w]! >>> 7) & 0x01010101, 0x01010101) >>> 24;
  i += 4 * words.length;
  count += 4 * words.length - more;
  for (; i < end; i++) count += (bytes[i]! >> 7) ^ 1;
  return count;
}
