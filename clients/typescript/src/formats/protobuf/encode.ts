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
import type { Field, Schema, Type } from "../../schema.js";
import { encoder } from "../../text/bytes.js";
import { print } from "../../text/json.js";
import { GROUP, I32, I64, layoutOf, LEN, VARINT } from "./scalars.js";

const MESSAGES = ["record", "union", "list", "map", "nullable"];

class Writer {
  readonly out = new Output();

  tag(number: number, wire: number): void {
    this.out.varint(number * 8 + wire);
  }

  /** Writes what comes behind its length, which is known only then. */
  sized(write: () => void): void {
    const { out } = this;
    const start = out.room(1);
    write();
    const length = out.pos - start - 1;
    let extra = 0;
    for (let rest = length; rest > 127; rest = Math.floor(rest / 128)) extra++;
    if (extra > 0) {
      out.room(extra);
      out.bytes.copyWithin(start + 1 + extra, start + 1, start + 1 + length);
    }
    out.pos = start;
    out.varint(length);
    out.pos = start + 1 + extra + length;
  }

  /** Writes a value without its tag. */
  value(value: any, type: Type): void {
    const { out } = this;
    switch (type.kind) {
      case "null":
        return value === null ? out.byte(0) : refuse(value, "null");
      case "bool":
        return typeof value === "boolean" ? out.byte(value ? 1 : 0) : refuse(value, "boolean");
      case "int":
        return this.integer(integerOf(value, type), type);
      case "enum":
        return out.varint(BigInt(symbolOf(value, type)));
      case "float": {
        const at = out.room(type.bits / 8);
        if (type.bits === 64) out.view.setFloat64(at, numberOf(value), true);
        else out.view.setFloat32(at, numberOf(value), true);
        return;
      }
      case "any":
        return this.bytes(encoder.encode(print(value) ?? refuse(value, "value")));
      case "string":
      case "bytes":
      case "fixed":
        return this.bytes(bytesOf(value, type));
      default:
        return this.sized(() => this.message(value, type));
    }
  }

  bytes(bytes: Uint8Array): void {
    this.out.varint(bytes.length);
    this.out.raw(bytes);
  }

  integer(value: bigint, type: Type & { kind: "int" }): void {
    const { out } = this;
    const layout = layoutOf(type);
    if (layout === "zigzag") return out.varint(value < 0n ? -2n * value - 1n : 2n * value);
    if (layout === "plain") return out.varint(value);
    const at = out.room(type.bits === 64 ? 8 : 4);
    if (type.bits === 64) out.view.setBigUint64(at, BigInt.asUintN(64, value), true);
    else out.view.setUint32(at, Number(BigInt.asUintN(32, value)), true);
  }

  /** Writes the fields of a message; what is no record or union is a wrapper's field 1. */
  message(value: any, type: Type): void {
    if (type.kind === "record") {
      if (typeof value !== "object" || value === null) refuse(value, type.name);
      for (const field of [...type.fields].sort((a, b) => a.number - b.number)) {
        inside(`.${field.name}`, () => this.field(valueOf(value, field), field));
      }
    } else if (type.kind === "union") {
      const { branch, value: inner } = branchOf(value, type);
      const one = type.branches[branch]!;
      this.tag(one.number, wireOf(one.type));
      this.value(inner, one.type);
    } else if (type.kind === "nullable") {
      if (value !== null) this.single(value, 1, type.inner, true);
    } else this.many(value, 1, type, false);
  }

  field(value: any, field: Field): void {
    if (value === undefined) return;
    if (value === null && field.nullable)
      return field.optional ? refuse(value, "value that Protobuf tells from an absent one") : undefined;
    const stateful = field.optional || field.nullable;
    const { type } = field;
    if (field.notes["protobuf.encoding"] === "delimited") {
      for (const item of type.kind === "list" ? value : [value]) {
        this.tag(field.number, GROUP);
        this.message(item, type.kind === "list" ? type.item : type);
        this.tag(field.number, GROUP + 1);
      }
      return;
    }
    if (!stateful && (type.kind === "list" || type.kind === "map")) {
      return this.many(value, field.number, type, field.notes["protobuf.packed"] === "false");
    }
    const explicit = stateful || field.default !== undefined || field.notes["protobuf.label"] === "required";
    this.single(value, field.number, type, explicit);
  }

  /** A field that has one value: zero is left out, unless it says something. */
  single(value: any, number: number, type: Type, explicit: boolean): void {
    const { out } = this;
    const start = out.pos;
    this.tag(number, wireOf(type));
    const behind = out.pos;
    this.value(value, type);
    const message = MESSAGES.includes(type.kind) || type.kind === "any";
    const nonzero = type.kind === "enum" && type.symbols[0]!.number !== 0;
    if (explicit || message || nonzero || (type.kind === "fixed" && type.size > 0)) return;
    for (let i = behind; i < out.pos; i++) if (out.bytes[i] !== 0) return;
    out.pos = start;
  }

  many(value: any, number: number, type: Type, unpacked: boolean): void {
    if (type.kind === "map") {
      if (typeof value !== "object" || value === null) refuse(value, "map");
      for (const [key, item] of Object.entries(value)) {
        this.tag(number, LEN);
        this.sized(() => {
          this.tag(1, wireOf(type.key));
          this.value(keyOf(type.key, key), type.key);
          this.tag(2, wireOf(type.value));
          inside(`.${key}`, () => this.value(item, type.value));
        });
      }
      return;
    }
    if (type.kind !== "list") return this.single(value, number, type, false);
    if (!Array.isArray(value)) return refuse(value, "list");
    const { item } = type;
    const wire = wireOf(item);
    const each = (write: (one: any) => void) => value.forEach((one, i) => inside(`[${i}]`, () => write(one)));
    if (wire === LEN || unpacked) {
      each((one) => {
        this.tag(number, wire);
        this.value(one, item);
      });
    } else if (value.length > 0) {
      this.tag(number, LEN);
      this.sized(() => each((one) => this.value(one, item)));
    }
  }
}

function wireOf(type: Type): number {
  if (type.kind === "float") return type.bits === 64 ? I64 : I32;
  if (type.kind === "int" && layoutOf(type) === "word") return type.bits === 64 ? I64 : I32;
  return ["int", "bool", "enum", "null"].includes(type.kind) ? VARINT : LEN;
}

/** Writes Protobuf. */
export const protobufEncoder: Encoder = {
  mediaType: "application/protobuf",
  needsSchema: true,
  encode: (value, schema) => {
    const writer = new Writer();
    writer.message(value, (schema as Schema).root);
    return writer.out.done();
  },
};
