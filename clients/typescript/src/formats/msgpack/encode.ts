import { keyOf } from "../../columns/nest.js";
import {
  branchOf,
  bytesOf,
  type Encoder,
  inside,
  integerOf,
  numberOf,
  Output,
  refuse,
  symbolOf,
  valueOf,
} from "../../encode.js";
import { byNumber, type Field, type Schema, type Type } from "../../schema.js";
import { unionPlan } from "../../unions.js";
import { encoder } from "../../text/bytes.js";

/** Writes values along their schema. */
class Writer {
  readonly out = new Output();
  constructor(readonly positional: boolean) {}

  sized(length: number, fix: number, most: number, heads: readonly [number, number, number]): void {
    const { out } = this;
    if (length <= most) return out.byte(fix + length);
    const [one, two, four] = heads;
    if (length < 256 && one > 0) {
      out.byte(one);
      out.byte(length);
    } else if (length < 65536) {
      out.byte(two);
      const at = out.room(2);
      out.view.setUint16(at, length);
    } else {
      out.byte(four);
      const at = out.room(4);
      out.view.setUint32(at, length);
    }
  }

  text(bytes: Uint8Array): void {
    this.sized(bytes.length, 0xa0, 31, [0xd9, 0xda, 0xdb]);
    this.out.raw(bytes);
  }
  list(length: number): void {
    this.sized(length, 0x90, 15, [0, 0xdc, 0xdd]);
  }
  map(length: number): void {
    this.sized(length, 0x80, 15, [0, 0xde, 0xdf]);
  }

  integer(value: bigint): void {
    const { out } = this;
    if (value >= -32n && value < 128n) return out.byte(Number(value) & 255);
    const widths = value < 0n ? ([0xd0, 0xd1, 0xd2, 0xd3] as const) : ([0xcc, 0xcd, 0xce, 0xcf] as const);
    const fits = (bits: number) => (value < 0n ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)) === value;
    const lg = [8, 16, 32, 64].findIndex(fits);
    out.byte(widths[lg as 0 | 1 | 2 | 3]);
    const at = out.room(1 << lg);
    if (lg === 0) out.view.setInt8(at, Number(BigInt.asIntN(8, value)));
    else if (lg === 1) out.view.setInt16(at, Number(BigInt.asIntN(16, value)));
    else if (lg === 2) out.view.setInt32(at, Number(BigInt.asIntN(32, value)));
    else out.view.setBigInt64(at, BigInt.asIntN(64, value));
  }

  double(value: number, bits: 32 | 64): void {
    this.out.byte(bits === 64 ? 0xcb : 0xca);
    const at = this.out.room(bits / 8);
    if (bits === 64) this.out.view.setFloat64(at, value);
    else this.out.view.setFloat32(at, value);
  }

  value(value: any, type: Type): void {
    const { out } = this;
    switch (type.kind) {
      case "null":
        return value === null ? out.byte(0xc0) : refuse(value, "null");
      case "bool":
        return typeof value === "boolean" ? out.byte(value ? 0xc3 : 0xc2) : refuse(value, "boolean");
      case "int":
        return this.integer(integerOf(value, type));
      case "float":
        return this.double(numberOf(value), type.bits);
      case "string":
        return this.text(bytesOf(value, type));
      case "bytes":
      case "fixed": {
        const bytes = bytesOf(value, type);
        this.sized(bytes.length, 0, -1, [0xc4, 0xc5, 0xc6]);
        return out.raw(bytes);
      }
      case "enum": {
        const number = symbolOf(value, type);
        const name = type.symbols.find((symbol) => symbol.number === number)?.name;
        return this.positional || name === undefined ? this.integer(BigInt(number)) : this.text(encoder.encode(name));
      }
      case "any":
        return this.any(value);
      case "nullable":
        return value === null ? out.byte(0xc0) : this.value(value, type.inner);
      case "list":
        if (!Array.isArray(value)) return refuse(value, "list");
        this.list(value.length);
        return value.forEach((item, i) => inside(`[${i}]`, () => this.value(item, type.item)));
      case "map": {
        if (typeof value !== "object" || value === null) return refuse(value, "map");
        const entries = Object.entries(value);
        this.map(entries.length);
        for (const [key, item] of entries) {
          this.value(keyOf(type.key, key), type.key);
          inside(`.${key}`, () => this.value(item, type.value));
        }
        return;
      }
      case "record":
        return this.record(value, type);
      case "union": {
        const { branch, value: inner } = branchOf(value, type);
        const one = type.branches[branch]!;
        if (!unionPlan(type, { positional: this.positional, textual: false })) {
          if (this.positional) {
            this.list(2);
            this.integer(BigInt(one.number));
          } else {
            this.map(1);
            this.text(encoder.encode(one.name));
          }
        }
        return this.value(inner, one.type);
      }
    }
  }

  record(value: any, type: Type & { kind: "record" }): void {
    if (typeof value !== "object" || value === null) refuse(value, type.name);
    const { out } = this;
    const fields = this.positional
      ? byNumber(type).map((i) => type.fields[i]!)
      : type.fields.filter((field) => isThere(value, field));
    if (this.positional) this.list(fields.length);
    else this.map(fields.length);
    for (const field of fields) {
      const member = valueOf(value, field);
      if (!this.positional) this.text(encoder.encode(field.name));
      if (member === undefined || (member === null && field.nullable)) out.byte(0xc0);
      else inside(`.${field.name}`, () => this.value(member, field.type));
    }
  }

  any(value: any): void {
    const { out } = this;
    if (value === null) out.byte(0xc0);
    else if (typeof value === "boolean") out.byte(value ? 0xc3 : 0xc2);
    else if (typeof value === "bigint" || (Number.isSafeInteger(value) && !Object.is(value, -0)))
      this.integer(BigInt(value));
    else if (typeof value === "number") this.double(value, 64);
    else if (typeof value === "string") this.text(encoder.encode(value));
    else if (Array.isArray(value)) {
      this.list(value.length);
      for (const item of value) this.any(item);
    } else if (typeof value === "object") {
      const entries = Object.entries(value);
      this.map(entries.length);
      for (const [key, item] of entries) {
        this.text(encoder.encode(key));
        this.any(item);
      }
    } else refuse(value, "value of JSON");
  }
}

function isThere(record: any, field: Field): boolean {
  return !field.optional || (Object.hasOwn(record, field.name) && record[field.name] !== undefined);
}

function made(mediaType: string, positional: boolean): Encoder {
  return {
    mediaType,
    needsSchema: true,
    encode: (value, schema) => {
      const writer = new Writer(positional);
      writer.value(value, (schema as Schema).root);
      return writer.out.done();
    },
  };
}

/** Writes MessagePack with records as maps. */
export const msgpackEncoder = made("application/vnd.msgpack", false);

/** Writes MessagePack with records as arrays. */
export const msgpackPositionalEncoder = made("application/vnd.msgpack;variant=positional", true);
