import { type Builder, FixedBuilder, LongBuilder, NumberBuilder, TextBuilder } from "../../columns/build.js";
import { MaybeBuilder, RecordBuilder } from "../../columns/nest.js";
import type { Job } from "../../decode.js";
import { arm, isFlat, Rows } from "../../rows.js";
import { byNumber, type Field } from "../../schema.js";
import { encoder } from "../../text/bytes.js";
import { begin, type Wire } from "./wire.js";

type Arm = (most?: number) => number;

/** Reads the records of a list while they are as usual: see {@link Rows}. */
export function rowsArm(job: Job, wire: Wire, positional: boolean, items: Builder): Arm | undefined {
  if (!(items instanceof RecordBuilder) || !isFlat(items) || !fits(wire, positional, items)) return undefined;
  const rows = new Rows();
  new Writer(rows, wire, positional).record(items);
  return arm(job, items, rows, items.type.name, wire.integer);
}

/** Whether the heads of records are one byte, and enums numbers. */
function fits(wire: Wire, positional: boolean, record: RecordBuilder): boolean {
  return (
    record.children.length <= (positional ? wire.list : wire.map)[1] &&
    record.children.every((child) => {
      const inner = child instanceof MaybeBuilder ? child.inner : child;
      if (inner instanceof RecordBuilder) return fits(wire, positional, inner);
      return inner.type.kind !== "enum" || positional;
    })
  );
}

class Writer {
  constructor(
    readonly rows: Rows,
    readonly wire: Wire,
    readonly positional: boolean,
  ) {}

  /** Reads a record behind these bytes, which were not looked at yet. */
  record(record: RecordBuilder, before: number[] = []): void {
    const { rows, wire } = this;
    const { fields } = record.type;
    if (this.positional) {
      let heads = [...before, wire.list[0] + fields.length];
      for (const position of byNumber(record.type)) {
        this.field(record, position, heads);
        heads = [];
      }
      return;
    }
    const order = fields.map((_, i) => i);
    if (wire.sorted) order.sort((a, b) => compare(this.key(fields[a]!), this.key(fields[b]!)));
    if (!fields.some((field) => field.optional)) {
      // All of them come: what is shorter than that ends the message too early, which the general reader finds.
      let heads = [...before, wire.map[0] + fields.length];
      for (const position of order) {
        this.field(record, position, [...heads, ...this.key(fields[position]!)]);
        heads = [];
      }
      return;
    }
    this.pass(before);
    const left = rows.fresh("z");
    rows.add(`let ${left}=b[q++]-${wire.map[0]};if(!(${left}>=0&&${left}<=${fields.length}))${rows.give};`);
    for (const position of order) {
      const field = fields[position]!;
      const key = this.key(field);
      rows.add(`if(${left}>0&&${same(key)}){q+=${key.length};${left}--;`);
      this.field(record, position, []);
      rows.add("}else{");
      if (field.optional) rows.state(record.children[position] as MaybeBuilder, 0);
      else rows.add(`${rows.give};`);
      rows.add("}");
    }
    rows.add(`if(${left}!==0)${rows.give};`);
  }

  key(field: Field): number[] {
    const name = encoder.encode(field.name);
    return [...begin(this.wire.text, name.length), ...name];
  }

  /** Passes over these bytes. */
  pass(bytes: number[]): void {
    if (bytes.length > 0) this.rows.add(`if(!(${words(bytes)}))${this.rows.give};q+=${bytes.length};`);
  }

  field(record: RecordBuilder, position: number, before: number[]): void {
    const { rows, wire } = this;
    const field = record.type.fields[position]!;
    const whole = record.children[position]!;
    rows.row(whole);
    if (!(whole instanceof MaybeBuilder)) return this.value(whole, before);
    const absent = this.positional && field.optional;
    this.pass(before);
    rows.add(`if(b[q]===${wire.nil}){q++;`);
    if (absent || field.nullable) rows.state(whole, absent ? 0 : 1);
    else rows.add(`${rows.give};`);
    rows.add("}else{");
    this.value(whole.inner, []);
    rows.state(whole, 2);
    rows.add("}");
  }

