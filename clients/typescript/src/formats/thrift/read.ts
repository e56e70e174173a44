import { type Builder, FixedBuilder, LongBuilder, type NumberBuilder, type TextBuilder } from "../../columns/build.js";
import {
  BoxBuilder,
  type ListBuilder,
  type MapBuilder,
  MaybeBuilder,
  type RecordBuilder,
  type UnionBuilder,
} from "../../columns/nest.js";
import type { ValueBuilder } from "../../columns/values.js";
import { boxed, type Job, type Read } from "../../decode.js";
import { DecodeError, within } from "../../errors.js";
import { doubles, halves, heads } from "../../lanes.js";
import { type EnumType, type Field, isNarrow, type RecordType, type Type } from "../../schema.js";
import { readAny } from "../protobuf/scalars.js";
import { rowsArm } from "./arm.js";
import { ids } from "./ids.js";
import {
  BINARY,
  BOOL,
  DOUBLE,
  type Head,
  I16,
  I32,
  I64,
  I8,
  LIST,
  MAP,
  type Protocol,
  SET,
  STRUCT,
  UUID,
} from "./protocol.js";

/** Reads structs whose fields have numbers and types. */
export class Reader {
  readonly head: Head = { id: 0, wire: 0, inline: -1, count: 0, value: 0 };
  /** The head of a field that was read last: from where, and to where. */
  #field = 0;
  #behind = 0;

  constructor(
    readonly job: Job,
    readonly protocol: Protocol,
  ) {}

  root(type: Type, builder: Builder): Read {
    if (["record", "union", "nullable", "null"].includes(type.kind)) return this.value(type, builder);
    const wrapped = this.wrapper(type, builder);
    return () => {
      if (!wrapped()) this.job.input.fail("field 1, which has the value of the message, is missing");
    };
  }

  /** A struct whose field 1 is the value; whether it was there. */
  wrapper(type: Type, builder: Builder): () => boolean {
    const read = this.value(type, builder);
    const wire = wireOf(type);
    return () => {
      let there = false;
      this.fields((id) => {
        if (id !== 1 || there) return false;
        this.accept(type, wire, this.head.wire);
        there = true;
        read();
        return true;
      });
      return there;
    };
  }

  accept(type: Type, wanted: number, found: number): void {
    if (wanted === found || (found === SET && wanted === LIST)) return;
    if (found === UUID && type.kind === "fixed" && type.size === 16) return;
    this.job.input.fail(`found the wire type ${found}, expected ${wanted}`);
  }

  /** Goes through the fields of a struct. */
  fields(read: (id: number) => boolean): void {
    const { input } = this.job;
    input.enter();
    let last = 0;
    for (;;) {
      const at = input.pos;
      if (!this.protocol.field(input, this.head, last)) break;
      const { id } = this.head;
      last = id;
      this.#field = at;
      this.#behind = input.pos;
      if (!read(id)) input.fail(`the schema has no field ${id} here, or it comes twice`, at);
    }
    input.leave();
  }

