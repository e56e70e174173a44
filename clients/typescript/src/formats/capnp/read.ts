import type { Builder } from "../../columns/build.js";
import { BoxBuilder, MaybeBuilder, type RecordBuilder, type UnionBuilder } from "../../columns/nest.js";
import type { ValueBuilder } from "../../columns/values.js";
import { boxed, type Job, type Read } from "../../decode.js";
import { DecodeError, within } from "../../errors.js";
import type { Field, RecordType, Type, UnionType } from "../../schema.js";
import { dataOf } from "./data.js";
import { layout, type Node, POINTER, type Slot, type Union, VOID } from "./layout.js";
import { listOf } from "./lists.js";
import { isList, Message, NOTHING, type Struct } from "./message.js";
import { check, flat, isStruct, memberOf, oneofNode, sizeOf, slotOf, unionOf } from "./nodes.js";
import { unpack } from "./packed.js";

type ReadStruct = (struct: Struct) => void;
/** Reads a member of a struct; false if there is nothing. */
type ReadMember = (struct: Struct) => boolean;

export class Reader {
  readonly message: Message;

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
    const read = dataOf(this.job.input, type, builder, value);
    return (struct) => {
      // Behind the end of a shorter struct are zeros.
      const bit = offset << size;
      read(bit + (1 << size) > struct.bits ? -1 : struct.data + (bit >> 3), bit & 7);
      return true;
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
    const read = listOf(this, type, builder);
    return (at, segment) => {
      const target = message.follow(at, segment);
      if (!target) return false;
      if (!isList(target)) return input.fail("expected a list, found a struct", at);
      read(target, at);
      return true;
    };
  }
}
