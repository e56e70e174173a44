import { type Builder, describe, FixedBuilder, LongBuilder, NumberBuilder, TextBuilder } from "../../columns/build.js";
import { BoxBuilder, ListBuilder, MapBuilder, MaybeBuilder, RecordBuilder, UnionBuilder } from "../../columns/nest.js";
import { put } from "../../columns/nested.js";
import type { ValueBuilder } from "../../columns/values.js";
import { boxed, type Job, type Read } from "../../decode.js";
import { within } from "../../errors.js";
import { byNumber, type EnumType, type Type } from "../../schema.js";
import { decodeText, encoder, toBase64 } from "../../text/bytes.js";
import { type Shape, unionPlan } from "../../unions.js";
import { rowsArm } from "./arm.js";
import { ints, longs, numbers, strided, texts } from "./bulk.js";
import { type Head, Kind, KINDS, putInt, putLong, type Wire } from "./wire.js";

/** Reads messages that describe themselves, along their schema. */
export class Reader {
  readonly head: Head = { at: 0, kind: Kind.Null, number: 0, length: 0 };

  constructor(
    readonly job: Job,
    readonly wire: Wire,
    readonly positional: boolean,
  ) {}

  /** The reader of a value. */
  value(type: Type, builder: Builder): Read {
    const rest = this.rest(type, builder);
    const { input } = this.job;
    const any = type.kind === "any";
    return () => {
      this.wire.head(input, this.head);
      if (this.head.kind === Kind.Tagged && !any) this.wire.tagged(input, this.head, type);
      rest();
    };
  }

  wrong(type: Type): never {
    return this.job.input.fail(`expected ${describe(type)}, found ${KINDS[this.head.kind]}`, this.head.at);
  }

  /** The reader of a value whose head was read. */
  rest(type: Type, builder: Builder): Read {
    const { head } = this;
    const { input } = this.job;
    if (builder instanceof BoxBuilder) return boxed(this.job, type, builder, (type, inner) => this.rest(type, inner));
    switch (type.kind) {
      case "null":
        return () => (head.kind === Kind.Null ? builder.skip() : this.wrong(type));
      case "bool": {
        const bools = builder as NumberBuilder;
        return () => (head.kind === Kind.Bool ? bools.push(head.number) : this.wrong(type));
      }
      case "int":
        if (type.bits === 64) {
          const longs = builder as LongBuilder;
          return () => (isInteger(head) ? putLong(input, longs, head) : this.wrong(type));
        }
        return () => (isInteger(head) ? putInt(input, builder as NumberBuilder, head) : this.wrong(type));
      case "float": {
        const floats = builder as NumberBuilder;
        return () => {
          if (head.kind === Kind.Float) floats.push(head.number);
          else if (head.kind === Kind.Uint) floats.push(input.unsigned);
          else if (head.kind === Kind.Negative) floats.push(input.signed);
          else this.wrong(type);
        };
      }
      case "string":
      case "bytes": {
        const text = builder as TextBuilder;
        const kind = type.kind === "string" ? Kind.String : Kind.Bytes;
        return () => {
          if (head.kind !== kind) this.wrong(type);
          if (head.length < 0) return text.copy(this.pieces(kind));
          const start = input.take(head.length);
          text.push(start, start + head.length);
        };
      }
      case "fixed":
        return () => {
          if (head.kind !== Kind.Bytes) this.wrong(type);
          const bytes = this.bytes(Kind.Bytes);
          if (bytes.length !== type.size) input.fail(`expected ${type.size} bytes, found ${bytes.length}`, head.at);
          (builder as FixedBuilder).push(bytes, 0);
        };
      case "enum":
        return this.enumerator(type, builder as NumberBuilder);
      case "any":
        return () => (builder as ValueBuilder).push(this.any());
      case "nullable": {
        const maybe = builder as MaybeBuilder;
        const rest = this.rest(type.inner, maybe.inner);
        return () => {
          if (head.kind === Kind.Null) return maybe.null();
          rest();
          maybe.present();
        };
      }
      case "list":
        return this.list(type.item, builder as ListBuilder);
      case "map":
        return this.map(builder as MapBuilder);
      case "record":
        return this.positional ? this.array(builder as RecordBuilder) : this.named(builder as RecordBuilder);
      case "union":
        return this.union(builder as UnionBuilder);
    }
  }

  /** Text or bytes behind their head. */
  bytes(kind: number): Uint8Array {
    const { input } = this.job;
    if (this.head.length < 0) return this.pieces(kind);
    const start = input.take(this.head.length);
    return input.bytes.subarray(start, start + this.head.length);
  }

  pieces(kind: number): Uint8Array {
    const { input } = this.job;
    const pieces: Uint8Array[] = [];
    let length = 0;
    for (;;) {
      this.wire.head(input, this.head);
      if (this.head.kind === Kind.Break) break;
      if (this.head.kind !== kind || this.head.length < 0)
        input.fail("expected a piece of a text or of bytes", this.head.at);
      const piece = this.bytes(kind);
      if (kind === Kind.String && decodeText(piece) === undefined) input.fail("text is not UTF-8", this.head.at);
      pieces.push(piece);
      length += piece.length;
    }
    const whole = new Uint8Array(length);
    length = 0;
    for (const piece of pieces) {
      whole.set(piece, length);
      length += piece.length;
    }
    return whole;
  }

