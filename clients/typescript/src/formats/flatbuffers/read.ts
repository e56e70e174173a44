import { type Builder, FixedBuilder, LongBuilder, type NumberBuilder, type TextBuilder } from "../../columns/build.js";
import {
  BoxBuilder,
  type ListBuilder,
  type MapBuilder,
  MaybeBuilder,
  RecordBuilder,
  type UnionBuilder,
} from "../../columns/nest.js";
import type { ValueBuilder } from "../../columns/values.js";
import { boxed, type Job } from "../../decode.js";
import { within } from "../../errors.js";
import { copy, doubles, words } from "../../lanes.js";
import { byNumber, type Notes, type Type, type UnionType } from "../../schema.js";
import { readAny } from "../protobuf/scalars.js";
import { rowsArm } from "./arm.js";
import { unsupported, widthOf } from "./width.js";

/** Reads what is at a place: a scalar, or an offset to what else it is. */
type ReadAt = (at: number) => void;

/** A field of a table. */
interface Slot {
  id: number;
  step: string;
  /** Reads the field of the table at hand; false if it has none. */
  read(): boolean;
  missing(): void;
}

/** Bytes that are read of each byte of a message, on average, at most: offsets may lead to the same place. */
const AGAIN = 64;
const LEAST_BUDGET = 1 << 20;

export class Reader {
  /** 0, where the message ends, and how many bytes may still be read. */
  readonly #limits = new Float64Array(3);
  /** The table at hand: where it is, its vtable, and how long that is. */
  #table = 0;
  #vtable = 0;
  #length = 0;

  constructor(readonly job: Job) {}

  root(type: Type, builder: Builder): () => void {
    const { input, schema } = this.job;
    const read = this.target(type, builder);
    const identifier = schema.notes["flatbuffers.file_identifier"];
    return () => {
      this.#limits.set([0, input.end, Math.max(AGAIN * input.end, LEAST_BUDGET)]);
      const root = this.follow(0);
      if (identifier !== undefined) {
        const found = String.fromCharCode(...input.bytes.subarray(4, 8));
        if (found !== identifier) input.fail(`the file identifier is ${JSON.stringify(found)}`, 4);
      }
      read(root);
      input.pos = input.end;
    };
  }

