import { DecodeError } from "../errors.js";
import type { SchemaFile } from "../schema.js";

/** A place in a schema: the root, or a member of a named type, and then elements of lists and values of maps. */
export interface Slot {
  named?: string;
  member?: string;
  inside: ("[]" | "{}")[];
}

/** A shape at a place. */
export interface Step {
  shape: string;
  slot: Slot;
  params: Record<string, any>;
  text: string;
}

/** Reads steps with spaces between them, as docs/shapes.md writes them. */
export function parseSteps(text: string): Step[] {
  let pos = 0;
  const fail = (what: string): never => {
    throw new DecodeError(`${what} in the shapes ${JSON.stringify(text.slice(0, 80))}`, pos);
  };
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = pos;
    const found = pattern.exec(text);
    if (found) pos = pattern.lastIndex;
    return found;
  };
  const name = (): string => {
    const found = match(/"(?:[^"\\]|\\.)*"|[\p{L}\p{N}_-]+/uy) ?? fail("expected a name");
    return found[0].startsWith('"') ? JSON.parse(found[0]) : found[0];
  };
  const steps: Step[] = [];
  for (match(/\s*/y); pos < text.length; match(/\s*/y)) {
    const start = pos;
    const shape = (match(/([a-z-]+)@/y) ?? fail("expected a shape"))[1]!;
    const slot: Slot = { inside: [] };
    if (!match(/\$/y)) {
      slot.named = name();
      if (!match(/\./y)) fail("expected a field");
      slot.member = name();
    }
    for (let inside = match(/\[\]|\{\}/y); inside; inside = match(/\[\]|\{\}/y))
      slot.inside.push(inside[0] as "[]" | "{}");
    const params: Record<string, any> = {};
    while (match(/,/y)) {
      const key = (match(/([a-z]+)=/y) ?? fail("expected a parameter"))[1]!;
      const value = match(/\d+/y) ?? match(/\[(?:[^"\]]|"(?:[^"\\]|\\.)*")*\]/y) ?? fail("expected a value");
      params[key] = JSON.parse(value[0]);
    }
    steps.push({ shape, slot, params, text: text.slice(start, pos) });
  }
  return steps;
}

/** A type expression where it stands. */
export interface Place {
  get(): any;
  set(expression: any): void;
}

/** The expression at a slot; where it may be null, that of the values. */
export function find(file: SchemaFile, slot: Slot): Place {
  const none = (): never => {
    throw new DecodeError(`the schema has no place ${slotText(slot)}`);
  };
  let place: Place;
  if (slot.named === undefined) {
    place = { get: () => file.root, set: (expression) => (file.root = expression) };
  } else {
    const named = file.types?.find((type) => (type.record ?? type.union) === slot.named) ?? none();
    const field = (named.fields ?? named.branches)?.find((field: any) => field.name === slot.member) ?? none();
    place = {
      get: () => field.type,
      set: (expression) => {
        field.type = expression;
        delete field.default;
      },
    };
  }
  place = value(place);
  for (const inside of slot.inside) {
    const key = inside === "[]" ? "list" : "map";
    const whole = place.get();
    if (typeof whole !== "object" || !(key in whole)) none();
    place = value({ get: () => whole[key], set: (expression) => (whole[key] = expression) });
  }
  return place;
}

function value(place: Place): Place {
  const whole = place.get();
  if (typeof whole !== "object" || !("nullable" in whole)) return place;
  return {
    get: () => whole.nullable,
    set: (expression) => {
      whole.nullable = expression;
      place.set(whole);
    },
  };
}

export function slotText({ named, member, inside }: Slot): string {
  const name = (text: string) => (/^[\p{L}\p{N}_-]+$/u.test(text) ? text : JSON.stringify(text));
  return (named === undefined ? "$" : `${name(named)}.${name(member!)}`) + inside.join("");
}

/** Puts the meaning of fields into their types, so that a type is all in one expression. */
export function normalize(file: SchemaFile): SchemaFile {
  const made = structuredClone(file);
  for (const type of made.types ?? []) {
    for (const field of type.fields ?? []) {
      if (field.logical === undefined) continue;
      const nullable = typeof field.type === "object" && "nullable" in field.type;
      const inner = nullable ? field.type.nullable : field.type;
      const meant =
        typeof inner === "object" && ("fixed" in inner || "scalar" in inner)
          ? { ...inner, logical: field.logical }
          : { scalar: inner, logical: field.logical };
      field.type = nullable ? { ...field.type, nullable: meant } : meant;
      delete field.logical;
    }
  }
  return made;
}

/** The base type's name of an expression: `int32` of `{"scalar": "int32", "notes": ...}`. */
export function scalarOf(expression: any): string | undefined {
  return typeof expression === "string" ? expression : expression?.scalar;
}