  value(type: Type, builder: Builder): Read {
    const { input } = this.job;
    const { protocol, head } = this;
    if (builder instanceof BoxBuilder) return boxed(this.job, type, builder, (type, inner) => this.value(type, inner));
    switch (type.kind) {
      case "null":
        // A field that is true, or an empty struct.
        return () => {
          if (head.wire === STRUCT || head.wire === 0) this.fields(() => false);
          else if ((head.inline >= 0 ? head.inline : protocol.bool(input)) !== 1)
            input.fail("expected true, which stands for null");
          builder.skip();
        };
      case "bool":
        return () => (builder as NumberBuilder).push(head.inline >= 0 ? head.inline : protocol.bool(input));
      case "int":
      case "enum": {
        const wire = wireOf(type);
        if (type.kind === "int" && type.bits === 64) {
          return () => {
            const at = input.pos;
            protocol.int(input, wire);
            input.long(builder as LongBuilder, true, at);
          };
        }
        return () => {
          const at = input.pos;
          protocol.int(input, wire);
          input.int(builder as NumberBuilder, input.signed, at);
        };
      }
      case "float":
        return () => (builder as NumberBuilder).push(protocol.double(input));
      case "string":
      case "bytes":
        return () => {
          const length = protocol.length(input);
          const start = input.take(length);
          (builder as TextBuilder).push(start, start + length);
        };
      case "any":
        return () => readAny(input, builder as ValueBuilder, protocol.length(input));
      case "fixed":
        return () => {
          const length = head.wire === UUID ? 16 : protocol.length(input);
          if (length !== type.size) input.fail(`expected ${type.size} bytes, found ${length}`);
          (builder as FixedBuilder).push(input.bytes, input.take(length));
        };
      case "nullable": {
        const maybe = builder as MaybeBuilder;
        const wrapped = this.wrapper(type.inner, maybe.inner);
        return () => (wrapped() ? maybe.present() : maybe.null());
      }
      case "list":
        return isEntries(type)
          ? this.pairs(type.item as RecordType, builder as ListBuilder)
          : this.list(type.item, builder as ListBuilder);
      case "map":
        return this.map(type.key, type.value, builder as MapBuilder);
      case "record":
        return this.record(builder as RecordBuilder);
      case "union":
        return this.union(builder as UnionBuilder);
    }
  }

  list(item: Type, builder: ListBuilder): Read {
    const { input } = this.job;
    const { head, protocol } = this;
    const read = this.value(item, builder.items);
    const wire = wireOf(item);
    const arm = protocol.isCompact ? rowsArm(this.job, builder.items, wireOf) : undefined;
    return () => {
      const start = input.pos === this.#behind ? this.#field : input.pos;
      protocol.list(input, head);
      const count = input.count(head.count);
      if (count > 0) this.accept(item, wire, head.wire);
      const found = head.wire;
      input.enter();
      let i = arm ? arm(count) : protocol.isCompact ? this.bulk(item, builder.items, count, start) : 0;
      for (; i < count; i++) {
        head.wire = found;
        head.inline = -1;
        try {
          read();
        } catch (error) {
          throw within(error, `[${i}]`);
        }
        if (arm && i + 1 < count) i += arm(count - i - 1);
      }
      input.leave();
      builder.end();
    };
  }

  /** Takes elements that follow each other as usual, at once; how many that were. The list's head is at `head`. */
  bulk(item: Type, items: Builder, count: number, head: number): number {
    const { input } = this.job;
    const { bytes, pos } = input;
    if (item.kind === "float" && item.bits === 64) {
      input.count(count, 8);
      (items as NumberBuilder).adopt(doubles(input, 8 * count, head));
      return count;
    }
    const small = items instanceof LongBuilder ? halves(input, count, head) : undefined;
    if (small) {
      (items as LongBuilder).adoptBytes(small);
      return count;
    }
    if (!(items instanceof FixedBuilder) || items.size > 127 || this.head.wire === UUID) return 0;
    const stride = 1 + items.size;
    const taken = heads(bytes, pos, stride, Math.min(count, Math.floor((input.end - pos) / stride)), [items.size]);
    if (taken > 0) items.adopt(bytes, pos + 1, stride, taken);
    input.pos += taken * stride;
    return taken;
  }

  entries(key: Type, value: Type, readKey: Read, readValue: Read): void {
    const { input } = this.job;
    const { head } = this;
    this.protocol.map(input, head);
    const count = input.count(head.count, 2);
    const [keys, values] = [head.wire, head.value];
    if (count > 0) {
      this.accept(key, wireOf(key), keys);
      this.accept(value, wireOf(value), values);
    }
    input.enter();
    for (let i = 0; i < count; i++) {
      head.inline = -1;
      head.wire = keys;
      readKey();
      head.inline = -1;
      head.wire = values;
      readValue();
    }
    input.leave();
  }

  map(key: Type, value: Type, builder: MapBuilder): Read {
    const readKey = this.value(key, builder.keys);
    const readValue = this.value(value, builder.values);
    return () => {
      this.entries(key, value, readKey, readValue);
      builder.end();
    };
  }

