import {
  type Builder,
  FixedBuilder,
  LongBuilder,
  type NumberBuilder,
  type TextBuilder,
  type ValueBuilder,
} from "../../columns/build.js";
import {
  BoxBuilder,
  type ListBuilder,
  type MapBuilder,
  MaybeBuilder,
  type RecordBuilder,
  type UnionBuilder,
} from "../../columns/nest.js";
import { boxed, type Job, type Read } from "../../decode.js";
import { DecodeError, within } from "../../errors.js";
import { doubles, words } from "../../lanes.js";
import type { Field, RecordType, Type, UnionType } from "../../schema.js";
import { readAny } from "../protobuf/scalars.js";
import { layout, type Node, POINTER, type Slot, type Union, VOID } from "./layout.js";
import { element, isList, type List, Message, NOTHING, type Struct, unpack } from "./message.js";

type ReadStruct = (struct: Struct) => void;
/** Reads a member of a struct; false if there is nothing. */
type ReadMember = (struct: Struct) => boolean;

export class Reader {
  readonly message: Message;
  readonly #scratch = new DataView(new ArrayBuffer(8));

  constructor(
    readonly job: Job,
    readonly packed: boolean,
  ) {
    this.message = new Message(job.input);
  }

  root(type: Type, builder: Builder): Read {
    const { input, builders } = this.job;
    let read: ReadStruct;
    if (isStruct(type)) read = this.struct(type, builder);
    else {
      const slot = slotOf(type, 1);
      layout([slot]);
      const member = this.slot(slot, type, builder);
      read = (struct) => {
        if (!member(struct)) this.absent(type, builder)();
      };
    }
    return () => {
      if (this.packed) {
        const bytes = unpack(input);
        input.begin(bytes);
        builders.context.bytes = bytes;
      }
      this.message.begin();
      const { root } = this.message;
      const target = this.message.follow(root.pointers, 0);
      if (target && isList(target)) input.fail("the root is a list", root.pointers);
      read((target as Struct | undefined) ?? NOTHING);
    };
  }

  /** The reader of a struct: of a record, a union, or what may be null. */
  struct(type: Type, builder: Builder): ReadStruct {
    const { input } = this.job;
    if (builder instanceof BoxBuilder) {
      let struct = NOTHING;
      const read = boxed(this.job, type, builder, (type, inner) => {
        const whole = this.struct(type, inner);
        return () => whole(struct);
      });
      return (at) => {
        struct = at;
        read();
      };
    }
    if (type.kind === "record") return this.record(builder as RecordBuilder);
    if (type.kind === "union") {
      const node = unionOf(type, 1, false);
      layout(flat([node]));
      const read = this.union(node, type, builder as UnionBuilder);
      return (struct) => void read(struct);
    }
    if (type.kind !== "nullable") throw new DecodeError(`a ${type.kind} is no struct`);
    const maybe = builder as MaybeBuilder;
    const nodes = memberOf(type.inner, 1, true);
    layout(flat([nodes]));
    const read = this.member(nodes, type.inner, maybe.inner);
    return (struct) => {
      input.enter();
      if (read(struct)) maybe.present();
      else maybe.null();
      input.leave();
    };
  }

  record(builder: RecordBuilder): ReadStruct {
    const { input } = this.job;
    const { type } = builder;
    check(type);
    const nodes: (Node | Node[])[] = [];
    const steps: ((struct: Struct) => void)[] = [];
    const planned: (() => void)[] = [];
    for (const [f, field] of type.fields.entries()) {
      const { oneof } = field;
      if (oneof === undefined) {
        const node = memberOf(field.type, field.number, field.optional || field.nullable);
        nodes.push(node);
        planned.push(() => steps.push(this.field(field, f, builder, node)));
      } else if (type.fields.findIndex((other) => other.oneof === oneof) === f) {
        // A oneof lies where its first member is.
        const positions = type.fields.map((_, i) => i).filter((i) => type.fields[i]!.oneof === oneof);
        const union = oneofNode(type, oneof, positions);
        nodes.push(union);
        planned.push(() => steps.push(this.oneof(type, oneof, positions, builder, union)));
      }
    }
    layout(flat(nodes));
    for (const plan of planned) plan();
    return (struct) => {
      input.enter();
      for (const step of steps) step(struct);
      input.leave();
      builder.end(struct.data);
    };
  }

