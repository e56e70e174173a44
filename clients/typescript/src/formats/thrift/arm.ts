import { type Builder, FixedBuilder, LongBuilder, type NumberBuilder, TextBuilder } from "../../columns/build.js";
import { RecordBuilder } from "../../columns/nest.js";
import type { Job } from "../../decode.js";
import { arm, isFlat, Rows, varint } from "../../rows.js";
import type { Type } from "../../schema.js";
import { ids } from "./ids.js";
import { BOOL, compactTypeOf, I8, UUID } from "./protocol.js";

/** Reads the structs of a list of the compact protocol while they are as usual: see {@link Rows}. */
export function rowsArm(
  job: Job,
  items: Builder,
  wireOf: (type: Type) => number,
): ((most?: number) => number) | undefined {
  if (!(items instanceof RecordBuilder) || !isFlat(items)) return undefined;
  const rows = new Rows();
  record(rows, items, wireOf);
  rows.add(`if(q>e)${rows.give};`);
  return arm(job, items, rows, items.type.name, varint);
}

/** Fields in the order of their ids, each behind how much more that is than the last one's. */
function record(rows: Rows, builder: RecordBuilder, wireOf: (type: Type) => number): void {
  const { fields, reserved } = builder.type;
  const numbers = ids(fields, reserved);
  const last = rows.fresh("j");
  rows.add(`let ${last}=0;`);
  for (const f of fields.map((_, f) => f).sort((a, b) => numbers[a]! - numbers[b]!)) {
    const field = fields[f]!;
    const { maybe, inner } = rows.row(builder.children[f]!);
    const wire = wireOf(field.type);
    const head = `(${numbers[f]}-${last}<<4)`;
    // Of a boolean, the type says which.
    const comes = wire === BOOL ? `(x=b[q]-${head})===1||x===2` : `b[q]===${head}+${compactTypeOf(wire)}`;
    rows.add(`if(${comes}){q++;${last}=${numbers[f]};`);
    if (wire === BOOL) rows.number(inner as NumberBuilder, "x&1");
    else value(rows, inner, wire, wireOf);
    if (maybe) rows.state(maybe, 2);
    rows.add("}else{");
    if (maybe) rows.state(maybe, field.optional ? 0 : 1);
    else rows.add(`${rows.give};`);
    rows.add("}");
  }
  rows.add(`if(b[q++]!==0)${rows.give};`);
}

function value(rows: Rows, builder: Builder, wire: number, wireOf: (type: Type) => number): void {
  const { type } = builder;
  if (builder instanceof RecordBuilder) return record(rows, builder, wireOf);
  if (builder instanceof TextBuilder) {
    rows.lengthAndText(builder);
  } else if (builder instanceof FixedBuilder) {
    if (wire !== UUID) {
      rows.length();
      rows.add(`if(l!==${builder.size})${rows.give};`);
    }
    rows.add(`if(q+${builder.size}>e)${rows.give};`);
    rows.fixed(builder);
    rows.add(`q+=${builder.size};`);
  } else if (type.kind === "float") {
    rows.number(builder as NumberBuilder, "v.getFloat64(q,true)");
    rows.add("q+=8;");
  } else if (builder instanceof LongBuilder) rows.zigzagLong(builder);
  else {
    if (wire === I8) rows.add("x=b[q++]<<24>>24;");
    else rows.zigzag();
    rows.check(builder as NumberBuilder, "x");
    rows.number(builder as NumberBuilder, "x");
  }
}
