import { type Builder, FixedBuilder, TextBuilder } from "../../columns/build.js";
import { BoxBuilder, ListBuilder, MapBuilder, MaybeBuilder, RecordBuilder, UnionBuilder } from "../../columns/nest.js";
import { boxed, type Job, type Read } from "../../decode.js";
import { within } from "../../errors.js";
import { heads } from "../../lanes.js";
import type { Field, ListType, MapType, Type } from "../../schema.js";
import { rowsArm } from "./arm.js";
import { GROUP, I32, I64, LEN, putZero, type Scalar, scalar, VARINT } from "./scalars.js";

/** A message: what is done before its first piece, for each piece, and after the last. */
interface Message {
  open(): void;
  fields(): void;
  close(): void;
}

/** A field of a message. */
interface Entry {
  number: number;
  step: string;
  /** Reads the field behind its tag. */
  read(wire: number, tag: number): void;
  /** Takes back what was read. */
  drop(): void;
  close(): void;
  /** Position of the oneof. */
  oneof: number | undefined;
}

/** Bytes of messages in pieces that are read again, in multiples of the message. */
const AGAIN = 32;

export class Reader {
  readonly job: Job;
  #again = 0;

  constructor(job: Job) {
    this.job = job;
  }

  root(type: Type, builder: Builder): Read {
    const message = this.message(type, builder);
    return () => {
      this.#again = 0;
      message.open();
      message.fields();
      message.close();
    };
  }

  /** The message that a type is: its own, or a wrapper around it. */
  message(type: Type, builder: Builder): Message {
    if (builder instanceof BoxBuilder) return this.box(type, builder);
    if (builder instanceof UnionBuilder) return this.union(builder);
    if (builder instanceof RecordBuilder) {
      const entries = builder.type.fields.map((field, f) => this.field(field, builder, f));
      const whole = this.entries(entries);
      return {
        open: whole.open,
        fields: whole.fields,
        close: () => {
          whole.close();
          builder.end(this.job.input.pos);
        },
      };
    }
    return this.entries([this.wrapped(type, builder)]);
  }

  /** A type that contains itself; pieces are kept until all are there. */
  box(type: Type, builder: BoxBuilder): Message {
    const { input } = this.job;
    let inside: Message | undefined;
    let spans: number[] = [];
    const read = boxed(this.job, type, builder, (type, inner) => {
      inside = this.message(type, inner);
      return () => this.pieces(inside!, spans);
    });
    return {
      open: () => {
        spans = [];
      },
      fields: () => {
        spans.push(input.pos, input.end);
        input.pos = input.end;
      },
      close: read,
    };
  }

  /** Reads a message from these pieces: begin and end of each. */
  pieces(message: Message, spans: number[]): void {
    const { input } = this.job;
    const [pos, end] = [input.pos, input.end];
    message.open();
    for (let i = 0; i < spans.length; i += 2) {
      input.pos = spans[i]!;
      input.end = spans[i + 1]!;
      message.fields();
    }
    message.close();
    input.pos = pos;
    input.end = end;
  }

  entries(entries: Entry[]): Message {
    const { input } = this.job;
    const places = new Map(entries.map((entry, i) => [entry.number, i]));
    const seen = new Uint8Array(entries.length);
    const fields = () => {
      let guess = 0;
      while (input.pos < input.end) {
        const at = input.pos;
        const tag = input.length();
        const number = tag >>> 3;
        let place: number | undefined = guess;
        if (entries[guess]?.number !== number) place = places.get(number);
        if (place === undefined)
          return input.fail(number === 0 ? "0 is no field number" : `the schema has no field ${number}`, at);
        const entry = entries[place]!;
        guess = place + 1;
        if (entry.oneof !== undefined) {
          for (const [other, rival] of entries.entries()) {
            if (seen[other] && other !== place && rival.oneof === entry.oneof) {
              rival.drop();
              seen[other] = 0;
            }
          }
        }
        try {
          entry.read(tag & 7, seen[place]! ? -1 : at);
        } catch (error) {
          throw within(error, entry.step);
        }
        seen[place] = 1;
      }
      if (input.pos !== input.end) input.fail("a field ends behind its message");
    };
    const close = () => {
      for (let i = 0; i < entries.length; i++) {
        try {
          entries[i]!.close();
        } catch (error) {
          throw within(error, entries[i]!.step);
        }
      }
    };
    return { open: () => seen.fill(0), fields, close };
  }

  field(field: Field, record: RecordBuilder, f: number): Entry {
    const whole = record.children[f]!;
    const maybe = whole instanceof MaybeBuilder ? whole : undefined;
    const missing = () => {
      if (field.optional) maybe!.absent();
      else if (field.nullable) maybe!.null();
      else if (field.default !== undefined) whole.put(field.default);
      else if (isScalar(field.type)) putZero(whole);
      else record.missing(f, this.job.input.pos);
    };
    const step = `.${field.name}`;
    if (!maybe && whole instanceof ListBuilder) return this.list(field.number, step, whole, field.oneof);
    if (!maybe && whole instanceof MapBuilder) return this.map(field.number, step, whole, field.oneof);
    return this.single(field.number, step, field.type, maybe?.inner ?? whole, maybe, missing, field.oneof);
  }