  field(field: Field, f: number, builder: RecordBuilder, node: Node | Node[]): ReadStruct {
    const whole = builder.children[f]!;
    const maybe = whole instanceof MaybeBuilder ? whole : undefined;
    const read = this.member(node, field.type, maybe?.inner ?? whole, maybe ? undefined : field.default);
    const absent = this.absent(field.type, maybe?.inner ?? whole);
    return (struct) => {
      try {
        if (read(struct)) maybe?.present();
        else if (field.optional) maybe!.absent();
        else if (field.nullable) maybe!.null();
        else if (field.default !== undefined) whole.put(field.default);
        else absent();
      } catch (error) {
        throw within(error, `.${field.name}`);
      }
    };
  }

  oneof(type: RecordType, oneof: number, positions: number[], builder: RecordBuilder, node: Node[]): ReadStruct {
    const { input } = this.job;
    const union = node.find((one): one is Union => one.kind === "union");
    const { required } = type.oneofs[oneof]!;
    const extra = required ? 0 : 1;
    const arms = positions.map((f, i) => {
      const field = type.fields[f]!;
      const maybe = builder.children[f] as MaybeBuilder;
      const slot = (union ? union.members[i + extra] : node[0]) as Slot;
      const boxes = field.nullable && sizeOf(field.type) !== POINTER;
      const absent = this.absent(field.type, maybe.inner);
      const read = boxes
        ? this.pointerTo({ kind: "nullable", inner: field.type, notes: {} }, maybe)
        : this.slot(slot, field.type, maybe.inner);
      return (struct: Struct) => {
        if (boxes) {
          // A nullable scalar is a struct of its own here, which says whether it is there.
          if (this.message.isNull(struct, slot.offset)) maybe.null();
          else (read as (at: number, segment: number) => boolean)(struct.pointers + 8 * slot.offset, struct.segment);
        } else if ((read as ReadMember)(struct)) maybe.present();
        else if (field.nullable) maybe.null();
        else {
          absent();
          maybe.present();
        }
      };
    });
    return (struct) => {
      const value = union ? this.bits16(struct, union.discriminant) : 0;
      const member = union ? union.values.indexOf(value) - extra : 0;
      if (union && member < -extra)
        input.fail(`the oneof ${type.oneofs[oneof]!.name} has no member ${value}`, struct.data);
      for (const [i, f] of positions.entries()) {
        if (i !== member) (builder.children[f] as MaybeBuilder).absent();
        else
          try {
            arms[i]!(struct);
          } catch (error) {
            throw within(error, `.${type.fields[f]!.name}`);
          }
      }
    };
  }

  /** A value that has no place of its own: a field, what may be nothing, or a union. */
  member(node: Node | Node[], type: Type, builder: Builder, value?: unknown): ReadMember {
    const { input } = this.job;
    if (type.kind === "union" && !(!Array.isArray(node) && node.kind === "slot")) {
      if (builder instanceof BoxBuilder) throw new DecodeError("a union that contains itself is not supported here");
      return this.union(node, type, builder as UnionBuilder);
    }
    if (Array.isArray(node)) throw new DecodeError("a group is not supported");
    if (node.kind === "slot") return this.slot(node, type, builder, value);
    const read = this.slot(node.members[1] as Slot, type, builder);
    return (struct) => {
      const found = this.bits16(struct, node.discriminant);
      if (found > 1) input.fail(`an optional field has no member ${found}`, struct.data);
      return found === node.values[1] && read(struct);
    };
  }

  union(node: Node | Node[], type: UnionType, builder: UnionBuilder): ReadMember {
    const { input } = this.job;
    const union = Array.isArray(node) ? undefined : (node as Union);
    const members = Array.isArray(node) ? node : union!.members;
    const order = type.branches.map((_, i) => i).sort((a, b) => type.branches[a]!.number - type.branches[b]!.number);
    const extra = members.length - order.length;
    const arms = order.map((position, i) => {
      const branch = type.branches[position]!;
      const inner = builder.branches[position]!;
      const read = this.slot(members[i + extra] as Slot, branch.type, inner);
      const absent = this.absent(branch.type, inner);
      return (struct: Struct) => {
        if (!read(struct)) absent();
        builder.choose(position);
      };
    });
    return (struct) => {
      const value = union ? this.bits16(struct, union.discriminant) : 0;
      const member = union ? union.values.indexOf(value) : 0;
      if (member < 0) input.fail(`union ${type.name} has no member ${value}`, struct.data);
      if (member < extra) return false;
      arms[member - extra]!(struct);
      return true;
    };
  }

