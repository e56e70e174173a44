import { logicalOf } from "./columns/column.js";
import type { Type, UnionType } from "./schema.js";

/** The kinds of value that formats show which describe themselves. */
export type Shape = "bool" | "int" | "float" | "string" | "bytes" | "array" | "map";

export interface Style {
  /** Records are arrays, and enums numbers. */
  positional: boolean;
  /** Bytes, UUIDs, instants and days are texts: JSON. */
  textual: boolean;
}

export const JSON_STYLE: Style = { positional: false, textual: true };

/** Which branch a value of each shape belongs to; undefined where two look alike, and values come with their branch. */
export function unionPlan(union: UnionType, style: Style): Map<Shape, number> | undefined {
  const plan = new Map<Shape, number>();
  for (const [position, branch] of union.branches.entries()) {
    const found = shapes(branch.type, style);
    if (found.length === 0 || found.some((shape) => plan.has(shape))) return undefined;
    for (const shape of found) plan.set(shape, position);
  }
  if (!plan.has("int") && plan.has("float")) plan.set("int", plan.get("float")!);
  return plan;
}

function shapes(type: Type, { positional, textual }: Style): Shape[] {
  const logical = logicalOf(type);
  if (textual && logical === "number") return ["int", "float"];
  if (textual && type.kind === "int" && logical) return ["string"];
  switch (type.kind) {
    case "bytes":
    case "fixed":
      return [textual ? "string" : "bytes"];
    case "enum":
      return textual || !positional ? ["string", "int"] : ["int"];
    case "bool":
    case "int":
    case "float":
    case "string":
      return [type.kind];
    case "list":
      return ["array"];
    case "map":
      return ["map"];
    case "record":
      return [positional ? "array" : "map"];
    default:
      return [];
  }
}

/** The branch of a union that a value of JSON belongs to, if any, and the value there. */
export function branchOf(value: any, union: UnionType): { branch: number; value: any } | undefined {
  const plan = unionPlan(union, JSON_STYLE);
  if (!plan) {
    if (typeof value !== "object" || value === null) return undefined;
    const [name, ...more] = Object.keys(value);
    const branch = union.branches.findIndex((branch) => branch.name === name);
    return branch < 0 || more.length > 0 ? undefined : { branch, value: value[name!] };
  }
  let branch = plan.get(shapeOf(value));
  // JavaScript does not tell 2 from 2.0: a float may be what no integer of the branch is.
  if (typeof value === "number" && (branch === undefined || !holds(union.branches[branch]!.type, value)))
    branch = plan.get("float") ?? branch;
  return branch === undefined ? undefined : { branch, value };
}

/** Whether a type of integers, or an enum, has this number; of other types it is not asked. */
function holds(type: Type, value: number): boolean {
  // Numbers that have a name are written as that.
  if (type.kind === "enum") {
    return !type.closed && Number.isSafeInteger(value) && !type.symbols.some(({ number }) => number === value);
  }
  if (type.kind !== "int") return true;
  const most = 2 ** (type.signed ? type.bits - 1 : type.bits);
  return Number.isSafeInteger(value) && value < most && value >= (type.signed ? -most : 0);
}

/** What a value of JSON looks like. */
export function shapeOf(value: any): Shape {
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  if (typeof value === "bigint") return "int";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  return Array.isArray(value) ? "array" : "map";
}
