import { DecodeError } from "./errors.js";
import type { Field, Schema, Type } from "./schema.js";
import { encoder, fromBase64, parseUuid } from "./text/bytes.js";
import { numeral, print } from "./text/json.js";
import { parseDate, parseInstant } from "./text/time.js";
import { logicalOf } from "./columns/column.js";
import { branchOf as chosen } from "./unions.js";

/** A format that values can be sent in. */
export interface Encoder {
  readonly mediaType: string;
  readonly needsSchema: boolean;
  encode(value: unknown, schema: Schema | undefined): Uint8Array;
}

/** Bytes that grow. */
export class Output {
  bytes = new Uint8Array(256);
  view = new DataView(this.bytes.buffer);
  pos = 0;

  /** Makes room for so many more, and says where they are. */
  room(count: number): number {
    const at = this.pos;
    this.pos += count;
    if (this.pos > this.bytes.length) {
      const bytes = new Uint8Array(Math.max(2 * this.bytes.length, this.pos));
      bytes.set(this.bytes.subarray(0, at));
      this.bytes = bytes;
      this.view = new DataView(bytes.buffer);
    }
    return at;
  }

  byte(value: number): void {
    const at = this.room(1);
    this.bytes[at] = value;
  }

  raw(bytes: Uint8Array): void {
    const at = this.room(bytes.length);
    this.bytes.set(bytes, at);
  }

  varint(value: number | bigint): void {
    if (typeof value === "number" && value >= 0 && value < 128) return this.byte(value);
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 127n; rest >>= 7n) this.byte(Number(rest & 127n) | 128);
    this.byte(Number(rest));
  }

  done(): Uint8Array {
    return this.bytes.slice(0, this.pos);
  }
}

export function refuse(value: unknown, what: string): never {
  const text = print(value) ?? "nothing";
  throw new DecodeError(`${text.slice(0, 40)} is no ${what}`);
}

/** The integer that a value is, of a type of integers. */
export function integerOf(value: any, type: Type & { kind: "int" }): bigint {
  const logical = logicalOf(type);
  let number = value;
  if (typeof value === "string" && logical === "date") number = parseDate(value);
  else if (typeof value === "string" && logical?.startsWith("timestamp")) number = parseInstant(value, logical);
  if (typeof number !== "bigint" && !Number.isInteger(number)) refuse(value, logical ?? "integer");
  const big = BigInt(number);
  const fits = type.signed ? BigInt.asIntN(type.bits, big) : BigInt.asUintN(type.bits, big);
  if (fits !== big) refuse(value, `${type.signed ? "" : "u"}int${type.bits}`);
  return big;
}

export function numberOf(value: any): number {
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : refuse(value, "number");
}

/** The number of an enum's symbol. */
export function symbolOf(value: any, type: Type & { kind: "enum" }): number {
  const symbol = type.symbols.find(({ name, number }) => name === value || number === value);
  if (symbol) return symbol.number;
  return !type.closed && Number.isSafeInteger(value) ? value : refuse(value, `symbol of ${type.name}`);
}

/** The bytes of a text, of bytes, or of a fixed number of them. */
export function bytesOf(value: any, type: Type): Uint8Array {
  if (type.kind === "string") {
    if (type.logical === "number" && (typeof value === "number" || typeof value === "bigint"))
      return encoder.encode(numeral(value));
    return typeof value === "string" ? encoder.encode(value) : refuse(value, "text");
  }
  const uuid = type.kind === "fixed" && type.size === 16 && type.logical === "uuid";
  const bytes =
    value instanceof Uint8Array
      ? value
      : typeof value !== "string"
        ? undefined
        : uuid
          ? parseUuid(value)
          : fromBase64(value);
  if (!bytes || (type.kind === "fixed" && bytes.length !== type.size)) return refuse(value, uuid ? "UUID" : "bytes");
  return bytes;
}

/** Says where an error is. */
export function inside<T>(step: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw error instanceof DecodeError ? error.in(step) : error;
  }
}

/** A field's value; what is required and does not come is an error. */
export function valueOf(record: any, field: Field): any {
  const value = Object.hasOwn(record, field.name) ? record[field.name] : undefined;
  if (value !== undefined || field.optional) return value;
  return field.default !== undefined ? field.default : refuse(undefined, `value of the required field ${field.name}`);
}

/** The branch of a union that a value of JSON belongs to. */
export function branchOf(value: any, type: Type & { kind: "union" }): { branch: number; value: any } {
  return chosen(value, type) ?? refuse(value, type.name);
}
