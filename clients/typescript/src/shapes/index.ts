import type { Column } from "../columns/column.js";
import { ListColumn, MapColumn, MaybeColumn, RecordColumn, UnionColumn } from "../columns/nested.js";
import type { Shapes } from "../decode.js";
import { parseSchema, type SchemaFile, type Type } from "../schema.js";
import { find, normalize, parseSteps, scalarOf, type Step } from "./steps.js";
import { columnsOf, type Column as Plan, shape } from "./types.js";
import { undo } from "./undo.js";

/** The shapes of docs/shapes.md, undone. */
export const shapes: Shapes = {
  plan(base, texts) {
    const file = normalize(base);
    const changes: Change[] = [];
    for (const step of texts.flatMap((text) => parseSteps(text))) changes.unshift(new Change(file, step));
    return {
      schema: file,
      undo: (column, isRoot = true) => {
        for (const change of changes) column = change.of(column, isRoot);
        return column;
      },
    };
  },
};

/** Undoes one step. Methods, not functions within functions: engines forget the fast code of short-lived ones. */
class Change {
  readonly #step: Step;
  /** Of the slot, before the step. */
  readonly #type: Type;
  readonly #plans: Plan[] | undefined;
  readonly #named: Map<string, Type>;

  /** Makes the schema that comes of the step in place. */
  constructor(file: SchemaFile, step: Step) {
    const expression = find(file, step.slot).get();
    const record = step.shape === "columns" && file.types?.find((type) => type.record === scalarOf(expression.list));
    this.#step = step;
    this.#type = parseSchema({ ...file, root: structuredClone(expression) }).root;
    this.#plans = record ? columnsOf(record) : undefined;
    this.#named = namedTypes(parseSchema(file).root);
    shape(file, step);
  }

  of(column: Column, isRoot: boolean): Column {
    const { named, inside } = this.#step.slot;
    if (named !== undefined) return this.#everywhere(column);
    return isRoot ? this.#along(column, inside) : column;
  }

  /** Changes what lies in a column behind these steps. */
  #along(column: Column, inside: readonly string[]): Column {
    if (column instanceof MaybeColumn)
      return new MaybeColumn(column.type, column.states, this.#along(column.inner, inside));
    const [first, ...rest] = inside;
    if (first === undefined) return undo(this.#step, column, this.#type, this.#plans);
    if (first === "[]" && column instanceof ListColumn) {
      return new ListColumn(column.type, column.offsets, this.#along(column.items, rest));
    }
    if (first === "{}" && column instanceof MapColumn) {
      return new MapColumn(column.type, column.offsets, column.keys, this.#along(column.values, rest));
    }
    return column;
  }

  /** Changes the member of all records or unions of the slot's name. */
  #everywhere(column: Column): Column {
    if (column instanceof MaybeColumn)
      return new MaybeColumn(column.type, column.states, this.#everywhere(column.inner));
    if (column instanceof ListColumn)
      return new ListColumn(column.type, column.offsets, this.#everywhere(column.items));
    if (column instanceof MapColumn)
      return new MapColumn(column.type, column.offsets, column.keys, this.#everywhere(column.values));
    if (column instanceof RecordColumn || column instanceof UnionColumn) {
      const { named, member, inside } = this.#step.slot;
      const { name } = column.type;
      const members = column instanceof RecordColumn ? column.type.fields : column.type.branches;
      const made: Column[] = [];
      for (const [i, child] of (column instanceof RecordColumn ? column.children : column.branches).entries()) {
        const inner = this.#everywhere(child);
        made.push(name === named && members[i]!.name === member ? this.#along(inner, inside) : inner);
      }
      const type = (this.#named.get(name) as any) ?? column.type;
      if (column instanceof UnionColumn) return new UnionColumn(type, column.tags, column.rows, made);
      return new RecordColumn(type, column.length, made);
    }
    return column;
  }
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