  /** Checks that so many bytes lie in the message, and counts them. */
  slice(at: number, size: number): number {
    const { input } = this.job;
    if (!(at >= 0 && size <= input.end - at))
      input.fail("an offset leads out of the buffer", Math.max(0, Math.min(at, input.end)));
    this.#limits[2]! -= size;
    if (this.#limits[2]! < 0) input.fail("the same bytes are read too often", at);
    return at;
  }

  u32(at: number): number {
    return this.job.input.view.getUint32(this.slice(at, 4), true);
  }

  follow(at: number): number {
    const offset = this.u32(at);
    if (offset === 0) this.job.input.fail("an offset is 0", at);
    return at + offset;
  }

  /** The elements of a vector: where they begin, and how many there are. */
  vector(at: number, size: number): [start: number, count: number] {
    const vector = this.follow(at);
    const count = this.u32(vector);
    return [this.slice(vector + 4, count * size), count];
  }

  /** Makes the table at a place the one at hand. */
  open(at: number, ids: number): void {
    const { view } = this.job.input;
    const vtable = at - view.getInt32(this.slice(at, 4), true);
    this.slice(vtable, 4);
    const length = view.getUint16(vtable, true);
    const size = view.getUint16(vtable + 2, true);
    if (length < 4 || length % 2 !== 0 || size < 4) this.job.input.fail("a vtable has an impossible size", vtable);
    if (vtable + length > this.job.input.end) this.slice(vtable, length);
    this.#limits[2]! -= size;
    for (let entry = 4 + 2 * ids; entry < length; entry += 2) {
      this.#limits[2]!--;
      if (view.getUint16(vtable + entry, true) !== 0)
        this.job.input.fail(`the schema has no field ${(entry - 4) / 2} here`, at);
    }
    this.#table = at;
    this.#vtable = vtable;
    this.#length = length;
  }

  /** Where the field with this id is in the table at hand; 0 if it is not. */
  place(id: number): number {
    const entry = 4 + 2 * id;
    if (entry >= this.#length) return 0;
    const offset = this.job.input.view.getUint16(this.#vtable + entry, true);
    return offset === 0 ? 0 : this.#table + offset;
  }

  /** The reader of a table: that of a record, or a box around another type. */
  target(type: Type, builder: Builder): ReadAt {
    if (builder instanceof BoxBuilder && type.kind === "record") {
      let place = 0;
      const read = boxed(this.job, type, builder, (type, inner) => {
        const table = this.target(type, inner);
        return () => table(place);
      });
      return (at) => {
        place = at;
        read();
      };
    }
    if (builder instanceof RecordBuilder) return this.record(builder).read;
    const maybe = type.kind === "nullable" ? (builder as MaybeBuilder) : undefined;
    const inner = type.kind === "nullable" ? type.inner : type;
    const slot = this.slot(inner, maybe?.inner ?? builder, 0, "");
    return (at) => {
      const { input } = this.job;
      this.open(at, slot ? (slot.ids ?? 1) : 0);
      input.enter();
      const there = slot?.read() ?? true;
      if (!slot) builder.skip();
      else if (!maybe && !there) slot.missing();
      else if (maybe) there ? maybe.present() : maybe.null();
      input.leave();
    };
  }

  /** The reader of a record's table; `none` is that of a required one that is not there. */
  record(builder: RecordBuilder): { read: ReadAt; none: () => void } {
    const { input } = this.job;
    const { type } = builder;
    if (type.notes["flatbuffers.struct"] !== undefined) throw unsupported("structs");
    const slots: Slot[] = [];
    const empty: Builder[] = [];
    let next = 0;
    for (const f of byNumber(type)) {
      const field = type.fields[f]!;
      const whole = builder.children[f]!;
      const maybe = whole instanceof MaybeBuilder ? whole : undefined;
      const inner = maybe?.inner ?? whole;
      let slot: (Slot & { ids?: number }) | undefined = this.slot(
        field.type,
        inner,
        next,
        `.${field.name}`,
        field.notes,
      );
      if (!slot && field.optional) slot = this.flag(inner, next, `.${field.name}`);
      if (!slot) {
        empty.push(whole);
        continue;
      }
      const { read, missing } = slot;
      slot.read = () => {
        if (!read()) return false;
        maybe?.present();
        return true;
      };
      slot.missing = () => {
        if (field.nullable && !field.optional) maybe!.null();
        else if (field.optional) maybe!.absent();
        else if (field.default !== undefined) whole.put(field.default);
        else missing();
      };
      next = slot.id + (slot.ids ?? 1);
      slots.push(slot);
    }
    const end = () => {
      for (const one of empty) one.put(null);
      builder.end(input.pos);
    };
    const read: ReadAt = (at) => {
      this.open(at, next);
      const [table, vtable, length] = [this.#table, this.#vtable, this.#length];
      input.enter();
      for (const slot of slots) {
        try {
          if (!slot.read()) slot.missing();
        } catch (error) {
          throw within(error, slot.step);
        }
        [this.#table, this.#vtable, this.#length] = [table, vtable, length];
      }
      input.leave();
      end();
    };
    const none = () => {
      input.enter();
      for (const slot of slots) slot.missing();
      input.leave();
      end();
    };
    return { read, none };
  }

  flag(builder: Builder, id: number, step: string): Slot {
    const read = () => {
      const at = this.place(id);
      if (at === 0) return false;
      this.slice(at, 1);
      builder.skip();
      return true;
    };
    return { id, step, read, missing: () => {} };
  }

  /** A field of a type without null; undefined for those that take no place. */
  slot(
    type: Type,
    builder: Builder,
    next: number,
    step: string,
    notes: Notes = {},
  ): (Slot & { ids?: number }) | undefined {
    const { input } = this.job;
    if (type.kind === "null") return undefined;
    const ids = type.kind === "union" ? 2 : 1;
    const noted = notes["flatbuffers.id"];
    const id = noted === undefined ? next : Number(noted) - ids + 1;
    if (type.kind === "union") return this.union(type, builder, id, step);
    if (type.kind === "record" && builder instanceof RecordBuilder) {
      const { read, none } = this.record(builder);
      return { id, step, read: this.at(id, (at) => read(this.follow(at))), missing: none };
    }
    const read = this.value(type, builder);
    const missing = () => {
      const isEnum = type.kind === "enum" && type.notes["flatbuffers.bit_flags"] === undefined;
      if (isEnum && !type.symbols.some(({ number }) => number === 0))
        return (builder as NumberBuilder).push(type.symbols[0]!.number);
      if (type.kind === "any") return (builder as ValueBuilder).push(null);
      if (builder instanceof BoxBuilder) return input.fail("a record that contains itself is missing");
      builder.skip();
    };
    return { id, step, read: this.at(id, read), missing };
  }

  /** Reads the field with this id, if the table at hand has it. */
  at(id: number, read: ReadAt): () => boolean {
    return () => {
      const at = this.place(id);
      if (at === 0) return false;
      read(at);
      return true;
    };
  }

  value(type: Type, builder: Builder): ReadAt {
    const { input } = this.job;
    switch (type.kind) {
      case "bool":
      case "int":
      case "enum":
      case "float":
        return this.scalar(type, builder);
      case "string":
      case "bytes":
        return (at) => {
          const [start, length] = this.vector(at, 1);
          (builder as TextBuilder).push(start, start + length);
        };
      case "any":
        return (at) => {
          const [start, length] = this.vector(at, 1);
          input.pos = start;
          readAny(input, builder as ValueBuilder, length);
        };
      case "fixed":
        return (at) => {
          const [start, length] = this.vector(at, 1);
          if (length !== type.size) input.fail(`expected ${type.size} bytes, found ${length}`, at);
          (builder as FixedBuilder).push(input.bytes, start);
        };
      case "list":
        if (type.notes["flatbuffers.union_vector"] !== undefined) throw unsupported("vectors of unions");
        return this.list(type.item, builder as ListBuilder);
      case "map":
        return this.map(builder as MapBuilder);
      default: {
        const target = this.target(type, builder);
        return (at) => target(this.follow(at));
      }
    }
  }

  scalar(type: Type, builder: Builder): ReadAt {
    const { input } = this.job;
    const { bits, signed } = widthOf(type);
    const numbers = builder as NumberBuilder;
    if (type.kind === "float") {
      return (at) => {
        this.slice(at, bits / 8);
        numbers.push(bits === 64 ? input.view.getFloat64(at, true) : input.view.getFloat32(at, true));
      };
    }
    if (type.kind === "bool") return (at) => numbers.push(input.bytes[this.slice(at, 1)]! !== 0 ? 1 : 0);
    if (builder instanceof LongBuilder) {
      return (at) => {
        this.slice(at, 8);
        builder.push(input.view.getInt32(at, true), input.view.getInt32(at + 4, true));
      };
    }
    return (at) => {
      this.slice(at, bits / 8);
      const { view } = input;
      const value =
        bits === 64
          ? Number(view.getBigInt64(at, true))
          : bits === 32
            ? view.getInt32(at, true)
            : bits === 16
              ? view.getInt16(at, true)
              : view.getInt8(at);
      input.int(numbers, signed || bits === 64 || value >= 0 ? value : value + 2 ** bits, at);
    };
  }

  list(item: Type, builder: ListBuilder): ReadAt {
    const { input } = this.job;
    const { items } = builder;
    const { read, size } = this.item(item, items);
    const arm = rowsArm(this.job, items, this.#limits);
    return (at) => {
      const [start, count] = this.vector(at, size);
      if (item.kind === "float" && item.bits === 64) {
        input.pos = start;
        (items as NumberBuilder).adopt(doubles(input, 8 * count));
      } else if (items instanceof LongBuilder) {
        input.pos = start;
        items.adopt(words(input, 8 * count));
      } else {
        input.enter();
        for (let i = 0; i < count; i++) {
          try {
            if (i === 0 && items instanceof FixedBuilder) i = this.alike(items, start, count);
            else if (arm) i += arm(start + i * size, count - i);
            if (i < count) read(start + i * size);
          } catch (error) {
            throw within(error, `[${i}]`);
          }
        }
        input.leave();
      }
      builder.end();
    };
  }

  /** Reads bytes of a fixed size in tables of their own, while these look like the first one; how many. */
  alike(items: FixedBuilder, start: number, count: number): number {
    const { end, view } = this.job.input;
    const { size } = items;
    if (count < 2 || size === 0) return 0;
    const first = this.follow(start);
    this.open(first, 1);
    const vtable = this.#vtable;
    const place = this.place(0) - first;
    if (place < 0) return 0;
    const cost = 20 + view.getUint16(vtable + 2, true) + size;
    // Where tables are shared there may be more bytes than the message has: those are the general reader's.
    const most = Math.min(count, Math.floor(this.#limits[2]! / cost), Math.floor(end / size));
    items.reserve(most);
    const out = new DataView(items.bytes.buffer, items.bytes.byteOffset + items.n * size);
    let n = 0;
    for (let at = start; n < most; n++, at += 4) {
      const table = at + view.getUint32(at, true);
      const field = table + place;
      if (table === at || field + 4 > end || table + 4 > end || table - view.getInt32(table, true) !== vtable) break;
      const vector = field + view.getUint32(field, true);
      if (vector === field || vector + 4 + size > end || view.getUint32(vector, true) !== size) break;
      copy(view, vector + 4, out, n * size, size);
    }
    this.#limits[2]! -= n * cost;
    items.n += n;
    return n;
  }

  /** An element of a vector; what a vector cannot hold is in a table of its own. */
  item(type: Type, builder: Builder): { read: ReadAt; size: number } {
    switch (type.kind) {
      case "null":
        return { read: () => builder.skip(), size: 1 };
      case "bool":
      case "int":
      case "enum":
      case "float":
        return { read: this.value(type, builder), size: widthOf(type).bits / 8 };
      case "string":
      case "any":
        return { read: this.value(type, builder), size: 4 };
      default: {
        const target = this.target(type, builder);
        return { read: (at) => target(this.follow(at)), size: 4 };
      }
    }
  }

  map(builder: MapBuilder): ReadAt {
    const { input } = this.job;
    const { key, value } = builder.type;
    const keySlot = this.slot(key, builder.keys, 0, "")!;
    const valueSlot = this.entryValue(value, builder.values);
    return (at) => {
      const [start, count] = this.vector(at, 4);
      input.enter();
      for (let i = 0; i < count; i++) {
        this.open(this.follow(start + 4 * i), valueSlot ? 2 : 1);
        const [table, vtable, length] = [this.#table, this.#vtable, this.#length];
        if (!keySlot.read()) keySlot.missing();
        [this.#table, this.#vtable, this.#length] = [table, vtable, length];
        if (!valueSlot) builder.values.skip();
        else if (!valueSlot.read()) valueSlot.missing();
      }
      input.leave();
      builder.end();
    };
  }

  /** The value of an entry is as in a vector. */
  entryValue(type: Type, builder: Builder): Slot | undefined {
    const simple = ["record", "null", "string", "any", "bool", "int", "enum", "float"].includes(type.kind);
    if (simple) return this.slot(type, builder, 1, "");
    const target = this.target(type, builder);
    const missing = () => {
      if (type.kind === "nullable") (builder as MaybeBuilder).null();
      else if (type.kind === "union") this.job.input.fail("the value of an entry is missing");
      else builder.skip();
    };
    return { id: 1, step: "", read: this.at(1, (at) => target(this.follow(at))), missing };
  }

  union(type: UnionType, builder: Builder, id: number, step: string): Slot & { ids: number } {
    const { input } = this.job;
    const missing = () => input.fail(`the required value of union ${type.name} is missing`);
    if (builder instanceof BoxBuilder) {
      const { job } = this;
      let hand: [number, number, number] = [0, 0, 0];
      const read = boxed(job, type, builder, (type, inner) => {
        const slot = this.union(type as UnionType, inner, id, step);
        return () => {
          [this.#table, this.#vtable, this.#length] = hand;
          if (!slot.read()) missing();
        };
      });
      const there = () => {
        const at = this.place(id);
        if (at === 0 || input.bytes[this.slice(at, 1)] === 0) return false;
        hand = [this.#table, this.#vtable, this.#length];
        read();
        return true;
      };
      return { id, ids: 2, step, read: there, missing };
    }
    const union = builder as UnionBuilder;
    const order = type.branches.map((_, i) => i).sort((a, b) => type.branches[a]!.number - type.branches[b]!.number);
    const bytes = type.branches.every(({ number }) => number <= 255);
    const tags = new Map(order.map((position, rank) => [bytes ? type.branches[position]!.number : rank + 1, position]));
    const targets = type.branches.map((branch, i) => {
      if (branch.notes["flatbuffers.direct"] !== undefined)
        throw unsupported("unions with branches that are no tables");
      return this.target(branch.type, union.branches[i]!);
    });
    const read = () => {
      const at = this.place(id);
      const tag = at === 0 ? 0 : input.bytes[this.slice(at, 1)]!;
      const place = this.place(id + 1);
      if (tag === 0 && place === 0) return false;
      const branch = tags.get(tag);
      if (branch === undefined || place === 0)
        return input.fail(`union ${type.name} has no branch ${tag}, or no value`, at);
      targets[branch]!(this.follow(place));
      union.choose(branch);
      return true;
    };
    return { id, ids: 2, step, read, missing };
  }
}
