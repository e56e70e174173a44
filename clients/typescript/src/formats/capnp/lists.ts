import { type Builder, FixedBuilder, LongBuilder, type NumberBuilder, type TextBuilder } from "../../columns/build.js";
import type { ListBuilder, MapBuilder, MaybeBuilder } from "../../columns/nest.js";
import type { ValueBuilder } from "../../columns/values.js";
import { DecodeError, within } from "../../errors.js";
import { doubles, words } from "../../lanes.js";
import type { Type } from "../../schema.js";
import { readAny } from "../protobuf/scalars.js";
import { rowsArm } from "./arm.js";
import { dataOf } from "./data.js";
import { layout, POINTER, VOID } from "./layout.js";
import { element, type List } from "./message.js";
import { isStruct, maybeNode, sizeOf, slotOf } from "./nodes.js";
import type { Reader } from "./read.js";

type ReadList = (list: List, at: number) => void;

/** The reader of texts, bytes, lists and maps. */
export function listOf(reader: Reader, type: Type, builder: Builder): ReadList {
  const { input } = reader.job;
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
      return itemsOf(reader, type.item, builder as ListBuilder);
    case "map":
      return mapOf(reader, builder as MapBuilder);
    default:
      throw new DecodeError(`a ${type.kind} is no list`);
  }
}

function itemsOf(reader: Reader, item: Type, builder: ListBuilder): ReadList {
  const { message } = reader;
  const { input } = reader.job;
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
    const read = reader.struct(item, items);
    const arm = rowsArm(reader.job, items, message.limits);
    return (list, at) => {
      if (list.bits === 1) input.fail("expected a list of structs", at);
      message.choose(list.segment);
      const fits = list.bits === 64 * (arm?.words ?? -1) && list.pointers === arm?.pointers;
      input.enter();
      for (let i = 0; i < list.count; i++) {
        try {
          if (fits) i += arm!.read(list.start + (i * list.stride) / 8, list.count - i);
          if (i < list.count) read(element(list, i));
        } catch (error) {
          throw within(error, `[${i}]`);
        }
      }
      input.leave();
      builder.end();
    };
  }
  if (size === VOID) return (list) => each(list.count, () => items.skip());
  if (size === POINTER) {
    const read = reader.pointerTo(item, items);
    const absent = reader.absent(item, items);
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
  const read = dataOf(input, item, items);
  return (list, at) => {
    const bits = 1 << size;
    if (list.count > 0 && (list.composite ? list.bits < bits : list.bits !== bits))
      input.fail("a list has elements of another size", at);
    if (!list.composite && (items instanceof LongBuilder || (item.kind === "float" && bits === 64))) {
      const { pos } = input;
      input.pos = list.start;
      if (items instanceof LongBuilder) items.adopt(words(input, 8 * list.count));
      else (items as NumberBuilder).adopt(doubles(input, 8 * list.count));
      input.pos = pos;
      return builder.end();
    }
    each(list.count, (i) => {
      const bit = i * list.stride;
      read(list.start + Math.floor(bit / 8), bit % 8);
    });
  };
}

function mapOf(reader: Reader, builder: MapBuilder): ReadList {
  const { input } = reader.job;
  const { key, value } = builder.type;
  const maybe = value.kind === "nullable" ? (builder.values as MaybeBuilder) : undefined;
  const inner = value.kind === "nullable" ? value.inner : value;
  const keyNode = slotOf(key, 1);
  const valueNode = maybe && sizeOf(inner) !== POINTER ? maybeNode(inner, 2) : slotOf(inner, 2);
  layout([keyNode, valueNode]);
  const readKey = reader.slot(keyNode, key, builder.keys);
  const readValue = reader.member(valueNode, inner, maybe?.inner ?? builder.values);
  const noKey = reader.absent(key, builder.keys);
  const noValue = reader.absent(inner, builder.values);
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
