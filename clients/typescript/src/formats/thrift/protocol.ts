import type { Input } from "../../input.js";

/** Types on the wire, as the binary protocol numbers them. */
export const BOOL = 2;
export const I8 = 3;
export const DOUBLE = 4;
export const I16 = 6;
export const I32 = 8;
export const I64 = 10;
export const BINARY = 11;
export const STRUCT = 12;
export const MAP = 13;
export const SET = 14;
export const LIST = 15;
export const UUID = 16;

/** What a field, list or map announces. */
export interface Head {
  id: number;
  wire: number;
  /** Of a boolean in a compact field: its value; otherwise -1. */
  inline: number;
  count: number;
  /** Of a map: the type of the values. */
  value: number;
}

/** How one of the two protocols writes. */
export interface Protocol {
  readonly isCompact: boolean;
  /** The head of a field; false at the end of a struct. */
  field(input: Input, head: Head, last: number): boolean;
  bool(input: Input): number;
  /** Reads an integer into the input's halves. */
  int(input: Input, wire: number): void;
  double(input: Input): number;
  length(input: Input): number;
  list(input: Input, head: Head): void;
  map(input: Input, head: Head): void;
}

/** The wire types of the compact protocol's numbers. */
const COMPACT = [0, BOOL, BOOL, I8, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT, UUID];

/** What the compact protocol calls a type that is no boolean. */
export const compactTypeOf = (wire: number): number => COMPACT.indexOf(wire);

function compactType(input: Input, nibble: number): number {
  return COMPACT[nibble] || input.fail(`the compact protocol has no type ${nibble}`, input.pos - 1);
}

function known(input: Input, wire: number): number {
  if (wire < 2 || wire > 16 || wire === 5 || wire === 7 || wire === 9) {
    input.fail(`the binary protocol has no type ${wire}`, input.pos - 1);
  }
  return wire;
}

function integer(input: Input, low: number, high: number): void {
  input.low = low;
  input.high = high;
}

function lengthOf(input: Input, length: number, at: number): number {
  return length < 0 || length > 0x7fffffff ? input.fail(`a length of ${length}`, at) : length;
}

export const compact: Protocol = {
  isCompact: true,
  field(input, head, last) {
    const byte = input.byte();
    if (byte === 0) return false;
    head.wire = compactType(input, byte & 15);
    head.inline = head.wire === BOOL ? ((byte & 15) === 1 ? 1 : 0) : -1;
    if (byte > 15) head.id = last + (byte >> 4);
    else {
      compact.int(input, I16);
      head.id = input.low;
    }
    return true;
  },
  bool(input) {
    const byte = input.byte();
    if (byte > 2) input.fail(`expected a boolean (0, 1 or 2), found ${byte}`, input.pos - 1);
    return byte === 1 ? 1 : 0;
  },
  int(input, wire) {
    if (wire === I8) {
      const byte = (input.byte() << 24) >> 24;
      return integer(input, byte, byte >> 31);
    }
    input.varint();
    input.unzigzag();
  },
  double: (input) => input.view.getFloat64(input.take(8), true),
  length: (input) => lengthOf(input, input.length(), input.pos),
  list(input, head) {
    const byte = input.byte();
    head.wire = byte === 0 ? 0 : (byte & 15) === 0 && byte >> 4 === 0 ? 0 : compactType(input, byte & 15);
    head.count = byte >> 4 === 15 ? compact.length(input) : byte >> 4;
  },
  map(input, head) {
    head.count = compact.length(input);
    if (head.count === 0) return;
    const byte = input.byte();
    head.wire = compactType(input, byte >> 4);
    head.value = compactType(input, byte & 15);
  },
};

export const binary: Protocol = {
  isCompact: false,
  field(input, head) {
    const byte = input.byte();
    if (byte === 0) return false;
    head.wire = known(input, byte);
    head.inline = -1;
    head.id = input.view.getInt16(input.take(2));
    return true;
  },
  bool(input) {
    const byte = input.byte();
    return byte > 1 ? input.fail(`expected a boolean (0 or 1), found ${byte}`, input.pos - 1) : byte;
  },
  int(input, wire) {
    const { view } = input;
    if (wire === I64) {
      const at = input.take(8);
      return integer(input, view.getInt32(at + 4), view.getInt32(at));
    }
    const low =
      wire === I8
        ? view.getInt8(input.take(1))
        : wire === I16
          ? view.getInt16(input.take(2))
          : view.getInt32(input.take(4));
    integer(input, low, low >> 31);
  },
  double: (input) => input.view.getFloat64(input.take(8)),
  length(input) {
    const at = input.take(4);
    return lengthOf(input, input.view.getInt32(at), at);
  },
  list(input, head) {
    const wire = input.byte();
    head.count = binary.length(input);
    head.wire = head.count > 0 ? known(input, wire) : wire;
  },
  map(input, head) {
    const key = input.byte();
    const value = input.byte();
    head.count = binary.length(input);
    if (head.count > 0) {
      head.wire = known(input, key);
      head.value = known(input, value);
    }
  },
};
