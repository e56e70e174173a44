import { type Context, TextBuilder } from "../columns/build.js";
import type { Column, Numbers } from "../columns/column.js";
import { ListColumn, MaybeColumn, NULL, PRESENT, RecordColumn } from "../columns/nested.js";
import { LongColumn, NumberColumn } from "../columns/numbers.js";
import { FixedColumn, TextColumn } from "../columns/text.js";
import { DecodeError, within } from "../errors.js";
import type { Field, FixedType, ListType, RecordType, Type } from "../schema.js";
import { join } from "./split.js";
import type { Step } from "./steps.js";
import type { Column as Plan } from "./types.js";

/** Undoes a shape: a column of the shaped type becomes one of the type before. */
export function undo(step: Step, column: Column, type: Type, plans: Plan[] | undefined): Column {
  switch (step.shape) {
    case "decimal":
    case "fixed-point":
      return type.kind === "float" ? doubles(column, type, step.params.scale) : texts(column, type, step.params.scale);
    case "columns":
      return rows(column as RecordColumn, type as ListType, plans!);
    case "concat":
      return concat(column as TextColumn, type as ListType);
    case "dictionary":
      return dictionary(column as RecordColumn, type as ListType);
    case "delta":
      return delta(column as ListColumn, type as ListType);
    case "xor":
      return xor(column as ListColumn, type as ListType);
    case "split":
      return split(column as TextColumn, type as ListType, step.params.planes);
    default:
      // UUIDs, instants, days and enums are columns whose values are the texts.
      return column;
  }
}

function doubles(column: Column, type: Type, scale: number): Column {
  const numbers = column instanceof LongColumn ? column.toNumbers() : (column as NumberColumn).values;
  const values = numbers instanceof Float64Array ? numbers : new Float64Array(numbers.length);
  const power = 10 ** scale;
  // A quotient of two exact doubles is the nearest one, which a product with the inverse is not.
  for (let i = 0; i < values.length; i++) values[i] = numbers[i]! / power;
  return new NumberColumn(type, values);
}

const NOTHING: Context = { bytes: new Uint8Array(0), integers: "number" };

function texts(column: Column, type: Type, scale: number): Column {
  const builder = new TextBuilder(type, NOTHING);
  const values = (column as NumberColumn | LongColumn).values;
  for (let i = 0; i < values.length; i++) {
    const value = BigInt(values[i]!);
    const digits = `${value < 0n ? -value : value}`.padStart(scale + 1, "0");
    const whole = digits.slice(0, digits.length - scale);
    builder.put(`${value < 0n ? "-" : ""}${whole}${scale > 0 ? `.${digits.slice(digits.length - scale)}` : ""}`);
  }
  return builder.finish();
}

function rows(column: RecordColumn, type: ListType, plans: Plan[]): Column {
  const record = type.item as RecordType;
  if (plans.length === 0) return counted(column, type, record);
  const lists = column.children as ListColumn[];
  const { offsets } = lists[0]!;
  for (const [f, list] of lists.entries()) {
    for (let i = 1; i < offsets.length; i++) {
      if (list.offsets[i] === offsets[i]) continue;
      const name = column.type.fields[f]!.name;
      throw new DecodeError(`columns differ in length: ${column.type.fields[0]!.name} and ${name}`);
    }
  }
  const children: Column[] = [];
  let extra = plans.length;
  for (const [f, plan] of plans.entries()) {
    const { items } = lists[f]!;
    const states = plan.states === undefined ? undefined : (lists[extra++]!.items as NumberColumn);
    children.push(member(record.fields[f]!, plan, items, states));
  }
  return new ListColumn(type, offsets, new RecordColumn(record, offsets.at(-1)!, children));
}

/** The column of a field, of the items of its list and, if there is one, its list of states. */
function member(field: Field, plan: Plan, items: Column, list: NumberColumn | undefined): Column {
  if (!list) {
    // The list has null for what is absent.
    if (!plan.boxed || field.nullable) return items;
    const { states, inner } = items as MaybeColumn;
    const absent = states.map((state) => (state === NULL ? 0 : state));
    return new MaybeColumn(field.type, absent, inner);
  }
  const states = Uint8Array.from(list.values);
  const inner = plan.boxed ? (items as MaybeColumn) : undefined;
  for (let i = 0; i < states.length; i++) {
    if (states[i]! > PRESENT || (inner && (states[i] === PRESENT) !== (inner.states[i] === PRESENT))) {
      throw new DecodeError(`${states[i]} is no state of this value`).in(`[${i}]`).in(`.${plan.states}`);
    }
  }
  return new MaybeColumn(field.type, states, inner?.inner ?? items);
}

/** Records without any fields. */
const MOST_EMPTY = 1 << 20;

function counted(column: RecordColumn, type: ListType, record: RecordType): Column {
  const counts = (column.children[0] as NumberColumn).values;
  const offsets = new Uint32Array(counts.length + 1);
  let all = 0;
  for (let i = 0; i < counts.length; i++) {
    all += counts[i]!;
    if (all > MOST_EMPTY) throw new DecodeError(`there are more than ${MOST_EMPTY} records without any bytes`);
    offsets[i + 1] = all;
  }
  return new ListColumn(type, offsets, new RecordColumn(record, all, []));
}