  /** A list of records with a key and a value, which is a map on the wire. */
  pairs(item: RecordType, builder: ListBuilder): Read {
    const record = builder.items as RecordBuilder;
    const [key, value] = item.fields;
    const readKey = this.value(key!.type, record.children[0]!);
    const readValue = this.value(value!.type, record.children[1]!);
    return () => {
      this.entries(key!.type, value!.type, readKey, () => {
        readValue();
        record.end();
      });
      builder.end();
    };
  }

  record(builder: RecordBuilder): Read {
    const { input } = this.job;
    const { fields } = builder.type;
    const places = new Map(ids(fields, builder.type.reserved).map((id, f) => [id, f]));
    const reads = fields.map((field, f) => {
      const whole = builder.children[f]!;
      if (!(whole instanceof MaybeBuilder)) return this.value(field.type, whole);
      const read = this.value(field.type, whole.inner);
      return () => {
        read();
        whole.present();
      };
    });
    const wires = fields.map(({ type }) => (type.kind === "null" ? BOOL : wireOf(type)));
    const seen = new Uint8Array(fields.length);
    return () => {
      const start = input.pos;
      seen.fill(0);
      this.fields((id) => {
        const f = places.get(id);
        if (f === undefined || seen[f]) return false;
        seen[f] = 1;
        try {
          this.accept(fields[f]!.type, wires[f]!, this.head.wire);
          reads[f]!();
        } catch (error) {
          throw within(error, `.${fields[f]!.name}`);
        }
        return true;
      });
      for (let f = 0; f < seen.length; f++) if (!seen[f]) this.missing(fields[f]!, builder, f, start);
      builder.end(start);
    };
  }

  missing(field: Field, builder: RecordBuilder, f: number, at: number): void {
    const whole = builder.children[f]!;
    if (field.optional) return builder.missing(f, at);
    if (field.nullable) return (whole as MaybeBuilder).null();
    if (field.type.kind === "null") return whole.skip();
    const noted = field.notes["thrift.default"];
    if (noted !== undefined) return whole.put(JSON.parse(noted));
    const zero = !["record", "union", "any"].includes(field.type.kind);
    if (zero && field.default === undefined && field.notes["thrift.requiredness"] === "default") return whole.skip();
    builder.missing(f, at);
  }

  union(builder: UnionBuilder): Read {
    const { branches } = builder.type;
    const places = new Map(ids(branches).map((id, i) => [id, i]));
    const reads = branches.map((branch, i) => this.value(branch.type, builder.branches[i]!));
    return () => {
      let chosen = -1;
      this.fields((id) => {
        const branch = places.get(id);
        if (branch === undefined || chosen >= 0) return false;
        this.accept(branches[branch]!.type, wireOf(branches[branch]!.type), this.head.wire);
        reads[branch]!();
        chosen = branch;
        return true;
      });
      if (chosen < 0)
        throw new DecodeError(`none of the branches of ${builder.type.name} is there`, this.job.input.pos);
      builder.choose(chosen);
    };
  }
}

function isEntries(type: Type): boolean {
  if (type.kind !== "list" || type.notes["thrift.map"] === undefined || type.item.kind !== "record") return false;
  return type.item.fields.length === 2 && type.item.fields.every((field) => !field.optional && !field.nullable);
}

function wireOf(type: Type): number {
  switch (type.kind) {
    case "bool":
      return BOOL;
    case "int":
      return type.bits === 64
        ? I64
        : type.bits === 32
          ? type.signed
            ? I32
            : I64
          : type.bits === 16
            ? type.signed
              ? I16
              : I32
            : type.signed
              ? I8
              : I16;
    case "float":
      return DOUBLE;
    case "fixed":
      return type.size === 16 && type.notes["thrift.type"] === "uuid" ? UUID : BINARY;
    case "string":
    case "bytes":
    case "any":
      return BINARY;
    case "list":
      return isEntries(type) ? MAP : type.notes["thrift.set"] !== undefined ? SET : LIST;
    case "map":
      return MAP;
    case "enum":
      return isNarrow(type as EnumType) ? I32 : I64;
    default:
      return STRUCT;
  }
}
