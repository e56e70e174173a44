import { type Builder, FixedBuilder, LongBuilder, type NumberBuilder, TextBuilder } from "../../columns/build.js";
import { RecordBuilder } from "../../columns/nest.js";
import type { Job } from "../../decode.js";
import { isSimple, type Placed, placedArm, Rows } from "../../rows.js";
import { layout, POINTER, type Slot } from "./layout.js";
import { flat, memberOf } from "./nodes.js";

/** The reader of structs, and the size for which it is: words of data, and pointers. */
export interface Arm {
  read: Placed;
  words: number;
  pointers: number;
}

/**
 * Reads the structs of a list while they are as usual: see {@link Rows}. Texts and bytes must lie in the same segment;
 * `limits` are its begin and end, and how many words may still be read.
 */
export function rowsArm(job: Job, items: Builder, limits: Float64Array): Arm | undefined {
  if (!(items instanceof RecordBuilder) || !isSimple(items)) return undefined;
  const { fields } = items.type;
  const nodes = fields.map((field) => memberOf(field.type, field.number, field.optional || field.nullable));
  const { words, pointers } = layout(flat(nodes));
  const rows = new Rows();
  rows.add("let h=0;");
  for (const [f, field] of fields.entries()) {
    const node = nodes[f]!;
    const { maybe, inner } = rows.row(items.children[f]!);
    if (Array.isArray(node)) return undefined;
    const isPointer = node.kind === "slot" && node.size === POINTER;
    // Scalars with a default are written inverted.
    if (!isPointer && (!isUsual(inner) || (!maybe && (field.default || Object.is(field.default, -0)))))
      return undefined;
    if (node.kind === "slot" && !isPointer) {
      data(rows, inner, node);
      continue;
    }
    const there = node.kind === "slot" ? "x|l" : `x===${node.values[1]}`;
    if (node.kind === "slot") {
      const at = `q+${8 * (words + node.offset)}`;
      rows.add(`k=${at};x=v.getInt32(k,true);l=v.getInt32(k+4,true);`);
    } else rows.add(`x=v.getUint16(q+${2 * node.discriminant},true);if(x>1)${rows.give};`);
    rows.add(`if(${there}){`);
    if (node.kind === "slot") pointer(rows, inner);
    else data(rows, inner, node.members[1] as Slot);
    if (maybe) rows.state(maybe, 2);
    rows.add("}else{");
    if (maybe) rows.state(maybe, field.optional ? 0 : 1);
    else rows.add(`${rows.give};`);
    rows.add("}");
  }
  const stride = 8 * (words + pointers);
  rows.add(`if((V[2]-=h)<0)${rows.give};q+=${stride};`);
  return { read: placedArm(job, items, rows, limits, stride), words, pointers };
}

/** Whether enumerants are their numbers. */
function isUsual({ type }: Builder): boolean {
  return type.kind !== "enum" || type.symbols.every(({ number }, i) => number === i);
}

/** Reads what the pointer at `k`, whose halves are `x` and `l`, leads to. */
function pointer(rows: Rows, builder: Builder): void {
  rows.add(`if((x&3)!==1||(l&7)!==2)${rows.give};k+=8+(x>>2)*8;l>>>=3;x=l+7>>>3;`);
  rows.add(`if(k<V[0]||k+8*x>V[1])${rows.give};h+=x+1;`);
  if (builder instanceof FixedBuilder) {
    rows.add(`if(l!==${builder.size})${rows.give};`);
    rows.fixedAway(builder);
  } else {
    const isText = builder.type.kind === "string";
    // A text ends with a zero byte.
    if (isText) rows.add(`if(l===0||b[k+--l]!==0)${rows.give};`);
    rows.text(builder as TextBuilder, "k", "k+l");
  }
}

function data(rows: Rows, builder: Builder, { offset, size }: Slot): void {
  const { type } = builder;
  const bit = offset << size;
  const at = `q+${bit >> 3}`;
  if (builder instanceof LongBuilder) return rows.long(builder, `v.getInt32(${at},true)`, `v.getInt32(${at}+4,true)`);
  const number = builder as NumberBuilder;
  if (type.kind === "bool") rows.number(number, `b[${at}]>>${bit & 7}&1`);
  else if (type.kind === "float") rows.number(number, `v.getFloat${type.bits}(${at},true)`);
  else if (type.kind === "int") rows.number(number, `v.get${type.signed ? "Int" : "Uint"}${type.bits}(${at},true)`);
  else if (type.kind === "enum") {
    rows.add(`x=v.getUint16(${at},true);if(x>=${type.symbols.length})${rows.give};`);
    rows.number(number, "x");
  }
}