  bits16(struct: Struct, offset: number): number {
    return 16 * offset + 16 > struct.bits ? 0 : this.job.input.view.getUint16(struct.data + 2 * offset, true);
  }

  slot(slot: Slot, type: Type, builder: Builder, value?: unknown): ReadMember {
    if (slot.size === VOID) {
      return () => {
        builder.skip();
        return true;
      };
    }
    const { offset, size } = slot;
    if (size === POINTER) {
      const read = this.pointerTo(type, builder);
      return (struct) => offset < struct.count && read(struct.pointers + 8 * offset, struct.segment);
    }
    const read = this.data(type, builder, value);
    return (struct) => {
      // Behind the end of a shorter struct are zeros.
      const bit = offset << size;
      read(bit + (1 << size) > struct.bits ? -1 : struct.data + (bit >> 3), bit & 7);
      return true;
    };
  }

  /** Reads a scalar at a byte, or zero at -1; what is written is inverted where the default has bits. */
  data(type: Type, builder: Builder, value?: unknown): (at: number, bit: number) => void {
    const { input } = this.job;
    const numbers = builder as NumberBuilder;
    const enumerator = (position: number, at: number) => {
      if (type.kind !== "enum") return;
      const symbol = type.symbols[position];
      if (!symbol && type.closed) input.fail(`enum ${type.name} has no symbol ${position}`, at);
      numbers.push(symbol ? symbol.number : position);
    };
    if (value !== undefined && !Object.is(value, 0) && value !== false)
      return this.inverted(type, builder, value, enumerator);
    switch (type.kind) {
      case "bool":
        return (at, bit) => numbers.push(at < 0 ? 0 : (input.bytes[at]! >> bit) & 1);
      case "enum":
        return (at) => enumerator(at < 0 ? 0 : input.view.getUint16(at, true), at);
      case "float":
        if (type.bits === 64) return (at) => numbers.push(at < 0 ? 0 : input.view.getFloat64(at, true));
        return (at) => numbers.push(at < 0 ? 0 : input.view.getFloat32(at, true));
      case "int": {
        if (builder instanceof LongBuilder) {
          return (at) => {
            if (at < 0) builder.push(0, 0);
            else builder.push(input.view.getInt32(at, true), input.view.getInt32(at + 4, true));
          };
        }
        const get = `get${type.signed ? "Int" : "Uint"}${type.bits}` as "getInt32";
        return (at) => numbers.push(at < 0 ? 0 : input.view[get](at, true));
      }
      default:
        throw new DecodeError(`a ${type.kind} is no scalar`);
    }
  }

  inverted(type: Type, builder: Builder, value: unknown, enumerator: (position: number, at: number) => void) {
    const { input } = this.job;
    const scratch = this.#scratch;
    const numbers = builder as NumberBuilder;
    const bits = type.kind === "int" || type.kind === "float" ? type.bits : type.kind === "enum" ? 16 : 1;
    scratch.setBigUint64(0, 0n);
    if (type.kind === "float" && bits === 64) scratch.setFloat64(0, Number(value), true);
    else if (type.kind === "float") scratch.setFloat32(0, Number(value), true);
    else if (type.kind === "enum") {
      // The first symbol of its number is what is written.
      const named = type.symbols.find(({ name }) => name === value);
      const ordinal = type.symbols.findIndex(({ number }) => number === named?.number);
      scratch.setUint16(0, ordinal, true);
    } else scratch.setBigInt64(0, BigInt(value as number), true);
    const invert = scratch.getBigUint64(0, true) & ((1n << BigInt(bits)) - 1n);
    return (at: number, bit: number) => {
      let found = 0n;
      for (let i = Math.max(bits / 8, 1) - 1; at >= 0 && i >= 0; i--)
        found = (found << 8n) | BigInt(input.bytes[at + i]!);
      if (bits === 1) found = (found >> BigInt(bit)) & 1n;
      scratch.setBigUint64(0, found ^ invert, true);
      if (type.kind === "enum") enumerator(scratch.getUint16(0, true), at);
      else if (type.kind === "float")
        numbers.push(bits === 64 ? scratch.getFloat64(0, true) : scratch.getFloat32(0, true));
      else if (builder instanceof LongBuilder) builder.push(scratch.getInt32(0, true), scratch.getInt32(4, true));
      else if (type.kind === "bool") numbers.push(scratch.getUint8(0));
      else
        numbers.push(
          scratch[`get${type.kind === "int" && !type.signed ? "Uint" : "Int"}${bits}` as "getInt32"](0, true),
        );
    };
  }

