import { DecodeError } from "../errors.js";
import type { SchemaFile } from "../schema.js";
import { find, scalarOf, slotText, type Step } from "./steps.js";

/** An integer that may be negative: Protobuf writes short ones as short then. */
function integer(bits: number): any {
  return { scalar: `int${bits}`, notes: { "protobuf.type": bits === 64 ? "sint64" : "sint32" } };
}

/** Makes the schema that comes of a step, in place. */
export function shape(file: SchemaFile, step: Step): void {
  const place = find(file, step.slot);
  const old = place.get();
  const { params } = step;
  const types = (file.types ??= []);
  const nameOf = (wanted: string): string => {
    const taken = (name: string) => types.some((type) => (type.record ?? type.enum ?? type.union) === name);
    let name = wanted;
    for (let count = 2; taken(name); count++) name = `${wanted}${count}`;
    return name;
  };
  const hint = step.slot.member ?? "Message";
  const capital = hint.slice(0, 1).toUpperCase() + hint.slice(1);
  switch (step.shape) {
    case "uuid":
      place.set({ fixed: 16, logical: "uuid" });
      break;
    case "time": {
      const unit = ({ 0: "seconds", 3: "millis", 6: "micros", 9: "nanos" } as Record<number, string>)[params.digits];
      place.set({ scalar: "int64", logical: `timestamp-${unit}` });
      break;
    }
    case "date":
      place.set({ scalar: "int32", logical: "date" });
      break;
    case "decimal":
    case "fixed-point":
      place.set(integer(params.bits ?? 64));
      break;
    case "enum": {
      const name = nameOf(capital);
      const symbols = params.symbols.map((name: string, number: number) => ({ number, name }));
      types.push({ enum: name, symbols, closed: true });
      place.set(name);
      break;
    }
    case "columns": {
      const record = types.find((type) => type.record === scalarOf(old.list));
      if (!record) throw unfit(step);
      types.push(columns(record, nameOf(`${record.record}Columns`)));
      place.set(types.at(-1)!.record);
      break;
    }
    case "dictionary": {
      const name = nameOf(`${capital}Dictionary`);
      const fields = [
        { number: 1, name: "values", type: { list: old.list } },
        { number: 2, name: "numbers", type: { list: `uint${params.bits ?? 32}` } },
      ];
      types.push({ record: name, fields });
      place.set(name);
      break;
    }
    case "delta":
      place.set({ list: integer(Number(/\d+$/.exec(scalarOf(old.list) ?? "")?.[0] ?? 64)) });
      break;
    case "xor":
      place.set({ list: scalarOf(old.list) === "float32" ? "uint32" : "uint64" });
      break;
    case "split":
    case "concat":
      place.set("bytes");
      break;
    default:
      throw new DecodeError(`there is no shape ${step.shape}`);
  }
  dropUnreached(file);
}

function unfit(step: Step): DecodeError {
  return new DecodeError(`${step.shape} does not fit the schema at ${slotText(step.slot)}`);
}

/** How a field of a record becomes a column. */
export interface Column {
  /** Null is an element of the list. */
  boxed: boolean;
  /** The name of the list of states, where null is not all that they say. */
  states?: string;
}

/** What is known of the columns of a record, as it stands in a schema file. */
export function columnsOf(record: any): Column[] {
  const names = new Set(record.fields.map((field: any) => field.name));
  return record.fields.map((field: any) => {
    const nullable = typeof field.type === "object" && "nullable" in field.type;
    const optional = field.presence === "optional";
    const hasNull = ["any", "null"].includes(scalarOf(nullable ? field.type.nullable : field.type) ?? "");
    const column: Column = { boxed: (optional || nullable) && !hasNull };
    if (optional && (nullable || hasNull)) {
      let name = `${field.name}_state`;
      while (names.has(name)) name += "_";
      names.add(name);
      column.states = name;
    }
    return column;
  });
}

function columns(record: any, name: string): any {
  const plans = columnsOf(record);
  const fields: any[] = [];
  for (const [f, field] of record.fields.entries()) {
    const nullable = typeof field.type === "object" && "nullable" in field.type;
    const inner = nullable ? field.type.nullable : field.type;
    fields.push({
      number: field.number,
      name: field.name,
      type: { list: plans[f]!.boxed ? { nullable: inner } : inner },
    });
  }
  let next = Math.max(0, ...record.fields.map((field: any) => field.number));
  for (const { states } of plans) if (states) fields.push({ number: ++next, name: states, type: { list: "uint8" } });
  if (fields.length === 0) fields.push({ number: 1, name: "count", type: "uint32" });
  return { record: name, fields };
}

/** Takes away the types that nothing refers to any more. */
function dropUnreached(file: SchemaFile): void {
  const reached = new Set<string>();
  const named = new Map((file.types ?? []).map((type) => [type.record ?? type.enum ?? type.union, type]));
  const walk = (expression: any): void => {
    if (typeof expression !== "string") {
      for (const key of ["list", "map", "key", "nullable", "scalar"])
        if (expression[key] !== undefined) walk(expression[key]);
    } else if (named.has(expression) && !reached.has(expression)) {
      reached.add(expression);
      const type = named.get(expression)!;
      for (const member of type.fields ?? type.branches ?? []) walk(member.type);
    }
  };
  walk(file.root);
  file.types = (file.types ?? []).filter((type) => reached.has(type.record ?? type.enum ?? type.union));
}