  text(): string {
    const at = this.head.at;
    const text = decodeText(this.bytes(Kind.String));
    return text === undefined ? this.job.input.fail("text is not UTF-8", at) : text;
  }

  enumerator(type: EnumType, builder: NumberBuilder): Read {
    const { input } = this.job;
    const numbers = new Map(type.symbols.map(({ name, number }) => [name, number]));
    return () => {
      const { at } = this.head;
      if (this.head.kind !== Kind.String)
        return isInteger(this.head) ? putInt(input, builder, this.head) : this.wrong(type);
      const name = this.text();
      const number = numbers.get(name);
      if (number === undefined) return input.fail(`enum ${type.name} has no symbol ${JSON.stringify(name)}`, at);
      builder.push(number);
    };
  }

  /** Whether another element follows; the mark of an end is consumed. */
  more(length: number, done: number): boolean {
    if (length >= 0) return done < length;
    const { input } = this.job;
    const at = input.pos;
    this.wire.head(input, this.head);
    if (this.head.kind === Kind.Break) return false;
    input.pos = at;
    return true;
  }

  list(item: Type, builder: ListBuilder): Read {
    const { input } = this.job;
    const { items } = builder;
    const read = this.value(item, items);
    const arm = rowsArm(this.job, this.wire, this.positional, items);
    // Elements that follow each other as usual, at once.
    const bulk = (most: number) => {
      if (most <= 0) return;
      if (arm) arm(most);
      else if (items instanceof FixedBuilder) strided(input, this.wire, items, most);
      else if (items instanceof TextBuilder) texts(input, this.wire, items, most);
      else if (items instanceof LongBuilder) longs(input, this.wire, items, most);
      else if (items instanceof NumberBuilder && item.kind === "float") numbers(input, this.wire, items, most);
      else if (items instanceof NumberBuilder && item.kind === "int") ints(input, this.wire, items, most);
    };
    return () => {
      const { head } = this;
      if (head.kind !== Kind.List) this.wrong(builder.type);
      const { length } = head;
      if (length >= 0) input.count(length);
      input.enter();
      try {
        while (this.more(length, builder.open)) {
          bulk(length - builder.open);
          if (this.more(length, builder.open)) read();
        }
      } catch (error) {
        throw within(error, `[${builder.open}]`);
      }
      input.leave();
      builder.end();
    };
  }

  map(builder: MapBuilder): Read {
    const { input } = this.job;
    const key = this.value(builder.type.key, builder.keys);
    const value = this.value(builder.type.value, builder.values);
    return () => {
      const { head } = this;
      if (head.kind !== Kind.Map) this.wrong(builder.type);
      const { length } = head;
      if (length >= 0) input.count(length, 2);
      input.enter();
      while (this.more(length, builder.open)) {
        key();
        value();
      }
      input.leave();
      builder.end();
    };
  }

  /** The readers of a record's fields, whose heads were read. */
  fields(builder: RecordBuilder): Read[] {
    const { head } = this;
    return builder.type.fields.map((field, f) => {
      const whole = builder.children[f]!;
      if (!(whole instanceof MaybeBuilder)) return this.rest(field.type, whole);
      const rest = this.rest(field.type, whole.inner);
      const nullOfItsOwn = field.type.kind === "any" || field.type.kind === "null";
      return () => {
        if (head.kind === Kind.Undefined && field.optional) return whole.absent();
        if (head.kind === Kind.Null) {
          if (this.positional && field.optional) return whole.absent();
          if (!nullOfItsOwn) return field.nullable ? whole.null() : this.wrong(field.type);
        }
        rest();
        whole.present();
      };
    });
  }

  named(builder: RecordBuilder): Read {
    const { input } = this.job;
    const { fields } = builder.type;
    const reads = this.fields(builder);
    const places = new Map(fields.map((field, i) => [field.name, i]));
    const names = fields.map((field) => encoder.encode(field.name));
    const seen = new Uint8Array(fields.length);
    const find = (guess: number): number => {
      const { at } = this.head;
      const expected = names[guess];
      const { pos } = input;
      if (this.head.length === expected?.length) {
        let same = 0;
        while (same < expected.length && expected[same] === input.bytes[pos + same]) same++;
        if (same === expected.length) {
          input.take(same);
          return guess;
        }
      }
      const name = this.text();
      const place = places.get(name);
      return place ?? input.fail(`${builder.type.name} has no field ${JSON.stringify(name)}`, at);
    };
    return () => {
      const { head } = this;
      if (head.kind !== Kind.Map) this.wrong(builder.type);
      const { length, at } = head;
      if (length >= 0) input.count(length, 2);
      input.enter();
      seen.fill(0);
      let guess = 0;
      for (let done = 0; this.more(length, done); done++) {
        this.wire.head(input, head);
        if (head.kind !== Kind.String) input.fail("expected the name of a field", head.at);
        const place = find(guess);
        if (seen[place]) input.fail(`the field ${JSON.stringify(fields[place]!.name)} comes twice`, head.at);
        seen[place] = 1;
        guess = place + 1;
        this.fieldValue(fields[place]!, reads[place]!);
      }
      for (let place = 0; place < seen.length; place++) if (!seen[place]) builder.missing(place, at);
      input.leave();
      builder.end(at);
    };
  }

