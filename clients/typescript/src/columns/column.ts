import type { Logical, Type } from "../schema.js";

/** Reads the value of a row. */
export type Getter = (i: number) => any;

/** The values of one field, without an object for each. */
export abstract class Column {
  abstract readonly kind: string;
  // Each class sets its own: engines forget after a while how a constructor that many have in common does that.
  abstract readonly type: Type;
  abstract readonly length: number;

  /** What {@link at} does, prepared for many rows. */
  abstract getter(): Getter;

  /** The value of a row as JSON has it; undefined if it is absent. */
  at(i: number): any {
    return this.getter()(i);
  }

  /** All values. */
  toArray(): any[] {
    const get = this.getter();
    const values = new Array(this.length);
    for (let i = 0; i < values.length; i++) values[i] = get(i);
    return values;
  }

  /** The rows from `start` to `end`, without a copy where that can be. */
  abstract slice(start: number, end: number): Column;
}

export type Numbers =
  Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/** What {@link LongColumn} gives for integers that doubles do not hold. */
export type Integers = "number" | "exact";

export function logicalOf(type: Type): Logical | undefined {
  return "logical" in type ? type.logical : undefined;
}