  /** The only field of a wrapper. */
  wrapped(type: Type, builder: Builder): Entry {
    const inner = type.kind === "nullable" ? type.inner : type;
    const maybe = type.kind === "nullable" ? (builder as MaybeBuilder) : undefined;
    if (!maybe && builder instanceof ListBuilder) return this.list(1, "", builder);
    if (!maybe && builder instanceof MapBuilder) return this.map(1, "", builder);
    const missing = () =>
      maybe ? maybe.null() : isScalar(type) ? putZero(builder) : this.job.input.fail("a value is missing");
    return this.single(1, "", inner, maybe?.inner ?? builder, maybe, missing);
  }

  /** A field that has one value. */
  single(
    number: number,
    step: string,
    type: Type,
    builder: Builder,
    maybe: MaybeBuilder | undefined,
    missing: () => void,
    oneof?: number,
  ): Entry {
    const { input } = this.job;
    let there = false;
    let row = 0;
    const finish = () => {
      if (!there) missing();
      else maybe?.present();
      there = false;
    };
    if (isValue(type)) {
      const { wire, read } = scalar(input, type, builder);
      return {
        number,
        step,
        oneof,
        read: (found) => {
          if (found !== wire) this.mislaid(found, wire);
          // Of a scalar that comes more than once the last wins.
          if (there) builder.cut(row);
          else row = builder.n;
          there = true;
          read();
        },
        drop: () => {
          there = false;
          builder.cut(row);
        },
        close: finish,
      };
    }
    const message = this.message(type, builder);
    let spans: number[] = [];
    return {
      number,
      step,
      oneof,
      read: (wire) => {
        const after = this.enter(wire, number);
        if (there) {
          // The pieces of a message are merged: they are read together when all of them are known.
          spans.push(input.pos, input.end);
        } else {
          there = true;
          row = builder.n;
          spans = [input.pos, input.end];
          message.open();
          message.fields();
          message.close();
        }
        this.leave(after);
      },
      drop: () => {
        there = false;
        builder.cut(row);
      },
      close: () => {
        if (there && spans.length > 2) {
          builder.cut(row);
          for (let i = 0; i < spans.length; i += 2) this.#again += spans[i + 1]! - spans[i]!;
          if (this.#again > AGAIN * input.bytes.length) input.fail("messages come in pieces too often");
          this.pieces(message, spans);
        }
        finish();
      },
    };
  }

  /** Goes into the message behind the tag; what is returned leads out again. */
  enter(wire: number, number: number): [pos: number, end: number] {
    const { input } = this.job;
    input.enter();
    const { end } = input;
    if (wire === GROUP) {
      const start = input.pos;
      const stop = this.skipGroup(number);
      const after = input.pos;
      input.pos = start;
      input.end = stop;
      return [after, end];
    }
    if (wire !== LEN) this.mislaid(wire, LEN);
    const length = input.length();
    const start = input.take(length);
    input.pos = start;
    input.end = start + length;
    return [start + length, end];
  }

  leave([pos, end]: [number, number]): void {
    const { input } = this.job;
    input.pos = pos;
    input.end = end;
    input.leave();
  }

  /** Passes over the fields of a group; returns where its end tag begins. */
  skipGroup(number: number): number {
    const { input } = this.job;
    const open = [number];
    for (;;) {
      const at = input.pos;
      const tag = input.length();
      const wire = tag & 7;
      if (wire === VARINT) input.varint();
      else if (wire === I64) input.take(8);
      else if (wire === I32) input.take(4);
      else if (wire === LEN) input.take(input.length());
      else if (wire === GROUP) {
        open.push(tag >>> 3);
        if (open.length > 128) input.fail("groups nest too deep");
      } else if (wire === 4 && open.pop() === tag >>> 3) {
        if (open.length === 0) return at;
      } else input.fail(`there is no wire type ${wire} here`, at);
    }
  }

  mislaid(found: number, wanted: number): never {
    return this.job.input.fail(`the field has wire type ${found}, not ${wanted}`);
  }

  list(number: number, step: string, builder: ListBuilder, oneof?: number): Entry {
    const { input } = this.job;
    const item = (builder.type as ListType).item;
    const { items } = builder;
    const entry = {
      number,
      step,
      oneof,
      drop: () => items.cut(builder.offsets[builder.n]!),
      close: () => builder.end(),
    };
    if (isValue(item)) {
      const one = scalar(input, item, items);
      return { ...entry, read: (wire, at) => this.items(one, items, wire, at) };
    }
    const message = this.message(item, items);
    const arm = rowsArm(this.job, items, number);
    const read = (wire: number) => {
      const after = this.enter(wire, number);
      message.open();
      message.fields();
      message.close();
      this.leave(after);
    };
    return {
      ...entry,
      read: (wire, at) => {
        try {
          // The arm takes all that is as usual; the first that is not, is read here.
          if (arm && at >= 0) {
            input.pos = at;
            arm();
            if (input.pos !== at) return;
            input.length();
          }
          read(wire);
          if (arm) arm();
        } catch (error) {
          throw within(error, `[${builder.open}]`);
        }
      },
    };
  }

  /** Elements of a list of scalars. */
  items(one: Scalar, items: Builder, wire: number, at: number): void {
    const { input } = this.job;
    if (wire === LEN && one.packed) {
      const length = input.length();
      const start = input.take(length);
      const { end } = input;
      input.pos = start;
      input.end = start + length;
      // A message in pieces is read again: only what lies in none may be changed.
      one.packed(at >= 0 && input.depth === 0 ? at : Infinity);
      if (input.pos !== input.end) input.fail("a packed list ends within an element");
      input.end = end;
      return;
    }
    if (wire !== one.wire) this.mislaid(wire, one.wire);
    if (at >= 0 && items instanceof FixedBuilder && this.stride(items, at)) return;
    one.read();
    if (items instanceof TextBuilder && at >= 0) this.texts(items, at);
  }

  /** Takes bytes of a fixed size that follow each other where they are. */
  stride(items: FixedBuilder, at: number): boolean {
    const { input } = this.job;
    const { bytes } = input;
    const start = input.pos + 1;
    if (items.size > 127 || bytes[input.pos] !== items.size) return false;
    const stride = start - at + items.size;
    const most = Math.floor((input.end - at) / stride);
    if (most < 1) return false;
    const count = heads(bytes, at, stride, most, bytes.slice(at, start));
    items.adopt(bytes, start, stride, count);
    input.pos = at + count * stride;
    return true;
  }

  /** Takes the texts that follow the first one, whose tag is at `at`. */
  texts(items: TextBuilder, at: number): void {
    const { input } = this.job;
    const { bytes, end } = input;
    const tag = bytes[at]!;
    if (tag > 127) return;
    let { pos } = input;
    while (pos + 1 < end && bytes[pos] === tag && bytes[pos + 1]! < 128) {
      const start = pos + 2;
      const stop = start + bytes[pos + 1]!;
      if (stop > end) break;
      items.push(start, stop);
      pos = stop;
    }
    input.pos = pos;
  }

  map(number: number, step: string, builder: MapBuilder, oneof?: number): Entry {
    const { key, value } = builder.type as MapType;
    builder.lastWins = true;
    const { input } = this.job;
    const part = (number: number, type: Type, builder: Builder): Entry => {
      const maybe = type.kind === "nullable" ? (builder as MaybeBuilder) : undefined;
      // A nullable, a list or a map as a value is a wrapper: a message.
      const missing = () => {
        if (isValue(type)) putZero(builder);
        else if (maybe) maybe.null();
        else if (builder instanceof ListBuilder || builder instanceof MapBuilder) builder.end();
        else input.fail("an entry of a map has no value");
      };
      return this.single(number, "", type, builder, undefined, missing);
    };
    const entry = this.entries([part(1, key, builder.keys), part(2, value, builder.values)]);
    return {
      number,
      step,
      oneof,
      drop: () => {
        builder.keys.cut(builder.offsets[builder.n]!);
        builder.values.cut(builder.offsets[builder.n]!);
      },
      close: () => builder.end(),
      read: (wire) => {
        const after = this.enter(wire, number);
        entry.open();
        entry.fields();
        entry.close();
        this.leave(after);
      },
    };
  }

  union(builder: UnionBuilder): Message {
    const { input } = this.job;
    let chosen = -1;
    const rows: number[] = [];
    const entries = builder.type.branches.map((branch, position): Entry => {
      const inner = builder.branches[position]!;
      const one = this.single(branch.number, "", branch.type, inner, undefined, () => {}, 0);
      return {
        ...one,
        step: `.${branch.name}`,
        read: (wire, at) => {
          if (chosen !== position) rows[position] = inner.n;
          chosen = position;
          one.read(wire, at);
        },
      };
    });
    const whole = this.entries(entries);
    return {
      open: () => {
        chosen = -1;
        whole.open();
      },
      fields: whole.fields,
      close: () => {
        whole.close();
        if (chosen < 0) input.fail(`none of the branches of ${builder.type.name} is there`);
        builder.choose(chosen);
      },
    };
  }
}

/** Whether a value is no message. */
function isValue(type: Type): boolean {
  return !["record", "union", "list", "map", "nullable"].includes(type.kind);
}

/** Whether a value may be left out, and is zero then. */
function isScalar(type: Type): boolean {
  return isValue(type) && !(type.kind === "fixed" && type.size > 0);
}