  fieldValue(field: { name: string; type: Type }, read: Read): void {
    const { input } = this.job;
    this.wire.head(input, this.head);
    try {
      if (this.head.kind === Kind.Tagged && field.type.kind !== "any") this.wire.tagged(input, this.head, field.type);
      read();
    } catch (error) {
      throw within(error, `.${field.name}`);
    }
  }

  array(builder: RecordBuilder): Read {
    const { input } = this.job;
    const { fields } = builder.type;
    const reads = this.fields(builder);
    const order = byNumber(builder.type);
    return () => {
      const { head } = this;
      if (head.kind !== Kind.List) this.wrong(builder.type);
      const { length, at } = head;
      if (length > order.length) input.fail(`${builder.type.name} has ${order.length} fields, not ${length}`, at);
      input.enter();
      let done = 0;
      for (; this.more(length, done); done++) {
        const place = order[done];
        if (place === undefined) return input.fail(`${builder.type.name} has only ${order.length} fields`, at);
        this.fieldValue(fields[place]!, reads[place]!);
      }
      for (; done < order.length; done++) builder.missing(order[done]!, at);
      input.leave();
      builder.end(at);
    };
  }

  union(builder: UnionBuilder): Read {
    const { input } = this.job;
    const { type } = builder;
    const plan = unionPlan(type, { positional: this.positional, textual: false });
    const rests = type.branches.map((branch, i) => this.rest(branch.type, builder.branches[i]!));
    const values = type.branches.map((branch, i) => this.value(branch.type, builder.branches[i]!));
    if (plan) {
      const shapes: (Shape | undefined)[] = [
        undefined,
        "bool",
        "int",
        "int",
        "float",
        "string",
        "bytes",
        "array",
        "map",
      ];
      return () => {
        const branch = plan.get(shapes[this.head.kind]!);
        if (branch === undefined) return this.wrong(type);
        rests[branch]!();
        builder.choose(branch);
      };
    }
    const names = new Map(type.branches.map((branch, i) => [this.positional ? branch.number : branch.name, i]));
    return () => {
      const { head } = this;
      const { at, length } = head;
      if (head.kind !== (this.positional ? Kind.List : Kind.Map)) this.wrong(type);
      if (length >= 0 && length !== (this.positional ? 2 : 1)) input.fail("expected one branch of a union", at);
      this.wire.head(input, head);
      const isName = this.positional ? head.kind === Kind.Uint : head.kind === Kind.String;
      const name = !isName ? this.wrong(type) : this.positional ? input.unsigned : this.text();
      const branch = names.get(name);
      if (branch === undefined) return input.fail(`union ${type.name} has no branch ${JSON.stringify(name)}`, at);
      input.enter();
      values[branch]!();
      input.leave();
      if (length < 0 && this.more(length, 0)) input.fail("expected one branch of a union", at);
      builder.choose(branch);
    };
  }

  /** A value of any type, whose head was read. */
  any(): unknown {
    const { head } = this;
    const { input } = this.job;
    const { length } = head;
    switch (head.kind) {
      case Kind.Null:
        return null;
      case Kind.Bool:
        return head.number === 1;
      case Kind.Uint:
      case Kind.Negative: {
        const number = head.kind === Kind.Uint ? input.unsigned : input.signed;
        if (Number.isSafeInteger(number) || this.job.builders.context.integers === "number") return number;
        const high = head.kind === Kind.Uint ? input.high >>> 0 : input.high;
        return BigInt(high) * 4294967296n + BigInt(input.low >>> 0);
      }
      case Kind.Float:
        return head.number;
      case Kind.String:
        return this.text();
      case Kind.Bytes:
        return toBase64(this.bytes(Kind.Bytes));
      case Kind.List: {
        const list: unknown[] = [];
        if (length >= 0) input.count(length);
        input.enter();
        while (this.more(length, list.length)) {
          this.wire.head(input, head);
          list.push(this.any());
        }
        input.leave();
        return list;
      }
      case Kind.Map: {
        const made = {};
        if (length >= 0) input.count(length, 2);
        input.enter();
        for (let done = 0; this.more(length, done); done++) {
          this.wire.head(input, head);
          const { at } = head;
          if (head.kind !== Kind.String) input.fail("JSON has no keys that are no texts", at);
          const name = this.text();
          if (Object.hasOwn(made, name)) input.fail(`the key ${JSON.stringify(name)} comes twice`, at);
          this.wire.head(input, head);
          put(made, name, this.any());
        }
        input.leave();
        return made;
      }
      default:
        return input.fail(`JSON has no ${KINDS[head.kind]}`, head.at);
    }
  }
}

function isInteger({ kind }: Head): boolean {
  return kind === Kind.Uint || kind === Kind.Negative;
}
