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
