import { type Builder, FixedBuilder, LongBuilder, NumberBuilder, type TextBuilder } from "../../columns/build.js";
import {
  BoxBuilder,
  type ListBuilder,
  MapBuilder,
  MaybeBuilder,
  type RecordBuilder,
  type UnionBuilder,
} from "../../columns/nest.js";
import type { ValueBuilder } from "../../columns/values.js";
import { boxed, type Job, type Read } from "../../decode.js";
import { within } from "../../errors.js";
import { doubles, halves, leave } from "../../lanes.js";
import type { Field, Notes, Type, UnionType } from "../../schema.js";
import { readAny } from "../protobuf/scalars.js";
import { rowsArm } from "./arm.js";

/** Reads a datum: values follow each other in the order of the schema. */
export class Reader {
  constructor(readonly job: Job) {}

  value(type: Type, builder: Builder): Read {
    const { input } = this.job;
    if (builder instanceof BoxBuilder) return boxed(this.job, type, builder, (type, inner) => this.value(type, inner));
    switch (type.kind) {
      case "null":
        return () => {
          // A union of null alone has a byte.
          if (type.notes["avro.union"] === "true" && this.int() !== 0) input.fail("expected null");
          builder.skip();
        };
      case "bool":
        return () => {
          const byte = input.byte();
          if (byte > 1) input.fail(`expected a boolean, found ${byte}`, input.pos - 1);
          (builder as NumberBuilder).push(byte);
        };
      case "int": {
        if (type.bits < 64) {
          return () => {
            const at = input.pos;
            input.int(builder as NumberBuilder, this.int(), at);
          };
        }
        return () => {
          const at = input.pos;
          input.varint();
          input.unzigzag();
          input.long(builder as LongBuilder, true, at);
        };
      }
      case "float": {
        const floats = builder as NumberBuilder;
        if (type.bits === 64) return () => floats.push(input.view.getFloat64(input.take(8), true));
        return () => floats.push(input.view.getFloat32(input.take(4), true));
      }
      case "string":
      case "bytes":
        return () => {
          const length = this.length();
          const start = input.take(length);
          (builder as TextBuilder).push(start, start + length);
        };
      case "any":
        return () => readAny(input, builder as ValueBuilder, this.length());
      case "fixed":
        return () => (builder as FixedBuilder).push(input.bytes, input.take(type.size));
      case "enum":
        return () => {
          const at = input.pos;
          const symbol = type.symbols[this.int()];
          if (!symbol) return input.fail(`enum ${type.name} has no such symbol`, at);
          (builder as NumberBuilder).push(symbol.number);
        };
      case "nullable":
        return this.maybe(type.inner, builder as MaybeBuilder, placeOf(type.notes, type.inner) ?? 0, "null");
      case "list":
        return this.list(type.item, builder as ListBuilder);
      case "map":
        return this.map(builder as MapBuilder);
      case "record":
        return this.record(builder as RecordBuilder);
      case "union": {
        const union = builder as UnionBuilder;
        const reads = this.branches(type, union);
        return () => {
          const at = input.pos;
          const branch = this.int();
          if (!reads[branch]) return input.fail(`union ${type.name} has no branch ${branch}`, at);
          reads[branch]!();
          union.choose(branch);
        };
      }
    }
  }

  /** An integer of which the lowest bit is the sign. */
  int(): number {
    const { input } = this.job;
    const byte = input.bytes[input.pos]!;
    if (byte < 128 && input.pos < input.end) {
      input.pos++;
      return (byte >>> 1) ^ -(byte & 1);
    }
    input.varint();
    input.unzigzag();
    return input.signed;
  }

  length(): number {
    const { pos } = this.job.input;
    const length = this.int();
    return length < 0 ? this.job.input.fail(`a length of ${length}`, pos) : length;
  }

  branches(type: UnionType, builder: UnionBuilder): Read[] {
    return type.branches.map((branch, i) => this.value(branch.type, builder.branches[i]!));
  }

  /** A value or null, which is the branch at `place`. */
  maybe(type: Type, builder: MaybeBuilder, place: number, nothing: "null" | "absent"): Read {
    const { input } = this.job;
    const union =
      type.kind === "union" && !(builder.inner instanceof BoxBuilder) ? (builder.inner as UnionBuilder) : undefined;
    if (type.kind === "union" && !union) return input.fail("a union that contains itself is not supported here");
    const reads = union ? this.branches(type as UnionType, union) : [this.value(type, builder.inner)];
    return () => {
      const at = input.pos;
      const index = this.int();
      if (index === place) return nothing === "null" ? builder.null() : builder.absent();
      const branch = index > place ? index - 1 : index;
      if (!reads[branch]) return input.fail(`there is no branch ${index}`, at);
      reads[branch]!();
      union?.choose(branch);
      builder.present();
    };
  }

