import { type Builder, FixedBuilder, LongBuilder, NumberBuilder, TextBuilder } from "../../columns/build.js";
import { MaybeBuilder, RecordBuilder } from "../../columns/nest.js";
import type { Job } from "../../decode.js";
import { isSimple, type Placed, placedArm, Rows } from "../../rows.js";
import { byNumber, type Field } from "../../schema.js";
import { widthOf } from "./width.js";

/**
 * Reads the tables of a vector while they are as usual: see {@link Rows}. `limits` are 0, the message's end, and how many
 * bytes may still be read.
 */
export function rowsArm(job: Job, items: Builder, limits: Float64Array): Placed | undefined {
  if (!(items instanceof RecordBuilder) || !isSimple(items)) return undefined;
  const { type } = items;
  const rows = new Rows();
  const [far, vtable] = [rows.keep("f"), rows.keep("u")];
  rows.add(`k=v.getUint32(q,true);const t=q+k;if(k===0||t+4>V[1])${rows.give};k=t-v.getInt32(t,true);`);
  // Most tables have the same vtable: it is looked at once.
  rows.add(`if(k!==${vtable}){if(k<4||k+4>V[1])${rows.give};l=v.getUint16(k,true);const s=v.getUint16(k+2,true);`);
  const slots: { field: Field; f: number; id: number; at: string }[] = [];
  let next = 0;
  for (const f of byNumber(type)) {
    const field = type.fields[f]!;
    const id = Number(field.notes["flatbuffers.id"] ?? next);
    next = id + 1;
    slots.push({ field, f, id, at: rows.keep("o") });
  }
  rows.add(`if(l<4||l&1||s<4||l>${4 + 2 * next}||k+l>V[1])${rows.give};${vtable}=k;${far}=s;`);
  for (const { f, id, at } of slots) {
    const child = items.children[f]!;
    const size = sizeOf(child instanceof MaybeBuilder ? child.inner : child);
    if (size > 8) return undefined;
    rows.add(`${at}=l>${4 + 2 * id}?v.getUint16(k+${4 + 2 * id},true):0;if(${at}+${size}>${far})${far}=${at}+${size};`);
  }
  rows.add(`}if(t+${far}>V[1])${rows.give};let h=${far}+20;`);
  for (const { field, f, at } of slots) {
    const { maybe, inner } = rows.row(items.children[f]!);
    rows.add(`if(${at}!==0){k=t+${at};`);
    value(rows, inner);
    if (maybe) rows.state(maybe, 2);
    rows.add("}else{");
    if (!missing(rows, field, maybe, inner)) rows.add(`${rows.give};`);
    rows.add("}");
  }
  rows.add(`if((V[2]-=h)<0)${rows.give};q+=4;`);
  return placedArm(job, items, rows, limits, 4);
}

/** Bytes in the table; too many for enums of 64 bits, which are the general reader's. */
function sizeOf(builder: Builder): number {
  if (!(builder instanceof NumberBuilder)) return builder instanceof LongBuilder ? 8 : 4;
  const { bits } = widthOf(builder.type);
  return bits > 32 && builder.type.kind !== "float" ? Infinity : bits / 8;
}

/** What is not in its table. */
function missing(rows: Rows, field: Field, maybe: MaybeBuilder | undefined, builder: Builder): boolean {
  const { type } = builder;
  if (field.nullable && !field.optional) rows.state(maybe!, 1);
  else if (field.optional) rows.state(maybe!, 0);
  else if (field.default !== undefined) {
    const isNumber = typeof field.default === "number" && (type.kind === "int" || type.kind === "float");
    if (!isNumber || !(builder instanceof NumberBuilder)) return false;
    rows.number(builder, `${field.default}`);
  } else if (type.kind === "enum") return false;
  else if (builder instanceof NumberBuilder) rows.number(builder, "0");
  else if (builder instanceof LongBuilder) rows.long(builder, "0", "0", true);
  else if (builder instanceof TextBuilder) rows.text(builder, "0", "0");
  else return false;
  return true;
}

/** Reads what is at `k`. */
function value(rows: Rows, builder: Builder): void {
  const { type } = builder;
  if (builder instanceof LongBuilder) return rows.long(builder, "v.getInt32(k,true)", "v.getInt32(k+4,true)");
  if (builder instanceof NumberBuilder) {
    const { bits, signed } = widthOf(type);
    if (type.kind === "float") return rows.number(builder, `v.getFloat${bits}(k,true)`);
    rows.add(`x=v.get${signed ? "Int" : "Uint"}${bits}(k,true);`);
    if (type.kind !== "bool") rows.check(builder, "x");
    return rows.number(builder, type.kind === "bool" ? "x!==0?1:0" : "x");
  }
  // A vector.
  rows.add(`l=v.getUint32(k,true);if(l===0)${rows.give};k+=l;if(k+4>V[1])${rows.give};`);
  rows.add(`l=v.getUint32(k,true);k+=4;if(k+l>V[1])${rows.give};h+=l+8;`);
  if (builder instanceof FixedBuilder) {
    rows.add(`if(l!==${builder.size})${rows.give};`);
    rows.fixedAway(builder);
  } else rows.text(builder as TextBuilder, "k", "k+l");
}