  /** What a required value is whose pointer is null. */
  absent(type: Type, builder: Builder): () => void {
    let struct: ReadStruct | undefined;
    return () => {
      if (type.kind === "record" || type.kind === "union") {
        this.message.spend(1, 0);
        struct ??= this.struct(type, builder);
        this.job.input.enter();
        struct(NOTHING);
        this.job.input.leave();
      } else if (type.kind === "any") (builder as ValueBuilder).push(null);
      else if (type.kind === "nullable") (builder as MaybeBuilder).null();
      else builder.skip();
    };
  }

  /** Reads what a pointer leads to; false if it is null. */
  pointerTo(type: Type, builder: Builder): (at: number, segment: number) => boolean {
    const { input } = this.job;
    const { message } = this;
    if (isStruct(type)) {
      let struct: ReadStruct | undefined;
      struct = this.struct(type, builder);
      return (at, segment) => {
        const target = message.follow(at, segment);
        if (!target) return false;
        if (isList(target)) return input.fail("expected a struct, found a list", at);
        struct!(target);
        return true;
      };
    }
    const read = this.list(type, builder);
    return (at, segment) => {
      const target = message.follow(at, segment);
      if (!target) return false;
      if (!isList(target)) return input.fail("expected a list, found a struct", at);
      read(target, at);
      return true;
    };
  }

  /** The reader of texts, bytes, lists and maps. */
  list(type: Type, builder: Builder): (list: List, at: number) => void {
    const { input } = this.job;
    switch (type.kind) {
      case "string":
      case "any":
        return (list, at) => {
          const end = list.start + list.count - 1;
          const isText = !list.composite && list.bits === 8 && list.count > 0 && input.bytes[end] === 0;
          if (!isText) input.fail("expected a text, which ends with a zero byte", at);
          if (type.kind === "string") return (builder as TextBuilder).push(list.start, end);
          const { pos } = input;
          input.pos = list.start;
          readAny(input, builder as ValueBuilder, list.count - 1);
          input.pos = pos;
        };
      case "bytes":
      case "fixed":
        return (list, at) => {
          if (list.composite || list.bits !== 8) input.fail("expected bytes", at);
          if (type.kind !== "fixed") return (builder as TextBuilder).push(list.start, list.start + list.count);
          if (list.count !== type.size) input.fail(`expected ${type.size} bytes, found ${list.count}`, at);
          (builder as FixedBuilder).push(input.bytes, list.start);
        };
      case "list":
        return this.items(type.item, builder as ListBuilder);
      case "map":
        return this.map(builder as MapBuilder);
      default:
        throw new DecodeError(`a ${type.kind} is no list`);
    }
  }

  items(item: Type, builder: ListBuilder): (list: List, at: number) => void {
    const { input } = this.job;
    const { message } = this;
    const { items } = builder;
    const size = sizeOf(item);
    const each = (count: number, read: (i: number) => void) => {
      input.enter();
      for (let i = 0; i < count; i++) {
        try {
          read(i);
        } catch (error) {
          throw within(error, `[${i}]`);
        }
      }
      input.leave();
      builder.end();
    };
    if (isStruct(item)) {
      const read = this.struct(item, items);
      return (list, at) => {
        if (list.bits === 1) input.fail("expected a list of structs", at);
        each(list.count, (i) => read(element(list, i)));
      };
    }
    if (size === VOID) return (list) => each(list.count, () => items.skip());
    if (size === POINTER) {
      const read = this.pointerTo(item, items);
      const absent = this.absent(item, items);
      return (list, at) => {
        if (list.pointers === 0 && list.count > 0) input.fail("expected a list of pointers", at);
        if (items instanceof FixedBuilder && !list.composite) {
          const alike = message.alike(list, items.size);
          if (alike) {
            items.adopt(input.bytes, alike.start, alike.stride, list.count);
            return builder.end();
          }
        }
        each(list.count, (i) => {
          if (!read(element(list, i).pointers, list.segment)) absent();
        });
      };
    }
    const read = this.data(item, items);
    return (list, at) => {
      const bits = 1 << size;
      if (list.count > 0 && (list.composite ? list.bits < bits : list.bits !== bits))
        input.fail("a list has elements of another size", at);
      if (item.kind === "float" && bits === 64 && !list.composite) {
        const { pos } = input;
        input.pos = list.start;
        (items as NumberBuilder).adopt(doubles(input, 8 * list.count));
        input.pos = pos;
        return builder.end();
      }
      if (items instanceof LongBuilder && !list.composite) {
        const { pos } = input;
        input.pos = list.start;
        items.adopt(words(input, 8 * list.count));
        input.pos = pos;
        return builder.end();
      }
      each(list.count, (i) => {
        const bit = i * list.stride;
        read(list.start + Math.floor(bit / 8), bit % 8);
      });
    };
  }