  /** Reads the blocks of an array or a map. `block` is made once: engines forget the fast code of short-lived functions. */
  blocks(least: number, block: (count: number, head: number) => void): void {
    const { input } = this.job;
    input.enter();
    for (;;) {
      const head = input.pos;
      let count = this.int();
      if (count === 0) {
        // The end of an array is not needed, either.
        if (head === input.gapEnd) leave(input, head);
        break;
      }
      if (count < 0) {
        count = -count;
        this.length();
      }
      block(input.count(count, least), head);
    }
    input.leave();
  }

  list(item: Type, builder: ListBuilder): Read {
    const { input } = this.job;
    const { items } = builder;
    const read = this.value(item, items);
    const least = leastBytes(item);
    const double = item.kind === "float" && item.bits === 64;
    const arm = rowsArm(this.job, items, nullPlace);
    const block = (count: number, head: number) => {
      if (double) {
        input.count(count, 8);
        (items as NumberBuilder).adopt(doubles(input, 8 * count, head));
      } else if (items instanceof FixedBuilder) {
        input.count(count, items.size);
        items.adopt(input.bytes, input.take(count * items.size), items.size, count);
      } else if (items instanceof LongBuilder) {
        this.longs(items, count, head, read);
      } else {
        for (let i = arm?.(count) ?? 0; i < count; i++) {
          read();
          if (arm && i + 1 < count) i += arm(count - i - 1);
        }
      }
    };
    return () => {
      try {
        this.blocks(least, block);
      } catch (error) {
        throw within(error, `[${builder.open}]`);
      }
      builder.end();
    };
  }

  /** Integers of 64 bits: those of one byte here. */
  longs(items: LongBuilder, count: number, head: number, read: Read): void {
    const { input } = this.job;
    const { bytes, end } = input;
    const small = halves(input, count, head);
    if (small) return items.adoptBytes(small);
    for (let i = 0; i < count; i++) {
      const byte = bytes[input.pos]!;
      if (byte > 127 || (!items.signed && (byte & 1) === 1) || input.pos >= end) read();
      else {
        input.pos++;
        items.push((byte >>> 1) ^ -(byte & 1), -(byte & 1));
      }
    }
  }

  /** A map with texts as keys, or an array of records with `key` and `value`: both are written alike. */
  map(builder: MapBuilder): Read {
    const key = this.value(builder.type.key, builder.keys);
    const value = this.value(builder.type.value, builder.values);
    const block = (count: number) => {
      for (let i = 0; i < count; i++) {
        key();
        value();
      }
    };
    return () => {
      this.blocks(1, block);
      builder.end();
    };
  }

  record(builder: RecordBuilder): Read {
    const { input } = this.job;
    const { fields } = builder.type;
    const reads = fields.map((field, f) => this.field(field, builder.children[f]!));
    return () => {
      for (let f = 0; f < reads.length; f++) {
        try {
          reads[f]!();
        } catch (error) {
          throw within(error, `.${fields[f]!.name}`);
        }
      }
      builder.end(input.pos);
    };
  }

  field(field: Field, builder: Builder): Read {
    if (!(builder instanceof MaybeBuilder)) return this.value(field.type, builder);
    if (field.type.kind === "null") {
      const read = this.value(field.type, builder.inner);
      return () => {
        read();
        builder.inner.cut(builder.inner.n - 1);
        builder.absent();
      };
    }
    return this.maybe(field.type, builder, nullPlace(field), field.optional ? "absent" : "null");
  }
}

function width(type: Type): number {
  return type.kind === "union" ? type.branches.length : 1;
}

/** Where null stands among the branches, if a note says so. */
function placeOf(notes: Notes, type: Type): number | undefined {
  const place = notes["avro.null"];
  return place === undefined ? undefined : Math.min(Number(place), width(type));
}

/** Where null stands among the branches of a field. */
function nullPlace(field: Field): number {
  return placeOf(field.optional ? field.notes : field.nullNotes, field.type) ?? usualPlace(field);
}

/** A default is of the first branch. */
function usualPlace({ optional, type, default: value }: Field): number {
  const none = value === undefined || value === null;
  const unsayable =
    (type.kind === "float" && typeof value === "string") || (type.kind === "int" && Number(value) > 2 ** 63 - 1);
  return optional || none || unsayable ? 0 : width(type);
}

/** 0 for what may have no bytes. */
function leastBytes(type: Type): number {
  if (type.kind === "null") return type.notes["avro.union"] === "true" ? 1 : 0;
  if (type.kind === "fixed") return type.size;
  if (type.kind === "record")
    return type.fields.some((field) => field.nullable || field.optional || least(field.type)) ? 1 : 0;
  return 1;
}

function least(type: Type): boolean {
  return type.kind !== "null" && type.kind !== "record" && !(type.kind === "fixed" && type.size === 0);
}