  value(builder: Builder, before: number[]): void {
    const { rows, wire } = this;
    const { type } = builder;
    if (builder instanceof RecordBuilder) return this.record(builder, before);
    if (builder instanceof TextBuilder) return this.text(builder, before);
    if (builder instanceof FixedBuilder) {
      const head = begin(wire.bytes, builder.size);
      if (builder.size > 255) return rows.add(`${rows.give};`);
      this.pass(before);
      rows.add(`if(!(${same(head)})||q+${head.length + builder.size}>e)${rows.give};q+=${head.length};`);
      rows.fixed(builder);
      return rows.add(`q+=${builder.size};`);
    }
    if (type.kind === "float" && !wire.sorted) {
      // There is one way to write it.
      this.pass([...before, type.bits === 64 ? wire.double : wire.single]);
      rows.number(builder as NumberBuilder, `v.getFloat${type.bits}(q)`);
      return rows.add(`q+=${type.bits / 8};`);
    }
    this.pass(before);
    if (type.kind === "bool") {
      rows.add(`x=b[q++]-${wire.no};if(x!==0&&x!==1)${rows.give};`);
      rows.number(builder as NumberBuilder, "x");
    } else if (type.kind === "float") {
      // As short as can be.
      const number = builder as NumberBuilder;
      const [head, bits] = type.bits === 64 ? [wire.double, 64] : [wire.single, 32];
      rows.add(`if(b[q]===${head}){`);
      rows.number(number, `v.getFloat${bits}(q+1)`);
      rows.add(`q+=${bits / 8 + 1}}`);
      if (bits === 64) {
        rows.add(`else if(b[q]===${wire.single}){`);
        rows.number(number, "v.getFloat32(q+1)");
        rows.add("q+=5}");
      }
      rows.add(`else ${rows.give};`);
    } else if (builder instanceof LongBuilder) {
      rows.add(`x=b[q];if(x<${wire.small}){q++;`);
      rows.long(builder, "x", "0", true);
      rows.add(`}else{q=V(b,q,R);if(q<0${builder.signed ? "" : "||R[1]<0"})${rows.give};`);
      rows.long(builder, "R[0]", "R[1]");
      rows.add("}");
    } else {
      rows.add(`x=b[q];if(x<${wire.small})q++;else{q=V(b,q,R);if(q<0)${rows.give};x=R[1]*4294967296+(R[0]>>>0)}`);
      rows.check(builder as NumberBuilder, "x");
      rows.number(builder as NumberBuilder, "x");
    }
  }

  /** Reads a text. Where enough bytes are the same before each, they and its length are compared with those of the last one. */
  text(builder: TextBuilder, before: number[]): void {
    const { rows, wire } = this;
    const [first, most, next] = builder.type.kind === "string" ? wire.text : wire.bytes;
    const head = `x=b[q++];l=x-${first};if(x===${next})l=b[q++];else if(!(l>=0&&l<=${most}))${rows.give};`;
    const more = before.length - 6;
    if (more < 0) {
      this.pass(before);
      rows.add(head);
    } else {
      const [last, length] = [rows.keep("d", NaN), rows.keep("r")];
      const rest = more > 0 ? `&&${words(before.slice(0, more))}` : "";
      rows.add(`if(q+${more + 8}<=e&&v.getFloat64(q+${more},true)===${last}${rest}){q+=${more + 8};l=${length}}else{`);
      this.pass(before);
      rows.add(`${head}if(x===${next}){${last}=v.getFloat64(q-8,true);${length}=l}}`);
    }
    rows.add(`k=q+l;if(!(k<=e))${rows.give};`);
    rows.text(builder, "q", "k");
    rows.add("q=k;");
  }
}

/** The condition that these bytes come next. The first byte first: reads of words throw behind the end. */
function same([first, ...rest]: number[]): string {
  return [`b[q]===${first}`, ...(rest.length > 0 ? [words(rest, 1)] : [])].join("&&");
}

/** The same without the first byte first, from so many bytes on: in words, of which the last may overlap. */
function words(bytes: number[], from = 0): string {
  const { length } = bytes;
  if (length < 4) return bytes.map((byte, i) => `b[q+${from + i}]===${byte}`).join("&&");
  const view = new DataView(Uint8Array.from(bytes).buffer);
  const parts: string[] = [];
  for (let i = 0; i < length;) {
    const at = Math.min(i, Math.max(0, length - 8));
    const double = length < 8 ? NaN : view.getFloat64(at, true);
    // Two doubles that are equal have the same bytes, but for zeros.
    const isDouble = double * 0 === 0 && double !== 0;
    const place = isDouble ? at : Math.min(i, length - 4);
    const get = isDouble ? "Float64" : "Int32";
    parts.push(`v.get${get}(q+${from + place},true)===${isDouble ? double : view.getInt32(place, true)}`);
    i = place + (isDouble ? 8 : 4);
  }
  return parts.join("&&");
}

function compare(a: number[], b: number[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