function dictionary(column: RecordColumn, type: ListType): Column {
  const [values, numbers] = column.children as [ListColumn, ListColumn];
  const texts = values.items as TextColumn;
  const places = (numbers.items as NumberColumn).values;
  const starts = new Uint32Array(places.length);
  const ends = new Uint32Array(places.length);
  for (let row = 0; row < column.length; row++) {
    const first = values.offsets[row]!;
    const count = values.offsets[row + 1]! - first;
    for (let i = numbers.offsets[row]!; i < numbers.offsets[row + 1]!; i++) {
      const place = places[i]!;
      if (place >= count) {
        const error = new DecodeError(`there is no text ${place} among ${count}`);
        throw within(error, `.numbers[${i - numbers.offsets[row]!}]`);
      }
      starts[i] = texts.starts[first + place]!;
      ends[i] = texts.ends[first + place]!;
    }
  }
  return new ListColumn(type, numbers.offsets, new TextColumn(type.item, texts.bytes, starts, ends));
}

function delta({ offsets, items }: ListColumn, type: ListType): Column {
  const signed = type.item.kind === "int" && type.item.signed;
  if (items instanceof LongColumn) {
    const words = items.words.slice();
    for (let row = 0; row + 1 < offsets.length; row++) {
      let low = 0;
      let high = 0;
      for (let i = 2 * offsets[row]!; i < 2 * offsets[row + 1]!; i += 2) {
        const sum = (low >>> 0) + (words[i]! >>> 0);
        high = (high + words[i + 1]! + (sum > 4294967295 ? 1 : 0)) | 0;
        low = sum | 0;
        words[i] = low;
        words[i + 1] = high;
      }
    }
    const values = signed ? new BigInt64Array(words.buffer) : new BigUint64Array(words.buffer);
    return new ListColumn(type, offsets, new LongColumn(type.item, values, items.exact ? "exact" : "number"));
  }
  const { values } = items as NumberColumn;
  const bits = 8 * values.BYTES_PER_ELEMENT;
  const Unsigned = bits === 8 ? Uint8Array : bits === 16 ? Uint16Array : Uint32Array;
  const out: Numbers = signed ? values.slice() : new Unsigned(values);
  for (let row = 0; row + 1 < offsets.length; row++) {
    let last = 0;
    // What is read back has wrapped.
    for (let i = offsets[row]!; i < offsets[row + 1]!; i++) {
      out[i] = last + out[i]!;
      last = out[i]!;
    }
  }
  return new ListColumn(type, offsets, new NumberColumn(type.item, out));
}

function xor({ offsets, items }: ListColumn, type: ListType): Column {
  const stride = items instanceof LongColumn ? 2 : 1;
  const words = items instanceof LongColumn ? items.words.slice() : new Int32Array((items as NumberColumn).values);
  for (let row = 0; row + 1 < offsets.length; row++) {
    for (let i = stride * (offsets[row]! + 1); i < stride * offsets[row + 1]!; i++) words[i]! ^= words[i - stride]!;
  }
  const values = stride === 2 ? new Float64Array(words.buffer) : new Float32Array(words.buffer);
  return new ListColumn(type, offsets, new NumberColumn(type.item, values));
}

/** Where the lists begin whose elements, of a fixed size, are the bytes of the rows. */
function counts(column: TextColumn, size: number, what: string): Uint32Array {
  const offsets = new Uint32Array(column.length + 1);
  for (let row = 0; row < column.length; row++) {
    const length = column.ends[row]! - column.starts[row]!;
    if (length % size !== 0)
      throw new DecodeError(`${length} bytes are no ${what} of ${size} bytes`, column.starts[row]);
    offsets[row + 1] = offsets[row]! + length / size;
  }
  return offsets;
}

function concat(column: TextColumn, type: ListType): Column {
  const { size } = type.item as FixedType;
  const offsets = counts(column, size, "values");
  // The bytes of one list are a column as they lie.
  const bytes = column.length === 1 ? column.bytesAt(0) : column.compact().bytes;
  return new ListColumn(type, offsets, new FixedColumn(type.item, size, bytes, 0, size, offsets.at(-1)!));
}

function split(column: TextColumn, type: ListType, planes?: number): Column {
  const size = type.item.kind === "float" && type.item.bits === 32 ? 4 : 8;
  const offsets = counts(column, size, "floats");
  const words = new Int32Array((offsets.at(-1)! * size) / 4);
  for (let row = 0; row < column.length; row++) {
    const first = offsets[row]!;
    join(column.bytes, column.starts[row]!, offsets[row + 1]! - first, size, planes ?? size, words, first);
  }
  const values = size === 4 ? new Float32Array(words.buffer) : new Float64Array(words.buffer);
  return new ListColumn(type, offsets, new NumberColumn(type.item, values));
}
