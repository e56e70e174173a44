import { type Builder, FixedBuilder, LongBuilder, type NumberBuilder, TextBuilder } from "../../columns/build.js";
import { MaybeBuilder, RecordBuilder } from "../../columns/nest.js";
import type { Job } from "../../decode.js";
import { arm, isFlat, Rows, varint } from "../../rows.js";
import type { Field } from "../../schema.js";

/** Where null stands in the union that a field is. */
type Place = (field: Field) => number;

/** Reads the records of an array while they are as usual: see {@link Rows}. */
export function rowsArm(job: Job, items: Builder, place: Place): ((most?: number) => number) | undefined {
  if (!(items instanceof RecordBuilder) || !isFlat(items)) return undefined;
  const rows = new Rows();
  record(rows, items, place);
  return arm(job, items, rows, items.type.name, varint);
}

function record(rows: Rows, builder: RecordBuilder, place: Place): void {
  for (const [f, field] of builder.type.fields.entries()) {
    const whole = builder.children[f]!;
    rows.row(whole);
    if (!(whole instanceof MaybeBuilder)) {
      value(rows, whole, place);
      continue;
    }
    // The index of the branch, twice: its lowest bit is a sign.
    const none = 2 * place(field);
    rows.add(`x=b[q++];if(x===${none}){`);
    rows.state(whole, field.optional ? 0 : 1);
    rows.add(`}else if(x===${2 - none}){`);
    value(rows, whole.inner, place);
    rows.state(whole, 2);
    rows.add(`}else ${rows.give};`);
  }
}

function value(rows: Rows, builder: Builder, place: Place): void {
  const { type } = builder;
  const room = (size: number) => rows.add(`if(q+${size}>e)${rows.give};`);
  if (builder instanceof RecordBuilder) record(rows, builder, place);
  else if (builder instanceof TextBuilder) {
    rows.add(`x=b[q++];if(x>127){x=x&127|b[q++]<<7;if(x>16383)${rows.give}}if(x&1)${rows.give};`);
    rows.add(`k=q+(x>>>1);if(!(k<=e))${rows.give};`);
    rows.text(builder, "q", "k");
    rows.add("q=k;");
  } else if (builder instanceof FixedBuilder) {
    room(builder.size);
    rows.fixed(builder);
    rows.add(`q+=${builder.size};`);
  } else if (type.kind === "float") {
    room(type.bits / 8);
    rows.number(builder as NumberBuilder, `v.getFloat${type.bits}(q,true)`);
    rows.add(`q+=${type.bits / 8};`);
  } else if (type.kind === "bool") {
    rows.add(`x=b[q++];if(x!==0&&x!==1)${rows.give};`);
    rows.number(builder as NumberBuilder, "x");
  } else if (type.kind === "enum") {
    const usual = type.symbols.length <= 64 && type.symbols.every(({ number }, i) => number === i);
    rows.add(`x=b[q++];if(!(${usual}&&x<${2 * type.symbols.length})||x&1)${rows.give};`);
    rows.number(builder as NumberBuilder, "x>>>1");
  } else if (builder instanceof LongBuilder) rows.zigzagLong(builder);
  else {
    rows.zigzag();
    rows.check(builder as NumberBuilder, "x");
    rows.number(builder as NumberBuilder, "x");
  }
}