  map(builder: MapBuilder): (list: List, at: number) => void {
    const { input } = this.job;
    const { key, value } = builder.type;
    const maybe = value.kind === "nullable" ? (builder.values as MaybeBuilder) : undefined;
    const inner = value.kind === "nullable" ? value.inner : value;
    const keyNode = slotOf(key, 1);
    const valueNode = maybe && sizeOf(inner) !== POINTER ? maybeNode(inner, 2) : slotOf(inner, 2);
    layout([keyNode, valueNode]);
    const readKey = this.slot(keyNode, key, builder.keys);
    const readValue = this.member(valueNode, inner, maybe?.inner ?? builder.values);
    const noKey = this.absent(key, builder.keys);
    const noValue = this.absent(inner, builder.values);
    return (list, at) => {
      if (list.bits === 1) input.fail("expected a list of entries", at);
      input.enter();
      for (let i = 0; i < list.count; i++) {
        const struct = element(list, i);
        if (!readKey(struct)) noKey();
        const there = readValue(struct);
        if (maybe) there ? maybe.present() : maybe.null();
        else if (!there) noValue();
      }
      input.leave();
      builder.end();
    };
  }
}

function isStruct(type: Type): boolean {
  return type.kind === "record" || type.kind === "union" || type.kind === "nullable";
}

/** What values of a type take in a struct. */
function sizeOf(type: Type): number {
  switch (type.kind) {
    case "null":
      return VOID;
    case "bool":
      return 0;
    case "int":
    case "float":
      return Math.log2(type.bits);
    case "enum":
      return 4;
    default:
      return POINTER;
  }
}

function slotOf(type: Type | undefined, number: number): Slot {
  return { kind: "slot", number, size: type ? sizeOf(type) : VOID, offset: 0 };
}

function unionNode(members: Node[]): Node | Node[] {
  // A union of one is no union to the compiler: it is a group.
  return members.length === 1 ? members : { kind: "union", members, discriminant: 0, values: [] };
}

/** A union of nothing and a value. */
function maybeNode(type: Type, number: number): Node {
  return unionNode([slotOf(undefined, number), slotOf(type, number)]) as Node;
}

function unionOf(type: UnionType, number: number, maybe: boolean): Node | Node[] {
  const branches = [...type.branches].sort((a, b) => a.number - b.number).map((branch) => slotOf(branch.type, number));
  return unionNode(maybe ? [slotOf(undefined, number), ...branches] : branches);
}

function memberOf(type: Type, number: number, maybe: boolean): Node | Node[] {
  if (type.kind === "union") return unionOf(type, number, maybe);
  return maybe && sizeOf(type) !== POINTER ? maybeNode(type, number) : slotOf(type, number);
}

function oneofNode(type: RecordType, oneof: number, positions: number[]): Node[] {
  const fields = positions.map((f) => type.fields[f]!);
  const members: Node[] = [];
  if (!type.oneofs[oneof]!.required) members.push(slotOf(undefined, Math.min(...fields.map(({ number }) => number))));
  for (const field of fields) {
    const boxes = field.nullable && sizeOf(field.type) !== POINTER;
    members.push(boxes ? { ...slotOf(field.type, field.number), size: POINTER } : slotOf(field.type, field.number));
  }
  const node = unionNode(members);
  return Array.isArray(node) ? node : [node];
}

function flat(nodes: (Node | Node[])[]): Node[] {
  return nodes.flat();
}

/** What this client does not know of files in the language itself. */
function check(type: RecordType): void {
  const notes = [type.notes, ...type.fields.map((field) => field.notes), ...type.oneofs.map((oneof) => oneof.notes)];
  for (const key of ["capnp.group", "capnp.skipped", "capnp.unnamed", "capnp.number", "capnp.default"]) {
    if (notes.some((notes) => notes[key] !== undefined)) {
      throw new DecodeError(`${key} of ${type.name} is not supported by this client: ask for another format`);
    }
  }
}
