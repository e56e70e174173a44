import type { LongBuilder, NumberBuilder } from "../../columns/build.js";
import type { Input } from "../../input.js";
import type { Type } from "../../schema.js";

type Kinds =
  | "Null"
  | "Bool"
  | "Uint"
  | "Negative"
  | "Float"
  | "String"
  | "Bytes"
  | "List"
  | "Map"
  | "Tagged"
  | "Break"
  | "Undefined";

/**
 * What a value begins with. The number of an integer is in the input's halves. Tagged is an extension of MessagePack, or a
 * tag of CBOR.
 */
export const Kind: Readonly<Record<Kinds, number>> = {
  Null: 0,
  Bool: 1,
  Uint: 2,
  Negative: 3,
  Float: 4,
  String: 5,
  Bytes: 6,
  List: 7,
  Map: 8,
  Tagged: 9,
  Break: 10,
  Undefined: 11,
};

export const KINDS = "null,boolean,integer,integer,number,text,bytes,list,map,extension,break,undefined".split(",");

/** The head of a value. */
export interface Head {
  at: number;
  /** A {@link Kind}. */
  kind: number;
  /** Of a float or boolean: its value. Of something tagged: the tag. */
  number: number;
  /** Bytes or elements; -1 where the end is marked. */
  length: number;
}

/** How a format writes the first bytes of values. */
export interface Wire {
  readonly name: string;
  /** Reads the head at the input's place. */
  head(input: Input, head: Head): void;
  /** Goes on from a tag to the head of what it is about, where the schema has this type. */
  tagged(input: Input, head: Head, type: Type | undefined): void;
  /** Whether records have their fields in the order of their names. */
  readonly sorted: boolean;
  /** Integers below are one byte. */
  readonly small: number;
  readonly nil: number;
  readonly no: number;
  readonly double: number;
  readonly single: number;
  /** First byte of the shortest texts, lists and maps, and up to which length they are; with more, a byte has it. */
  readonly text: [first: number, most: number, next: number];
  readonly bytes: [first: number, most: number, next: number];
  readonly list: [first: number, most: number];
  readonly map: [first: number, most: number];
  /** An integer at `q`, into `R` as halves; the place behind it, or -1 for what the general reader must look at. */
  integer(b: Uint8Array, q: number, R: Int32Array): number;
}

/** The first bytes of a text, bytes, list or map of a known length. */
export function begin([first, most, next]: readonly number[], length: number): number[] {
  return length <= most! ? [first! + length] : [next!, length];
}

/** Adds the integer in the halves to its builder. */
export function putInt(input: Input, builder: NumberBuilder, head: Head): void {
  input.int(builder, head.kind === Kind.Uint ? input.unsigned : input.signed, head.at);
}

export function putLong(input: Input, builder: LongBuilder, head: Head): void {
  if (builder.signed ? head.kind === Kind.Uint && input.high < 0 : head.kind === Kind.Negative) {
    input.fail("an integer does not fit 64 bits", head.at);
  }
  builder.push(input.low, input.high);
}
