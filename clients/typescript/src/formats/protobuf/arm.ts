import { type Builder, FixedBuilder, LongBuilder, NumberBuilder, TextBuilder } from "../../columns/build.js";
import { RecordBuilder } from "../../columns/nest.js";
import type { Job } from "../../decode.js";
import { arm, isFlat, Rows, varint } from "../../rows.js";
import { byNumber, type Type } from "../../schema.js";
import { GROUP, I32, I64, layoutOf, LEN, VARINT } from "./scalars.js";

/** Reads the records of a list, each behind its tag, while they are as usual: see {@link Rows}. */
export function rowsArm(job: Job, items: Builder, number: number): (() => number) | undefined {
  if (!(items instanceof RecordBuilder) || !isFlat(items)) return undefined;
  const rows = new Rows();
  expect(rows, number, LEN, () => rows.add(`${rows.give};`));
  message(rows, items, "e");
  return arm(job, items, rows, `${items.type.name}@${number}`, varint);
}

/** The bytes of a tag. */
function tagOf(number: number, wire: number): number[] {
  const bytes: number[] = [];
  let rest = number * 8 + wire;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

/** Passes over a tag, or does something else where it does not come. */
function expect(rows: Rows, number: number, wire: number, otherwise: () => void, then?: () => void): void {
  const tag = tagOf(number, wire);
  const comes = tag.map((byte, i) => `b[q${i > 0 ? `+${i}` : ""}]===${byte}`).join("&&");
  rows.add(`if(${comes}){q+=${tag.length};`);
  then?.();
  rows.add("}else{");
  otherwise();
  rows.add("}");
}

/** Reads a message behind its tag. */
function message(rows: Rows, record: RecordBuilder, end: string): void {
  const stop = rows.fresh("z");
  rows.length();
  rows.add(`const ${stop}=q+l;if(!(${stop}<=${end}))${rows.give};`);
  for (const position of byNumber(record.type)) {
    const field = record.type.fields[position]!;
    const { maybe, inner } = rows.row(record.children[position]!);
    const group = field.notes["protobuf.encoding"] === "delimited";
    const missing = () => {
      if (maybe) rows.state(maybe, field.optional ? 0 : 1);
      else if (field.default !== undefined) rows.add(`${rows.give};`);
      else zero(rows, inner);
    };
    expect(rows, field.number, group ? GROUP : wireOf(field.type), missing, () => {
      if (group) return rows.add(`${rows.give};`);
      value(rows, inner, stop);
      if (maybe) rows.state(maybe, 2);
    });
  }
  // What goes beyond the end does not come back.
  rows.add(`if(q!==${stop})${rows.give};`);
}

function wireOf(type: Type): number {
  if (type.kind === "float") return type.bits === 64 ? I64 : I32;
  if (type.kind === "int" && layoutOf(type) === "word") return type.bits === 64 ? I64 : I32;
  return type.kind === "int" || type.kind === "bool" || type.kind === "enum" ? VARINT : LEN;
}

/** What a value is that was left out. */
function zero(rows: Rows, builder: Builder): void {
  const { type } = builder;
  if (builder instanceof NumberBuilder) rows.number(builder, `${type.kind === "enum" ? type.symbols[0]!.number : 0}`);
  else if (builder instanceof LongBuilder) rows.long(builder, "0", "0", true);
  else if (builder instanceof TextBuilder) rows.text(builder, "0", "0");
  else rows.add(`${rows.give};`);
}

function value(rows: Rows, builder: Builder, stop: string): void {
  const { type } = builder;
  if (builder instanceof RecordBuilder) {
    message(rows, builder, stop);
  } else if (builder instanceof TextBuilder) {
    rows.lengthAndText(builder);
  } else if (builder instanceof FixedBuilder) {
    rows.length();
    rows.add(`if(l!==${builder.size}||q+l>${stop})${rows.give};`);
    rows.fixed(builder);
    rows.add("q+=l;");
  } else if (type.kind === "float") {
    rows.number(builder as NumberBuilder, `v.getFloat${type.bits}(q,true)`);
    rows.add(`q+=${type.bits / 8};`);
  } else if (builder instanceof LongBuilder) {
    if (layoutOf(type) === "word") {
      rows.long(builder, "v.getInt32(q,true)", "v.getInt32(q+4,true)");
      rows.add("q+=8;");
      return;
    }
    const zigzag = layoutOf(type) === "zigzag";
    rows.add("x=b[q++];if(x<128){");
    rows.long(builder, zigzag ? "x>>>1^-(x&1)" : "x", zigzag ? "-(x&1)" : "0", !zigzag);
    rows.add(`}else{q=V(b,q-1,R);if(q<0)${rows.give};x=R[0];k=R[1];`);
    rows.long(builder, zigzag ? "(x>>>1|k<<31)^-(x&1)" : "x", zigzag ? "k>>>1^-(x&1)" : "k");
    rows.add("}");
  } else {
    const number = builder as NumberBuilder;
    const unsigned = type.kind === "int" && !type.signed;
    if (layoutOf(type) === "word") {
      rows.add(`x=v.get${unsigned ? "Uint" : "Int"}32(q,true);q+=4;`);
    } else {
      // An integer of 8 or 16 bits that was written with more is the general reader's.
      const narrow = type.kind === "int" && type.bits < 32 && layoutOf(type) === "plain";
      const fits = narrow ? `if(R[1]!==R[0]>>31&&!(${unsigned}&&R[1]===0))${rows.give};` : "";
      rows.add(`x=b[q++];if(x>127){q=V(b,q-1,R);if(q<0)${rows.give};${fits}x=R[0]${unsigned ? ">>>0" : ""}`);
      if (type.kind === "bool") rows.add("|R[1]");
      rows.add("}");
      if (type.kind === "bool") rows.add("x=x!==0?1:0;");
      else if (layoutOf(type) === "zigzag") rows.add("x=x>>>1^-(x&1);");
    }
    rows.check(number, "x");
    rows.number(number, "x");
  }
}
