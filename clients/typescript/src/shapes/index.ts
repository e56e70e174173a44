import type { Column } from "../columns/column.js";
import { ListColumn, MapColumn, MaybeColumn, RecordColumn, UnionColumn } from "../columns/nested.js";
import type { Shapes } from "../decode.js";
import { parseSchema, type SchemaFile, type Type } from "../schema.js";
import { find, normalize, parseSteps, scalarOf, type Step } from "./steps.js";
import { columnsOf, shape } from "./types.js";
import { undo } from "./undo.js";

type Change = (column: Column) => Column;

/** The shapes of docs/shapes.md, undone. */
export const shapes: Shapes = {
  plan(base, texts) {
    const file = normalize(base);
    const changes: ((column: Column, isRoot: boolean) => Column)[] = [];
    for (const step of texts.flatMap((text) => parseSteps(text))) changes.unshift(planned(file, step));
    return {
      schema: file,
      undo: (column, isRoot = true) => changes.reduce((column, change) => change(column, isRoot), column),
    };
  },
};

/** Makes the schema that comes of a step, and says how columns come back. */
function planned(file: SchemaFile, step: Step): (column: Column, isRoot: boolean) => Column {
  const before = parseSchema(file);
  const expression = find(file, step.slot).get();
  const type = parseSchema({ ...file, root: structuredClone(expression) }).root;
  const record = step.shape === "columns" && file.types?.find((type) => type.record === scalarOf(expression.list));
  const plans = record ? columnsOf(record) : undefined;
  shape(file, step);
  const names = namedTypes(before.root);
  const change: Change = (column) => undo(step, column, type, plans);
  const { named, member, inside } = step.slot;
  return (column, isRoot) =>
    named === undefined
      ? isRoot
        ? along(column, inside, change)
        : column
      : everywhere(column, names, named, member!, inside, change);
}

/** The named types that messages can reach. */
function namedTypes(root: Type): Map<string, Type> {
  const found = new Map<string, Type>();
  const walk = (type: Type): void => {
    if (type.kind === "list") walk(type.item);
    else if (type.kind === "nullable") walk(type.inner);
    else if (type.kind === "map") walk(type.value);
    else if ((type.kind === "record" || type.kind === "union") && !found.has(type.name)) {
      found.set(type.name, type);
      for (const member of type.kind === "record" ? type.fields : type.branches) walk(member.type);
    }
  };
  walk(root);
  return found;
}

/** Changes what lies in a column behind these steps. */
function along(column: Column, inside: readonly string[], change: Change): Column {
  if (column instanceof MaybeColumn)
    return new MaybeColumn(column.type, column.states, along(column.inner, inside, change));
  const [first, ...rest] = inside;
  if (first === undefined) return change(column);
  if (first === "[]" && column instanceof ListColumn) {
    return new ListColumn(column.type, column.offsets, along(column.items, rest, change));
  }
  if (first === "{}" && column instanceof MapColumn) {
    return new MapColumn(column.type, column.offsets, column.keys, along(column.values, rest, change));
  }
  return column;
}

/** Changes a member of all records or unions of a name. */
function everywhere(
  column: Column,
  types: Map<string, Type>,
  named: string,
  member: string,
  inside: readonly string[],
  change: Change,
): Column {
  const walk = (column: Column): Column => {
    if (column instanceof MaybeColumn) return new MaybeColumn(column.type, column.states, walk(column.inner));
    if (column instanceof ListColumn) return new ListColumn(column.type, column.offsets, walk(column.items));
    if (column instanceof MapColumn)
      return new MapColumn(column.type, column.offsets, column.keys, walk(column.values));
    if (column instanceof RecordColumn || column instanceof UnionColumn) {
      const { name } = column.type;
      const members = column instanceof RecordColumn ? column.type.fields : column.type.branches;
      const made = (column instanceof RecordColumn ? column.children : column.branches).map((child, i) => {
        const inner = walk(child);
        return name === named && members[i]!.name === member ? along(inner, inside, change) : inner;
      });
      const type = types.get(name) as any;
      if (column instanceof UnionColumn) return new UnionColumn(type ?? column.type, column.tags, column.rows, made);
      return new RecordColumn(type ?? column.type, column.length, made);
    }
    return column;
  };
  return walk(column);
}
